"""Results about one point: counterfactuals, neighbours, partial dependence, attributions."""

from __future__ import annotations

from typing import Literal

from seamark.examples.results.result import Result

Cell = float | bool | str | None
ProgressState = Literal["running", "done", "stopped", "failed"]
ProgressUnit = Literal["rows", "samples"]


class Prediction(Result):
    """Of one row. `score` as in Predictions; `scores` has one number for each class of a multi-class model."""

    score: float | None
    scores: tuple[float | None, ...] = ()
    predicted: str = ""  # the predicted class


class PredictionsResult(Result):
    model: str
    classes: tuple[str, ...]
    predictions: tuple[Prediction, ...]
    took_ms: float


class NearRow(Result):
    row: int
    distance: float
    prediction: Prediction | None
    truth: Cell


class FeatureDifference(Result):
    feature: str
    own: Cell
    other: Cell
    distance: float  # its part of the distance


class Counterfactual(Result):
    """The nearest row with another predicted class, or with a score that differs by at least the asked amount."""

    near: NearRow | None  # None: no row qualifies
    differences: tuple[FeatureDifference, ...] = ()  # the largest part first; equal features are left out
    candidates: int = 0  # rows that qualify
    distance: str = ""  # how it is measured, in words: "L1, standardized; categories by frequency"
    notes: tuple[str, ...] = ()


class Neighbours(Result):
    neighbours: tuple[NearRow, ...]
    distance: str


class Progress(Result):
    """Of a computation that calls a model many times. The result is final unless `state` is "running"."""

    key: str  # to stop it
    done: int
    total: int
    state: ProgressState
    error: str = ""
    traceback: str = ""
    unit: ProgressUnit = "rows"  # what `done` and `total` count: rows that the model predicts, or samples


class DependenceCurve(Result):
    row: int
    scores: tuple[float | None, ...]  # along the grid


class PartialDependence(Result):
    """The prediction along the values of one feature: of the point, of other rows, and their mean.

    With `feature2` the mean is a grid: `grid2` has its values, and `mean` is row by row along `grid2`.
    """

    feature: str
    feature2: str
    grid: tuple[Cell, ...]
    grid2: tuple[Cell, ...]
    own: float | None  # the prediction of the point with its own values
    point: tuple[float | None, ...]
    mean: tuple[float | None, ...]
    low: tuple[float | None, ...]  # 95 % interval of the mean
    high: tuple[float | None, ...]
    curves: tuple[DependenceCurve, ...]  # of the first rows of the sample; none with `feature2`
    class_name: str  # of the score
    rows: int  # over which the mean is taken
    progress: Progress


class Attribution(Result):
    feature: str
    value: float
    error: float  # standard error of `value`
    own: Cell = None  # the value of the feature at the point


class Attributions(Result):
    """Shapley values of one point, or the loss of performance when a feature is permuted."""

    method: Literal["shapley", "permutation"]
    metric: str  # what a permutation makes worse, such as "log loss"; "" for Shapley values
    baseline: float | None  # the mean prediction, or the performance without permutation
    prediction: float | None
    class_name: str  # of the score
    attributions: tuple[Attribution, ...]  # the largest magnitude first
    samples: int
    notes: tuple[str, ...]
    progress: Progress
