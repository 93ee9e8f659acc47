"""The store: everything about a set of log directories, read in the background and answered from memory maps."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from seamark.format.types import RunName, Tag
from seamark.store.event_file import EventFile, Visit
from seamark.store.follow import Follower
from seamark.store.index.committer import Committer
from seamark.store.index.index import Index
from seamark.store.inherit import misfits
from seamark.store.library import Changes, Library
from seamark.store.loader import Loader
from seamark.store.problems import file_problems
from seamark.store.roots import LogRoot, shown
from seamark.store.run import Run
from seamark.store.status import Problem, Progress
from seamark.store.subscribe import Hub, Subscription

if TYPE_CHECKING:
    from seamark.store.answers import (
        Digests,
        HistogramSeries,
        LastValue,
        PayloadList,
        RunInfo,
        ScalarPoints,
        ScalarWindow,
        SeriesInfo,
    )
    from seamark.store.batches import ScalarBatch
    from seamark.store.query import Query

LOG = logging.getLogger(__name__)
Axis = Literal["step", "relative", "wall"]
Attempts = Literal["latest", "all"]
MarkedAttempts = Literal["latest", "all", "marked"]


class Store:
    """`index_dir` None keeps the index in memory; with `index_read_only` what is there is used, and nothing is written.

    `reload_secs` 0 or `follow` False: loads once and no more. `log_dirs`: the folders of `roots`.
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
        self.log_dirs = tuple(root.path for root in roots)
        self._library = Library(list(roots))
        self._hub = Hub()
        self._indexes = [
            Index(index_dir, root.path, read_only=index_read_only) if index_dir is not None else None for root in roots
        ]
        self._loader = Loader(
            workers=workers, on_visit=self._visited, on_idle=self._idle, on_loaded=lambda: self._hub.runs_changed()
        )
        self._committer = Committer(self._indexes, is_busy=lambda: self._loader.is_busy, on_broken=self._reread)
        self._follower = Follower(self._library, self._indexes, self, reload_secs=reload_secs if follow else 0.0)

    def start(self) -> None:
        """Returns at once; loading goes on in threads."""
        self._loader.start()
        self._committer.start()
        self._follower.start()

    def close(self, *, patience_secs: float | None = None) -> None:
        """Ends all threads; what was read is in the index then, or as much of it as `patience_secs` allows."""
        self._follower.close()
        self._loader.close()
        self._committer.close(patience_secs)
        self._hub.close()
        for index in self._indexes:
            if index is not None:
                index.close()

    def __enter__(self) -> Store:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait_loaded(self, timeout_secs: float | None = None) -> bool:
        """Whether everything that was there at the start has been read."""
        return self._loader.loaded.wait(timeout_secs)

    def progress(self) -> Progress:
        return self._loader.progress()

    def problems(self) -> list[Problem]:
        """Everything the user should know, newest state."""
        indexes = [index.problem for index in self._indexes if index is not None and index.problem is not None]
        files = [problem for file in self._library.files() for problem in file_problems(file)]
        return [*self._follower.problems(), *indexes, *self._library.problems(), *files]

    def runs(self) -> list[RunInfo]:
        """By the time of their first event, then by name; runs without data last."""
        return self._query.runs()

    @property
    def roots(self) -> list[LogRoot]:
        """The log directories, as they were given."""
        return [shelf.root for shelf in self._library.shelves]

    def run_names(self) -> list[RunName]:
        """Nothing but the names, for those who ask often."""
        return [run.name for run in self._library.runs()]

    def run(self, name: RunName) -> RunInfo | None:
        """One of them, or None when there is none of that name."""
        return self._query.run(name)

    def changed_since(self, version: int) -> list[RunName]:
        """Runs that changed, came or went after that version, for those who keep something of each."""
        return self._hub.changed_since(version)

    def scalar_tags(self, run: RunName) -> tuple[Tag, ...]:
        """The scalar tags of one run, in order of appearance; of runs with the same series mostly the same object."""
        return self._query.scalar_tags(run)

    def layout(self, run: RunName) -> tuple[object, ...]:
        """Compares equal as long as the run has the same series with the same metadata."""
        return self._query.layout(run)

    def series(
        self, *, run: RunName | None = None, kind: str | None = None, in_file_order: bool = False
    ) -> list[SeriesInfo]:
        """Every series with its counts and ranges, by run, kind and tag; or by run, kind and first appearance."""
        runs = self._library.runs() if run is None else [found for found in [self._library.run(run)] if found]
        return self._query.series(runs, kind, in_file_order=in_file_order)

    def metadata(self, run: RunName, kind: str) -> list[tuple[Tag, bytes]]:
        """The metadata of a run's series of one kind, by tag; of scalars in the order in which they were logged.

        Cheaper than `series`: no rows are looked at.
        """
        return self._query.metadata(run, kind)

    def tags(self, kind: str | None = None) -> dict[RunName, dict[str, list[Tag]]]:
        """Run → kind → tags. Cheaper than `series`: it looks at names only."""
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
        """A window of one tag, for one run or for thousands; `max_points` 0 gives every point.

        `attempts`: "latest" is the points that count as one line, "all" every point, a line for each attempt, "marked"
        what restarts replaced, a line for each attempt that lost points, and then the points that count.

        `columns` names the row columns to make, None all: with thousands of runs, making them is most of the work.

        Of several runs those without the tag are left out; a lone run without it is an UnknownSeriesError.
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
        """Every point of many series, tag by tag and run by run, in pieces: to be written away while it is read."""
        return self._query.scalar_batches(runs, tags, attempts=attempts)

    def last_values(self, tag: Tag, runs: Sequence[RunName] | None = None) -> dict[RunName, LastValue]:
        """Of a tag the point with the greatest step, the latest written among equals, in each run that has it."""
        return self._query.last_values(tag, runs)

    def max_steps(self, runs: Sequence[RunName], *, skipped_prefix: str) -> dict[RunName, int]:
        """The greatest step of each run's scalars but those of tags with the prefix; runs without any are left out."""
        return self._query.max_steps(runs, skipped_prefix=skipped_prefix)

    def digests(self, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> dict[Tag, Digests]:
        """Tags of many runs in a few numbers each, over every point that counts: no restart replaced it."""
        return self._query.digests(tags, runs, tail=tail)

    def payloads(self, run: RunName, tag: Tag, kind: str, *, attempts: Attempts = "latest") -> PayloadList:
        return self._query.payloads(run, tag, kind, attempts=attempts)

    def tensorboard_scalars(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, ScalarPoints]:
        """The points that TensorBoard's Python backend keeps, in its order; of the runs that have the tag."""
        return self._query.tensorboard_scalars(runs, tag)

    def tensorboard_last_values(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, LastValue]:
        """The last of those points in each of the runs that have some."""
        return self._query.tensorboard_last_values(runs, tag)

    def tensorboard_payloads(self, run: RunName, tag: Tag, kind: str) -> PayloadList:
        """The same of payloads. All are of attempt 0."""
        return self._query.tensorboard_payloads(run, tag, kind)

    def payload(self, run: RunName, tag: Tag, kind: str, index: int) -> bytes:
        """The bytes of one payload, from the event file; `index` as in `PayloadList.index`."""
        return self._query.payload(run, tag, kind, index)

    def payload_part(self, run: RunName, tag: Tag, kind: str, index: int, *, start: int, size: int) -> bytes:
        """At most `size` of its bytes from `start` on, for payloads that are not to be held whole."""
        return self._query.payload_part(run, tag, kind, index, start=start, size=size)

    def histograms(
        self,
        run: RunName,
        tag: Tag,
        *,
        attempts: Attempts = "latest",
        axis: Axis = "step",
        start: float | None = None,
        stop: float | None = None,
        most: int = 0,
    ) -> HistogramSeries:
        """Those inside the window, decoded; with `most`, at most so many of them, evenly spread, the last included."""
        return self._query.histograms(run, tag, attempts=attempts, axis=axis, start=start, stop=stop, most=most)

    def subscribe(self, notify: Callable[[], None] | None = None) -> Subscription:
        """Changes from now on. `notify` is called, from some thread, when there is something to `get`."""
        return self._hub.subscribe(notify)

    @property
    def version(self) -> int:
        """Grows with every change; the same as in deltas."""
        return self._hub.version

    @cached_property
    def _query(self) -> Query:
        from seamark.store.query import Query  # NumPy and all that is answered with: reading does not wait for them

        return Query(self._library, self._reread)

    # What the follower tells (see follow.Listener)

    def changed(self, changes: Changes) -> None:
        for file, found in changes.added:
            self._loader.add(file, found.identity.size, is_read=file.state.identity == found.identity)
        for file in changes.removed:
            self._loader.remove(file)
            self._committer.drop(file)
        for file in changes.moved:
            self._committer.note(file, 0)
        self._hub.runs_changed(
            added=[run.name for run in changes.runs_added],
            removed=[run.name for run in changes.runs_removed],
            reset=[run.name for run in changes.runs_changed],
        )
        for run in changes.runs_added | changes.runs_changed | {file.run for file, _ in changes.added}:
            self._pass_on_metadata(run)
        for file, found in changes.to_visit:
            self._loader.enqueue(file, found.identity.mtime_ns)

    def touched(self, file: EventFile) -> None:
        self._loader.enqueue(file, time.time_ns())

    def listed(self) -> None:
        self._loader.complete_list()

    # What the loader tells

    def _visited(self, file: EventFile, visit: Visit) -> None:
        if file.is_dropped:
            return
        run = file.run
        if visit.was_reset:
            self._hub.runs_changed(reset=[run.name])
        if visit.parts:
            later = run.ordered[run.ordered.index(file) + 1 :] if file in run.ordered else ()
            is_last = all(other.state.consumed == 0 for other in later)
            if is_last:
                stripes = [part.stripe() for part in visit.parts]
                self._hub.rows_added(run.name, visit.table, stripes, lambda tag: self._query.stored(run, tag))
            else:
                self._hub.runs_changed(reset=[run.name])
        if visit.has_new_series or visit.was_reset:
            self._pass_on_metadata(run)
        if visit.parts or visit.was_reset or file.indexed_as is None:
            self._committer.note(file, sum(part.size for part in visit.parts))
            self._committer.throttle()

    def _idle(self) -> None:
        self._committer.nudge()

    def _reread(self, file: EventFile, reason: str) -> None:
        """The index has lost the file's rows: reads them again."""
        LOG.warning("the index of an event file is damaged (%s); it is read again: '%s'", reason, shown(file.path))
        self._loader.read_anew(file)
        self._hub.runs_changed(reset=[file.run.name])

    def _pass_on_metadata(self, run: Run) -> None:
        """Has those files of a run read again that lack what earlier ones say of their tags (see inherit.py)."""
        with self._library.lock:  # so that of two checks the later one has the say
            found = misfits(run.ordered)
            for file, seed in found:
                self._loader.read_anew(file, seed)
        if found:
            self._hub.runs_changed(reset=[run.name])
