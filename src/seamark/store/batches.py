"""All points of many series, one piece after another: never more in memory than a piece, however long they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from seamark.format.types import RunName, Tag
from seamark.store.attempts import wants_all
from seamark.store.run import Assembly

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_ROWS = 65536


@dataclass(frozen=True, slots=True)
class ScalarBatch:
    """Neighbouring points of one series, in the order they were logged. All belong to one attempt."""

    run: RunName
    tag: Tag
    attempt: int
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)


@dataclass(frozen=True, slots=True)
class Piece:
    """What one stripe has of a series: views into the index, nothing is copied."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]


def pieces_of(assembly: Assembly, tag: Tag) -> list[Piece]:
    """A series in the order it was logged. Raises BrokenChunkError as the files do."""
    found = []
    for file, state in zip(assembly.files, assembly.states, strict=True):
        series_id = state.table.scalar_ids.get(tag)
        if series_id is None:
            continue
        for stripe in file.stripes(state):
            series, starts, counts = stripe.scalar_groups()
            at = int(np.searchsorted(series, series_id))
            if at < len(series) and series[at] == series_id:
                rows = slice(int(starts[at]), int(starts[at] + counts[at]))
                steps, walls, values = stripe.scalars()
                found.append(Piece(steps[rows], walls[rows], values[rows]))
    return found


def batches_of(
    run: RunName, tag: Tag, pieces: list[Piece], *, attempts: str, max_rows: int = MAX_ROWS
) -> Iterator[ScalarBatch]:
    """With `attempts` "latest" without the points whose step a later attempt has done again, as in `Store.scalars`."""
    ends = attempt_limits(pieces)
    wanted: Callable[[int], int | None] = (lambda _: None) if wants_all(attempts) else (lambda attempt: ends[attempt])
    attempt, last_step = 0, None
    for piece in pieces:
        for part, is_new_attempt in cut_at_restarts(piece, last_step):
            attempt += is_new_attempt
            last_step = int(part.steps[-1])
            limit = wanted(attempt)
            # Steps grow within an attempt, so what is left out is its end.
            stop = len(part.steps) if limit is None else int(np.searchsorted(part.steps, limit, side="left"))
            for start in range(0, stop, max_rows):
                rows = slice(start, min(start + max_rows, stop))
                yield ScalarBatch(run, tag, attempt, part.steps[rows], part.walls[rows], part.values[rows])


def cut_at_restarts(piece: Piece, last_step: int | None) -> Iterator[tuple[Piece, bool]]:
    """The parts of a piece within which no step goes back, and whether each begins a new attempt."""
    cuts = np.flatnonzero(piece.steps[1:] < piece.steps[:-1]) + 1
    bounds = [0, *cuts.tolist(), len(piece.steps)]
    for start, stop in pairwise(bounds):
        if stop > start:
            is_new = start > 0 or (last_step is not None and int(piece.steps[0]) < last_step)
            yield Piece(piece.steps[start:stop], piece.walls[start:stop], piece.values[start:stop]), is_new


def attempt_limits(pieces: list[Piece]) -> list[int | None]:
    """For each attempt the first step that a later one did again; None for the last."""
    firsts: list[int] = []
    last_step: int | None = None
    for piece in pieces:
        for part, is_new in cut_at_restarts(piece, last_step):
            if is_new or last_step is None:
                firsts.append(int(part.steps[0]))
            last_step = int(part.steps[-1])
    limits: list[int | None] = [None] * len(firsts)
    lowest: int | None = None
    for attempt in range(len(firsts) - 1, -1, -1):
        limits[attempt] = lowest
        lowest = firsts[attempt] if lowest is None else min(lowest, firsts[attempt])
    return limits
