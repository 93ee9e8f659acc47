"""t-SNE and UMAP: what is near stays near, and equal input gives equal pictures."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from seamark import _core
from seamark.embeddings.form import MISSING, EmbeddingError, FloatMatrix
from seamark.embeddings.methods.layouts import in_ranges
from seamark.embeddings.methods.layouts.curve import fit_curve
from seamark.embeddings.methods.layouts.layout import Layout, LayoutSettings
from seamark.embeddings.methods.layouts.make import make_layout
from seamark.embeddings.methods.layouts.weights import membership_weights, perplexity_weights

Method = Literal["tsne", "umap"]
BOTH = pytest.mark.parametrize("method", ["tsne", "umap"])


def trustworthiness(matrix: FloatMatrix, positions: FloatMatrix, count: int = 10) -> float:
    """Venna and Kaski (2001), by comparing every row with every other."""
    rows = len(matrix)
    ranks = np.argsort(np.argsort(_distances(matrix), axis=1), axis=1)
    shown = np.argsort(_distances(positions), axis=1)[:, 1 : count + 1]
    beyond = np.maximum(np.take_along_axis(ranks, shown, 1) - count, 0).sum()
    return 1 - 2 * float(beyond) / (rows * count * (2 * rows - 3 * count - 1))


def _distances(points: FloatMatrix) -> np.ndarray:
    distances = np.linalg.norm(points[:, None, :].astype(np.float64) - points[None, :, :], axis=2)
    np.fill_diagonal(distances, -1)
    return distances


def blobs(rows: int = 400, groups: int = 8) -> tuple[FloatMatrix, np.ndarray]:
    random = np.random.default_rng(1)
    labels = np.arange(rows, dtype=np.int32) % groups
    return (random.normal(0, 6, (groups, 30))[labels] + random.normal(0, 1, (rows, 30))).astype(np.float32), labels


def swiss_roll(rows: int = 600) -> FloatMatrix:
    random = np.random.default_rng(2)
    turn = 1.5 * np.pi * (1 + 2 * random.random(rows))
    return np.stack([turn * np.cos(turn), 21 * random.random(rows), turn * np.sin(turn)], 1).astype(np.float32)


def curved_images(rows: int = 600) -> FloatMatrix:
    """As handwritten digits: ten classes, each a curved surface of five dimensions among 64 pixels."""
    random = np.random.default_rng(3)
    parts = []
    for _ in range(10):
        latent, bend, mix = (random.normal(size=shape) for shape in [(rows // 10, 5), (5, 32), (32, 64)])
        parts.append(np.tanh(latent @ bend / 2) @ mix / 5 + random.normal(size=64))
    return np.concatenate(parts).astype(np.float32)


def finish(layout: Layout) -> FloatMatrix:
    while not layout.is_done:
        layout.step(10)
    return layout.positions


def place(matrix: FloatMatrix, method: Method, **settings: object) -> FloatMatrix:
    return finish(make_layout(matrix, LayoutSettings(method, **settings)))  # type: ignore[arg-type]


@BOTH
@pytest.mark.parametrize(
    ("matrix", "expected"),
    [(blobs()[0], 0.95), (swiss_roll(), 0.98), (curved_images(), 0.93)],
    ids=["blobs", "roll", "images"],
)
def test_neighbours_of_the_picture_are_neighbours_of_the_data(
    method: Method, matrix: FloatMatrix, expected: float
) -> None:
    positions = place(matrix, method, epochs=400)

    assert positions.dtype == np.float32
    assert trustworthiness(matrix, positions) > expected


@BOTH
def test_three_dimensions_are_at_least_as_true(method: Method) -> None:
    matrix = curved_images(300)

    assert place(matrix, method, dims=3, epochs=300).shape == (300, 3)
    assert trustworthiness(matrix, place(matrix, method, dims=3, epochs=300)) > 0.94


@BOTH
def test_equal_seeds_give_equal_pictures(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = np.random.default_rng(0).normal(size=(1500, 8)).astype(np.float32)
    once = place(matrix, method, epochs=30)
    monkeypatch.setattr(in_ranges, "MIN_COUNT", 8)  # more threads

    assert np.array_equal(once, place(matrix, method, epochs=30))
    assert not np.array_equal(once, place(matrix, method, epochs=30, seed=43))


@BOTH
def test_steps_of_any_length_give_the_same_picture(method: Method) -> None:
    matrix, _ = blobs(100)
    layout = make_layout(matrix, LayoutSettings(method, epochs=40))
    epochs = []
    while not layout.is_done:
        layout.step(0)
        epochs.append(layout.epoch)

    assert epochs == list(range(1, 41))
    assert np.array_equal(layout.positions, place(matrix, method, epochs=40))


@BOTH
def test_the_first_picture_shows_the_principal_components(method: Method) -> None:
    matrix = (np.random.default_rng(0).normal(size=(200, 20)) * np.linspace(10, 1, 20)).astype(np.float32)
    first = make_layout(matrix, LayoutSettings(method)).positions

    centred = matrix - matrix.mean(axis=0)
    exact = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    for axis in range(2):
        assert abs(np.corrcoef(first[:, axis], exact[:, axis])[0, 1]) > 0.99


@BOTH
def test_a_restart_begins_at_the_given_positions(method: Method) -> None:
    matrix, labels = blobs(200)
    before = place(matrix, method, epochs=300)
    layout = make_layout(matrix, LayoutSettings(method, epochs=100, perplexity=20, neighbours=10), start=before)
    assert np.array_equal(layout.positions, before)
    after = finish(layout)

    assert not np.array_equal(after, before)
    # The groups stay where they were.
    groups = [np.stack([at[labels == label].mean(axis=0) for label in range(8)]) for at in (before, after)]
    shift = np.linalg.norm(groups[1] - groups[0], axis=1).max()
    assert shift < 0.35 * np.linalg.norm(np.ptp(before, axis=0))


@BOTH
@pytest.mark.parametrize("rows", [1, 2, 3, 10])
@pytest.mark.parametrize("dims", [2, 3])
def test_few_rows_have_a_picture(method: Method, rows: int, dims: int) -> None:
    matrix = np.random.default_rng(rows).normal(size=(rows, 4)).astype(np.float32)
    positions = place(matrix, method, dims=dims, epochs=50, perplexity=100, neighbours=200)

    assert positions.shape == (rows, dims)
    assert np.isfinite(positions).all()


@BOTH
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_equal_rows_have_a_picture(method: Method, columns: int) -> None:
    positions = place(np.ones((300, columns), np.float32), method, epochs=60)

    assert np.isfinite(positions).all()
    assert (positions.std(axis=0) > 0).all()


@BOTH
@pytest.mark.parametrize("metric", ["cosine", "dot"])
def test_other_metrics_place_rows_by_direction(method: Method, metric: str) -> None:
    random = np.random.default_rng(5)
    labels = np.arange(300) % 3
    matrix = np.eye(3)[labels] @ random.normal(size=(3, 20)) * 5 + random.normal(0, 0.3, (300, 20))
    positions = place(matrix.astype(np.float32), method, metric=metric, epochs=300)

    nearest = np.argsort(_distances(positions), axis=1)[:, 1]
    assert (labels[nearest] == labels).mean() > 0.95


@BOTH
def test_supervision_separates_labels_that_the_data_mixes(method: Method) -> None:
    random = np.random.default_rng(4)
    matrix = random.normal(size=(400, 6)).astype(np.float32)
    labels = (np.arange(400) % 2).astype(np.int32)

    def agreement(supervise: float) -> float:
        settings = LayoutSettings(method, epochs=300, supervise=supervise)
        positions = finish(make_layout(matrix, settings, labels))
        nearest = np.argsort(_distances(positions), axis=1)[:, 1:6]
        return float((labels[nearest] == labels[:, None]).mean())

    assert agreement(0) < 0.65
    assert agreement(0.5) > 0.9
    assert agreement(1) > 0.9


@BOTH
def test_supervision_without_any_label_changes_nothing_much(method: Method) -> None:
    matrix, _ = blobs(200)
    labels = np.full(200, MISSING, np.int32)
    settings = LayoutSettings(method, epochs=200, supervise=1)

    assert trustworthiness(matrix, finish(make_layout(matrix, settings, labels))) > 0.9


@BOTH
def test_a_learning_rate_beyond_all_bounds_is_a_sentence(method: Method) -> None:
    with pytest.raises(EmbeddingError, match="smaller learning rate"):
        place(blobs(100)[0], method, learning_rate=1e38, epochs=20)


def test_no_rows_are_an_error() -> None:
    with pytest.raises(EmbeddingError, match="no rows"):
        make_layout(np.zeros((0, 4), np.float32), LayoutSettings("umap"))


def test_the_curve_is_that_of_umap_learn() -> None:
    assert fit_curve(0.1) == pytest.approx((1.5769434, 0.8950608), rel=1e-4)
    assert fit_curve(0.5) == pytest.approx((0.5830300, 1.3341669), rel=1e-3)


def test_perplexity_weights_have_the_perplexity() -> None:
    distances = np.sort(np.random.default_rng(0).random((50, 60)).astype(np.float32) * 1e4, axis=1)
    weights = perplexity_weights(distances, 20).astype(np.float64)

    assert np.exp(-(weights * np.log(weights)).sum(axis=1)) == pytest.approx(20, rel=1e-3)


def test_membership_weights_sum_up_to_the_logarithm() -> None:
    distances = np.sort(np.random.default_rng(0).random((50, 14)).astype(np.float32) + 0.1, axis=1)
    weights = membership_weights(distances)

    assert weights[:, 0] == pytest.approx(1)
    assert weights.sum(axis=1) == pytest.approx(np.log2(15), rel=1e-3)


def test_the_core_rejects_arrays_that_do_not_fit() -> None:
    graph = _core.NeighbourGraph(np.array([[1], [0]], np.int32), np.ones((2, 1), np.float32), is_union=True)
    assert (graph.points, graph.edges) == (2, 2)
    with pytest.raises(ValueError, match="no other point"):
        _core.NeighbourGraph(np.array([[1], [1]], np.int32), np.ones((2, 1), np.float32), is_union=True)
    with pytest.raises(ValueError, match="do not fit"):
        _core.attract(graph, np.zeros((3, 2), np.float32), 0, 2, np.zeros((3, 2), np.float32))
    with pytest.raises(ValueError, match="number of dimensions"):
        _core.RepulsionTree3(np.zeros((3, 2), np.float32), 0.5)
