""".npy and .npz files. Objects in them are never unpickled."""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from seamark.embeddings.form import EmbeddingError, FloatMatrix, UnreadableFileError
from seamark.embeddings.readers.matrix import (
    BLOCK_BYTES,
    NUMBER_KINDS,
    Matrix,
    array_matrix,
    as_float32,
    check_shape,
    file_matrix,
    map_file,
    rows_per_block,
)
from seamark.format import npz
from seamark.format.budget import hold, reading
from seamark.format.npz import NPY, ArrayHeader
from seamark.format.zip_members import PackingError, blocks_of, open_member

# Converting one column at a time would read the whole archive for each.
MAX_FORTRAN_BYTES = 1 << 30
# Blocks of rows are dropped when they are converted.
MAX_HELD_BYTES = BLOCK_BYTES


def npy_matrix(path: Path) -> Matrix:
    with path.open("rb") as stream:
        header = read_header(stream)
        offset = stream.tell()
    shape = check_numbers(header, "the array")
    if header.is_fortran:
        transposed = map_file(path, header.dtype, (shape[1], shape[0]), offset, "the array")
        return array_matrix(transposed.T, header.dtype.name)
    return file_matrix(path, header.dtype, shape, offset, "the array")


def npz_names(path: Path) -> list[str]:
    """The two-dimensional arrays of an archive."""
    with reading(path, UnreadableFileError) as budget, open_archive(path) as archive:
        found = []
        for name in archive.namelist():
            budget.check_time()
            if name.endswith(NPY) and is_embedding(archive, name):
                found.append(name.removesuffix(NPY))
        return found


def is_embedding(archive: zipfile.ZipFile, name: str) -> bool:
    try:
        with open_member(archive, name) as stream:
            check_numbers(read_header(stream), name)
    except (UnreadableFileError, PackingError):
        return True  # whoever opens it is told
    except (EmbeddingError, OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return False
    return True


def npz_matrix(path: Path, name: str) -> Matrix:
    what = f"the array '{name}'"
    with open_archive(path) as archive:
        if f"{name}{NPY}" not in archive.namelist():
            raise EmbeddingError(f"the file has no array '{name}'")
        with member(archive, name) as stream:
            header = read_header(stream)
    shape = check_numbers(header, what)
    if header.is_fortran and math.prod(shape) * header.dtype.itemsize > MAX_FORTRAN_BYTES:
        raise EmbeddingError(f"{what} is too large in Fortran order: save it with np.ascontiguousarray")

    def blocks() -> Iterator[FloatMatrix]:
        with open_archive(path) as archive, member(archive, name) as stream:
            header = read_header(stream)
            if header.is_fortran:
                yield as_float32(read_exactly(stream, header.dtype, (shape[1], shape[0]), what).T)
                return
            size = rows_per_block(shape[1], header.dtype.itemsize)
            for start in range(0, shape[0], size):
                rows = min(size, shape[0] - start)
                yield as_float32(read_exactly(stream, header.dtype, (rows, shape[1]), what))

    return Matrix(header.dtype.name, blocks)


@contextmanager
def member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    try:
        with open_member(archive, f"{name}{NPY}") as stream:
            yield stream
    except PackingError as error:
        raise EmbeddingError(f"the archive cannot be read: {error}") from error


def read_exactly(stream: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, int], what: str) -> np.ndarray[Any, Any]:
    wanted = math.prod(shape) * dtype.itemsize
    data = bytearray()
    try:
        for block in blocks_of(stream, wanted):
            data += block
            if len(data) > MAX_HELD_BYTES:
                hold(len(block))  # a row, or an array in Fortran order, is held as a whole, and converted
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError) as error:
        raise EmbeddingError(f"{what} is damaged: {error}") from error
    if len(data) != wanted:
        raise EmbeddingError(f"{what} is cut off")
    return np.frombuffer(data, dtype).reshape(shape)


def open_archive(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise UnreadableFileError(f"this is not a .npz archive: {error}") from error


def read_header(stream: IO[bytes]) -> ArrayHeader:
    try:
        return npz.read_header(stream)
    except npz.ArrayError as error:
        raise UnreadableFileError(str(error)) from error


def check_numbers(header: ArrayHeader, what: str) -> tuple[int, int]:
    if header.dtype.kind not in NUMBER_KINDS or header.dtype.itemsize == 0:
        raise EmbeddingError(f"{what} has no numbers but {header.dtype.name}")
    return check_shape(header.shape, what)
