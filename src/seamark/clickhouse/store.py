"""The store whose runs and points are in ClickHouse, and payloads in event files or objects."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from seamark.clickhouse import tensorboard
from seamark.clickhouse.address import Address, parse_address
from seamark.clickhouse.batches import scalar_batches
from seamark.clickhouse.client import SERVE_TIMEOUT_SECS, Client, HttpClient, QueryError
from seamark.clickhouse.live_catalogue import LiveCatalogue, RunScope, ShownRun
from seamark.clickhouse.payloads import PayloadReader
from seamark.clickhouse.series_infos import read_series_infos
from seamark.clickhouse.statistics import read_digests, read_last_values, read_max_steps
from seamark.clickhouse.table_engine import ClickHouseTableEngine
from seamark.clickhouse.windows.query import WindowQuery
from seamark.clickhouse.windows.reader import WindowReader
from seamark.format.types import RunName, Tag
from seamark.store import (
    Digests,
    HistogramSeries,
    LastValue,
    LogRoot,
    PayloadList,
    Problem,
    Progress,
    RunInfo,
    RunStore,
    ScalarBatch,
    ScalarPoints,
    ScalarWindow,
    SeriesInfo,
    Severity,
    StoreUnavailableError,
    Subscription,
    UnknownSeriesError,
)
from seamark.store.ask.requests import HistogramRequest, ScalarRequest
from seamark.store.runs.subscribe import Hub

if TYPE_CHECKING:
    from seamark.store import Attempts, MarkedAttempts

LOG = logging.getLogger(__name__)
POLL_SECS = 0.5


class ClickHouseStore(RunStore):
    """Any thread may call any method. One thread asks for changed runs every `poll_secs`, and when it is woken."""

    def __init__(self, client: Client, *, scope: RunScope | None = None, poll_secs: float = POLL_SECS) -> None:
        scope = scope or RunScope()
        self.roots: tuple[LogRoot, ...] = () if scope.root is None else (scope.root,)
        self._client = client
        self._shown_address = str(client.address) if scope.root is None else scope.root.shown
        self._poll_secs = poll_secs
        self._hub = Hub()
        self._catalogue = LiveCatalogue(client, self._hub, scope)
        self._payloads = PayloadReader(client)
        self.table_engine = ClickHouseTableEngine(client, self._catalogue.runs)
        self._loaded = threading.Event()
        self._is_ending = False
        self._wanted = threading.Event()  # a look at the database, or the end
        self._problem: str | None = None
        self._thread = threading.Thread(target=self._follow, name="seamark-clickhouse", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, *, index_timeout_secs: float | None = None) -> None:
        self._is_ending = True
        self._wanted.set()
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._hub.close()
        self._client.close()

    def wake(self) -> None:
        """Has the thread ask for changed runs now."""
        self._wanted.set()

    def hide(self) -> None:
        """Asks the scope again which runs are hidden."""
        self._catalogue.hide()

    def _follow(self) -> None:
        while not self._is_ending:
            self._wanted.clear()
            try:
                self._catalogue.refresh()
                self._loaded.set()
                self._set_problem(None)
            except (StoreUnavailableError, QueryError) as error:
                if self._problem is None:
                    LOG.warning("%s", error)
                self._set_problem(str(error))
            self._wanted.wait(self._poll_secs)

    def _set_problem(self, problem: str | None) -> None:
        before, self._problem = self._problem, problem
        if problem is None and before is not None:
            # Requests failed meanwhile: pages repeat them.
            self._hub.runs_changed(reset=self._catalogue.runs())
        if problem != before:
            self._hub.problems_changed()

    def wait_loaded(self, timeout_secs: float | None = None) -> bool:
        return self._loaded.wait(timeout_secs)

    def progress(self) -> Progress:
        files = sum(info.files for info in self.runs())
        return Progress(0, 0, files, files, not self._loaded.is_set() and self._problem is None)

    def problems(self) -> list[Problem]:
        problem = self._problem
        if problem is None:
            return []
        return [Problem(Severity.ERROR, f"{problem}; runs are shown as they were before", self._shown_address)]

    @property
    def version(self) -> int:
        return self._hub.version

    def changed_since(self, version: int) -> list[RunName]:
        return self._hub.changed_since(version)

    def subscribe(self, notify: Callable[[], None] | None = None) -> Subscription:
        return self._hub.subscribe(notify)

    def runs(self) -> list[RunInfo]:
        infos = [run.info for run in self._catalogue.runs().values()]
        return sorted(infos, key=lambda run: (run.first_wall is None, run.first_wall or 0.0, run.name))

    def run_names(self) -> list[RunName]:
        return list(self._catalogue.runs())

    def run(self, name: RunName) -> RunInfo | None:
        found = self._catalogue.runs().get(name)
        return None if found is None else found.info

    def scalar_tags(self, run: RunName) -> tuple[Tag, ...]:
        found = self._catalogue.runs().get(run)
        return () if found is None else found.layout.scalar_tags

    def layout(self, run: RunName) -> tuple[object, ...]:
        found = self._catalogue.runs().get(run)
        return () if found is None else (found.layout.key, found.row.record.payload_metadata)

    def metadata(self, run: RunName, kind: str) -> list[tuple[Tag, bytes]]:
        found = self._catalogue.runs().get(run)
        return [] if found is None else found.metadata_of(kind)

    def tags(self, kind: str | None = None, *, run: RunName | None = None) -> dict[RunName, dict[str, list[Tag]]]:
        return {name: found.tags(kind) for name, found in self._chosen(run).items()}

    def series(
        self, *, run: RunName | None = None, kind: str | None = None, in_file_order: bool = False
    ) -> list[SeriesInfo]:
        infos = read_series_infos(self._client, list(self._chosen(run).values()), kind)
        if in_file_order:
            return sorted(infos, key=lambda info: (info.run, info.kind))
        return sorted(infos, key=lambda info: (info.run, info.kind, info.tag))

    def read_scalars(self, runs: RunName | Sequence[RunName], tag: Tag, request: ScalarRequest) -> ScalarWindow:
        chosen = self._with_tag([RunName(runs)] if isinstance(runs, str) else runs, tag)
        if isinstance(runs, str) and not chosen:
            raise UnknownSeriesError(f"no scalars of {tag!r} in run '{runs}'")
        return WindowReader(self._client, tag, WindowQuery.of(request)).read(chosen)

    def scalar_batches(
        self,
        *,
        runs: Sequence[RunName] | None = None,
        tags: Sequence[Tag] | None = None,
        attempts: Attempts = "latest",
    ) -> Iterator[ScalarBatch]:
        return scalar_batches(self._client, self._catalogue.runs(), runs, tags, attempts=attempts)

    def last_values(self, tag: Tag, runs: Sequence[RunName] | None = None) -> dict[RunName, LastValue]:
        names = list(self._catalogue.runs()) if runs is None else runs
        return read_last_values(self._client, tag, self._with_tag(names, tag))

    def max_steps(self, runs: Sequence[RunName], *, skipped_prefix: str) -> dict[RunName, int]:
        known = self._catalogue.runs()
        by_key = {known[name].row.run: name for name in runs if name in known}
        return read_max_steps(self._client, by_key, skipped_prefix=skipped_prefix)

    def digests(self, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> dict[Tag, Digests]:
        return {tag: read_digests(self._client, tag, self._with_tag(runs, tag), tail=tail) for tag in tags}

    def payloads(self, run: RunName, tag: Tag, kind: str, *, attempts: MarkedAttempts = "latest") -> PayloadList:
        return self._payloads.list(self._with_payloads(run, tag, kind), tag, kind, attempts)

    def payload(self, run: RunName, tag: Tag, kind: str, index: int) -> bytes:
        return self._payloads.read(self._with_payloads(run, tag, kind), tag, kind, index)

    def payload_part(self, run: RunName, tag: Tag, kind: str, index: int, *, start: int, size: int) -> bytes:
        return self._payloads.read_part(self._with_payloads(run, tag, kind), tag, kind, index, start, size)

    def read_histograms(self, run: RunName, tag: Tag, request: HistogramRequest) -> HistogramSeries:
        return self._payloads.histograms(self._with_payloads(run, tag, "histograms"), tag, request)

    def tensorboard_scalars(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, ScalarPoints]:
        return tensorboard.read_scalars(self._client, tag, self._shown_with_tag(runs, tag))

    def tensorboard_last_values(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, LastValue]:
        return tensorboard.read_last_values(self._client, tag, self._shown_with_tag(runs, tag))

    def tensorboard_payloads(self, run: RunName, tag: Tag, kind: str) -> PayloadList:
        found = self._with_payloads(run, tag, kind)
        return tensorboard.kept_payloads(found, tag, kind, self._payloads.list(found, tag, kind, "all"))

    def _chosen(self, run: RunName | None) -> Mapping[RunName, ShownRun]:
        runs = self._catalogue.runs()
        return runs if run is None else {name: runs[name] for name in [run] if name in runs}

    def _with_tag(self, names: Sequence[RunName], tag: Tag) -> dict[int, RunName]:
        """Returns the runs that have the scalar tag by their key, in the given order."""
        return {run.row.run: run.row.name for run in self._shown_with_tag(names, tag)}

    def _shown_with_tag(self, names: Sequence[RunName], tag: Tag) -> list[ShownRun]:
        runs = self._catalogue.runs()
        found = [runs[name] for name in names if name in runs]
        return [run for run in found if run.layout.has_scalars(tag)]

    def _with_payloads(self, name: RunName, tag: Tag, kind: str) -> ShownRun:
        found = self._catalogue.runs().get(name)
        if found is None or (kind, tag) not in found.layout.payload_keys:
            raise UnknownSeriesError(f"no {kind} of {tag!r} in run '{name}'")
        return found


def open_store(address: Address) -> ClickHouseStore:
    return ClickHouseStore(HttpClient(address, timeout_secs=SERVE_TIMEOUT_SECS))


def open_checked(text: str) -> ClickHouseStore:
    """Returns the store of an address. Raises StoreUnavailableError if it does not answer or has no tables."""
    client = HttpClient(parse_address(text))
    client.select("SELECT count() AS runs FROM runs", ["runs"])
    return ClickHouseStore(client)
