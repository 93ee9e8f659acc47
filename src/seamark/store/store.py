"""The store of a set of log directories: forwards to the pipeline that reads and to the query that answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from seamark.format.types import RunName, Tag
from seamark.store.discover.roots import LogRoot
from seamark.store.runs.subscribe import Subscription
from seamark.store.status import Problem, Progress
from seamark.store.wiring import Pipeline

if TYPE_CHECKING:
    from seamark.store.ask.answers import (
        Attempts,
        Axis,
        Digests,
        HistogramSeries,
        LastValue,
        MarkedAttempts,
        PayloadList,
        ScalarPoints,
        ScalarWindow,
        SeriesInfo,
    )
    from seamark.store.ask.batches import ScalarBatch
    from seamark.store.ask.query import Query
    from seamark.store.ask.run_files import RunFileCache
    from seamark.store.index.run_files import CachedRunFile
    from seamark.store.runs.run_info import RunInfo


class Store:
    """Any thread may call any method.

    `index_dir` None keeps the index in memory; with `index_read_only` an existing index is read and never written.
    With `reload_secs` 0 or `follow` False the log directories are read once.
    """

    def __init__(
        self,
        roots: Sequence[LogRoot],
        *,
        index_dir: Path | None,
        index_read_only: bool = False,
        reload_secs: float = 5.0,
        workers: int | None = None,
        follow: bool = True,
    ) -> None:
        self.roots = tuple(dict.fromkeys(roots))
        self._pipeline = Pipeline(
            self.roots,
            index_dir=index_dir,
            index_read_only=index_read_only,
            reload_secs=reload_secs if follow else 0.0,
            workers=workers,
        )

    def start(self) -> None:
        """Starts reading in background threads and returns at once."""
        self._pipeline.start()

    def close(self, *, index_timeout_secs: float | None = None) -> None:
        """Stops all threads. Writes what was read to the index, for up to `index_timeout_secs`."""
        self._pipeline.close(index_timeout_secs=index_timeout_secs)

    def __enter__(self) -> Store:
        self.start()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait_loaded(self, timeout_secs: float | None = None) -> bool:
        """Waits until everything that existed at the start was read. Returns False after `timeout_secs`."""
        return self._pipeline.loader.loaded.wait(timeout_secs)

    def progress(self) -> Progress:
        return self._pipeline.loader.progress()

    def problems(self) -> list[Problem]:
        """Returns the current problems of log directories, indexes and event files."""
        return self._pipeline.problems()

    def runs(self) -> list[RunInfo]:
        """Returns all runs by the time of their first event, then by name; runs without data come last."""
        return self._query.runs()

    def run_names(self) -> list[RunName]:
        """Returns the names of all runs. Cheaper than `runs`."""
        return self._pipeline.library.run_names()

    def run(self, name: RunName) -> RunInfo | None:
        """Returns one run, or None if there is no run of that name."""
        return self._query.run(name)

    def changed_since(self, version: int) -> list[RunName]:
        """Returns the runs that were changed, added or removed after that version."""
        return self._pipeline.hub.changed_since(version)

    def scalar_tags(self, run: RunName) -> tuple[Tag, ...]:
        """Returns the scalar tags of one run in order of appearance; runs with equal tags mostly share the tuple."""
        return self._query.scalar_tags(run)

    def layout(self, run: RunName) -> tuple[object, ...]:
        """Returns a value that stays equal as long as the run has the same series with the same metadata."""
        return self._query.layout(run)

    def series(
        self, *, run: RunName | None = None, kind: str | None = None, in_file_order: bool = False
    ) -> list[SeriesInfo]:
        """Returns every series with its counts and ranges, by run, kind and tag or, in file order, first appearance."""
        return self._query.series(run, kind, in_file_order=in_file_order)

    def metadata(self, run: RunName, kind: str) -> list[tuple[Tag, bytes]]:
        """Returns the metadata of a run's series of one kind, by tag; of scalars in the order they were logged in.

        Cheaper than `series`: it reads no rows.
        """
        return self._query.metadata(run, kind)

    def tags(self, kind: str | None = None) -> dict[RunName, dict[str, list[Tag]]]:
        """Returns run → kind → tags. Cheaper than `series`: it reads no rows."""
        return self._query.tags(kind)

    def scalars(
        self,
        runs: RunName | Sequence[RunName],
        tag: Tag,
        *,
        axis: Axis = "step",
        start: float | None = None,
        stop: float | None = None,
        max_points: int = 0,
        smoothing: float = 0.0,
        attempts: MarkedAttempts = "latest",
        edges: bool = False,
        columns: Sequence[str] | None = None,
    ) -> ScalarWindow:
        """Returns a window of one tag for one run or thousands; `max_points` 0 returns every point.

        `attempts`: "latest" returns the points that count as one line; "all" every point, a line per attempt; "marked"
        the replaced points, a line per attempt that lost points, and then the points that count.

        `columns` names the row columns to fill, None for all: with thousands of runs, filling them takes most time.

        Runs without the tag are left out; if `runs` is a single name, they raise UnknownSeriesError.
        """
        return self._query.scalars(
            runs, tag, axis=axis, start=start, stop=stop, max_points=max_points, smoothing=smoothing,
            attempts=attempts, edges=edges, columns=columns,
        )  # fmt: skip

    def scalar_batches(
        self,
        *,
        runs: Sequence[RunName] | None = None,
        tags: Sequence[Tag] | None = None,
        attempts: Attempts = "latest",
    ) -> Iterator[ScalarBatch]:
        """Yields every point of many series in batches, tag by tag and run by run, e.g. to export them."""
        return self._query.scalar_batches(runs, tags, attempts=attempts)

    def last_values(self, tag: Tag, runs: Sequence[RunName] | None = None) -> dict[RunName, LastValue]:
        """Returns the point with the greatest step, the last written among equals, of each run that has the tag."""
        return self._query.last_values(tag, runs)

    def max_steps(self, runs: Sequence[RunName], *, skipped_prefix: str) -> dict[RunName, int]:
        """Returns the greatest scalar step of each run that has one, without tags that start with the prefix."""
        return self._query.max_steps(runs, skipped_prefix=skipped_prefix)

    def digests(self, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> dict[Tag, Digests]:
        """Returns summary statistics of tags of many runs, over the points that no restart replaced."""
        return self._query.digests(tags, runs, tail=tail)

    def payloads(self, run: RunName, tag: Tag, kind: str, *, attempts: MarkedAttempts = "latest") -> PayloadList:
        """Returns the payloads of a series; with "marked", the rest of an attempt that was replaced comes last."""
        return self._query.payloads(run, tag, kind, attempts=attempts)

    def tensorboard_scalars(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, ScalarPoints]:
        """Returns the points that TensorBoard's Python backend keeps, in its order, of the runs that have the tag."""
        return self._query.tensorboard_scalars(runs, tag)

    def tensorboard_last_values(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, LastValue]:
        """Returns the last of the points that TensorBoard keeps, of the runs that have any."""
        return self._query.tensorboard_last_values(runs, tag)

    def tensorboard_payloads(self, run: RunName, tag: Tag, kind: str) -> PayloadList:
        """Returns the payloads that TensorBoard keeps, in its order. All are of attempt 0."""
        return self._query.tensorboard_payloads(run, tag, kind)

    def payload(self, run: RunName, tag: Tag, kind: str, index: int) -> bytes:
        """Returns the bytes of one payload from the event file; `index` as in `PayloadList.index`."""
        return self._query.payload(run, tag, kind, index)

    def payload_part(self, run: RunName, tag: Tag, kind: str, index: int, *, start: int, size: int) -> bytes:
        """Returns up to `size` bytes of a payload from `start` on, for payloads too large to hold in memory."""
        return self._query.payload_part(run, tag, kind, index, start=start, size=size)

    def histograms(
        self,
        run: RunName,
        tag: Tag,
        *,
        attempts: MarkedAttempts = "latest",
        axis: Axis = "step",
        start: float | None = None,
        stop: float | None = None,
        limit: int = 0,
    ) -> HistogramSeries:
        """Returns the decoded histograms inside the window; at most `limit` of them, evenly spread, if it is not 0."""
        return self._query.histograms(run, tag, attempts=attempts, axis=axis, start=start, stop=stop, limit=limit)

    def cached_run_files(self, runs: Sequence[RunName] | None = None) -> dict[RunName, dict[str, CachedRunFile]]:
        """Returns the parsed files of run folders that the index has, by run and file name; `runs` None for all runs.

        They may be stale: compare `identity` with the file's own. Empty without an index.
        """
        return self._run_files.get(runs)

    def cache_run_files(self, files: Mapping[RunName, Mapping[str, CachedRunFile]]) -> None:
        """Has the committer thread write parsed files of run folders to the index. Does nothing without an index.

        Replaces everything that was cached for each of these runs. Files changed less than 50 ms ago are left out.
        """
        self._run_files.put(files)

    def subscribe(self, notify: Callable[[], None] | None = None) -> Subscription:
        """Subscribes to changes from now on. `notify` is called on any thread when `get` has a delta to return."""
        return self._pipeline.hub.subscribe(notify)

    @property
    def version(self) -> int:
        """Grows with every change; deltas carry the same number."""
        return self._pipeline.hub.version

    @property
    def cache_dir(self) -> Path | None:
        """A folder beside the index for what can be computed again; its user creates it. None without a writable index.

        Clearing the index removes it.
        """
        return self._pipeline.cache_dir()

    @cached_property
    def _query(self) -> Query:
        from seamark.store.ask.query import Query  # imports NumPy: reading starts before that

        return Query(self._pipeline.library, self._pipeline.reread)

    @cached_property
    def _run_files(self) -> RunFileCache:
        from seamark.store.ask.run_files import RunFileCache

        pipeline = self._pipeline
        return RunFileCache(pipeline.library, pipeline.indexes, pipeline.committer)
