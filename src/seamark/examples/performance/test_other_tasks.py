"""Several classes, numbers and rankings, compared with brute force and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from seamark.examples.form import ExamplesError, ExampleSet, Predictions, ScoredSet
from seamark.examples.performance.kendall import kendall_tau
from seamark.examples.performance.measure import PerformanceOptions, measure
from seamark.examples.performance.ranking import list_quality
from seamark.examples.results.performance import MulticlassResult, RankingResult, RegressionResult
from seamark.examples.schema import ColumnSchema, Role, Schema
from seamark.examples.slices.test_support import named, scored_set
from seamark.tables.column import Column, Table

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")
NAMES = ("a", "b", "c")


def multiclass(truth: list[int], scores: np.ndarray, *groups: Column) -> ScoredSet:
    target = named("label", np.array(truth, int), NAMES)
    return scored_set(Table(len(truth), groups), target, Predictions("multiclass", scores, NAMES))


def of_classes(scored: ScoredSet, **options: object) -> MulticlassResult:
    found = measure(scored, np.arange(scored.examples.rows), PerformanceOptions(**options))  # type: ignore[arg-type]
    assert found.multiclass is not None
    return found.multiclass


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 2)), max_size=40))
def test_confusion_precision_recall_and_f1(pairs: list[tuple[int, int]]) -> None:
    scores = np.array([[np.nan] * 3 if p < 0 else [float(k == p) for k in range(3)] for _, p in pairs]).reshape(-1, 3)
    found = of_classes(multiclass([t for t, _ in pairs], scores))
    known = [(t, p) for t, p in pairs if t >= 0 and p >= 0]
    everything = found.slices[0]
    assert everything.rows == len(known) and found.left_out == len(pairs) - len(known)
    assert everything.confusion == tuple(tuple(known.count((t, p)) for p in range(3)) for t in range(3))
    expected = []
    for k, one in enumerate(everything.classes):
        right, truth, predicted = known.count((k, k)), sum(t == k for t, _ in known), sum(p == k for _, p in known)
        assert (one.precision.count, one.precision.of, one.recall.of) == (right, predicted, truth)
        if truth + predicted:
            expected.append(2 * right / (truth + predicted))
    assert everything.macro_f1 == (pytest.approx(np.mean(expected)) if expected else None)
    assert everything.accuracy.value == (sum(t == p for t, p in known) / len(known) if known else None)


def test_one_class_against_all_others() -> None:
    rng = np.random.default_rng(0)
    scores = rng.dirichlet([1, 1, 1], 200)
    truth = rng.integers(0, 3, 200).tolist()
    scored = multiclass(truth, scores)
    found = measure(scored, np.arange(200), PerformanceOptions(positive="b"))
    assert found.task == "binary" and found.binary is not None and found.binary.positive == "b"
    is_b = np.array(truth) == 1
    wins = (scores[is_b, 1][:, None] > scores[~is_b, 1]).mean()
    assert found.binary.slices[0].roc.area == pytest.approx(wins) and found.binary.left_out == 0
    with pytest.raises(ExamplesError, match="no class 'x'"):
        measure(scored, np.arange(200), PerformanceOptions(positive="x"))


def regression(truth: list[float], predicted: list[float], *columns: Column, **options: object) -> RegressionResult:
    target = Column("y", "number", numbers=np.array(truth, float))
    scored = scored_set(Table(len(truth), columns), target, Predictions("regression", np.array(predicted, float)))
    found = measure(scored, np.arange(len(truth)), PerformanceOptions(**options))  # type: ignore[arg-type]
    assert found.regression is not None
    return found.regression


def test_errors_of_a_regression_by_slice() -> None:
    rng = np.random.default_rng(1)
    truth, group = rng.normal(size=400), rng.integers(0, 2, 400)
    predicted = truth + rng.standard_t(2, 400)
    found = regression(truth.tolist(), predicted.tolist(), named("g", group, ("x", "y")), slice_by=["g"])
    for one, mask in zip(found.slices, (group >= 0, group == 0, group == 1), strict=True):
        errors = (predicted - truth)[mask]
        low, high = stats.t.interval(0.95, len(errors) - 1, errors.mean(), stats.sem(errors))
        assert (one.mean_error_low, one.mean_error_high) == (pytest.approx(low), pytest.approx(high))
        assert one.mean_error == pytest.approx(errors.mean())
        assert one.mean_absolute_error == pytest.approx(np.abs(errors).mean())
        assert one.root_mean_squared_error == pytest.approx(math.sqrt((errors**2).mean()))
        assert one.r2 == pytest.approx(1 - (errors**2).sum() / ((truth[mask] - truth[mask].mean()) ** 2).sum())
        assert one.quantiles == pytest.approx(np.quantile(errors, [0.05, 0.25, 0.5, 0.75, 0.95]))
        assert sum(one.histogram) == one.rows == mask.sum()


@pytest.mark.parametrize("truth", [[], [1.0], [2.0, 2.0, 2.0], [math.nan], [math.inf, 1.0, 2.0], [1e308, -1e308, 1.0]])
def test_errors_of_few_or_extreme_numbers(truth: list[float]) -> None:
    found = regression(truth, [0.0] * len(truth))
    known = sum(map(math.isfinite, truth))
    everything = found.slices[0]
    assert everything.rows == known and found.left_out == len(truth) - known
    assert (everything.mean_error is None) == (known == 0) and sum(everything.histogram) == known
    assert everything.r2 is None or math.isfinite(everything.r2)
    assert known < 2 or everything.mean_error_low is not None


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=2, max_size=40))
def test_kendalls_tau_matches_scipy(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array(side, float) for side in zip(*pairs, strict=True))
    expected = stats.kendalltau(x, y).statistic if len(set(x)) > 1 and len(set(y)) > 1 else math.nan
    assert kendall_tau(x, y) == pytest.approx(expected, nan_ok=True)


def test_a_perfect_ranking_and_its_reverse() -> None:
    truth = np.array([3.0, 2.0, 1.0, 0.0])
    best, worst = list_quality(truth, truth), list_quality(truth, -truth)
    assert best == pytest.approx((1.0, 1.0, 1.0, 1.0))
    assert worst.reciprocal_rank == 0.5 and worst.kendall_tau == -1 and worst.ndcg < best.ndcg
    assert np.isnan(list_quality(np.zeros(3), np.arange(3.0))).all()


def ranking(truth: list[float], scores: list[float], group: list[int] | None) -> RankingResult:
    columns = [Column("rank", "number", numbers=np.array(truth, float))]
    roles: dict[str, Role] = {"rank": "truth", "query": "group"}
    if group is not None:
        columns.append(Column("query", "number", numbers=np.array(group, float)))
    entries = tuple(ColumnSchema(name=c.name, type=c.type, role=roles[c.name]) for c in columns)
    schema = Schema(columns=entries, task="ranking", target="rank")
    examples = ExampleSet(Table(len(truth), tuple(columns)), schema, "generated")
    found = measure(
        ScoredSet(examples, Predictions("ranking", np.array(scores, float))),
        np.arange(len(truth)),
        PerformanceOptions(),
    )
    assert found.ranking is not None
    return found.ranking


def test_rankings_are_means_over_lists() -> None:
    found = ranking([1, 0, 0, 1, 0], [0.9, 0.5, 0.1, 0.2, 0.8], [7, 7, 7, 8, 8]).slices[0]
    assert found.groups == 2 and found.mean_reciprocal_rank == pytest.approx((1 + 1 / 2) / 2)
    assert found.ndcg == pytest.approx((1 + 1 / math.log2(3)) / 2)
    alone = ranking([1, 0], [0.1, 0.9], None)
    assert alone.slices[0].groups == 1 and "one list" in alone.notes[0]
    assert ranking([], [], []).slices[0].ndcg is None


def test_weights_are_said_to_be_ignored() -> None:
    target = Column("y", "number", numbers=np.arange(3.0))
    weights = Column("w", "number", numbers=np.ones(3))
    schema = Schema(
        columns=(
            ColumnSchema(name="w", type="number", role="weight"),
            ColumnSchema(name="y", type="number", role="truth"),
        ),
        task="regression",
        target="y",
    )
    examples = ExampleSet(Table(3, (weights, target)), schema, "generated")
    found = measure(ScoredSet(examples, Predictions("regression", np.zeros(3))), np.arange(3), PerformanceOptions())
    assert found.regression is not None and "'w' are ignored" in found.regression.notes[0]
