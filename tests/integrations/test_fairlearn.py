"""The analyses of examples: every number must be that of scikit-learn and fairlearn, with real models on real data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("fairlearn", reason="run it with `make test-integrations`")
from fairlearn import metrics as fair
from fairlearn.postprocessing import ThresholdOptimizer
from sklearn import base, calibration, datasets, linear_model, metrics, model_selection

from seamark.examples.features.strength import truth_strength
from seamark.examples.form import ExampleSet, Predictions, ScoredSet
from seamark.examples.performance.measure import PerformanceOptions, measure
from seamark.examples.performance.ranking import list_quality
from seamark.examples.results.performance import PerformanceResult
from seamark.examples.schema import ColumnSchema, Schema
from seamark.tables.column import Column, Table


def scored(truth: Column, predictions: Predictions, *features: Column) -> ScoredSet:
    entries = [ColumnSchema(name=column.name, type=column.type) for column in features]
    entries.append(ColumnSchema(name=truth.name, type=truth.type, role="truth"))
    schema = Schema(columns=tuple(entries), task=predictions.task, target=truth.name, positive="1")
    return ScoredSet(ExampleSet(Table(len(truth), (*features, truth)), schema, "set"), predictions)


def of_binary(y: np.ndarray, score: np.ndarray, group: np.ndarray, ratio: float = 1.0) -> PerformanceResult:
    column = Column("group", "category", codes=group.astype(np.int32), names=("a", "b"))
    target = Column("y", "number", numbers=y.astype(float))
    one = scored(target, Predictions("binary", score, ("0", "1")), column)
    found = measure(one, np.arange(len(y)), PerformanceOptions(slice_by=["group"], cost_ratio=ratio)).binary
    assert found is not None
    return found


@pytest.fixture(scope="module")
def cancer() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The truth, the score of a model trained on the other half, and two groups of tumours by size."""
    x, y = datasets.load_breast_cancer(return_X_y=True)
    x, y = x[:, [1, 4, 8, 9]], y  # weak features, so that there are errors
    model = linear_model.LogisticRegression(max_iter=5000)
    score = model_selection.cross_val_predict(model, x, y, cv=3, method="predict_proba")[:, 1]
    return y, score, (x[:, 0] > np.median(x[:, 0])).astype(int)


def masks(found: PerformanceResult, group: np.ndarray) -> list[np.ndarray]:
    assert [one.name for one in found.slices] == ["All", "a", "b"]
    return [group >= 0, group == 0, group == 1]


def test_curves_and_scores_match_scikit_learn(cancer: Any) -> None:
    y, score, group = cancer
    found = of_binary(y, score, group)
    for one, mask in zip(found.slices, masks(found, group), strict=True):
        truth, own = y[mask], score[mask]
        assert one.roc.area == pytest.approx(metrics.roc_auc_score(truth, own))
        assert one.precision_recall.average_precision == pytest.approx(metrics.average_precision_score(truth, own))
        assert one.log_loss == pytest.approx(metrics.log_loss(truth, own))
        assert one.calibration.brier == pytest.approx(metrics.brier_score_loss(truth, own))
        # Scikit-learn keeps points on a line if its steps differ; so these are among its points, with the same area.
        points = zip(*metrics.roc_curve(truth, own, drop_intermediate=False), strict=True)
        drawn = zip(one.roc.false_positive_rate, one.roc.true_positive_rate, one.roc.thresholds, strict=True)
        assert set(list(drawn)[1:]) <= set(points)
        assert metrics.auc(one.roc.false_positive_rate, one.roc.true_positive_rate) == pytest.approx(one.roc.area)
        precision, recall, thresholds = metrics.precision_recall_curve(truth, own)
        pr = one.precision_recall
        drawn = zip(pr.precision, pr.recall, pr.thresholds, strict=True)
        assert set(drawn) <= set(zip(precision[:-1], recall[:-1], thresholds, strict=True))
        assert np.isin(recall[:-1], pr.recall).all()
        truths, means = calibration.calibration_curve(truth, own, n_bins=10, strategy="quantile")
        assert [b.score for b in one.calibration.bins] == pytest.approx(means)
        assert [b.truth.value for b in one.calibration.bins] == pytest.approx(truths)


def test_counts_match_the_confusion_matrix(cancer: Any) -> None:
    y, score, group = cancer
    found = of_binary(y, score, group)
    for one, mask in zip(found.slices, masks(found, group), strict=True):
        for at in range(0, 1001, 77):
            predicted = score[mask] >= found.thresholds[at]
            _, fp, _, tp = metrics.confusion_matrix(y[mask], predicted, labels=[0, 1]).ravel()
            assert (one.counts.true_positives[at], one.counts.false_positives[at]) == (tp, fp)


GAPS = {
    "demographic_parity": fair.demographic_parity_difference,
    "equal_opportunity": fair.equal_opportunity_difference,
    "equalized_odds": fair.equalized_odds_difference,
}


@pytest.mark.parametrize("ratio", [0.5, 1.0, 3.0])
def test_the_gaps_and_costs_of_strategies_match_fairlearn(cancer: Any, ratio: float) -> None:
    y, score, group = cancer
    found = of_binary(y, score, group, ratio)
    for one in found.strategies:
        assert one.thresholds, one.strategy
        predicted = score >= np.array(one.thresholds)[group]
        _, fp, fn, _ = metrics.confusion_matrix(y, predicted).ravel()
        assert one.cost == pytest.approx(1000 * (fp + ratio * fn) / len(y))
        if one.strategy in GAPS:
            assert one.gap == pytest.approx(GAPS[one.strategy](y, predicted, sensitive_features=group))
        if one.strategy == "equal_accuracy":
            frame = fair.MetricFrame(
                metrics=metrics.accuracy_score, y_true=y, y_pred=predicted, sensitive_features=group
            )
            assert one.gap == pytest.approx(frame.difference())


class Given(base.ClassifierMixin, base.BaseEstimator):
    """A model whose score is the input, as fairlearn wants an estimator."""

    classes_ = np.array([0, 1])

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, x: Any, y: Any) -> Given:
        return self

    def predict(self, x: Any) -> np.ndarray:
        return np.asarray(x)[:, 0]


@pytest.mark.parametrize(
    ("strategy", "constraint"),
    [("demographic_parity", "demographic_parity"), ("equal_opportunity", "true_positive_rate_parity")],
)
def test_strategies_come_near_fairlearns_randomised_optimum(cancer: Any, strategy: str, constraint: str) -> None:
    """Fairlearn's optimum mixes thresholds at random and has no gap; one threshold with a gap of 0.01 comes near it."""
    y, score, group = cancer
    optimizer = ThresholdOptimizer(
        estimator=Given(),
        constraints=constraint,
        objective="accuracy_score",
        predict_method="predict",
        prefit=True,
        grid_size=2000,
    )
    optimizer.fit(score[:, None], y, sensitive_features=group)
    shares = optimizer._pmf_predict(score[:, None], sensitive_features=group)[:, 1]
    optimum = 1000 * float(np.where(y == 1, 1 - shares, shares).mean())
    found = next(one for one in of_binary(y, score, group).strategies if one.strategy == strategy)
    assert found.cost == pytest.approx(optimum, abs=12)


def test_several_classes_match_scikit_learn() -> None:
    x, y = datasets.load_wine(return_X_y=True)
    model = linear_model.LogisticRegression(max_iter=10_000)
    scores = model_selection.cross_val_predict(model, x[:, :2], y, cv=3, method="predict_proba")
    names = ("one", "two", "three")
    target = Column("wine", "category", codes=y.astype(np.int32), names=names)
    found = measure(scored(target, Predictions("multiclass", scores, names)), np.arange(len(y)), PerformanceOptions())
    assert found.multiclass is not None
    one, predicted = found.multiclass.slices[0], scores.argmax(axis=1)
    assert np.array_equal(one.confusion, metrics.confusion_matrix(y, predicted))
    assert one.macro_f1 == pytest.approx(metrics.f1_score(y, predicted, average="macro"))
    assert one.log_loss == pytest.approx(metrics.log_loss(y, scores))
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(y, predicted)
    assert [c.precision.value for c in one.classes] == pytest.approx(precision)
    assert [c.recall.value for c in one.classes] == pytest.approx(recall)
    assert [c.f1 for c in one.classes] == pytest.approx(f1)


def test_digits_one_against_all_others() -> None:
    x, y = datasets.load_digits(return_X_y=True)
    model = linear_model.LogisticRegression(max_iter=2000)
    scores = model_selection.cross_val_predict(model, x[:, ::7], y, cv=3, method="predict_proba")
    names = tuple(map(str, range(10)))
    target = Column("digit", "number", numbers=y.astype(float))
    one = scored(target, Predictions("multiclass", scores, names))
    for digit in range(10):
        found = measure(one, np.arange(len(y)), PerformanceOptions(positive=str(digit))).binary
        assert found is not None
        assert found.slices[0].roc.area == pytest.approx(metrics.roc_auc_score(y == digit, scores[:, digit]))


def test_a_regression_matches_scikit_learn() -> None:
    x, y = datasets.load_diabetes(return_X_y=True)
    predicted = model_selection.cross_val_predict(linear_model.Ridge(), x, y, cv=3)
    target = Column("y", "number", numbers=y)
    found = measure(scored(target, Predictions("regression", predicted)), np.arange(len(y)), PerformanceOptions())
    assert found.regression is not None
    one = found.regression.slices[0]
    assert one.mean_absolute_error == pytest.approx(metrics.mean_absolute_error(y, predicted))
    assert one.root_mean_squared_error == pytest.approx(metrics.root_mean_squared_error(y, predicted))
    assert one.r2 == pytest.approx(metrics.r2_score(y, predicted))


@pytest.mark.parametrize("levels", [3, 1000])
def test_rankings_match_scikit_learn(levels: int) -> None:
    """With few levels of the score, many are equal."""
    rng = np.random.default_rng(levels)
    truth, scores = rng.integers(0, 4, 30).astype(float), rng.integers(0, levels, 30).astype(float)
    found = list_quality(truth, scores)
    assert found.ndcg == pytest.approx(metrics.ndcg_score([truth], [scores]))
    assert found.ndcg_at_10 == pytest.approx(metrics.ndcg_score([truth], [scores], k=10))


def test_the_strength_of_a_feature_matches_scikit_learn() -> None:
    x, y = datasets.load_breast_cancer(return_X_y=True)
    target = Column("y", "number", numbers=y.astype(float))
    for at in range(0, 30, 5):
        area = metrics.roc_auc_score(y, x[:, at])
        assert truth_strength(Column("x", "number", numbers=x[:, at]), target) == pytest.approx(abs(2 * area - 1))
    codes = (x[:, 0] > 14).astype(np.int32)
    information = metrics.mutual_info_score(codes, y) - 1 / (2 * len(y))
    entropy = metrics.mutual_info_score(y, y)
    found = truth_strength(Column("x", "category", codes=codes, names=("small", "large")), target)
    assert found == pytest.approx(information / entropy)
