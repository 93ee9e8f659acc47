"""Neighbours, against all distances in double precision."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from seamark.embeddings import prepare
from seamark.embeddings.form import EmbeddingError, Vectors
from seamark.embeddings.neighbours import Metric, distances, nearest, neighbour_table, row_distances, smallest
from seamark.embeddings.prepare import Preparation, Prepared

METRICS: tuple[Metric, ...] = ("cosine", "euclidean", "dot")
PREPARATIONS = [Preparation(*choice) for choice in product([False, True], repeat=3)]


def prepared(values: np.ndarray, preparation: Preparation = prepare.AS_LOGGED) -> Prepared:
    values = np.asarray(values, np.float32)
    is_finite = np.isfinite(values).all(axis=1)
    return Prepared(
        Vectors(values, "float32", None if is_finite.all() else np.flatnonzero(is_finite), "id"), preparation
    )


def sample(rows: int = 300, dimensions: int = 9, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, dimensions)) + 1


def as_units(values: np.ndarray) -> np.ndarray:
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def textbook(values: np.ndarray, preparation: Preparation) -> np.ndarray:
    values = np.asarray(values, np.float32).astype(np.float64)
    if preparation.normalize:
        values = as_units(values)
    if preparation.center or preparation.sphereize:
        values = values - values.mean(axis=0)
    return as_units(values) if preparation.sphereize else values


def all_distances(values: np.ndarray, metric: Metric) -> np.ndarray:
    if metric == "dot":
        return -(values @ values.T)
    if metric == "cosine":
        return 1 - as_units(values) @ as_units(values).T
    return np.linalg.norm(values[:, None] - values[None], axis=2)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_no_row_is_away_from_itself(metric: Metric) -> None:
    rows = prepared(sample() * 1e3 + 77)
    assert [float(row_distances(rows, row, metric)[row]) for row in range(20)] == [0] * 20


@pytest.mark.parametrize("preparation", PREPARATIONS, ids=str)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("shift", [0, 1000])
def test_neighbours_are_those_of_all_distances(metric: Metric, preparation: Preparation, shift: float) -> None:
    values = sample() + shift
    rows = prepared(values, preparation)
    away = all_distances(textbook(values, preparation), metric)[17]
    away[17] = np.inf
    found = nearest(rows, 17, 12, metric)
    np.testing.assert_array_equal(found.rows, np.argsort(away, kind="stable")[:12])
    np.testing.assert_allclose(found.distances, np.sort(away)[:12], rtol=1e-7, atol=1e-11)
    assert found.compared == 299
    assert found.histogram_counts.sum() == 299 and len(found.histogram_edges) == 33
    assert found.histogram_edges[0] == pytest.approx(np.sort(away)[0], rel=1e-3, abs=1e-3)
    assert found.histogram_edges[-1] == pytest.approx(np.sort(away)[-2], rel=1e-3, abs=1e-3)


def test_double_precision_ranks_what_float32_cannot() -> None:
    # Differences of a millionth: single precision sees one distance.
    values = np.zeros((200, 2))
    values[:, 0] = np.random.default_rng(0).permutation(200) * 1e-6 + 1
    rows = prepared(values)
    exact = np.abs(rows.vectors.values[:, 0].astype(np.float64) - float(rows.vectors.values[0, 0]))
    exact[0] = np.inf
    np.testing.assert_array_equal(nearest(rows, 0, 20, "euclidean").rows, np.argsort(exact, kind="stable")[:20])


def test_neighbours_among_some_rows() -> None:
    rows, some = prepared(sample()), np.arange(0, 300, 7)
    away = all_distances(textbook(sample(), prepare.AS_LOGGED), "euclidean")[14]
    away[14] = np.inf
    found = nearest(rows, 14, 5, "euclidean", some)
    np.testing.assert_array_equal(found.rows, some[np.argsort(away[some])[:5]])
    assert found.compared == len(some) - 1


def test_rows_that_are_not_finite_are_no_neighbours() -> None:
    values = sample()
    values[3] = np.nan
    values[4, 1] = -np.inf
    for preparation, metric in product(PREPARATIONS, METRICS):
        found = nearest(prepared(values, preparation), 5, 299, metric)
        assert found.compared == 297
        assert not {3, 4, 5} & set(found.rows.tolist())
        assert np.isfinite(found.distances).all()
    with pytest.raises(EmbeddingError, match="not finite"):
        nearest(prepared(values), 3, 5, "cosine")
    with pytest.raises(EmbeddingError, match="no row 300"):
        nearest(prepared(values), 300, 5, "cosine")


@pytest.mark.parametrize("metric", METRICS)
def test_one_row_two_rows_and_zeros(metric: Metric) -> None:
    alone = nearest(prepared(np.ones((1, 3))), 0, 5, metric)
    assert len(alone.rows) == 0 and alone.compared == 0 and alone.histogram_counts.sum() == 0
    assert nearest(prepared(np.eye(2)), 0, 5, metric).rows.tolist() == [1]
    zeros = nearest(prepared(np.zeros((4, 2)), Preparation(True, True, True)), 1, 2, metric)
    assert zeros.rows.tolist() == [0, 2] and np.isfinite(zeros.distances).all()


def test_distances_to_many_rows_at_once() -> None:
    rows = prepared(sample(), Preparation(True, True, True))
    expected = all_distances(textbook(sample(), rows.preparation), "euclidean")[:6]
    np.testing.assert_allclose(distances(rows, rows.take(np.arange(6)), "euclidean"), expected, atol=2e-3)


def test_a_hundred_thousand_dimensions() -> None:
    values = np.random.default_rng(0).standard_normal((5, 100_000))
    values[4] = values[0]
    found = nearest(prepared(values), 0, 3, "euclidean")
    assert found.rows[0] == 4 and found.distances[0] == 0
    assert neighbour_table(values.astype(np.float32), 2)[0][0, 0] == 4


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("rows", "count"), [(700, 5), (60, 20), (3, 10)])
def test_the_table_has_the_nearest_of_every_row(metric: Metric, rows: int, count: int) -> None:
    values = sample(rows).astype(np.float32)
    away = all_distances(values.astype(np.float64), metric)
    np.fill_diagonal(away, np.inf)
    found, lengths = neighbour_table(values, count, metric)
    kept = min(count, rows - 1)
    np.testing.assert_array_equal(found, np.argsort(away, axis=1, kind="stable")[:, :kept])
    np.testing.assert_allclose(lengths, np.sort(away, axis=1)[:, :kept], rtol=2e-4, atol=1e-6)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_distance_of_duplicates_in_the_table_is_zero(metric: Metric) -> None:
    values = np.repeat(sample(200, 64) * 1000, 2, axis=0).astype(np.float32)
    found, away = neighbour_table(values, 3, metric)
    np.testing.assert_array_equal(found[:, 0], np.arange(400) ^ 1)
    assert (away[:, 0] == 0).all()


def test_the_table_of_one_row_is_empty() -> None:
    found, away = neighbour_table(np.ones((1, 4), np.float32), 5)
    assert found.shape == (1, 0) and away.shape == (1, 0)


@pytest.mark.parametrize(("size", "count"), [(1, 1), (7, 3), (1000, 5), (1003, 11), (5000, 1)])
def test_smallest_keys(size: int, count: int) -> None:
    keys = np.random.default_rng(size).standard_normal((4, size)).astype(np.float32)
    found = np.take_along_axis(keys, smallest(keys, count), 1)
    np.testing.assert_array_equal(np.sort(found, axis=1), np.sort(keys, axis=1)[:, :count])
