"""Shapes and dtypes of sources in the form's terms: sizes within bounds, dtypes as NumPy names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from seamark.graphs.form import UNKNOWN_SIZE, Shape

MAX_RANK = 64
# A size above it is not one of a tensor that exists, and the products and sums of such sizes would overflow.
MAX_ELEMENTS = 1 << 41

ITEM_BITS = {
    "bool": 8, "int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64, "uint64": 64,
    "float16": 16, "bfloat16": 16, "float32": 32, "float64": 64, "complex32": 32, "complex64": 64, "complex128": 128,
    "float8_e4m3fn": 8, "float8_e4m3fnuz": 8, "float8_e5m2": 8, "float8_e5m2fnuz": 8, "float8_e8m0fnu": 8,
    "int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4_e2m1fn": 4, "float6_e2m3fn": 6, "float6_e3m2fn": 6,
    "key<fry>": 64,
}  # fmt: skip


def known_shape(sizes: Iterable[int | None]) -> Shape | None:
    """A shape of the form: None and sizes out of bounds are UNKNOWN_SIZE; None for a rank that nobody uses."""
    shape = tuple(size if size is not None and 0 <= size <= MAX_ELEMENTS else UNKNOWN_SIZE for size in sizes)
    return shape if len(shape) <= MAX_RANK else None


def element_count(shape: Sequence[int] | None) -> int | None:
    """None if a size is not known, or if there are more elements than any tensor has."""
    if shape is None or any(size < 0 for size in shape):
        return None
    count = prod(shape)
    return count if count <= MAX_ELEMENTS else None


def shape_text(shape: Shape | None) -> str:
    """ "8×128×768"; "?" for what is not known."""
    if shape is None:
        return "?"
    return "×".join("?" if size == UNKNOWN_SIZE else str(size) for size in shape) or "scalar"
