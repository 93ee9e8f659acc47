"""Points of scalar series as columns: of one tag or many, of one run or many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import RunName, Tag
from seamark.read.frame import Coded, Frame

if TYPE_CHECKING:
    from seamark.store import Attempts, RunStore

COLUMNS = ("step", "wall", "last")


class Scalars(Frame):
    """Columns `step`, `wall_time` and `value`, and `run`, `tag` and `attempt` if there may be several."""

    @property
    def step(self) -> NDArray[np.int64]:
        return self["step"]

    @property
    def wall_time(self) -> NDArray[np.float64]:
        """Seconds since 1970."""
        return self["wall_time"]

    @property
    def value(self) -> NDArray[np.float64]:
        return self["value"]

    def by_run(self) -> Iterator[tuple[str, Scalars]]:
        """The points of each run, as views if they are contiguous. Runs without points are left out."""
        return self._by("run")

    def by_tag(self) -> Iterator[tuple[str, Scalars]]:
        return self._by("tag")

    def _by(self, name: str) -> Iterator[tuple[str, Scalars]]:
        key = self._columns.get(name)
        if not isinstance(key, Coded):
            raise KeyError(f"cannot group by {name}: there is no such column, because all points have the same {name}")
        order = np.flatnonzero(np.diff(key.codes)) + 1
        bounds = [0, *order.tolist(), len(key)] if len(key) else [0]
        if (
            len(set(key.codes[bounds[:-1]].tolist())) != len(bounds) - 1
        ):  # a run's points are not contiguous, with several tags
            yield from self._gathered(name, key)
            return
        for start, stop in pairwise(bounds):
            yield key.names[key.codes[start]], self._taken(name, slice(start, stop))

    def _gathered(self, name: str, key: Coded) -> Iterator[tuple[str, Scalars]]:
        for code in np.unique(key.codes):
            yield key.names[code], self._taken(name, np.flatnonzero(key.codes == code))

    def _taken(self, without: str, rows: slice | NDArray[np.intp]) -> Scalars:
        def part(column: Any) -> Any:
            return Coded(column.names, column.codes[rows]) if isinstance(column, Coded) else column[rows]

        return Scalars({name: part(column) for name, column in self._columns.items() if name != without})


def of_one_run(store: RunStore, run: RunName, tag: Tag, attempts: Attempts) -> Scalars:
    """A view of the store's memory if the series is contiguous."""
    batches = list(store.scalar_batches(runs=[run], tags=[tag], attempts=attempts))
    columns: dict[str, Any] = {
        "step": joined([batch.steps for batch in batches], np.int64),
        "wall_time": joined([batch.walls for batch in batches], np.float64),
        "value": joined([batch.values for batch in batches], np.float64),
    }
    if attempts == "all":
        lengths = [len(batch) for batch in batches]
        columns["attempt"] = np.repeat(np.array([batch.attempt for batch in batches], np.uint32), lengths)
    return Scalars(columns)


def of_runs(store: RunStore, runs: Sequence[RunName], tags: Sequence[Tag], attempts: Attempts) -> Scalars:
    """The points of all tags, for each tag run by run. Copied once, by the core."""
    wanted = (*COLUMNS, "attempt") if attempts == "all" else COLUMNS
    windows = [store.scalars(runs, tag, attempts=attempts, columns=wanted) for tag in tags]
    index = {run: at for at, run in enumerate(runs)}
    offsets = [window.offsets.astype(np.int64) for window in windows]
    lengths = [starts[1:] - starts[:-1] for starts in offsets]
    codes = [
        np.repeat(np.array([index[run] for run in window.runs], np.int32), counts)
        for window, counts in zip(windows, lengths, strict=True)
    ]
    columns: dict[str, Any] = {}
    if len(tags) != 1:
        sizes = [len(window.step) for window in windows]
        columns["tag"] = Coded(list(tags), np.repeat(np.arange(len(tags), dtype=np.int32), sizes))
    columns["run"] = Coded(list(runs), joined(codes, np.int32))
    columns["step"] = joined([window.step for window in windows], np.int64)
    columns["wall_time"] = joined([window.wall for window in windows], np.float64)
    columns["value"] = joined([window.last for window in windows], np.float64)
    if attempts == "all":
        columns["attempt"] = joined([w.attempt for w in windows if w.attempt is not None], np.uint32)
    return Scalars(columns)


def joined(pieces: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    """Concatenates arrays. A single array is returned as a view, so reading one run copies nothing."""
    if len(pieces) == 1:
        return pieces[0].view()
    return np.concatenate(pieces) if pieces else np.empty(0, dtype)
