"""Frames: what the server and a model's process send each other. A JSON header, then raw arrays; nothing is pickled.

4 bytes  length of the header, u32
8 bytes  length of the arrays together, u64
then     the header: JSON with `arrays`, the name, type and shape of each array
then     the arrays, one after the other, little-endian
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

LENGTHS = struct.Struct("<IQ")
MAX_HEADER_BYTES = 1 << 28
MAX_ARRAY_BYTES = 1 << 36
TYPES = frozenset({"<f8", "<i8", "<i4", "|b1", "|u1"})

Array = NDArray[Any]
Header = dict[str, Any]


class FrameError(ValueError):
    """Bytes that are no frame."""


class Frame(NamedTuple):
    header: Header
    arrays: dict[str, Array]


def encode(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> list[memoryview]:
    """The buffers to send, in their order. Arrays are not copied."""
    plain = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    listed = [{"name": name, "type": a.dtype.str, "shape": list(a.shape)} for name, a in plain.items()]
    text = json.dumps({**header, "arrays": listed}, separators=(",", ":")).encode()
    lengths = LENGTHS.pack(len(text), sum(array.nbytes for array in plain.values()))
    return [memoryview(lengths + text), *(a.reshape(-1).view(np.uint8).data for a in plain.values() if a.size)]


def decode(read: Callable[[int], bytearray]) -> Frame:
    """`read` returns exactly so many bytes, or raises. The arrays may be written to."""
    header_bytes, array_bytes = LENGTHS.unpack(read(LENGTHS.size))
    if header_bytes > MAX_HEADER_BYTES or array_bytes > MAX_ARRAY_BYTES:
        raise FrameError(f"the lengths of a frame are {header_bytes} and {array_bytes}")
    header = json.loads(bytes(read(header_bytes)))
    body, arrays, offset = read(array_bytes), {}, 0
    for entry in header.pop("arrays"):
        if entry["type"] not in TYPES:
            raise FrameError(f"an array has the type {entry['type']}")
        kind, count = np.dtype(entry["type"]), math.prod(entry["shape"])
        arrays[entry["name"]] = np.frombuffer(body, kind, count, offset).reshape(entry["shape"])
        offset += count * kind.itemsize
    return Frame(header, arrays)
