from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamark.examples.form import ExamplesError, Value
from seamark.examples.points.distance import DistanceOptions, FeatureSpace, distance_column, feature_space
from seamark.examples.points.point import make_point
from seamark.examples.points.point_sets import example_set
from seamark.tables.column import Column

NUMBERS = st.one_of(st.none(), st.floats(allow_nan=False))
ROWS = st.lists(st.tuples(NUMBERS, st.sampled_from(["a", "b", "c", None]), st.booleans()), min_size=2, max_size=12)


def brute_force(rows: list[tuple[Value, ...]], one: int, other: int, norm: str) -> float:
    """Sums by definition, with Python's own numbers; for finite or missing values."""
    total = 0.0
    for position in range(len(rows[0])):
        column = [row[position] for row in rows]
        a, b = column[one], column[other]
        if isinstance(next((v for v in column if v is not None), ""), float):
            present = [float(v) for v in column if v is not None]
            deviation = float(np.std(present)) or 1.0
            part = (a is not b) * 1.0 if a is None or b is None else abs(float(a) - float(b)) / deviation
        else:
            agree = sum(x == y for x in column for y in column) / len(column) ** 2
            part = agree if a != b else 0.0
        total += part**2 if norm == "l2" else part
    return total**0.5 if norm == "l2" else total


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_distances_are_those_of_the_definition(norm: str) -> None:
    rows: list[tuple[Value, ...]] = [
        (1.0, "a", True),
        (2.5, "a", False),
        (None, "b", True),
        (4.0, None, True),
        (4.0, "c", False),
    ]
    examples = example_set({"x": [r[0] for r in rows], "c": [r[1] for r in rows], "b": [r[2] for r in rows]})
    for one in range(5):
        found = distance_column(examples, one, DistanceOptions(norm=norm))  # type: ignore[arg-type]
        assert found == pytest.approx([brute_force(rows, one, other, norm) for other in range(5)], rel=1e-5)


@given(ROWS)
def test_any_values_have_finite_symmetric_distances_and_none_to_themselves(
    rows: list[tuple[float | None, str | None, bool]],
) -> None:
    examples = example_set({"x": [r[0] for r in rows], "c": [r[1] or "" for r in rows], "b": [r[2] for r in rows]})
    for options in (DistanceOptions(), DistanceOptions("l2"), DistanceOptions("l1", standardize=False)):
        matrix = np.stack([distance_column(examples, row, options) for row in range(len(rows))])
        assert np.isfinite(matrix).all()
        assert (matrix >= 0).all()
        assert matrix == pytest.approx(matrix.T, rel=1e-4, abs=1e-4)
        assert np.diag(matrix) == pytest.approx(np.zeros(len(rows)), abs=1e-4)


def test_the_part_of_each_feature_adds_up_to_the_distance() -> None:
    examples = example_set({"x": [0.0, 3.0, 9.0], "y": [5.0, 5.0, 1.0], "c": ["a", "b", "b"]})
    space, point = feature_space(examples), make_point(examples, 0, {"x": 1.0})
    for norm, power in (("l1", 1), ("l2", 2)):
        options = DistanceOptions(norm)  # type: ignore[arg-type]
        parts = space.parts(point, 2, options)
        assert sum(parts.values()) == pytest.approx(float(space.distances(point, options)[2]) ** power, rel=1e-5)


def test_a_constant_column_counts_in_its_own_units_when_it_is_edited() -> None:
    examples = example_set({"x": [0.1, 0.1, 0.1], "y": [1.0, 2.0, 3.0]})
    point = make_point(examples, 0, {"x": 2.1})
    found = feature_space(examples).distances(point, DistanceOptions(features=("x",)))
    assert found == pytest.approx([2.0, 2.0, 2.0])


def test_an_unknown_name_differs_from_every_row() -> None:
    examples = example_set({"c": ["a", "a", "b", None]})
    point = make_point(examples, 0, {"c": "new"})
    options = DistanceOptions(standardize=False)
    assert feature_space(examples).distances(point, options).tolist() == [1, 1, 1, 1]


def test_texts_are_left_out_and_say_so_when_asked_for() -> None:
    numbers = Column("x", "number", numbers=np.array([1.0, 2.0]))
    text = Column("t", "text", codes=np.array([0, 1], np.int32), names=("one", "two"))
    examples = example_set({"x": [1.0, 2.0], "t": ["one", "two"]})
    examples = type(examples)(type(examples.table)(2, (numbers, text)), examples.schema, "test")
    assert feature_space(examples).distances(make_point(examples, 0, {}), DistanceOptions()).tolist() == [0, 2]
    with pytest.raises(ExamplesError, match="a text has no distance"):
        distance_column(examples, 0, DistanceOptions(features=("t",)))
    with pytest.raises(ExamplesError, match="no feature 'z'"):
        distance_column(examples, 0, DistanceOptions(features=("z",)))


def test_distances_say_how_they_are_measured() -> None:
    space = FeatureSpace(example_set({"x": [1.0, 2.0], "c": ["a", "b"]}))
    assert space.describe(DistanceOptions()) == "L1, standardized; categories by frequency"
    assert (
        space.describe(DistanceOptions("l2", standardize=False, features=("x",)))
        == "L2, in the units of each feature; 1 of 2 features"
    )


def test_edits_must_fit_their_feature() -> None:
    examples = example_set({"x": [1.0], "b": [True], "c": ["a"]})
    for edits, message in (
        ({"x": "red"}, "takes a number"),
        ({"b": "maybe"}, "takes true or false"),
        ({"c": 3.0}, "takes a name"),
        ({"z": 1.0}, "only features can be changed"),
    ):
        with pytest.raises(ExamplesError, match=message):
            make_point(examples, 0, edits)  # type: ignore[arg-type]
    with pytest.raises(ExamplesError, match="no row 7"):
        make_point(examples, 7, {})
