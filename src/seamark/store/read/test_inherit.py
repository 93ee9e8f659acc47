"""Tests of files without the metadata that earlier files of their run have, as TensorFlow's reopened writers make."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.format.messages import Summary
from seamark.format.types import Tag
from seamark.kinds import histogram, scalar
from seamark.kinds.summary import event_record
from seamark.store import Store
from seamark.store.index.test_dumps import dump_with_index, dump_without_index, settle
from seamark.store.read.event_file import EventFile
from seamark.store.test_support import LOSS, START_WALL, A, append, dump, file_start, loaded, steps_of, wait_until

WEIGHTS = Tag("weights")
FIRST, SECOND, THIRD = "events.tfevents.1", "events.tfevents.2", "events.tfevents.3"
FOLLOWING: dict[str, Any] = {"follow": True, "reload_secs": 3600.0}


def record(value: Summary.Value, step: int, *, described: bool) -> bytes:
    if not described:
        value.ClearField("metadata")
    return event_record(value, step=step, wall_time=START_WALL + step)


def losses(start: int, stop: int, *, described: bool = False) -> bytes:
    """One curve of tensors; the first has the metadata of scalars if `described`."""
    return b"".join(
        record(scalar.encode(LOSS, float(step), display_name="Loss"), step, described=described and step == start)
        for step in range(start, stop)
    )


def weights(step: int, *, described: bool = False) -> bytes:
    return record(histogram.encode(WEIGHTS, np.arange(step + 1.0), buckets=3), step, described=described)


CONTENTS = {
    FIRST: file_start() + losses(0, 3, described=True) + weights(1, described=True),
    SECOND: file_start() + weights(2) + losses(3, 6),
    THIRD: file_start() + losses(6, 9),
}


def is_whole(store: Store) -> bool:
    """Whether the files form one curve and one series of histograms."""
    if store.tags() != {A: {"scalars": [LOSS], "histograms": [WEIGHTS]}}:
        return False
    steps = store.histograms(A, WEIGHTS).steps.tolist()
    return steps_of(store) == list(range(9)) and steps == [1, 2]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    logs = tmp_path / "logs"
    for name, data in CONTENTS.items():
        append(logs / A / name, data)
    settle(logs)
    return logs


@pytest.fixture
def index_dir(tmp_path: Path) -> Path:
    return tmp_path / "index"


def test_files_of_a_reopened_writer_are_one_curve(logs: Path) -> None:
    for workers in (1, 3):
        with loaded(logs, workers=workers) as store:
            assert is_whole(store)
            (loss,) = store.series(kind="scalars")
            assert (loss.display_name, loss.count, loss.attempts) == ("Loss", 9, 1)


@pytest.mark.parametrize("order", list(permutations(CONTENTS)), ids=lambda order: "".join(name[-1] for name in order))
@pytest.mark.timed
def test_the_files_may_come_in_any_order(logs: Path, tmp_path: Path, order: tuple[str, ...]) -> None:
    live = tmp_path / "live"
    append(live / A / order[0], CONTENTS[order[0]])
    with loaded(live, **FOLLOWING) as store:
        for name in order[1:]:
            append(live / A / name, CONTENTS[name])
        wait_until(store, lambda: is_whole(store))
        # The paths differ, nothing else does.
        assert repr(dump(store)).replace(str(live), str(logs)) == repr(dump_without_index(logs))


@pytest.mark.timed
def test_a_file_is_reread_only_if_a_new_tag_lacks_metadata(tmp_path: Path) -> None:
    append(tmp_path / A / FIRST, CONTENTS[FIRST])
    second = tmp_path / A / SECOND
    append(second, file_start() + losses(3, 6))
    with loaded(tmp_path, **FOLLOWING) as store:
        (file,) = [file for file in store._pipeline.library.files() if file.name == SECOND]
        generation = file.content.generation
        append(second, losses(6, 9))
        wait_until(store, lambda: steps_of(store) == list(range(9)))
        assert file.content.generation == generation
        append(second, weights(2))
        wait_until(store, lambda: is_whole(store))
        assert file.content.generation == generation + 1


def test_a_second_start_reads_nothing_and_shows_the_same(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = dump_with_index(logs, index_dir)
    assert first == dump_without_index(logs)
    with monkeypatch.context() as patch:
        patch.delattr(EventFile, "visit")
        assert dump_with_index(logs, index_dir) == first
    append(logs / A / SECOND, losses(6, 7))
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


@pytest.mark.parametrize("is_indexed", [False, True])
@pytest.mark.timed
def test_changed_metadata_of_the_earlier_file_is_inherited(logs: Path, index_dir: Path, *, is_indexed: bool) -> None:
    if is_indexed:
        dump_with_index(logs, index_dir)
    with loaded(logs, index_dir=index_dir, **FOLLOWING) as store:
        assert is_whole(store)
        (logs / A / FIRST).write_bytes(file_start() + weights(1, described=True))
        wait_until(store, lambda: store.tags() == {A: {"histograms": [WEIGHTS], "tensors": [LOSS]}})
        (logs / A / FIRST).write_bytes(CONTENTS[FIRST])
        wait_until(store, lambda: is_whole(store))
        (logs / A / FIRST).unlink()
        wait_until(store, lambda: store.tags() == {A: {"tensors": [LOSS, WEIGHTS]}})
    settle(logs)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_an_earlier_file_added_or_removed_between_two_starts_is_detected(logs: Path, index_dir: Path) -> None:
    dump_with_index(logs, index_dir)
    (logs / A / FIRST).rename(logs / "aside")
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    (logs / "aside").rename(logs / A / FIRST)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    with loaded(logs, index_dir=index_dir) as store:
        assert is_whole(store)


@pytest.mark.timed
def test_a_file_moved_to_another_run_loses_inherited_metadata(logs: Path) -> None:
    with loaded(logs, **FOLLOWING) as store:
        (logs / "b").mkdir()
        (logs / A / THIRD).rename(logs / "b" / THIRD)
        wait_until(store, lambda: store.tags().get("b") == {"tensors": [LOSS]})  # type: ignore[call-overload]
        wait_until(store, lambda: repr(dump(store)) == repr(dump_without_index(logs)))


def test_nothing_is_inherited_from_a_later_file(tmp_path: Path) -> None:
    append(tmp_path / A / FIRST, file_start() + losses(0, 3))
    append(tmp_path / A / SECOND, file_start() + losses(3, 6, described=True))
    with loaded(tmp_path) as store:
        assert steps_of(store) == [3, 4, 5]
        assert store.payloads(A, LOSS, "tensors").steps.tolist() == [0, 1, 2]


def test_a_file_with_metadata_of_its_own_keeps_it(tmp_path: Path) -> None:
    append(tmp_path / A / FIRST, file_start() + losses(0, 3, described=True))
    own = histogram.encode(LOSS, np.arange(3.0), buckets=3)
    append(tmp_path / A / SECOND, file_start() + record(own, 4, described=True))
    with loaded(tmp_path) as store:
        assert store.tags() == {A: {"scalars": [LOSS], "histograms": [LOSS]}}
