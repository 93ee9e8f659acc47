"""Clusters of blobs, and what they are called."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.embeddings.clusters import density, kmeans
from seamark.embeddings.clusters.density import density_clusters
from seamark.embeddings.clusters.grouping import NO_CLUSTER
from seamark.embeddings.clusters.kmeans import kmeans_clusters
from seamark.embeddings.clusters.naming import codes_of, column_clusters, name_clusters
from seamark.embeddings.form import MISSING, Metadata, MetadataColumn, Vectors
from seamark.embeddings.prepare import AS_LOGGED, Prepared


def prepared(values: np.ndarray) -> Prepared:
    values = np.asarray(values, np.float32)
    is_finite = np.isfinite(values).all(axis=1)
    return Prepared(Vectors(values, "float32", None if is_finite.all() else np.flatnonzero(is_finite), "id"), AS_LOGGED)


def blobs(sizes: tuple[int, ...] = (150, 90, 60), dimensions: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Points around distant centres, in random order, and the blob of each."""
    rng = np.random.default_rng(6)
    truth = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    centres = rng.standard_normal((len(sizes), dimensions)) * 12
    return centres[truth] + rng.standard_normal((len(truth), dimensions)), truth


def text_column(values: list[str], name: str = "label") -> MetadataColumn:
    names = sorted(set(values) - {""}, key=lambda one: (-values.count(one), one))
    codes = np.array([names.index(value) if value else MISSING for value in values], np.int32)
    return MetadataColumn(name, "category", codes=codes, names=names)


@pytest.mark.parametrize("count", [0, 3])
def test_kmeans_finds_blobs(count: int) -> None:
    values, truth = blobs()
    found = kmeans_clusters(prepared(values), count)
    np.testing.assert_array_equal(found.codes, truth)  # the largest is first
    assert "k-means" in found.method and ("silhouette" in found.method) == (count == 0)


def test_kmeans_of_a_sample_places_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kmeans, "MAX_FITTED_ROWS", 100)
    values, truth = blobs()
    found = kmeans_clusters(prepared(values))
    np.testing.assert_array_equal(found.codes, truth)
    assert "centres of 100 random points" in found.method


def test_rows_that_are_not_finite_are_in_no_cluster() -> None:
    values, truth = blobs()
    values[[4, 9]] = np.nan
    for found in (kmeans_clusters(prepared(values), 3), density_clusters(prepared(values))):
        assert (found.codes[[4, 9]] == NO_CLUSTER).all()
        np.testing.assert_array_equal(np.delete(found.codes, [4, 9]), np.delete(truth, [4, 9]))


@pytest.mark.parametrize("rows", [1, 2, 3, 30])
def test_equal_and_few_rows(rows: int) -> None:
    for values in (np.ones((rows, 3)), np.arange(rows * 3.0).reshape(rows, 3)):
        for found in (
            kmeans_clusters(prepared(values)),
            kmeans_clusters(prepared(values), 7),
            density_clusters(prepared(values)),
        ):
            assert len(found.codes) == rows
    assert kmeans_clusters(prepared(np.ones((rows, 3)))).codes.tolist() == [0] * rows


def test_no_finite_row() -> None:
    nothing = prepared(np.full((3, 2), np.nan))
    assert kmeans_clusters(nothing).codes.tolist() == [-1, -1, -1]
    assert density_clusters(nothing).codes.tolist() == [-1, -1, -1]


def test_density_finds_blobs_of_any_shape_and_noise() -> None:
    rng = np.random.default_rng(0)
    angles = rng.uniform(0, 2 * np.pi, 400)
    ring = np.stack([10 * np.cos(angles), 10 * np.sin(angles)], axis=1) + rng.standard_normal((400, 2)) * 0.15
    middle = rng.standard_normal((200, 2)) * 0.7
    noise = np.array([[40.0, 40.0], [-35, 20], [30, -45]])
    found = density_clusters(prepared(np.concatenate([ring, middle, noise])))
    assert np.bincount(found.codes[:400] + 1).argmax() == 1 and (found.codes[:400] == 0).mean() > 0.97
    assert (found.codes[400:600] == 1).mean() > 0.9
    assert (found.codes[600:] == NO_CLUSTER).all()
    assert found.method.startswith("Density (HDBSCAN on 15 neighbours, clusters of at least 12 points)")


def test_one_blob_is_one_cluster() -> None:
    values, _ = blobs((200,), 2)
    codes = density_clusters(prepared(values)).codes
    assert codes.max() >= 0


def test_density_of_a_sample_places_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(density, "MAX_CLUSTERED_ROWS", 200)
    values, truth = blobs((300, 200, 100))
    found = density_clusters(prepared(values))
    assert (found.codes == truth).mean() > 0.98
    assert "200 random points" in found.method


def test_clusters_are_named_by_the_column_that_tells_most() -> None:
    _, truth = blobs()
    codes = truth.astype(np.int32)
    kinds = ["trees", "birds", "trees"]
    metadata = Metadata(
        300,
        (
            text_column([str(row) for row in range(300)], "id"),
            text_column(["all"] * 300, "constant"),
            text_column([kinds[code] for code in truth], "kind"),
        ),
    )
    found = name_clusters(codes, metadata)
    assert [one.name for one in found] == ["trees", "birds", "trees (2)"]
    assert [one.points for one in found] == [150, 90, 60] and all(one.share == 1 for one in found)
    assert [one.name for one in name_clusters(codes, metadata, "constant")] == ["all", "all (2)", "all (3)"]


def test_a_typical_value_is_more_frequent_than_elsewhere() -> None:
    codes = np.repeat(np.array([0, 1], np.int32), 100)
    values = ["the"] * 60 + ["cat"] * 40 + ["the"] * 100
    found = name_clusters(codes, Metadata(200, (text_column(values),)))
    assert [(one.name, one.share) for one in found] == [("cat", 0.4), ("the", 1.0)]


def test_clusters_without_metadata_have_numbers() -> None:
    codes = np.array([0, 0, 1, -1], np.int32)
    assert [one.name for one in name_clusters(codes, Metadata(4))] == ["cluster 1", "cluster 2"]


def test_clusters_by_a_column() -> None:
    grouping, found = column_clusters(text_column(["b", "a", "b", "", "b"]))
    assert grouping.codes.tolist() == [0, 1, 0, -1, 0]
    assert [(one.name, one.points) for one in found] == [("b", 3), ("a", 1)]
    assert grouping.method == "Values of the column 'label'."


def test_numbers_are_names_or_ranges() -> None:
    few = codes_of(MetadataColumn("n", "number", numbers=np.array([2.0, 1.0, np.nan, 2.0])))
    assert few is not None
    assert few[0].tolist() == [1, 0, -1, 1] and few[1] == ["1", "2"]
    many = codes_of(MetadataColumn("n", "number", numbers=np.arange(800.0)))
    assert many is not None
    assert np.bincount(many[0]).tolist() == [100] * 8
    assert many[1][0] == "0 to 99.88"
