"""A run's points as TensorBoard's Python backend has them, for the routes that answer in its place.

It reads the files of a run by name, one after the other, and keeps every point in that order wherever the steps go.
Only a session that starts again takes points away: from the second START on, all that came before it with its step or a
greater one. Source: tensorboard/backend/event_processing/plugin_event_accumulator.py, `--load_fast=false`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seamark._core import ATTEMPTS_ALL, SeriesView, Stripe
from seamark.format.types import Tag
from seamark.store.file_state import SessionStart
from seamark.store.run import Assembly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.store.payload_rows import PayloadRows


class Portion(NamedTuple):
    """The events of one file from a START, or its beginning, to the next."""

    file: int  # position in the assembly
    start: SessionStart | None
    purged_from: int | None


def tensorboard_scalars(
    assembly: Assembly, tag: Tag
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Steps, wall times and values."""
    parts: list[tuple[Stripe, int]] = []
    spans: list[tuple[int, int, int, int | None]] = []
    first_part, file = 0, -1
    for portion in portions_of(assembly):
        state = assembly.states[portion.file]
        series = state.table.scalar_ids.get(tag)
        if series is None:
            continue
        if portion.file != file:
            first_part, file = len(parts), portion.file
            parts += [(stripe, series) for stripe in assembly.files[file].stripes(state)]
        row = portion.start.rows.get(series, 0) if portion.start is not None else 0
        spans.append((first_part, row, 0, portion.purged_from))
    steps, walls, values, _ = SeriesView(parts, spans).columns(all_attempts=False)
    return steps, walls, values


def tensorboard_last(assembly: Assembly, tag: Tag) -> tuple[int, float, float] | None:
    """Step, wall time and value of the last point. Of most series that is the one with the greatest step."""
    view = assembly.scalar(tag)
    names = [file.name for file in assembly.files]
    is_plain = assembly.attempts.is_plain and names == sorted(names)
    if view is not None and view.counted and is_plain and view.is_in_order(attempts=ATTEMPTS_ALL):
        return view.last()
    steps, walls, values = tensorboard_scalars(assembly, tag)
    return (int(steps[-1]), float(walls[-1]), float(values[-1])) if len(steps) else None


def tensorboard_payloads(assembly: Assembly, rows: PayloadRows) -> NDArray[np.intp]:
    """Positions in `rows`."""
    found = []
    for portion in portions_of(assembly):
        first, end = np.searchsorted(rows.file, (portion.file, portion.file + 1)).tolist()
        after = portion.start.offset if portion.start is not None else 0
        next_start = next(
            (start.offset for start in assembly.states[portion.file].session_starts if start.offset > after), None
        )
        inside = np.arange(first, end)
        inside = inside[rows.offsets[inside] >= after]
        if next_start is not None:
            inside = inside[rows.offsets[inside] < next_start]
        if portion.purged_from is not None:
            inside = inside[rows.steps[inside] < portion.purged_from]
        found.append(inside)
    return np.concatenate(found) if found else np.empty(0, np.intp)


def portions_of(assembly: Assembly) -> list[Portion]:
    """In TensorBoard's order."""
    found: list[Portion] = []
    purged_from: int | None = None
    starts = list(_starts(assembly))
    # The first START of a run is how it began.
    first = next((at for at, (_, start) in enumerate(starts) if start is not None), None)
    for at, (file, start) in reversed(list(enumerate(starts))):
        found.append(Portion(file, start, purged_from))
        if start is not None and at != first:
            purged_from = start.step if purged_from is None else min(purged_from, start.step)
    return found[::-1]


def _starts(assembly: Assembly) -> Iterator[tuple[int, SessionStart | None]]:
    """Every file by name: its beginning, then the STARTs in it."""
    for file in sorted(range(len(assembly.files)), key=lambda at: assembly.files[at].name):
        yield file, None
        for start in assembly.states[file].session_starts:
            yield file, start
