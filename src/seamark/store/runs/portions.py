"""Portions of event files between the starts of a program's sessions, and the rows that belong to each portion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seamark.store.read.file_state import SessionStart

if TYPE_CHECKING:
    from seamark.store.runs.payload_rows import PayloadRows


class Portion(NamedTuple):
    """The events of one file from a START, or from the beginning of the file, to the next START in it."""

    file: int  # position in the run's ordered files
    start: SessionStart | None  # None: the beginning of the file
    attempt: int = 0
    replaced_from: int | None = None  # a later START replaced the events with this step or a greater one

    def first_scalar_row(self, series_id: int) -> int:
        """Returns the series' first row in this portion, counted from the beginning of the file."""
        return self.start.rows.get(series_id, 0) if self.start is not None else 0


def with_replaced_steps(
    portions: Sequence[Portion], bound: int | None = None, *, ignored: SessionStart | None = None
) -> list[Portion]:
    """Sets `replaced_from` of portions in order of time: every START but `ignored` replaces the portions before it.

    `bound` is the lowest step of the STARTs after all of them.
    """
    found: list[Portion] = []
    for portion in reversed(portions):
        found.append(portion._replace(replaced_from=bound))
        if portion.start is not None and portion.start is not ignored:
            bound = lowest(bound, portion.start.step)
    return found[::-1]


def payload_rows_of(portions: Iterable[Portion], rows: PayloadRows) -> Iterator[tuple[Portion, slice]]:
    """Yields the rows of each portion; the portions of one file follow each other."""
    for file, group in groupby(portions, key=lambda portion: portion.file):
        own = list(group)
        first, end = np.searchsorted(rows.file, (file, file + 1)).tolist()
        offsets = [portion.start.offset if portion.start is not None else 0 for portion in own]
        starts = (first + np.searchsorted(rows.offsets[first:end], np.array(offsets, np.uint64))).tolist()
        for portion, start, stop in zip(own, starts, [*starts[1:], end], strict=True):
            yield portion, slice(start, stop)


def lowest(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)
