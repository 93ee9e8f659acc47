"""Where the strings of a text lie in its payload, found without reading them.

A text may be hundreds of megabytes. Its message is lengths and bytes in turn, so a few reads of a few bytes tell where
each string begins; what is shown, searched or downloaded is then read from there, piece by piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from seamark.kinds.payload import DecodeError

# The fields on the way: Summary.Value.tensor, and TensorProto's tensor_shape and string_val in it.
TENSOR, SHAPE, STRINGS = 8, 2, 8
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MAX_HEAD = 20  # two varints of ten bytes
MAX_SHAPE = 4096

Read = Callable[[int, int], bytes]  # (start, size) → at most that many bytes of the payload


class Span(NamedTuple):
    start: int
    length: int


def spans_of(read: Read, length: int) -> Iterator[Span]:
    """Of every string, in order; `length` is that of the whole payload."""
    for tensor in fields(read, Span(0, length), TENSOR):
        yield from fields(read, tensor, STRINGS)


def shape_of(read: Read, length: int) -> tuple[int, ...]:
    """How the strings are laid out; () is one string alone."""
    from seamark.format.messages import TensorShape
    from seamark.kinds.payload import parse

    for tensor in fields(read, Span(0, length), TENSOR):
        for shape in fields(read, tensor, SHAPE):
            if shape.length > MAX_SHAPE:
                raise DecodeError(f"text has a shape of {shape.length} bytes, want at most {MAX_SHAPE}")
            message = parse(TensorShape, read(shape.start, shape.length), "shape of a text")
            return tuple(max(0, dim.size) for dim in message.dim)
    return ()


def fields(read: Read, within: Span, wanted: int) -> Iterator[Span]:
    """The contents of every field with this number in a message."""
    at, end = within.start, within.start + within.length
    while at < end:
        head = read(at, min(MAX_HEAD, end - at))
        key, used = varint(head, 0)
        number, wire_type = key >> 3, key & 7
        if wire_type == VARINT:
            used = varint(head, used)[1]
            size = 0
        elif wire_type == BYTES:
            size, used = varint(head, used)
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


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The number, and where the next one begins."""
    number = 0
    for place, byte in enumerate(data[at : at + 10]):
        number |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return number, at + place + 1
    raise DecodeError("text cannot be read: a number in it does not end")
