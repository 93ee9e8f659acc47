"""Finds the positions of the strings of a text in its payload, without reading the strings.

A text may be hundreds of megabytes, more than the core or protobuf should load. The payload alternates between lengths
and bytes (protobuf's wire format), so the positions follow from a few bytes; the reader then reads the parts it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from seamark.kinds.payload import DecodeError, parse, read_varint

# Field numbers: Summary.Value.tensor; TensorProto's tensor_shape and string_val.
TENSOR, SHAPE, STRINGS = 8, 2, 8
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MAX_HEAD = 20  # two varints of ten bytes
MAX_SHAPE = 4096

Read = Callable[[int, int], bytes]  # (start, size) → at most that many bytes of the payload


class Span(NamedTuple):
    start: int
    length: int


def spans_of(read: Read, length: int) -> Iterator[Span]:
    """The position of every string, in order; `length` is the length of the payload."""
    for tensor in fields(read, Span(0, length), TENSOR):
        yield from fields(read, tensor, STRINGS)


def shape_of(read: Read, length: int) -> tuple[int, ...]:
    """The shape of the array of strings; () for a single string."""
    from seamark.format.messages import TensorShape

    for tensor in fields(read, Span(0, length), TENSOR):
        for shape in fields(read, tensor, SHAPE):
            if shape.length > MAX_SHAPE:
                raise DecodeError(f"text has a shape of {shape.length} bytes, want at most {MAX_SHAPE}")
            message = parse(TensorShape, read(shape.start, shape.length), "shape of a text")
            return tuple(max(0, dim.size) for dim in message.dim)
    return ()


def fields(read: Read, within: Span, wanted: int) -> Iterator[Span]:
    """The position of every field with this number in a message."""
    at, end = within.start, within.start + within.length
    while at < end:
        head = read(at, min(MAX_HEAD, end - at))
        key, used = read_varint(head, 0, "the fields of a text")
        number, wire_type = key >> 3, key & 7
        if wire_type == VARINT:
            used = read_varint(head, used, "the fields of a text")[1]
            size = 0
        elif wire_type == BYTES:
            size, used = read_varint(head, used, "the fields of a text")
        elif wire_type in (FIXED64, FIXED32):
            size = 8 if wire_type == FIXED64 else 4
        else:
            raise DecodeError(f"text cannot be read: wire type {wire_type} at byte {at} of the payload")
        content = Span(at + used, size)
        at = content.start + size
        if at > end:
            raise DecodeError(f"text cannot be read: a field ends at byte {at}, its message at byte {end}")
        if number == wanted and wire_type == BYTES:
            yield content
