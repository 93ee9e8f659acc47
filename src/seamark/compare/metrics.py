"""What the table shows of metrics: every point of every run in a few numbers, worked out again only where runs grew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns import STATS
from seamark.compare.record import Record
from seamark.format.types import RunName, Tag
from seamark.store import Digests, Store

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
        self.prepare([tag], tail, records, revisions)
        return self._kept[tag, tail]

    def prepare(self, tags: Sequence[Tag], tail: int, records: Sequence[Record], revisions: NDArray[np.int64]) -> None:
        """Brings many tags up to date together, which costs less than one after the other."""
        together: dict[bytes, list[Tag]] = {}
        for tag in dict.fromkeys(tags[:MAX_KEPT]):
            known = self._kept.setdefault((tag, tail), Digest(0))
            self._kept.move_to_end((tag, tail))
            rows = len(known.revisions)
            stale = np.append(np.flatnonzero(known.revisions != revisions[:rows]), np.arange(rows, len(revisions)))
            if len(stale):
                together.setdefault(stale.astype(np.intp).tobytes(), []).append(tag)
        for places, same in together.items():
            self._update(same, tail, records, revisions, np.frombuffer(places, np.intp))
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    def _update(
        self,
        tags: list[Tag],
        tail: int,
        records: Sequence[Record],
        revisions: NDArray[np.int64],
        stale: NDArray[np.intp],
    ) -> None:
        """These rows of these tags."""
        plain = {records[place].name: place for place in stale.tolist() if not records[place].homes}
        joined = [place for place in stale.tolist() if records[place].homes]
        found = self._store.digests(tags, list(plain), tail=tail)
        for tag in tags:
            made = self._kept[tag, tail].with_rows(stale, revisions)
            fill(made, found[tag], plain)
            # Of a row that holds several runs each tag has a home of its own.
            homes: dict[Tag, dict[RunName, int]] = {}
            for place in joined:
                run, tag_there = records[place].home_of(tag)
                homes.setdefault(tag_there, {})[run] = place
            for tag_there, places in homes.items():
                fill(made, self._store.digests([tag_there], list(places), tail=tail)[tag_there], places)
            self._kept[tag, tail] = made


def fill(made: Digest, found: Digests, place_of: Mapping[RunName, int]) -> None:
    places = np.array([place_of[run] for run in found.runs], np.intp)
    made.present[places] = True
    for name in FIELDS:
        made.fields[name][places] = getattr(found, name)
