"""The smallest and the greatest step of series, from the ranges that stripes store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from seamark._core import FORM_SESSION_LOG
from seamark.store.read.event_file import EventFile
from seamark.store.read.file_state import FileState, SessionStart

if TYPE_CHECKING:
    from numpy.typing import NDArray


class StepRange(NamedTuple):
    min: int
    max: int


def ranges_of(file: EventFile, state: FileState) -> Mapping[int, StepRange]:
    """Returns the range of each series but the session log, by id. Raises BrokenChunkError."""
    found = _known.get(state)
    if found is None:
        logs = _session_logs(state)
        found = {}
        for stripe in file.stripes(state):
            for ids, ranges in (
                (stripe.scalar_groups()[0], stripe.scalar_step_ranges()),
                (stripe.payload_groups()[0], stripe.payload_step_ranges()),
            ):
                for series, *steps in zip(ids.tolist(), *(column.tolist() for column in ranges), strict=True):
                    known = found.get(series)
                    found[series] = StepRange(*steps) if known is None else joined((known, StepRange(*steps)))
        for series in logs:
            found.pop(series, None)
        _known[state] = found
    return found


def joined(ranges: Iterable[StepRange]) -> StepRange:
    """Returns the range that covers all of them; there must be at least one."""
    known = list(ranges)
    return StepRange(min(found.min for found in known), max(found.max for found in known))


# States are immutable, and while a run is written only one of its files gets new ones.
_known: WeakKeyDictionary[FileState, dict[int, StepRange]] = WeakKeyDictionary()


def highest_before(
    file: EventFile, state: FileState, starts: Sequence[SessionStart], *, skipped: Collection[int]
) -> list[int | None]:
    """Returns the greatest step in the file before each of these events, without the skipped series."""
    if not starts:
        return []
    found: list[int | None] = [None] * len(starts)
    logs = _session_logs(state)
    seen: dict[int, int] = {}  # rows of each series in the stripes before
    for stripe in file.stripes(state):
        steps = stripe.scalars()[0]
        for series, first, count in zip(*(column.tolist() for column in stripe.scalar_groups()), strict=True):
            if series in skipped:
                continue
            before = seen.get(series, 0)
            seen[series] = before + count
            ends = [min(max(start.rows.get(series, 0) - before, 0), count) for start in starts]
            _raise_to(found, steps[first : first + count], ends)
        payload_steps, _, offsets, _ = stripe.payloads()
        for series, first, count in zip(*(column.tolist() for column in stripe.payload_groups()), strict=True):
            if series in logs:
                continue
            rows = slice(first, first + count)
            ends = np.searchsorted(offsets[rows], [start.offset for start in starts]).tolist()
            _raise_to(found, payload_steps[rows], ends)
    return found


def _session_logs(state: FileState) -> list[int]:
    return [series for series, (_, form, _) in enumerate(state.table.entries) if form == FORM_SESSION_LOG]


def _raise_to(found: list[int | None], steps: NDArray[np.int64], ends: Sequence[int]) -> None:
    """Raises each entry of `found` to the greatest of the first `ends` steps."""
    highest = np.maximum.accumulate(steps)
    for at, end in enumerate(ends):
        if end:
            step = int(highest[end - 1])
            known = found[at]
            found[at] = step if known is None else max(known, step)
