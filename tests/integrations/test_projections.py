"""Projections and clusters beside the reference libraries: scikit-learn, umap-learn, scipy, on handwritten digits."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest

from seamark.embeddings import align
from seamark.embeddings.clusters.density import CORE_NEIGHBOURS, density_clusters
from seamark.embeddings.clusters.kmeans import kmeans_clusters
from seamark.embeddings.form import FloatMatrix, Vectors
from seamark.embeddings.methods import linear
from seamark.embeddings.methods.layouts.layout import LayoutSettings
from seamark.embeddings.methods.layouts.make import make_layout
from seamark.embeddings.neighbours import Metric, nearest, neighbour_table
from seamark.embeddings.prepare import AS_LOGGED, Preparation, Prepared
from seamark.embeddings.quality import picture_quality

pytest.importorskip("sklearn", reason="run it with `make test-integrations`")
umap = pytest.importorskip("umap", reason="run it with `make test-integrations`")

MAX_LOSS = 0.02


@pytest.fixture(scope="module")
def digits() -> FloatMatrix:
    from sklearn.datasets import load_digits

    return np.ascontiguousarray(load_digits().data, np.float32)


def prepared(matrix: FloatMatrix, preparation: Preparation = AS_LOGGED) -> Prepared:
    return Prepared(Vectors(matrix, "float32", None, "id"), preparation)


def place(matrix: FloatMatrix, method: Literal["tsne", "umap"]) -> FloatMatrix:
    layout = make_layout(matrix, LayoutSettings(method))
    while not layout.is_done:
        layout.step(60)
    return layout.positions


def trust(matrix: FloatMatrix, picture: Any) -> float:
    from sklearn.manifold import trustworthiness

    found: float = trustworthiness(matrix, picture, n_neighbors=10)
    return found


def test_principal_components_are_those_of_scikit_learn(digits: FloatMatrix) -> None:
    from sklearn.decomposition import PCA

    expected = PCA(10, svd_solver="full").fit(digits.astype(np.float64))
    found = linear.fit_pca(prepared(digits, Preparation()))
    np.testing.assert_allclose(found.variance[:10], expected.explained_variance_ratio_, rtol=1e-4)
    cosines = np.abs(np.einsum("dk,kd->k", found.matrix[:, :10], expected.components_))
    np.testing.assert_allclose(cosines, 1, atol=1e-4)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_neighbours_are_those_of_scikit_learn(digits: FloatMatrix, metric: Metric) -> None:
    from sklearn.neighbors import NearestNeighbors

    brute = NearestNeighbors(n_neighbors=11, algorithm="brute", metric=metric).fit(digits.astype(np.float64))
    away = brute.kneighbors(digits.astype(np.float64))[0]
    np.testing.assert_allclose(neighbour_table(digits, 10, metric)[1], away[:, 1:], rtol=1e-4, atol=1e-6)
    one = nearest(prepared(digits), 7, 10, metric)
    np.testing.assert_allclose(one.distances, away[7, 1:], rtol=1e-9, atol=1e-12)


def test_a_rotation_is_that_of_scipy(digits: FloatMatrix) -> None:
    from scipy.linalg import orthogonal_procrustes

    rotation = np.linalg.qr(np.random.default_rng(3).normal(size=(64, 64)))[0]
    rotated = (digits @ rotation).astype(np.float32)
    found = align.align_rows(digits, rotated).apply(digits)
    precise = digits.astype(np.float64)
    expected = precise @ orthogonal_procrustes(precise, rotated.astype(np.float64))[0]
    np.testing.assert_allclose(found, expected, atol=2e-3)
    np.testing.assert_allclose(found, rotated, atol=2e-3)


def test_trustworthiness_is_that_of_scikit_learn(digits: FloatMatrix) -> None:
    picture = (digits @ np.random.default_rng(2).normal(size=(64, 2))).astype(np.float32)
    found = picture_quality(prepared(digits), picture, None, count=10).trustworthiness
    assert found == pytest.approx(trust(digits, picture), abs=1e-3)


def test_umap_is_as_true_as_that_of_umap_learn(digits: FloatMatrix) -> None:
    expected = umap.UMAP(n_neighbors=15, min_dist=0.1, random_state=1).fit_transform(digits)
    assert trust(digits, place(digits, "umap")) > trust(digits, expected) - MAX_LOSS


def test_tsne_is_as_true_as_that_of_scikit_learn(digits: FloatMatrix) -> None:
    from sklearn.manifold import TSNE

    expected = TSNE(2, perplexity=30, init="pca", random_state=1).fit_transform(digits)
    assert trust(digits, place(digits, "tsne")) > trust(digits, expected) - MAX_LOSS


def inertia(matrix: FloatMatrix, codes: Any) -> float:
    values = matrix.astype(np.float64)
    return sum(
        float(((part - part.mean(axis=0)) ** 2).sum()) for code in set(codes) for part in [values[codes == code]]
    )


@pytest.mark.parametrize("count", [3, 10, 15])
def test_k_means_is_as_good_as_that_of_scikit_learn(digits: FloatMatrix, count: int) -> None:
    from sklearn.cluster import KMeans

    expected = KMeans(count, n_init=10, random_state=0).fit(digits)
    assert inertia(digits, kmeans_clusters(prepared(digits), count).codes) < (1 + MAX_LOSS) * expected.inertia_


@pytest.mark.parametrize("of_picture", [False, True], ids=["vectors", "picture"])
def test_density_clusters_are_those_of_hdbscan(digits: FloatMatrix, of_picture: bool) -> None:
    """These join rows along a graph of neighbours, HDBSCAN along all pairs."""
    from sklearn.cluster import HDBSCAN
    from sklearn.metrics import adjusted_rand_score

    values = umap.UMAP(random_state=1).fit_transform(digits) if of_picture else digits
    # Scikit-learn counts the row itself, too.
    smallest = round(len(digits) ** 0.5 / 2)
    expected = HDBSCAN(min_cluster_size=smallest, min_samples=CORE_NEIGHBOURS + 1, copy=True).fit(values)
    assert adjusted_rand_score(density_clusters(prepared(values)).codes, expected.labels_) > 0.98
