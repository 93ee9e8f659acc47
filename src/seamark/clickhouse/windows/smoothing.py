"""The debiased moving average, as core/query/smooth.cc computes it: over every point, whatever the window shows."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.windows.lines import Lines
from seamark.clickhouse.windows.query import Rows

# So many lines are averaged point by point with one operation for all; fewer are averaged one line after the other.
MIN_ABREAST = 16


def smoothed_at(lines: Lines, points: NDArray[np.intp], line: NDArray[np.intp], weight: float) -> NDArray[np.float64]:
    """Returns the average at these points, each in the line of that number; a constant line stays what it is."""
    values, starts = lines.values, lines.starts
    if not len(points):
        return np.empty(0)
    at = values[points]
    finite = np.isfinite(values)
    total = np.cumsum(finite)
    before = np.append(0, total)[starts]
    sizes = total[lines.ends - 1] - before
    averages = _averages(values[finite], sizes, weight)
    lows, highs = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    is_shown = np.isfinite(at) & ~(lows == highs)[line]
    with np.errstate(all="ignore"):
        seen = (total[points] - before[line]).astype(np.float64)
        factor = 1 - np.power(weight, seen) if weight < 1 else np.ones(len(points))
        return np.where(is_shown, np.append(averages, 0.0)[total[points] - 1] / factor, at)


def _averages(values: NDArray[np.float64], sizes: NDArray[np.int64], weight: float) -> NDArray[np.float64]:
    """Returns the average after each value, of series one after the other."""
    order = np.argsort(-sizes, kind="stable")
    longest = sizes[order]
    starts = (np.cumsum(sizes) - sizes)[order]
    found, means = np.empty(len(values)), np.zeros(len(sizes))
    abreast = int(longest[MIN_ABREAST - 1]) if len(longest) >= MIN_ABREAST else 0
    active = np.searchsorted(-longest, -np.arange(abreast), side="left").tolist()
    for position, count in enumerate(active):
        at = starts[:count] + position
        means[:count] = means[:count] * weight + (1 - weight) * values[at]
        found[at] = means[:count]
    for start, size, mean in zip(starts.tolist(), longest.tolist(), means.tolist(), strict=True):
        if size <= abreast:
            break
        rest = values[start + abreast : start + size].tolist()
        chain = accumulate(rest, lambda average, value: average * weight + (1 - weight) * value, initial=mean)
        found[start + abreast : start + size] = np.fromiter(chain, np.float64, len(rest) + 1)[1:]
    return found


def chained(rows: Rows, weight: float) -> NDArray[np.float64]:
    """Returns the average at the end of each row of one line, from the decayed sums that the engine made of the rows.

    The average at the end of a row is linear in the one at its start.
    """
    is_constant = (
        np.nanmin(rows["min"], initial=math.inf) == np.nanmax(rows["max"], initial=-math.inf)
        and rows["finite"].sum() == rows["count"].sum()
    )
    if is_constant:
        return rows["last"].copy()
    average, seen = 0.0, 0
    found = np.empty(len(rows["last"]))
    for at, (decayed, finite) in enumerate(zip(rows["decayed"].tolist(), rows["finite"].tolist(), strict=True)):
        average = average * weight**finite + (1 - weight) * decayed
        seen += finite
        found[at] = average / (1 - weight**seen) if seen else math.nan
    return np.where(np.isfinite(rows["last"]), found, rows["last"])
