"""Payloads by reference: their positions are in ClickHouse, their bytes in event files or objects."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import partial
from io import FileIO
from pathlib import Path

import numpy as np

from seamark import _core
from seamark.clickhouse.client import Client
from seamark.clickhouse.live_catalogue import ShownRun
from seamark.clickhouse.payload_objects import PayloadObjects, open_objects
from seamark.format.types import Tag
from seamark.store import (
    EVENT_FILE_MARK,
    HistogramSeries,
    PayloadGoneError,
    PayloadList,
    StoreUnavailableError,
    UnknownSeriesError,
)
from seamark.store.ask.payload_bytes import check_size, read_exactly
from seamark.store.ask.requests import HistogramRequest
from seamark.store.ask.stored_run import StoredFile
from seamark.store.runs.attempts import PayloadAttempts
from seamark.store.runs.payload_rows import PayloadRows

_COLUMNS = ("position", "step", "wall", "byte_offset", "byte_length", "file", "object", "attempt", "replaced")


class PayloadReader:
    """Any thread may call it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._opened: dict[str, PayloadObjects] = {}
        self._lock = threading.Lock()

    def list(self, run: ShownRun, tag: Tag, kind: str, attempts: str) -> PayloadList:
        rows, found, _ = self._rows(run, tag, kind)
        index, replaced = found.select(rows.steps, attempts)
        columns = (rows.steps[index], rows.walls[index], rows.lengths[index], found.attempt[index])
        return PayloadList(index, *columns, replaced)

    def read(self, run: ShownRun, tag: Tag, kind: str, index: int) -> bytes:
        rows, names = self._row(run, tag, kind, index)
        check_size(rows, index)
        return next(self._contents(run, rows, names, [index]))

    def read_part(self, run: ShownRun, tag: Tag, kind: str, index: int, start: int, size: int) -> bytes:
        rows, names = self._row(run, tag, kind, index)
        length = int(rows.lengths[index])
        first = min(max(start, 0), length)
        offset, wanted = int(rows.offsets[index]) + first, min(size, length - first)
        return self._range(run, int(rows.file[index]), names[index], offset, wanted)

    def histograms(self, run: ShownRun, tag: Tag, request: HistogramRequest) -> HistogramSeries:
        from seamark.store.ask.histograms import decode_histograms  # imports protobuf

        rows, found, names = self._rows(run, tag, "histograms")
        index, replaced = found.select(rows.steps, request.attempts)
        read = partial(self._contents, run, rows, names)
        return decode_histograms(rows, index, read, request, replaced=replaced)

    def _rows(self, run: ShownRun, tag: Tag, kind: str) -> tuple[PayloadRows, PayloadAttempts, Sequence[str]]:
        found = self._client.select(
            f"SELECT {', '.join(_COLUMNS)} FROM payloads WHERE run = {{run:UInt64}} AND kind = {{kind:String}} "
            "AND tag = {tag:String} ORDER BY position",
            _COLUMNS,
            run=run.row.run,
            kind=kind,
            tag=tag,
        )
        # A row that was inserted twice has the same position.
        _, kept = np.unique(found["position"], return_index=True)
        column = {name: found[name][kept] for name in _COLUMNS if name != "object"}
        names = [found["object"][at].decode() for at in kept]
        rows = PayloadRows(
            column["step"].astype(np.int64),
            column["wall"].astype(np.float64),
            column["byte_offset"].astype(np.uint64),
            column["byte_length"].astype(np.uint64),
            column["file"].astype(np.int64),
        )
        return rows, PayloadAttempts(column["attempt"].astype(np.uint32), column["replaced"].astype(bool)), names

    def _row(self, run: ShownRun, tag: Tag, kind: str, index: int) -> tuple[PayloadRows, Sequence[str]]:
        rows, _, names = self._rows(run, tag, kind)
        if not 0 <= index < len(rows.steps):
            count = len(rows.steps)
            raise UnknownSeriesError(f"no payload {index} of {tag!r}: there are {count} in run '{run.row.name}'")
        return rows, names

    def _contents(
        self, run: ShownRun, rows: PayloadRows, names: Sequence[str], positions: Sequence[int]
    ) -> Iterator[bytes]:
        for at in positions:
            yield self._range(run, int(rows.file[at]), names[at], int(rows.offsets[at]), int(rows.lengths[at]))

    def _range(self, run: ShownRun, file: int, name: str, offset: int, size: int) -> bytes:
        if name:
            return self._objects(run.row.record.payload_store).read(name, offset, size)
        stored = run.row.record.files[file]
        shown = run.shown_file(stored)
        with open_event_file(stored, shown) as stream:
            return read_exactly(stream, offset, size, shown_path=shown)

    def _objects(self, address: str) -> PayloadObjects:
        """Returns the open bucket or folder. Raises StoreUnavailableError if this installation cannot open it."""
        with self._lock:
            if address not in self._opened:
                try:
                    self._opened[address] = open_objects(address)
                except ValueError as error:
                    raise StoreUnavailableError(str(error)) from None
            return self._opened[address]


def open_event_file(file: StoredFile, shown: str) -> FileIO:
    """Opens a file that was ingested. Raises PayloadGoneError if it is not here, or not the same any more."""
    if EVENT_FILE_MARK not in Path(file.path).name:
        raise PayloadGoneError(f"the database names a file that is no event file; ingest the run again: '{shown}'")
    try:
        stream = FileIO(file.path)
    except OSError as error:
        raise PayloadGoneError(
            f"the event file cannot be read on this machine ({error.strerror}): '{shown}'"
        ) from error
    if _core.fingerprint_file(stream.fileno(), file.consumed) != (file.head, file.tail):
        stream.close()
        raise PayloadGoneError(f"the event file was replaced since it was ingested; ingest it again: '{shown}'")
    return stream
