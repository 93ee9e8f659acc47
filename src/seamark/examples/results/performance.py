"""Results about performance and fairness."""

from __future__ import annotations

from typing import Literal

from seamark.examples.results.result import Condition, Rate, Result
from seamark.examples.schema import Task

Strategy = Literal[
    "custom",
    "single",
    "per_group",
    "demographic_parity",
    "equal_opportunity",
    "equal_accuracy",
    "equalized_odds",
]


class ThresholdCounts(Result):
    """At each of the thresholds of PerformanceResult: how many rows with a score at or above it are right and wrong.

    Everything at a threshold follows: FN = positives - TP, TN = negatives - FP.
    """

    true_positives: tuple[int, ...]
    false_positives: tuple[int, ...]


class RocCurve(Result):
    """Exact at every distinct score, thinned to the points that change the picture."""

    false_positive_rate: tuple[float, ...]
    true_positive_rate: tuple[float, ...]
    thresholds: tuple[float | None, ...]  # None: above every score
    area: float | None
    area_low: float | None  # 95 % interval (DeLong)
    area_high: float | None


class PrecisionRecallCurve(Result):
    recall: tuple[float, ...]
    precision: tuple[float, ...]
    thresholds: tuple[float, ...]
    average_precision: float | None


class CalibrationBin(Result):
    score: float  # the mean of the bin
    truth: Rate


class Calibration(Result):
    bins: tuple[CalibrationBin, ...]
    expected_error: float | None  # mean absolute distance, weighted by rows
    brier: float | None


class SlicePerformance(Result):
    """One slice of a binary model; the first of the list is all rows."""

    name: str  # "All", "Female", "Female, 25 to 65"
    conditions: tuple[Condition, ...]
    rows: int  # with a score and a truth
    positives: int
    negatives: int
    counts: ThresholdCounts
    roc: RocCurve
    precision_recall: PrecisionRecallCurve
    calibration: Calibration
    log_loss: float | None


class StrategyResult(Result):
    strategy: Strategy
    thresholds: tuple[float, ...]  # one for each slice without the first; empty: no thresholds meet it
    cost: float | None  # of 1,000 rows
    gap: float | None  # what is left of the difference that the strategy makes equal, the largest between two slices


class PerformanceResult(Result):
    """Of a binary model, or of one class against all others.

    `thresholds` are those of `counts`, in ascending order. Without slices, strategies have one threshold, for all rows.
    """

    positive: str
    thresholds: tuple[float, ...]
    slices: tuple[SlicePerformance, ...]
    strategies: tuple[StrategyResult, ...]  # without "custom"
    tolerance: float  # the largest gap that a strategy accepts
    left_out: int  # rows without a score or a truth
    slices_left_out: int  # values with too few rows or beyond the limit of slices
    notes: tuple[str, ...]


class ClassPerformance(Result):
    name: str
    truth: int
    predicted: int
    right: int
    precision: Rate
    recall: Rate
    f1: float | None


class MulticlassSlice(Result):
    name: str
    conditions: tuple[Condition, ...]
    rows: int
    accuracy: Rate
    macro_f1: float | None
    log_loss: float | None
    classes: tuple[ClassPerformance, ...]
    confusion: tuple[tuple[int, ...], ...]  # by truth, then by prediction


class MulticlassResult(Result):
    classes: tuple[str, ...]
    slices: tuple[MulticlassSlice, ...]
    left_out: int
    slices_left_out: int
    notes: tuple[str, ...]


class RegressionSlice(Result):
    """Errors are predictions minus truths."""

    name: str
    conditions: tuple[Condition, ...]
    rows: int
    mean_error: float | None
    mean_error_low: float | None  # 95 % interval
    mean_error_high: float | None
    mean_absolute_error: float | None
    root_mean_squared_error: float | None
    r2: float | None
    quantiles: tuple[float, ...]  # of the error: 5, 25, 50, 75, 95 %
    histogram: tuple[int, ...]  # rows by `edges` of RegressionResult


class RegressionResult(Result):
    edges: tuple[float, ...]
    slices: tuple[RegressionSlice, ...]
    left_out: int
    slices_left_out: int
    notes: tuple[str, ...]


class RankingSlice(Result):
    name: str
    conditions: tuple[Condition, ...]
    rows: int
    groups: int  # lists that are ranked
    ndcg: float | None
    ndcg_at_10: float | None
    mean_reciprocal_rank: float | None
    kendall_tau: float | None


class RankingResult(Result):
    slices: tuple[RankingSlice, ...]
    left_out: int
    slices_left_out: int
    notes: tuple[str, ...]


class TaskPerformance(Result):
    """The performance of a model, in the field of its task; the others are None."""

    task: Task
    binary: PerformanceResult | None = None
    multiclass: MulticlassResult | None = None
    regression: RegressionResult | None = None
    ranking: RankingResult | None = None
