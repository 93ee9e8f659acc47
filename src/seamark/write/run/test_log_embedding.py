"""run.log_embedding and seamark.log_embedding: the files they write, and that TensorBoard reads them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch
from PIL import Image

import seamark
from seamark.kinds.projector import config as projector
from seamark.write.run.test_support import begin
from seamark.write.test_support import logged_warnings

MATRIX = np.random.default_rng(0).normal(size=(5, 3))


def config_in(folder: Path) -> projector.ProjectorConfig:
    return projector.decode((folder / projector.FILE_NAME).read_bytes())


def log_one(matrix: Any = MATRIX, **options: Any) -> tuple[Path, projector.Embedding]:
    run = begin()
    run.log_embedding("features", matrix, **options)
    run.finish()
    (entry,) = config_in(run.dir).embeddings
    return run.dir, entry


def metadata_lines(metadata: Any) -> list[str]:
    folder, entry = log_one(metadata=metadata)
    return (folder / entry.metadata_path).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "matrix",
    [
        MATRIX,
        MATRIX.astype(np.float32),
        MATRIX.astype(np.float16),
        MATRIX.tolist(),
        torch.tensor(MATRIX, requires_grad=True),
        torch.tensor(MATRIX).bfloat16(),
        np.asfortranarray(MATRIX),
        np.arange(300, 315).reshape(5, 3),
    ],
    ids=["float64", "float32", "float16", "list", "torch", "bfloat16", "fortran", "integers"],
)
def test_vectors_are_raw_float32(matrix: Any) -> None:
    folder, entry = log_one(matrix)
    assert (entry.tensor_path, entry.tensor_shape) == ("00000/features/tensors.bytes", (5, 3))
    written = np.fromfile(folder / entry.tensor_path, "<f4").reshape(5, 3)
    want = matrix.detach().float().numpy() if isinstance(matrix, torch.Tensor) else np.asarray(matrix, np.float32)
    np.testing.assert_array_equal(written, want)


def test_changes_after_the_call_do_not_reach_the_file() -> None:
    matrix, labels, images = MATRIX.copy(), ["a"] * 5, np.zeros((5, 4, 4), np.uint8)
    run = begin()
    seamark.log_embedding("features", matrix, metadata=labels, images=images)
    matrix[:], labels[:], images[:] = 0, ["b"] * 5, 255
    run.finish()
    folder = run.dir / "00000/features"
    np.testing.assert_array_equal(np.fromfile(folder / "tensors.bytes", "<f4"), MATRIX.astype("<f4").ravel())
    assert (folder / "metadata.tsv").read_text() == "a\n" * 5
    assert not np.asarray(Image.open(folder / "sprite.png")).any()


@pytest.mark.parametrize(
    "metadata",
    [
        {"word": ["a", "b", None, "d", "e"], "count": [1, 2, 3, 4, 5]},
        [{"word": "a", "count": 1}, {"word": "b", "count": 2}, {"count": 3}]
        + [{"word": word, "count": count} for word, count in (("d", 4), ("e", 5))],
        pd.DataFrame({"word": ["a", "b", None, "d", "e"], "count": [1, 2, 3, 4, 5]}),
        pl.DataFrame({"word": ["a", "b", None, "d", "e"], "count": [1, 2, 3, 4, 5]}),
        pa.table({"word": ["a", "b", None, "d", "e"], "count": [1, 2, 3, 4, 5]}),
    ],
    ids=["dict", "dicts", "pandas", "polars", "arrow"],
)
def test_columns_have_a_header(metadata: Any) -> None:
    assert metadata_lines(metadata) == ["word\tcount", "a\t1", "b\t2", "\t3", "d\t4", "e\t5"]


def test_one_column_has_no_header() -> None:
    assert metadata_lines(["a", 2, "c\td", "", 0.5]) == ["a", "2", "c d", "(none)", "0.5"]
    assert metadata_lines(torch.arange(5)) == ["0", "1", "2", "3", "4"]
    assert metadata_lines({"x": np.array([0.1, np.nan, 3, 4, 5], np.float32)}) == ["0.1", "(none)", "3.0", "4.0", "5.0"]


GREY = np.arange(5 * 4 * 6, dtype=np.uint8).reshape(5, 4, 6)


@pytest.mark.parametrize(
    "images",
    [
        GREY,
        GREY.astype(np.int64),
        (GREY + 0.5) / 255,
        np.repeat(GREY[..., None], 3, axis=3),
        torch.tensor(GREY)[:, None],
        [Image.fromarray(image) for image in GREY],
    ],
    ids=["grey", "integers", "floats", "channels last", "channels first", "PIL"],
)
def test_images_are_one_sprite(images: Any) -> None:
    folder, entry = log_one(images=images)
    assert entry.sprite is not None and entry.sprite.single_image_dim == (6, 4)
    sprite = np.asarray(Image.open(folder / entry.sprite.image_path).convert("L"))
    assert sprite.shape == (18, 18)
    np.testing.assert_array_equal(sprite[4:8, 6:12], GREY[4])


def test_thumbnails_are_shrunk_until_the_sprite_fits() -> None:
    images = np.zeros((101, 1000, 1200), np.uint8)
    images[5:] = 200
    folder, entry = log_one(np.ones((101, 2)) / 3, images=images)
    assert entry.sprite is not None and entry.sprite.single_image_dim == (744, 620)
    with Image.open(folder / entry.sprite.image_path) as sprite:
        assert max(sprite.size) <= 8192
        assert [sprite.getpixel((744 * 5 + x, 3)) for x in (-1, 0)] == [0, 200]


def test_steps_share_equal_metadata_and_replace_their_own_entry() -> None:
    run = begin()
    for step in (0, 10, 10):
        run.log_embedding("layer/1", MATRIX + step, metadata=list("abcde"), images=GREY, step=step)
    run.finish()
    entries = config_in(run.dir).embeddings
    assert [entry.tensor_name for entry in entries] == ["layer/1:00000", "layer/1:00010"]
    assert {entry.metadata_path for entry in entries} == {"00000/layer%2f1/metadata.tsv"}
    assert sorted(path.name for path in (run.dir / "00010/layer%2f1").iterdir()) == ["tensors.bytes"]


def test_a_resumed_run_keeps_its_embeddings() -> None:
    first = begin(id="again")
    first.log_embedding("features", MATRIX, step=1)
    first.finish()
    second = begin(id="again", resume="must")
    second.log_embedding("features", MATRIX, step=2)
    second.finish()
    assert [entry.tensor_name for entry in config_in(second.dir).embeddings] == ["features:00001", "features:00002"]


@pytest.mark.parametrize("name", ["..", "../../up", "a\\b", "zero\0byte", "<b>x</b>", "n" * 400, "é\ud800"])
def test_no_name_leaves_the_run_folder(name: str) -> None:
    run = begin()
    run.log_embedding(name, MATRIX)
    run.finish()
    (entry,) = config_in(run.dir).embeddings
    file = (run.dir / entry.tensor_path).resolve()
    assert file.is_file() and file.parent.parent == run.dir.resolve() / "00000"


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"matrix": [1.0, 2.0]}, ValueError, r"got shape \[2\]"),
        ({"matrix": np.zeros((0, 3))}, ValueError, r"at least one of each: got shape \[0, 3\]"),
        ({"matrix": [[1.0], [1.0, 2.0]]}, ValueError, r"a matrix of \[points, dimensions\]"),
        ({"matrix": [["a", "b"]]}, TypeError, "real numbers: got dtype <U1"),
        ({"matrix": MATRIX * 1j}, TypeError, "real numbers: got dtype complex128"),
        ({"name": ""}, ValueError, "needs a name"),
        ({"metadata": ["a"]}, ValueError, "got 1 values for 5 points"),
        ({"metadata": {"a": range(5), "b": range(4)}}, ValueError, "got 4 values of column 'b' for 5 points"),
        ({"metadata": "abcde"}, TypeError, "metadata is a list of labels.*got str"),
        ({"metadata": [["a", 1]] * 5}, TypeError, "give a dict of columns"),
        ({"metadata": {}}, ValueError, "no columns"),
        ({"metadata": np.zeros((5, 2))}, ValueError, r"one dimension: got shape \[5, 2\]"),
        ({"images": GREY[:4]}, ValueError, r"got \[4, 4, 6\] of uint8, want 5 images"),
        ({"images": np.zeros((5, 2, 4, 6))}, ValueError, "1, 3 or 4 channels"),
        ({"images": [Image.new("L", (2, 2))]}, ValueError, "got 1 images for 5 points"),
    ],
)
def test_wrong_arguments_are_errors(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    run = begin()
    with pytest.raises(error, match=message):
        run.log_embedding(**({"name": "features", "matrix": MATRIX} | arguments))
    run.finish()
    assert not (run.dir / projector.FILE_NAME).exists()


def test_without_a_run_it_says_so_and_a_disabled_run_writes_nothing() -> None:
    with pytest.raises(RuntimeError, match=r"seamark\.log_embedding needs a run"):
        seamark.log_embedding("features", MATRIX)
    run = begin(mode="disabled")
    run.log_embedding("features", MATRIX)
    run.finish()
    assert not (run.dir / projector.FILE_NAME).exists()


def test_a_folder_that_cannot_be_written_is_a_warning() -> None:
    run = begin()
    (run.dir / "00003").write_text("in the way")
    with logged_warnings() as warnings:
        run.log_embedding("features", MATRIX, step=3)
        run.log({"loss": 1.0})
        run.finish()
    assert len(warnings) == 1 and "00003" in warnings[0]
    assert not (run.dir / projector.FILE_NAME).exists()


@pytest.mark.parametrize(
    "matrix",
    [MATRIX, np.zeros((4, 2)), np.full((3, 2), np.nan), np.full((2, 1), 0.140625), [[2.2e-44, 1 / 3]]],
    ids=["random", "zeros", "not finite", "one line of ASCII", "line break first"],
)
def test_tensorboard_reads_them(matrix: Any) -> None:
    plugin = pytest.importorskip("tensorboard.plugins.projector.projector_plugin")
    folder, entry = log_one(matrix)
    try:
        read = plugin._read_tensor_tsv_file(str(folder / entry.tensor_path))
    except UnicodeDecodeError:
        read = plugin._read_tensor_binary_file(str(folder / entry.tensor_path), entry.tensor_shape)
    np.testing.assert_array_equal(read, np.asarray(matrix, np.float32))


def test_a_sprite_is_a_png() -> None:
    folder, entry = log_one(images=np.zeros((5, 2, 2, 4), np.uint8))
    assert entry.sprite is not None
    assert Image.open(BytesIO((folder / entry.sprite.image_path).read_bytes())).mode == "RGBA"
