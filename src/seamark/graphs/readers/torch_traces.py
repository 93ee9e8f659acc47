"""What the traces of torch's add_graph leave out: the sizes of weights, and names of operations.

A trace states the shapes of what operations return, and none of the weights that they take. Those of linear layers,
norms and convolutions follow from the shapes beside them; of the others only that they exist is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from seamark.graphs.form import Graph, Shape
from seamark.graphs.grouping import TYPE_AND_NAME
from seamark.graphs.known_outputs import with_outputs
from seamark.graphs.tensors import element_count

WEIGHT_OP = "prim::GetAttr"
# Averages that a module stores and does not train.
BUFFERS = frozenset({"running_mean", "running_var", "num_batches_tracked"})
_ATTRIBUTE_NAME = re.compile(r"\bname\b\W*(\w+)")
_VALUE = re.compile(r"\bvalue\b\W*?(-?\d+)\b")
# torch numbers values that the program gives no name: "2350", "input.3".
_NO_NAME = re.compile(r"\d+|input(\.\d+)?")
_CONVOLUTION_INPUTS = {"stride": 3, "padding": 4, "dilation": 5, "groups": 8}
_OPERATION = re.compile(r"aten::_*(\w+)")


def complete_trace(graph: Graph) -> Graph:
    """The graph as it is, unless it is a trace of torch."""
    if WEIGHT_OP not in graph.nodes.op_names:
        return graph
    return _Trace(_with_names(graph)).build()


def settings_of(graph: Graph, node: int) -> dict[str, list[int]]:
    """What a convolution of a trace takes as constants: its stride, padding, dilation and groups."""
    if WEIGHT_OP not in graph.nodes.op_names or "convolution" not in graph.op(node):
        return {}
    trace = _Trace(graph)
    try:
        return {name: trace.numbers(node, at) for name, at in _CONVOLUTION_INPUTS.items()}
    except _NotStatedError:
        return {}


def _with_names(graph: Graph) -> Graph:
    """Names nodes that have a number alone by their operation, as torch.export does: "slice", "slice_1"."""
    nodes = graph.nodes
    taken = set(zip(nodes.groups.tolist(), nodes.labels, strict=True))
    labels, last_number = list(nodes.labels), dict[tuple[int, str], int]()
    for node, label in enumerate(labels):
        match = _OPERATION.fullmatch(graph.op(node)) if _NO_NAME.fullmatch(label) else None
        if match is None:
            continue
        group, name = int(nodes.groups[node]), match[1]
        number = last_number.get((group, name), -1) + 1
        while (group, wanted := f"{name}_{number}" if number else name) in taken:
            number += 1
        last_number[group, name] = number
        taken.add((group, wanted))
        labels[node] = wanted
    return replace(graph, nodes=replace(nodes, labels=labels))


class _Trace:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        nodes, edges = graph.nodes, graph.edges
        self._parameters, self._is_unknown = nodes.parameters.copy(), nodes.has_unknown_parameters.copy()
        self._groups, self._labels = nodes.groups.copy(), list(nodes.labels)
        self._layers = list(graph.groups.layers)
        self._starts = np.searchsorted(edges.targets, np.arange(len(nodes) + 1))

    def build(self) -> Graph:
        graph = self._graph
        outputs: dict[int, list[tuple[str, Shape | None]]] = {}
        seen: set[tuple[str, str]] = set()
        for node, edge in self._weights().items():
            name = self._name(node)
            target = int(graph.edges.targets[edge])
            self._move(node, name, target)
            if name in BUFFERS:
                continue
            shape = self._shape(edge)
            # A module that is called twice reads its weights twice.
            key = (graph.nodes.ids[node].rpartition("/")[0], name)
            if key not in seen:
                count = element_count(shape)
                self._parameters[node], self._is_unknown[node] = count or 0, count is None
            seen.add(key)
            if shape is not None:
                outputs[node] = [("", shape)]
        nodes = replace(
            graph.nodes,
            parameters=self._parameters,
            trainable_parameters=self._parameters,
            has_unknown_parameters=self._is_unknown,
            groups=self._groups,
            labels=self._labels,
        )
        self._name_layers_inside()
        groups = replace(graph.groups, layers=self._layers, labels=self._group_labels())
        return with_outputs(replace(graph, nodes=nodes, groups=groups), outputs)

    def _weights(self) -> Mapping[int, int]:
        """Nodes that read a weight, not a module, with the first edge to what uses it."""
        graph = self._graph
        is_read = graph.nodes.ops == graph.nodes.op_names.index(WEIGHT_OP)
        used = np.flatnonzero(is_read[graph.edges.sources] & ~is_read[graph.edges.targets])
        return {int(graph.edges.sources[edge]): int(edge) for edge in used[::-1]}

    def _name(self, node: int) -> str:
        match = _ATTRIBUTE_NAME.search(str(self._graph.nodes.attributes.of(node)))
        return match[1] if match else self._graph.nodes.labels[node]

    def _move(self, node: int, name: str, target: int) -> None:
        """A weight stands beside what uses it. Its path names the layer in full, which that of the operation may not:
        the calls of a ModuleList leave its name out."""
        group = int(self._graph.nodes.groups[target])
        path = self._graph.nodes.ids[node].split("/")[:-1]
        modules = path[:-1] if path[-1:] == [name] else path
        self._groups[node], self._labels[node] = group, name
        ids, parents = self._graph.groups.ids, self._graph.groups.parents
        while group > 0 and modules and ids[group].rstrip("/").rpartition("/")[2] == modules[-1]:
            names = [match[2] for part in modules[1:] if (match := TYPE_AND_NAME.fullmatch(part))]
            if len(names) == len(modules) - 1:
                self._layers[group] = ".".join(names)
            group, modules = int(parents[group]), modules[:-1]

    def _name_layers_inside(self) -> None:
        """Layers without weights, such as activations, are named after the layer around them."""
        before, parents = self._graph.groups.layers, self._graph.groups.parents.tolist()
        for group, name in enumerate(before):
            above = before[parents[group]] if group else ""
            if above and self._layers[group] == name and name.startswith(f"{above}."):
                self._layers[group] = self._layers[parents[group]] + name.removeprefix(above)

    def _group_labels(self) -> list[str]:
        """A number alone says nothing: the block 5 of h is "h.5"."""
        labels = self._graph.groups.labels
        named = zip(labels, self._layers, strict=True)
        return [".".join(layer.split(".")[-2:]) if label.isdecimal() else label for label, layer in named]

    def _shape(self, edge: int) -> Shape | None:
        """Of a weight, from what uses it; None if that does not tell."""
        target = int(self._graph.edges.targets[edge])
        match = _OPERATION.fullmatch(self._graph.op(target))
        rule = _SHAPES.get((match[1], edge - int(self._starts[target]))) if match else None
        try:
            return rule(self, target) if rule else None
        except _NotStatedError:
            return None

    def sizes(self, node: int, at: int | None = None) -> Shape:
        """The shape of the output, or of an input. Raises _NotStatedError."""
        graph = self._graph
        if at is None:
            shape = graph.output(node, 0).shape
        else:
            source = self._source(node, at)
            shape = graph.output(source, int(graph.edges.source_outputs[self._starts[node] + at])).shape
        if not shape or min(shape) < 0:
            raise _NotStatedError
        return shape

    def numbers(self, node: int, at: int) -> list[int]:
        """The numbers of an input that is a constant or a list of constants."""
        source = self._source(node, at)
        if self._graph.op(source) == "prim::ListConstruct":
            count = int(self._starts[source + 1] - self._starts[source])
            return [number for at in range(count) for number in self.numbers(source, at)]
        match = _VALUE.search(str(self._graph.nodes.attributes.of(source)))
        if match is None or self._graph.op(source) != "prim::Constant":
            raise _NotStatedError
        return [int(match[1])]

    def _source(self, node: int, at: int) -> int:
        edge = int(self._starts[node]) + at
        if edge >= self._starts[node + 1]:
            raise _NotStatedError
        return int(self._graph.edges.sources[edge])


class _NotStatedError(Exception):
    """The trace does not state what a rule needs."""


def _matrix(trace: _Trace, node: int) -> Shape:
    return trace.sizes(node)[-1], trace.sizes(node, 0)[-1]


def _last_of_output(trace: _Trace, node: int) -> Shape:
    return trace.sizes(node)[-1:]


def _channels(trace: _Trace, node: int) -> Shape:
    return trace.sizes(node)[1:2]


def _normalized(trace: _Trace, node: int) -> Shape:
    return tuple(trace.numbers(node, 1))


def _kernel(trace: _Trace, node: int) -> Shape:
    """Where a convolution moves by one, the sizes of its input and output tell that of the kernel."""
    taken, made = trace.sizes(node, 0), trace.sizes(node)
    stride, padding, dilation = (trace.numbers(node, at) for at in (3, 4, 5))
    if set(stride) != {1} or trace.numbers(node, 6) != [0]:  # or it is transposed
        raise _NotStatedError
    groups = trace.numbers(node, 8)[0]
    sizes = zip(taken[2:], made[2:], padding, dilation, strict=True)
    kernel = tuple((before + 2 * pad - after) // step + 1 for before, after, pad, step in sizes)
    return made[1], taken[1] // groups, *kernel


def _rules() -> dict[tuple[str, int], Callable[[_Trace, int], Shape]]:
    found: dict[tuple[str, int], Callable[[_Trace, int], Shape]] = {
        ("linear", 1): _matrix,
        ("linear", 2): _last_of_output,
        ("layer_norm", 2): _normalized,
        ("layer_norm", 3): _normalized,
        ("rms_norm", 2): _normalized,
        ("convolution", 1): _kernel,
        ("convolution", 2): _channels,
    }
    for name, first in (("batch_norm", 1), ("instance_norm", 1), ("group_norm", 2)):
        found |= {(name, at): _channels for at in (first, first + 1)}
    return found


_SHAPES = _rules()
