"""Details of one box: what goes in and out, its weights and its attributes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.attributes import AttributeValue
from seamark.graphs.form import Graph, IntColumn, TensorType
from seamark.graphs.levels.series import Item
from seamark.graphs.readers.keras.weights import stored_weights
from seamark.graphs.readers.torch_traces import settings_of
from seamark.graphs.session import GraphSession

# A group with more inputs or outputs lists the first ones.
MAX_LINKS = 100
MAX_OPS = 20
TRACE_CONSTANT = "prim::Constant"


@dataclass(frozen=True, slots=True)
class Link:
    """A node at the other end of an edge, and the tensor on it."""

    node: int
    tensor: TensorType
    is_control: bool
    count: int  # edges


@dataclass(frozen=True, slots=True)
class Weight:
    node: int
    label: str
    tensor: TensorType
    count: int | None  # None: not known
    is_trainable: bool


def inputs_of(session: GraphSession, nodes: IntColumn) -> tuple[list[Link], int]:
    """What nodes outside give to these nodes, and how many nodes give something."""
    edges = session.graph.edges
    inside = _mask(session.graph, nodes)
    crossing = np.flatnonzero(inside[edges.targets] & ~inside[edges.sources] & ~_from_constants(session.graph))
    return _links(session.graph, crossing, edges.sources)


def outputs_of(session: GraphSession, nodes: IntColumn) -> tuple[list[Link], int]:
    """Which nodes outside take something from these nodes, and how many do."""
    edges = session.graph.edges
    inside = _mask(session.graph, nodes)
    is_shared = _from_constants(session.graph) if len(nodes) > 1 else False
    crossing = np.flatnonzero(inside[edges.sources] & ~inside[edges.targets] & ~np.asarray(is_shared))
    return _links(session.graph, crossing, edges.targets)


def weights_of(session: GraphSession, items: tuple[Item, ...]) -> list[Weight]:
    """The weights directly in a group, those that a node takes, or those that a node is."""
    graph = session.graph
    found = [node for item in items for node in _weight_nodes(session, item)]
    nodes = graph.nodes
    holding = [
        node for node in dict.fromkeys(found) if nodes.parameters[node] > 0 or nodes.has_unknown_parameters[node]
    ]
    if graph.format == "keras":
        is_one = len(items) == 1 and not items[0].is_group
        weights = [weight for node in holding[:MAX_LINKS] for weight in _weights_of_layer(graph, node, is_one=is_one)]
    else:
        weights = [_weight_of_node(graph, node, graph.output(node, 0)) for node in holding[:MAX_LINKS]]
    return weights[:MAX_LINKS]


def _weight_of_node(graph: Graph, node: int, tensor: TensorType) -> Weight:
    nodes = graph.nodes
    count = None if nodes.has_unknown_parameters[node] else int(nodes.parameters[node])
    is_trainable = bool(nodes.trainable_parameters[node] > 0 or nodes.parameters[node] == 0)
    return Weight(node, nodes.labels[node], tensor, count, is_trainable)


def _weights_of_layer(graph: Graph, node: int, *, is_one: bool) -> list[Weight]:
    """A node of Keras is a layer, which has several weights."""
    above = "" if is_one else f"{graph.nodes.labels[node]}/"
    found = stored_weights(graph.nodes.attributes.of(node))
    weights = [Weight(node, above + one.name, TensorType("", one.shape), one.size, one.is_trainable) for one in found]
    return weights or [_weight_of_node(graph, node, TensorType())]


def op_counts(session: GraphSession, nodes: IntColumn) -> list[tuple[str, int]]:
    """How many nodes of each op there are, most first."""
    ops, counts = np.unique(session.graph.nodes.ops[nodes], return_counts=True)
    pairs = [(session.graph.nodes.op_names[op], int(count)) for op, count in zip(ops, counts, strict=True)]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:MAX_OPS]


def source_of(session: GraphSession, nodes: IntColumn) -> tuple[str, str]:
    """The source line of the first node that has one, and its code if the graph has it."""
    found = session.graph.nodes
    node = next((node for node in nodes.tolist() if node in found.sources), None)
    return ("", "") if node is None else (found.sources[node], str(found.attributes.of(node).get("code", "")))


def own_operation(session: GraphSession, item: Item) -> int | None:
    """The node of a box, or the one operation of a layer such as a convolution; None for groups of several."""
    if not item.is_group:
        return item.index
    kinds = session.levels.kinds
    nodes = session.levels.nodes_of((item,))
    computing = [node for node in nodes.tolist() if not any(mask[node] for mask in kinds.values())]
    return computing[0] if len(computing) == 1 and session.graph.groups.types[item.index] else None


def stated_sizes(session: GraphSession, item: Item, node: int | None) -> dict[str, AttributeValue]:
    """What weights and constants say of a layer that is one operation. The weights of torch are [out, in, *kernel]."""
    if node is None:
        return {}
    settings = settings_of(session.graph, node)
    if not item.is_group:
        return settings
    weights = weights_of(session, (item,))
    shapes = {weight.label: weight.tensor.shape for weight in weights}
    shape = shapes.get("weight")
    is_conv = "conv" in session.graph.op(node).lower()
    if not shape or min(shape) < 0 or len(shape) < (3 if is_conv else 2) or "embedding" in session.graph.op(node):
        return settings
    found: dict[str, AttributeValue] = {"weight": list(shape), **settings}
    return found | {"kernel": list(shape[2:])} if is_conv else found


def _weight_nodes(session: GraphSession, item: Item) -> Iterator[int]:
    if item.is_group:
        yield from session.levels.hierarchy.nodes_in(item.index).tolist()
        return
    yield item.index
    if session.graph.format == "keras":
        return  # what comes before is another layer
    edges = session.graph.edges
    first, last = np.searchsorted(edges.targets, [item.index, item.index + 1])
    yield from edges.sources[first:last].tolist()


def _from_constants(graph: Graph) -> NDArray[np.bool_]:
    """By edge: whether it leads from a constant of a trace. Modules share them, wherever they stand."""
    is_constant = np.array([name == TRACE_CONSTANT for name in graph.nodes.op_names], bool)
    found: NDArray[np.bool_] = is_constant[graph.nodes.ops][graph.edges.sources]
    return found


def _mask(graph: Graph, nodes: IntColumn) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    inside = np.zeros(len(graph.nodes), bool)
    inside[nodes] = True
    return inside


def _links(
    graph: Graph, crossing: np.ndarray[tuple[int], np.dtype[np.intp]], ends: IntColumn
) -> tuple[list[Link], int]:
    edges = graph.edges
    found: dict[tuple[int, TensorType, bool], int] = {}
    for edge in crossing.tolist():
        end, is_control = int(ends[edge]), bool(edges.is_control[edge])
        tensor = TensorType() if is_control else graph.output(int(edges.sources[edge]), int(edges.source_outputs[edge]))
        found[end, tensor, is_control] = found.get((end, tensor, is_control), 0) + 1
    links = [Link(end, tensor, is_control, count) for (end, tensor, is_control), count in found.items()]
    return links[:MAX_LINKS], len(links)
