"""The layers table: the modules of a model with their parameters, costs and output shapes, as torchinfo prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.costs import Costs
from seamark.graphs.form import ROOT, Graph, IntColumn, Nodes
from seamark.graphs.layer_names import layer_of_group, layer_of_node
from seamark.graphs.levels.folds import kinds_of_nodes
from seamark.graphs.levels.hierarchy import Hierarchy
from seamark.graphs.texts import shape_text

# Nodes that hold values and compute nothing, besides those of the kinds below.
WEIGHT_OPS = frozenset({
    "Input", "InputLayer", "Output", "Placeholder", "IO Node", "_Arg", "_Retval", "VariableV2", "Variable",
    "VarHandleOp",
})  # fmt: skip
WEIGHT_KINDS = ("prim", "parameters", "constants", "identities", "shapes")
# What trains or saves the model is no layer of it.
TRAINING_KINDS = ("initial", "gradients", "optimizer", "saving")
# Their outputs are views of their inputs, so they take no memory.
VIEW_OPS = frozenset({
    "view", "reshape", "transpose", "permute", "t", "expand", "slice", "select", "squeeze", "unsqueeze", "chunk",
    "split", "split_with_sizes", "unbind", "detach", "alias", "flatten", "numpy_T", "getitem", "unflatten",
    "Reshape", "Identity", "Squeeze", "Unsqueeze", "Flatten", "ExpandDims", "StopGradient", "expand_as", "narrow",
    "Dropout", "InputLayer",
})  # fmt: skip
_NUMBER_IN_NAME = re.compile(r"(?:^|(?<=[./]))\d+(?=$|[./])")
_ATEN_NAME = re.compile(r"(?:aten(?:\.|::))?(\w+?)(?:\.\w+)?")


class Totals(NamedTuple):
    parameters: float | None  # None: not known
    trainable_parameters: float
    has_unknown_parameters: bool  # there are more
    multiply_adds: float | None
    activation_bytes: float | None
    time: float | None
    is_per_example: bool  # the size of the batch is not known: multiply-adds and bytes are those of one example
    is_partial: bool  # operations with multiply-adds have unknown shapes: there are more


@dataclass(frozen=True, slots=True)
class LayersTable:
    """One row for each layer, in the order of the model. A layer's numbers include those of the layers inside it."""

    totals: Totals
    ids: list[str] = field(default_factory=list)  # of a group or of a node
    names: list[str] = field(default_factory=list)  # "h.5.attn.c_proj"
    ops: list[str] = field(default_factory=list)  # the class of the module, or the op
    shapes: list[str] = field(default_factory=list)  # of the first output; "" if it is not known
    parameters: list[float | None] = field(default_factory=list)
    trainable_parameters: list[float] = field(default_factory=list)
    multiply_adds: list[float | None] = field(default_factory=list)
    activation_bytes: list[float | None] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)
    # Columns of numbers of which some are not known: the number is a part, or None.
    has_unknown_parameters: list[bool] = field(default_factory=list)
    has_unknown_multiply_adds: list[bool] = field(default_factory=list)
    has_unknown_bytes: list[bool] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    # The first layer of equal content, op, shape, and name but for numbers: that of h.5.attn is h.0.attn.
    first_equal: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)


def layers_table(graph: Graph, costs: Costs, times: NDArray[np.float64] | None = None) -> LayersTable:
    """`times` is a column by node, with NaN where nothing is known."""
    return _Builder(graph, costs, times).build()


class _Row(NamedTuple):
    is_group: bool
    at: int
    depth: int


class _Builder:
    def __init__(self, graph: Graph, costs: Costs, times: NDArray[np.float64] | None) -> None:
        self._graph, self._costs = graph, costs
        self._hierarchy = Hierarchy(graph)
        ops = graph.nodes.ops
        kinds = kinds_of_nodes(graph)
        self._is_training = _any_mask(kinds, TRAINING_KINDS, len(graph.nodes))
        is_weight = np.isin(ops, [at for at, name in enumerate(graph.nodes.op_names) if name in WEIGHT_OPS])
        self._is_weight = is_weight | self._is_training | _any_mask(kinds, WEIGHT_KINDS, len(graph.nodes))
        is_view = np.isin(ops, [at for at, name in enumerate(graph.nodes.op_names) if _base_name(name) in VIEW_OPS])
        self._multiply_adds = np.where(self._is_training, 0.0, costs.multiply_adds)
        self._bytes = np.where(self._is_weight | is_view, 0.0, costs.output_bytes)
        self._models = self._model_groups()
        self._times = np.full(len(graph.nodes), np.nan) if times is None else times

    def build(self) -> LayersTable:
        nodes = self._graph.nodes
        parameters, trainable = known_parameters(nodes), nodes.trainable_parameters
        table = LayersTable(
            Totals(
                parameters=_total(parameters),
                trainable_parameters=int(trainable.sum()),
                has_unknown_parameters=bool(nodes.has_unknown_parameters.any()),
                multiply_adds=_total(self._multiply_adds),
                activation_bytes=_total(self._bytes),
                time=_total(self._times) if len(self._times) else None,
                is_per_example=self._is_per_example(),
                is_partial=bool(np.isnan(self._multiply_adds).any()),
            )
        )
        rows = list(self._rows())
        self._add_names(table, rows)
        table.parameters.extend(self._values(parameters, rows))
        table.trainable_parameters.extend(value or 0 for value in self._values(trainable.astype(np.float64), rows))
        table.multiply_adds.extend(self._values(self._multiply_adds, rows))
        table.activation_bytes.extend(self._values(self._bytes, rows))
        table.times.extend(self._values(self._times, rows))
        table.has_unknown_parameters.extend(self._has_unknown(parameters, rows))
        table.has_unknown_multiply_adds.extend(self._has_unknown(self._multiply_adds, rows))
        table.has_unknown_bytes.extend(self._has_unknown(self._bytes, rows))
        return table

    def _is_per_example(self) -> bool:
        """Whether the batch is open where multiply-adds are, or where bytes are if there are none."""
        has_multiply_adds = np.nan_to_num(self._multiply_adds) > 0
        counted = has_multiply_adds if has_multiply_adds.any() else np.nan_to_num(self._bytes) > 0
        return bool((counted & self._costs.is_per_example).any())

    def _rows(self) -> Iterator[_Row]:
        """The layers in preorder, children in the order in which they run."""
        is_layer = self._is_layer_group()
        is_layer_node = self._is_layer_node(is_layer)
        first = self._first_nodes()
        stack = [_Row(True, ROOT, 0)]
        while stack:
            row = stack.pop()
            is_shown = row.at != ROOT and is_layer[row.at] if row.is_group else True
            if is_shown:
                yield row
            if row.is_group:
                depth = row.depth + bool(is_shown)
                groups = [_Row(True, group, depth) for group in self._hierarchy.groups_in(row.at).tolist()]
                nodes = self._hierarchy.nodes_in(row.at)
                found = [*groups, *(_Row(False, node, depth) for node in nodes[is_layer_node[nodes]].tolist())]
                found.sort(key=lambda one: first[one.at] if one.is_group else one.at)
                stack.extend(reversed(found))

    def _first_nodes(self) -> list[int]:
        """By group: the first node that computes something. Sources list weights before everything else."""
        graph = self._graph
        first = np.full(len(graph.groups), len(graph.nodes), np.int64)
        computing = np.flatnonzero(~self._is_weight)
        np.minimum.at(first, graph.nodes.groups[computing], computing)
        for group in range(len(first) - 1, 0, -1):
            parent = graph.groups.parents[group]
            first[parent] = min(first[parent], first[group])
        return first.tolist()

    def _model_groups(self) -> set[int]:
        """Outermost groups that hold modules: the model itself, which has no name in torch's GraphDefs."""
        groups = self._graph.groups
        holds = {int(parent) for parent, layer in zip(groups.parents, groups.layers, strict=True) if layer}
        return {group for group in holds if groups.parents[group] == ROOT and not groups.layers[group]}

    def _is_layer_group(self) -> NDArray[np.bool_]:
        """Modules with a class or a name, and groups that own parameters or multiply-adds themselves."""
        graph = self._graph
        names = zip(graph.groups.types, graph.groups.layers, strict=True)
        has_type = np.array([bool(type or layer) for type, layer in names], bool)
        has_type[list(self._models)] = True
        # torch's tracing lists the weights of modules in groups of their own, without saying how large they are.
        has_type &= self._hierarchy.sums(~self._is_weight | (graph.nodes.parameters > 0)) > 0
        if graph.format == "keras":
            return has_type
        owners, is_model = self._owners(), ~self._is_training
        has_parameters = _has_any(owners[is_model & (graph.nodes.parameters > 0)], len(graph.groups))
        has_costs = _has_any(owners[is_model & (np.nan_to_num(self._multiply_adds) > 0)], len(graph.groups))
        # TensorFlow nests the operation: the weights are in conv2d, the product in conv2d/convolution.
        found: NDArray[np.bool_] = has_type | has_parameters | (has_costs & ~has_parameters[graph.groups.parents])
        return found

    def _owners(self) -> IntColumn:
        """By node: its group. TensorFlow makes a group of a node, such as a variable, for the nodes inside its name:
        the weights of dense/MatMul/ReadVariableOp are those of dense."""
        graph = self._graph
        groups, ids = graph.groups, set(graph.nodes.ids)
        owner = np.arange(len(groups), dtype=np.int32)
        for group in range(1, len(groups)):
            if groups.ids[group][:-1] in ids:
                owner[group] = owner[groups.parents[group]]
        found: IntColumn = owner[graph.nodes.groups]
        return found

    def _is_layer_node(self, is_layer: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """All layers of Keras; elsewhere what has multiply-adds and is in no layer, or beside the layers inside one,
        such as the attention of a module whose projections are layers."""
        graph = self._graph
        if graph.format == "keras":
            return np.ones(len(graph.nodes), bool)
        holds_layers = self._has_layers_inside(is_layer)
        found: NDArray[np.bool_] = (np.nan_to_num(self._multiply_adds) > 0) & holds_layers[self._owners()]
        return found

    def _has_layers_inside(self, is_layer: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """By group: whether the innermost layer around it, or the whole graph if there is none, contains layers."""
        groups = self._graph.groups
        layer_around = np.zeros(len(groups), np.int32)
        contains = np.zeros(len(groups), bool)
        contains[ROOT] = True
        for group in range(1, len(groups)):
            above = layer_around[groups.parents[group]]
            layer_around[group] = group if is_layer[group] else above
            contains[above] |= is_layer[group]
        found: NDArray[np.bool_] = contains[layer_around]
        return found

    def _add_names(self, table: LayersTable, rows: list[_Row]) -> None:
        graph, last = self._graph, self._last_nodes()
        first_of: dict[tuple[bool, int, str, str, str], int] = {}
        group_structures, node_structures = self._hierarchy.group_structures, self._hierarchy.node_structures
        for row in rows:
            at = row.at
            node = int(last[at]) if row.is_group else at
            table.ids.append(graph.groups.ids[at] if row.is_group else graph.nodes.ids[at])
            table.names.append(layer_of_group(graph, at) if row.is_group else self._node_name(at))
            table.ops.append(self._group_type(at) if row.is_group else graph.op(at))
            table.shapes.append(shape_text(graph.output(node, 0).shape) if node >= 0 else "")
            table.depths.append(row.depth)
            structure = group_structures[at] if row.is_group else node_structures[at]
            pattern = _NUMBER_IN_NAME.sub("*", table.names[-1])
            key = (row.is_group, int(structure), table.ops[-1], table.shapes[-1], pattern)
            table.first_equal.append(first_of.setdefault(key, len(table.first_equal)))

    def _group_type(self, group: int) -> str:
        groups = self._graph.groups
        return groups.types[group] or (groups.labels[group] if group in self._models else "")

    def _node_name(self, node: int) -> str:
        graph = self._graph
        group = int(graph.nodes.groups[node])
        if graph.format == "keras":
            return layer_of_node(graph, node)
        if group == ROOT:
            return graph.nodes.labels[node]
        # The labels of a trace are numbered through the model, and equal blocks would have different names.
        return f"{layer_of_group(graph, group)}{'.' if graph.groups.layers[group] else '/'}{_base_name(graph.op(node))}"

    def _last_nodes(self) -> IntColumn:
        """By group: the last node whose output leaves the group, or else the last of all; -1 if there is none."""
        graph = self._graph
        ends, parents = graph.groups.ends, graph.groups.parents
        leaving = np.full(len(graph.groups), -1, np.int32)
        edges = graph.edges
        is_used = ~edges.is_control & ~self._is_weight[edges.sources]
        sources, targets = edges.sources[is_used], edges.targets[is_used]
        group, inside = graph.nodes.groups[sources], graph.nodes.groups[targets]
        while len(group):
            is_leaving = (inside < group) | (inside >= ends[group])
            sources, group, inside = sources[is_leaving], group[is_leaving], inside[is_leaving]
            np.maximum.at(leaving, group, sources)
            group = parents[group]
        own = np.full(len(graph.groups), -1, np.int32)
        computing = np.flatnonzero(~self._is_weight).astype(np.int32)
        np.maximum.at(own, graph.nodes.groups[computing], computing)
        for at in range(len(own) - 1, 0, -1):
            own[parents[at]] = max(own[parents[at]], own[at])
        return np.where(leaving >= 0, leaving, own)

    def _values(self, column: NDArray[np.float64], rows: list[_Row]) -> list[float | None]:
        """The sum below each group and the value of each node; None where nothing is known but zeros."""
        unknown = np.isnan(column)
        sums, counts = self._hierarchy.sums(np.where(unknown, 0.0, column)), self._hierarchy.sums(unknown)
        found: list[float | None] = []
        for row in rows:
            total, count = (sums[row.at], counts[row.at]) if row.is_group else (column[row.at], unknown[row.at])
            found.append(None if count and not total > 0 else float(total))
        return found

    def _has_unknown(self, column: NDArray[np.float64], rows: list[_Row]) -> Iterator[bool]:
        unknown = np.isnan(column)
        below = self._hierarchy.sums(unknown)
        for row in rows:
            yield bool(below[row.at] if row.is_group else unknown[row.at])


def known_parameters(nodes: Nodes) -> NDArray[np.float64]:
    """By node: its parameters; NaN if they are not known."""
    return np.where(nodes.has_unknown_parameters, np.nan, nodes.parameters)


def _has_any(groups: IntColumn, count: int) -> NDArray[np.bool_]:
    found = np.zeros(count, bool)
    found[groups] = True
    return found


def _any_mask(kinds: Mapping[str, NDArray[np.bool_]], names: Iterable[str], count: int) -> NDArray[np.bool_]:
    found = np.zeros(count, bool)
    for name in names:
        if name in kinds:
            found |= kinds[name]
    return found


def _total(column: NDArray[np.float64]) -> float | None:
    total = float(np.nansum(column))
    return None if total == 0 and np.isnan(column).any() else total


def _base_name(op: str) -> str:
    """ "aten.view.default" and "aten::view" are "view"."""
    match = _ATEN_NAME.fullmatch(op)
    return match[1] if match else op
