"""Alignment and movement, on rotated copies."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.embeddings import align
from seamark.embeddings.align import align_rows, alignment
from seamark.embeddings.form import EmbeddingError, Vectors
from seamark.embeddings.movement import movement
from seamark.embeddings.prepare import AS_LOGGED, Preparation, Prepared


def prepared(values: np.ndarray, preparation: Preparation = AS_LOGGED) -> Prepared:
    values = values.astype(np.float32)
    is_finite = np.isfinite(values).all(axis=1)
    return Prepared(
        Vectors(values, "float32", None if is_finite.all() else np.flatnonzero(is_finite), "id"), preparation
    )


def sample(rows: int = 100, dimensions: int = 7) -> np.ndarray:
    return np.random.default_rng(2).standard_normal((rows, dimensions)).astype(np.float32)


def rotation(dimensions: int, *, is_mirrored: bool = False) -> np.ndarray:
    turned = np.linalg.qr(np.random.default_rng(9).standard_normal((dimensions, dimensions)))[0]
    turned[:, 0] *= np.sign(np.linalg.det(turned)) * (-1 if is_mirrored else 1)
    return turned.astype(np.float32)


@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("dimensions", [2, 7, 30])
def test_rotated_copies_come_back(dimensions: int, is_mirrored: bool) -> None:
    target = sample(100, dimensions)
    source = target @ rotation(dimensions, is_mirrored=is_mirrored)
    found = align_rows(source, target)
    np.testing.assert_allclose(found.apply(source), target, atol=2e-5)
    np.testing.assert_allclose(found.rotation @ found.rotation.T, np.eye(dimensions), atol=1e-9)


def test_shift_and_scale_are_only_undone_if_wanted() -> None:
    target = sample()
    source = (target * 3 + 5) @ rotation(7)
    assert not np.allclose(align_rows(source, target).apply(source), target, atol=0.1)
    found = align_rows(source, target, shift=True, scale=True)
    assert found.scale == pytest.approx(1 / 3, rel=1e-5)
    np.testing.assert_allclose(found.apply(source), target, atol=1e-4)


def test_more_dimensions_than_rows() -> None:
    target = sample(5, 20_000)
    source = np.roll(target, 1, axis=1) * np.where(np.arange(20_000) % 3, 1, -1).astype(np.float32)
    found = align_rows(source, target)
    np.testing.assert_allclose(found.apply(source), target, atol=1e-3)


def test_a_sample_of_rows_defines_the_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(align, "MAX_ALIGNED_ROWS", 20)
    target = sample()
    source = target @ rotation(7)
    np.testing.assert_allclose(align_rows(source, target).apply(source), target, atol=2e-5)


def test_sizes_must_agree() -> None:
    with pytest.raises(EmbeddingError, match="different sizes cannot be aligned: 4 × 3 and 4 × 2"):
        align_rows(sample(4, 3), sample(4, 2))


@pytest.mark.parametrize("rows", [1, 2])
def test_few_rows(rows: int) -> None:
    target = sample(rows, 2)
    assert np.isfinite(align_rows(target, target[::-1]).apply(target)).all()


def test_rows_that_are_not_finite_do_not_count() -> None:
    target = sample()
    source = target @ rotation(7)
    source[3] = np.nan
    aligned = align_rows(source, target).apply(source)
    np.testing.assert_allclose(np.delete(aligned, 3, axis=0), np.delete(target, 3, axis=0), atol=2e-5)


def test_a_rotation_of_all_rows_is_no_movement() -> None:
    first = sample(200)
    third = first.copy()
    third[17] += 4
    steps = [first, first @ rotation(7), third @ rotation(7) @ rotation(7)]
    found = movement(prepared(step) for step in steps)
    assert len(found.means) == 2
    assert found.means[0] == pytest.approx(0, abs=1e-4)
    assert found.moved.argmax() == 17
    assert found.moved[17] == pytest.approx(4 * 7**0.5, rel=0.1)
    assert np.median(found.moved) < 0.3


def test_rows_that_are_not_finite_at_some_step_have_no_movement() -> None:
    first, second = sample(), sample()
    second[5] = np.inf
    found = movement([prepared(first), prepared(second)])
    assert np.flatnonzero(np.isnan(found.moved)).tolist() == [5]


@pytest.mark.parametrize("shape", [(60, 5), (4, 30)])
def test_axes_of_the_target_place_rows_of_the_source(shape: tuple[int, int]) -> None:
    target = sample(*shape)
    source = target @ rotation(shape[1])
    source[1] = np.nan
    found = alignment(prepared(source), prepared(target))
    axes = rotation(shape[1])[:, :2]
    expected = np.delete(target @ axes, 1, axis=0)
    np.testing.assert_allclose(np.delete(source, 1, axis=0) @ found.before(axes), expected, atol=1e-4)


def test_steps_need_equal_sizes() -> None:
    with pytest.raises(EmbeddingError, match="100 × 7 and 99 × 7"):
        movement([prepared(sample()), prepared(sample(99))])


@pytest.mark.parametrize(("rows", "dimensions"), [(500, 8), (6, 40)])
def test_a_map_after_the_rotation_is_one_map(rows: int, dimensions: int) -> None:
    random = np.random.default_rng(3)
    source, target = (random.normal(size=(rows, dimensions)).astype(np.float32) for _ in range(2))
    shown = random.normal(size=(dimensions, 2)).astype(np.float32)
    found = align_rows(source, target)
    np.testing.assert_allclose(source @ found.before(shown), found.apply(source) @ shown, atol=1e-4)
