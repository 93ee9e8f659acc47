"""StoredTensor: where the numbers of a tensor lie in the files of a checkpoint."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from seamark.format.messages import DataType, TensorShape, TensorSlice
from seamark.kinds.projector.checkpoint_table import WHOLE_DIMENSION

NUMBER_BYTES = {
    **dict.fromkeys((DataType.DT_INT8, DataType.DT_UINT8, DataType.DT_BOOL), 1),
    **dict.fromkeys((DataType.DT_HALF, DataType.DT_BFLOAT16, DataType.DT_INT16, DataType.DT_UINT16), 2),
    **dict.fromkeys((DataType.DT_FLOAT, DataType.DT_INT32, DataType.DT_UINT32), 4),
    **dict.fromkeys((DataType.DT_DOUBLE, DataType.DT_INT64, DataType.DT_UINT64), 8),
}


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A rectangle of a tensor's numbers, in one file."""

    first: tuple[int, int]  # row and column
    shape: tuple[int, int]
    file: Path
    offset: int
    # The size of the Tensor message at this offset; 0 if the numbers are there as plain bytes.
    message_bytes: int
    checksum: int
    # Offset and size of the bytes with this checksum, if they are not those of the numbers.
    checked: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """The position of a two-dimensional tensor. Its parts cover it; most have one."""

    name: str
    shape: tuple[int, int]
    dtype: int
    parts: tuple[StoredPart, ...]


def shape_of(shape: TensorShape) -> tuple[int, int] | None:
    """The rows and columns; None if there are no two dimensions."""
    sizes = tuple(dim.size for dim in shape.dim)
    return (sizes[0], sizes[1]) if len(sizes) == 2 and min(sizes) >= 0 else None


def extents_of(one: TensorSlice) -> list[tuple[int, int]]:
    """Start and length in each dimension."""
    return [(e.start, e.length if e.HasField("length") else WHOLE_DIMENSION) for e in one.extent]


def covering(name: str, shape: TensorShape, dtype: int, parts: tuple[StoredPart, ...]) -> StoredTensor | None:
    """A tensor with a part that is missing, or that covers another, is left out."""
    whole = shape_of(shape)
    if whole is None or not parts or sum(math.prod(part.shape) for part in parts) != math.prod(whole):
        return None
    return StoredTensor(name, whole, dtype, parts)
