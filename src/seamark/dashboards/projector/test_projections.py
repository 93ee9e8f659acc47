"""Projections through the routes: linear methods, samples, filters, alignment, and methods that run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.plugin.columns import decode_columns

Project = Callable[..., tuple[dict[str, Any], np.ndarray, np.ndarray | None]]
ROWS = 90


@pytest.fixture
def values(run: Path) -> np.ndarray:
    """Two groups, as they are at the last step, and rotated as another step."""
    rng = np.random.default_rng(5)
    groups = np.repeat([0, 1], ROWS // 2)
    values = (np.eye(5)[groups] * 20 + rng.standard_normal((ROWS, 5))).astype(np.float32)
    rotation = np.linalg.qr(rng.standard_normal((5, 5)))[0].astype(np.float32)
    np.save(run / "last.npy", values)
    np.save(run / "rotated.npy", values @ rotation)
    for name in ("last", "rotated"):
        lines = ["group\tnumber", *(f"{'ab'[group]}\t{row}" for row, group in enumerate(groups))]
        (run / f"{name}.metadata.tsv").write_text("\n".join(lines) + "\n")
    return values


@pytest.fixture
def project(client: TestClient, values: np.ndarray) -> Project:
    def send(name: str = "last", **body: object) -> tuple[dict[str, Any], np.ndarray, np.ndarray | None]:
        answer = ask(client, name, **body)
        assert answer.status_code == 200, answer.text
        header, columns = decode_columns(answer.content)
        return header, np.stack([columns[axis] for axis in "xyz" if axis in columns], axis=1), columns.get("rows")

    return send


def ask(client: TestClient, name: str = "last", **body: object) -> Any:
    sent = {"run": "a", "name": f"file:{name}.npy", **body}
    return client.post("/api/dashboards/projector/projection", json=sent)


def test_components_are_chosen_and_all_shares_are_sent(project: Project, values: np.ndarray) -> None:
    header, found, _ = project(method={"components": [2, 0]})
    _, _, axes = np.linalg.svd(values - values.mean(axis=0), full_matrices=False)
    expected = (values - values.mean(axis=0)) @ axes[[2, 0]].T
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-3)
    assert header["titles"] == ["PC3", "PC1"] and len(header["variance"]) == 5


def test_single_dimensions_are_as_they_were_logged(project: Project, values: np.ndarray) -> None:
    header, found, _ = project(method={"method": "raw", "components": [4, 1, 0], "dims": 3}, center=False)
    np.testing.assert_array_equal(found, values[:, [4, 1, 0]])
    assert header["titles"] == ["dimension 4", "dimension 1", "dimension 0"]


def test_random_directions_depend_on_the_seed(project: Project) -> None:
    first, again, other = (project(method={"method": "random", "seed": seed})[1] for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.allclose(first, other)


def test_custom_axes_lead_from_one_group_to_another(project: Project) -> None:
    axis = {"start": {"text": "a", "column": "group"}, "end": {"text": "b", "column": "group"}}
    other = {"start": {"text": "0", "column": "number"}, "end": {"text": "1", "column": "number"}}
    header, found, _ = project(method={"method": "axes", "axes": [axis, other]})
    assert found[: ROWS // 2, 0].max() < found[ROWS // 2 :, 0].min()
    assert header["titles"] == ["a → b", "0 → 1"]


def test_one_custom_axis_is_enough(project: Project, values: np.ndarray) -> None:
    axis = {"start": {"text": "a", "column": "group"}, "end": {"text": "b", "column": "group"}}
    unnamed = {"start": {"text": ""}, "end": {"text": ""}}
    header, found, _ = project(method={"method": "axes", "axes": [axis, unnamed]})
    assert header["titles"] == ["a → b", "largest variance of the rest"]
    both = project(method={"method": "axes", "axes": [axis], "dims": 3})[1]
    np.testing.assert_allclose(both[:, :2], found, atol=1e-4)
    # What numpy finds where nothing varies along the first axis any more.
    direction = values[ROWS // 2 :].mean(axis=0) - values[: ROWS // 2].mean(axis=0)
    direction /= np.linalg.norm(direction)
    centred = values - values.mean(axis=0)
    rest = centred - np.outer(centred @ direction, direction)
    assert found[:, 1].var() > 0.8 * np.linalg.svd(rest, compute_uv=False)[0] ** 2 / ROWS


def test_a_filter_and_a_sample_are_said(project: Project) -> None:
    header, found, rows = project(method={"query": 'group == "b"'})
    assert rows is not None and rows.tolist() == list(range(ROWS // 2, ROWS)) and len(found) == ROWS // 2
    assert header["notes"] == ["45 rows that match the filter"]
    header, _, rows = project(sample=10)
    assert rows is not None and len(rows) == 10 and rows.tolist() != list(range(10))
    assert header["notes"] == ["10 of 90 rows, drawn at random, seed 42"] and header["total"] == ROWS


@pytest.mark.parametrize("method", ["pca", "raw"])
def test_a_step_that_was_only_rotated_does_not_move(method: str, project: Project) -> None:
    _, last, _ = project("last", method={"method": method}, center=False)
    _, aligned, _ = project("rotated", method={"method": method}, center=False, align_to="file:last.npy")
    np.testing.assert_allclose(aligned, last, atol=1e-3)


def test_the_shares_of_variance_are_those_of_the_shown_step(run: Path, project: Project, values: np.ndarray) -> None:
    stretched = values * np.array([1, 5, 1, 1, 2], np.float32)
    np.save(run / "stretched.npy", stretched)
    header, found, _ = project("stretched", method={"method": "pca"}, align_to="file:last.npy")
    np.testing.assert_allclose(header["variance"][:2], found.var(axis=0) / stretched.var(axis=0).sum(), rtol=1e-3)
    assert header["variance"] != project("last", method={"method": "pca"})[0]["variance"]


def test_a_step_that_is_not_aligned_moves(project: Project) -> None:
    _, last, _ = project("last", method={"method": "raw"})
    _, own, _ = project("rotated", method={"method": "raw"})
    assert not np.allclose(own, last, atol=1)


@pytest.mark.parametrize("method", ["umap", "tsne"])
def test_a_method_runs_to_its_end(method: str, project: Project) -> None:
    header, found = finished(project, {"method": method, "epochs": 400, "perplexity": 5})
    assert (header["epoch"], header["epochs"], header["error"]) == (400, 400, "")
    centres = found[: ROWS // 2].mean(axis=0), found[ROWS // 2 :].mean(axis=0)
    spread = max(found[: ROWS // 2].std(), found[ROWS // 2 :].std())
    assert np.linalg.norm(centres[0] - centres[1]) > spread


def test_a_method_is_aligned_with_the_last_step(project: Project) -> None:
    settings = {"method": "umap", "epochs": 30}
    _, last = finished(project, settings)
    _, aligned = finished(project, settings, name="rotated", align_to="file:last.npy")
    _, own = finished(project, {**settings, "seed": 7}, name="rotated")
    assert np.linalg.norm(aligned - last) < np.linalg.norm(own - last)


def test_a_sample_of_a_method_is_said(project: Project) -> None:
    header, found = finished(project, {"method": "umap", "epochs": 2, "max_rows": 40})
    assert len(found) == 40 and header["notes"] == ["UMAP of 40 of 90 rows, drawn at random, seed 42"]


def test_a_method_is_paused_and_goes_on(client: TestClient, project: Project) -> None:
    settings = {"method": "tsne", "epochs": 10_000}
    key = project(method=settings)[0]["key"]

    def act(action: str) -> str:
        answer = client.post("/api/dashboards/projector/job", json={"key": key, "action": action})
        return str(answer.json()["state"])

    assert act("pause") == "paused"
    epoch = project(method=settings)[0]["epoch"]
    assert project(method=settings, after=epoch)[0]["epoch"] == epoch
    assert act("resume") == "running"
    assert project(method=settings, after=epoch)[0]["epoch"] > epoch
    act("pause")


def test_labels_that_are_no_names_fail_in_a_sentence(project: Project) -> None:
    header, _ = finished(project, {"method": "umap", "supervise": 1, "supervise_by": "nothing"})
    assert header["state"] == "failed" and header["error"] == "labels are a column of names: got 'nothing'"


@pytest.mark.parametrize(
    ("method", "status", "sentence"),
    [
        ({"components": [9, 0]}, 422, "there is no component 10: want 1 to 5"),
        ({"components": [1]}, 422, "a picture of 2 axes needs as many components: got 1"),
        ({"method": "axes"}, 422, "custom axes need a text at both ends of one of them at least"),
        ({"query": 'group == "c"'}, 422, "no row matches the filter"),
        ({"method": "random", "seed": -1}, 400, "seed"),
        ({"method": "umap", "max_rows": 10**9}, 400, "max_rows"),
    ],
)
def test_bad_parameters_get_a_sentence(
    method: dict[str, object], status: int, sentence: str, client: TestClient, values: np.ndarray
) -> None:
    answer = ask(client, method=method)
    assert answer.status_code == status and sentence in answer.json()["error"]


def finished(
    project: Project, method: dict[str, object], *, name: str = "last", align_to: str = ""
) -> tuple[dict[str, Any], np.ndarray]:
    header, found, _ = project(name, method=method, align_to=align_to)
    while header["state"] == "running":
        header, found, _ = project(name, method=method, align_to=align_to, after=header["epoch"])
    return header, found
