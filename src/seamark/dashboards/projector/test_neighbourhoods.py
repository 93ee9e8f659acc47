"""Neighbours, quality, clusters, outliers, duplicates and movements through the routes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.kinds.projector.config import Embedding, ProjectorConfig, encode
from seamark.plugin.columns import decode_columns

Post = Callable[..., Any]
NAME = "config:blobs"
ROWS = 120


@pytest.fixture
def post(client: TestClient) -> Post:
    def send(route: str, **body: object) -> Any:
        return client.post(f"/api/dashboards/projector/{route}", json={"run": "a", "name": NAME, **body})

    return send


@pytest.fixture
def blobs(run: Path) -> np.ndarray:
    """Three groups of points, with a metadata file of two columns."""
    rng = np.random.default_rng(3)
    truth = np.repeat([0, 1, 2], [60, 40, 20])
    values = (rng.standard_normal((3, 6)) * 15)[truth] + rng.standard_normal((ROWS, 6))
    values[50] = values[10]
    write(run, "blobs", values)
    kinds = ["trees", "birds", "stones"]
    lines = ["word\tkind", *(f"word {row}\t{kinds[code]}" for row, code in enumerate(truth))]
    (run / "blobs_metadata.tsv").write_text("\n".join(lines) + "\n")
    config = ProjectorConfig((Embedding("blobs", "blobs.tsv", metadata_path="blobs_metadata.tsv"),))
    (run / "projector_config.pbtxt").write_text(encode(config))
    return values.astype(np.float32)


def write(run: Path, name: str, values: np.ndarray) -> None:
    (run / f"{name}.tsv").write_text("".join("\t".join(map(repr, row)) + "\n" for row in values.tolist()))


def block(answer: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    assert answer.status_code == 200, answer.text
    return decode_columns(answer.content)


def test_neighbours_with_labels_and_ranks_in_the_picture(post: Post, blobs: np.ndarray) -> None:
    found = post("neighbours", row=10, count=5, distance="euclidean").json()
    away = np.linalg.norm(blobs.astype(np.float64) - blobs[10], axis=1)
    away[10] = np.inf
    expected = np.argsort(away, kind="stable")[:5].tolist()
    assert found["rows"] == expected and found["rows"][0] == 50
    np.testing.assert_allclose(found["distances"], away[expected], atol=1e-5)
    assert found["labels"] == [f"word {row}" for row in expected]
    assert found["picture_ranks"][0] == 1 and min(found["picture_ranks"]) >= 1
    assert found["kept"] == sum(rank <= 5 for rank in found["picture_ranks"])
    assert found["compared"] == ROWS - 1 == sum(found["histogram_counts"])
    assert len(found["histogram_edges"]) == 33 and found["secs"] < 5


def test_a_row_that_is_not_there_is_an_error(post: Post, blobs: np.ndarray) -> None:
    answer = post("neighbours", row=ROWS)
    assert answer.status_code == 404
    assert answer.json()["error"] == "there is no row 120: the embedding has 0 to 119"


def test_a_row_that_is_not_finite_has_no_neighbours(post: Post, run: Path) -> None:
    values = np.random.default_rng(0).standard_normal((12, 3)).astype(np.float32)
    values[4] = np.nan
    np.save(run / "holes.npy", values)
    answer = post("neighbours", name="file:holes.npy", row=4)
    assert answer.status_code == 422 and "not finite" in answer.json()["error"]
    found = post("neighbours", name="file:holes.npy", row=5, count=20).json()
    assert found["compared"] == 10 and 4 not in found["rows"]
    assert found["labels"][0] == f"row {found['rows'][0]}"
    assert sorted(found["picture_ranks"]) == list(range(1, 11))
    _, columns = block(post("quality", name="file:holes.npy"))
    assert np.flatnonzero(np.isnan(columns["kept"])).tolist() == [4]
    _, columns = block(post("clusters", name="file:holes.npy", clusters=2))
    assert np.flatnonzero(columns["codes"] == -1).tolist() == [4]


def test_quality_of_the_picture(post: Post, blobs: np.ndarray) -> None:
    header, columns = block(post("quality"))
    assert 0.5 < header["trustworthiness"] <= 1 and 0.5 < header["continuity"] <= 1
    assert header["count"] == 10 and header["sampled"] == ROWS
    assert columns["kept"].shape == (ROWS,) and columns["kept"].dtype == np.float32


@pytest.mark.parametrize("by", ["kmeans", "density"])
@pytest.mark.parametrize("space", ["vectors", "picture"])
def test_clusters_are_named_by_metadata(post: Post, blobs: np.ndarray, by: str, space: str) -> None:
    header, columns = block(post("clusters", by=by, space=space))
    assert [one["name"] for one in header["clusters"]] == ["trees", "birds", "stones"]
    assert sum(one["points"] for one in header["clusters"]) == np.count_nonzero(columns["codes"] >= 0)
    assert all(0 <= one["trust"] <= 1 and one["share"] == 1 for one in header["clusters"])
    assert header["method"].endswith(".") and columns["codes"].dtype == np.int32


def test_clusters_by_a_column(post: Post, blobs: np.ndarray) -> None:
    header, columns = block(post("clusters", by="column:kind"))
    assert [(one["name"], one["points"]) for one in header["clusters"]] == [
        ("trees", 60),
        ("birds", 40),
        ("stones", 20),
    ]
    np.testing.assert_array_equal(columns["codes"], np.repeat([0, 1, 2], [60, 40, 20]))
    assert post("clusters", by="column:nothing").status_code == 404
    assert post("clusters", label_by="nothing").status_code == 404
    assert post("clusters", by="magic").json()["error"] == (
        "unknown clusters: got 'magic', want kmeans, density or column:NAME"
    )


def test_outliers_and_duplicates(post: Post, blobs: np.ndarray) -> None:
    found = post("outliers", limit=3).json()
    assert len(found["rows"]) == 3 and found["scores"] == sorted(found["scores"], reverse=True)
    assert found["method"] == "Mean distance to the 10 nearest neighbours."
    assert post("duplicates").json() == {"groups": [[10, 50]], "rows": 2}


def test_two_embeddings_share_neighbours(post: Post, run: Path, blobs: np.ndarray) -> None:
    np.save(run / "turned.npy", blobs[:, ::-1].copy())
    np.save(run / "short.npy", blobs[:7])
    header, columns = block(post("shared", other_run="a", other_name="file:turned.npy"))
    assert header["mean"] == 1 and header["count"] == 10 and (columns["shared"] == 1).all()
    answer = post("shared", other_run="a", other_name="file:short.npy")
    assert answer.status_code == 422 and "120 and of 7 rows" in answer.json()["error"]


def test_movements_leave_rotations_out(post: Post, run: Path, blobs: np.ndarray) -> None:
    later = blobs[:, ::-1].copy()
    later[7] += 5
    np.save(run / "later.npy", later)
    np.save(run / "narrow.npy", blobs[:, :2])
    header, columns = block(post("movement", names=[NAME, "file:later.npy"]))
    assert len(header["means"]) == 1 and columns["moved"].argmax() == 7
    assert np.median(columns["moved"]) < 0.5
    answer = post("movement", names=[NAME, "file:narrow.npy"])
    assert answer.status_code == 422 and "120 × 6 and 120 × 2" in answer.json()["error"]


@pytest.mark.parametrize(
    "values",
    [
        np.ones((1, 3)),
        np.eye(2),
        np.full((9, 4), 2.5),
        np.arange(5.0)[:, None],
        np.random.default_rng(0).standard_normal((4, 100_000)),
    ],
    ids=["one row", "two rows", "equal rows", "one dimension", "100,000 dimensions"],
)
def test_embeddings_that_are_hardly_one(post: Post, run: Path, values: np.ndarray) -> None:
    np.save(run / "odd.npy", values.astype(np.float32))
    name, rows = "file:odd.npy", len(values)
    found = post("neighbours", name=name, row=0, count=3).json()
    assert len(found["rows"]) == min(3, rows - 1) == len(found["picture_ranks"])
    header, columns = block(post("quality", name=name))
    # Of so few rows no neighbourhood can be judged.
    assert 0 <= header["trustworthiness"] <= 1 and np.isfinite(columns["kept"]).all() == (header["count"] > 0)
    for by in ("kmeans", "density"):
        for space in ("vectors", "picture"):
            header, columns = block(post("clusters", name=name, by=by, space=space))
            assert columns["codes"].max() == len(header["clusters"]) - 1
    are_equal = rows == 1 or not values.std(axis=0).any()
    assert len(post("outliers", name=name).json()["rows"]) == (0 if are_equal else rows)
    assert post("duplicates", name=name).json()["rows"] in (0, rows)
    header, _ = block(post("movement", names=[name, name]))
    assert header["means"] == [pytest.approx(0, abs=1e-3)]
    assert block(post("shared", name=name, other_run="a", other_name=name))[0]["mean"] == 1


def test_distances_are_those_of_a_row_from_every_row(post: Post, blobs: np.ndarray) -> None:
    _, columns = block(post("distances", row=7, distance="euclidean"))
    expected = np.linalg.norm(blobs - blobs[7], axis=1)
    np.testing.assert_allclose(columns["distances"], expected, rtol=1e-4, atol=1e-3)


def test_a_row_that_does_not_exist_has_no_distances(post: Post, blobs: np.ndarray) -> None:
    answer = post("distances", row=ROWS)
    assert answer.status_code == 422
    assert f"there is no row {ROWS}" in answer.json()["error"]
