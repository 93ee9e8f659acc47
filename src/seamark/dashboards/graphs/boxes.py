"""Boxes by their ids, and the names of boxes and of the groups around them."""

from __future__ import annotations

from collections.abc import Iterable

from seamark.graphs.form import Graph, IntColumn
from seamark.graphs.layer_names import layer_of_group, layer_of_node
from seamark.graphs.levels.series import Item
from seamark.graphs.session import GraphSession
from seamark.plugin import not_found


def count_or_none(graph: Graph, nodes: IntColumn | slice) -> int | None:
    """The parameters of these nodes, of which there may be more; None if nothing is known of them."""
    count = int(graph.nodes.parameters[nodes].sum())
    return None if count == 0 and graph.nodes.has_unknown_parameters[nodes].any() else count


def items_of(session: GraphSession, id: str) -> tuple[Item, ...]:
    items = session.levels.items_of(id)
    if not items:
        raise not_found(f"this graph has no node or group '{id}'")
    return items


def layer_of(graph: Graph, item: Item) -> str:
    """The name under which a box's weights are logged."""
    return layer_of_group(graph, item.index) if item.is_group else layer_of_node(graph, item.index)


def groups_around(graph: Graph, group: int) -> list[int]:
    """A group and those above it, outermost first, without the root."""
    found: list[int] = []
    while group > 0:
        found.append(group)
        group = int(graph.groups.parents[group])
    return found[::-1]


def group_ids(graph: Graph, item: Item) -> list[str]:
    parent = int(graph.groups.parents[item.index]) if item.is_group else int(graph.nodes.groups[item.index])
    return [graph.groups.ids[group] for group in groups_around(graph, parent)]


def names_of(graph: Graph, groups: Iterable[int]) -> str:
    return "/".join(graph.groups.labels[group] for group in groups)


def link_label(graph: Graph, node: int) -> str:
    """The node with its layer, which tells the many called "add" apart: "c_proj.weight"."""
    group = int(graph.nodes.groups[node])
    layer = graph.groups.labels[group] if group > 0 else ""
    return f"{layer}.{graph.nodes.labels[node]}" if layer else graph.nodes.labels[node]


def full_label(graph: Graph, node: int) -> str:
    """The node with the whole name of its layer: "h.5.mlp.c_proj.weight"."""
    layer = layer_of_node(graph, node)
    return f"{layer}.{graph.nodes.labels[node]}" if layer else graph.nodes.labels[node]
