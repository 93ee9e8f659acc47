"""VectorCache: numbers as mapped float32 files, converted and hashed once."""

from __future__ import annotations

import hashlib
import logging
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix, Vectors
from seamark.embeddings.readers.matrix import FLOAT32, Matrix, check_shape
from seamark.format.budget import pass_through, reading
from seamark.format.cache_folder import mark_used, remove_least_used, replacing
from seamark.format.temporary import make_temporary_folder

LOG = logging.getLogger(__name__)
FOLDER = "embeddings"
FACTS_SUFFIX, VALUES_SUFFIX = ".facts", ".f32"
MAX_BYTES = 16 << 30
# Part of every content id: another size gives other ids.
HASH_BLOCK_BYTES = 8 << 20
HASH_THREADS = 2
VERSION = 1
# Smaller matrices are in memory. Reading a mapped file that its writer truncates ends the process, so a file that may
# be written again, by the next epoch of a training, is copied before it is mapped.
MAX_IN_MEMORY_BYTES = 64 << 20
SETTLED_AFTER_SECS = 3600.0


class Facts(msgspec.Struct, frozen=True):
    """What one pass over all numbers finds."""

    version: int
    dtype: str
    rows: int
    columns: int
    content_id: str
    left_out: list[int]  # rows with a number that is not finite


class VectorCache:
    """For any thread. Without a folder converted numbers are in temporary files, as long as the process runs."""

    def __init__(self, cache_dir: Path | None, *, max_bytes: int = MAX_BYTES) -> None:
        self.folder = None if cache_dir is None else cache_dir / FOLDER
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None

    def get(self, path: Path, part: str, open_matrix: Callable[[], Matrix]) -> Vectors:
        """The vectors of a part of a file: from the cache if the file has the same size and time."""
        version = version_of(path)
        key = f"{path.absolute()}\0{part}\0{version}"
        name = hashlib.blake2b(key.encode(errors="surrogatepass"), digest_size=16).hexdigest()
        cached = self._load(name, open_matrix)
        if cached is not None:
            return cached
        with reading(path, EmbeddingError):
            values, dtype = self._read(name, path, open_matrix())
            facts = examine(values, dtype)
        if version_of(path) != version:
            raise EmbeddingError(f"the file changed while it was read: open it again: '{path.name}'")
        self._store_facts(name, facts)
        return _vectors(values, facts)

    def _read(self, name: str, path: Path, matrix: Matrix) -> tuple[FloatMatrix, str]:
        """The numbers where they can stay: in memory, in a file of the cache, or in their own file."""
        if matrix.mapped is None:
            return self._convert(name, matrix), matrix.dtype
        if is_small(matrix.mapped):
            return np.array(matrix.mapped), matrix.dtype
        if self.folder is not None and time.time() - path.stat().st_mtime < SETTLED_AFTER_SECS:
            try:
                return self._convert(name, matrix), matrix.dtype
            except EmbeddingError as error:
                LOG.warning("an embedding is not copied (%s): '%s'", error, path)
        return matrix.mapped, matrix.dtype

    def _load(self, name: str, open_matrix: Callable[[], Matrix]) -> Vectors | None:
        facts = self._load_facts(name)
        if facts is None:
            return None
        values = self._load_values(name, facts)
        if values is None:
            mapped = open_matrix().mapped
            values = np.array(mapped) if mapped is not None and is_small(mapped) else mapped
        if values is None or values.shape != (facts.rows, facts.columns):
            return None
        return _vectors(values, facts)

    def _load_facts(self, name: str) -> Facts | None:
        if self.folder is None:
            return None
        path = self.folder / f"{name}{FACTS_SUFFIX}"
        try:
            facts = msgspec.json.decode(path.read_bytes(), type=Facts)
            mark_used(path)
        except (OSError, msgspec.MsgspecError):
            return None
        return facts if facts.version == VERSION else None

    def _store_facts(self, name: str, facts: Facts) -> None:
        if self.folder is None:
            return
        path = self.folder / f"{name}{FACTS_SUFFIX}"
        try:
            with replacing(path) as file:
                file.write(msgspec.json.encode(facts))
            remove_least_used(self.folder, (FACTS_SUFFIX, VALUES_SUFFIX), self._max_bytes)
        except OSError as error:
            LOG.warning("cannot cache what was found in an embedding (%s): '%s'", error, path)

    def _load_values(self, name: str, facts: Facts) -> FloatMatrix | None:
        assert self.folder is not None
        path = self.folder / f"{name}{VALUES_SUFFIX}"
        try:
            if path.stat().st_size != facts.rows * facts.columns * FLOAT32.itemsize:
                return None
            mark_used(path)
            return np.memmap(path, FLOAT32, "r", shape=(facts.rows, facts.columns))
        except OSError:
            return None

    def _convert(self, name: str, matrix: Matrix) -> FloatMatrix:
        """Writes the numbers to a file, block by block, and maps it."""
        path = self._values_folder() / f"{name}{VALUES_SUFFIX}"
        try:
            values = _write(path, matrix)
            if self.folder is None:
                path.unlink()  # the disk has it as long as it is mapped
            return values
        except OSError as error:
            sentence = f"the numbers cannot be converted: {error.strerror or error}"
            raise EmbeddingError(sentence) from error

    def _values_folder(self) -> Path:
        if self.folder is not None:
            return self.folder
        # A second folder would take the place of the first one, which then removes itself.
        with self._lock:
            if self._temporary is None:
                self._temporary = make_temporary_folder("embeddings")
            return Path(self._temporary.name)


def version_of(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def is_small(mapped: FloatMatrix) -> bool:
    return mapped.nbytes <= MAX_IN_MEMORY_BYTES


def _write(path: Path, matrix: Matrix) -> FloatMatrix:
    rows, columns = 0, 0
    with replacing(path) as file:
        for block in matrix.blocks():
            columns = block.shape[1]
            rows += len(block)
            check_shape((rows, columns), "the embedding")
            pass_through(block.nbytes)
            file.write(block.data)
        if not rows:
            raise EmbeddingError("the file is empty")
    return np.memmap(path, FLOAT32, "r", shape=check_shape((rows, columns), "the embedding"))


def _vectors(values: FloatMatrix, facts: Facts) -> Vectors:
    finite = None
    if facts.left_out:
        is_finite = np.ones(facts.rows, bool)
        is_finite[facts.left_out] = False
        finite = np.flatnonzero(is_finite)
    return Vectors(values, facts.dtype, finite, facts.content_id)


class _BlockFacts(NamedTuple):
    digest: bytes
    left_out: NDArray[np.int64]


def examine(values: FloatMatrix, dtype: str) -> Facts:
    """Hashes all numbers and finds the rows that are not finite, on two threads."""
    rows, columns = values.shape
    size = max(1, HASH_BLOCK_BYTES // (columns * FLOAT32.itemsize))

    def examine_block(start: int) -> _BlockFacts:
        block = values[start : start + size]
        is_finite = np.isfinite(block)
        left_out = np.empty(0, np.int64) if is_finite.all() else np.flatnonzero(~is_finite.all(axis=1)) + start
        return _BlockFacts(hashlib.blake2b(block.data, digest_size=32).digest(), left_out)

    pass_through(values.nbytes)
    with ThreadPoolExecutor(HASH_THREADS, thread_name_prefix="seamark-hash") as pool:
        blocks = list(pool.map(examine_block, range(0, rows, size)))
    whole = hashlib.blake2b(f"{rows} x {columns}".encode(), digest_size=16)
    for block in blocks:
        whole.update(block.digest)
    left_out = [row for block in blocks for row in block.left_out.tolist()]
    return Facts(VERSION, dtype, rows, columns, whole.hexdigest(), left_out)
