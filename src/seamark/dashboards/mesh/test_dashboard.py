"""The routes of Mesh: logged parts as numbers, and 3-D files of a run but no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.kinds import mesh
from seamark.kinds.summary import event_record
from seamark.plugin import run_folder
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

ROOT = "/api/dashboards/mesh"
VERTICES = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
FACES = np.array([[[0, 1, 2], [0, 2, 3]]] * 2, np.int32)
COLOURS = np.full((2, 4, 3), 7, np.uint8)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    logs = tmp_path / "logs"
    with EventFile(logs / "a", wall_time=1000.0) as file:
        for step in (0, 10):
            values = mesh.encode("ball", VERTICES + step, faces=FACES, colors=COLOURS, config={"lights": []})
            file.append(event_record(values, step=step, wall_time=1000.0 + step))
        file.append(event_record(mesh.encode("cloud", VERTICES), step=0, wall_time=1000.0))
    with EventFile(logs / "a" / "inner", wall_time=1000.0):
        pass
    (logs / "a" / "out").mkdir()
    (logs / "a" / "out" / "ball.PLY").write_text("ply")
    (logs / "a" / "inner" / "own.stl").write_bytes(b"solid")
    (logs / "a" / "notes.txt").write_text("no mesh")
    (tmp_path / "secret.ply").write_text("secret")
    (logs / "a" / "link.ply").symlink_to(tmp_path / "secret.ply")
    with (
        Store([LogRoot("", logs)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        yield client


def part(client: TestClient, tag: str, *, index: int = 0, sample: int = 0) -> bytes:
    answer = client.get(f"{ROOT}/part", params={"run": "a", "tag": tag, "index": index, "sample": sample})
    assert answer.status_code == 200, answer.text
    return answer.content


def test_the_parts_of_a_mesh_are_listed_under_its_name(client: TestClient) -> None:
    listed = {entry["name"]: entry for entry in client.get(f"{ROOT}/meshes").json()["meshes"]}
    assert set(listed) == {"ball", "cloud"}
    ball = listed["ball"]
    assert (ball["run"], ball["samples"], ball["config"]) == ("a", 2, '{"lights": []}')
    assert set(ball["parts"]) == {"VERTEX", "FACE", "COLOR"}
    assert ball["parts"]["VERTEX"]["steps"] == [0, 10]
    assert set(listed["cloud"]["parts"]) == {"VERTEX"}


def test_a_part_has_the_numbers_that_were_logged(client: TestClient) -> None:
    vertices = np.frombuffer(part(client, "ball_VERTEX", index=1, sample=1), "<f4").reshape(-1, 3)
    assert vertices.tolist() == (VERTICES[1] + 10).tolist()
    assert np.frombuffer(part(client, "ball_FACE"), "<i4").tolist() == FACES[0].ravel().tolist()
    assert set(part(client, "ball_COLOR")) == {7}


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("run=a&tag=gone_VERTEX", 404, "the run 'a' has no mesh 'gone_VERTEX'"),
        ("run=a&tag=ball_VERTEX&index=9", 404, "there are 2"),
        ("run=a&tag=ball_VERTEX&sample=2", 404, "this mesh has 2"),
        ("run=a&tag=ball_VERTEX&sample=-1", 400, "sample must be"),
    ],
)
def test_invalid_requests_get_an_error(client: TestClient, query: str, status: int, words: str) -> None:
    answer = client.get(f"{ROOT}/part?{query}")
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_files_belong_to_the_run_whose_folder_is_nearest(client: TestClient) -> None:
    listed = client.get(f"{ROOT}/files").json()
    assert {(entry["run"], entry["path"]) for entry in listed["files"]} == {
        ("a", "out/ball.PLY"),
        ("a/inner", "own.stl"),
    }
    assert not listed["more"]
    assert client.get(f"{ROOT}/file", params={"run": "a", "path": "out/ball.PLY"}).content == b"ply"


@pytest.mark.parametrize(
    "path", ["../../secret.ply", "link.ply", "/etc/passwd", "notes.txt", "gone.ply", "out", "out/ball.PLY\0", ""]
)
def test_only_3d_files_of_the_run_are_served(client: TestClient, path: str) -> None:
    answer = client.get(f"{ROOT}/file", params={"run": "a", "path": path})
    assert answer.status_code == 404
    assert "secret" not in answer.text.replace(path, "")


def test_a_long_list_of_files_is_cut(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_folder, "MAX_FILES", 1)
    listed = client.get(f"{ROOT}/files").json()
    assert len(listed["files"]) == 1
    assert listed["more"]


def test_hidden_files_are_neither_listed_nor_sent(client: TestClient, tmp_path: Path) -> None:
    run = tmp_path / "logs" / "a"
    (run / ".keys").mkdir()
    (run / ".keys" / "own.stl").write_bytes(b"solid")
    (run / ".own.stl").write_bytes(b"solid")
    (run / "shown.stl").symlink_to(run / ".own.stl")
    assert [entry["path"] for entry in client.get(f"{ROOT}/files").json()["files"] if "own" in entry["path"]] == [
        "own.stl"
    ]
    for path in (".own.stl", ".keys/own.stl", "shown.stl"):
        assert client.get(f"{ROOT}/file", params={"run": "a", "path": path}).status_code == 404
