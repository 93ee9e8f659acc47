"""Hierarchy: the children and the sums of every group, and which groups and nodes have the same structure."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.form import Graph, IntColumn

T = TypeVar("T", bound=np.generic)
UNCOUNTED_OPS = frozenset({"prim::Constant", "prim::ListConstruct", "prim::NumToTensor"})
MAX_FLOW_ROUNDS = 64
# The bytes of one element; types that are not listed have an unknown size.
DTYPE_BYTES = {
    **dict.fromkeys(("bool", "int8", "uint8", "qint8", "quint8"), 1.0),
    **dict.fromkeys(("int16", "uint16", "float16", "bfloat16", "half", "qint16", "quint16"), 2.0),
    **dict.fromkeys(("int32", "uint32", "float32", "qint32"), 4.0),
    **dict.fromkeys(("int64", "uint64", "float64", "complex64"), 8.0),
    "complex128": 16.0,
    **dict.fromkeys(("int4", "uint4"), 0.5),
}


class Hierarchy:
    """Indexes over a Graph that do not depend on what is shown."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._node_order = np.argsort(graph.nodes.groups, kind="stable").astype(np.int32)
        self._node_starts = _starts(graph.nodes.groups, len(graph.groups))
        parents = graph.groups.parents[1:]
        self._group_order = np.argsort(parents, kind="stable").astype(np.int32) + 1
        self._group_starts = _starts(parents, len(graph.groups))

    def nodes_in(self, group: int) -> IntColumn:
        """The nodes directly in a group."""
        return self._node_order[self._node_starts[group] : self._node_starts[group + 1]]

    def groups_in(self, group: int) -> IntColumn:
        """The groups directly in a group."""
        return self._group_order[self._group_starts[group] : self._group_starts[group + 1]]

    def nodes_below(self, group: int) -> IntColumn:
        """The nodes in a group and in all groups below it."""
        first, last = self._node_starts[group], self._node_starts[self.graph.groups.ends[group]]
        return self._node_order[first:last]

    def sums(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """By group: the sum of a column of nodes over all nodes below."""
        own = np.bincount(self.graph.nodes.groups, weights=values, minlength=len(self.graph.groups))
        return self._subtree(own.astype(np.float64))

    def _subtree(self, own: NDArray[np.float64]) -> NDArray[np.float64]:
        before = np.concatenate(([0.0], np.cumsum(own)))
        found: NDArray[np.float64] = before[self.graph.groups.ends] - before[:-1]
        return found

    @cached_property
    def flow_places(self) -> NDArray[np.float64]:
        """By node: its place in the order of the data. Those of sources that list an input before its user stay."""
        edges = self.graph.edges
        places = np.arange(len(self.graph.nodes), dtype=np.float64)
        sources, targets = edges.sources[~edges.is_control], edges.targets[~edges.is_control]
        # A circle has no order: it ends where it is.
        for _ in range(MAX_FLOW_ROUNDS):
            late = places[sources] >= places[targets]
            if not late.any():
                break
            np.maximum.at(places, targets[late], places[sources[late]] + 0.5)
        return places

    @cached_property
    def first_nodes(self) -> IntColumn:
        """By group: the first node below it, in the order of the source."""
        return self.first_of(np.ones(len(self.graph.nodes), bool))

    def first_of(self, chosen: NDArray[np.bool_]) -> IntColumn:
        """By group: the first of the chosen nodes below it; a large number for none."""
        found = self.least_of(chosen, np.arange(len(self.graph.nodes), dtype=np.float64))
        return np.minimum(found, np.iinfo(np.int32).max).astype(np.int32)

    def least_of(self, chosen: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """By group: the least value of the chosen nodes below it; infinite for none."""
        groups, nodes = self.graph.groups, self.graph.nodes
        least = np.full(len(groups), np.inf)
        at = np.flatnonzero(chosen)
        np.minimum.at(least, nodes.groups[at], values[at])
        found, parents = least.tolist(), groups.parents.tolist()
        for group in range(len(groups) - 1, 0, -1):
            if found[group] < found[parents[group]]:
                found[parents[group]] = found[group]
        return np.array(found)

    @cached_property
    def output_bytes(self) -> NDArray[np.float64]:
        """By output of a node: its size; -1 if it is not known."""
        graph = self.graph
        counts = np.array(
            [-1.0 if shape is None or min(shape, default=0) < 0 else _product(shape) for shape in graph.shapes]
        )
        sizes = np.array([DTYPE_BYTES.get(name, 1.0 if name.startswith("float8") else -1.0) for name in graph.dtypes])
        count, size = counts[graph.nodes.output_shapes], sizes[graph.nodes.output_dtypes]
        return np.where((count < 0) | (size < 0), -1.0, count * size)

    @cached_property
    def node_structures(self) -> IntColumn:
        """By node: equal for nodes with the same op and outputs."""
        nodes = self.graph.nodes
        counts = np.diff(nodes.output_starts)
        first = pick(nodes.output_shapes, nodes.output_starts[:-1], counts > 0, -1)
        _, found = np.unique(np.stack([nodes.ops, first, counts]), axis=1, return_inverse=True)
        return found.reshape(-1).astype(np.int32)

    @cached_property
    def group_structures(self) -> IntColumn:
        """By group: equal for groups of the same class with equal content in the same order.

        A group's hash is the sum of its children's, each mixed with its position, so a level is one operation.
        The constants and lists of torch's traces do not count: the first of two equal modules has those of both.
        """
        groups, nodes = self.graph.groups, self.graph.nodes
        type_of = {name: number for number, name in enumerate(dict.fromkeys(groups.types))}
        hashes = _mixed(np.array([type_of[name] for name in groups.types], np.uint64), 0)
        is_counted = ~np.array([name in UNCOUNTED_OPS for name in nodes.op_names], bool)[nodes.ops]
        order = self._node_order[is_counted[self._node_order]]
        starts = _starts(nodes.groups[is_counted], len(groups))
        position = np.arange(len(order)) - starts[nodes.groups[order]]
        np.add.at(hashes, nodes.groups[order], _mixed(self.node_structures[order].astype(np.uint64), 2 * position + 1))
        ranks = np.zeros(len(groups), np.int64)
        ranks[self._group_order] = np.arange(len(groups) - 1) - self._group_starts[groups.parents[self._group_order]]
        for level in reversed(self._groups_by_depth()[1:]):
            np.add.at(hashes, groups.parents[level], _mixed(hashes[level], 2 * ranks[level] + 2))
        return np.unique(hashes, return_inverse=True)[1].reshape(-1).astype(np.int32)

    def _groups_by_depth(self) -> list[IntColumn]:
        parents = self.graph.groups.parents.tolist()
        depths = [0] * len(parents)
        for group in range(1, len(parents)):
            depths[group] = depths[parents[group]] + 1
        column = np.array(depths)
        order = np.argsort(column, kind="stable").astype(np.int32)
        return np.split(order, np.cumsum(np.bincount(column))[:-1])


def _starts(sorted_by: NDArray[np.int32], count: int) -> IntColumn:
    starts = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(sorted_by, minlength=count), out=starts[1:])
    return starts


def pick(column: NDArray[T], index: NDArray[np.integer], is_known: NDArray[np.bool_], otherwise: float) -> NDArray[T]:
    """The values at some positions of a column, which may be empty; `otherwise` where the position is not known."""
    found = np.full(len(index), otherwise, column.dtype)
    found[is_known] = column[index[is_known]]
    return found


def _product(shape: tuple[int, ...]) -> float:
    return float(np.prod(np.array(shape, np.float64)))


def _mixed(values: NDArray[np.uint64], positions: NDArray[np.int64] | int) -> NDArray[np.uint64]:
    """Hashes of 64 bits (the finalizer of splitmix64)."""
    mixed = values * np.uint64(0x9E3779B97F4A7C15) + np.asarray(positions).astype(np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
