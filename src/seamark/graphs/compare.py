"""Compares two graphs. Nodes are matched by name, then by layer and op, then by their place among equal operations;
both graphs become one with a state by node."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, TensorType
from seamark.graphs.readers.keras.weights import WEIGHT_SHAPES
from seamark.graphs.texts import dtype_text, shape_text

State = Literal["same", "added", "removed", "changed"]
STATES: tuple[State, ...] = ("same", "added", "removed", "changed")
SAME, ADDED, REMOVED, CHANGED = range(4)
# Where a node comes from is not what it does, and the shapes of weights follow from the rest.
IGNORED_ATTRIBUTES = frozenset({"source", "code", "name", "module", WEIGHT_SHAPES})
# Aligning two sequences of operations takes the product of their lengths in the worst case.
MAX_ALIGNED = 4000
_ATEN = re.compile(r"(?:aten|prims?)(?:\.|::)_?(\w+?)(?:\.\w+)?")
MAX_WORDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    graph: Graph  # the nodes of the new graph, then those that were removed
    states: NDArray[np.int8]  # by node: an index into STATES
    differences: dict[int, str]  # changed node → what differs
    old: Graph
    new: Graph

    def count(self, state: int) -> int:
        return int((self.states == state).sum())


def compare(old: Graph, new: Graph) -> Comparison:
    old_of = match_nodes(old, new)
    inputs_old, inputs_new = _inputs(old), _inputs(new)
    states = np.full(len(new.nodes), SAME, np.int8)
    differences: dict[int, str] = {}
    for node in range(len(new.nodes)):
        before = old_of.get(node)
        if before is None:
            states[node] = ADDED
            continue
        words = [
            *_content_differences(old, before, new, node),
            *_input_differences(inputs_old.get(before, []), inputs_new.get(node, []), old_of, old, new),
        ]
        if words:
            states[node] = CHANGED
            differences[node] = "; ".join(words[:MAX_WORDS])
    kept = set(old_of.values())
    removed = [node for node in range(len(old.nodes)) if node not in kept]
    graph = _union(old, new, removed, {before: node for node, before in old_of.items()})
    all_states = np.concatenate([states, np.full(len(removed), REMOVED, np.int8)])
    return Comparison(graph, all_states, differences, old, new)


def match_nodes(old: Graph, new: Graph) -> dict[int, int]:
    """Node of the new graph → node of the old one."""
    index_old = {id: node for node, id in enumerate(old.nodes.ids)}
    found = {node: index_old[id] for node, id in enumerate(new.nodes.ids) if id in index_old}
    taken = set(found.values())
    # Names that are numbers of a trace (add_7) shift when one operation is inserted: match by layer, op and order.
    rest = _by_layer_and_op(old, (node for node in range(len(old.nodes)) if node not in taken))
    for key, nodes in _by_layer_and_op(new, (node for node in range(len(new.nodes)) if node not in found)).items():
        found.update(zip(nodes, rest.get(key, ()), strict=False))
    found.update(_aligned(old, new, found))
    return found


def _aligned(old: Graph, new: Graph, found: dict[int, int]) -> dict[int, int]:
    """The nodes that are left, by the longest common runs of operations: layers may all have other names."""
    taken = set(found.values())
    before = [node for node in range(len(old.nodes)) if node not in taken]
    now = [node for node in range(len(new.nodes)) if node not in found]
    if not 0 < len(before) <= MAX_ALIGNED or not 0 < len(now) <= MAX_ALIGNED:
        return {}
    old_ops, new_ops = ([base_op(graph.op(node)) for node in nodes] for graph, nodes in ((old, before), (new, now)))
    blocks = SequenceMatcher(None, new_ops, old_ops, autojunk=False).get_matching_blocks()
    return {now[block.a + at]: before[block.b + at] for block in blocks for at in range(block.size)}


def base_op(op: str) -> str:
    """ "aten.linear.default" and "aten::linear" are "linear"."""
    match = _ATEN.fullmatch(op)
    return match[1] if match else op


def _by_layer_and_op(graph: Graph, nodes: Iterable[int]) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for node in nodes:
        group = int(graph.nodes.groups[node])
        # The layer's name leaves out the class of the model, which may have been renamed.
        layer = graph.groups.layers[group] or graph.groups.ids[group]
        found.setdefault((layer, graph.op(node)), []).append(node)
    return found


def _content_differences(old: Graph, before: int, new: Graph, node: int) -> list[str]:
    words = []
    if base_op(old.op(before)) != base_op(new.op(node)):
        words.append(f"op {old.op(before)} → {new.op(node)}")
    outputs_old, outputs_new = old.outputs(before), new.outputs(node)
    if outputs_old != outputs_new:
        words.append(f"output {_tensors_text(outputs_old)} → {_tensors_text(outputs_new)}")
    attributes_old, attributes_new = old.nodes.attributes.of(before), new.nodes.attributes.of(node)
    if attributes_old != attributes_new:
        for name in sorted((attributes_old.keys() | attributes_new.keys()) - IGNORED_ATTRIBUTES):
            one, other = attributes_old.get(name), attributes_new.get(name)
            if one != other and not (outputs_old != outputs_new and name.startswith("_output_")):
                words.append(f"{name} {_short(one)} → {_short(other)}")
    was_trained, is_trained = (
        int(graph.nodes.trainable_parameters[at]) > 0 for graph, at in ((old, before), (new, node))
    )
    if was_trained != is_trained:
        words.append("now trained" if is_trained else "no longer trained")
    return words


def _input_differences(
    before: list[tuple[int, int]], now: list[tuple[int, int]], old_of: dict[int, int], old: Graph, new: Graph
) -> list[str]:
    known = [(old_of.get(source, -1), output) for source, output in now]
    if known == before:
        return []
    added = [new.nodes.labels[source] for (source, _), match in zip(now, known, strict=True) if match not in before]
    lost = [old.nodes.labels[source] for source, output in before if (source, output) not in known]
    words = ([f"new input {', '.join(added[:3])}"] if added else []) + (
        [f"lost input {', '.join(lost[:3])}"] if lost else []
    )
    return words or ["order of inputs"]


def _inputs(graph: Graph) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    edges = graph.edges
    columns = (edges.targets.tolist(), edges.sources.tolist(), edges.source_outputs.tolist())
    for target, source, output in zip(*columns, strict=True):
        found.setdefault(target, []).append((source, output))
    return found


def _union(old: Graph, new: Graph, removed: list[int], new_of: dict[int, int]) -> Graph:
    builder = GraphBuilder(new.title, new.format)
    for graph in (old, new):
        for group in range(1, len(graph.groups)):
            groups = graph.groups
            path = groups.ids[group].rstrip("/")
            builder.groups.describe(
                path, label=groups.labels[group], type=groups.types[group], layer=groups.layers[group]
            )
    for node in range(len(new.nodes)):
        _copy(builder, new, node)
    position = dict(new_of)
    for node in removed:
        position[node] = _copy(builder, old, node)
    for source, target, output, is_control in _edges(new):
        builder.add_edge(source, target, output=output, is_control=is_control)
    for source, target, output, is_control in _edges(old):
        if source not in new_of or target not in new_of:
            builder.add_edge(position[source], position[target], output=output, is_control=is_control)
    return builder.build()


def _edges(graph: Graph) -> Iterable[tuple[int, int, int, bool]]:
    edges = graph.edges
    return zip(
        edges.sources.tolist(),
        edges.targets.tolist(),
        edges.source_outputs.tolist(),
        edges.is_control.tolist(),
        strict=True,
    )


def _copy(builder: GraphBuilder, graph: Graph, node: int) -> int:
    nodes = graph.nodes
    return builder.add_node(
        nodes.ids[node],
        op=graph.op(node),
        namespace=graph.groups.ids[nodes.groups[node]].rstrip("/"),
        label=nodes.labels[node],
        attributes=nodes.attributes.of(node),
        outputs=graph.outputs(node),
        device=nodes.device_names[nodes.devices[node]],
        source=nodes.sources.get(node, ""),
        parameters=None if nodes.has_unknown_parameters[node] else int(nodes.parameters[node]),
        trainable_parameters=int(nodes.trainable_parameters[node]),
    )


def _tensors_text(tensors: list[TensorType]) -> str:
    return (
        ", ".join(f"{dtype_text(dtype)} {shape_text(shape)}".strip() or "unknown" for dtype, shape in tensors) or "none"
    )


def _short(value: object) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
