"""Reads tensors from TensorFlow's checkpoints, without TensorFlow.

A checkpoint is a prefix: `<prefix>.index` is a sorted table of tensor names, each with its type, shape and position,
and `<prefix>.data-00000-of-00001` contains the bytes. The file `checkpoint` beside them names the newest prefix. The
table has the format of LevelDB: blocks of entries with checksums, an index of the blocks, and a footer.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from google.protobuf import text_format
from numpy.typing import NDArray

from seamark._core import masked_crc32c
from seamark.format.messages import BundleEntry, BundleHeader, CheckpointState, DataType, Tensor
from seamark.kinds.payload import DecodeError, parse, read_varint
from seamark.kinds.tensor import to_array

STATE_NAME = "checkpoint"
INDEX_SUFFIX = ".index"
MAX_STATE_BYTES = 1 << 20
MAX_BLOCK_BYTES = 16 << 20
MAX_INDEX_BYTES = 64 << 20
MAX_ENTRIES = 100_000
FOOTER_BYTES = 48
BLOCK_TRAILER_BYTES = 5  # the compression and the checksum
WHAT = "the entries of a checkpoint index"
MAGIC = 0xDB4775248B80FB57
OPTIMIZER_SLOT = ".OPTIMIZER_SLOT"  # in the names of an optimizer's variables
NUMBERS = frozenset(
    [
        *(DataType.DT_FLOAT, DataType.DT_DOUBLE, DataType.DT_HALF, DataType.DT_BFLOAT16),
        *(DataType.DT_INT8, DataType.DT_INT16, DataType.DT_INT32, DataType.DT_INT64),
        *(DataType.DT_UINT8, DataType.DT_UINT16, DataType.DT_UINT32, DataType.DT_UINT64),
    ]
)


class TooLargeError(Exception):
    """The tensor is larger than the caller allows."""


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """The position of a two-dimensional tensor."""

    name: str
    shape: tuple[int, int]
    dtype: int
    file: Path
    offset: int
    size: int
    checksum: int


def newest_checkpoint(folder: Path) -> str:
    """The prefix that the file `checkpoint` of a folder names, or ""."""
    file = folder / STATE_NAME
    try:
        if not file.is_file() or file.stat().st_size > MAX_STATE_BYTES:
            return ""
        text = file.read_bytes().decode("utf-8")
        return text_format.Parse(text, CheckpointState(), allow_unknown_field=True).model_checkpoint_path
    except (OSError, ValueError, RecursionError, text_format.ParseError):
        return ""


def embeddings_in(prefix: Path) -> list[StoredTensor]:
    """All two-dimensional tensors except those of an optimizer. Raises DecodeError if this is not a checkpoint."""
    with Path(f"{prefix}{INDEX_SUFFIX}").open("rb") as stream:
        entries = table_entries(stream)
        name, data = next(entries, (b"", b""))
        header = parse(BundleHeader, data, "checkpoint header")
        if name or header.endianness != BundleHeader.LITTLE or header.num_shards < 1:
            raise DecodeError("checkpoint is not a little-endian bundle of tensors")
        found = (stored_tensor(prefix, header.num_shards, name, data) for name, data in entries)
        return [tensor for tensor in found if tensor is not None]


def stored_tensor(prefix: Path, shards: int, name: bytes, data: bytes) -> StoredTensor | None:
    entry = parse(BundleEntry, data, "checkpoint entry")
    shape = tuple(dim.size for dim in entry.shape.dim)
    # A partitioned variable is stored in slices, whose names begin with a zero byte.
    if len(shape) != 2 or min(shape) < 0 or entry.slices or name[:1] == b"\0" or entry.dtype not in NUMBERS:
        return None
    text = name.decode("utf-8", "backslashreplace")
    if OPTIMIZER_SLOT in text or min(entry.offset, entry.size, entry.shard_id) < 0:
        return None
    file = Path(f"{prefix}.data-{entry.shard_id:05d}-of-{shards:05d}")
    return StoredTensor(text, (shape[0], shape[1]), entry.dtype, file, entry.offset, entry.size, entry.crc32c)


def read_stored(tensor: StoredTensor, file: Path, *, max_bytes: int, max_rows: int | None) -> NDArray[np.float32]:
    """Reads the numbers of a tensor, or of its first rows. Raises DecodeError if they are damaged."""
    rows, columns = tensor.shape
    element_bytes = tensor.size // max(math.prod(tensor.shape), 1)
    wanted = rows if max_rows is None else min(rows, max_rows)
    # The numbers are sent as float32.
    if wanted * columns * max(element_bytes, 4) > max_bytes:
        raise TooLargeError(f"the tensor is too large: want at most {max_bytes:,} bytes")
    with file.open("rb") as stream:
        stream.seek(tensor.offset)
        data = stream.read(wanted * columns * element_bytes)
    if wanted == rows and masked_crc32c(data) != tensor.checksum:
        raise DecodeError(f"the checksum of the tensor '{tensor.name}' is wrong")
    message = Tensor(dtype=tensor.dtype, tensor_content=data)
    for size in (wanted, columns):
        message.tensor_shape.dim.add(size=size)
    return to_array(message).astype("<f4", copy=False)


def table_entries(stream: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Yields the keys and values of a table in order."""
    end = stream.seek(0, 2)
    if not FOOTER_BYTES <= end <= MAX_INDEX_BYTES:
        raise DecodeError(
            f"checkpoint index has the wrong size: got {end} bytes, want {FOOTER_BYTES} to {MAX_INDEX_BYTES}"
        )
    stream.seek(end - FOOTER_BYTES)
    footer = stream.read(FOOTER_BYTES)
    if footer[-8:] != struct.pack("<Q", MAGIC):
        raise DecodeError("checkpoint index has no footer of a table")
    at = 0
    handle = []
    for _ in range(4):  # offset and size of the meta index, which is not used here, then of the index of blocks
        number, at = read_varint(footer, at, WHAT)
        handle.append(number)
    count = 0
    for _, position in block_entries(read_block(stream, handle[2], handle[3])):
        offset, at = read_varint(position, 0, WHAT)
        size, _ = read_varint(position, at, WHAT)
        for entry in block_entries(read_block(stream, offset, size)):
            count += 1
            if count > MAX_ENTRIES:
                raise DecodeError(f"checkpoint has too many tensors: want at most {MAX_ENTRIES:,}")
            yield entry


def read_block(stream: BinaryIO, offset: int, size: int) -> bytes:
    if size > MAX_BLOCK_BYTES or offset > MAX_INDEX_BYTES:
        raise DecodeError(f"checkpoint index has a block of {size} bytes at {offset}")
    stream.seek(offset)
    block = stream.read(size + BLOCK_TRAILER_BYTES)
    if len(block) != size + BLOCK_TRAILER_BYTES or size < 4:
        raise DecodeError("checkpoint index ends early")
    if masked_crc32c(block[:-4]) != struct.unpack("<I", block[-4:])[0]:
        raise DecodeError(f"the checksum of the block at {offset} of a checkpoint index is wrong")
    if block[size] != 0:
        raise DecodeError("checkpoint index is compressed, which TensorFlow's writers do not do")
    return block[:size]


def block_entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each key shares a prefix with the one before. After the entries come restart positions and their count."""
    end = len(block) - 4 - 4 * struct.unpack("<I", block[-4:])[0]
    at, key = 0, b""
    while at < end:
        shared, at = read_varint(block, at, WHAT)
        own, at = read_varint(block, at, WHAT)
        length, at = read_varint(block, at, WHAT)
        if shared > len(key) or at + own + length > end:
            raise DecodeError("checkpoint index has a broken entry")
        key = key[:shared] + block[at : at + own]
        at += own
        yield key, block[at : at + length]
        at += length
