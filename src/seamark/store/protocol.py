"""What pages, routes, `seamark.open` and commands ask of a store, wherever its points are.

`Store` reads log directories of this machine, others a database. Every implementation derives from `RunStore`, which
has the documentation of every method, and passes the tests of `StoreContract` in test_contract.py: the same logs give
the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from seamark.format.types import RunName, Tag
from seamark.store.ask.requests import HistogramRequest, ScalarRequest, Smoothing
from seamark.store.discover.roots import LogRoot
from seamark.store.runs.subscribe import Subscription
from seamark.store.status import Problem, Progress

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
    from seamark.store.ask.table_request import TableEngine
    from seamark.store.index.run_files import CachedRunFile
    from seamark.store.runs.run_info import RunInfo


class NotSupportedError(Exception):
    """This store cannot answer; the message is a complete sentence. Never a wrong answer instead."""


class StoreUnavailableError(Exception):
    """The store cannot be reached now; the message is a complete sentence."""


class RunStore(Protocol):
    """Any thread may call any method. Times are seconds since 1970, columns NumPy arrays."""

    roots: tuple[LogRoot, ...]  # the log directories whose files may be read beside the event files
    table_engine: TableEngine | None = None  # computes tables of runs; None if they are computed from `digests`

    def start(self) -> None:
        """Starts reading in background threads and returns at once."""
        ...

    def close(self, *, index_timeout_secs: float | None = None) -> None:
        """Stops all threads. Writes what was read to the index, for up to `index_timeout_secs`."""
        ...

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait_loaded(self, timeout_secs: float | None = None) -> bool:
        """Waits until everything that existed at the start was read. Returns False after `timeout_secs`."""
        ...

    def progress(self) -> Progress: ...

    def problems(self) -> list[Problem]:
        """Returns the current problems of log directories, indexes and event files."""
        ...

    def runs(self) -> list[RunInfo]:
        """Returns all runs by the time of their first event, then by name; runs without data come last."""
        ...

    def run_names(self) -> list[RunName]:
        """Returns the names of all runs. Cheaper than `runs`."""
        ...

    def run(self, name: RunName) -> RunInfo | None:
        """Returns one run, or None if there is no run of that name."""
        ...

    def changed_since(self, version: int) -> list[RunName]:
        """Returns the runs that were changed, added or removed after that version."""
        ...

    def scalar_tags(self, run: RunName) -> tuple[Tag, ...]:
        """Returns the scalar tags of one run in order of appearance; runs with equal tags mostly share the tuple."""
        ...

    def layout(self, run: RunName) -> tuple[object, ...]:
        """Returns a value that stays equal as long as the run has the same series with the same metadata."""
        ...

    def series(
        self, *, run: RunName | None = None, kind: str | None = None, in_file_order: bool = False
    ) -> list[SeriesInfo]:
        """Returns every series with its counts and ranges, by run, kind and tag or, in file order, first appearance."""
        ...

    def metadata(self, run: RunName, kind: str) -> list[tuple[Tag, bytes]]:
        """Returns the metadata of a run's series of one kind, by tag; of scalars in the order they were logged in.

        Cheaper than `series`: it reads no rows.
        """
        ...

    def tags(self, kind: str | None = None, *, run: RunName | None = None) -> dict[RunName, dict[str, list[Tag]]]:
        """Returns run → kind → tags, of all runs or one. Cheaper than `series`: it reads no rows."""
        ...

    def scalars(
        self,
        runs: RunName | Sequence[RunName],
        tag: Tag,
        *,
        axis: Axis = "step",
        start: float | None = None,
        stop: float | None = None,
        max_points: int = 0,
        smoothing: float | Smoothing = 0.0,
        attempts: MarkedAttempts = "latest",
        edges: bool = False,
        columns: Sequence[str] | None = None,
    ) -> ScalarWindow:
        """Returns a window of one tag for one run or thousands; `max_points` 0 returns every point.

        `attempts`: "latest" returns the points that count as one line; "all" every point, a line per attempt; "marked"
        the replaced points, a line per attempt that lost points, and then the points that count.

        `columns` names the row columns to fill, None for all: with thousands of runs, filling them takes most time.

        `smoothing` is the weight of TensorBoard's moving average, or a `Smoothing`.

        Runs without the tag are left out; if `runs` is a single name, they raise UnknownSeriesError.
        """
        average = smoothing if isinstance(smoothing, Smoothing) else Smoothing(smoothing)
        request = ScalarRequest(axis, start, stop, max_points, average, attempts, edges, columns)
        return self.read_scalars(runs, tag, request)

    def read_scalars(self, runs: RunName | Sequence[RunName], tag: Tag, request: ScalarRequest) -> ScalarWindow:
        """Answers `scalars`."""
        ...

    def scalar_batches(
        self,
        *,
        runs: Sequence[RunName] | None = None,
        tags: Sequence[Tag] | None = None,
        attempts: Attempts = "latest",
    ) -> Iterator[ScalarBatch]:
        """Yields every point of many series in batches, tag by tag and run by run, e.g. to export them."""
        ...

    def last_values(self, tag: Tag, runs: Sequence[RunName] | None = None) -> dict[RunName, LastValue]:
        """Returns the point with the greatest step, the last written among equals, of each run that has the tag."""
        ...

    def max_steps(self, runs: Sequence[RunName], *, skipped_prefix: str) -> dict[RunName, int]:
        """Returns the greatest scalar step of each run that has one, without tags that start with the prefix."""
        ...

    def digests(self, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> dict[Tag, Digests]:
        """Returns summary statistics of tags of many runs, over the points that no restart replaced."""
        ...

    def payloads(self, run: RunName, tag: Tag, kind: str, *, attempts: MarkedAttempts = "latest") -> PayloadList:
        """Returns the payloads of a series; with "marked", the rest of an attempt that was replaced comes last."""
        ...

    def tensorboard_scalars(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, ScalarPoints]:
        """Returns the points that TensorBoard's Python backend keeps, in its order, of the runs that have the tag."""
        ...

    def tensorboard_last_values(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, LastValue]:
        """Returns the last of the points that TensorBoard keeps, of the runs that have any."""
        ...

    def tensorboard_payloads(self, run: RunName, tag: Tag, kind: str) -> PayloadList:
        """Returns the payloads that TensorBoard keeps, in its order. All are of attempt 0."""
        ...

    def payload(self, run: RunName, tag: Tag, kind: str, index: int) -> bytes:
        """Returns the bytes of one payload from the event file; `index` as in `PayloadList.index`."""
        ...

    def payload_part(self, run: RunName, tag: Tag, kind: str, index: int, *, start: int, size: int) -> bytes:
        """Returns up to `size` bytes of a payload from `start` on, for payloads too large to hold in memory."""
        ...

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
        return self.read_histograms(run, tag, HistogramRequest(attempts, axis, start, stop, limit))

    def read_histograms(self, run: RunName, tag: Tag, request: HistogramRequest) -> HistogramSeries:
        """Answers `histograms`."""
        ...

    def cached_run_files(self, runs: Sequence[RunName] | None = None) -> dict[RunName, dict[str, CachedRunFile]]:
        """Returns the parsed files of run folders that the index has, by run and file name; `runs` None for all runs.

        They may be stale: compare `identity` with the file's own. Empty without an index.
        """
        return {}

    def cache_run_files(self, files: Mapping[RunName, Mapping[str, CachedRunFile]]) -> None:
        """Has the committer thread write parsed files of run folders to the index. Does nothing without an index.

        Replaces everything that was cached for each of these runs. Files changed less than 50 ms ago are left out.
        """
        return None

    def subscribe(self, notify: Callable[[], None] | None = None) -> Subscription:
        """Subscribes to changes from now on. `notify` is called on any thread when `get` has a delta to return."""
        ...

    @property
    def version(self) -> int:
        """Grows with every change; deltas carry the same number."""
        ...

    @property
    def cache_dir(self) -> Path | None:
        """A folder beside the index for what can be computed again; its user creates it. None without a writable index.

        Clearing the index removes it.
        """
        return None
