"""A run's points as TensorBoard's Python backend has them, for the routes that imitate TensorBoard's.

TensorBoard reads the files of a run by name, one after the other, and keeps every point in that order, whatever its
step. Only a restarted session removes points: every START but the first of the run removes the earlier points with its
step or a greater one. Source: tensorboard/backend/event_processing/plugin_event_accumulator.py, `--load_fast=false`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seamark._core import ATTEMPTS_ALL, SeriesView, Stripe
from seamark.format.types import Tag
from seamark.store.read.series_table import PayloadKey
from seamark.store.runs.portions import Portion, payload_rows_of, with_replaced_steps
from seamark.store.runs.run import Assembly

SCALARS = "scalars"

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


class KeptRange(NamedTuple):
    """Points in order of arrival from `start` to `stop`, those with a step below `below`."""

    start: int
    stop: int
    below: int | None = None


def kept_ranges(assembly: Assembly, key: PayloadKey) -> tuple[KeptRange, ...]:
    """Returns what TensorBoard keeps of a series, in its order; nothing if that is every point in order of arrival.

    The kind "scalars" is a kind here as any other.
    """
    names = [file.name for file in assembly.files]
    portions = portions_of(assembly)
    if names == sorted(names) and all(portion.replaced_from is None for portion in portions):
        return ()
    kind, tag = key
    rows = assembly.payloads(key) if kind != SCALARS else None
    found = list(_payload_ranges(portions, rows) if rows is not None else _scalar_ranges(assembly, portions, tag))
    expected = 0
    for one in found:
        if one.start != expected or one.below is not None:
            return tuple(found)
        expected = one.stop
    return ()


def _payload_ranges(portions: list[Portion], rows: PayloadRows) -> Iterator[KeptRange]:
    for portion, own in payload_rows_of(portions, rows):
        if own.start < own.stop:
            yield KeptRange(own.start, own.stop, portion.replaced_from)


def _scalar_ranges(assembly: Assembly, portions: list[Portion], tag: Tag) -> Iterator[KeptRange]:
    series = [state.table.scalar_ids.get(tag) for state in assembly.states]
    counts = [
        0 if one is None else sum(rows_in(stripe, one) for stripe in file.stripes(state))
        for one, file, state in zip(series, assembly.files, assembly.states, strict=True)
    ]
    before = np.concatenate([[0], np.cumsum(counts)]).tolist()
    for portion, following in zip(portions, [*portions[1:], None], strict=True):
        one = series[portion.file]
        if one is None:
            continue
        is_last = following is None or following.file != portion.file
        start = portion.first_scalar_row(one)
        stop = counts[portion.file] if is_last or following is None else following.first_scalar_row(one)
        if start < stop:
            first = before[portion.file]
            yield KeptRange(first + start, first + stop, portion.replaced_from)


def kept_positions(ranges: Sequence[KeptRange], steps: NDArray[np.int64]) -> NDArray[np.intp]:
    """Returns the positions of the points that the ranges keep; without ranges, of all."""
    if not ranges:
        return np.arange(len(steps))
    found = []
    for start, stop, below in ranges:
        positions = np.arange(start, min(stop, len(steps)))
        found.append(positions if below is None else positions[steps[positions] < below])
    return np.concatenate(found)


def rows_in(stripe: Stripe, series_id: int) -> int:
    """Returns how many rows of a scalar series a stripe has."""
    series, _, counts = stripe.scalar_groups()
    at = int(np.searchsorted(series, series_id))
    return int(counts[at]) if at < len(series) and series[at] == series_id else 0


def portions_of(assembly: Assembly) -> list[Portion]:
    """Returns the portions of all files in TensorBoard's order."""
    by_name = sorted(range(len(assembly.files)), key=lambda at: assembly.files[at].name)
    portions = [Portion(file, start) for file in by_name for start in (None, *assembly.states[file].session_starts)]
    first_start = next((portion.start for portion in portions if portion.start is not None), None)
    return with_replaced_steps(portions, ignored=first_start)
