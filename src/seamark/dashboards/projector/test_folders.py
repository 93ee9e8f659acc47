"""Folders without event files: their embeddings are listed, opened, and never outside of the log directory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.dashboards.projector.test_embeddings import MATRIX, configure, tsv
from seamark.kinds.projector.config import Embedding
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

PREFIX = "/api/dashboards/projector"


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


@pytest.fixture
def client(logdir: Path) -> Iterator[TestClient]:
    yield from serve([LogRoot("", logdir)])


def serve(roots: list[LogRoot]) -> Iterator[TestClient]:
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store, roots=roots), base_url="http://localhost")


def add_config(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vectors.tsv").write_text(tsv(MATRIX))
    configure(folder, Embedding(name, "vectors.tsv"))


def listed(client: TestClient) -> list[tuple[str, str]]:
    entries = client.get(f"{PREFIX}/embeddings").json()["embeddings"]
    for entry in entries:
        info = client.get(f"{PREFIX}/info", params={"run": entry["run"], "name": entry["name"]})
        assert info.status_code == 200, info.text
        assert info.json()["rows"] == len(MATRIX)
    return [(entry["run"], entry["title"]) for entry in entries]


def test_an_empty_log_directory_has_no_embedding(client: TestClient) -> None:
    assert client.get(f"{PREFIX}/has_data").json() == {"has_data": False}
    assert listed(client) == []


def test_configs_and_files_of_folders_without_runs(logdir: Path) -> None:
    EventFile(logdir / "deep" / "run").close()
    np.save(logdir / "deep" / "run" / "own.npy", MATRIX)
    add_config(logdir / "deep" / "words", "words")
    add_config(logdir / "deep" / "run" / "inside", "belongs to the run, whose files are listed")
    add_config(logdir / ".hidden", "hidden")
    np.save(logdir / "deep" / "words" / "more.npy", MATRIX)
    np.save(logdir / "top.npy", MATRIX)
    (logdir / "sub").mkdir()
    np.save(logdir / "sub" / "below.npy", MATRIX)
    for client in serve([LogRoot("", logdir)]):
        assert client.get(f"{PREFIX}/has_data").json() == {"has_data": True}
        assert listed(client) == [
            ("deep/words", "words"),
            ("deep/run", "own.npy"),
            (".", "sub/below.npy"),
            (".", "top.npy"),
            ("deep/words", "more.npy"),
            ("deep/run", "inside/vectors.tsv"),
        ]


def test_the_config_of_a_log_directory_is_listed_once(client: TestClient, logdir: Path) -> None:
    add_config(logdir, "top")
    add_config(logdir / "plugins" / "org_tensorflow_tensorboard_projector", "of the plugin")
    assert listed(client) == [(".", "of the plugin"), (".", "vectors.tsv")]


def test_a_folder_whose_name_is_not_utf8(client: TestClient, logdir: Path) -> None:
    add_config(logdir / os.fsdecode(b"d\xe9p\xf4t"), "words")
    add_config(logdir / r"plain\xe9", "others")
    assert listed(client) == [(r"d\xe9p\xf4t", "words"), (r"plain\xe9", "others")]


def test_a_config_that_cannot_be_read_is_said(client: TestClient, logdir: Path) -> None:
    for name, text in (("broken", "embeddings { tensor_name: "), ("long", "#" * (1 << 20) + "\n")):
        (logdir / name).mkdir()
        (logdir / name / "projector_config.pbtxt").write_text(text)
    answer = client.get(f"{PREFIX}/embeddings").json()
    assert answer["embeddings"] == []
    assert [problem["run"] for problem in answer["problems"]] == ["broken", "long"]
    first, second = (problem["message"] for problem in answer["problems"])
    assert first.startswith("the projector config cannot be parsed: 1:")
    assert second == "the projector config is too large: it has 1,048,577 bytes, want at most 1,048,576"
    assert client.get(f"{PREFIX}/has_data").json() == {"has_data": True}


def test_files_that_are_damaged_or_too_large_are_said(client: TestClient, logdir: Path) -> None:
    np.save(logdir / "whole.npy", MATRIX)
    (logdir / "cut.npy").write_bytes((logdir / "whole.npy").read_bytes()[:-1])
    with (logdir / "large.npy").open("wb") as file:
        shape = {"descr": "<f4", "fortran_order": False, "shape": (20_000_000, 256)}
        np.lib.format.write_array_header_1_0(file, shape)
        file.truncate(file.tell() + 20_000_000 * 256 * 4)
    np.savez(logdir / "whole.npz", a=MATRIX)
    (logdir / "cut.npz").write_bytes((logdir / "whole.npz").read_bytes()[:-30])
    (logdir / "cut.safetensors").write_bytes(b"\0\1")
    (logdir / "no_array.npy").write_text("a text")
    np.save(logdir / "flat.npy", MATRIX[0])
    (logdir / "broken.parquet").write_bytes(b"PAR1")
    (logdir / "log.csv").write_text("step,loss\n1,2\n")
    answer = client.get(f"{PREFIX}/embeddings").json()
    assert [entry["title"] for entry in answer["embeddings"]] == ["whole.npy", "whole.npz#a"]
    sentences = {problem["path"]: problem["message"] for problem in answer["problems"]}
    assert sentences.pop("flat.npy") == "this is no embedding: the array has 1 dimension: want 2, [points, dimensions]"
    assert sentences.pop("broken.parquet").startswith("this is no embedding: the file cannot be read: ")
    *messages, last = sentences.values()
    assert messages == [
        "the embedding cannot be read: the array is cut off: the file has 223 bytes, want 224",
        "the embedding cannot be read: this is not a .npz archive: File is not a zip file",
        "the embedding cannot be read: this is not a safetensors file: its header has no valid length",
        "the embedding cannot be read: the array is too large: it has 20,000,000 x 256 numbers, "
        "want at most 2,147,483,648",
    ]
    assert list(sentences) == ["cut.npy", "cut.npz", "cut.safetensors", "large.npy", "no_array.npy"]
    assert last.startswith("the embedding cannot be read: this is not an array of NumPy: ")


def test_a_file_that_is_no_embedding_opens_no_dashboard(client: TestClient, logdir: Path) -> None:
    np.save(logdir / "flat.npy", MATRIX[0])
    assert client.get(f"{PREFIX}/has_data").json() == {"has_data": False}
    assert [problem["path"] for problem in client.get(f"{PREFIX}/embeddings").json()["problems"]] == ["flat.npy"]


def test_folders_of_several_log_directories(tmp_path: Path) -> None:
    add_config(tmp_path / "x" / "words", "first")
    add_config(tmp_path / "y" / "words", "second")
    for client in serve([LogRoot("x", tmp_path / "x"), LogRoot("y", tmp_path / "y")]):
        assert listed(client) == [("x/words", "first"), ("y/words", "second")]


def test_no_name_leads_out_of_the_log_directory(client: TestClient, logdir: Path) -> None:
    add_config(logdir.parent / "outside", "secret")
    add_config(logdir / ".hidden", "secret")
    (logdir / "link").symlink_to(logdir.parent / "outside")
    (logdir / "plain").mkdir()
    np.save(logdir / "plain" / "vectors.npy", MATRIX)
    runs = (
        "../outside",
        "link",
        ".hidden",
        str(logdir.parent / "outside"),
        "",
        "a\0b",
        "./.hidden",
        "plain/../.hidden",
    )
    for run in runs:
        for name in ("config:secret", "file:vectors.tsv"):
            answer = client.get(f"{PREFIX}/info", params={"run": run, "name": name})
            assert answer.status_code == 404, (run, name, answer.text)
