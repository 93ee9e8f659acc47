"""Vectors are converted and hashed once, and mapped afterwards."""

from __future__ import annotations

import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from seamark.embeddings import vector_cache
from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.files import open_matrix
from seamark.embeddings.readers.matrix import Matrix
from seamark.embeddings.vector_cache import VectorCache

MATRIX = np.random.default_rng(0).normal(size=(500, 7)).astype(np.float32)


def write_tsv(path: Path) -> Path:
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in MATRIX.tolist()))
    return path


def fail() -> Matrix:
    raise AssertionError("read again")


def test_a_second_start_converts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_tsv(tmp_path / "t.tsv")
    first = VectorCache(tmp_path / "cache").get(path, "", lambda: open_matrix(path))
    monkeypatch.setattr(vector_cache, "examine", None)
    again = VectorCache(tmp_path / "cache").get(path, "", fail)
    assert again.content_id == first.content_id
    np.testing.assert_array_equal(again.values, MATRIX)


def test_a_mapped_file_is_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.npy"
    np.save(path, MATRIX)
    os.utime(path, (1, 1))
    monkeypatch.setattr(vector_cache, "MAX_IN_MEMORY_BYTES", 0)
    first = VectorCache(tmp_path / "cache").get(path, "", lambda: open_matrix(path))
    assert isinstance(first.values, np.memmap) and not list(tmp_path.glob("cache/**/*.f32"))
    monkeypatch.setattr(vector_cache, "examine", None)
    assert VectorCache(tmp_path / "cache").get(path, "", lambda: open_matrix(path)).content_id == first.content_id


@pytest.mark.parametrize("max_in_memory_bytes", [0, 1 << 20])
def test_a_file_that_was_just_written_may_be_truncated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, max_in_memory_bytes: int
) -> None:
    path = tmp_path / "t.npy"
    np.save(path, MATRIX)
    monkeypatch.setattr(vector_cache, "MAX_IN_MEMORY_BYTES", max_in_memory_bytes)
    first = VectorCache(tmp_path / "cache").get(path, "", lambda: open_matrix(path))
    again = VectorCache(tmp_path / "cache").get(path, "", lambda: open_matrix(path))
    path.write_bytes(b"")
    for vectors in (first, again):
        np.testing.assert_array_equal(vectors.values, MATRIX)


def test_a_changed_file_and_damaged_facts_are_read_again(tmp_path: Path) -> None:
    path, cache = tmp_path / "t.npy", VectorCache(tmp_path / "cache")
    np.save(path, MATRIX)
    first = cache.get(path, "", lambda: open_matrix(path))
    for facts in tmp_path.glob("cache/**/*.facts"):
        facts.write_bytes(b"{")
    assert cache.get(path, "", lambda: open_matrix(path)).content_id == first.content_id
    np.save(path, MATRIX + 1)
    os.utime(path, ns=(1, 1))
    assert cache.get(path, "", lambda: open_matrix(path)).content_id != first.content_id


def test_equal_numbers_have_equal_ids_in_any_format(tmp_path: Path) -> None:
    cache = VectorCache(None)
    np.save(tmp_path / "a.npy", MATRIX)
    np.save(tmp_path / "b.npy", np.asfortranarray(MATRIX.astype(">f8")))
    paths = [tmp_path / "a.npy", tmp_path / "b.npy", write_tsv(tmp_path / "c.tsv")]
    found = [cache.get(path, "", lambda path=path: open_matrix(path)) for path in paths]  # type: ignore[misc]
    assert len({vectors.content_id for vectors in found}) == 1
    assert [vectors.dtype for vectors in found] == ["float32", "float64", "text"]
    for vectors in found:
        np.testing.assert_array_equal(vectors.values, MATRIX)


def test_another_shape_of_the_same_numbers_is_another_id() -> None:
    values = np.arange(12, dtype=np.float32)
    one, other = (vector_cache.examine(values.reshape(shape), "") for shape in ((3, 4), (4, 3)))
    assert one.content_id != other.content_id


def test_rows_that_are_not_finite_are_found_in_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    values = MATRIX.copy()
    values[[0, 250, 499], [1, 2, 3]] = [np.nan, np.inf, -np.inf]
    monkeypatch.setattr(vector_cache, "HASH_BLOCK_BYTES", 1000)
    assert vector_cache.examine(values, "").left_out == [0, 250, 499]


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.npy"
    np.save(path, MATRIX)

    def replace_and_open() -> Matrix:
        matrix = open_matrix(path)
        os.utime(path, ns=(1, 1))
        return matrix

    with pytest.raises(EmbeddingError, match="changed while it was read"):
        VectorCache(tmp_path / "cache").get(path, "", replace_and_open)


def test_without_a_folder_threads_share_one_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [write_tsv(tmp_path / name) for name in ("a.tsv", "b.tsv")]
    both_create, made = threading.Barrier(2), []
    create = tempfile.TemporaryDirectory

    def create_slowly(**options: object) -> tempfile.TemporaryDirectory[str]:
        made.append(create(**options))
        with suppress(threading.BrokenBarrierError):
            both_create.wait(timeout=0.3)
        return made[-1]

    monkeypatch.setattr(tempfile, "TemporaryDirectory", create_slowly)
    cache = VectorCache(None)
    with ThreadPoolExecutor(2) as pool:
        for vectors in pool.map(lambda path: cache.get(path, "", lambda: open_matrix(path)), paths):
            np.testing.assert_array_equal(vectors.values, MATRIX)
    assert len(made) == 1
