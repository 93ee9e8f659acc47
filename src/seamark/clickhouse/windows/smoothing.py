"""The debiased moving average, as core/query/smooth.cc computes it: over every point, whatever the window shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.windows.lines import Lines
from seamark.clickhouse.windows.query import AxisRange, Rows
from seamark.store.ask.requests import Smoothing

# So many lines are averaged point by point with one operation for all; fewer are averaged one line after the other.
MIN_ABREAST = 16
# A line of fewer points is not smoothed.
MIN_SMOOTHED_POINTS = 20
MAX_ADAPTIVE_WEIGHT = 1 - 1e-9


def point_weight(smoothing: Smoothing, window: AxisRange, line: AxisRange, size: int) -> float:
    """Returns the weight from one point to the next of a line that is not constant; 0: it stays as logged."""
    if smoothing.weight == 0 or size < MIN_SMOOTHED_POINTS:
        return 0.0
    if smoothing.mode == "fixed":
        return smoothing.weight
    visible = window.stop - window.start if smoothing.visible is None else smoothing.visible
    half_life = smoothing.weight * visible
    spacing = (line.stop - line.start) / (size - 1)
    if not half_life > 0 or not spacing > 0:
        return 0.0
    return min(math.exp2(-spacing / half_life), MAX_ADAPTIVE_WEIGHT)


def line_weights(lines: Lines, window: AxisRange, smoothing: Smoothing) -> NDArray[np.float64]:
    """Returns the weight of each line."""
    if smoothing.weight == 0 or not lines.names:
        return np.zeros(len(lines.names))
    lows, highs = (reduce.reduceat(lines.values, lines.starts) for reduce in (np.minimum, np.maximum))
    firsts, lasts = lines.x[lines.starts].tolist(), lines.x[lines.ends - 1].tolist()
    weights = [
        point_weight(smoothing, window, AxisRange(*line), size)
        for *line, size in zip(firsts, lasts, lines.sizes.tolist(), strict=True)
    ]
    return np.where(lows == highs, 0.0, weights)


def smoothed_at(
    lines: Lines, points: NDArray[np.intp], line: NDArray[np.intp], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the average at these points, each in the line of that number. `weights` are those of the lines."""
    values, starts = lines.values, lines.starts
    if not len(points):
        return np.empty(0)
    at = values[points]
    finite = np.isfinite(values)
    total = np.cumsum(finite)
    before = np.append(0, total)[starts]
    sizes = total[lines.ends - 1] - before
    averages = _averages(values[finite], sizes, weights)
    weight = weights[line]
    is_shown = np.isfinite(at) & (weight > 0)
    with np.errstate(all="ignore"):
        seen = (total[points] - before[line]).astype(np.float64)
        # Not np.power, which rounds differently from machine to machine: close to weight 1 that would be seen.
        factor = np.where(weight < 1, 1 - np.float_power(weight, seen), 1.0)
        return np.where(is_shown, np.append(averages, 0.0)[total[points] - 1] / factor, at)


def _averages(
    values: NDArray[np.float64], sizes: NDArray[np.int64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the average after each value, of series one after the other."""
    order = np.argsort(-sizes, kind="stable")
    longest, weight = sizes[order], weights[order]
    starts = (np.cumsum(sizes) - sizes)[order]
    found, means = np.empty(len(values)), np.zeros(len(sizes))
    abreast = int(longest[MIN_ABREAST - 1]) if len(longest) >= MIN_ABREAST else 0
    active = np.searchsorted(-longest, -np.arange(abreast), side="left").tolist()
    for position, count in enumerate(active):
        at = starts[:count] + position
        means[:count] = means[:count] * weight[:count] + (1 - weight[:count]) * values[at]
        found[at] = means[:count]
    for start, size, mean, own in zip(starts.tolist(), longest.tolist(), means.tolist(), weight.tolist(), strict=True):
        if size <= abreast:
            break
        found[start + abreast : start + size] = _chain(values[start + abreast : start + size].tolist(), mean, own)
    return found


def _chain(values: list[float], average: float, weight: float) -> NDArray[np.float64]:
    chain = accumulate(values, lambda before, value: before * weight + (1 - weight) * value, initial=average)
    return np.fromiter(chain, np.float64, len(values) + 1)[1:]


def is_constant(rows: Mapping[str, NDArray[Any]]) -> bool:
    """Whether all points of the line that these rows summarize have one value."""
    count = rows["count"].sum()
    is_one = np.nanmin(rows["min"], initial=math.inf) == np.nanmax(rows["max"], initial=-math.inf)
    return bool((is_one and rows["finite"].sum() == count) or count in (rows["posinf"].sum(), rows["neginf"].sum()))


def chained(rows: Rows, weight: float) -> NDArray[np.float64]:
    """Returns the average at the end of each row of one line, from the decayed sums that the engine made of the rows.

    The average at the end of a row is linear in the one at its start. A line of weight 0 stays as logged.
    """
    if weight == 0:
        return rows["last"].copy()
    average, seen = 0.0, 0
    found = np.empty(len(rows["last"]))
    for at, (decayed, finite) in enumerate(zip(rows["decayed"].tolist(), rows["finite"].tolist(), strict=True)):
        average = average * weight**finite + (1 - weight) * decayed
        seen += finite
        found[at] = average / (1 - weight**seen) if seen else math.nan
    return np.where(np.isfinite(rows["last"]), found, rows["last"])
