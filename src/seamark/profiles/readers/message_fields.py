"""The fields of a serialized protobuf message, one level at a time, for files that are too large to parse whole."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
Buffer = bytes | memoryview


class MessageField(NamedTuple):
    number: int
    type: int
    value: int  # of VARINT, FIXED64 and FIXED32: the bits
    start: int  # of LENGTH: where the content is
    end: int

    @property
    def signed(self) -> int:
        return self.value - (1 << 64) if self.value >= 1 << 63 else self.value

    @property
    def real(self) -> float:
        return float(struct.unpack("<d", self.value.to_bytes(8, "little"))[0])


def fields_of(data: Buffer, start: int = 0, end: int | None = None) -> Iterator[MessageField]:
    """Ends where the message is malformed. A last field that is cut off is returned with the bytes that there are."""
    end = len(data) if end is None else min(end, len(data))
    at = start
    while at < end:
        key, at = _varint(data, at, end)
        number, type = key >> 3, key & 7
        if at < 0 or number == 0:
            return
        if type == LENGTH:
            size, at = _varint(data, at, end)
            if at < 0:
                return
            yield MessageField(number, type, 0, at, min(at + size, end))
            at += size
        elif type == VARINT:
            value, at = _varint(data, at, end)
            if at < 0:
                return
            yield MessageField(number, type, value, 0, 0)
        elif type in (FIXED64, FIXED32):
            size = 8 if type == FIXED64 else 4
            if at + size > end:
                return
            yield MessageField(number, type, int.from_bytes(data[at : at + size], "little"), 0, 0)
            at += size
        else:
            return


def text_of(data: Buffer, field: MessageField) -> str:
    return bytes(data[field.start : field.end]).decode("utf-8", "replace")


def _varint(data: Buffer, at: int, end: int) -> tuple[int, int]:
    """The value and the position after it, which is -1 if there is none."""
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7
    return 0, -1
