"""Outliers, duplicates and neighbours in common."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.embeddings import duplicates, outliers, quality
from seamark.embeddings.duplicates import find_duplicates
from seamark.embeddings.form import EmbeddingError, Vectors
from seamark.embeddings.outliers import find_outliers
from seamark.embeddings.prepare import AS_LOGGED, Prepared
from seamark.embeddings.shared import shared_neighbours


def prepared(values: np.ndarray) -> Prepared:
    return Prepared(vectors(values), AS_LOGGED)


def vectors(values: np.ndarray) -> Vectors:
    values = values.astype(np.float32)
    is_finite = np.isfinite(values).all(axis=1)
    return Vectors(values, "float32", None if is_finite.all() else np.flatnonzero(is_finite), "id")


def sample(rows: int = 200, dimensions: int = 5) -> np.ndarray:
    return np.random.default_rng(4).standard_normal((rows, dimensions))


def test_the_farthest_rows_come_first() -> None:
    values = sample()
    values[30] += 20
    values[7] += 40
    values[3] = np.nan
    found = find_outliers(prepared(values), 5)
    assert found.rows[:2].tolist() == [7, 30]
    assert (np.diff(found.scores) <= 0).all() and len(found.rows) == 5
    away = np.sort(np.linalg.norm(np.delete(values, 3, axis=0) - values[7], axis=1))[1:11].mean()
    assert found.scores[0] == pytest.approx(away, rel=1e-4)
    assert found.method == "Mean distance to the 10 nearest neighbours."


def test_large_embeddings_are_compared_with_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outliers, "MAX_COMPARED_ROWS", 100)
    monkeypatch.setattr(outliers, "MIN_REFERENCES", 50)
    monkeypatch.setattr(outliers, "MAX_PAIRS", 1)
    monkeypatch.setattr(outliers, "PAIRS_AT_ONCE", 3_000)
    values = sample()
    values[150] += 30
    found = find_outliers(prepared(values), 3)
    assert found.rows[0] == 150
    assert found.method == "Mean distance to the 10 nearest neighbours among 50 random points (seed 42)."
    chosen = np.sort(np.random.default_rng(42).choice(200, 50, replace=False))
    away = np.sort(np.linalg.norm(values[chosen[chosen != 150]] - values[150], axis=1))[:10].mean()
    assert found.scores[0] == pytest.approx(away, rel=1e-4)


@pytest.mark.parametrize("rows", [1, 2])
def test_outliers_of_few_rows(rows: int) -> None:
    assert len(find_outliers(prepared(sample(rows)), 5).rows) == (0 if rows == 1 else 2)


def test_equal_rows_have_no_outliers_and_huge_numbers_are_a_sentence() -> None:
    found = find_outliers(prepared(np.ones((30, 4))), 20)
    assert len(found.rows) == 0
    assert found.method == "No point is away from the 10 nearest neighbours: all have equal ones."
    with pytest.raises(EmbeddingError, match="too large to be compared"):
        find_outliers(prepared(sample() * 3e37), 20)


def test_groups_of_equal_rows() -> None:
    values = sample()
    values[[5, 60, 61]] = values[2]
    values[199] = values[100]
    values[[10, 11]] = np.nan
    values[20], values[21] = 0.0, -0.0
    found = [group.tolist() for group in find_duplicates(vectors(values))]
    assert found == [[2, 5, 60, 61], [20, 21], [100, 199]]


def test_rows_with_one_hash_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "_hashes", lambda values, rows: np.zeros(len(rows), np.uint64))
    values = sample(20)
    values[9] = values[4]
    assert [group.tolist() for group in find_duplicates(vectors(values))] == [[4, 9]]


def test_duplicates_of_one_row_and_of_equal_rows() -> None:
    assert find_duplicates(vectors(np.ones((1, 3)))) == []
    assert find_duplicates(vectors(np.full((2, 3), np.nan))) == []
    assert [len(group) for group in find_duplicates(vectors(np.ones((50, 3))))] == [50]


def test_two_embeddings_that_differ_by_a_rotation_share_all_neighbours() -> None:
    values = sample()
    turned = values @ np.linalg.qr(sample(5))[0]
    found = shared_neighbours(prepared(values), prepared(turned), count=10, metric="euclidean")
    assert found.mean == 1 and found.sampled == 200


def test_shared_neighbours_are_counted_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    values, other = sample(), sample()[:, :3]
    found = shared_neighbours(prepared(values), prepared(other), count=6, metric="euclidean")
    for row in (0, 50, 199):
        near = [set(np.argsort(np.linalg.norm(space - space[row], axis=1))[1:7].tolist()) for space in (values, other)]
        assert found.shared[row] == pytest.approx(len(near[0] & near[1]) / 6)
    monkeypatch.setattr(quality, "MAX_PAIRS", 1)
    few = shared_neighbours(prepared(values), prepared(other), count=6, metric="euclidean")
    known = np.isfinite(few.shared)
    assert few.sampled == np.count_nonzero(known) == 100
    np.testing.assert_array_equal(few.shared[known], found.shared[known])


def test_shared_neighbours_need_equal_rows() -> None:
    with pytest.raises(EmbeddingError, match="200 and of 10 rows"):
        shared_neighbours(prepared(sample()), prepared(sample(10)), count=3, metric="cosine")
