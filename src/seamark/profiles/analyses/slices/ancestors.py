"""Ancestors of slices, for all slices at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.form import NO_SLICE

Parents = NDArray[np.int32]
Mask = NDArray[np.bool_]


def nearest_ancestor(parent: Parents, is_wanted: Mask) -> Parents:
    """Of each slice, the innermost slice around it that is wanted, or NO_SLICE."""
    nearest = parent.copy()
    open_slices = np.flatnonzero(nearest != NO_SLICE)
    while True:
        open_slices = open_slices[~is_wanted[nearest[open_slices]]]
        if not len(open_slices):
            return nearest
        # Nothing between a slice and its `nearest` is wanted, so that the chains halve with every pass.
        nearest[open_slices] = nearest[nearest[open_slices]]
        open_slices = open_slices[nearest[open_slices] != NO_SLICE]


def ancestor_count(parent: Parents) -> NDArray[np.int32]:
    """How many slices are around each."""
    count: NDArray[np.int32] = (parent != NO_SLICE).astype(np.int32)
    above = parent.copy()
    open_slices = np.flatnonzero(above != NO_SLICE)
    while len(open_slices):
        jump = above[open_slices]
        count[open_slices] += count[jump]
        above[open_slices] = above[jump]
        open_slices = open_slices[above[open_slices] != NO_SLICE]
    return count


def is_outermost(key: NDArray[np.int64], parent: Parents, slices: NDArray[np.int64]) -> Mask:
    """For each of `slices`: no slice around it has the same key. `parent` links wanted slices only."""
    outermost = np.ones(len(slices), bool)
    positions, above = np.arange(len(slices)), parent[slices]
    while True:
        inside = above != NO_SLICE
        positions, above = positions[inside], above[inside]
        if not len(positions):
            return outermost
        is_same = key[slices[positions]] == key[above]
        outermost[positions[is_same]] = False
        positions, above = positions[~is_same], parent[above[~is_same]]


def sum_by(key: NDArray[np.integer], values: NDArray[np.integer], size: int) -> NDArray[np.int64]:
    """The sum of the values of each key below `size`. Exact up to 2**53 ns, which is 104 days."""
    return np.bincount(key, values, size).astype(np.int64)


def longest_by(
    key: NDArray[np.integer], slices: NDArray[np.int64], duration: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """The longest slice of each key below `size`, the first one of equals; NO_SLICE for keys without any."""
    longest = np.full(size, NO_SLICE, np.int64)
    # Later assignments win: the longest come last, and of equals the first.
    order = np.argsort(-duration, kind="stable")[::-1]
    longest[key[order]] = slices[order]
    return longest
