"""Errors of a regression by slice. An error is the prediction minus the truth."""

from __future__ import annotations

import numpy as np

from seamark.examples.form import ScoredSet
from seamark.examples.intervals import mean_interval
from seamark.examples.performance.parts import Part, parts
from seamark.examples.results.performance import RegressionResult, RegressionSlice
from seamark.examples.scale import safe_unit
from seamark.examples.slicing.cut import Cut
from seamark.tables.column import Numbers, Rows

BINS = 40
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
# The histogram has these quantiles of the errors in its middle, so that one large error does not hide the rest.
SHOWN = (0.005, 0.995)


def regression_performance(scored: ScoredSet, rows: Rows, cut: Cut) -> RegressionResult:
    truth = scored.truth_numbers
    assert truth is not None
    with np.errstate(invalid="ignore", over="ignore"):  # the difference of two infinities
        errors = scored.predictions.scores - truth
    is_known = np.isfinite(errors)
    edges = error_edges(errors[rows][is_known[rows]])
    found = [_slice(part, errors, truth, edges) for part in parts(rows, cut, is_known)]
    infinite = int((~is_known[rows] & ~np.isnan(scored.predictions.scores[rows]) & ~np.isnan(truth[rows])).sum())
    return RegressionResult(
        edges=tuple(edges.tolist()),
        slices=tuple(found),
        left_out=int((~is_known[rows]).sum()),
        slices_left_out=cut.left_out,
        notes=(f"{infinite:,} rows with infinite numbers are left out.",) if infinite else (),
    )


def error_edges(errors: Numbers) -> Numbers:
    """Equal steps around the shown quantiles. The outermost bins reach to the extremes. Empty without errors."""
    if not len(errors):
        return np.empty(0)
    unit = safe_unit(errors)
    low, high = (np.quantile(errors / unit, SHOWN) * unit).tolist()
    if low == high or not np.isfinite(high - low):
        low, high = float(errors.min()), float(errors.max())
    if low == high:
        reach = max(abs(low), 1.0) * 1e-3
        low, high = low - reach, high + reach
    shares = np.arange(BINS + 1) / BINS
    edges: Numbers = np.unique(low * (1 - shares) + high * shares)
    edges[0], edges[-1] = min(edges[0], errors.min()), max(edges[-1], errors.max())
    return edges


def _slice(part: Part, all_errors: Numbers, all_truth: Numbers, edges: Numbers) -> RegressionSlice:
    errors, truth = all_errors[part.rows], all_truth[part.rows]
    empty = RegressionSlice(part.name, part.conditions, 0, None, None, None, None, None, None, (), ())
    if not len(errors):
        return empty
    unit = safe_unit(errors, truth)
    low, high = mean_interval(errors / unit)
    return RegressionSlice(
        name=part.name,
        conditions=part.conditions,
        rows=len(errors),
        mean_error=float((errors / unit).mean()) * unit,
        mean_error_low=None if low is None else low * unit,
        mean_error_high=None if high is None else high * unit,
        mean_absolute_error=float(np.abs(errors / unit).mean()) * unit,
        root_mean_squared_error=float(np.sqrt(((errors / unit) ** 2).mean())) * unit,
        r2=_r2(errors / unit, truth / unit),
        quantiles=tuple((np.quantile(errors / unit, QUANTILES) * unit).tolist()),
        histogram=tuple(np.histogram(errors, edges)[0].tolist()),
    )


def _r2(errors: Numbers, truth: Numbers) -> float | None:
    """The share of the truth's variance that the predictions explain; None if the truth has none."""
    spread = float(((truth - truth.mean()) ** 2).sum())
    if len(truth) < 2 or truth.min() == truth.max() or spread == 0:
        return None
    return 1 - float((errors**2).sum()) / spread
