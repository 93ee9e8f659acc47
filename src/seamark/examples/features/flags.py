"""What is remarkable about a feature, as sentences with the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from seamark.examples.features.strength import SUSPECT
from seamark.examples.results.features import FeatureFlag, FeatureStatistics

MIN_MISSING = 0.05
MIN_ZEROS = 0.5
MIN_SKEWNESS = 3.0
MIN_DISTINCT = 0.5  # distinct names by rows
MIN_ROWS = 20
MIN_TOP = 0.98
MIN_DRIFT = 0.1
MAX_P = 0.01


def flags(found: FeatureStatistics, infinite: int) -> Iterator[FeatureFlag]:
    present = found.rows - found.missing
    if not found.rows:
        return
    if found.missing >= MIN_MISSING * found.rows:
        yield FeatureFlag("missing", f"{_share(found.missing, found.rows)} of the values are missing.")
    if infinite:
        yield FeatureFlag("infinite", f"{_share(infinite, found.rows)} of the values are infinite.")
    if found.distinct == 1:
        yield FeatureFlag("constant", "All values are equal." if not found.missing else "All present values are equal.")
    elif found.type == "number" and present and found.zeros >= MIN_ZEROS * present:
        yield FeatureFlag("zeros", f"{_share(found.zeros, present)} of the values are 0.")
    if found.skewness is not None and abs(found.skewness) >= MIN_SKEWNESS:
        side = "larger" if found.skewness > 0 else "smaller"
        yield FeatureFlag("skewed", f"The skewness is {found.skewness:.1f}: few values are much {side} than the rest.")
    yield from _name_flags(found, present)
    if found.truth_strength is not None and found.truth_strength >= SUSPECT:
        text = f"It alone predicts the truth (strength {found.truth_strength:.3f} of 1): is it known beforehand?"
        yield FeatureFlag("leakage", text)
    if found.drift is not None and found.drift_p is not None and found.drift >= MIN_DRIFT and found.drift_p <= MAX_P:
        p = "p < 0.0001" if found.drift_p < 1e-4 else f"p = {found.drift_p:.4f}"
        yield FeatureFlag("drift", f"The two sets differ by {found.drift:.2f} of 1 ({p}).")


def _name_flags(found: FeatureStatistics, present: int) -> Iterator[FeatureFlag]:
    if found.type == "category" and present >= MIN_ROWS and found.distinct >= MIN_DISTINCT * present:
        yield FeatureFlag("many_values", f"There are {found.distinct:,} names for {present:,} rows.")
    if found.top and found.distinct > 1 and present >= MIN_ROWS and found.top[0].count >= MIN_TOP * present:
        yield FeatureFlag("imbalanced", f"{_share(found.top[0].count, present)} of the rows have one value.")


def _share(count: int, of: int) -> str:
    percent = 100 * count / of
    digits = 0 if count == of else 1
    return f"{percent:.{digits}f} % ({count:,} of {of:,})"
