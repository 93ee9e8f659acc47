from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from seamark.examples.form import ExamplesError, ExampleSet, Model
from seamark.examples.points.analysis import Analysis, student_quantile
from seamark.examples.points.dependence import DependenceAnalysis, DependenceOptions
from seamark.examples.points.permutation import PermutationAnalysis, PermutationOptions
from seamark.examples.points.point import make_point
from seamark.examples.points.point_sets import Function, NumpyModel, example_set
from seamark.examples.points.shapley import ShapleyAnalysis, ShapleyOptions
from seamark.examples.results.points import Attributions, PartialDependence, Progress


def finished(analysis: Analysis) -> PartialDependence | Attributions:
    for _ in analysis.steps():
        assert analysis.done <= analysis.total
    assert analysis.done == analysis.total
    return analysis.result(Progress("key", analysis.done, analysis.total, "done"))


def dependence(model: Model, examples: ExampleSet, options: DependenceOptions, **edits: float) -> PartialDependence:
    result = finished(DependenceAnalysis(model, make_point(examples, 0, edits), options))
    assert isinstance(result, PartialDependence)
    return result


def people(rows: int = 40) -> ExampleSet:
    random = np.random.default_rng(8)
    return example_set(
        {
            "age": random.integers(20, 60, rows).astype(float).tolist(),
            "hours": random.normal(40, 10, rows).tolist(),
            "city": random.choice(["Rome", "Oslo", "Bonn"], rows, p=[0.6, 0.3, 0.1]).tolist(),
        }
    )


def score(f: dict[str, np.ndarray[tuple[int], np.dtype[np.object_]]]) -> object:
    linear = f["age"].astype(float) * 0.1 - 3 + f["hours"].astype(float) * 0.01 + (f["city"] == "Oslo") * 0.5
    return 1 / (1 + np.exp(-linear))


# Partial dependence


def test_partial_dependence_is_the_mean_over_rows_with_the_feature_replaced() -> None:
    examples = people()
    model = NumpyModel(examples, score)
    result = dependence(model, examples, DependenceOptions("hours", rows=40, grid=8), age=33.0)
    rows = [{c.name: c.value(row) for c in examples.features} for row in range(40)]

    def by_hand(row: dict[str, object], value: object) -> float:
        changed = {**row, "hours": value}
        return float(np.asarray(score({k: np.array([v], object) for k, v in changed.items()}))[0])

    for position, value in enumerate(result.grid):
        scores = [by_hand(row, value) for row in rows]
        assert result.mean[position] == pytest.approx(np.mean(scores))
        half = student_quantile(39) * np.std(scores, ddof=1) / math.sqrt(40)
        assert result.high[position] == pytest.approx(np.mean(scores) + half)
        assert result.point[position] == pytest.approx(by_hand({**rows[0], "age": 33.0}, value))
    for curve in result.curves:
        assert curve.scores == pytest.approx([by_hand(rows[curve.row], value) for value in result.grid])
    assert result.own in [pytest.approx(value) for value in result.point]
    assert (result.rows, result.class_name, len(result.curves)) == (40, "yes", 40)


def test_the_grid_has_quantiles_that_occur_and_the_own_value() -> None:
    examples = example_set({"x": [float(v) for v in range(101)]})
    result = dependence(NumpyModel(examples, lambda f: f["x"]), examples, DependenceOptions("x", grid=5), x=2.5)
    assert result.grid == (0.0, 2.5, 25.0, 50.0, 75.0, 100.0)


def test_a_feature_that_is_mostly_zero_still_has_a_grid() -> None:
    examples = example_set({"gain": [0.0] * 900 + [float(v) for v in range(1, 101)]})
    model = NumpyModel(examples, lambda f: f["gain"])
    grid = dependence(model, examples, DependenceOptions("gain", grid=10)).grid
    assert (grid[0], grid[-1], len(grid)) == (0.0, 100.0, 10)


def test_the_grid_of_a_category_has_the_most_frequent_names_and_the_own() -> None:
    examples = example_set({"c": ["b", "a", "a", "a", "c", "c"]})
    model = NumpyModel(examples, lambda f: (f["c"] == "a") * 1.0)
    assert dependence(model, examples, DependenceOptions("c")).grid == ("a", "c", "b")
    assert dependence(model, examples, DependenceOptions("c", grid=2)).grid == ("a", "b")


def test_two_features_make_a_plane_row_by_row_along_the_second() -> None:
    examples = example_set({"x": [0.0, 1.0, 2.0], "y": [True, False, True]})
    model = NumpyModel(examples, lambda f: f["x"] * 10 + f["y"], "regression")
    result = dependence(model, examples, DependenceOptions("x", "y", rows=3))
    assert (result.grid, result.grid2) == ((0.0, 1.0, 2.0), (False, True))
    assert result.mean == (0, 10, 20, 1, 11, 21)
    assert result.point == result.mean
    assert result.curves == ()


def test_a_multi_class_model_has_the_curve_of_one_class() -> None:
    examples = example_set({"x": [0.0, 0.25, 1.0]}, task="multiclass")
    model = NumpyModel(
        examples, lambda f: np.stack([1 - f["x"], f["x"] / 2, f["x"] / 2], axis=1), "multiclass", ("a", "b", "c")
    )
    assert dependence(model, examples, DependenceOptions("x")).class_name == "a"
    chosen = dependence(model, examples, DependenceOptions("x", class_name="c"))
    assert chosen.point == (0, 0.125, 0.5)
    with pytest.raises(ExamplesError, match="no class 'd'"):
        dependence(model, examples, DependenceOptions("x", class_name="d"))


def test_there_is_a_result_after_every_step() -> None:
    examples = people()
    analysis = DependenceAnalysis(NumpyModel(examples, score), make_point(examples, 0, {}), DependenceOptions("age"))
    seen = []
    for _ in analysis.steps():
        part = analysis.result(Progress("", analysis.done, analysis.total, "running"))
        seen.append((part.rows, len(part.mean)))
        assert len(part.point) == len(part.grid)
    assert seen[0] == (0, 0)
    assert seen[-1] == (40, len(part.grid))


def test_scores_that_are_not_numbers_are_left_out_of_the_mean() -> None:
    examples = example_set({"x": [0.0, 1.0], "y": [1.0, 2.0]})
    model = NumpyModel(examples, lambda f: np.where(f["y"] == 1, np.nan, f["x"].astype(float)), "regression")
    result = dependence(model, examples, DependenceOptions("x"))
    assert (result.mean, result.low, result.point) == ((0, 1), (None, None), (None, None))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (DependenceOptions("z"), "no feature 'z'"),
        (DependenceOptions("x", "x"), "the same twice"),
        (DependenceOptions("e"), "no finite value"),
    ],
)
def test_impossible_grids_get_a_sentence(options: DependenceOptions, message: str) -> None:
    examples = example_set({"x": [0.0, 1.0], "e": [None, math.inf]})
    with pytest.raises(ExamplesError, match=message):
        dependence(NumpyModel(examples, lambda f: f["x"]), examples, options)


# Shapley values


def exact_shapley(function: Function, examples: ExampleSet, row: int) -> list[float]:
    """By all orders and all background rows."""
    names = [column.name for column in examples.features]
    own = {column.name: column.value(row) for column in examples.features}
    values = dict.fromkeys(names, 0.0)
    orders = list(itertools.permutations(names))
    for order in orders:
        for other in range(examples.rows):
            mixed = {column.name: column.value(other) for column in examples.features}
            before = float(np.asarray(function({k: np.array([v], object) for k, v in mixed.items()}))[0])
            for name in order:
                mixed[name] = own[name]
                after = float(np.asarray(function({k: np.array([v], object) for k, v in mixed.items()}))[0])
                values[name] += (after - before) / len(orders) / examples.rows
                before = after
    return [values[name] for name in names]


def shapley(model: Model, examples: ExampleSet, row: int, samples: int) -> Attributions:
    result = finished(ShapleyAnalysis(model, make_point(examples, row, {}), ShapleyOptions(samples=samples)))
    assert isinstance(result, Attributions)
    return result


def interacting(f: dict[str, np.ndarray[tuple[int], np.dtype[np.object_]]]) -> object:
    a, b = f["a"].astype(float), f["b"].astype(float)
    return a * b + np.maximum(a, b) + (f["c"] == "x") * a - 0.5 * b


def test_shapley_values_are_within_their_errors_of_the_exact_ones() -> None:
    random = np.random.default_rng(5)
    examples = example_set(
        {
            "a": random.normal(size=12).tolist(),
            "b": random.normal(size=12).tolist(),
            "c": random.choice(["x", "y", "z"], 12).tolist(),
        },
        task="regression",
    )
    model = NumpyModel(examples, interacting, "regression")
    off = []
    for row in range(8):
        result = shapley(model, examples, row, 400)
        by_feature = {entry.feature: entry for entry in result.attributions}
        for name, exact in zip("abc", exact_shapley(interacting, examples, row), strict=True):
            off.append(abs(by_feature[name].value - exact) / max(by_feature[name].error, 1e-12))
        assert result.prediction is not None
        assert result.baseline is not None
        total = sum(entry.value for entry in result.attributions)
        assert total == pytest.approx(result.prediction - result.baseline)
    # 24 estimates: about one in 20 may be off by more than two standard errors, none by more than four.
    assert sum(value > 2 for value in off) <= 4
    assert max(off) < 4


def test_a_feature_that_the_model_ignores_has_no_part_and_no_error() -> None:
    examples = example_set({"a": [1.0, 2.0, 5.0], "b": [1.0, 2.0, 9.0]}, task="regression")
    result = shapley(NumpyModel(examples, lambda f: f["a"] * 2, "regression"), examples, 2, 100)
    ignored = result.attributions[-1]
    assert (ignored.feature, ignored.value, ignored.error, ignored.own) == ("b", 0, 0, 9.0)


def test_sampling_stops_when_it_is_precise_enough() -> None:
    examples = example_set({"a": [0.0] * 50 + [1.0], "b": [float(v) for v in range(51)]}, task="regression")
    model = NumpyModel(examples, lambda f: f["a"] * 100 + f["b"] * 0.001, "regression")
    result = shapley(model, examples, 50, 5000)
    assert result.samples < 5000
    assert "under 1 %" in result.notes[-1]
    assert max(entry.error for entry in result.attributions) <= 0.01 * result.attributions[0].value


def test_features_that_are_equal_are_not_predicted() -> None:
    columns = {f"f{index}": [1.0] * 6 for index in range(20)}
    examples = example_set({**columns, "x": [float(v) for v in range(6)]}, task="regression")
    model = NumpyModel(examples, lambda f: f["x"], "regression")
    result = shapley(model, examples, 5, 40)
    assert model.predicted <= 1 + result.samples * 2 * 2


def test_a_model_that_returns_nan_is_not_explained() -> None:
    examples = example_set({"a": [1.0, 2.0]}, task="regression")
    with pytest.raises(ExamplesError, match="NaN"):
        shapley(NumpyModel(examples, lambda f: f["a"] * np.nan, "regression"), examples, 0, 10)


# Permutation importance


def permutation(model: Model, examples: ExampleSet, repeats: int = 5, rows: int = 1000) -> Attributions:
    result = finished(PermutationAnalysis(model, examples, PermutationOptions(repeats, rows)))
    assert isinstance(result, Attributions)
    return result


def test_the_importance_is_the_rise_of_the_error_when_a_feature_is_shuffled() -> None:
    random = np.random.default_rng(6)
    a, b = random.normal(size=400), random.normal(size=400)
    examples = example_set({"a": a.tolist(), "b": b.tolist(), "y": (3 * a).tolist()}, target="y", task="regression")
    result = permutation(NumpyModel(examples, lambda f: f["a"].astype(float) * 3, "regression"), examples, 20)
    assert (result.metric, result.samples) == ("mean absolute error", 20)
    assert result.baseline == pytest.approx(0)
    first, second = result.attributions
    # The mean difference over all pairs of rows is what shuffling estimates.
    expected = 3 * np.abs(a[:, None] - a[None, :]).mean()
    assert first.feature == "a"
    assert abs(first.value - expected) < 3 * first.error
    assert (second.value, second.error) == (0, 0)


@pytest.mark.parametrize(
    ("scores", "metric"), [(lambda x: 1 / (1 + np.exp(-x)), "log loss"), (lambda x: 5 * x, "wrong classes")]
)
def test_the_metric_of_classes_depends_on_the_scores(scores: Function, metric: str) -> None:
    random = np.random.default_rng(7)
    x = random.normal(size=200)
    examples = example_set({"x": x.tolist(), "z": random.normal(size=200).tolist(), "y": (x > 0).tolist()}, target="y")
    model = NumpyModel(examples, lambda f: scores(f["x"].astype(float)), "binary", ("false", "true"))  # type: ignore[arg-type]
    result = permutation(model, examples)
    assert result.metric == metric
    assert [entry.feature for entry in result.attributions] == ["x", "z"]
    assert result.attributions[0].value > 5 * result.attributions[0].error


def test_ranking_scores_are_measured_by_the_order_of_pairs() -> None:
    x = list(range(100))
    examples = example_set({"x": [float(v) for v in x], "y": [float(v) for v in x]}, target="y", task="ranking")
    result = permutation(NumpyModel(examples, lambda f: f["x"], "ranking"), examples)
    assert (result.metric, result.baseline) == ("pairs in the wrong order", 0)
    assert result.attributions[0].value == pytest.approx(0.5, abs=0.1)


def test_permutation_needs_a_truth() -> None:
    examples = example_set({"x": [1.0, 2.0]})
    with pytest.raises(ExamplesError, match="needs the truth"):
        permutation(NumpyModel(examples, lambda f: f["x"]), examples)


def test_rows_without_a_truth_are_left_out() -> None:
    examples = example_set({"x": [1.0, 2.0, 3.0], "y": [1.0, None, 3.0]}, target="y", task="regression")
    result = permutation(NumpyModel(examples, lambda f: f["x"], "regression"), examples)
    assert "2 rows" in result.notes[0]


@pytest.mark.parametrize("degrees", [1, 2, 3, 5, 10, 50, 199, 1000])
def test_student_quantiles_are_those_of_scipy(degrees: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert student_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=5e-3)
