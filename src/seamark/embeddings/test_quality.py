"""Quality of pictures, against the formula as the paper has it."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.embeddings import quality
from seamark.embeddings.form import EmbeddingError, Vectors
from seamark.embeddings.prepare import AS_LOGGED, Prepared
from seamark.embeddings.quality import picture_quality


def prepared(values: np.ndarray) -> Prepared:
    return Prepared(Vectors(values.astype(np.float32), "float32", None, "id"), AS_LOGGED)


def sample(rows: int = 120, dimensions: int = 6) -> np.ndarray:
    return np.random.default_rng(5).standard_normal((rows, dimensions)).astype(np.float32)


def rank_table(points: np.ndarray) -> np.ndarray:
    away = np.linalg.norm(points[:, None].astype(np.float64) - points[None], axis=2)
    np.fill_diagonal(away, -1)
    return away.argsort(axis=1).argsort(axis=1)


def textbook_trust(original: np.ndarray, picture: np.ndarray, count: int) -> float:
    ranks, in_picture, penalty = rank_table(original), rank_table(picture), 0
    rows = len(original)
    for i in range(rows):
        for j in range(rows):
            if 1 <= in_picture[i, j] <= count < ranks[i, j]:
                penalty += ranks[i, j] - count
    return 1 - 2 * penalty / (rows * count * (2 * rows - 3 * count - 1))


@pytest.mark.parametrize("count", [1, 7, 40])
def test_measures_are_those_of_the_formula(count: int) -> None:
    values = sample()
    picture = values[:, :2]
    found = picture_quality(prepared(values), picture, None, count=count)
    assert found.trustworthiness == pytest.approx(textbook_trust(values, picture, count))
    assert found.trust.mean() == pytest.approx(found.trustworthiness)
    assert found.continuity == pytest.approx(textbook_trust(picture, values, count))
    assert found.sampled == 120
    kept = ((rank_table(values) <= count) & (rank_table(picture) <= count)).sum(axis=1) - 1
    np.testing.assert_allclose(found.kept, kept / count, rtol=1e-6)


def test_a_picture_of_all_dimensions_keeps_everything() -> None:
    values = sample(80, 3)
    found = picture_quality(prepared(values), values * 2 + 1, None, count=10)
    assert found.trustworthiness == found.continuity == 1
    assert (found.kept == 1).all()


@pytest.mark.parametrize("step", [3, 40, 300])
def test_a_picture_of_some_rows_is_measured_among_them(step: int) -> None:
    values = sample(900)
    some = np.setdiff1d(np.arange(900), np.arange(0, 900, 3)) if step == 3 else np.arange(0, 900, step)
    found = picture_quality(prepared(values), values[some, :2], some, count=5)
    expected = min(5, (len(some) - 1) // 2)
    assert found.count == expected
    assert found.trustworthiness == pytest.approx(textbook_trust(values[some], values[some, :2], expected))
    assert np.isnan(np.delete(found.kept, some)).all() and np.isfinite(found.kept[some]).all()


def test_large_pictures_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    values = sample(600)
    full = picture_quality(prepared(values), values[:, :2], None, count=10)
    monkeypatch.setattr(quality, "MAX_PAIRS", 150_000)
    found = picture_quality(prepared(values), values[:, :2], None, count=10)
    assert 100 <= found.sampled < 300
    assert np.count_nonzero(np.isfinite(found.kept)) == found.sampled
    assert found.trustworthiness == pytest.approx(full.trustworthiness, abs=0.03)
    known = np.isfinite(found.kept)
    np.testing.assert_array_equal(found.kept[known], full.kept[known])


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_few_points(rows: int) -> None:
    values = sample(rows)
    found = picture_quality(prepared(values), values[:, :2], None, count=10)
    assert 0 <= found.trustworthiness <= 1 and len(found.kept) == rows


def test_equal_points() -> None:
    values = np.ones((30, 4), np.float32)
    found = picture_quality(prepared(values), values[:, :2], None, count=5)
    assert found.trustworthiness == 1 and (found.kept == 1).all()


def test_points_without_a_position_take_no_part() -> None:
    values = sample(50)
    picture = values[:, :2].copy()
    picture[4] = np.nan
    found = picture_quality(prepared(values), picture, None, count=5)
    assert np.isnan(found.kept[4]) and found.sampled == 49


def test_numbers_that_are_too_large_to_be_compared_are_a_sentence() -> None:
    values = sample(50) * np.float32(3e37)
    with pytest.raises(EmbeddingError, match="too large to be compared"):
        picture_quality(prepared(values), values[:, :2], None, count=5)
