"""AttributeTable: the attributes of all nodes as one block of bytes, decoded for one node at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

# A string, a number, a bool, None, or a list of them. A value that was too large is a `Large`.
AttributeValue = Any
MAX_VALUE_BYTES = 64 << 10
MAX_INT = 1 << 63

_encoder = msgspec.msgpack.Encoder()


class Large(msgspec.Struct, tag=True, frozen=True):
    """Stands for a value that is not stored, such as the numbers of a constant."""

    text: str  # what it is: "float32 tensor, shape 4096×4096"
    bytes: int


class AttributeTable:
    """`encoding` names the decoder in DECODERS; node n has the bytes starts[n] to starts[n + 1]."""

    def __init__(self, encoding: str, data: bytes, starts: NDArray[np.int64]) -> None:
        self.encoding, self.data, self.starts = encoding, data, starts

    def of(self, node: int) -> dict[str, AttributeValue]:
        return DECODERS[self.encoding](self.data[int(self.starts[node]) : int(self.starts[node + 1])])


def pack_attributes(attributes: Mapping[str, AttributeValue]) -> bytes:
    if not attributes:
        return b""
    limited = {}
    for name, value in attributes.items():
        is_small = isinstance(value, bool | float | Large | None) or (isinstance(value, int) and abs(value) < MAX_INT)
        limited[name] = value if is_small else _limit(value)
    return _encoder.encode(limited)


def _limit(value: AttributeValue) -> AttributeValue:
    try:
        size = len(value) if isinstance(value, str) else len(_encoder.encode(value))
    except (OverflowError, RecursionError):
        # An integer of more than 64 bits, or lists inside lists without end.
        return Large(text="a value that cannot be shown", bytes=0)
    if size <= MAX_VALUE_BYTES:
        return value
    head = value[:200] if isinstance(value, str) else msgspec.json.encode(value[:20]).decode()[:200]
    return Large(text=f"{head}…", bytes=size)


def unpack_attributes(data: bytes) -> dict[str, AttributeValue]:
    if not data:
        return {}
    found: dict[str, AttributeValue] = msgspec.msgpack.decode(data)
    return {name: _as_large(value) for name, value in found.items()}


def _as_large(value: AttributeValue) -> AttributeValue:
    is_large = isinstance(value, dict) and value.get("type") == "Large"
    return Large(text=value["text"], bytes=value["bytes"]) if is_large else value


# Readers whose source has attributes as bytes of its own add theirs.
DECODERS: dict[str, Callable[[bytes], dict[str, AttributeValue]]] = {"msgpack": unpack_attributes}
