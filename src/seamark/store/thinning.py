"""Which payloads of a long series are worth decoding: those inside a window, and of these as many as can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def within(along: NDArray[Any], start: float | None, stop: float | None) -> NDArray[np.intp]:
    """Positions of the points from `start` to `stop`, both included."""
    keep = np.ones(len(along), bool)
    if start is not None:
        keep &= along >= start
    if stop is not None:
        keep &= along <= stop
    return np.flatnonzero(keep)


def thinned(positions: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """All of them, or between half of `most` and `most`: every 2nd, 4th, 8th … and the last.

    Whole strides from the start of the series keep what is drawn in place while the series grows or the window moves.
    """
    if most <= 0 or len(positions) <= most:
        return positions
    stride = 1
    while len(positions) / stride > max(1, most - 2):
        stride *= 2
    kept = positions[positions % stride == 0]
    return kept if kept.size and kept[-1] == positions[-1] else np.append(kept, positions[-1])
