"""Finds the tensors in TensorFlow's checkpoints, without TensorFlow.

A checkpoint is a prefix: `<prefix>.index` is a sorted table of tensor names, each with its type, shape and position,
and `<prefix>.data-00000-of-00001` contains the bytes. The file `checkpoint` beside them names the newest prefix. A
partitioned variable, or one that TensorFlow split to limit the size of files, is stored in slices. Before version 1.0,
a checkpoint was one file (checkpoint_v1.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from google.protobuf import text_format

from seamark.format.messages import BundleEntry, BundleHeader, CheckpointState, TensorSlice
from seamark.kinds.payload import DecodeError, parse
from seamark.kinds.projector import checkpoint_v1
from seamark.kinds.projector.checkpoint_table import SLICE_PREFIX, slice_key, table_entries
from seamark.kinds.projector.stored_tensor import (
    NUMBER_BYTES,
    StoredPart,
    StoredTensor,
    covering,
    extents_of,
    shape_of,
)

STATE_NAME = "checkpoint"
INDEX_SUFFIX = ".index"
MAX_STATE_BYTES = 1 << 20
OPTIMIZER_SLOT = ".OPTIMIZER_SLOT"  # in the names of an optimizer's variables


@dataclass(frozen=True, slots=True)
class _Bundle:
    """The index of a checkpoint."""

    prefix: Path
    shards: int
    slices: Mapping[bytes, bytes]  # the entries of slices


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


def files_to_read(prefix: Path) -> list[Path]:
    """The files with the names of the tensors: the index, or of an older checkpoint the files with everything."""
    index = Path(f"{prefix}{INDEX_SUFFIX}")
    return [index] if index.is_file() else checkpoint_v1.files_of(prefix)


def embeddings_in(prefix: Path) -> list[StoredTensor]:
    """All two-dimensional tensors except those of an optimizer. Raises DecodeError if this is not a checkpoint."""
    files = files_to_read(prefix)
    if files[0].name != f"{prefix.name}{INDEX_SUFFIX}":
        return checkpoint_v1.embeddings_in_files(files)
    with Path(f"{prefix}{INDEX_SUFFIX}").open("rb") as stream:
        entries = table_entries(stream)
        name, data = next(entries, (b"", b""))
        header = parse(BundleHeader, data, "checkpoint header")
        if name or header.endianness != BundleHeader.LITTLE or header.num_shards < 1:
            raise DecodeError("checkpoint is not a little-endian bundle of tensors")
        named = list(entries)
    slices = {key: data for key, data in named if key.startswith(SLICE_PREFIX)}
    bundle = _Bundle(prefix, header.num_shards, slices)
    found = (_stored_tensor(bundle, key, data) for key, data in named if key not in slices)
    return [tensor for tensor in found if tensor is not None]


def _stored_tensor(bundle: _Bundle, name: bytes, data: bytes) -> StoredTensor | None:
    entry = parse(BundleEntry, data, "checkpoint entry")
    shape = shape_of(entry.shape)
    text = name.decode("utf-8", "backslashreplace")
    if shape is None or entry.dtype not in NUMBER_BYTES or OPTIMIZER_SLOT in text:
        return None
    if entry.slices:
        parts = tuple(part for one in entry.slices if (part := _sliced_part(bundle, name, shape, entry.dtype, one)))
    else:
        parts = tuple(part for part in (_part(bundle, entry, (0, 0)),) if part)
    return covering(text, entry.shape, entry.dtype, parts)


def _sliced_part(
    bundle: _Bundle, name: bytes, shape: tuple[int, int], dtype: int, one: TensorSlice
) -> StoredPart | None:
    extents = extents_of(one)
    data = bundle.slices.get(slice_key(name, extents)) if len(extents) == 2 else None
    if data is None:
        return None
    entry = parse(BundleEntry, data, "checkpoint entry")
    first, size = (extents[0][0], extents[1][0]), shape_of(entry.shape)
    if size is None or entry.dtype != dtype or min(first) < 0:
        return None
    is_inside = all(start + length <= whole for start, length, whole in zip(first, size, shape, strict=True))
    return _part(bundle, entry, first) if is_inside else None


def _part(bundle: _Bundle, entry: BundleEntry, first: tuple[int, int]) -> StoredPart | None:
    shape = shape_of(entry.shape)
    if shape is None or min(entry.offset, entry.shard_id) < 0:
        return None
    if not entry.size or entry.size != math.prod(shape) * NUMBER_BYTES[entry.dtype]:
        return None
    file = Path(f"{bundle.prefix}.data-{entry.shard_id:05d}-of-{bundle.shards:05d}")
    return StoredPart(first, shape, file, entry.offset, message_bytes=0, checksum=entry.crc32c)
