"""95 % intervals of rates, means and differences. The page computes those that follow from counts by the same formulas.

Wilson, with n rows, the rate p and z = 1.96: centre (p + z²/2n) / (1 + z²/n), and on either side
z √(p(1 − p)/n + z²/4n²) / (1 + z²/n).

Newcombe, for the difference p₁ − p₂ of two rates with the Wilson bounds l and u:
from d − √((p₁ − l₁)² + (u₂ − p₂)²) to d + √((u₁ − p₁)² + (p₂ − l₂)²).
"""

from __future__ import annotations

import math

import numpy as np

from seamark.examples.results.result import Difference, Rate
from seamark.tables.column import Numbers
from seamark.tail_probabilities import t_quantile

Z = 1.959963984540054  # the normal distribution's 97.5 % quantile


def wilson(count: int, of: int) -> Rate:
    if not of:
        return Rate(count, of, None, None, None)
    rate = count / of
    scale = 1 + Z * Z / of
    centre = (rate + Z * Z / (2 * of)) / scale
    reach = Z * math.sqrt(rate * (1 - rate) / of + Z * Z / (4 * of * of)) / scale
    # At 0 and at `of` the bound is the rate itself; rounding must not move it past.
    low = 0.0 if count == 0 else max(0.0, centre - reach)
    high = 1.0 if count == of else min(1.0, centre + reach)
    return Rate(count, of, rate, low, high)


def newcombe(first: Rate, second: Rate) -> Difference:
    """The first rate minus the second."""
    a, b = (first.value, first.low, first.high), (second.value, second.low, second.high)
    if None in a or None in b:
        return Difference(None, None, None)
    (p1, l1, u1), (p2, l2, u2) = np.array([a, b], np.float64).tolist()
    return Difference(p1 - p2, p1 - p2 - math.hypot(p1 - l1, u2 - p2), p1 - p2 + math.hypot(u1 - p1, p2 - l2))


def mean_interval(values: Numbers) -> tuple[float, float] | tuple[None, None]:
    """Of the mean, by Student's t; None with fewer than two values."""
    if len(values) < 2:
        return None, None
    mean = float(values.mean())
    reach = t_quantile(len(values) - 1) * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean - reach, mean + reach


def holm(p_values: Numbers, tests: int | None = None) -> Numbers:
    """P values corrected for `tests` tests (by default, as many as there are values).

    Of more tests than values, the values are the smallest ones.
    """
    order = np.argsort(p_values, kind="stable")
    left = (tests if tests is not None else len(p_values)) - np.arange(len(p_values))
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p_values[order] * left)) if len(p_values) else 0.0
    return corrected
