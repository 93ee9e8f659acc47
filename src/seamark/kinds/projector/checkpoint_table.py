"""Reads the tables of checkpoints, which have the format of LevelDB, and the keys in them.

A table has blocks of entries with checksums, an index of the blocks, and a footer.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from seamark._core import masked_crc32c
from seamark.format.budget import hold
from seamark.kinds.payload import DecodeError, read_varint

MAX_BLOCK_BYTES = 16 << 20
MAX_INDEX_BYTES = 64 << 20
MAX_OFFSET = 1 << 40  # file systems reject much larger ones
MAX_ENTRIES = 100_000
MAX_KEY_BYTES = 1 << 16
ENTRY_BYTES = 200  # of an entry in memory, beside its key and value
FOOTER_BYTES = 48
BLOCK_TRAILER_BYTES = 5  # the compression and the checksum
HEAD_BYTES = 30  # three numbers before the key of an entry
WHAT = "the entries of a checkpoint index"
MAGIC = 0xDB4775248B80FB57
SLICE_PREFIX = b"\0"  # of the keys of slices; no tensor's name begins with it
WHOLE_DIMENSION = -1


class Block(NamedTuple):
    """The position of some entries."""

    offset: int
    size: int


class EntryPosition(NamedTuple):
    """An entry whose value was not read."""

    key: bytes
    block: Block
    offset: int  # of the value
    size: int


def table_entries(stream: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Yields the keys and values of a small table in order."""
    end = stream.seek(0, 2)
    if not FOOTER_BYTES <= end <= MAX_INDEX_BYTES:
        raise DecodeError(
            f"checkpoint index has the wrong size: got {end} bytes, want {FOOTER_BYTES} to {MAX_INDEX_BYTES}"
        )
    count = 0
    for block in table_blocks(stream):
        for entry in block_entries(read_block(stream, *block)):
            count += 1
            if count > MAX_ENTRIES:
                raise DecodeError(f"checkpoint has too many tensors: want at most {MAX_ENTRIES:,}")
            yield entry


def table_blocks(stream: BinaryIO) -> list[Block]:
    """The blocks of a table of any size, from its index of blocks."""
    end = stream.seek(0, 2)
    stream.seek(max(0, end - FOOTER_BYTES))
    footer = stream.read(FOOTER_BYTES)
    if footer[-8:] != struct.pack("<Q", MAGIC):
        raise DecodeError("checkpoint index has no footer of a table")
    at = 0
    handle = []
    for _ in range(4):  # offset and size of the meta index, which is not used here, then of the index of blocks
        number, at = read_varint(footer, at, WHAT)
        handle.append(number)
    blocks = []
    for _, position in block_entries(read_block(stream, handle[2], handle[3])):
        offset, at = read_varint(position, 0, WHAT)
        blocks.append(Block(offset, read_varint(position, at, WHAT)[0]))
    if sum(block.size for block in blocks) > end:
        raise DecodeError(f"checkpoint index has blocks that overlap: want at most {end:,} bytes of them in the file")
    return blocks


def read_block(stream: BinaryIO, offset: int, size: int) -> bytes:
    if size > MAX_BLOCK_BYTES or offset > MAX_OFFSET:
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
        if len(key) > MAX_KEY_BYTES:
            raise DecodeError(f"checkpoint index has a key that is too long: want at most {MAX_KEY_BYTES:,} bytes")
        hold(len(key) + length + ENTRY_BYTES)  # a key of a few bytes may share a long beginning with the one before
        at += own
        yield key, block[at : at + length]
        at += length


def entry_positions(stream: BinaryIO, block: Block) -> Iterator[EntryPosition]:
    """Where the values of a block are. They may be large, so they are not read; nor is their checksum compared."""
    if block.size < 4 or block.offset > MAX_OFFSET:
        raise DecodeError(f"checkpoint has a block of {block.size} bytes at {block.offset}")
    restarts, compression = struct.unpack("<IB", _read_exactly(stream, block.offset + block.size - 4, 5))
    if compression:
        raise DecodeError("checkpoint is compressed, which TensorFlow's writers do not do")
    at, end, key = block.offset, block.offset + block.size - 4 - 4 * restarts, b""
    while at < end:
        head = read_at(stream, at, HEAD_BYTES)
        shared, used = read_varint(head, 0, WHAT)
        own, used = read_varint(head, used, WHAT)
        length, used = read_varint(head, used, WHAT)
        if shared > len(key) or own > MAX_KEY_BYTES or at + used + own + length > end:
            raise DecodeError("checkpoint has a broken entry")
        key = key[:shared] + _read_exactly(stream, at + used, own)
        hold(len(key) + ENTRY_BYTES)
        at += used + own
        yield EntryPosition(key, block, at, length)
        at += length


def read_at(stream: BinaryIO, offset: int, size: int) -> bytes:
    stream.seek(offset)
    return stream.read(size)


def _read_exactly(stream: BinaryIO, offset: int, size: int) -> bytes:
    data = read_at(stream, offset, size)
    if len(data) != size:
        raise DecodeError("checkpoint ends early")
    return data


def slice_key(name: bytes, extents: Sequence[tuple[int, int]]) -> bytes:
    """The key of a slice of a tensor: its name, and start and length in each dimension, in TensorFlow's OrderedCode."""
    escaped = b"".join({0: b"\0\xff", 255: b"\xff\0"}.get(byte, bytes([byte])) for byte in name)
    numbers = b"".join(ordered_number(start) + ordered_number(length) for start, length in extents)
    return SLICE_PREFIX + escaped + b"\0\1" + bytes([1, len(extents)]) + numbers


def ordered_number(number: int) -> bytes:
    """As many one bits as there are bytes, a zero bit, then the number; all of it inverted if it is negative."""
    magnitude = ~number if number < 0 else number
    size = magnitude.bit_length() // 7 + 1
    marked = magnitude | ((1 << size) - 1) << (7 * size)
    if number < 0:
        marked ^= (1 << (8 * size)) - 1
    return marked.to_bytes(size, "big")
