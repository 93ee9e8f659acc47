"""Shapes and dtypes of outputs that a graph does not state, but another source does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from seamark.graphs.form import UNKNOWN_SIZE, Graph, Shape


def with_outputs(graph: Graph, outputs: Mapping[int, Sequence[tuple[str, Shape | None]]]) -> Graph:
    """The graph with these dtypes and shapes, by node and output, where it does not know its own in full."""
    dtype_of = {name: index for index, name in enumerate(graph.dtypes)}
    index_of = {shape: index for index, shape in enumerate(graph.shapes)}
    nodes = graph.nodes
    counts = np.diff(nodes.output_starts)
    wanted = {node: found for node, found in outputs.items() if found and not _is_stated(graph, node)}
    for node, found in wanted.items():
        counts[node] = max(int(counts[node]), len(found))
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    dtypes, shapes = np.zeros(starts[-1], np.int32), np.full(starts[-1], index_of.setdefault(None, len(index_of)))
    old = np.arange(len(nodes.output_dtypes))
    owner = np.repeat(np.arange(len(nodes)), np.diff(nodes.output_starts))
    new = starts[owner] + old - nodes.output_starts[owner]
    dtypes[new], shapes[new] = nodes.output_dtypes, nodes.output_shapes
    stated: list[Shape | None] = list(index_of)
    for node, found in wanted.items():
        for slot, (dtype, shape) in enumerate(found):
            at = starts[node] + slot
            dtypes[at] = dtypes[at] or dtype_of.setdefault(dtype, len(dtype_of))
            known = stated[shapes[at]] if shapes[at] < len(stated) else None
            if shape is not None and not is_complete(known) and (known is None or len(known) == len(shape)):
                shapes[at] = index_of.setdefault(shape, len(index_of))
    changed = replace(nodes, output_starts=starts, output_dtypes=dtypes, output_shapes=shapes.astype(np.int32))
    return replace(graph, nodes=changed, dtypes=list(dtype_of), shapes=list(index_of))


def is_complete(shape: Shape | None) -> bool:
    return shape is not None and UNKNOWN_SIZE not in shape


def _is_stated(graph: Graph, node: int) -> bool:
    known = graph.outputs(node)
    return len(known) > 0 and all(is_complete(output.shape) for output in known)
