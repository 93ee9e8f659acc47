"""The first step at which two curves diverge beyond their noise. docs/comparing.md explains the rule.

1. The steps that both curves span, at the points of the one that has fewer there; the other is read off between its
   own points. Values that are not finite are left out before, with one exception: where one curve turns NaN or
   infinite and stays so to its end while the other goes on with finite values, the curves part there at the latest.
2. More than MAX_BLOCKS points are averaged in blocks of neighbours, as many in each.
3. The noise of a curve, around each block: what is left of a block's value after the straight line through the two
   blocks beside it. The median of its size over WINDOW blocks, scaled so that it is the standard deviation of normal
   noise. The noise of the difference is that of both curves, added in squares.
4. The difference in units of that noise, each block counted with at most CLIP, is added up from where it last was
   no more than ALLOWANCE per block, in either direction. The curves part where the sum passes a threshold that
   fewer than one in a hundred pairs of curves reach that differ by noise alone.
5. The reported step is in that stretch, or in the block before it: the point before and after which the differences are
   most unlike, unless they are alike (then the first).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

MIN_POINTS = 6
MAX_BLOCKS = 200
WINDOW = 41
ALLOWANCE = 0.5
CLIP = 4.0
FALSE_ALARMS = 0.002
MAX_LAG = 16
MAX_MEMORY = 0.97
# Of float32, in which event files hold values: less than this is rounding, not difference.
ROUNDING = 2.0**-21
RULE = "the sum of the differences, in units of the curves' own noise, less 0.5 each, passes {threshold:.1f}"


@dataclass(frozen=True, slots=True)
class Divergence:
    """`level` is the mean difference over the stretch that showed it, in units of the noise there; None where a curve
    turns non-finite, which no number measures."""

    step: float
    level: float | None
    rule: str


@dataclass(frozen=True, slots=True)
class CurveComparison:
    divergence: Divergence | None
    note: str  # why there is none


NON_FINITE_RULE = "from this step on one curve has no finite value, and the other has"


def find_divergence(steps_a: Floats, values_a: Floats, steps_b: Floats, values_b: Floats) -> CurveComparison:
    by_noise = divergence_by_noise(steps_a, values_a, steps_b, values_b)
    lost_at = non_finite_from((steps_a, values_a), (steps_b, values_b))
    if lost_at is None or (by_noise.divergence is not None and by_noise.divergence.step <= lost_at):
        return by_noise
    return CurveComparison(Divergence(lost_at, None, NON_FINITE_RULE), "")


def non_finite_from(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> float | None:
    """The step from which one curve is not finite to its end, while the other still has finite values there."""
    turned = [turns_non_finite(*curve) for curve in (a, b)]
    last = [max(cleaned(*curve)[0], default=-math.inf) for curve in (a, b)]
    found = [
        at for at, last_of_other in zip(turned, reversed(last), strict=True) if at is not None and last_of_other >= at
    ]
    return min(found, default=None)


def turns_non_finite(steps: Floats, values: Floats) -> float | None:
    """The first step of the non-finite values that a curve ends with; None when it ends with a finite one."""
    order = np.argsort(steps, kind="stable")
    finite = np.flatnonzero(np.isfinite(values[order]))
    first = int(finite[-1]) + 1 if finite.size else 0
    return float(steps[order[first]]) if first < len(values) else None


def divergence_by_noise(steps_a: Floats, values_a: Floats, steps_b: Floats, values_b: Floats) -> CurveComparison:
    grid, a, b = on_common_steps(cleaned(steps_a, values_a), cleaned(steps_b, values_b))
    if len(grid) < MIN_POINTS:
        note = f"the curves share {len(grid)} points; {MIN_POINTS} are needed to estimate their noise"
        return CurveComparison(None, note)
    size = math.ceil(len(grid) / MAX_BLOCKS)
    difference = block_means(a - b, size)
    curves = block_means(a, size), block_means(b, size)
    noise = np.hypot(*map(noise_along, curves))
    smallest = ROUNDING * float(max(np.abs(a).max(), np.abs(b).max()))
    # Runs that see the same data in the same order share their noise. Their difference is smooth then, and would be
    # taken for noise with a long memory, which neither curve has.
    noise *= min(memory_factor(difference), max(map(memory_factor, curves)))
    noise = np.maximum(noise, smallest or np.finfo(np.float64).tiny)
    threshold = threshold_for(len(difference))
    stretch = first_stretch(np.clip(difference / noise, -CLIP, CLIP), threshold)
    if stretch is None:
        return CurveComparison(None, "the curves do not diverge beyond their noise")
    start, stop = stretch
    first = refined(a - b, max(0, start - 1) * size, min(len(grid), stop * size))
    level = float(np.mean(difference[start:stop] / noise[start:stop]))
    return CurveComparison(Divergence(float(grid[first]), level, RULE.format(threshold=threshold)), "")


def cleaned(steps: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Finite ones in order of their steps; of several values at one step the last."""
    steps, values = np.asarray(steps, dtype=np.float64), np.asarray(values, dtype=np.float64)
    finite = np.isfinite(steps) & np.isfinite(values)
    steps, values = steps[finite], values[finite]
    # The first of a reversed series is the last one written.
    unique, positions = np.unique(steps[::-1], return_index=True)
    return unique, values[::-1][positions]


def on_common_steps(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> tuple[Floats, Floats, Floats]:
    if not len(a[0]) or not len(b[0]):
        return np.empty(0), np.empty(0), np.empty(0)
    low, high = max(a[0][0], b[0][0]), min(a[0][-1], b[0][-1])
    within = [steps[(steps >= low) & (steps <= high)] for steps, _ in (a, b)]
    grid = min(within, key=len)
    return grid, np.interp(grid, *a), np.interp(grid, *b)


def block_means(values: Floats, size: int) -> Floats:
    """Means of `size` neighbours; a rest that makes no block at the end is left to the last one."""
    if size == 1:
        return values
    starts = np.arange(0, len(values) - size + 1, size)
    counts = np.diff(np.append(starts, len(values)))
    return np.add.reduceat(values, starts) / counts


def noise_along(values: Floats) -> Floats:
    """The standard deviation of the noise around each value, from second differences: any straight line has none."""
    residuals = np.abs(values[1:-1] - (values[:-2] + values[2:]) / 2) * math.sqrt(2 / 3)
    half = min(WINDOW, len(residuals)) // 2
    padded = np.pad(residuals, half, mode="reflect") if 0 < half < len(residuals) else residuals
    windows = np.lib.stride_tricks.sliding_window_view(padded, min(2 * half + 1, len(padded)))
    local = np.median(windows, axis=1) / 0.6745
    # Few residuals may all be small by chance.
    local = local * (1 + 4 / len(residuals))
    if len(local) != len(residuals):
        local = np.full(len(residuals), local[0])
    return np.concatenate([local[:1], local, local[-1:]])


def memory_factor(difference: Floats) -> float:
    """How much more than independent noise the sum of the differences wanders, because the noise is autocorrelated.

    Second differences over many blocks are larger than over one when it does. From their ratio follows the memory r of
    a first-order process (x[i] = r x[i-1] + e[i]), and from that the long-run standard deviation.
    """
    lag = min(MAX_LAG, len(difference) // 12)
    near, far = second_difference(difference, 1), second_difference(difference, lag)
    if lag < 2 or near == 0:
        return 1.0
    ratio = (far / near) ** 2
    # Few differences cannot distinguish a memory much longer than the lag from chance: one in ten samples of 30
    # independent values would seem to have the longest, and curves that differ throughout would never diverge.
    low, high = 0.0, MAX_MEMORY if lag == MAX_LAG else min(MAX_MEMORY, 1 - 1 / lag)
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if variance_at(middle, lag) / variance_at(middle, 1) < ratio else (low, middle)
    return math.sqrt((1 + low) / (1 - low) * 1.5 / variance_at(low, 1))


def second_difference(values: Floats, lag: int) -> float:
    size = np.abs(values[lag:-lag] - (values[: -2 * lag] + values[2 * lag :]) / 2) if lag else np.zeros(1)
    return float(np.median(size))


def variance_at(memory: float, lag: int) -> float:
    """Of second differences of a first-order process of variance 1."""
    return 1.5 - 2 * memory**lag + 0.5 * memory ** (2 * lag)


def threshold_for(count: int) -> float:
    """Of noise alone the sum passes it once in (e^x - x - 1) / 0.5 values, x = sum + 1.166, in either direction."""
    return math.log(2 * ALLOWANCE**2 * 2 * count / FALSE_ALARMS) / (2 * ALLOWANCE) - 1.166


def first_stretch(difference: Floats, threshold: float) -> tuple[int, int] | None:
    """The first and the last but one index of the values whose sum passed."""
    above = below = 0.0
    above_from = below_from = 0
    for at, value in enumerate(difference.tolist()):
        above += value - ALLOWANCE
        below += -value - ALLOWANCE
        if above <= 0:
            above, above_from = 0.0, at + 1
        if below <= 0:
            below, below_from = 0.0, at + 1
        if max(above, below) > threshold:
            return (above_from if above > below else below_from), at + 1
    return None


def refined(difference: Floats, low: int, high: int) -> int:
    """The first point of the stretch: chance may have begun it a little before the curves did."""
    part = difference[low:high]
    if len(part) < 2:
        return low
    before, after = np.arange(1, len(part)), np.arange(len(part) - 1, 0, -1)
    sums = np.cumsum(part)[:-1]
    mean_before, mean_after = sums / before, (part.sum() - sums) / after
    split = int(np.argmax(before * after * (mean_before - mean_after) ** 2))
    was_apart = mean_before[split] * np.sign(mean_after[split]) >= abs(mean_after[split]) / 2
    return low if was_apart else low + 1 + split
