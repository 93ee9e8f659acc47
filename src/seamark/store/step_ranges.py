"""The smallest and the greatest step of files and series, from their stripes. Points are looked at only where steps go
back within a stripe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seamark._core import FORM_SESSION_LOG, Stripe
from seamark.store.event_file import EventFile
from seamark.store.file_state import FileState, SessionStart

if TYPE_CHECKING:
    from numpy.typing import NDArray


class StepRange(NamedTuple):
    min: int
    max: int


def file_range(file: EventFile, state: FileState) -> StepRange | None:
    """Of all scalars of a file; of its payloads if it has no scalars."""
    stripes = file.stripes(state)
    return _joined(_whole(stripe.scalar_step_ranges()) for stripe in stripes) or payload_range(file, state)


def payload_range(file: EventFile, state: FileState) -> StepRange | None:
    """Of all payloads of a file; the session log itself is none."""
    logs = _session_logs(state)
    found = []
    for stripe in file.stripes(state):
        is_data = ~np.isin(stripe.payload_groups()[0], logs)
        least, greatest = stripe.payload_step_ranges()
        found.append(_whole((least[is_data], greatest[is_data])))
    return _joined(found)


def series_range(file: EventFile, state: FileState, ids: Sequence[int], *, is_scalar: bool) -> StepRange | None:
    """Of one series, which may have several ids in a file."""
    return _joined(_of_group(stripe, series, is_scalar=is_scalar) for stripe in file.stripes(state) for series in ids)


def highest_before(file: EventFile, state: FileState, starts: Sequence[SessionStart]) -> list[int | None]:
    """The greatest step of all that the file holds before each of these events."""
    if not starts:
        return []
    found: list[int | None] = [None] * len(starts)
    logs = _session_logs(state)
    seen: dict[int, int] = {}  # rows of each series in earlier stripes
    for stripe in file.stripes(state):
        steps = stripe.scalars()[0]
        for series, first, count in zip(*(column.tolist() for column in stripe.scalar_groups()), strict=True):
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
    """`ends` are the rows that each event comes behind."""
    highest = np.maximum.accumulate(steps)
    for at, end in enumerate(ends):
        if end:
            step = int(highest[end - 1])
            known = found[at]
            found[at] = step if known is None else max(known, step)


def _whole(ranges: tuple[NDArray[np.int64], NDArray[np.int64]]) -> StepRange | None:
    least, greatest = ranges
    return StepRange(int(least.min()), int(greatest.max())) if len(least) else None


def _of_group(stripe: Stripe, series: int, *, is_scalar: bool) -> StepRange | None:
    groups, ranges = (
        (stripe.scalar_groups(), stripe.scalar_step_ranges())
        if is_scalar
        else (stripe.payload_groups(), stripe.payload_step_ranges())
    )
    at = int(np.searchsorted(groups[0], series))
    if at == len(groups[0]) or groups[0][at] != series:
        return None
    return StepRange(int(ranges[0][at]), int(ranges[1][at]))


def _joined(ranges: Iterable[StepRange | None]) -> StepRange | None:
    known = [found for found in ranges if found is not None]
    if not known:
        return None
    return StepRange(min(found.min for found in known), max(found.max for found in known))
