"""What every store answers about the same logs. A test of another implementation subclasses StoreContract.

The embedded store has detailed tests of its own; here its answers are the reference.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamark import _core
from seamark.format.types import RunName, Tag
from seamark.kinds import histogram, hparams, summary, text
from seamark.store import LogRoot, RunStore, Smoothing, Store, UnknownSeriesError
from seamark.store.test_support import (
    ACCURACY,
    LOSS,
    START_WALL,
    TIMEOUT_SECS,
    append,
    curve,
    file_start,
    has_steps,
    loaded,
    scalar_bytes,
    session_start,
    wait_until,
)

HOSTILE = 'it\'s "a" \\ `run`; DROP TABLE points --'
HOSTILE_TAG = "x' OR '1'='1\t\n{run:String} %s"
NAN, INF = math.nan, math.inf
# Sums of the same numbers in another order.
TOLERANCE = 1e-9
# The fixture is of the class, and each implementation is a class of its own.
CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
OpenStore = Callable[[Path], AbstractContextManager[RunStore]]


class StorePair(NamedTuple):
    """The store under test, and the embedded store on the same logs."""

    tested: RunStore
    embedded: RunStore


def events(folder: Path, secs: int = 1) -> Path:
    return folder / f"events.out.tfevents.{secs}.host.{secs}.0"


def points(tag: str, rows: list[tuple[int, float, float]]) -> bytes:
    """Framed events with a wall time each, relative to START_WALL."""
    return b"".join(_core.encode_scalar(tag.encode(), value, step, START_WALL + wall) for step, wall, value in rows)


def write_logs(logdir: Path) -> None:
    """Runs with everything that a log may have: restarts, gaps, ties, late steps, non-finite numbers, payloads."""
    wave = [(step, NAN if step % 701 == 700 else math.sin(step / 50) * 100) for step in range(3000)]
    append(events(logdir / "plain"), file_start() + scalar_bytes(LOSS, wave) + scalar_bytes(ACCURACY, curve(0, 20)))
    append(events(logdir / "constant"), file_start() + scalar_bytes(LOSS, [(step, 0.1) for step in range(900)]))
    append(events(logdir / "sparse"), file_start() + scalar_bytes(LOSS, [(s * s * 37, s / 2) for s in range(300)]))
    restarted = file_start() + session_start(0) + scalar_bytes(LOSS, curve(0, 100))
    append(events(logdir / "restarted"), restarted + session_start(60) + scalar_bytes(LOSS, curve(60, 150, scale=2)))
    append(events(logdir / "resumed", 1), file_start() + points(LOSS, [(s, s, 1) for s in range(50)]))
    append(events(logdir / "resumed", 2), points(LOSS, [(s, 1000 + s, 2) for s in range(30, 90)]))
    # TensorBoard reads files by name, and every START but the first of the run removes what it replaces.
    append(
        events(logdir / "swapped", 2), file_start() + session_start(0) + points(LOSS, [(s, s, 1) for s in range(40)])
    )
    append(events(logdir / "swapped", 1), session_start(20) + points(LOSS, [(s, 1000 + s, 2) for s in range(20, 60)]))
    odd = [(0, 0.0, NAN), (1, 1.0, INF), (2, 2.0, -INF), (3, 3.0, 0.1), (4, 4.0, NAN), (9, 9.0, -5e30)]
    append(
        events(logdir / "odd"), file_start() + points(LOSS, odd) + points("only nan", [(0, 0.0, NAN), (1, 1.0, NAN)])
    )
    ties = [(step // 3, float(step), float(step % 7)) for step in range(90)]
    append(events(logdir / "ties"), file_start() + points(LOSS, ties))
    late = [(step * 7 % 50, float(step * 3 % 40), float(step)) for step in range(120)]
    append(events(logdir / "late"), file_start() + points(LOSS, [*late, (5, INF, 4.0), (51, NAN, 3.0)]))
    append(
        events(logdir / HOSTILE), file_start() + scalar_bytes(HOSTILE_TAG, curve(-5, 5)) + scalar_bytes(LOSS, [(7, 1)])
    )
    append(events(logdir / "deep" / "ünï" / "run"), file_start() + scalar_bytes("system/cpu", curve(0, 9)))
    append(events(logdir / "empty"), file_start())
    write_payloads(logdir / "media")


def write_payloads(folder: Path) -> None:
    path = events(folder)
    append(path, file_start() + session_start(0))
    trial = hparams.SessionStart({"lr": 0.5, "name": "x"})
    append(path, summary.event_record([hparams.encode(trial)], step=0, wall_time=START_WALL))
    for restart, steps in ((False, range(8)), (True, range(4, 7))):
        if restart:
            append(path, session_start(4))
        for step in steps:
            wall = START_WALL + step + 2e6 * restart
            values = [
                histogram.encode("weights", np.arange(20.0) * (step + 1)),
                text.encode("note", f"step {step} {restart}", description="what was said"),
            ]
            append(path, summary.event_record(values, step=step, wall_time=wall))


def assert_same_columns(got: Any, want: Any, close: tuple[str, ...] = ()) -> None:
    """Compares structs of arrays field by field."""
    for name in want.__struct_fields__:
        a, b = getattr(got, name), getattr(want, name)
        if not isinstance(b, np.ndarray):
            assert a == b, name
            continue
        assert a is not None and a.dtype == b.dtype, (name, a, b)
        if name in close:
            np.testing.assert_allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True, err_msg=name)
        else:
            np.testing.assert_array_equal(a, b, err_msg=name)


def assert_same_window(pair: StorePair, runs: Any, tag: Tag, **query: Any) -> None:
    want = pair.embedded.scalars(runs, tag, **query)
    assert_same_columns(pair.tested.scalars(runs, tag, **query), want, close=("mean", "smoothed"))


RUN_NAMES = [
    "plain",
    "constant",
    "sparse",
    "restarted",
    "resumed",
    "odd",
    "ties",
    "late",
    HOSTILE,
    "empty",
    "media",
    "gone",
]
bounds = st.one_of(st.none(), st.floats(-100, 4000), st.sampled_from([NAN, INF, -INF, START_WALL + 40, 1e7, -1e7, 0.0]))


class StoreContract:
    """A subclass defines `open_store`; the store that it opens follows the log directory."""

    @pytest.fixture(scope="class")
    @classmethod
    def open_store(cls) -> OpenStore:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def pair(cls, open_store: OpenStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StorePair]:
        logdir = tmp_path_factory.mktemp("logs")
        write_logs(logdir)
        with open_store(logdir) as tested, loaded(logdir) as embedded:
            assert tested.wait_loaded(TIMEOUT_SECS)
            yield StorePair(tested, embedded)

    def test_runs_are_equal(self, pair: StorePair) -> None:
        assert pair.tested.runs() == pair.embedded.runs()
        assert sorted(pair.tested.run_names()) == sorted(pair.embedded.run_names())
        for name in pair.embedded.run_names():
            assert pair.tested.run(name) == pair.embedded.run(name)
        assert pair.tested.run(RunName("gone")) is None

    def test_tags_and_metadata_are_equal(self, pair: StorePair) -> None:
        for kind in (None, "scalars", "histograms", "text", "unknown"):
            assert pair.tested.tags(kind) == pair.embedded.tags(kind)
        for run in [*pair.embedded.run_names(), RunName("gone")]:
            assert pair.tested.scalar_tags(run) == pair.embedded.scalar_tags(run)
            for kind in ("scalars", "text", "hparams", "histograms"):
                assert pair.tested.metadata(run, kind) == pair.embedded.metadata(run, kind)

    def test_a_layout_tells_apart_runs_with_other_series(self, pair: StorePair) -> None:
        layouts = {run: pair.tested.layout(RunName(run)) for run in ("plain", "sparse", "media")}
        assert layouts["plain"] != layouts["sparse"] != layouts["media"]
        assert pair.tested.layout(RunName("plain")) == layouts["plain"]

    @pytest.mark.parametrize("in_file_order", [False, True])
    def test_series_are_equal(self, pair: StorePair, in_file_order: bool) -> None:
        for query in ({}, {"kind": "text"}, {"run": RunName("late")}, {"run": RunName("media"), "kind": "histograms"}):
            got = pair.tested.series(**query, in_file_order=in_file_order)  # type: ignore[arg-type]
            want = pair.embedded.series(**query, in_file_order=in_file_order)  # type: ignore[arg-type]
            assert list(map(repr, got)) == list(map(repr, want))

    def test_every_point_of_every_series_is_equal(self, pair: StorePair) -> None:
        for info in pair.embedded.series(kind="scalars"):
            for attempts in ("latest", "all", "marked"):
                assert_same_window(pair, info.run, info.tag, attempts=attempts)

    @settings(max_examples=150, deadline=None, suppress_health_check=CHECKS)
    @given(
        runs=st.one_of(
            st.lists(st.sampled_from(RUN_NAMES), unique=True), st.sampled_from(["plain", "ties", "late", "restarted"])
        ),
        tag=st.sampled_from([LOSS, LOSS, LOSS, ACCURACY, HOSTILE_TAG, "gone"]),
        axis=st.sampled_from(["step", "relative", "wall"]),
        start=bounds,
        stop=bounds,
        max_points=st.sampled_from([0, 1, 2, 7, 50, 2000]),
        smoothing=st.sampled_from(
            [0.0, 0.0, 0.0, 0.6, 1.0, Smoothing(0.02, "adaptive"), Smoothing(0.1, "adaptive", 9)]
        ),
        attempts=st.sampled_from(["latest", "all", "marked"]),
        edges=st.booleans(),
        columns=st.sampled_from([None, None, ["step", "last", "mean"]]),
    )
    def test_random_windows_are_equal(self, pair: StorePair, runs: Any, tag: str, **query: Any) -> None:
        try:
            pair.embedded.scalars(runs, Tag(tag), **query)
        except UnknownSeriesError as error:
            with pytest.raises(UnknownSeriesError) as raised:
                pair.tested.scalars(runs, Tag(tag), **query)
            assert str(raised.value) == str(error)
            return
        assert_same_window(pair, runs, Tag(tag), **query)

    @pytest.mark.parametrize(
        "smoothing", [0.3, 0.99, 1.0, Smoothing(0.05, "adaptive"), Smoothing(0.3, "adaptive", 200)], ids=str
    )
    @pytest.mark.parametrize("axis", ["step", "relative", "wall"])
    def test_smoothed_windows_are_equal(self, pair: StorePair, smoothing: float | Smoothing, axis: str) -> None:
        for attempts in ("latest", "marked", "all"):
            query = {"axis": axis, "smoothing": smoothing, "attempts": attempts}
            for max_points in (1, 5, 40, 500):
                assert_same_window(
                    pair, ["plain", "constant", "odd", "restarted"], LOSS, max_points=max_points, **query
                )

    def test_a_window_rejects_unknown_choices(self, pair: StorePair) -> None:
        for query in ({"axis": "sideways"}, {"attempts": "some"}, {"smoothing": 2.0}, {"columns": ["nothing"]}):
            with pytest.raises(ValueError):
                pair.tested.scalars([RunName("plain")], LOSS, **query)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="smoothing mode"):
            Smoothing(0.1, "some")

    @settings(max_examples=40, deadline=None, suppress_health_check=CHECKS)
    @given(runs=st.lists(st.sampled_from(RUN_NAMES), unique=True), tail=st.sampled_from([1, 2, 10, 100, 10**6]))
    def test_statistics_are_equal(self, pair: StorePair, runs: list[Any], tail: int) -> None:
        tags = [LOSS, Tag("only nan"), Tag("gone"), Tag(HOSTILE_TAG)]
        got, want = (store.digests(tags, runs, tail=tail) for store in pair)
        assert list(got) == list(want)
        for tag in tags:
            assert_same_columns(got[tag], want[tag], close=("mean", "tail"))
        for tag in tags:
            assert repr(pair.tested.last_values(tag, runs)) == repr(pair.embedded.last_values(tag, runs))
        got_all, want_all = (sorted(store.last_values(LOSS).items()) for store in pair)
        assert repr(got_all) == repr(want_all)
        for prefix in ("system/", "lo"):
            want_steps = pair.embedded.max_steps(runs, skipped_prefix=prefix)
            assert pair.tested.max_steps(runs, skipped_prefix=prefix) == want_steps

    @pytest.mark.parametrize("attempts", ["latest", "all"])
    def test_batches_are_equal(self, pair: StorePair, attempts: Any) -> None:
        filters: list[dict[str, Any]] = [{}, {"runs": ["late", "gone", "plain"]}, {"tags": [LOSS, "gone"]}]
        for chosen in filters:
            got, want = (joined(store, attempts=attempts, **chosen) for store in pair)
            # Without `runs`, their order is any; tags are always in order.
            assert list(got) == list(want) if "runs" in chosen else sorted(got) == sorted(want)
            assert list(dict.fromkeys(tag for tag, _ in got)) == list(dict.fromkeys(tag for tag, _ in want))
            for key, columns in want.items():
                np.testing.assert_array_equal(got[key], columns, err_msg=str(key))

    @pytest.mark.parametrize("attempts", ["latest", "all", "marked"])
    def test_payloads_and_histograms_are_equal(self, pair: StorePair, attempts: Any) -> None:
        run = RunName("media")
        for kind, tag in (("histograms", Tag("weights")), ("text", Tag("note"))):
            got, want = (store.payloads(run, tag, kind, attempts=attempts) for store in pair)
            assert_same_columns(got, want)
            for index in want.index.tolist():
                whole = pair.embedded.payload(run, tag, kind, index)
                assert pair.tested.payload(run, tag, kind, index) == whole
                assert pair.tested.payload_part(run, tag, kind, index, start=3, size=10) == whole[3:13]
        for query in ({}, {"axis": "relative", "start": 1.0, "stop": 5.0}, {"limit": 3}):
            found, expected = (store.histograms(run, Tag("weights"), attempts=attempts, **query) for store in pair)
            assert_same_columns(
                *(
                    type(one)(one.steps, one.walls, [], one.problems, one.points, one.total, one.began, one.replaced)
                    for one in (found, expected)
                )
            )
            for a, b in zip(found.histograms, expected.histograms, strict=True):
                np.testing.assert_array_equal(a.buckets, b.buckets)

    def test_unknown_payloads_raise(self, pair: StorePair) -> None:
        for run, tag, kind in (("gone", "note", "text"), ("media", "gone", "text"), ("media", "note", "histograms")):
            with pytest.raises(UnknownSeriesError):
                pair.tested.payloads(RunName(run), Tag(tag), kind)
        for index in (-1, 10**6):
            with pytest.raises(UnknownSeriesError, match="no payload"):
                pair.tested.payload(RunName("media"), Tag("note"), "text", index)

    def test_points_in_the_order_of_tensorboard_are_equal(self, pair: StorePair) -> None:
        names = [*pair.embedded.run_names(), RunName("gone")]
        for tag in {tag for name in names for tag in pair.embedded.scalar_tags(name)}:
            got, want = (store.tensorboard_scalars(names, tag) for store in pair)
            assert got.keys() == want.keys()
            for name, points in want.items():
                assert_same_columns(got[name], points)
            last, last_wanted = (store.tensorboard_last_values(names, tag) for store in pair)
            assert repr(last) == repr(last_wanted)

    def test_payloads_in_the_order_of_tensorboard_are_equal(self, pair: StorePair) -> None:
        count = 0
        for name, kinds in pair.embedded.tags().items():
            for kind, tags in kinds.items():
                for tag in tags if kind != "scalars" else ():
                    assert_same_columns(*(store.tensorboard_payloads(name, tag, kind) for store in pair))
                    count += 1
        assert count >= 3

    def test_changes_arrive_with_their_run(self, open_store: OpenStore, tmp_path: Path) -> None:
        append(events(tmp_path / "a"), file_start() + session_start(0) + scalar_bytes(LOSS, curve(0, 5)))
        with open_store(tmp_path) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            version = store.version
            append(events(tmp_path / "a"), scalar_bytes(LOSS, curve(5, 9)))
            append(events(tmp_path / "new"), file_start() + scalar_bytes(ACCURACY, curve(0, 3)))
            wait_until(
                store, lambda: has_steps(store, [*range(9)]) and has_steps(store, [0, 1, 2], RunName("new"), ACCURACY)
            )
            # A database may have the points a moment before the store reads that the run changed.
            wait_until(store, lambda: set(store.changed_since(version)) == {"a", "new"})
            assert store.version > version
            assert store.changed_since(store.version) == []
            append(events(tmp_path / "a"), session_start(4) + scalar_bytes(LOSS, curve(4, 6, scale=3)))
            wait_until(store, lambda: has_steps(store, [*range(6)]))
            assert store.scalars(RunName("a"), LOSS, attempts="all").step.tolist() == [*range(9), 4, 5]

    def test_a_removed_run_is_gone(self, open_store: OpenStore, tmp_path: Path) -> None:
        for name in ("a", "b"):
            append(events(tmp_path / name), file_start() + scalar_bytes(LOSS, curve(0, 5)))
        with open_store(tmp_path) as store:
            assert store.wait_loaded(TIMEOUT_SECS)
            assert set(store.run_names()) == {"a", "b"}
            shutil.rmtree(tmp_path / "a")
            wait_until(store, lambda: store.run_names() == ["b"])
            assert store.run(RunName("a")) is None
            assert store.scalars([RunName("a"), RunName("b")], LOSS).runs == ["b"]


def joined(store: RunStore, **query: Any) -> dict[tuple[str, str], Any]:
    """All points by tag and run, with the attempt, in the order of the batches."""
    parts: dict[tuple[str, str], list[Any]] = {}
    for batch in store.scalar_batches(**query):
        rows = np.column_stack([batch.steps, batch.walls, batch.values, np.full(len(batch), batch.attempt)])
        parts.setdefault((batch.tag, batch.run), []).append(rows)
    return {key: np.concatenate(rows) for key, rows in parts.items()}


class TestEmbeddedStore(StoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def open_store(cls) -> OpenStore:
        return lambda logdir: Store([LogRoot("", logdir)], index_dir=None, reload_secs=0.2)
