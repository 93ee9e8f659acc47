"""What the table shows of metrics: every point of every run in a few numbers, worked out again only where runs grew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns import STATS
from seamark.compare.records import Record
from seamark.format.types import RunName, Tag
from seamark.store import Store

DEFAULT_TAIL = 10
FIELDS = (*STATS, "last_step")
# Of one (tag, tail): ten columns of floats per run. 400 of them and 10,000 runs are 350 MB at the very most.
MAX_KEPT = 400


class Digest:
    """One tag of all runs. Arrays are replaced, never changed: others may still read them."""

    def __init__(self, rows: int) -> None:
        self.revisions = np.full(rows, -1, np.int64)  # of the record when it was worked out
        self.present = np.zeros(rows, bool)
        self.fields = {name: np.full(rows, np.nan) for name in FIELDS}

    def with_rows(self, places: NDArray[np.intp], revisions: NDArray[np.int64]) -> Digest:
        """A copy in which these rows are empty and up to date; it may have more rows than this."""
        made, rows = Digest(len(revisions)), len(self.revisions)
        made.revisions[:rows], made.present[:rows] = self.revisions, self.present
        made.revisions[places] = revisions[places]
        made.present[places] = False
        for name, values in made.fields.items():
            values[:rows] = self.fields[name]
            values[places] = np.nan
        return made


class Metrics:
    """Not for several threads at once: its owner has a lock."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[Tag, int], Digest] = OrderedDict()

    def forget(self) -> None:
        """The rows are others now."""
        self._kept.clear()

    def digest(self, tag: Tag, tail: int, records: Sequence[Record], revisions: NDArray[np.int64]) -> Digest:
        known = self._kept.get((tag, tail)) or Digest(len(records))
        rows = len(known.revisions)
        stale = np.append(np.flatnonzero(known.revisions != revisions[:rows]), np.arange(rows, len(revisions)))
        if len(stale):
            known = self._updated(known, tag, tail, records, revisions, stale)
        self._kept[tag, tail] = known
        self._kept.move_to_end((tag, tail))
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return known

    def _updated(
        self,
        known: Digest,
        tag: Tag,
        tail: int,
        records: Sequence[Record],
        revisions: NDArray[np.int64],
        stale: NDArray[np.intp],
    ) -> Digest:
        made = known.with_rows(stale, revisions)
        place_of: dict[RunName, int] = {}
        for place in stale.tolist():
            record = records[place]
            place_of[record.homes.get(tag, record.name)] = place
        found = self._store.digests(tag, list(place_of), tail=tail)
        places = np.array([place_of[run] for run in found.runs], np.intp)
        has_points = found.count > 0
        places = places[has_points]
        made.present[places] = True
        for name in FIELDS:
            made.fields[name][places] = getattr(found, name)[has_points]
        return made
