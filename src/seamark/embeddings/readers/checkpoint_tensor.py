"""Embedding variables of TensorFlow's checkpoints, and raw floats of a given shape."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seamark._core import masked_crc32c
from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.matrix import FLOAT32, Matrix, array_matrix, check_shape, map_file
from seamark.format.messages import DataType
from seamark.kinds import DecodeError
from seamark.kinds.projector.checkpoint import StoredTensor, TooLargeError, read_stored
from seamark.kinds.tensor import dtype_name

# Tensors of other types than float32 are converted in memory.
MAX_CONVERTED_BYTES = 1 << 30
# The checksum of a larger tensor is not compared: it would be read whenever it is opened.
MAX_CHECKED_BYTES = 256 << 20


def stored_matrix(tensor: StoredTensor, file: Path) -> Matrix:
    what = f"the tensor '{tensor.name}'"
    shape = check_shape(tensor.shape, what)
    try:
        if tensor.dtype != DataType.DT_FLOAT:
            values = read_stored(tensor, file, max_bytes=MAX_CONVERTED_BYTES, max_rows=None)
            return array_matrix(values, dtype_name(tensor.dtype).removeprefix("DT_").lower())
    except (DecodeError, TooLargeError) as error:
        raise EmbeddingError(str(error)) from error
    mapped = map_file(file, FLOAT32, shape, tensor.offset, what)
    if mapped.nbytes <= MAX_CHECKED_BYTES and masked_crc32c(mapped) != tensor.checksum:
        raise EmbeddingError(f"the checksum of {what} is wrong")
    return array_matrix(mapped)


def raw_matrix(path: Path, shape: Sequence[int]) -> Matrix:
    """Little-endian float32."""
    rows, columns = check_shape(tuple(shape), "the tensor")
    size, wanted = path.stat().st_size, rows * columns * FLOAT32.itemsize
    if size != wanted:
        raise EmbeddingError(f"the file has {size:,} bytes, its shape {[rows, columns]} takes {wanted:,}")
    return array_matrix(map_file(path, FLOAT32, (rows, columns), 0, "the tensor"))
