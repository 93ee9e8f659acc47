"""Batches of all points of a series, made one at a time so that long series need little memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from seamark import _core
from seamark._core import SeriesView, Stripe
from seamark.format.types import RunName, Tag
from seamark.store.runs.attempts import Span, wants_all
from seamark.store.runs.run import Assembly

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_ROWS = 65536


class ScalarBatch(Struct, frozen=True):
    """Consecutive points of one series and one attempt."""

    run: RunName
    tag: Tag
    attempt: int
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)


class MarkedPoints(Struct, frozen=True):
    """Every point of one series in order of arrival: its attempt, and whether a restart replaced it."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]
    attempt: NDArray[np.uint32]
    is_replaced: NDArray[np.bool_]


class Piece(NamedTuple):
    """Consecutive points of one attempt: views into the index, or copies if they had to be sorted."""

    attempt: int
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]

    def part(self, rows: slice) -> Piece:
        return Piece(self.attempt, self.steps[rows], self.walls[rows], self.values[rows])


def pieces_of(assembly: Assembly, tag: Tag, *, attempts: str) -> list[Piece]:
    """Returns the points as `Store.scalars` does: those that count, or all by attempt, each in order of step.

    Raises BrokenChunkError.
    """
    everything = wants_all(attempts)
    view = assembly.scalar(tag)
    if view is None:
        return []
    in_order = view.is_in_order(attempts=_core.ATTEMPTS_ALL) and view.is_in_order(attempts=_core.ATTEMPTS_LATEST)
    if not in_order:
        return _sorted_pieces(view, everything=everything)
    spans = assembly.attempts.scalar_spans(tag)
    found: list[Piece] = []
    for position, (file, state) in enumerate(zip(assembly.files, assembly.states, strict=True)):
        series_id = state.table.scalar_ids.get(tag)
        if series_id is None:
            continue
        own = [span for span in spans if span.file == position] or [Span(position, 0, 0, None)]
        row = 0
        for piece in _stripe_pieces(file.stripes(state), series_id):
            found += _split(piece, row, own, everything=everything)
            row += len(piece.steps)
    return found


def marked_points_of(assembly: Assembly, tag: Tag) -> MarkedPoints | None:
    """Returns every point in order of arrival, or None if the run does not have the tag. Raises BrokenChunkError."""
    spans = assembly.attempts.scalar_spans(tag)
    found: list[tuple[Piece, NDArray[np.bool_]]] = []
    for position, (file, state) in enumerate(zip(assembly.files, assembly.states, strict=True)):
        series_id = state.table.scalar_ids.get(tag)
        if series_id is None:
            continue
        own = [span for span in spans if span.file == position] or [Span(position, 0, 0, None)]
        row = 0
        for piece in _stripe_pieces(file.stripes(state), series_id):
            found += _marked(piece, row, own)
            row += len(piece.steps)
    if not found:
        return None
    pieces, is_replaced = zip(*found, strict=True)
    return MarkedPoints(
        steps=np.concatenate([piece.steps for piece in pieces]),
        walls=np.concatenate([piece.walls for piece in pieces]),
        values=np.concatenate([piece.values for piece in pieces]),
        attempt=np.concatenate([np.full(len(piece.steps), piece.attempt, np.uint32) for piece in pieces]),
        is_replaced=np.concatenate(is_replaced),
    )


def _marked(piece: Piece, row: int, spans: list[Span]) -> Iterator[tuple[Piece, NDArray[np.bool_]]]:
    """Splits a piece by attempt, each with the rows that a restart replaced."""
    ends = [span.row for span in spans[1:]] + [row + len(piece.steps)]
    for span, end in zip(spans, ends, strict=True):
        part = piece.part(slice(max(span.row - row, 0), max(end - row, 0)))
        if len(part.steps):
            bound = span.replaced_from
            is_replaced = np.zeros(len(part.steps), np.bool_) if bound is None else part.steps >= bound
            yield part._replace(attempt=span.attempt), is_replaced


def batches_of(run: RunName, tag: Tag, pieces: list[Piece], *, max_rows: int = MAX_ROWS) -> Iterator[ScalarBatch]:
    for piece in pieces:
        for start in range(0, len(piece.steps), max_rows):
            yield ScalarBatch(run, tag, *piece.part(slice(start, start + max_rows)))


def _stripe_pieces(stripes: list[Stripe], series_id: int) -> Iterator[Piece]:
    for stripe in stripes:
        series, starts, counts = stripe.scalar_groups()
        at = int(np.searchsorted(series, series_id))
        if at < len(series) and series[at] == series_id:
            rows = slice(int(starts[at]), int(starts[at] + counts[at]))
            yield Piece(0, *stripe.scalars()).part(rows)


def _split(piece: Piece, row: int, spans: list[Span], *, everything: bool) -> Iterator[Piece]:
    """Splits a piece with ascending steps by attempt, without replaced points unless `everything` is set."""
    ends = [span.row for span in spans[1:]] + [row + len(piece.steps)]
    for span, end in zip(spans, ends, strict=True):
        part = piece.part(slice(max(span.row - row, 0), max(end - row, 0)))
        if not everything and span.replaced_from is not None:
            part = part.part(slice(0, int(np.searchsorted(part.steps, span.replaced_from, side="left"))))
        if len(part.steps):
            yield part._replace(attempt=span.attempt)


def _sorted_pieces(view: SeriesView, *, everything: bool) -> list[Piece]:
    """Sorts a copy of the points; needed when several writers log at once or out of order."""
    steps, walls, values, attempt = view.columns(all_attempts=everything)
    order = np.lexsort((steps, attempt)) if everything else np.argsort(steps, kind="stable")
    steps, walls, values, attempt = steps[order], walls[order], values[order], attempt[order]
    bounds = [0, *(np.flatnonzero(np.diff(attempt)) + 1).tolist(), len(steps)]
    return [
        Piece(int(attempt[start]), steps[start:stop], walls[start:stop], values[start:stop])
        for start, stop in pairwise(bounds)
        if start < stop
    ]
