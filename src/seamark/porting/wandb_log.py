"""Reads the records of a `run-*.wandb` file. Parsed in Python: the format is W&B's, and only imports read it.

The file is a log in LevelDB's form: a header of seven bytes, then blocks of 32 KiB with fragments in them, each with
a checksum (here CRC-32 over the type and the data), a length, a type (whole, first, middle, last) and its data. A
fragment never crosses a block. A record is a protobuf message; only the fields that are wanted are looked at.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from seamark.porting.source import OnBytes, SourceError

MAGIC = b":W&B\xe1\xbe\x00"
BLOCK_BYTES = 32 * 1024
HEADER = struct.Struct("<IHB")  # checksum, length, type
WHOLE, FIRST, MIDDLE, LAST = 1, 2, 3, 4

Fields = dict[int, list[int | bytes]]


def records(path: Path, on_bytes: OnBytes) -> Iterator[bytes]:
    """Yields complete records. A run that is still written, or was killed, has an incomplete tail."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise SourceError(f"this is no run file of W&B, or of a version that is not known: '{path}'")
        pending = bytearray()
        at = 0
        while block := file.read(BLOCK_BYTES - (len(MAGIC) if at == 0 else 0)):
            start = at or len(MAGIC)
            for kind, data in fragments(block, start, path):
                if kind in (WHOLE, FIRST):
                    pending.clear()
                pending += data
                if kind in (WHOLE, LAST):
                    yield bytes(pending)
                    pending.clear()
            at = start + len(block)
            on_bytes(at)


def fragments(block: bytes, start: int, path: Path) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + HEADER.size <= len(block):
        checksum, length, kind = HEADER.unpack_from(block, at)
        data = block[at + HEADER.size : at + HEADER.size + length]
        if len(data) < length or kind == 0:
            return
        if zlib.crc32(data, zlib.crc32(bytes([kind]))) != checksum:
            raise SourceError(f"a record is damaged (wrong checksum) at byte {start + at}: '{path}'")
        yield kind, data
        at += HEADER.size + length


def fields_of(message: bytes) -> Fields:
    """The fields of a protobuf message by number: integers, or bytes."""
    found: Fields = {}
    at = 0
    try:
        while at < len(message):
            key, at = _varint(message, at)
            match key & 7:
                case 0:
                    value, at = _varint(message, at)
                    found.setdefault(key >> 3, []).append(value)
                    continue
                case 1:
                    size = 8
                case 2:
                    size, at = _varint(message, at)
                case 5:
                    size = 4
                case other:
                    raise ValueError(f"wire type {other}")
            if at + size > len(message):
                raise ValueError("a field is longer than its message")
            found.setdefault(key >> 3, []).append(message[at : at + size])
            at += size
    except (IndexError, ValueError) as error:
        raise SourceError(f"a record of W&B cannot be read ({error})") from None
    return found


def part(fields: Fields, number: int) -> Fields:
    """The message in a field; an empty one if the field is missing."""
    return fields_of(data(fields, number))


def data(fields: Fields, number: int) -> bytes:
    found = fields.get(number, [b""])[-1]
    return found if isinstance(found, bytes) else b""


def text(fields: Fields, number: int) -> str:
    return data(fields, number).decode("utf-8", errors="replace")


def whole(fields: Fields, number: int) -> int:
    found = fields.get(number, [0])[-1]
    return found if isinstance(found, int) else 0


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number of more than ten bytes")
