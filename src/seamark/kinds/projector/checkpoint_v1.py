"""Finds the tensors in TensorFlow's older checkpoints (V1), without TensorFlow.

Such a checkpoint is a table without a file beside it: its first entry names the tensors with their shapes and slices,
each other entry is a slice with its numbers. A saver of several devices writes a file for each of them, with the name
`<prefix>-?????-of-00003`. The numbers of float32 and float64 are plain bytes in the file; halves and whole numbers are
varints, which are read as a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from seamark.format.messages import DataType, SavedSliceMeta, SavedTensorSlices
from seamark.kinds.payload import DecodeError, parse, read_varint
from seamark.kinds.projector.checkpoint_table import (
    MAX_ENTRIES,
    EntryPosition,
    block_entries,
    entry_positions,
    read_at,
    read_block,
    slice_key,
    table_blocks,
)
from seamark.kinds.projector.stored_tensor import (
    NUMBER_BYTES,
    StoredPart,
    StoredTensor,
    covering,
    extents_of,
    shape_of,
)

SHARDS = re.compile(r"\?{5}-of-(\d{5})$")
MAX_SHARDS = 1000
# SavedTensorSlices.data, SavedSlice.data: a Tensor. Its numbers are a packed field.
DATA_FIELDS = (2, 3)
PLAIN_FIELD = {DataType.DT_FLOAT: 5, DataType.DT_DOUBLE: 6}
# A larger message is left out: its numbers take many times as much memory while they are read.
MAX_MESSAGE_BYTES = 256 << 20
LENGTH_PREFIXED = 2
# Names and extents stand before the numbers.
MAX_HEAD_BYTES = 1 << 18
WHAT = "the fields of a checkpoint"


def files_of(prefix: Path) -> list[Path]:
    """The files of a checkpoint: one, or one for each device."""
    shards = SHARDS.search(prefix.name)
    if shards is None:
        return [prefix]
    count = int(shards[1])
    if count > MAX_SHARDS:
        raise DecodeError(f"checkpoint has too many files: got {count}, want at most {MAX_SHARDS}")
    return [prefix.with_name(f"{prefix.name[: shards.start()]}{at:05d}-of-{shards[1]}") for at in range(count)]


def embeddings_in_files(files: list[Path]) -> list[StoredTensor]:
    """All two-dimensional tensors of numbers. Raises DecodeError if these are not checkpoints."""
    metas: dict[str, SavedSliceMeta] = {}
    parts: dict[str, list[StoredPart]] = {}
    for file in files:
        with file.open("rb") as stream:
            entries = dict(_entries(stream))
            for meta in _tensors(stream):
                known = metas.setdefault(meta.name, meta)
                if (known.shape, known.type) == (meta.shape, meta.type) and meta.type in NUMBER_BYTES:
                    parts.setdefault(meta.name, []).extend(_parts(stream, file, meta, entries))
    found = (covering(name, metas[name].shape, metas[name].type, tuple(parts[name])) for name in sorted(parts))
    return [tensor for tensor in found if tensor is not None]


def _tensors(stream: BinaryIO) -> list[SavedSliceMeta]:
    for block in table_blocks(stream)[:1]:
        for key, data in block_entries(read_block(stream, *block)):
            if not key:
                return list(parse(SavedTensorSlices, data, "checkpoint header").meta.tensor)
            break
    raise DecodeError("checkpoint does not begin with its tensors")


def _entries(stream: BinaryIO) -> Iterator[tuple[bytes, EntryPosition]]:
    count = 0
    for block in table_blocks(stream):
        for entry in entry_positions(stream, block):
            count += 1
            if count > MAX_ENTRIES:
                raise DecodeError(f"checkpoint has too many tensors: want at most {MAX_ENTRIES:,}")
            yield entry.key, entry


def _parts(
    stream: BinaryIO, file: Path, meta: SavedSliceMeta, entries: Mapping[bytes, EntryPosition]
) -> Iterator[StoredPart]:
    whole = shape_of(meta.shape)
    for one in meta.slice if whole else ():
        extents = extents_of(one)
        entry = entries.get(slice_key(meta.name.encode(), extents)) if len(extents) == 2 else None
        if entry is None or whole is None:
            continue
        first = (extents[0][0], extents[1][0])
        rows, columns = (size if length < 0 else length for (_, length), size in zip(extents, whole, strict=True))
        is_inside = min(first) >= 0 and first[0] + rows <= whole[0] and first[1] + columns <= whole[1]
        position = _numbers_position(stream, entry, meta.type, rows * columns) if is_inside else None
        if position is not None:
            # Of the block with its kind of compression, which comes after it and before the checksum.
            checked = (entry.block.offset, entry.block.size + 1)
            checksum = int.from_bytes(read_at(stream, sum(checked), 4), "little")
            yield StoredPart(first, (rows, columns), file, *position, checksum=checksum, checked=checked)


def _numbers_position(stream: BinaryIO, entry: EntryPosition, dtype: int, count: int) -> tuple[int, int] | None:
    """The offset of a slice's numbers in the file, and the size of the message they are in, or 0 for plain bytes.

    None if they cannot be as many numbers.
    """
    head = read_at(stream, entry.offset, min(entry.size, MAX_HEAD_BYTES))
    at, end = 0, entry.size
    for field in (*DATA_FIELDS, PLAIN_FIELD[dtype]) if dtype in PLAIN_FIELD else DATA_FIELDS:
        found = _field(head, at, end, field)
        if found is None:
            return None
        at, end = found
    size = end - at
    if dtype in PLAIN_FIELD:
        return (entry.offset + at, 0) if size == count * NUMBER_BYTES[dtype] > 0 else None
    # A number takes at least one byte: a small file is never a large matrix.
    return (entry.offset + at, size) if 0 < count <= size <= MAX_MESSAGE_BYTES else None


def _field(head: bytes, at: int, end: int, wanted: int) -> tuple[int, int] | None:
    """The bytes of a field with a length, among the fields from `at` to `end`; fields before it are skipped."""
    while at < min(end, len(head)):
        tag, at = read_varint(head, at, WHAT)
        size, at = read_varint(head, at, WHAT)
        if tag & 7 != LENGTH_PREFIXED:
            if tag & 7:
                return None
            continue  # a number, which was read as the size
        if at + size > end:
            return None
        if tag >> 3 == wanted:
            return at, at + size
        at += size
    return None
