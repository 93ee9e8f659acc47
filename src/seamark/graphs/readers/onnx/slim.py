"""Leaves the numbers of large tensors out of an ONNX model before it is parsed: they are most of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from seamark.format.budget import hold
from seamark.graphs.form import GraphError

# A message below this size is taken as it is.
LARGE_BYTES = 64 << 10
MAX_DEPTH = 100
# Of a field when it is parsed: an empty node takes as much.
FIELD_BYTES = 200
FIELDS_AT_ONCE = 10_000
# Where the messages are that hold tensors: message → field number → message.
_INNER: Mapping[str, Mapping[int, str]] = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor"},
    "function": {7: "node"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph"},
    "tensor": {},
}
# float_data, int32_data, string_data, int64_data, raw_data, double_data, uint64_data
_TENSOR_DATA = frozenset({4, 5, 6, 7, 9, 10, 11})
_GRAPH_SPARSE_TENSORS = 15


def slim_model(data: bytes) -> bytes:
    """The same model without the data of tensors above LARGE_BYTES."""
    return b"".join(_slim(memoryview(data), "model", 0))


def _slim(view: memoryview, message: str, depth: int) -> list[memoryview | bytes]:
    if depth > MAX_DEPTH:
        raise GraphError(f"the ONNX graphs are nested more than {MAX_DEPTH} deep, which is the limit")
    inner = _INNER[message]
    kept: list[memoryview | bytes] = []
    kept_from, fields, at = 0, 0, 0
    for start, number, content_start, end, is_bytes in _fields(view):
        fields += 1
        if fields == FIELDS_AT_ONCE:
            hold(FIELD_BYTES * fields)
            fields = 0
        if is_bytes and end - content_start > LARGE_BYTES and (number in inner or _is_left_out(message, number)):
            kept.append(view[kept_from:start])
            if number in inner:
                content = b"".join(_slim(view[content_start:end], inner[number], depth + 1))
                kept += [_varint(number << 3 | 2), _varint(len(content)), content]
            kept_from = end
        at = end
    hold(FIELD_BYTES * fields)
    kept.append(view[kept_from:at])
    return kept


def _is_left_out(message: str, number: int) -> bool:
    return number in _TENSOR_DATA if message == "tensor" else message == "graph" and number == _GRAPH_SPARSE_TENSORS


def _fields(view: memoryview) -> Iterator[tuple[int, int, int, int, bool]]:
    """Start, number, start of the content, end, and whether the content is bytes, for each field."""
    at, size = 0, len(view)
    while at < size:
        start = at
        key, at = _read_varint(view, at)
        if key < 8:
            raise GraphError("the ONNX model is damaged: a field has the number 0")
        wire = key & 7
        content_start = at
        if wire == 0:
            _, at = _read_varint(view, at)
        elif wire == 1:
            at += 8
        elif wire == 2:
            length, content_start = _read_varint(view, at)
            at = content_start + length
        elif wire == 5:
            at += 4
        else:
            raise GraphError(f"the ONNX model is damaged: a field has the wire type {wire}")
        if at > size:
            raise GraphError("the ONNX model is cut short")
        yield start, key >> 3, content_start, at, wire == 2


def _read_varint(view: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(view) and shift < 70:
        byte = view[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise GraphError("the ONNX model is cut short")


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
