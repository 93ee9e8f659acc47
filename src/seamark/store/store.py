"""The store of a set of log directories: forwards to the pipeline that reads and to the query that answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from seamark.format.types import RunName, Tag
from seamark.store.ask.requests import HistogramRequest, ScalarRequest
from seamark.store.discover.roots import LogRoot
from seamark.store.protocol import RunStore
from seamark.store.runs.subscribe import Subscription
from seamark.store.status import Problem, Progress
from seamark.store.wiring import Pipeline

if TYPE_CHECKING:
    from seamark.store.ask.answers import (
        Attempts,
        Digests,
        HistogramSeries,
        LastValue,
        MarkedAttempts,
        PayloadList,
        ScalarPoints,
        ScalarWindow,
        SeriesInfo,
    )
    from seamark.store.ask.batches import MarkedPoints, ScalarBatch
    from seamark.store.ask.query import Query
    from seamark.store.ask.run_files import RunFileCache
    from seamark.store.ask.stored_run import StoredRun
    from seamark.store.index.run_files import CachedRunFile
    from seamark.store.runs.run_info import RunInfo


class Store(RunStore):
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

    def selected(self, runs: Collection[RunName]) -> Store:
        """Returns a view of these runs: nothing of another run is in any of its answers. It ends with this store."""
        view = copy(self)
        view._pipeline = self._pipeline.selected(runs)
        for name in ("_query", "_run_files"):
            view.__dict__.pop(name, None)
        return view

    def start(self) -> None:
        self._pipeline.start()

    def close(self, *, index_timeout_secs: float | None = None) -> None:
        self._pipeline.close(index_timeout_secs=index_timeout_secs)

    def wait_loaded(self, timeout_secs: float | None = None) -> bool:
        return self._pipeline.loader.loaded.wait(timeout_secs)

    def progress(self) -> Progress:
        return self._pipeline.loader.progress()

    def problems(self) -> list[Problem]:
        return self._pipeline.problems()

    def runs(self) -> list[RunInfo]:
        return self._query.runs()

    def run_names(self) -> list[RunName]:
        return self._pipeline.library.run_names()

    def run(self, name: RunName) -> RunInfo | None:
        return self._query.run(name)

    def stored_run(self, name: RunName) -> StoredRun | None:
        """Returns everything of one run in order of arrival, to copy it into another store; None if there is none."""
        return self._query.stored_run(name)

    def changed_since(self, version: int) -> list[RunName]:
        return self._pipeline.hub.changed_since(version)

    def scalar_tags(self, run: RunName) -> tuple[Tag, ...]:
        return self._query.scalar_tags(run)

    def layout(self, run: RunName) -> tuple[object, ...]:
        return self._query.layout(run)

    def series(
        self, *, run: RunName | None = None, kind: str | None = None, in_file_order: bool = False
    ) -> list[SeriesInfo]:
        return self._query.series(run, kind, in_file_order=in_file_order)

    def metadata(self, run: RunName, kind: str) -> list[tuple[Tag, bytes]]:
        return self._query.metadata(run, kind)

    def tags(self, kind: str | None = None, *, run: RunName | None = None) -> dict[RunName, dict[str, list[Tag]]]:
        return self._query.tags(kind, run)

    def read_scalars(self, runs: RunName | Sequence[RunName], tag: Tag, request: ScalarRequest) -> ScalarWindow:
        return self._query.scalars(runs, tag, request)

    def scalar_batches(
        self,
        *,
        runs: Sequence[RunName] | None = None,
        tags: Sequence[Tag] | None = None,
        attempts: Attempts = "latest",
    ) -> Iterator[ScalarBatch]:
        return self._query.scalar_batches(runs, tags, attempts=attempts)

    def marked_points(self, run: RunName, tag: Tag) -> MarkedPoints:
        """Returns every point of one series in order of arrival, with what a restart replaced marked."""
        return self._query.marked_points(run, tag)

    def last_values(self, tag: Tag, runs: Sequence[RunName] | None = None) -> dict[RunName, LastValue]:
        return self._query.last_values(tag, runs)

    def max_steps(self, runs: Sequence[RunName], *, skipped_prefix: str) -> dict[RunName, int]:
        return self._query.max_steps(runs, skipped_prefix=skipped_prefix)

    def digests(self, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> dict[Tag, Digests]:
        return self._query.digests(tags, runs, tail=tail)

    def payloads(self, run: RunName, tag: Tag, kind: str, *, attempts: MarkedAttempts = "latest") -> PayloadList:
        return self._query.payloads(run, tag, kind, attempts=attempts)

    def tensorboard_scalars(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, ScalarPoints]:
        return self._query.tensorboard_scalars(runs, tag)

    def tensorboard_last_values(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, LastValue]:
        return self._query.tensorboard_last_values(runs, tag)

    def tensorboard_payloads(self, run: RunName, tag: Tag, kind: str) -> PayloadList:
        return self._query.tensorboard_payloads(run, tag, kind)

    def payload(self, run: RunName, tag: Tag, kind: str, index: int) -> bytes:
        return self._query.payload(run, tag, kind, index)

    def payload_part(self, run: RunName, tag: Tag, kind: str, index: int, *, start: int, size: int) -> bytes:
        return self._query.payload_part(run, tag, kind, index, start=start, size=size)

    def read_histograms(self, run: RunName, tag: Tag, request: HistogramRequest) -> HistogramSeries:
        return self._query.histograms(run, tag, request)

    def cached_run_files(self, runs: Sequence[RunName] | None = None) -> dict[RunName, dict[str, CachedRunFile]]:
        return self._run_files.get(runs)

    def cache_run_files(self, files: Mapping[RunName, Mapping[str, CachedRunFile]]) -> None:
        self._run_files.put(files)

    def subscribe(self, notify: Callable[[], None] | None = None) -> Subscription:
        return self._pipeline.hub.subscribe(notify)

    @property
    def version(self) -> int:
        return self._pipeline.hub.version

    @property
    def cache_dir(self) -> Path | None:
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
