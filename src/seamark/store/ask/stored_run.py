"""Everything of one run in order of arrival, to copy it into another store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from seamark import _core
from seamark.format.types import Tag
from seamark.store.ask.answers import SeriesInfo
from seamark.store.ask.payload_bytes import read_payloads
from seamark.store.ask.series_info import payload_infos, scalar_infos, scalar_views
from seamark.store.ask.tensorboard_order import KeptRange, kept_ranges, rows_in
from seamark.store.read.file_state import Fingerprint
from seamark.store.read.series_table import PayloadKey
from seamark.store.runs.run import Assembly, Run
from seamark.store.runs.run_info import RunInfo

if TYPE_CHECKING:
    from numpy.typing import NDArray


class StoredFile(Struct, frozen=True):
    """An event file as far as it was read; the fingerprints tell whether it still begins with the same bytes."""

    path: str
    consumed: int
    head: Fingerprint
    tail: Fingerprint


class StoredScalars(Struct, frozen=True):
    """All points of one series in order of arrival; a restart replaced those where `replaced` is 1."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]
    attempt: NDArray[np.uint32]
    replaced: NDArray[np.uint8]


class StoredPayloads(Struct, frozen=True):
    """The positions of a series' payloads in order of arrival; `file` is a position in `StoredRun.files`."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    offsets: NDArray[np.uint64]
    lengths: NDArray[np.uint64]
    file: NDArray[np.int64]
    attempt: NDArray[np.uint32]
    replaced: NDArray[np.uint8]


class StoredRun:
    """One run as it was at one moment."""

    def __init__(self, run: Run, assembly: Assembly) -> None:
        self._run = run
        self._assembly = assembly
        self.info: RunInfo = assembly.info(run)
        self.files = [
            StoredFile(file.path, state.consumed, state.head, state.tail)
            for file, state in zip(assembly.files, assembly.states, strict=True)
        ]
        self.scalar_tags: list[Tag] = assembly.scalar_tags()
        self.payload_keys: list[PayloadKey] = assembly.payload_keys()

    def metadata(self, kind: str, tag: Tag) -> bytes:
        if kind == "scalars":
            return self._assembly.scalar_entry(tag)[2]
        return self._assembly.payload_entry((kind, tag))[2]

    def infos(self) -> list[SeriesInfo]:
        """Returns the series that have points, scalars first, in order of appearance."""
        scalars = scalar_infos(scalar_views(self._run, self._assembly))
        return [*scalars, *payload_infos(self._run, self._assembly, None)]

    def digests(self, *, tail: int) -> dict[str, NDArray[np.float64]]:
        """Returns the columns of `Digests` with a row for each of `scalar_tags`."""
        return _core.digests([self._assembly.scalar_parts(self.scalar_tags)], series=len(self.scalar_tags), tail=tail)

    def scalars(self, tag: Tag) -> StoredScalars:
        view = self._assembly.scalar(tag)
        assert view is not None  # the tag is one of `scalar_tags`
        steps, walls, values, attempt = view.columns(all_attempts=True)
        replaced = np.zeros(len(steps), np.uint8)
        for rows, bound in self._replaced_rows(tag):
            replaced[rows] = steps[rows] >= bound
        return StoredScalars(steps, walls, values, attempt, replaced)

    def payloads(self, key: PayloadKey) -> StoredPayloads | None:
        rows = self._assembly.payloads(key)
        if rows is None:
            return None
        attempts = self._assembly.attempts.of_payloads(key, rows)
        return StoredPayloads(*rows, attempts.attempt, attempts.is_replaced.astype(np.uint8))

    def tensorboard_ranges(self) -> list[tuple[KeptRange, ...]]:
        """Returns `kept_ranges` of every series, scalars first, in the order of `scalar_tags` and `payload_keys`."""
        keys = [*(("scalars", tag) for tag in self.scalar_tags), *self.payload_keys]
        return [kept_ranges(self._assembly, key) for key in keys]

    def payload_bytes(self, key: PayloadKey, first: int) -> Iterator[bytes]:
        """Yields the payloads of a series from position `first` on. Raises PayloadGoneError if a file was replaced."""
        rows = self._assembly.payloads(key)
        if rows is not None:
            yield from read_payloads(self._assembly, rows, range(first, len(rows.steps)))

    def _replaced_rows(self, tag: Tag) -> Iterator[tuple[slice, int]]:
        """Yields the rows of each span, and the first step that a restart replaced in it."""
        spans = self._assembly.attempts.scalar_spans(tag)
        before = 0
        for position, (file, state) in enumerate(zip(self._assembly.files, self._assembly.states, strict=True)):
            series = state.table.scalar_ids.get(tag)
            if series is None:
                continue
            end = before + sum(rows_in(stripe, series) for stripe in file.stripes(state))
            own = [span for span in spans if span.file == position]
            stops = [*(before + span.row for span in own[1:]), end]
            for span, stop in zip(own, stops, strict=True) if own else ():
                if span.replaced_from is not None:
                    yield slice(before + span.row, stop), span.replaced_from
            before = end
