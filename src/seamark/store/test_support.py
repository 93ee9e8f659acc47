"""Helpers for tests: log directories with known points, and a full dump of a store to compare."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from seamark import _core
from seamark.format.types import RunName, Tag
from seamark.kinds import session_log, summary
from seamark.store import LogRoot, RunStore, Store
from seamark.store.ask.series_info import SCALARS

START_WALL = 1_700_000_000.0
EVENTS = "events.out.tfevents.1"
TIMEOUT_SECS = 60.0

A = RunName("a")
B = RunName("b")
LOSS = Tag("loss")
ACCURACY = Tag("accuracy")


def scalar_bytes(tag: str, points: Sequence[tuple[int, float]]) -> bytes:
    """Returns framed events; each point's wall time is START_WALL plus its step."""
    return b"".join(_core.encode_scalar(tag.encode(), value, step, START_WALL + step) for step, value in points)


def file_start() -> bytes:
    return _core.encode_file_version(START_WALL)


def session_start(step: int) -> bytes:
    """Returns the framed event of a restart at this step; it is later than all events of `scalar_bytes`."""
    log = session_log.encode(session_log.SessionLog(session_log.SessionStatus.START))
    return summary.session_log_record(log, step=step, wall_time=START_WALL + 1e6)


def curve(start: int, stop: int, *, scale: float = 1.0) -> list[tuple[int, float]]:
    """Returns points whose values are exact in float32."""
    return [(step, scale * step) for step in range(start, stop)]


def append(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(data)


def write_run(folder: Path, *, steps: int = 10, tag: str = LOSS, start: int = 0, name: str = EVENTS) -> Path:
    """Writes an event file with one curve and returns its path."""
    path = folder / name
    append(path, file_start() + scalar_bytes(tag, curve(start, start + steps)))
    return path


@contextmanager
def loaded(logdir: Path, **options: Any) -> Iterator[Store]:
    """Opens a store and waits until it has loaded. In memory and not following, unless `options` say otherwise."""
    options = {"index_dir": None, "follow": False, **options}
    store = Store([LogRoot("", logdir)], **options)
    store.start()
    try:
        assert store.wait_loaded(TIMEOUT_SECS)
        yield store
    finally:
        store.close()


def steps_of(store: RunStore, run: RunName = A, tag: Tag = LOSS, **options: Any) -> list[int]:
    return [int(step) for step in store.scalars(run, tag, **options).step]


def values_of(store: RunStore, run: RunName = A, tag: Tag = LOSS, **options: Any) -> list[float]:
    return [float(value) for value in store.scalars(run, tag, **options).last]


def has_steps(store: RunStore, steps: list[int], run: RunName = A, tag: Tag = LOSS) -> bool:
    """Whether the run has exactly these steps; a missing run or tag has none."""
    found = tag in store.tags(SCALARS).get(run, {}).get(SCALARS, [])
    return (steps_of(store, run, tag) if found else []) == steps


def wait_until(store: RunStore, is_so: Callable[[], bool], timeout_secs: float = TIMEOUT_SECS) -> None:
    """Waits for a condition; checks it whenever the store reports a change."""
    changes = store.subscribe()
    deadline = time.monotonic() + timeout_secs
    try:
        while not is_so():
            remaining = deadline - time.monotonic()
            assert remaining > 0, "it did not happen in time"
            changes.get(min(remaining, 0.5))
    finally:
        changes.close()


def dump(store: RunStore) -> dict[str, Any]:
    """Returns everything a store shows, in a form that compares bit for bit."""
    shown: dict[str, Any] = {"problems": sorted(map(repr, store.problems())), "runs": list(map(repr, store.runs()))}
    for info in store.series():
        key = f"{info.run} {info.kind} {info.tag}"
        if info.kind == SCALARS:
            rows = store.scalars(info.run, info.tag, attempts="all")
            columns: list[Any] = [rows.step, rows.wall, rows.last, rows.attempt]
            zoom = store.scalars(info.run, info.tag, max_points=7, smoothing=0.5)
            columns += [zoom.step, zoom.first, zoom.min, zoom.max, zoom.mean, zoom.count, zoom.smoothed]
        else:
            payloads = store.payloads(info.run, info.tag, info.kind, attempts="all")
            columns = [payloads.steps, payloads.walls, payloads.lengths, payloads.attempt]
            shown[key + " bytes"] = [store.payload(info.run, info.tag, info.kind, int(i)) for i in payloads.index]
        shown[key] = [np.ascontiguousarray(column).tobytes() for column in columns if column is not None]
        shown[key + " info"] = repr(info)
    return shown
