"""Rules that find unhealthy layers from a series of histograms; docs/health.md describes them.

A hint must be worth a look, so each rule needs more than one sign and ignores doubtful cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from seamark.kinds.histogram import Histogram
from seamark.kinds.statistics.percentiles import percentiles

LASTING = 3  # how many of the newest histograms must agree
SHRUNK, GROWN, GROWN_AT_LEAST = 1e-4, 1e3, 10.0
END_SHARE, ONE_END, BOTH_ENDS = 0.05, 0.2, 0.8
DEAD_SHARE, TIGHT = 0.99, 1e-6
# Low end, high end and tolerance.
RANGES = {"sigmoid": (0.0, 1.0, 0.01), "tanh": (-1.0, 1.0, 0.02)}


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    title: str
    rule: str
    advice: str


RULES = (
    Rule(
        "not-finite",
        "NaN or infinite values",
        "A histogram has NaN among its edges, reaches to infinity, or was given values that are in none of its "
        "buckets.",
        "Look at the first step that has them: a learning rate too high, a division by zero or the logarithm of zero, "
        "float16 that overflows.",
    ),
    Rule(
        "collapsed",
        "Collapsed to zero",
        "In the newest three histograms every value is closer to zero than one ten-thousandth of the usual reach of "
        "the first half of the series.",
        "Weights: too much weight decay. Gradients: they vanish, or the loss no longer depends on this layer.",
    ),
    Rule(
        "exploding",
        "Exploding",
        "In the newest histogram the middle 87 % of the values reach 1,000 times as far from zero as they usually did "
        "in the first half of the series, and to 10 at least.",
        "Clip gradients, lower the learning rate, look at the loss at the same step.",
    ),
    Rule(
        "saturated",
        "Saturated",
        "In the newest three histograms the values fill the range of a sigmoid (0 to 1) or of tanh (−1 to 1), at least "
        "80 % of them lie within 5 % of its ends, at least 20 % at either end, and some between: with all of them at "
        "the ends it is a mask or a label.",
        "The inputs of the activation are too large: look at its weights, normalise before it, lower the learning "
        "rate.",
    ),
    Rule(
        "dead",
        "Dead units",
        "In the newest three histograms no value is below zero and 99 % are exactly zero, as after a ReLU; or every "
        "value of every histogram is zero.",
        "Lower the learning rate, use another initialisation or a leaky activation; see whether the layer gets "
        "gradients.",
    ),
)


@dataclass(frozen=True, slots=True)
class Hint:
    rule: str
    step: int  # the first of the given steps with the problem
    words: str


@dataclass(frozen=True)
class Shape:
    """A histogram with the properties that the rules use. Empty buckets are ignored."""

    step: int
    histogram: Histogram
    is_filled: bool
    reach: float  # the largest distance from zero
    is_bounded: bool

    @cached_property
    def filled(self) -> NDArray[np.float64]:
        return self.histogram.buckets[self.histogram.count > 0]

    @cached_property
    def usual_reach(self) -> float:
        """The largest distance from zero of the middle 87 %, without outliers."""
        found = percentiles(self.filled)
        return max(abs(found[1][1]), abs(found[-2][1]))

    @property
    def is_finite(self) -> bool:
        return self.histogram.left_out == 0 and self.is_bounded

    def share(self, chosen: NDArray[np.bool_]) -> float:
        counts = self.filled[:, 2]
        return float(counts[chosen].sum() / counts.sum()) if counts.size else 0.0


def shapes_of(known: Sequence[tuple[int, Histogram]]) -> list[Shape]:
    """Computes the properties of all histograms at once: a series has hundreds, and most are healthy."""
    lengths = [len(one.buckets) for _, one in known]
    some = [position for position, length in enumerate(lengths) if length]
    is_filled, reach, is_bounded = np.zeros(len(known), bool), np.zeros(len(known)), np.ones(len(known), bool)
    if some:
        buckets = np.concatenate([known[position][1].buckets for position in some])
        first = np.cumsum([0, *(lengths[position] for position in some)])[:-1]
        holds = buckets[:, 2] > 0
        is_filled[some] = np.logical_or.reduceat(holds, first)
        reach[some] = np.maximum.reduceat(np.where(holds, np.abs(buckets[:, :2]).max(axis=1), 0.0), first)
        is_bounded[some] = np.logical_and.reduceat(~holds | np.isfinite(buckets).all(axis=1), first)
    properties = zip(known, is_filled.tolist(), reach.tolist(), is_bounded.tolist(), strict=True)
    return [Shape(step, one, *found) for (step, one), *found in properties]


def hints(steps: Sequence[int], histograms: Sequence[Histogram | None]) -> list[Hint]:
    """Applies all rules to histograms in the order of their steps; None stands for an unreadable histogram."""
    shapes = shapes_of([(step, one) for step, one in zip(steps, histograms, strict=True) if one is not None])
    non_finite = [step for step, one in zip(steps, histograms, strict=True) if one is None]
    non_finite += [shape.step for shape in shapes if not shape.is_finite]
    found = [not_finite(sorted(non_finite), len(steps))] if non_finite else []
    # Empty and unbounded histograms are ignored.
    usable = [shape for shape in shapes if shape.is_filled and shape.is_bounded]
    if len(usable) >= LASTING:
        found += [hint for hint in (zero(usable), exploding(usable), saturated(usable)) if hint is not None]
    return found


def not_finite(non_finite: Sequence[int], total: int) -> Hint:
    count = f"{len(non_finite):,} of {total:,} histograms"
    return Hint("not-finite", non_finite[0], f"NaN or infinite values in {count}, first at step {non_finite[0]:,}")


def zero(shapes: Sequence[Shape]) -> Hint | None:
    """A collapse is more specific than dead units, so it is checked first."""
    return collapsed(shapes) or dead(shapes)


def collapsed(shapes: Sequence[Shape]) -> Hint | None:
    usual = median_of_first_half([shape.reach for shape in shapes])
    since = lasting_since(shapes, lambda shape: usual > 0 and shape.reach <= SHRUNK * usual)
    if since is None:
        return None
    step = shapes[since].step
    return Hint("collapsed", step, f"collapsed to zero at step {step:,}: from ±{usual:.3g} to ±{shapes[-1].reach:.3g}")


def exploding(shapes: Sequence[Shape]) -> Hint | None:
    if shapes[-1].usual_reach < GROWN_AT_LEAST:
        return None  # the common case, without computing the others
    reaches = [shape.usual_reach for shape in shapes]
    usual = median_of_first_half(reaches)
    limit = max(GROWN * usual, GROWN_AT_LEAST)
    if usual <= 0 or reaches[-1] < limit:
        return None
    step = next(shape.step for shape, reach in zip(shapes, reaches, strict=True) if reach >= limit)
    return Hint("exploding", step, f"exploding: ±{reaches[-1]:.3g} since step {step:,}, was ±{usual:.3g}")


def saturated(shapes: Sequence[Shape]) -> Hint | None:
    for name, ends in RANGES.items():
        since = lasting_since(shapes, partial(is_saturated, ends=ends))
        if since is not None:
            step = shapes[since].step
            return Hint("saturated", step, f"saturated: values at both ends of a {name}'s range since step {step:,}")
    return None


def is_saturated(shape: Shape, ends: tuple[float, float, float]) -> bool:
    low, high, slack = ends
    if abs(shape.filled[:, 0].min() - low) > slack or abs(shape.filled[:, 1].max() - high) > slack:
        return False
    middle = shape.filled[:, :2].mean(axis=1)
    margin = END_SHARE * (high - low)
    at_low, at_high = shape.share(middle <= low + margin), shape.share(middle >= high - margin)
    return min(at_low, at_high) >= ONE_END and BOTH_ENDS <= at_low + at_high < 1


def dead(shapes: Sequence[Shape]) -> Hint | None:
    if all(shape.reach == 0 for shape in shapes):
        return Hint("dead", shapes[0].step, f"every value is 0 in all {len(shapes):,} histograms")
    since = lasting_since(shapes, is_dead)
    if since is None:
        return None
    alive = 1 - zero_share(shapes[-1])
    step = shapes[since].step
    return Hint("dead", step, f"dead units: {alive:.2%} of the values are above 0 since step {step:,}")


def is_dead(shape: Shape) -> bool:
    return shape.filled[:, 0].min() >= 0 and zero_share(shape) >= DEAD_SHARE


def zero_share(shape: Shape) -> float:
    """The share of values in buckets that are so narrow that they contain only zeros."""
    return shape.share((shape.filled[:, 0] <= 0) & (shape.filled[:, 1] <= TIGHT * shape.reach))


def median_of_first_half(values: Sequence[float]) -> float:
    return float(np.median(values[: max(1, len(values) // 2)]))


def lasting_since(shapes: Sequence[Shape], holds: Callable[[Shape], bool]) -> int | None:
    """The index from which the rule holds, if it holds for the newest ones."""
    since = len(shapes)
    while since and holds(shapes[since - 1]):
        since -= 1
    return since if len(shapes) - since >= LASTING else None
