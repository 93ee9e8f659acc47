"""Edges between boxes: all edges of the graph that lead from one box to another, as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.form import IntColumn
from seamark.graphs.levels.hierarchy import Hierarchy, pick

MIXED = -1


@dataclass(frozen=True, slots=True, eq=False)
class BoxEdges:
    sources: IntColumn
    targets: IntColumn
    counts: IntColumn
    shapes: IntColumn  # an index into Graph.shapes; MIXED if they differ
    bytes: NDArray[np.float64]  # of distinct tensors; -1 if one is not known
    is_control: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.sources)


def bundle_edges(
    hierarchy: Hierarchy, box_of_node: IntColumn, passed: tuple[IntColumn, IntColumn, IntColumn], boxes: int
) -> BoxEdges:
    """`passed` are edges past hidden nodes, besides those of the graph: sources, outputs, targets."""
    edges = hierarchy.graph.edges
    sources = np.concatenate([edges.sources, passed[0]])
    outputs = np.concatenate([edges.source_outputs, passed[1]])
    targets = np.concatenate([edges.targets, passed[2]])
    is_control = np.concatenate([edges.is_control, np.zeros(len(passed[0]), bool)])
    first, last = box_of_node[sources], box_of_node[targets]
    kept = np.flatnonzero((first >= 0) & (last >= 0) & (first != last))
    key = first[kept].astype(np.int64) * boxes + last[kept]
    order = np.argsort(key, kind="stable")
    kept, key = kept[order], key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1)) if len(key) else np.zeros(0, np.int64)
    tensors = _tensors(hierarchy, sources[kept], outputs[kept], is_control[kept])
    if not len(starts):
        nothing = np.zeros(0, np.int32)
        return BoxEdges(nothing, nothing, nothing, nothing, np.zeros(0), np.zeros(0, bool))
    shapes = pick(hierarchy.graph.nodes.output_shapes, tensors, tensors >= 0, 0)
    low, high = np.minimum.reduceat(shapes, starts), np.maximum.reduceat(shapes, starts)
    return BoxEdges(
        sources=first[kept[starts]],
        targets=last[kept[starts]],
        counts=np.diff(starts, append=len(kept)).astype(np.int32),
        shapes=np.where(low == high, low, MIXED).astype(np.int32),
        bytes=_bundle_bytes(hierarchy, tensors, starts, len(kept)),
        is_control=np.logical_and.reduceat(is_control[kept], starts),
    )


def _tensors(hierarchy: Hierarchy, sources: IntColumn, outputs: IntColumn, is_control: NDArray[np.bool_]) -> IntColumn:
    """The output that each edge carries, as an index of output columns; -1 if the source does not describe it."""
    starts = hierarchy.graph.nodes.output_starts
    tensor = starts[sources] + outputs
    known = ~is_control & (outputs >= 0) & (tensor < starts[sources + 1])
    return np.where(known, tensor, -1)


def _bundle_bytes(
    hierarchy: Hierarchy, tensors: IntColumn, starts: NDArray[np.intp], count: int
) -> NDArray[np.float64]:
    size = pick(hierarchy.output_bytes, tensors, tensors >= 0, -1.0)
    # A tensor that several nodes of the target take is sent once.
    bundle = np.repeat(np.arange(len(starts)), np.diff(starts, append=count))
    pairs = np.stack([bundle, tensors])
    _, once = np.unique(pairs, axis=1, return_index=True)
    total = np.bincount(bundle[once], weights=np.maximum(size[once], 0), minlength=len(starts))
    unknown = np.minimum.reduceat(size, starts) < 0
    return np.where(unknown, -1.0, total)
