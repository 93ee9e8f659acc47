"""Statistics of the runs of a group, and of a group compared to the baseline. Formulas: docs/comparing.md.

Callers drop non-finite values first (`finite`). A statistic that is undefined is None, never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seamark.tail_probabilities import t_quantile, t_tails

Floats = NDArray[np.float64]
RESAMPLES = 2000
CONFIDENCE = 0.95
SEED = 0
FEW = 5
NO_SPREAD = "one run has no spread: significance cannot be estimated"
NO_TEST = "neither group has any spread: Welch's test is undefined"
# The mean of more values than this is nearly normal, so its resamples are drawn from a normal distribution.
MAX_RESAMPLED = 200
BATCH = 256


@dataclass(frozen=True, slots=True)
class Summary:
    """`low` and `high`: the 95 % bootstrap interval of the mean. `std` divides by n − 1."""

    n: int
    mean: float | None
    std: float | None
    median: float | None
    iqm: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class BaselineDelta:
    """A group compared to the baseline. `difference` is the mean of the group minus that of the baseline."""

    difference: float | None
    welch_p: float | None
    bootstrap_low: float | None
    bootstrap_high: float | None
    caveat: str


@dataclass(frozen=True, slots=True)
class Welch:
    t: float
    degrees: float
    p: float


def finite(values: Iterable[float | None] | Floats) -> Floats:
    if isinstance(values, np.ndarray):
        return values[np.isfinite(values)]
    found = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
    return found[np.isfinite(found)]


def summary(values: Floats, *, seed: int = SEED) -> Summary:
    return summaries([values], seed=seed)[0]


def summaries(groups: Sequence[Floats], *, seed: int = SEED) -> list[Summary]:
    """Summarizes many groups, in batches of equal size: thousands take about a second."""
    found = [Summary(0, None, None, None, None, None, None)] * len(groups)
    for indices, batch in batches(groups):
        for at, one in zip(indices, batch_summaries(batch, seed=seed), strict=True):
            found[at] = one
    return found


def batches(groups: Sequence[Floats]) -> Iterator[tuple[list[int], Floats]]:
    """Groups of equal size as the rows of a matrix, with their indices. Empty groups are skipped."""
    by_size: dict[int, list[int]] = {}
    for at, values in enumerate(groups):
        by_size.setdefault(len(values), []).append(at)
    by_size.pop(0, None)
    for indices in by_size.values():
        for start in range(0, len(indices), BATCH):
            part = indices[start : start + BATCH]
            yield part, np.stack([groups[at] for at in part])


def batch_summaries(batch: Floats, *, seed: int) -> Iterator[Summary]:
    n = batch.shape[1]
    ordered = np.sort(batch, axis=1)
    cut = n // 4  # the interquartile mean drops this many values at either end
    middle = (ordered[:, (n - 1) // 2] / 2 + ordered[:, n // 2] / 2).tolist()
    columns = (means(batch).tolist(), middle, means(ordered[:, cut : n - cut]).tolist())
    if n == 1:
        for mean, median, iqm in zip(*columns, strict=True):
            yield Summary(1, mean, None, median, iqm, None, None)
        return
    spread = np.sqrt(variances(batch)).tolist()
    bounds = bounds_of(resampled_means(batch, seed=seed))
    for mean, median, iqm, std, (low, high) in zip(*columns, spread, bounds, strict=True):
        yield Summary(n, mean, std, median, iqm, low, high)


def means(batch: Floats) -> Floats:
    """The mean of each row, without overflow for values near the largest float."""
    scale = np.abs(batch).max(axis=1, keepdims=True)
    scale = np.where(scale > 1e300, scale, 1.0)
    return np.asarray((batch / scale).mean(axis=1) * scale[:, 0])


def variances(batch: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(np.var(batch, axis=1, ddof=1))


def bounds_of(drawn: Floats) -> list[tuple[float, float]]:
    """The bounds of the middle 95 % of the resamples in each row."""
    ordered = np.sort(drawn, axis=1)
    low, high = (quantile(ordered, tail).tolist() for tail in tails())
    return list(zip(low, high, strict=True))


def quantile(ordered: Floats, share: float) -> Floats:
    """The quantile of each row, interpolated between the two nearest values."""
    position = share * (ordered.shape[1] - 1)
    below, part = int(position), position - int(position)
    return np.asarray(ordered[:, below] * (1 - part) + ordered[:, min(below + 1, ordered.shape[1] - 1)] * part)


def resampled_means(batch: Floats, *, seed: int) -> Floats:
    """The means of the percentile bootstrap's resamples, drawn with replacement; a row per group."""
    n = batch.shape[1]
    if n > MAX_RESAMPLED:
        draws = np.random.default_rng([seed, n]).standard_normal(RESAMPLES)
        return np.asarray(batch.mean(axis=1, keepdims=True) + draws * np.sqrt(batch.var(axis=1, keepdims=True) / n))
    # Not a matrix product: waking its threads takes longer than the few sums of most batches.
    return np.asarray(np.einsum("gv,rv->gr", batch, draw_counts(n, seed) / n))


@lru_cache(maxsize=64)
def draw_counts(n: int, seed: int) -> NDArray[np.uint8]:
    """How often each value is in each resample. Groups of equal size share it, so equal groups get equal results."""
    drawn = np.random.default_rng([seed, n]).integers(0, n, size=(RESAMPLES, n))
    rows = np.arange(RESAMPLES)[:, None] * n
    counts = np.bincount((rows + drawn).ravel(), minlength=RESAMPLES * n).reshape(RESAMPLES, n)
    # Small enough to cache one of every size that a table of seeds has; `einsum` is fastest in this order.
    return np.asarray(counts, np.uint8, order="F")


def tails() -> tuple[float, float]:
    return (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2


def compare_to_baseline(values: Floats, baseline: Floats, *, seed: int = SEED) -> BaselineDelta:
    return compare_all_to_baseline([values], baseline, seed=seed)[0]


def compare_all_to_baseline(groups: Sequence[Floats], baseline: Floats, *, seed: int = SEED) -> list[BaselineDelta]:
    """Compares every group to the baseline."""
    found = [BaselineDelta(None, None, None, None, "a group without values cannot be compared")] * len(groups)
    if not len(baseline):
        return found
    base = resampled_means(baseline[None], seed=seed)
    for indices, batch in batches(groups):
        differences = (means(batch) - means(baseline[None])).tolist()
        if min(batch.shape[1], len(baseline)) < 2:
            for at, difference in zip(indices, differences, strict=True):
                found[at] = BaselineDelta(difference, None, None, None, NO_SPREAD)
            continue
        # Another seed: with the same one, the resamples of both groups would be correlated.
        bounds = bounds_of(resampled_means(batch, seed=seed + 1) - base)
        few = min(batch.shape[1], len(baseline))
        caveat = f"only {few} runs in a group: intervals and p values are rough below {FEW}" if few < FEW else ""
        for at, difference, bound, test in zip(indices, differences, bounds, welch_tests(batch, baseline), strict=True):
            found[at] = BaselineDelta(difference, test.p if test else None, *bound, caveat if test else NO_TEST)
    return found


def welch(a: Floats, b: Floats) -> Welch | None:
    """Welch's two-sided t test of equal means; None if there is no spread, or a side has fewer than two values."""
    return welch_tests(a[None], b)[0] if min(len(a), len(b)) > 1 else None


def welch_tests(batch: Floats, b: Floats) -> list[Welch | None]:
    """Welch's test of each row and `b`."""
    # The test does not depend on the unit. Scaled to at most 1, squares neither underflow nor overflow.
    unit = np.maximum(np.abs(batch).max(axis=1), np.abs(b).max())[:, None]
    unit = np.where(unit > 0, unit, 1.0)
    own, other = batch / unit, b / unit
    part_own, part_other = own.var(axis=1, ddof=1) / own.shape[1], other.var(axis=1, ddof=1) / other.shape[1]
    error = part_own + part_other
    is_flat = error <= 1e-30  # equal values may leave a rounding error
    error = np.where(is_flat, 1.0, error)
    t = (own.mean(axis=1) - other.mean(axis=1)) / np.sqrt(error)
    with np.errstate(divide="ignore"):
        degrees = 1 / ((part_own / error) ** 2 / (own.shape[1] - 1) + (part_other / error) ** 2 / (other.shape[1] - 1))
    rows = zip(is_flat.tolist(), t.tolist(), degrees.tolist(), strict=True)
    return [None if flat else Welch(value, freedom, t_tails(value, freedom)) for flat, value, freedom in rows]


def student_interval(values: Floats) -> tuple[float, float] | tuple[None, None]:
    """The 95 % interval of the mean by Student's t, which is cheap for any number of values."""
    n = len(values)
    if n < 2:
        return None, None
    reach = t_quantile(n - 1) * math.sqrt(float(values.var(ddof=1)) / n)
    return float(values.mean()) - reach, float(values.mean()) + reach
