"""Embedding variables of TensorFlow's checkpoints, and raw floats of a given shape."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from seamark._core import masked_crc32c
from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.readers.matrix import (
    FLOAT32,
    Matrix,
    array_matrix,
    check_shape,
    map_file,
    rows_per_block,
)
from seamark.format.messages import DataType
from seamark.kinds import DecodeError
from seamark.kinds.projector.stored_rows import read_rows
from seamark.kinds.projector.stored_tensor import NUMBER_BYTES, StoredPart, StoredTensor
from seamark.kinds.tensor import dtype_name

# The checksum of a larger tensor is not compared: it would be read whenever it is opened.
MAX_CHECKED_BYTES = 256 << 20


def stored_matrix(tensor: StoredTensor) -> Matrix:
    """Mapped if it is float32 in one part, at an offset that processors load from; else it is read block by block."""
    what = f"the tensor '{tensor.name}'"
    shape = check_shape(tensor.shape, what)
    for part in tensor.parts:
        _check_part(part, NUMBER_BYTES[tensor.dtype], what)
    part = tensor.parts[0]
    if tensor.dtype == DataType.DT_FLOAT and len(tensor.parts) == 1 and part.offset % FLOAT32.itemsize == 0:
        return array_matrix(map_file(part.file, FLOAT32, shape, part.offset, what))
    return Matrix(dtype_name(tensor.dtype).removeprefix("DT_").lower(), lambda: _blocks(tensor))


def stored_id(tensor: StoredTensor) -> str:
    """Differs between two tensors of a checkpoint, and between two versions of one, as far as their checksums do."""
    places = repr([(part.file.name, part.offset, part.checksum) for part in tensor.parts])
    return f"{tensor.name} {hashlib.blake2b(places.encode(), digest_size=16).hexdigest()}"


def _check_part(part: StoredPart, number_bytes: int, what: str) -> None:
    rows, columns = part.shape
    shape = (1, part.message_bytes) if part.message_bytes else (rows, columns * number_bytes)
    values = map_file(part.file, np.dtype("u1"), shape, part.offset, what)
    if part.checked is not None:
        offset, size = part.checked
        values = map_file(part.file, np.dtype("u1"), (1, size), offset, what)
    if values.nbytes <= MAX_CHECKED_BYTES and masked_crc32c(values) != part.checksum:
        raise EmbeddingError(f"the checksum of {what} is wrong")


def _blocks(tensor: StoredTensor) -> Iterator[FloatMatrix]:
    rows, columns = tensor.shape
    # Of a message, a block takes as long as all rows.
    is_message = any(part.message_bytes for part in tensor.parts)
    size = rows if is_message else rows_per_block(columns, NUMBER_BYTES[tensor.dtype])
    for start in range(0, rows, size):
        try:
            yield np.ascontiguousarray(read_rows(tensor, start, min(start + size, rows)))
        except DecodeError as error:
            raise EmbeddingError(str(error)) from error


def raw_matrix(path: Path, shape: Sequence[int]) -> Matrix:
    """Little-endian float32."""
    rows, columns = check_shape(tuple(shape), "the tensor")
    size, wanted = path.stat().st_size, rows * columns * FLOAT32.itemsize
    if size != wanted:
        raise EmbeddingError(f"the file has {size:,} bytes, its shape {[rows, columns]} takes {wanted:,}")
    return array_matrix(map_file(path, FLOAT32, (rows, columns), 0, "the tensor"))
