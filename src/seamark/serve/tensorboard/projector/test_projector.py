"""The files that configs name: only those in the config's own folder are served."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.kinds.projector.config import Embedding, ProjectorConfig, Sprite, encode
from seamark.serve.tensorboard.projector.conftest import Get

SECRET = "1\t2\n"


@pytest.fixture
def logdir(logdir: Path) -> Path:
    folder = logdir / "a"
    (logdir / "secret.tsv").write_text(SECRET)
    (logdir.parent / "secret.tsv").write_text(SECRET)
    (folder / "good.tsv").write_text("1.5\t2\n3\t4\n\n")
    (folder / "labels.tsv").write_text("name\tkind\nx\t1\ny\t2\n")
    (folder / "raw.bytes").write_bytes(np.array([[1, 2, np.pi]], "<f4").tobytes())
    return logdir


def configure(folder: Path, *embeddings: Embedding) -> None:
    (folder / "projector_config.pbtxt").write_text(encode(ProjectorConfig(embeddings)))


@pytest.mark.parametrize("what", ["tensor", "metadata", "bookmarks", "sprite_image"])
@pytest.mark.parametrize("path", ["../secret.tsv", "../../secret.tsv", "/etc/passwd", "{root}/secret.tsv", "link.tsv", "folder/secret.tsv", "x/../../secret.tsv", "good.tsv/../../secret.tsv", ".", "", "a\0b", "pipe", "x" * 5000])  # fmt: skip
def test_no_path_escapes_the_folder(get: Get, logdir: Path, what: str, path: str) -> None:
    folder = logdir / "a"
    (folder / "link.tsv").symlink_to(logdir / "secret.tsv")
    (folder / "folder").symlink_to(logdir)
    os.mkfifo(folder / "pipe")
    path = path.replace("{root}", str(logdir))
    configure(folder, Embedding("t", path, (), path, path, Sprite(path, (1, 1))), Embedding("u", "good.tsv"))
    answer = get(what, run="a", name="t")
    assert answer.status_code == 400
    assert SECRET not in answer.text and answer.content != np.array([1, 2], "<f4").tobytes()
    assert get("info", run="a").status_code == 200


def test_tensors_as_text_and_as_raw_floats(get: Get, logdir: Path) -> None:
    configure(
        logdir / "a", Embedding("t", "good.tsv", metadata_path="labels.tsv"), Embedding("r:0", "raw.bytes", (1, 3))
    )
    info = get("info", run="a").json()
    assert [(e["tensorName"], e["tensorShape"]) for e in info["embeddings"]] == [("t", [2, 2]), ("r", [1, 3])]
    assert np.frombuffer(get("tensor", run="a", name="t").content, "<f4").tolist() == [1.5, 2, 3, 4]
    assert np.frombuffer(get("tensor", run="a", name="t", num_rows="1").content, "<f4").tolist() == [1.5, 2]
    assert np.frombuffer(get("tensor", run="a", name="r").content, "<f4").tolist() == [1, 2, np.float32(np.pi)]
    assert get("metadata", run="a", name="t", num_rows="1").text == "name\tkind\nx\t1\n"


def test_files_that_are_not_tensors(get: Get, logdir: Path) -> None:
    (logdir / "a" / "words.tsv").write_text("a\tb\n")
    (logdir / "a" / "ragged.tsv").write_text("1\t2\n3\n")
    (logdir / "a" / "none.tsv").write_text("")
    names = ["words.tsv", "ragged.tsv", "none.tsv"]
    configure(logdir / "a", *(Embedding(name, name) for name in names), Embedding("r", "raw.bytes", (2, 3)))
    for name in (*names, "r"):
        answer = get("tensor", run="a", name=name)
        assert answer.status_code == 400
        assert "tensor's file" in answer.text
    assert get("info", run="a").status_code == 200


def test_files_above_the_limit_are_rejected_unless_few_rows_are_requested(
    get: Get, logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (logdir / "a" / "big.tsv").write_text("1\t2\n\n" * 1000)
    (logdir / "a" / "big.bytes").write_bytes(np.arange(2000, dtype="<f4").tobytes())
    configure(
        logdir / "a",
        Embedding("t", "big.tsv", metadata_path="big.tsv", bookmarks_path="big.tsv", sprite=Sprite("big.tsv", (1, 1))),
        Embedding("r", "big.bytes", (1000, 2)),
    )
    monkeypatch.setattr("seamark.serve.tensorboard.projector.files.MAX_TENSOR_BYTES", 100)
    monkeypatch.setattr("seamark.serve.tensorboard.projector.files.MAX_ASSET_BYTES", 100)
    for name, first in (("t", [1, 2, 1, 2]), ("r", [0, 1, 2, 3])):
        answer = get("tensor", run="a", name=name)
        assert (answer.status_code, "request fewer rows" in answer.text) == (413, True)
        assert np.frombuffer(get("tensor", run="a", name=name, num_rows="2").content, "<f4").tolist() == first
    for what in ("metadata", "bookmarks", "sprite_image"):
        assert get(what, run="a", name="t").status_code == 413
    info = get("info", run="a").json()
    assert info["embeddings"][0]["tensorShape"] == [1000, 2]


def test_a_config_in_the_log_directory_or_in_the_plugin_folder_counts_too(get: Get, logdir: Path) -> None:
    (logdir / "root.tsv").write_text("1\n")
    configure(logdir, Embedding("", "root.tsv"))
    folder = logdir / "a" / "plugins" / "org_tensorflow_tensorboard_projector"
    folder.mkdir(parents=True)
    configure(folder, Embedding("t", "../../good.tsv"))
    assert get("runs").json() == ["a", "."]
    root = get("info", run=".").json()
    assert root["embeddings"][0]["tensorName"] == "root.tsv"
    assert get("tensor", run="a", name="t").status_code == 400


def test_a_broken_config_is_ignored(get: Get, client: TestClient, logdir: Path) -> None:
    (logdir / "a" / "projector_config.pbtxt").write_bytes(b"\xff{{{")
    assert get("runs").json() == []
    assert client.get("/data/plugins_listing").json()["projector"]["enabled"] is False
