"""Statistics, drift and leakage, compared with SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import distance

from seamark.examples.features.describe import describe_features
from seamark.examples.features.drift import chi_square_p, drift, js_distance, ks_p
from seamark.examples.features.strength import SUSPECT, truth_strength
from seamark.examples.form import ExampleSet
from seamark.examples.results.features import FeatureStatistics
from seamark.examples.schema import ColumnSchema, Schema
from seamark.examples.slices.test_support import named
from seamark.tables.build import column_of_names
from seamark.tables.column import Column, Table

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def numbers(values: object, name: str = "x") -> Column:
    return Column(name, "number", numbers=np.array(values, np.float64))


def examples(*columns: Column, target: Column | None = None) -> ExampleSet:
    entries = [ColumnSchema(name=c.name, type=c.type) for c in columns]
    if target is not None:
        entries.append(ColumnSchema(name=target.name, type=target.type, role="truth"))
        columns = (*columns, target)
    schema = Schema(columns=tuple(entries), target=target.name if target is not None else "")
    return ExampleSet(Table(len(columns[0]), columns), schema, "generated")


def describe(*columns: Column, target: Column | None = None) -> FeatureStatistics:
    return describe_features(examples(*columns, target=target), np.arange(len(columns[0]))).features[0]


def codes(found: FeatureStatistics) -> list[str]:
    return [flag.code for flag in found.flags]


def test_numbers_match_scipy() -> None:
    values = np.random.default_rng(0).gamma(2, size=500)
    found = describe(numbers([*values, math.nan, 0.0, 0.0]))
    present = np.append(values, [0.0, 0.0])
    assert (found.rows, found.missing, found.zeros, found.distinct) == (503, 1, 2, 501)
    assert found.mean == pytest.approx(present.mean()) and found.deviation == pytest.approx(present.std(ddof=1))
    assert found.skewness == pytest.approx(stats.skew(present))
    assert found.quantiles == pytest.approx(np.quantile(present, [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]))
    assert sum(found.histogram) == 502 and len(found.edges) == len(found.histogram) + 1


def test_names_and_booleans_have_their_most_frequent_values() -> None:
    found = describe(column_of_names("x", ["a", "b", "a", None, "long name"], "category"))
    assert [(one.name, one.count) for one in found.top] == [("a", 2), ("b", 1), ("long name", 1)]
    assert (found.missing, found.distinct, found.longest) == (1, 3, 9)
    found = describe(Column("x", "boolean", numbers=np.array([0.0, 1, 0, math.nan])))
    assert [(one.name, one.count) for one in found.top] == [("false", 2), ("true", 1)]
    many = describe(named("x", np.arange(1000), tuple(map(str, range(1000)))))
    assert many.distinct == 1000 and len(many.top) == 20 and codes(many) == ["many_values"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], []),
        ([1.0], ["constant"]),
        ([5.0] * 30, ["constant"]),
        ([math.nan] * 3, ["missing"]),
        ([math.inf, -math.inf, 1.0], ["infinite"]),
        ([1e308, -1e308, 1e308], []),
        ([0.0] * 40 + [1.0, 1e6], ["zeros", "skewed"]),
    ],
)
def test_flags_of_remarkable_numbers(values: list[float], expected: list[str]) -> None:
    found = describe(numbers(values))
    assert codes(found) == expected
    for number in (found.mean, found.deviation, found.skewness, *found.quantiles, *found.edges):
        assert number is None or math.isfinite(number)


def test_flags_say_the_numbers() -> None:
    found = describe(numbers([math.nan] * 25 + list(range(75))))
    assert [flag.text for flag in found.flags] == ["25.0 % (25 of 100) of the values are missing."]


def test_distances_and_tests_match_scipy() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(5, 90, 8), rng.integers(5, 90, 8)
    assert js_distance(a, b) == pytest.approx(distance.jensenshannon(a, b, base=2))
    assert chi_square_p(a, b) == pytest.approx(stats.chi2_contingency([a, b], correction=False).pvalue)
    x, y = rng.normal(size=3000), rng.normal(0.04, 1, 2000)
    expected = stats.kstwobign.sf(stats.ks_2samp(x, y).statistic * math.sqrt(3000 * 2000 / 5000))
    assert ks_p(x, y) == pytest.approx(expected)


def test_drift_of_disjoint_equal_and_empty_columns() -> None:
    x = numbers(np.arange(100.0))
    assert drift(x, numbers(np.arange(1000.0, 1100))).distance == pytest.approx(1)
    assert drift(x, x) == (0.0, 1.0) and drift(x, numbers([])) == (None, None)
    assert drift(x, numbers([math.nan] * 100)) == (pytest.approx(1.0), pytest.approx(0.0, abs=1e-20))
    assert drift(numbers([1.0] * 9), numbers([1.0] * 9)) == (0.0, 1.0)
    a, b = (named("x", np.zeros(50), (name,)) for name in ("a", "b"))
    assert drift(a, b).distance == pytest.approx(1)


def test_random_halves_are_seldom_flagged_as_drift() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(30):
        columns = [numbers(rng.normal(size=400), f"x{at}") for at in range(10)]
        found = describe_features(examples(*columns), np.arange(200), (examples(*columns), np.arange(200, 400)))
        hits += any("drift" in codes(one) for one in found.features)
    assert hits <= 3


def test_another_set_without_the_column_is_a_note() -> None:
    one, other = examples(numbers([1.0, 2.0])), examples(column_of_names("x", ["a", "b"], "category"))
    found = describe_features(one, np.arange(2), (other, np.arange(2)))
    assert found.features[0].drift is None and "no comparable column 'x'" in found.notes[0]


def test_the_strength_of_a_feature() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 1000)
    target = named("y", truth, ("no", "yes"))
    assert truth_strength(numbers(truth + rng.random(1000) / 2), target) == 1.0
    scores = rng.normal(truth, 1)
    wins = (scores[truth == 1][:, None] > scores[truth == 0]).mean()
    assert truth_strength(numbers(scores), target) == pytest.approx(2 * wins - 1)
    assert truth_strength(named("x", 1 - truth, ("a", "b")), target) > SUSPECT  # type: ignore[operator]
    # As many names as rows fit every truth, and mean nothing.
    assert truth_strength(named("x", rng.integers(0, 300, 1000), tuple(map(str, range(300)))), target) < 0.2  # type: ignore[operator]
    price = numbers(truth * 10 + rng.normal(size=1000))
    assert truth_strength(named("x", truth, ("a", "b")), price) == pytest.approx(0.96, abs=0.02)
    groups = [price.numbers[truth == side] for side in (0, 1)]  # type: ignore[index]
    total = ((price.numbers - price.numbers.mean()) ** 2).sum()  # type: ignore[operator,union-attr]
    eta = 1 - sum(((g - g.mean()) ** 2).sum() for g in groups) / total
    assert truth_strength(named("x", truth, ("a", "b")), price) == pytest.approx(1 - (1 - eta) * 999 / 998)
    assert truth_strength(numbers([1.0] * 1000), target) == 0 and truth_strength(numbers([1.0]), numbers([1.0])) is None
    assert codes(describe(numbers(truth + 0.5), target=target)) == ["leakage"]
