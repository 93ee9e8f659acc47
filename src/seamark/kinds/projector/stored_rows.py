"""Reads the numbers of a tensor in a checkpoint, whole or some rows at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark._core import masked_crc32c
from seamark.format.messages import Tensor
from seamark.kinds.payload import DecodeError, parse
from seamark.kinds.projector.checkpoint_table import read_at
from seamark.kinds.projector.stored_tensor import NUMBER_BYTES, StoredPart, StoredTensor
from seamark.kinds.tensor import to_array


class TooLargeError(Exception):
    """The tensor is larger than the caller allows."""


def read_stored(tensor: StoredTensor, *, max_bytes: int, max_rows: int | None) -> NDArray[np.float32]:
    """Reads the numbers of a tensor, or of its first rows. Raises DecodeError if they are damaged."""
    rows, columns = tensor.shape
    wanted = rows if max_rows is None else min(rows, max_rows)
    # The numbers are sent as float32.
    if wanted * columns * max(NUMBER_BYTES[tensor.dtype], 4) > max_bytes:
        raise TooLargeError(f"the tensor is too large: want at most {max_bytes:,} bytes")
    return read_rows(tensor, 0, wanted)


def read_rows(tensor: StoredTensor, start: int, stop: int) -> NDArray[np.float32]:
    """The numbers of rows; the checksums of parts that are read whole are compared."""
    blocks = [(part, max(start, part.first[0]), min(stop, part.first[0] + part.shape[0])) for part in tensor.parts]
    read = [(part, top, _read_part(tensor, part, top, bottom)) for part, top, bottom in blocks if top < bottom]
    if len(read) == 1 and read[0][2].shape == (stop - start, tensor.shape[1]):
        return read[0][2]
    found = np.zeros((stop - start, tensor.shape[1]), "<f4")
    for part, top, values in read:
        left = part.first[1]
        found[top - start : top - start + len(values), left : left + part.shape[1]] = values
    return found


def _read_part(tensor: StoredTensor, part: StoredPart, top: int, bottom: int) -> NDArray[np.float32]:
    columns, first = part.shape[1], part.first[0]
    if part.message_bytes:
        # Varints have different lengths: no row can be read alone.
        message = parse(Tensor, _read_checked(tensor, part, part.offset, part.message_bytes), "the tensor's numbers")
        return _numbers_in(message, tensor.dtype, part.shape)[top - first : bottom - first]
    row_bytes = columns * NUMBER_BYTES[tensor.dtype]
    offset, size = part.offset + (top - first) * row_bytes, (bottom - top) * row_bytes
    if bottom - top == part.shape[0]:
        data = _read_checked(tensor, part, offset, size)
    else:
        with part.file.open("rb") as stream:
            data = read_at(stream, offset, size)
    return _numbers_in(Tensor(tensor_content=data), tensor.dtype, (bottom - top, columns))


def _numbers_in(message: Tensor, dtype: int, shape: tuple[int, int]) -> NDArray[np.float32]:
    message.dtype = dtype
    message.ClearField("tensor_shape")
    for size in shape:
        message.tensor_shape.dim.add(size=size)
    with np.errstate(over="ignore"):  # a number that is out of range becomes infinite, as in TensorBoard
        return to_array(message).astype("<f4", copy=False)


def _read_checked(tensor: StoredTensor, part: StoredPart, offset: int, size: int) -> bytes:
    with part.file.open("rb") as stream:
        data = read_at(stream, offset, size)
        checked = data if part.checked is None else read_at(stream, *part.checked)
    if masked_crc32c(checked) != part.checksum:
        raise DecodeError(f"the checksum of the tensor '{tensor.name}' is wrong")
    return data
