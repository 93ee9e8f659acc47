"""Tests of attempts: a restart replaces points where it is certain, and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from seamark import _core
from seamark.format.types import Tag
from seamark.kinds import session_log, summary, text
from seamark.store import Store
from seamark.store.discover.file_name import order_key, writer_of
from seamark.store.test_support import LOSS, A, append, loaded

VAL = Tag("val")
Steps = Iterable[int]


def write(
    logdir: Path,
    *,
    began: float,
    steps: Steps = (),
    tag: str = LOSS,
    value: float = 1.0,
    process: int = 1,
    host: str = "host",
    suffix: str = "",
    secs: float = 1.0,
) -> Path:
    """Writes a file of run a with a point every `secs` seconds from `began` on; empty without steps."""
    path = logdir / "a" / f"events.out.tfevents.{int(began)}.{host}.{process}.0{suffix}"
    append(path, _core.encode_file_version(began))
    add(path, began=began, steps=steps, tag=tag, value=value, secs=secs)
    return path


def add(path: Path, *, began: float, steps: Steps, tag: str = LOSS, value: float = 1.0, secs: float = 1.0) -> None:
    for at, step in enumerate(steps, 1):
        append(path, _core.encode_scalar(tag.encode(), value, step, began + at * secs))


def start(path: Path, *, step: int, wall: float) -> None:
    log = session_log.encode(session_log.SessionLog(session_log.SessionStatus.START))
    append(path, summary.session_log_record(log, step=step, wall_time=wall))


def counted(store: Store, tag: Tag = LOSS) -> list[int]:
    return [int(step) for step in store.scalars(A, tag).step]


def replaced(store: Store, tag: Tag = LOSS) -> dict[int, list[int]]:
    """Returns the replaced steps of each attempt."""
    window = store.scalars(A, tag, attempts="marked")
    assert window.attempt is not None and window.replaced is not None
    lost = window.replaced == 1
    return {
        int(attempt): window.step[lost & (window.attempt == attempt)].tolist()
        for attempt in np.unique(window.attempt[lost])
    }


def test_a_resumed_file_replaces_the_end_of_the_previous_one(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(10), value=1)
    write(tmp_path, began=200, steps=range(6, 14), value=2, process=2)
    with loaded(tmp_path) as store:
        assert counted(store) == [*range(14)]
        assert store.scalars(A, LOSS).last.tolist() == [1] * 6 + [2] * 8
        assert replaced(store) == {0: [6, 7, 8, 9]}
        every = store.scalars(A, LOSS, attempts="all")
        assert every.attempt is not None
        assert every.step.tolist() == [*range(10), *range(6, 14)]
        assert every.attempt.tolist() == [0] * 10 + [1] * 8
        batches = [(batch.attempt, batch.steps.tolist()) for batch in store.scalar_batches()]
        assert batches == [(0, [*range(6)]), (1, [*range(6, 14)])]
        info = store.series(kind="scalars")[0]
        assert (info.count, info.attempts, info.first_step, info.last_step) == (18, 2, 0, 13)
        found = store.digests([LOSS], [A], tail=2)[LOSS]
        assert (found.count[0], found.max[0], found.max_step[0], found.last_step[0]) == (14, 2, 6, 13)


def test_an_aborted_run_in_the_same_folder_hides_nothing(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(101), value=1)
    write(tmp_path, began=300, steps=range(5), value=9, process=2)
    with loaded(tmp_path) as store:
        assert counted(store) == sorted([*range(101), *range(5)])
        assert replaced(store) == {}
        assert store.series(kind="scalars")[0].attempts == 1
        assert store.last_values(LOSS)[A].step == 100
        found = store.digests([LOSS], [A], tail=1)[LOSS]
        assert (found.count[0], found.last[0], found.max[0]) == (106, 1, 9)


def test_a_backdated_step_is_sorted_in_and_replaces_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, began=100, steps=range(30), value=1)
    add(path, began=140, steps=[3], value=7)
    add(path, began=150, steps=[30], value=1)
    with loaded(tmp_path) as store:
        assert counted(store) == [0, 1, 2, 3, 3, *range(4, 31)]
        values = store.scalars(A, LOSS).last.tolist()
        assert values[3:5] == [1, 7]
        found = store.digests([LOSS], [A], tail=1)[LOSS]
        assert (found.count[0], found.min[0], found.max[0], found.last_step[0]) == (32, 1, 7, 30)
        assert store.last_values(LOSS)[A].step == 30
        assert [batch.steps.tolist() for batch in store.scalar_batches()] == [counted(store)]


def test_the_last_value_has_the_greatest_step_and_is_the_latest_of_equals(tmp_path: Path) -> None:
    path = write(tmp_path, began=100, steps=[0, 5], value=1)
    add(path, began=110, steps=[5], value=2)
    add(path, began=120, steps=[4], value=3)
    with loaded(tmp_path) as store:
        last = store.last_values(LOSS)[A]
        assert (last.step, last.value, last.wall) == (5, 2, 111)
        assert store.digests([LOSS], [A], tail=1)[LOSS].last[0] == 2
        assert store.series(kind="scalars")[0].last_value == 2


@pytest.mark.parametrize("names", [{"process": 2}, {"process": 1, "suffix": ".second"}, {"host": "other"}])
def test_writers_at_the_same_time_keep_all_their_points(tmp_path: Path, names: dict[str, object]) -> None:
    write(tmp_path, began=100, steps=range(50))
    write(tmp_path, began=110, steps=range(50), **names)  # type: ignore[arg-type]
    with loaded(tmp_path) as store:
        assert counted(store) == sorted([*range(50)] * 2)
        assert replaced(store) == {}


def test_short_lived_workers_beside_another_process_are_no_restarts(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(100), tag="train", process=1)
    for epoch in range(3):
        write(tmp_path, began=110 + 20 * epoch, steps=range(10), process=10 + epoch)
    with loaded(tmp_path) as store:
        assert counted(store) == sorted([*range(10)] * 3)


def test_epochs_of_several_workers_are_no_restarts(tmp_path: Path) -> None:
    for epoch in range(2):
        for worker in range(4):
            write(tmp_path, began=100 + 50 * epoch + worker / 10, steps=range(16), process=10 * epoch + worker)
    with loaded(tmp_path) as store:
        assert store.scalars(A, LOSS).total.tolist() == [128]


def test_another_host_or_suffix_is_another_writer(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(10))
    write(tmp_path, began=200, steps=range(20), host="elsewhere")
    write(tmp_path, began=300, steps=range(30), suffix=".eval")
    with loaded(tmp_path) as store:
        assert store.scalars(A, LOSS).total.tolist() == [60]
        assert replaced(store) == {}


def test_a_file_that_continues_the_previous_one_is_the_same_attempt(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(10))
    write(tmp_path, began=200, steps=range(9, 20), process=2)
    with loaded(tmp_path) as store:
        assert counted(store) == [*range(10), *range(9, 20)]
        assert store.series(kind="scalars")[0].attempts == 1


def test_each_series_loses_the_steps_that_the_later_file_repeats(tmp_path: Path) -> None:
    first = write(tmp_path, began=100, steps=range(0, 100, 10))
    add(first, began=111, steps=[0, 40, 80], tag=VAL)
    add(first, began=115, steps=[0], tag="config")
    add(first, began=116, steps=[95], tag="dropped")
    second = write(tmp_path, began=200, steps=range(50, 150, 10), process=2)
    add(second, began=211, steps=[80, 120], tag=VAL)
    add(second, began=215, steps=[0], tag="config")
    with loaded(tmp_path) as store:
        assert replaced(store) == {0: [50, 60, 70, 80, 90]}
        assert replaced(store, VAL) == {0: [80]}
        assert replaced(store, Tag("config")) == {0: [0]}
        assert counted(store, Tag("dropped")) == [95]  # nothing took its place


def test_only_series_of_both_files_decide_how_far_the_later_one_got(tmp_path: Path) -> None:
    first = write(tmp_path, began=100, steps=range(101))
    add(first, began=210, steps=range(50), tag="system/cpu")
    second = write(tmp_path, began=300, steps=range(5), process=2)
    add(second, began=310, steps=range(500), tag="per iteration", secs=0.01)
    add(second, began=320, steps=range(900), tag="system/cpu", secs=0.01)
    with loaded(tmp_path) as store:
        assert store.scalars(A, LOSS).total.tolist() == [106]
        assert store.scalars(A, Tag("system/cpu")).total.tolist() == [950]


def test_seconds_of_system_metrics_are_no_steps_to_a_session_start(tmp_path: Path) -> None:
    first = write(tmp_path, began=100, steps=range(10))
    add(first, began=111, steps=range(0, 500, 10), tag="system/cpu")
    second = write(tmp_path, began=700, process=2)
    start(second, step=10, wall=700)
    add(second, began=701, steps=range(10, 20))
    add(second, began=711, steps=range(600, 700, 10), tag="system/cpu")
    with loaded(tmp_path) as store:
        assert store.scalars(A, Tag("system/cpu")).total.tolist() == [60]
        assert [info.attempts for info in store.series(kind="scalars")] == [1, 1]


def test_restarts_in_a_row(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(10), value=1)
    write(tmp_path, began=200, steps=range(5, 7), value=2, process=2)  # came to nothing
    write(tmp_path, began=300, steps=range(5, 20), value=3, process=3)
    write(tmp_path, began=400, steps=range(15, 25), value=4, process=4)
    with loaded(tmp_path) as store:
        assert counted(store) == [*range(25)]
        assert store.scalars(A, LOSS).last.tolist() == [1] * 5 + [3] * 10 + [4] * 10
        assert replaced(store) == {0: [5, 5, 6, 6, 7, 8, 9], 1: [15, 16, 17, 18, 19]}


def test_a_session_start_replaces_earlier_points(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(10), value=1)
    second = write(tmp_path, began=200, process=2)
    start(second, step=6, wall=200)
    add(second, began=201, steps=[6, 7], value=2)
    with loaded(tmp_path) as store:
        assert counted(store) == [*range(8)]
        assert replaced(store) == {0: [6, 7, 8, 9]}
        assert store.series(kind="scalars")[0].attempts == 2
        assert store.last_values(LOSS)[A].value == 2


def test_a_session_start_that_replaces_nothing_is_no_restart(tmp_path: Path) -> None:
    for at in range(3):
        path = write(tmp_path, began=100 * at + 100, process=at)
        start(path, step=10 * at, wall=100 * at + 100)
        add(path, began=100 * at + 101, steps=range(10 * at, 10 * at + 10))
    with loaded(tmp_path) as store:
        assert counted(store) == [*range(30)]
        assert store.series(kind="scalars")[0].attempts == 1


def test_a_session_start_does_not_affect_a_writer_that_continues(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(50))
    second = write(tmp_path, began=120, process=2)
    start(second, step=0, wall=120)
    add(second, began=121, steps=range(5))
    with loaded(tmp_path) as store:
        assert store.scalars(A, LOSS).total.tolist() == [55]


def test_a_session_that_starts_again_within_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, began=100)
    add(path, began=100, steps=[0])  # TensorFlow's threads may write a moment before the start is noted
    start(path, step=0, wall=101)
    # With times that say nothing about the order.
    add(path, began=90, steps=range(1, 10), secs=0)
    start(path, step=4, wall=130)
    add(path, began=80, steps=range(4, 12), value=2, secs=0)
    with loaded(tmp_path) as store:
        assert counted(store) == [*range(12)]
        assert store.scalars(A, LOSS).last.tolist() == [1] * 4 + [2] * 8
        assert replaced(store) == {0: [4, 5, 6, 7, 8, 9]}


def test_all_points_may_be_replaced(tmp_path: Path) -> None:
    write(tmp_path, began=100, steps=range(5))
    start(write(tmp_path, began=200, process=2), step=0, wall=200)
    with loaded(tmp_path) as store:
        assert counted(store) == []
        assert store.last_values(LOSS) == {}
        assert store.digests([LOSS], [A], tail=1)[LOSS].runs == []
        info = store.series(kind="scalars")[0]
        assert info.count == 5
        assert info.last_value is not None and math.isnan(info.last_value)


def test_payloads_follow_the_same_rule(tmp_path: Path) -> None:
    def note(step: int, wall: float) -> bytes:
        return summary.event_record(text.encode("note", f"at {wall}"), step=step, wall_time=wall)

    first = write(tmp_path, began=100, steps=range(10))
    for at, step in enumerate([0, 4, 8, 2]):
        append(first, note(step, 111.0 + at))
    second = write(tmp_path, began=200, steps=range(3, 20), process=2)
    for at, step in enumerate([3, 8, 12]):
        append(second, note(step, 211.0 + at))
    third = write(tmp_path, began=300, process=3)
    start(third, step=12, wall=300)
    append(third, note(15, 311.0))
    with loaded(tmp_path) as store:
        listed = store.payloads(A, Tag("note"), "text")
        assert listed.steps.tolist() == [0, 2, 3, 8, 15]
        assert listed.attempt.tolist() == [0, 0, 1, 1, 2]
        every = store.payloads(A, Tag("note"), "text", attempts="all")
        assert every.steps.tolist() == [0, 4, 8, 2, 3, 8, 12, 15]
        info = next(info for info in store.series(kind="text") if info.tag == "note")
        assert (info.count, info.attempts, info.first_step, info.last_step) == (8, 3, 0, 15)
        with pytest.raises(ValueError, match="want latest, all or marked"):
            store.payloads(A, Tag("note"), "text", attempts="newest")  # type: ignore[arg-type]


def test_payloads_beyond_a_restart_that_was_aborted_come_last(tmp_path: Path) -> None:
    def note(path: Path, steps: Iterable[int], wall: float) -> None:
        for at, step in enumerate(steps):
            append(path, summary.event_record(text.encode("note", str(wall)), step=step, wall_time=wall + at))

    first = write(tmp_path, began=100)
    note(first, range(10), 101)
    second = write(tmp_path, began=200, process=2)
    start(second, step=4, wall=200)
    note(second, [4, 5, 6, 7], 201)
    third = write(tmp_path, began=300, process=3)
    start(third, step=2, wall=300)
    note(third, [2, 3], 301)
    with loaded(tmp_path) as store:
        assert store.payloads(A, Tag("note"), "text").steps.tolist() == [0, 1, 2, 3]
        marked = store.payloads(A, Tag("note"), "text", attempts="marked")
        assert marked.steps.tolist() == [*range(10)]
        # Of two attempts at a step, the newer one.
        assert marked.attempt.tolist() == [0, 0, 2, 2, 1, 1, 1, 1, 0, 0]
        assert marked.replaced == 6
        assert store.payloads(A, Tag("note"), "text", attempts="all").replaced == 0


def test_marked_payloads_where_nothing_counts_or_nothing_was_replaced(tmp_path: Path) -> None:
    first = write(tmp_path, began=100)
    for step in range(3):
        append(first, summary.event_record(text.encode("note", "x"), step=step, wall_time=101.0 + step))
    with loaded(tmp_path) as store:
        assert store.payloads(A, Tag("note"), "text", attempts="marked").replaced == 0
    start(write(tmp_path, began=200, process=2), step=0, wall=200)
    with loaded(tmp_path) as store:
        assert len(store.payloads(A, Tag("note"), "text")) == 0
        marked = store.payloads(A, Tag("note"), "text", attempts="marked")
        assert (marked.steps.tolist(), marked.replaced) == ([0, 1, 2], 3)


def test_session_starts_survive_in_the_index_and_while_a_file_grows(tmp_path: Path) -> None:
    logdir, index = tmp_path / "logs", tmp_path / "index"
    path = write(logdir, began=100, steps=range(4))
    start(path, step=0, wall=99)
    with loaded(logdir, index_dir=index):
        pass
    add(path, began=110, steps=range(4, 10))
    with loaded(logdir, index_dir=index):
        pass
    start(path, step=6, wall=130)
    add(path, began=131, steps=range(6, 9), value=2)
    for _ in range(2):
        with loaded(logdir, index_dir=index) as store:
            assert counted(store) == [*range(9)]
            assert replaced(store) == {0: [6, 7, 8, 9]}


def test_files_are_ordered_by_creation_and_then_by_number(tmp_path: Path) -> None:
    names = [
        "events.out.tfevents.9.host.1.0",
        "events.out.tfevents.100.host.7.6",
        "events.out.tfevents.100.host.7.10",
        "events.out.tfevents.100.host.10.1",
        f"events.out.tfevents.{'9' * 5000}.host",
    ]
    assert sorted(sorted(names), key=order_key)[1:] == names[:4]
    for number, wall in ((6, 1000.0), (10, 2000.0)):
        append(tmp_path / "a" / f"events.out.tfevents.100.host.7.{number}", _core.encode_file_version(wall))
    with loaded(tmp_path) as store:
        assert store.runs()[0].first_wall == 1000.0


def test_the_writer_is_parsed_from_the_file_name(tmp_path: Path) -> None:
    torch = writer_of("events.out.tfevents.1700000000.node.example.org.4711.0")
    assert torch == writer_of("events.out.tfevents.1800000000.node.example.org.4711.3")
    assert torch.process == "4711"
    again = writer_of("events.out.tfevents.1700000009.node.example.org.99.0")
    assert again.writer == torch.writer and again.process == "99"
    assert writer_of("events.out.tfevents.1.node.example.org.4711.0.v2").writer != torch.writer
    assert writer_of("events.out.tfevents.1.node").process is None
    assert writer_of("events.out.tfevents.1.node").writer == writer_of("events.out.tfevents.2.node").writer
