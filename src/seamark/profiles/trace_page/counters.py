"""Counters: a number over time, downsampled to pixels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.form import Times


class CounterWindow(NamedTuple):
    """One entry for each pixel that has points. Not-a-number only where a pixel has nothing else."""

    time: Times  # of the first point of the pixel
    min: NDArray[np.float64]
    max: NDArray[np.float64]
    last: NDArray[np.float64]


def counter_window(
    times: Times, values: NDArray[np.float64], *, start_ns: int, end_ns: int, width: int
) -> CounterWindow:
    """With the last point before the window and the first one after it, for lines that leave it."""
    first = max(0, int(np.searchsorted(times, start_ns)) - 1)
    end = min(len(times), int(np.searchsorted(times, end_ns)) + 1)
    times, values = times[first:end], values[first:end]
    if not len(times):
        none = np.empty(0, np.float64)
        return CounterWindow(np.empty(0, np.int64), none, none, none)
    heads = pixel_heads(times, start_ns=start_ns, end_ns=end_ns, width=width)
    tails = np.append(heads[1:], len(times)) - 1
    return CounterWindow(times[heads], np.fmin.reduceat(values, heads), np.fmax.reduceat(values, heads), values[tails])


def pixel_heads(times: Times, *, start_ns: int, end_ns: int, width: int) -> NDArray[Any]:
    """Where each pixel begins in ascending times."""
    pixels = np.floor((times - start_ns) * (width / max(1, end_ns - start_ns)))
    return np.flatnonzero(np.append(True, pixels[1:] != pixels[:-1]))
