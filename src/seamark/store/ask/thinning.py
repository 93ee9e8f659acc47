"""Chooses the payloads of a long series to decode: those inside a window, evenly thinned to a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def within(x: NDArray[Any], start: float | None, stop: float | None) -> NDArray[np.intp]:
    """Returns the positions of the points from `start` to `stop`, both included."""
    keep = np.ones(len(x), bool)
    if start is not None:
        keep &= x >= start
    if stop is not None:
        keep &= x <= stop
    return np.flatnonzero(keep)


def thin(positions: NDArray[np.intp], limit: int) -> NDArray[np.intp]:
    """Returns all positions, or between half of `limit` and `limit`: every 2nd, 4th, 8th … and the last.

    Strides count from the start of the series, so that the choice is stable while the series grows or the window moves.
    """
    if limit <= 0 or len(positions) <= limit:
        return positions
    stride = 1
    while len(positions) / stride > max(1, limit - 2):
        stride *= 2
    kept = positions[positions % stride == 0]
    return kept if kept.size and kept[-1] == positions[-1] else np.append(kept, positions[-1])
