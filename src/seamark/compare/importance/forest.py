"""A random forest for regression on integer codes. NumPy grows all trees at once, level by level.

Values are codes from 0 to BINS − 1 (see importance.codes_of); a split tests code ≤ threshold. Each tree is fitted to a
resample of the rows and predicts the rows that are not in it (out of bag). Deterministic for a given seed.
"""

# Not scikit-learn's forest, which would add SciPy and joblib as dependencies to replace these 160 lines.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BINS = 16
TREES = 64
MAX_DEPTH = 8
MIN_LEAF = 4
# The maximum of nodes × columns × bins that are processed at once.
MAX_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class Forest:
    """Nodes of all trees; the first ones are the roots. A leaf has column −1; children are `left` and `left + 1`."""

    column: Ints
    threshold: Ints
    left: Ints
    value: Floats
    bag: NDArray[np.int64]  # trees × rows: how often the row is in the tree's resample
    codes: Codes  # trees × rows × columns

    def predict(self, trees: Ints, rows: Ints, *, column: int = -1, taken_from: Ints | None = None) -> Floats:
        """The tree's prediction for each (tree, row). `column` takes its values from the rows `taken_from` instead."""
        return self.value[self._walk(trees, rows, column, rows if taken_from is None else taken_from, None)]

    def used_columns(self, trees: Ints, rows: Ints) -> NDArray[np.bool_]:
        """Which columns the tree tests for each (tree, row): no other column can change the prediction."""
        used = np.zeros((len(trees), self.codes.shape[2] + 1), bool)  # the last column is for leaves
        self._walk(trees, rows, -1, rows, used)
        return used[:, :-1]

    def _walk(self, trees: Ints, rows: Ints, column: int, taken_from: Ints, used: NDArray[np.bool_] | None) -> Ints:
        node = trees.copy()
        flat, (_, count, width) = self.codes.reshape(-1), self.codes.shape
        own, other = (trees * count + rows) * width, (trees * count + taken_from) * width
        for _ in range(MAX_DEPTH):
            tested = self.column[node]
            if used is not None:
                used[np.arange(len(node)), tested] = True
            code = flat[np.where(tested == column, other, own) + np.maximum(tested, 0)]
            node = np.where(tested < 0, node, self.left[node] + (code > self.threshold[node]))
        return node

    @property
    def out_of_bag(self) -> tuple[Ints, Ints]:
        """The trees and rows of all pairs in which the tree was not fitted to the row."""
        trees, rows = np.nonzero(self.bag == 0)
        return trees, rows


def grow(
    target: Floats, codes_of_bag: Callable[[Ints], Codes], *, columns_per_split: int, seed: int, trees: int = TREES
) -> Forest:
    """Fits a forest. `codes_of_bag` returns the codes of all rows for one tree; they may depend on its resample."""
    rng = np.random.default_rng(seed)
    rows = len(target)
    drawn = rng.integers(0, rows, size=(trees, rows))
    bag = np.stack([np.bincount(one, minlength=rows) for one in drawn])
    codes = np.stack([codes_of_bag(one) for one in bag])
    return Forest(*ForestBuilder(target, bag, codes, columns_per_split, rng).build(), bag, codes)


class ForestBuilder:
    """The nodes so far. `_node` is the node in the deepest level that contains each (tree, row) of the resamples."""

    def __init__(
        self, target: Floats, bag: Ints, codes: Codes, columns_per_split: int, rng: np.random.Generator
    ) -> None:
        self._columns_per_split, self._rng = columns_per_split, rng
        tree, row = np.nonzero(bag)
        self._codes = codes[tree, row]
        self._weight = bag[tree, row].astype(np.float64)
        self._target = target[row]
        self._node = tree
        self._nodes = len(bag)
        self.column: list[Ints] = []
        self.threshold: list[Ints] = []
        self.left: list[Ints] = []
        self.value: list[Floats] = []

    def build(self) -> tuple[Ints, Ints, Ints, Floats]:
        for depth in range(MAX_DEPTH + 1):
            self._next_level(is_last=depth == MAX_DEPTH)
            if not self._nodes:
                break
        parts = (self.column, self.threshold, self.left)
        column, threshold, left = (np.concatenate(part) for part in parts)
        return column, threshold, left, np.concatenate(self.value)

    def _next_level(self, *, is_last: bool) -> None:
        count = self._nodes
        weights: Floats = np.bincount(self._node, self._weight, count).astype(np.float64)
        sums: Floats = np.bincount(self._node, self._weight * self._target, count).astype(np.float64)
        self.value.append(sums / weights)
        if is_last:
            column, threshold = np.full(count, -1), np.zeros(count, np.int64)
        else:
            column, threshold = self._best_splits(weights, sums)
        splits = np.flatnonzero(column >= 0)
        # The nodes of the next level are appended; the two children of a node are adjacent.
        begin = sum(map(len, self.value))
        left = np.zeros(count, np.int64)
        left[splits] = begin + 2 * np.arange(len(splits))
        self.column.append(column)
        self.threshold.append(threshold)
        self.left.append(left)
        self._nodes = 2 * len(splits)
        self._descend(column[self._node] >= 0, column, threshold, left - begin)

    def _descend(self, split: NDArray[np.bool_], column: Ints, threshold: Ints, left: Ints) -> None:
        """Drops rows that reached a leaf, and moves the others to a child node."""
        node = self._node[split]
        self._codes, self._weight, self._target = self._codes[split], self._weight[split], self._target[split]
        code = self._codes[np.arange(len(node)), column[node]] if len(node) else np.empty(0, np.uint8)
        self._node = left[node] + (code > threshold[node])

    def _best_splits(self, weights: Floats, sums: Floats) -> tuple[Ints, Ints]:
        """The split of each node that reduces the squared error most, among columns drawn at random per node."""
        count, columns = len(weights), self._codes.shape[1]
        drawn = np.argsort(self._rng.random((count, columns)), axis=1)[:, : self._columns_per_split]
        order = np.argsort(self._node, kind="stable")
        ends = np.searchsorted(self._node[order], np.arange(count + 1))
        size = max(1, MAX_CELLS // (drawn.shape[1] * BINS))
        found = [
            self._splits_of(
                order[ends[low] : ends[min(count, low + size)]], low, drawn[low : low + size], weights, sums
            )
            for low in range(0, count, size)
        ]
        return np.concatenate([part[0] for part in found]), np.concatenate([part[1] for part in found])

    def _splits_of(self, entries: Ints, low: int, drawn: Ints, weights: Floats, sums: Floats) -> tuple[Ints, Ints]:
        count, chosen = drawn.shape
        node = self._node[entries] - low
        codes = np.take_along_axis(self._codes[entries], drawn[node], axis=1)
        cells = ((node[:, None] * chosen + np.arange(chosen)) * BINS + codes).ravel()
        shape = (count, chosen, BINS)
        weight = np.repeat(self._weight[entries], chosen)
        left_weight = np.bincount(cells, weight, count * chosen * BINS).reshape(shape).cumsum(axis=2)[:, :, :-1]
        weight *= np.repeat(self._target[entries], chosen)
        left_sum = np.bincount(cells, weight, count * chosen * BINS).reshape(shape).cumsum(axis=2)[:, :, :-1]
        all_weight, all_sum = weights[low : low + count, None, None], sums[low : low + count, None, None]
        right_weight = all_weight - left_weight
        is_allowed = (left_weight >= MIN_LEAF) & (right_weight >= MIN_LEAF)
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = left_sum**2 / left_weight + (all_sum - left_sum) ** 2 / right_weight - all_sum**2 / all_weight
        gain = np.where(is_allowed, gain, -1.0).reshape(count, -1)
        best = gain.argmax(axis=1)
        is_split = gain[np.arange(count), best] > 1e-12
        column = np.where(is_split, drawn[np.arange(count), best // (BINS - 1)], -1)
        return column, best % (BINS - 1)
