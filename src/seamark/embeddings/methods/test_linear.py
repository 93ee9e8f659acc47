"""Linear projections: against NumPy's SVD, and embeddings that are hardly one."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.embeddings.form import EmbeddingError, Vectors
from seamark.embeddings.methods import linear
from seamark.embeddings.prepare import Preparation, Prepared

CENTRED = Preparation()


def prepared(values: np.ndarray, preparation: Preparation = CENTRED, finite: np.ndarray | None = None) -> Prepared:
    return Prepared(Vectors(values.astype(np.float32), "float32", finite, "id"), preparation)


def sample(rows: int, dimensions: int, seed: int = 0) -> np.ndarray:
    """Correlated numbers far from 0, with clearly different variances."""
    rng = np.random.default_rng(seed)
    scales = 2.0 ** -np.arange(dimensions).clip(max=12)
    return (
        rng.standard_normal((rows, dimensions)) * scales @ np.linalg.qr(rng.standard_normal((dimensions,) * 2))[0] + 5
    )


def svd(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions as columns and shares of the variance, as textbooks have it."""
    centred = matrix.astype(np.float64) - matrix.mean(axis=0, dtype=np.float64)
    _, singular, directions = np.linalg.svd(centred, full_matrices=False)
    return directions.T, singular**2 / (singular**2).sum()


def assert_same(found: linear.LinearMap, matrix: np.ndarray, count: int, tolerance: float = 2e-5) -> None:
    directions, shares = svd(matrix)
    np.testing.assert_allclose(found.variance[:count], shares[:count], rtol=1e-4, atol=1e-7)
    cosines = np.abs(np.einsum("ij,ij->j", found.matrix[:, :count], directions[:, :count]))
    np.testing.assert_allclose(cosines, 1, atol=tolerance)


@pytest.mark.parametrize(
    "preparation",
    [Preparation(), Preparation(False, False, False), Preparation(True), Preparation(True, True, True)],
)
@pytest.mark.parametrize("shape", [(400, 12), (40, 70)])
def test_components_are_those_of_the_svd(shape: tuple[int, int], preparation: Preparation) -> None:
    rows = prepared(sample(*shape), preparation)
    assert_same(linear.fit_pca(rows), rows.take(None), 6)


def test_randomized_components_are_those_of_the_svd(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = prepared(sample(600, 40))
    monkeypatch.setattr(linear, "MAX_DECOMPOSED", 20)
    found = linear.fit_pca(rows)
    assert "randomized" in found.notes[0]
    assert_same(found, rows.take(None), 6, tolerance=1e-4)


def test_an_exact_map_has_no_note() -> None:
    assert linear.fit_pca(prepared(sample(30, 4))).notes == ()


def test_signs_do_not_depend_on_the_rows_order() -> None:
    values = sample(300, 8)
    first, second = linear.fit_pca(prepared(values)), linear.fit_pca(prepared(values[::-1]))
    np.testing.assert_allclose(first.matrix, second.matrix, atol=1e-4)
    assert (first.matrix[np.abs(first.matrix).argmax(axis=0), np.arange(8)] > 0).all()


def test_components_of_some_rows_place_all_rows() -> None:
    values, some = sample(300, 5), np.arange(0, 300, 3)
    rows = prepared(values)
    found = linear.fit_pca(rows, some)
    assert_same(found, rows.take(some), 5)
    np.testing.assert_allclose(linear.project(rows, found), rows.take(None) @ found.matrix, atol=1e-5)
    assert linear.project(rows, found, some).shape == (100, 5)


def test_rows_that_are_not_finite_take_no_part() -> None:
    values = sample(50, 6)
    values[7] = np.nan
    values[9, 2] = np.inf
    finite = np.setdiff1d(np.arange(50), [7, 9])
    rows = prepared(values, finite=finite)
    assert_same(linear.fit_pca(rows), values[finite].astype(np.float32), 4)
    assert np.isfinite(linear.project(rows, linear.fit_pca(rows))).all()


@pytest.mark.parametrize("shape", [(1, 4), (2, 4), (4, 1), (1, 1), (2, 2)])
def test_every_map_makes_a_picture(shape: tuple[int, int]) -> None:
    rows = prepared(sample(*shape))
    found = linear.fit_pca(rows)
    positions = linear.project(rows, found)
    assert positions.shape[0] == shape[0] and positions.shape[1] >= 3
    assert np.isfinite(positions).all()
    assert sum(found.variance) == pytest.approx(1 if shape[0] > 1 else 0)


def test_equal_rows_have_no_variance() -> None:
    rows = prepared(np.full((20, 4), 3.3))
    found = linear.fit_pca(rows)
    assert sum(found.variance) == pytest.approx(0, abs=1e-6)
    assert found.notes == ("all 20 rows are equal: nothing varies",)
    assert linear.fit_pca(prepared(np.full((1, 4), 3.3))).notes == ("there is only one row",)
    assert linear.fit_pca(prepared(np.full((3, 4), 1e6) + np.eye(3, 4))).notes == ()
    assert np.isfinite(linear.project(rows, found)).all()


def test_no_finite_row_is_an_error() -> None:
    with pytest.raises(EmbeddingError, match="no row"):
        linear.fit_pca(prepared(np.full((2, 2), np.nan), finite=np.empty(0, np.int64)))


def test_a_hundred_thousand_dimensions() -> None:
    values = np.random.default_rng(1).standard_normal((6, 100_000))
    rows = prepared(values)
    found = linear.fit_pca(rows)
    assert found.matrix.shape == (100_000, 6)
    positions = linear.project(rows, found)
    away = np.linalg.norm(rows.take(None)[0] - rows.take(None)[1])
    assert np.linalg.norm(positions[0] - positions[1]) == pytest.approx(away, rel=1e-4)


def test_random_directions_are_repeatable_and_of_length_one() -> None:
    rows = prepared(sample(10, 20))
    first = linear.random_map(rows, 3, seed=7)
    np.testing.assert_array_equal(first.matrix, linear.random_map(rows, 3, seed=7).matrix)
    assert not np.allclose(first.matrix, linear.random_map(rows, 3, seed=8).matrix)
    np.testing.assert_allclose(np.linalg.norm(first.matrix, axis=0), 1, rtol=1e-5)


def test_raw_dimensions() -> None:
    values = sample(10, 5)
    rows = prepared(values, Preparation(center=False))
    found = linear.raw_map(rows, [4, 1])
    np.testing.assert_allclose(linear.project(rows, found), values[:, [4, 1]], rtol=1e-6)
    assert found.titles == ("dimension 4", "dimension 1")
    with pytest.raises(EmbeddingError, match="no dimension 5: the embedding has 0 to 4"):
        linear.raw_map(rows, [5])


def test_an_axis_points_from_one_group_to_the_other() -> None:
    values = np.array([[0.0, 0], [2, 0], [1, 4], [1, 6]])
    rows = prepared(values)
    found = linear.axes_map(rows, [(np.array([0, 1]), np.array([2, 3]))], ["low → high"])
    np.testing.assert_allclose(found.matrix[:, 0], [0, 1], atol=1e-6)
    assert found.titles == ("low → high",)
    with pytest.raises(EmbeddingError, match="no direction"):
        linear.axes_map(rows, [(np.array([0]), np.array([0]))], ["a"])
    with pytest.raises(EmbeddingError, match="no row matches"):
        linear.axes_map(rows, [(np.array([0]), np.array([], np.int64))], ["a"])


def test_lengths_of_huge_and_tiny_vectors() -> None:
    values = np.array([[3e30, 4e30], [3e-30, 4e-30], [0, 0]])
    normalized = prepared(values, Preparation(normalize=True, center=False)).take(None)
    np.testing.assert_allclose(normalized, [[0.6, 0.8], [0.6, 0.8], [0, 0]], rtol=1e-5)
