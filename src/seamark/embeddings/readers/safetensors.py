"""safetensors files: the length of a header, a JSON header with types, shapes and offsets, then the numbers."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from seamark.embeddings.form import EmbeddingError, UnreadableFileError
from seamark.embeddings.readers.matrix import BFLOAT16, Matrix, check_shape, file_matrix

MAX_HEADER_BYTES = 64 << 20
DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "<i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "<u1",
}


class Tensor(msgspec.Struct):
    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


class Header(NamedTuple):
    tensors: dict[str, Tensor]
    start: int  # of the numbers


def tensor_names(path: Path) -> list[str]:
    """The two-dimensional tensors of numbers."""
    return [
        name
        for name, tensor in read_header(path).tensors.items()
        if tensor.dtype in DTYPES and len(tensor.shape) == 2 and min(tensor.shape) > 0
    ]


def tensor_matrix(path: Path, name: str) -> Matrix:
    header, what = read_header(path), f"the tensor '{name}'"
    tensor = header.tensors.get(name)
    if tensor is None:
        raise EmbeddingError(f"the file has no tensor '{name}'")
    if tensor.dtype not in DTYPES:
        raise EmbeddingError(f"{what} has numbers of the type {tensor.dtype}, which cannot be read")
    shape, dtype = check_shape(tuple(tensor.shape), what), np.dtype(DTYPES[tensor.dtype])
    first, end = tensor.data_offsets
    if first < 0 or end - first != math.prod(shape) * dtype.itemsize:
        raise EmbeddingError(f"{what} has {end - first:,} bytes, which does not fit its shape {list(shape)}")
    type_name = BFLOAT16 if tensor.dtype == "BF16" else dtype.name
    return file_matrix(path, dtype, shape, header.start + first, what, type_name=type_name)


def read_header(path: Path) -> Header:
    with path.open("rb") as stream:
        start = stream.read(8)
        size = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 2 <= size <= min(MAX_HEADER_BYTES, path.stat().st_size - 8):
            raise UnreadableFileError("this is not a safetensors file: its header has no valid length")
        text = stream.read(size)
    try:
        entries = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        entries.pop("__metadata__", None)
        return Header({name: msgspec.json.decode(raw, type=Tensor) for name, raw in entries.items()}, 8 + size)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableFileError(f"this is not a safetensors file: {error}") from error
