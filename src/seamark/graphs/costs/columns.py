"""Costs of nodes: multiply-adds and the bytes of the outputs, as columns.

Where the first size of a shape is not known, it is taken as 1: the batch is left open, and the costs are those of
one example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.costs.keras_rules import KERAS_RULES
from seamark.graphs.costs.rules import ONNX_RULES, OTHER_RULES, TORCH_RULES, Call, Rule, UnknownShapeError
from seamark.graphs.form import UNKNOWN_SIZE, Graph, IntColumn, Shape
from seamark.graphs.levels.hierarchy import DTYPE_BYTES

# Rules that look only at shapes look at so many inputs.
MAX_INPUTS = 4
_ATEN = re.compile(r"aten(?:\.|::)(\w+?)(?:\.\w*)?")
_LAST_VERSION = re.compile(r"V\d+$")


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    multiply_adds: NDArray[np.float64]  # by node; NaN if they are not known
    output_bytes: NDArray[np.float64]  # by node; NaN if the size of an output is not known
    is_per_example: NDArray[np.bool_]  # by node: the batch of an output is open, and taken as 1


def costs_of(graph: Graph) -> Costs:
    shapes = [_one_example(shape) for shape in graph.shapes]
    is_open = np.array([shape is not None and shape[:1] == (UNKNOWN_SIZE,) for shape in graph.shapes], np.bool_)
    return Costs(
        multiply_adds=_Counter(graph, shapes).count(),
        output_bytes=_output_bytes(graph, shapes),
        is_per_example=_sums_by_node(is_open[graph.nodes.output_shapes], graph.nodes.output_starts) > 0,
    )


def rule_of(op: str, format: str) -> Rule | None:
    """None for an operation that takes no multiply-adds."""
    match = _ATEN.fullmatch(op)
    if match:
        return TORCH_RULES.get(match[1])
    if format == "keras":
        return KERAS_RULES.get(op)
    return ONNX_RULES.get(op) if format == "onnx" else OTHER_RULES.get(_LAST_VERSION.sub("", op))


def _one_example(shape: Shape | None) -> Shape | None:
    if not shape:
        return shape
    rest = shape[1:]
    if UNKNOWN_SIZE in rest:
        return None
    return (1, *rest) if shape[0] == UNKNOWN_SIZE else shape


def _output_bytes(graph: Graph, shapes: list[Shape | None]) -> NDArray[np.float64]:
    nodes = graph.nodes
    counts = np.array([np.nan if shape is None else np.prod(np.array(shape, np.float64)) for shape in shapes])
    sizes = np.array(
        [DTYPE_BYTES.get(name, 1.0 if name.startswith("float8") else np.nan) for name in graph.dtypes], np.float64
    )
    found = counts[nodes.output_shapes] * sizes[nodes.output_dtypes]
    # NaN in one node must not reach the others through the running sum.
    is_unknown = np.isnan(found)
    total, unknown = (
        _sums_by_node(column, nodes.output_starts) for column in (np.where(is_unknown, 0, found), is_unknown)
    )
    return np.where(unknown > 0, np.nan, total)


def _sums_by_node(values: NDArray[np.generic], starts: IntColumn) -> NDArray[np.float64]:
    before = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    found: NDArray[np.float64] = before[starts[1:]] - before[starts[:-1]]
    return found


class _Counter:
    def __init__(self, graph: Graph, shapes: list[Shape | None]) -> None:
        self._graph, self._shapes = graph, shapes
        edges = graph.edges
        is_data = ~edges.is_control
        self._sources, self._outputs = edges.sources[is_data], edges.source_outputs[is_data]
        count = np.bincount(edges.targets[is_data], minlength=len(graph.nodes))
        self._starts = np.concatenate(([0], np.cumsum(count)))

    def count(self) -> NDArray[np.float64]:
        graph = self._graph
        found = np.zeros(len(graph.nodes), np.float64)
        for op, name in enumerate(graph.nodes.op_names):
            rule = rule_of(name, graph.format)
            if rule is not None:
                nodes = np.flatnonzero(graph.nodes.ops == op)
                found[nodes] = self._count_by_node(rule, nodes) if rule.has_all_inputs else self._count(rule, nodes)
        return found

    def _count(self, rule: Rule, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Nodes with equal shapes, of which a model has many, are counted once."""
        columns = [self._input_shapes(nodes, at) for at in range(MAX_INPUTS)]
        inputs = np.minimum(self._starts[nodes + 1] - self._starts[nodes], MAX_INPUTS)
        columns += [self._output_shapes(nodes, np.zeros(len(nodes), np.int64)), inputs]
        if rule.has_attributes:
            attributes = self._graph.nodes.attributes
            known: dict[bytes, int] = {}
            starts = attributes.starts
            texts = (attributes.data[int(starts[node]) : int(starts[node + 1])] for node in nodes)
            columns.append(np.array([known.setdefault(text, len(known)) for text in texts]))
        distinct, first, inverse = np.unique(np.stack(columns), axis=1, return_index=True, return_inverse=True)
        counts = []
        for column, node in zip(distinct.T.tolist(), nodes[first].tolist(), strict=True):
            shapes = [self._shape(at) for at in column[: column[MAX_INPUTS + 1]]]
            counts.append(self._apply(rule, node, shapes, self._shape(column[MAX_INPUTS])))
        return np.array(counts)[inverse.reshape(-1)]

    def _count_by_node(self, rule: Rule, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        outputs = self._output_shapes(nodes, np.zeros(len(nodes), np.int64)).tolist()
        found = []
        for node, output in zip(nodes.tolist(), outputs, strict=True):
            found.append(self._apply(rule, node, list(self._all_inputs(node)), self._shape(output)))
        return np.array(found, np.float64)

    def _apply(self, rule: Rule, node: int, inputs: list[Shape | None], output: Shape | None) -> float:
        attributes = self._graph.nodes.attributes.of(node) if rule.has_attributes else {}
        try:
            count = rule.count(Call(inputs, output, attributes))
        except (UnknownShapeError, OverflowError, IndexError):
            return np.nan
        return count if isfinite(count) and count >= 0 else np.nan

    def _all_inputs(self, node: int) -> Iterator[Shape | None]:
        edges = slice(int(self._starts[node]), int(self._starts[node + 1]))
        for at in self._output_shapes(self._sources[edges], self._outputs[edges]).tolist():
            yield self._shape(at)

    def _input_shapes(self, nodes: NDArray[np.int64], at: int) -> NDArray[np.int64]:
        """By node: the shape of an input, as an index into Graph.shapes; -1 if it is not known."""
        edges = self._starts[nodes] + at
        exists = edges < self._starts[nodes + 1]
        found = np.full(len(nodes), -1, np.int64)
        found[exists] = self._output_shapes(self._sources[edges[exists]], self._outputs[edges[exists]])
        return found

    def _output_shapes(self, nodes: NDArray[np.integer], outputs: NDArray[np.integer]) -> NDArray[np.int64]:
        starts = self._graph.nodes.output_starts
        at = starts[nodes].astype(np.int64) + outputs
        exists = (outputs >= 0) & (at < starts[nodes + 1])
        found = np.full(len(nodes), -1, np.int64)
        found[exists] = self._graph.nodes.output_shapes[at[exists]]
        return found

    def _shape(self, at: int) -> Shape | None:
        return None if at < 0 else self._shapes[at]
