"""Kendall's tau-b in O(n log n)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from seamark.tables.column import Numbers


def kendall_tau(first: Numbers, second: Numbers) -> float:
    """From -1 to 1, corrected for ties; NaN if all values of a side are equal."""
    count = len(first)
    pairs = count * (count - 1) // 2
    order = np.lexsort((second, first))
    x, y = _ranks(first[order]), _ranks(second[order])
    ties_x, ties_y = _tied_pairs(x), _tied_pairs(y)
    ties_both = _tied_pairs(x * (count + 1) + y)
    if pairs in (ties_x, ties_y) or not pairs:
        return math.nan
    discordant = _inversions(y)
    balance = pairs - ties_x - ties_y + ties_both - 2 * discordant
    return max(-1.0, min(1.0, balance / math.sqrt(pairs - ties_x) / math.sqrt(pairs - ties_y)))


def _ranks(values: Numbers) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _tied_pairs(codes: NDArray[np.int64]) -> int:
    counts = np.unique(codes, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _inversions(values: NDArray[np.int64]) -> int:
    """Pairs in the wrong order, counted by merging from the bottom: each level is one sort of the whole array.

    At each level, blocks of `width` values are sorted; a value of a right half is inverted with every larger one of its
    left half.
    """
    count, found, width = len(values), 0, 1
    span = int(values.max()) + 1 if count else 1
    positions = np.arange(count)
    current = values.copy()
    while width < count:
        block = positions // (2 * width)
        is_right = positions // width % 2 == 1
        keys = block * span + current
        left_keys, right = keys[~is_right], np.flatnonzero(is_right)
        # The left halves before this one are complete, so the position among all left keys gives that in its half.
        upto = np.searchsorted(left_keys, keys[right], side="right")
        found += int(((block[right] + 1) * width - upto).sum())
        current = current[np.argsort(keys, kind="stable")]
        width *= 2
    return found
