"""Copies runs of the embedded store into ClickHouse: only what is new, and again without effect.

A run is written in three steps: a row that says LOADING or UPDATING, its points, a row that says COMPLETE. A run that
is found in the first state was interrupted, or another ingester writes it: it is written again. Its key depends on what
was read, so the rows are the same, or they have another key and those of the former key are deleted.
New points of a run that is COMPLETE are added if what is there is a prefix of what was read; a checksum tells.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import msgspec
import numpy as np

from seamark.clickhouse.catalogue import KnownSeries, RunRow, read_runs, read_series_state, run_columns
from seamark.clickhouse.client import Client
from seamark.clickhouse.native import Column, column_rows, joined_columns
from seamark.clickhouse.payload_objects import PayloadObjects, PayloadPacker
from seamark.clickhouse.removal import FormerKey, delete_rows, keys_of
from seamark.clickhouse.rows import (
    SCALARS,
    STORED_TAIL,
    RunRecord,
    RunState,
    SeriesNumbers,
    checksum_of,
    key_of,
    layout_of,
    layout_row,
    month_of,
    payload_columns,
    payload_numbers,
    record_of,
    scalar_numbers,
    series_columns,
    series_rows,
)
from seamark.format.types import RunName, Tag
from seamark.store import PayloadGoneError, Store, StoreUnavailableError
from seamark.store.ask.stored_run import StoredRun

LOG = logging.getLogger(__name__)
MAX_BATCH_POINTS = 1_000_000
MAX_BATCH_RUNS = 200
WORKERS = 2
RETRY_SECS = 60.0
# Clocks of several ingesting machines differ.
OVERLAP_NS = 60 * 10**9


SeriesRow = tuple[dict[str, Column], SeriesNumbers]


class Batch(msgspec.Struct):
    """Runs that are written together, and the rows of each table."""

    runs: list[RunRow] = msgspec.field(default_factory=list)
    announced: list[RunRow] = msgspec.field(default_factory=list)  # the rows of the same runs until then
    tables: dict[str, list[dict[str, Column]]] = msgspec.field(default_factory=dict)
    former: list[FormerKey] = msgspec.field(default_factory=list)  # of runs that are written again
    points: int = 0

    def add(self, table: str, columns: dict[str, Column]) -> None:
        if column_rows(next(iter(columns.values()))):
            self.tables.setdefault(table, []).append(columns)

    @property
    def is_full(self) -> bool:
        return self.points >= MAX_BATCH_POINTS or len(self.runs) >= MAX_BATCH_RUNS


class Counts(msgspec.Struct):
    runs: int = 0
    points: int = 0
    removed_runs: int = 0

    @property
    def changes(self) -> int:
        """Grows with everything that readers see."""
        return self.runs + self.removed_runs


class Ingester:
    """Owned by one thread; a pool inserts."""

    def __init__(
        self, client: Client, store: Store, *, workers: int = WORKERS, objects: PayloadObjects | None = None
    ) -> None:
        self._client = client
        self._objects = objects
        self._store = store
        self._project = client.address.project
        self._known = read_runs(client, self._project)
        self._layouts: set[int] = set()
        self._series: dict[int, KnownSeries] = {}
        self._version = max((row.version for row in self._known.values()), default=0)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="seamark-ingest")
        self.counts = Counts()

    def close(self) -> None:
        self._pool.shutdown()

    def known_runs(self) -> set[RunName]:
        """Returns the runs that the database has of this project, whoever wrote them."""
        return {name for name, row in self._known.items() if row.state != RunState.DELETED}

    def update(self, names: Iterable[RunName]) -> None:
        """Writes what is new in these runs; runs that the store no longer has are removed."""
        pending: list[Future[None]] = []
        batch = Batch()
        runs = list(names)
        self._refresh()
        self._load_series(runs)
        for name in runs:
            run = self._store.stored_run(name)
            if run is None:
                self._remove(name)
                continue
            try:
                self._plan(run, batch)
            except PayloadGoneError as error:
                LOG.warning("a run is left out until its files were read again: %s", error)
            if batch.is_full:
                pending.append(self._pool.submit(self._write, batch))
                batch = Batch()
                while len(pending) > WORKERS:  # bounds the memory of waiting batches
                    pending.pop(0).result()
        if batch.runs:
            pending.append(self._pool.submit(self._write, batch))
        for one in pending:
            one.result()

    def _refresh(self) -> None:
        """Takes over what other ingesters wrote meanwhile."""
        after = max(0, self._version - OVERLAP_NS)
        for name, row in read_runs(self._client, self._project, after_version=after).items():
            known = self._known.get(name)
            if known is None or row.version > known.version:
                self._known[name] = row
                self._series.pop(row.run, None)
                self._version = max(self._version, row.version)

    def _load_series(self, runs: Sequence[RunName]) -> None:
        """Reads which points the database has of runs that this process has not written itself."""
        rows = [self._known[name] for name in runs if name in self._known]
        keys = [row.run for row in rows if row.state == RunState.COMPLETE and row.run not in self._series]
        for start in range(0, len(keys), 1000):
            self._series.update(read_series_state(self._client, keys[start : start + 1000]))

    def _plan(self, run: StoredRun, batch: Batch) -> None:
        """Adds the run to the batch, unless it has not changed."""
        known = self._known.get(run.info.name)
        record = record_of(run, payload_store=self._objects.address if self._objects else "")
        if known is not None and known.state == RunState.COMPLETE:
            record = msgspec.structs.replace(record, former_key=known.record.former_key)
            if known.record == record:
                return
            if self._append(run, record, known, batch):
                return
        record = msgspec.structs.replace(record, former_key=_former_key(known))
        key = key_of(self._project, run.info.name, record)
        if known is not None and known.state != RunState.DELETED:
            batch.former += [(former, known.record.payload_store) for former in keys_of(known) if former != key]
            self._series.pop(known.run, None)
        row = RunRow(run.info.name, key, 0, RunState.LOADING, month_of(record.first_wall), 0, record)
        self._add(run, row, {}, batch, shown=known)

    def _append(self, run: StoredRun, record: RunRecord, known: RunRow, batch: Batch) -> bool:
        """Adds the new points of a run; False if what the database has is not what the files begin with."""
        series = self._series.get(known.run, {})
        if month_of(record.first_wall) != known.month or record.payload_store != known.record.payload_store:
            return False
        current = {(SCALARS, tag) for tag in run.scalar_tags} | set(run.payload_keys)
        if not current >= set(series):
            return False
        for (kind, tag), (count, checksum, is_regular) in series.items():
            if kind == SCALARS:
                rows = series_rows(run.scalars(tag))
                if rows.is_regular != is_regular or rows.checksum(count) != checksum:
                    return False
            else:
                payloads = run.payloads((kind, tag))
                if payloads is None or checksum_of(payloads, count) != checksum:
                    return False
        row = msgspec.structs.replace(known, record=record)
        self._add(run, row, {key: value[0] for key, value in series.items()}, batch, shown=known)
        return True

    def _add(
        self, run: StoredRun, row: RunRow, counts: dict[tuple[str, Tag], int], batch: Batch, *, shown: RunRow | None
    ) -> None:
        """Adds the rows of the run behind the first `counts` of each series. `shown` is the row that readers have."""
        self._version = max(self._version + 1, time.time_ns())
        scalars = self._scalar_rows(run, row, counts)
        payloads = self._payload_rows(run, row, counts)
        layout, entries = layout_row(layout_of(run))
        if layout not in self._layouts:
            self._layouts.add(layout)
            batch.add("layouts", {"layout": np.array([layout], np.uint64), "entries": [entries]})
        for table, found in (("points", scalars), ("payloads", payloads)):
            for columns, _ in found:
                batch.add(table, columns)
        batch.points += sum(int(one.values["points"]) - counts.get((SCALARS, one.tag), 0) for _, one in scalars)
        written = [one for _, one in (*scalars, *payloads)]
        if written:
            batch.add("series", series_columns(row.run, row.month, self._version, written))
        self._series[row.run] = {
            (one.kind, one.tag): (int(one.values["points"]), one.values["checksum"], bool(one.values.get("is_regular")))
            for one in written
        }
        made = msgspec.structs.replace(row, version=self._version, state=RunState.COMPLETE, layout=layout)
        self._known[run.info.name] = made
        batch.runs.append(made)
        batch.announced.append(_announced(made, shown))

    def _scalar_rows(self, run: StoredRun, row: RunRow, counts: Mapping[tuple[str, Tag], int]) -> list[SeriesRow]:
        digests = {name: column.tolist() for name, column in run.digests(tail=STORED_TAIL).items()}
        positions = {tag: at for at, tag in enumerate(run.scalar_tags)}
        found = []
        for info in run.infos():
            if info.kind != SCALARS:
                continue
            rows, at = series_rows(run.scalars(info.tag)), positions[info.tag]
            columns = rows.columns(row.run, info.tag, row.month, counts.get((SCALARS, info.tag), 0))
            digest = {name: column[at] for name, column in digests.items()}
            found.append((columns, scalar_numbers(info, at, rows, digest)))
        return found

    def _payload_rows(self, run: StoredRun, row: RunRow, counts: Mapping[tuple[str, Tag], int]) -> list[SeriesRow]:
        """Raises PayloadGoneError if bytes are to be copied and the event file was replaced."""
        positions = {key: at for at, key in enumerate(run.payload_keys, len(run.scalar_tags))}
        packer = PayloadPacker(self._write_object, row.run)
        found = []
        for info in run.infos() if positions else ():
            if info.kind == SCALARS:
                continue
            key = (info.kind, info.tag)
            payloads, first = run.payloads(key), counts.get(key, 0)
            assert payloads is not None
            columns = payload_columns(row.run, info.kind, info.tag, row.month, payloads, first)
            if self._objects is not None:
                packer.place(columns, run.payload_bytes(key, first))
            found.append((columns, payload_numbers(info, positions[key], payloads)))
        packer.finish()
        return found

    def _write_object(self, name: str, data: bytes) -> None:
        objects = self._objects
        assert objects is not None
        self._retry(lambda: objects.write(name, data))

    def _write(self, batch: Batch) -> None:
        self._insert("runs", run_columns(self._project, batch.announced))
        for table, parts in batch.tables.items():
            self._insert(table, joined_columns(parts))
        self._insert("runs", run_columns(self._project, batch.runs))
        if batch.former:
            self._retry(lambda: delete_rows(self._client, batch.former))
        self.counts.runs += len(batch.runs)
        self.counts.points += batch.points

    def _remove(self, name: RunName) -> None:
        known = self._known.get(name)
        if known is None or known.state == RunState.DELETED:
            return
        self._version = max(self._version + 1, time.time_ns())
        gone = msgspec.structs.replace(known, version=self._version, state=RunState.DELETED)
        self._insert("runs", run_columns(self._project, [gone]))
        # Stays known: if the run comes back, its key must not be one whose rows the server is still deleting.
        self._known[name] = gone
        self._retry(lambda: delete_rows(self._client, [(key, known.record.payload_store) for key in keys_of(known)]))
        self.counts.removed_runs += 1

    def _insert(self, table: str, columns: dict[str, Column]) -> None:
        self._retry(lambda: self._client.insert(table, columns))

    def _retry(self, act: Callable[[], None]) -> None:
        """Repeats for a while what a cluster could not do: doubled rows have the same key."""
        deadline = time.monotonic() + RETRY_SECS
        pause_secs = 0.1
        while True:
            try:
                return act()
            except StoreUnavailableError as error:
                if time.monotonic() > deadline:
                    raise
                LOG.warning("an insert failed and is repeated: %s", error)
                time.sleep(pause_secs)
                pause_secs = min(5.0, 2 * pause_secs)


def _former_key(known: RunRow | None) -> int:
    """Returns the key of the run before; a run whose first points were being inserted had none, or the one before."""
    if known is None:
        return 0
    return known.record.former_key if known.state == RunState.LOADING else known.run


def _announced(made: RunRow, shown: RunRow | None) -> RunRow:
    """Returns the row of a run while its points are inserted: of a run that readers see, what they see."""
    if shown is None or shown.state in (RunState.LOADING, RunState.DELETED):
        return msgspec.structs.replace(made, state=RunState.LOADING)
    record = msgspec.structs.replace(shown.record, pending_key=made.run)
    return msgspec.structs.replace(shown, version=made.version, state=RunState.UPDATING, record=record)
