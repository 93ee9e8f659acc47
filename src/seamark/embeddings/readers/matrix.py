"""Matrix: the numbers of one embedding in a file, before they are read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError, FloatMatrix, UnreadableFileError

FLOAT32 = np.dtype("<f4")
NUMBER_KINDS = "fiub"
BFLOAT16 = "bfloat16"  # has no type in NumPy: its numbers come as uint16
# As float32. 1,000,000 rows of 2,048 dimensions are just below it.
MAX_MATRIX_BYTES = 8 << 30
BLOCK_BYTES = 4 << 20
# A row is read at once, and its numbers may take 8 bytes before they are converted.
MAX_DIMENSIONS = 4_000_000


@dataclass(frozen=True, eq=False)
class Matrix:
    """Either `mapped`, if the file has float32 in C order, or `blocks` of rows, each a few megabytes."""

    dtype: str
    blocks: Callable[[], Iterator[FloatMatrix]]
    mapped: FloatMatrix | None = None


def check_shape(shape: tuple[int, ...], what: str) -> tuple[int, int]:
    """The shape of an embedding, or a sentence why it is none. `what` begins the sentence: "the array 'x'"."""
    if len(shape) != 2:
        dimensions = f"{len(shape)} dimension{'s' * (len(shape) != 1)}"
        raise EmbeddingError(f"{what} has {dimensions}: want 2, [points, dimensions]")
    rows, columns = shape
    if rows < 1 or columns < 1:
        raise EmbeddingError(f"{what} is empty: it has {rows:,} rows of {columns:,} numbers")
    if columns > MAX_DIMENSIONS:
        raise UnreadableFileError(
            f"{what} has too many numbers in a row: got {columns:,}, want at most {MAX_DIMENSIONS:,}; "
            "check that it is [points, dimensions]"
        )
    if rows * columns * FLOAT32.itemsize > MAX_MATRIX_BYTES:
        raise UnreadableFileError(
            f"{what} is too large: it has {rows:,} x {columns:,} numbers, "
            f"want at most {MAX_MATRIX_BYTES // FLOAT32.itemsize:,}"
        )
    return rows, columns


def rows_per_block(columns: int, item_bytes: int = FLOAT32.itemsize) -> int:
    return max(1, BLOCK_BYTES // max(1, columns * item_bytes))


def as_float32(block: NDArray[Any]) -> FloatMatrix:
    """A number that is out of range becomes infinite, as in TensorBoard."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.ascontiguousarray(block, FLOAT32)


def map_file(path: Path, dtype: np.dtype[Any], shape: tuple[int, int], offset: int, what: str) -> NDArray[Any]:
    """The numbers at an offset of a file, not read yet."""
    needed, size = offset + math.prod(shape) * dtype.itemsize, path.stat().st_size
    if needed > size:
        raise UnreadableFileError(f"{what} is cut off: the file has {size:,} bytes, want {needed:,}")
    return np.memmap(path, dtype, "r", offset, shape)


def file_matrix(
    path: Path, dtype: np.dtype[Any], shape: tuple[int, int], offset: int, what: str, *, type_name: str = ""
) -> Matrix:
    """Numbers in C order at an offset of a file. Those that are not mapped are read: mapped pages would count twice."""
    values = map_file(path, dtype, shape, offset, what)
    if dtype == FLOAT32:
        return array_matrix(values)
    rows, columns = shape
    size = rows_per_block(columns, dtype.itemsize)
    convert = from_bfloat16 if type_name == BFLOAT16 else as_float32

    def blocks() -> Iterator[FloatMatrix]:
        with path.open("rb") as stream:
            stream.seek(offset)
            for start in range(0, rows, size):
                count = min(size, rows - start)
                block = np.fromfile(stream, dtype, count * columns)
                if len(block) != count * columns:
                    raise EmbeddingError(f"{what} is cut off")
                yield convert(block.reshape(count, columns))

    return Matrix(type_name or dtype.name, blocks)


def from_bfloat16(block: NDArray[np.uint16]) -> FloatMatrix:
    """bfloat16 is the upper half of float32."""
    return (block.astype("<u4") << 16).view(FLOAT32)


def array_matrix(values: NDArray[Any], type_name: str = "") -> Matrix:
    """A matrix in memory, or one that is mapped: as it is, or converted row by row."""
    size = rows_per_block(values.shape[1], values.dtype.itemsize)

    def blocks() -> Iterator[FloatMatrix]:
        for start in range(0, len(values), size):
            yield as_float32(values[start : start + size])

    is_ready = values.dtype == FLOAT32 and values.flags.c_contiguous
    return Matrix(type_name or values.dtype.name, blocks, values if is_ready else None)
