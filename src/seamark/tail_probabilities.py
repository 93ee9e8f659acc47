"""Tail probabilities of the distributions that tests and intervals need; SciPy is not required to run Seamark."""

from __future__ import annotations

import math
from functools import lru_cache


def t_tails(t: float, degrees: float) -> float:
    """The two-sided tail probability of Student's t: I(ν/(ν + t²); ν/2, 1/2)."""
    if math.isinf(t):
        return 0.0
    return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


@lru_cache(maxsize=4096)
def t_quantile(degrees: int) -> float:
    """The value that |t| exceeds with a probability of 5 %, found by bisection on `t_tails`."""
    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tails(middle, degrees) > 0.05 else (low, middle)
    return (low + high) / 2


def normal_tail(z: float) -> float:
    """The probability that a standard normal value exceeds z."""
    return math.erfc(z / math.sqrt(2)) / 2


def chi_square_tail(value: float, degrees: float) -> float:
    """The probability that a chi-square value exceeds this one: Q(ν/2, x/2)."""
    if value <= 0 or degrees <= 0:
        return 1.0
    return incomplete_gamma_above(degrees / 2, value / 2)


def kolmogorov_tail(value: float) -> float:
    """The probability that Kolmogorov's limit √n·D exceeds this value."""
    if value < 1.18:  # the theta series of small values converges faster
        if value <= 0.04:
            return 1.0
        w = -(math.pi**2) / (8 * value * value)
        below = sum(math.exp(w * k * k) for k in (1, 3, 5, 7, 9)) * math.sqrt(2 * math.pi) / value
        return min(1.0, max(0.0, 1.0 - below))
    return min(1.0, 2 * sum((1.0 if k % 2 else -1.0) * math.exp(-2 * k * k * value * value) for k in range(1, 8)))


def incomplete_gamma_above(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x): a series below a + 1, a continued fraction above."""
    if x <= 0:
        return 1.0
    front = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1:
        return max(0.0, 1.0 - math.exp(front) * _gamma_series(a, x))
    return math.exp(front) * _gamma_fraction(a, x)


def _gamma_series(a: float, x: float) -> float:
    term = total = 1 / a
    for n in range(1, 10_000):
        term *= x / (a + n)
        total += term
        if term < total * 1e-16:
            break
    return total


def _gamma_fraction(a: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - a
    upper, lower = 1 / tiny, 1 / (b or tiny)
    value = lower
    for n in range(1, 10_000):
        term = -n * (n - a)
        b += 2
        lower = 1 / ((term * lower + b) or tiny)
        upper = (b + term / upper) or tiny
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            break
    return value


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I(x; a, b), by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    # The fraction converges fast on one side of the mean only; the other side follows by symmetry.
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta_below(1.0 - x, b, a)
    return incomplete_beta_below(x, a, b)


def incomplete_beta_below(x: float, a: float, b: float) -> float:
    front = a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(front) / (a * beta_fraction(x, a, b))


def beta_fraction(x: float, a: float, b: float) -> float:
    """1 + d₁x/(1 + d₂x/(1 + …)), evaluated forwards as a product of ratios that avoids division by zero."""
    tiny = 1e-300
    value = upper = 1.0
    lower = 0.0
    for m in range(1, 500):
        k = m // 2
        if m % 2:
            term = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        else:
            term = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        lower = 1 / ((1 + term * lower) or tiny)
        upper = (1 + term / upper) or tiny
        value *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return value
