"""Tests of the queries of a store."""

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seamark import _core
from seamark.format.types import RunName, Tag
from seamark.kinds import histogram
from seamark.kinds.summary import event_record
from seamark.store import LogRoot, PayloadGoneError, Store, UnknownSeriesError
from seamark.store.read.event_file import EventFile, Visit
from seamark.store.test_support import (
    ACCURACY,
    EVENTS,
    LOSS,
    START_WALL,
    TIMEOUT_SECS,
    A,
    B,
    append,
    curve,
    file_start,
    loaded,
    scalar_bytes,
    session_start,
    steps_of,
    values_of,
    write_run,
)

WEIGHTS = Tag("weights")


def test_runs_are_sorted_by_the_time_of_their_first_event(tmp_path: Path) -> None:
    header = _core.encode_file_version
    append(tmp_path / "late" / EVENTS, header(START_WALL + 5) + scalar_bytes(LOSS, curve(50, 60)))
    append(tmp_path / "early" / EVENTS, header(START_WALL + 4) + scalar_bytes(LOSS, curve(60, 70)))
    append(tmp_path / "empty" / EVENTS, b"")
    with loaded(tmp_path) as store:
        early, late, empty = store.runs()
    assert [early.name, late.name, empty.name] == ["early", "late", "empty"]
    assert (late.first_wall, late.last_wall) == (START_WALL + 5, START_WALL + 59)
    assert (late.points, late.series, late.files) == (10, 1, 1)
    assert late.bytes == (tmp_path / "late" / EVENTS).stat().st_size
    assert empty.first_wall is None


def test_the_first_event_of_a_run_is_that_of_its_first_file_and_need_not_be_a_point(tmp_path: Path) -> None:
    append(tmp_path / "a" / "tfevents.1", _core.encode_file_version(START_WALL + 9))
    append(tmp_path / "a" / "tfevents.2", file_start() + scalar_bytes(LOSS, curve(0, 3)))
    append(tmp_path / "b" / EVENTS, scalar_bytes(LOSS, [(7, 1.0), (5, 1.0)]))
    with loaded(tmp_path) as store:
        b, a = store.runs()
    assert (a.first_wall, b.first_wall) == (START_WALL + 9, START_WALL + 7)


def test_every_point_of_a_series_is_returned(tmp_path: Path) -> None:
    write_run(tmp_path / "a", steps=5000)
    with loaded(tmp_path) as store:
        assert steps_of(store) == list(range(5000))
        assert values_of(store) == [float(step) for step in range(5000)]


def test_files_of_a_run_are_joined_in_order_of_their_names(tmp_path: Path) -> None:
    write_run(tmp_path / "a", start=20, steps=10, name="events.tfevents.3")
    write_run(tmp_path / "a", start=0, steps=10, name="events.tfevents.1")
    append(tmp_path / "a" / "events.tfevents.2", scalar_bytes("other", curve(0, 3)))
    append(tmp_path / "a" / "events.tfevents.2", scalar_bytes(LOSS, curve(10, 20)))
    with loaded(tmp_path) as store:
        assert steps_of(store) == list(range(30))
        assert store.tags() == {A: {"scalars": ["loss", "other"]}}


def test_a_thousand_runs_answer_in_one_window(tmp_path: Path) -> None:
    for i in range(100):
        write_run(tmp_path / f"{i:03}", steps=i + 1)
    names = [RunName(f"{i:03}") for i in range(100)]
    with loaded(tmp_path) as store:
        window = store.scalars([*names, RunName("no such run")], LOSS, max_points=10)
    assert window.runs == names
    assert window.points.tolist() == [i + 1 for i in range(100)]
    rows = window.rows(names[99])
    assert int(window.count[rows].sum()) == 100
    assert window.max[rows].max() == 99.0


def test_a_restart_is_shown_as_the_points_that_count_or_as_all(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    append(folder / "tfevents.1", file_start() + scalar_bytes(LOSS, [(0, 1.0), (1, 2.0), (2, 3.0)]))
    append(folder / "tfevents.2", session_start(1) + scalar_bytes(LOSS, [(1, 20.0), (2, 30.0), (3, 40.0)]))
    with loaded(tmp_path) as store:
        assert values_of(store) == [1.0, 20.0, 30.0, 40.0]
        every = store.scalars(A, LOSS, attempts="all")
        assert every.last.tolist() == [1.0, 2.0, 3.0, 20.0, 30.0, 40.0]
        assert every.attempt is not None
        assert every.attempt.tolist() == [0, 0, 0, 1, 1, 1]
        (info,) = store.series(kind="scalars")
        assert (info.attempts, info.count) == (2, 6)


def test_nan_and_infinities_are_kept_and_counted(tmp_path: Path) -> None:
    points = [(0, 1.0), (1, math.nan), (2, math.inf), (3, -math.inf), (4, 2.0)]
    append(tmp_path / "a" / EVENTS, scalar_bytes(LOSS, points))
    with loaded(tmp_path) as store:
        (info,) = store.series(kind="scalars")
        values = values_of(store)
    assert (info.nan, info.posinf, info.neginf) == (1, 1, 1)
    assert (info.min_value, info.max_value, info.last_value) == (1.0, 2.0, 2.0)
    assert math.isnan(values[1])
    assert values[2:4] == [math.inf, -math.inf]


def test_last_values_of_all_runs_that_have_the_tag(tmp_path: Path) -> None:
    write_run(tmp_path / "a", steps=5)
    write_run(tmp_path / "b", steps=7, tag=ACCURACY)
    with loaded(tmp_path) as store:
        (run,) = store.last_values(LOSS)
        last = store.last_values(LOSS)[run]
    assert (run, last.step, last.wall, last.value) == ("a", 4, START_WALL + 4, 4.0)


@pytest.mark.parametrize("axis", ["step", "relative", "wall"])
def test_a_window_can_be_limited_on_any_axis(tmp_path: Path, axis: str) -> None:
    write_run(tmp_path / "a", steps=100)
    offset = START_WALL if axis == "wall" else 0.0
    with loaded(tmp_path) as store:
        window = store.scalars(A, LOSS, axis=axis, start=offset + 10, stop=offset + 19)  # type: ignore[arg-type]
    assert window.step.tolist() == list(range(10, 20))
    assert (int(window.points[0]), int(window.total[0])) == (10, 100)


def test_unknown_runs_tags_and_options_raise_errors_with_a_message(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    with loaded(tmp_path) as store:
        with pytest.raises(UnknownSeriesError, match="no scalars of 'nothing' in run 'a'"):
            store.scalars(A, Tag("nothing"))
        with pytest.raises(UnknownSeriesError, match="no images of 'loss' in run 'a'"):
            store.payloads(A, LOSS, "images")
        with pytest.raises(ValueError, match="unknown axis"):
            store.scalars(A, LOSS, axis="time")  # type: ignore[arg-type]
        assert store.series(run=RunName("nobody")) == []


def write_histograms(path: Path, steps: list[int]) -> None:
    for step in steps:
        value = histogram.encode(WEIGHTS, np.arange(step + 1.0), buckets=3, display_name="Weights")
        append(path, event_record(value, step=step, wall_time=START_WALL + step))


def test_histograms_are_listed_decoded_and_read_as_bytes(tmp_path: Path) -> None:
    write_histograms(tmp_path / "a" / EVENTS, [1, 2, 3])
    with loaded(tmp_path) as store:
        series = store.histograms(A, WEIGHTS)
        assert series.steps.tolist() == [1, 2, 3]
        assert [float(h.count.sum()) for h in series.histograms] == [2.0, 3.0, 4.0]
        listed = store.payloads(A, WEIGHTS, "histograms")
        data = store.payload(A, WEIGHTS, "histograms", int(listed.index[1]))
        assert len(data) == listed.lengths[1]
        assert histogram.decode(data).count.sum() == 3.0
        (info,) = store.series()
        assert (info.kind, info.plugin, info.display_name, info.count) == ("histograms", "histograms", "Weights", 3)
        with pytest.raises(UnknownSeriesError, match="there are 3"):
            store.payload(A, WEIGHTS, "histograms", 3)


def test_payloads_of_a_restart_are_replaced_like_scalars(tmp_path: Path) -> None:
    write_histograms(tmp_path / "a" / "tfevents.1", [1, 2, 3])
    append(tmp_path / "a" / "tfevents.2", session_start(2))
    write_histograms(tmp_path / "a" / "tfevents.2", [2, 4])
    with loaded(tmp_path) as store:
        latest = store.payloads(A, WEIGHTS, "histograms")
        assert (latest.steps.tolist(), latest.index.tolist()) == ([1, 2, 4], [0, 3, 4])
        assert store.payloads(A, WEIGHTS, "histograms", attempts="all").attempt.tolist() == [0, 0, 0, 1, 1]
        assert store.histograms(A, WEIGHTS).steps.tolist() == [1, 2, 4]


def test_a_payload_of_a_replaced_file_is_an_error_and_not_garbage(tmp_path: Path) -> None:
    path = tmp_path / "a" / EVENTS
    write_histograms(path, [1, 2, 3])
    with loaded(tmp_path) as store:
        path.write_bytes(os.urandom(path.stat().st_size))
        with pytest.raises(PayloadGoneError, match="was replaced since it was read"):
            store.payload(A, WEIGHTS, "histograms", 0)
        path.unlink()
        with pytest.raises(PayloadGoneError, match="cannot be read"):
            store.payload(A, WEIGHTS, "histograms", 0)


def test_a_tag_may_be_scalar_and_payload_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a" / EVENTS
    write_histograms(path, [1])
    append(path, scalar_bytes(WEIGHTS, curve(0, 3)))
    with loaded(tmp_path) as store:
        assert store.tags() == {A: {"scalars": ["weights"], "histograms": ["weights"]}}
        assert steps_of(store, A, WEIGHTS) == [0, 1, 2]
        assert len(store.payloads(A, WEIGHTS, "histograms")) == 1


def test_names_of_roots_prefix_the_names_of_their_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "x" / "a")
    write_run(tmp_path / "y")
    with Store([LogRoot("cats", tmp_path / "x"), LogRoot("dogs", tmp_path / "y")], index_dir=None) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        assert sorted(store.tags()) == ["cats/a", "dogs"]


def test_two_folders_with_the_same_run_name_are_both_shown(tmp_path: Path) -> None:
    write_run(tmp_path / "x" / "b", steps=1)
    write_run(tmp_path / "y", steps=2)
    with Store([LogRoot("a", tmp_path / "x"), LogRoot("a/b", tmp_path / "y")], index_dir=None) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        assert sorted(store.tags()) == ["a/b", "a/b (2)"]


def test_damage_is_reported_with_run_and_offset(tmp_path: Path) -> None:
    append(tmp_path / "a" / EVENTS, file_start() + b"this is no record at all, and long enough to see")
    write_run(tmp_path / "b")
    with loaded(tmp_path) as store:
        (problem,) = store.problems()
        assert (problem.run, problem.offset) == ("a", len(file_start()))
        assert steps_of(store, B) == list(range(10))


def test_progress_only_grows_and_ends_complete(tmp_path: Path) -> None:
    points = np.arange(40_000, dtype=np.int64)
    values = points.astype(np.float64)
    for run in range(20):
        append(
            tmp_path / f"{run}" / EVENTS,
            _core.encode_scalars([b"loss"], np.zeros(40_000, np.uint32), points, values, values),
        )
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False, workers=1)
    seen = [store.progress()]
    store.subscribe(lambda: seen.append(store.progress()))  # called after every visit, one call at a time
    store.start()
    assert store.wait_loaded(TIMEOUT_SECS)
    seen.append(store.progress())
    store.close()
    done = [progress.bytes_done for progress in seen]
    assert done == sorted(done)
    assert (seen[-1].files_done, seen[-1].files_total) == (20, 20)
    assert seen[-1].bytes_done == seen[-1].bytes_total > 0
    assert len(set(done)) > 10, "progress is counted after every file"


def test_the_newest_files_are_read_first(tmp_path: Path) -> None:
    for i in range(10):
        path = write_run(tmp_path / f"{i}", steps=1)
        os.utime(path, (1000 + i, 1000 + i))
    order: list[RunName] = []
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False, workers=1)
    visited = store._pipeline.loader._on_visit

    def noted(file: EventFile, visit: Visit) -> None:
        order.append(file.run.name)
        visited(file, visit)

    store._pipeline.loader._on_visit = noted
    store._pipeline.follower.start()  # all files are queued before the first is read
    store._pipeline.follower._thread.join()
    store._pipeline.loader.start()
    assert store.wait_loaded(TIMEOUT_SECS)
    store.close()
    assert order == [f"{i}" for i in reversed(range(10))]


def test_an_empty_or_missing_log_directory_is_loaded_at_once(tmp_path: Path) -> None:
    with loaded(tmp_path) as store:
        assert store.runs() == []
    with loaded(tmp_path / "later") as store:
        (problem,) = store.problems()
        assert problem.message == f"the log directory does not exist yet; it is shown when it does: '{tmp_path}/later'"


def test_closing_twice_and_without_a_start_is_harmless(tmp_path: Path) -> None:
    store = Store([LogRoot("", tmp_path)], index_dir=tmp_path / "index")
    store.close()
    store.close()


def test_only_requested_columns_are_filled(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    with loaded(tmp_path) as store:
        window = store.scalars(A, LOSS, smoothing=0.5, columns=["mean", "smoothed"])
        assert window.mean.tolist() == values_of(store)
        assert window.smoothed is not None
        assert len(window.smoothed) == 10
        assert (len(window.step), window.attempt, window.offsets.tolist()) == (0, None, [0, 10])
        with pytest.raises(ValueError, match="no such column: median"):
            store.scalars(A, LOSS, columns=["median"])


def test_a_selection_has_nothing_of_other_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    write_run(tmp_path / "b", tag="secret")
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        view = store.selected([A])
        assert [run.name for run in view.runs()] == view.run_names() == [A]
        assert view.run(B) is None and list(view.tags()) == [A]
        assert {info.tag for info in view.series()} == {LOSS}
        assert view.scalars([A, B], Tag("secret")).runs == []
        assert [run.name for run in store.runs()] == [A, B]


def test_marked_points_are_in_order_of_arrival_with_what_a_restart_replaced(tmp_path: Path) -> None:
    append(tmp_path / "a" / "tfevents.1", file_start() + scalar_bytes(LOSS, curve(0, 4)))
    append(tmp_path / "a" / "tfevents.2", session_start(2) + scalar_bytes(LOSS, curve(2, 5, scale=2.0)))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        points = store.marked_points(A, LOSS)
        assert points.steps.tolist() == [0, 1, 2, 3, 2, 3, 4]
        assert points.values.tolist() == [0, 1, 2, 3, 4, 6, 8]
        assert points.attempt.tolist() == [0, 0, 0, 0, 1, 1, 1]
        assert points.is_replaced.tolist() == [False, False, True, True, False, False, False]
        with pytest.raises(UnknownSeriesError):
            store.marked_points(A, Tag("nothing"))


def test_a_store_of_folders_starts_without_the_modules_of_buckets(tmp_path: Path) -> None:
    """They are a third of what a start imports."""
    script = (
        "import sys\n"
        "from seamark.store import Store, parse_logdir\n"
        "with Store(parse_logdir(sys.argv[1]), index_dir=None) as store: store.wait_loaded()\n"
        "print([name for name in ('seamark.object_stores', 'http.client', 'ssl') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"
