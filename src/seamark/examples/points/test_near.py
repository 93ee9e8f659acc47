from __future__ import annotations

import numpy as np
import pytest

from seamark.examples.form import ExampleSet, Predictions
from seamark.examples.points.distance import DistanceOptions, distance_column
from seamark.examples.points.near import CounterfactualOptions, nearest_counterfactual, nearest_neighbours
from seamark.examples.points.point import make_point
from seamark.examples.points.point_sets import example_set, scored_set

RANDOM = np.random.default_rng(4)
SCORES = RANDOM.random(300)


def census() -> ExampleSet:
    random = np.random.default_rng(3)
    return example_set(
        {
            "age": np.round(random.normal(40, 10, 300)).tolist(),
            "hours": [None if v < 25 else float(round(v)) for v in random.normal(40, 12, 300)],
            "sex": random.choice(["Female", "Male"], 300).tolist(),
            "own_home": (random.random(300) < 0.3).tolist(),
        }
    )


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("fixed", [(), ("sex", "own_home")])
def test_the_counterfactual_is_the_nearest_row_of_another_class(norm: str, fixed: tuple[str, ...]) -> None:
    examples = census()
    scored = scored_set(examples, SCORES)
    options = CounterfactualOptions(DistanceOptions(norm), fixed, threshold=0.3)  # type: ignore[arg-type]
    for row in range(0, 300, 17):
        point = make_point(examples, row, {})
        own = Predictions("binary", SCORES[row : row + 1], ("no", "yes"))
        found = nearest_counterfactual(scored, point, own, options)
        distances = distance_column(examples, row, options.distance)
        qualifying = [
            other
            for other in range(300)
            if (SCORES[other] >= 0.3) != (SCORES[row] >= 0.3)
            and all(examples.table.by_name[f].value(other) == point.value(f) for f in fixed)
        ]
        assert found.near is not None
        assert found.near.row == min(qualifying, key=lambda other: (distances[other], other))
        assert found.near.distance == pytest.approx(float(distances[found.near.row]))
        assert found.candidates == len(qualifying)
        differing = [c.name for c in examples.features if c.value(row) != c.value(found.near.row)]
        assert sorted(d.feature for d in found.differences) == sorted(differing)
        parts = [d.distance for d in found.differences]
        assert parts == sorted(parts, reverse=True)
        assert sum(parts) == pytest.approx(found.near.distance ** (2 if norm == "l2" else 1), rel=1e-4)


def test_only_rows_of_the_filter_count() -> None:
    examples = example_set({"x": [0.0, 1.0, 2.0, 3.0]})
    scored = scored_set(examples, [0.1, 0.9, 0.2, 0.8])
    own = Predictions("binary", np.array([0.1]), ("no", "yes"))
    point = make_point(examples, 0, {})
    found = nearest_counterfactual(scored, point, own, CounterfactualOptions(), np.array([0, 2, 3]))
    assert found.near is not None
    assert (found.near.row, found.candidates) == (3, 1)
    assert found.near.prediction is not None
    assert found.near.prediction.predicted == "yes"
    assert nearest_counterfactual(scored, point, own, CounterfactualOptions(), np.array([2])).near is None


def test_an_edited_point_is_measured_from_its_edited_values() -> None:
    examples = example_set({"x": [0.0, 1.0, 9.0, 10.0]})
    scored = scored_set(examples, [0.1, 0.9, 0.2, 0.8])
    own = Predictions("binary", np.array([0.3]), ("no", "yes"))
    found = nearest_counterfactual(scored, make_point(examples, 0, {"x": 8.0}), own, CounterfactualOptions())
    assert found.near is not None
    assert found.near.row == 3
    assert [(d.own, d.other) for d in found.differences] == [(8.0, 10.0)]


def test_numbers_differ_by_at_least_what_was_asked_or_by_one_standard_deviation() -> None:
    examples = example_set({"x": [0.0, 1.0, 2.0, 3.0]}, task="regression")
    scored = scored_set(examples, [10.0, 11.0, 14.0, 30.0], "regression")
    own, point = Predictions("regression", np.array([10.0])), make_point(examples, 0, {})
    near = [
        nearest_counterfactual(scored, point, own, CounterfactualOptions(min_difference=least)).near
        for least in (1.0, 1.5, 0.0, 50.0)
    ]
    assert [found and found.row for found in near] == [1, 2, 3, None]  # the standard deviation is 8.1


def test_a_row_without_a_score_is_no_counterfactual() -> None:
    examples = example_set({"x": [0.0, 1.0, 2.0]})
    scored = scored_set(examples, [0.1, np.nan, 0.9])
    own = Predictions("binary", np.array([0.1]), ("no", "yes"))
    found = nearest_counterfactual(scored, make_point(examples, 0, {}), own, CounterfactualOptions())
    assert found.near is not None
    assert found.near.row == 2


def test_the_largest_score_is_the_class_of_a_multi_class_model() -> None:
    examples = example_set({"x": [0.0, 1.0, 2.0]}, task="multiclass")
    scores = np.array([[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.1, 0.2, 0.7]])
    scored = scored_set(examples, scores, "multiclass")
    own = Predictions("multiclass", scores[:1], scored.predictions.classes)
    found = nearest_counterfactual(scored, make_point(examples, 0, {}), own, CounterfactualOptions())
    assert found.near is not None
    assert found.near.prediction is not None
    assert (found.near.row, found.near.prediction.predicted, found.near.prediction.score) == (2, "class 2", 0.7)


def test_neighbours_are_the_nearest_rows_in_order() -> None:
    examples = census()
    for row in range(0, 300, 29):
        distances = distance_column(examples, row)
        expected = sorted((other for other in range(300) if other != row), key=lambda o: (distances[o], o))[:7]
        found = nearest_neighbours(scored_set(examples, SCORES), make_point(examples, row, {}), DistanceOptions(), 7)
        assert [near.row for near in found.neighbours] == expected


def test_more_neighbours_than_rows_are_all_rows() -> None:
    examples = example_set({"x": [0.0, 5.0, 2.0]})
    found = nearest_neighbours(scored_set(examples, [0, 0, 1]), make_point(examples, 0, {}), DistanceOptions(), 10)
    assert [near.row for near in found.neighbours] == [2, 1]
