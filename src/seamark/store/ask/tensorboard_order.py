"""A run's points as TensorBoard's Python backend has them, for the routes that imitate TensorBoard's.

TensorBoard reads the files of a run by name, one after the other, and keeps every point in that order, whatever its
step. Only a restarted session removes points: every START but the first of the run removes the earlier points with its
step or a greater one. Source: tensorboard/backend/event_processing/plugin_event_accumulator.py, `--load_fast=false`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seamark._core import ATTEMPTS_ALL, SeriesView, Stripe
from seamark.format.types import Tag
from seamark.store.runs.portions import Portion, payload_rows_of, with_replaced_steps
from seamark.store.runs.run import Assembly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.store.runs.payload_rows import PayloadRows


def tensorboard_scalars(
    assembly: Assembly, tag: Tag
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Returns steps, wall times and values."""
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
        spans.append((first_part, portion.first_scalar_row(series), 0, portion.replaced_from))
    steps, walls, values, _ = SeriesView(parts, spans).columns(all_attempts=False)
    return steps, walls, values


def tensorboard_last(assembly: Assembly, tag: Tag) -> tuple[int, float, float] | None:
    """Returns step, wall time and value of the last point. In most series that is the one with the greatest step."""
    view = assembly.scalar(tag)
    names = [file.name for file in assembly.files]
    is_plain = assembly.attempts.is_plain and names == sorted(names)
    if view is not None and view.current_count and is_plain and view.is_in_order(attempts=ATTEMPTS_ALL):
        return view.last()
    steps, walls, values = tensorboard_scalars(assembly, tag)
    return (int(steps[-1]), float(walls[-1]), float(values[-1])) if len(steps) else None


def tensorboard_payloads(assembly: Assembly, rows: PayloadRows) -> NDArray[np.intp]:
    """Returns positions in `rows`."""
    found = []
    for portion, own in payload_rows_of(portions_of(assembly), rows):
        positions = np.arange(own.start, own.stop)
        if portion.replaced_from is not None:
            positions = positions[rows.steps[own] < portion.replaced_from]
        found.append(positions)
    return np.concatenate(found) if found else np.empty(0, np.intp)


def portions_of(assembly: Assembly) -> list[Portion]:
    """Returns the portions of all files in TensorBoard's order."""
    by_name = sorted(range(len(assembly.files)), key=lambda at: assembly.files[at].name)
    portions = [Portion(file, start) for file in by_name for start in (None, *assembly.states[file].session_starts)]
    first_start = next((portion.start for portion in portions if portion.start is not None), None)
    return with_replaced_steps(portions, ignored=first_start)
