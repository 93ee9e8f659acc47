"""Statistics of each metric and run for the table, recomputed only for runs that grew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import STATS
from seamark.compare.record.record import Record
from seamark.format.types import RunName, Tag
from seamark.store import Digests, RunStore

FIELDS = (*STATS, "last_step")
# Each (tag, tail) has ten floats per run: 400 of them take up to 350 MB for 10,000 runs.
MAX_CACHED = 400


class Digest:
    """One tag of all runs. Arrays are replaced, never modified: other threads may still read them."""

    def __init__(self, rows: int) -> None:
        self.revisions = np.full(rows, -1, np.int64)  # of the record when the row was computed
        self.present = np.zeros(rows, bool)
        self.fields = {name: np.full(rows, np.nan) for name in FIELDS}

    def with_rows(self, stale: NDArray[np.intp], revisions: NDArray[np.int64]) -> Digest:
        """A copy in which these rows are empty and have the current revision; it may have more rows."""
        made, rows = Digest(len(revisions)), len(self.revisions)
        made.revisions[:rows], made.present[:rows] = self.revisions, self.present
        made.revisions[stale] = revisions[stale]
        made.present[stale] = False
        for name, values in made.fields.items():
            values[:rows] = self.fields[name]
            values[stale] = np.nan
        return made


class Metrics:
    """Not thread-safe: the owner holds a lock."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._cache: OrderedDict[tuple[Tag, int], Digest] = OrderedDict()

    def forget(self) -> None:
        """Empties the cache, because the rows have changed."""
        self._cache.clear()

    def digest(self, tag: Tag, tail: int, records: Sequence[Record], revisions: NDArray[np.int64]) -> Digest:
        self.prepare([tag], tail, records, revisions)
        return self._cache[tag, tail]

    def prepare(self, tags: Sequence[Tag], tail: int, records: Sequence[Record], revisions: NDArray[np.int64]) -> None:
        """Updates many tags at once, which costs less than one by one."""
        tags_by_stale_rows: dict[bytes, list[Tag]] = {}
        for tag in dict.fromkeys(tags[:MAX_CACHED]):
            known = self._cache.get((tag, tail))
            if known is None:
                known = self._cache[tag, tail] = Digest(0)
            self._cache.move_to_end((tag, tail))
            rows = len(known.revisions)
            stale = np.append(np.flatnonzero(known.revisions != revisions[:rows]), np.arange(rows, len(revisions)))
            if len(stale):
                tags_by_stale_rows.setdefault(stale.astype(np.intp).tobytes(), []).append(tag)
        for rows_bytes, same in tags_by_stale_rows.items():
            self._update(same, tail, records, revisions, np.frombuffer(rows_bytes, np.intp))
        while len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)

    def _update(
        self,
        tags: list[Tag],
        tail: int,
        records: Sequence[Record],
        revisions: NDArray[np.int64],
        stale: NDArray[np.intp],
    ) -> None:
        """Computes these rows of these tags."""
        plain = {records[row].name: row for row in stale.tolist() if not records[row].series_sources}
        merged = [row for row in stale.tolist() if records[row].series_sources]
        found = self._store.digests(tags, list(plain), tail=tail)
        for tag in tags:
            made = self._cache[tag, tail].with_rows(stale, revisions)
            fill(made, found[tag], plain)
            # In a row of several merged runs each tag has its own source run.
            sources: dict[Tag, dict[RunName, int]] = {}
            for row in merged:
                run, source_tag = records[row].source_of(tag)
                sources.setdefault(source_tag, {})[run] = row
            for source_tag, row_of in sources.items():
                fill(made, self._store.digests([source_tag], list(row_of), tail=tail)[source_tag], row_of)
            self._cache[tag, tail] = made


def fill(made: Digest, found: Digests, row_of: Mapping[RunName, int]) -> None:
    rows = np.array([row_of[run] for run in found.runs], np.intp)
    made.present[rows] = True
    for name in FIELDS:
        made.fields[name][rows] = getattr(found, name)
