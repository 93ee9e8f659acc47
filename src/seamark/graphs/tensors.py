"""Shapes of sources in the form's terms, with sizes within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from seamark.graphs.form import UNKNOWN_SIZE, Shape

MAX_RANK = 64
# A size above it is not one of a tensor that exists, and the products and sums of such sizes would overflow.
MAX_ELEMENTS = 1 << 41


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
