"""The responses of the routes, from a graph's session."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from seamark.dashboards.graphs import wire
from seamark.dashboards.graphs.layer_tags import logged_tags
from seamark.dashboards.graphs.library import GraphLibrary
from seamark.format.types import RunName
from seamark.graphs import details as box_details
from seamark.graphs.attributes import AttributeValue, Large
from seamark.graphs.compare import ADDED, CHANGED, REMOVED, SAME, STATES
from seamark.graphs.form import Graph
from seamark.graphs.layer_names import layer_of_group, layer_of_node
from seamark.graphs.levels.folds import RULES
from seamark.graphs.levels.options import ViewOptions
from seamark.graphs.levels.series import Item
from seamark.graphs.levels.trace import path_between
from seamark.graphs.levels.trace import trace as trace_boxes
from seamark.graphs.levels.visible import Visible
from seamark.graphs.search import search
from seamark.graphs.session import GraphSession
from seamark.graphs.texts import dtype_text, shape_text
from seamark.plugin import not_found
from seamark.store import Store

if TYPE_CHECKING:
    from seamark.graphs.layers import LayersTable

# A longer value is cut; the page requests the rest.
MAX_VALUE_CHARS = 1000
MAX_CHANGES = 2000


def graphs(library: GraphLibrary) -> wire.GraphsResponse:
    listings, has_more = library.listings()
    entries = [
        wire.GraphEntry(
            run=listing.ref.run,
            graph=listing.ref.graph,
            title=listing.title,
            profiles=[wire.ProfileEntry(tag, step) for tag, step in listing.profiles],
        )
        for listing in listings
    ]
    return wire.GraphsResponse(entries, has_more)


def view(session: GraphSession, options: ViewOptions) -> wire.ViewResponse:
    visible = session.visible(options)
    graph = session.graph
    return wire.ViewResponse(
        title=graph.title,
        format=graph.format,
        nodes=len(graph.nodes),
        edge_count=len(graph.edges),
        parameters=int(graph.nodes.parameters.sum()),
        boxes=box_columns(session, visible),
        edges=edge_columns(graph, visible),
        folds=[
            wire.FoldEntry(
                rule.name, rule.title, int(session.levels.kinds[rule.name].sum()), rule.name not in options.unfolded
            )
            for rule in RULES
            if rule.name in session.levels.kinds
        ],
        problems=[*graph.problems, *visible.problems],
        open=sorted(visible.open),
    )


def box_columns(session: GraphSession, visible: Visible) -> wire.BoxColumns:
    boxes = visible.boxes
    by_group = session.levels.hierarchy.sums(session.graph.nodes.parameters)
    own = session.graph.nodes.parameters
    return wire.BoxColumns(
        id=boxes.ids,
        label=boxes.labels,
        type=boxes.types,
        op=boxes.ops,
        parent=boxes.parents,
        is_open=boxes.is_open,
        count=boxes.counts,
        repeat=boxes.repeats,
        structure=boxes.structures,
        parameters=[
            int(sum(by_group[item.index] if item.is_group else own[item.index] for item in items))
            for items in boxes.items
        ],
        is_aside=visible.is_aside.tolist(),
    )


def edge_columns(graph: Graph, visible: Visible) -> wire.EdgeColumns:
    edges = visible.edges
    texts = [shape_text(shape) for shape in graph.shapes]
    return wire.EdgeColumns(
        source=edges.sources.tolist(),
        target=edges.targets.tolist(),
        count=edges.counts.tolist(),
        shape=[texts[shape] if shape >= 0 else "" for shape in edges.shapes.tolist()],
        bytes=edges.bytes.tolist(),
        is_control=edges.is_control.tolist(),
    )


def trace(session: GraphSession, body: wire.TraceBody) -> wire.TraceResponse:
    visible = session.visible(body.options)
    start = session.levels.nodes_of(items_of(session, body.id))
    found = trace_boxes(session.levels, visible, start, follows_inputs=body.direction == "inputs", max_hops=body.hops)
    return wire.TraceResponse({visible.boxes.ids[box]: hops for box, hops in found.items()})


def path(session: GraphSession, body: wire.PathBody) -> wire.PathResponse:
    visible = session.visible(body.options)
    start, end = (session.levels.nodes_of(items_of(session, id)) for id in (body.start, body.end))
    nodes = path_between(session.levels, visible, start, end)
    boxes = (int(visible.box_of_node[node]) for node in nodes)
    shown = dict.fromkeys(visible.boxes.ids[box] for box in boxes if box >= 0)
    return wire.PathResponse(boxes=list(shown), nodes=[session.graph.nodes.ids[node] for node in nodes])


def search_results(session: GraphSession, text: str, limit: int) -> wire.SearchResponse:
    graph = session.graph
    matches = search(graph, text)
    results: list[wire.SearchResult] = []
    for group in matches.groups[:limit]:
        above = groups_around(graph, int(graph.groups.parents[group]))
        results.append(
            wire.SearchResult(
                id=graph.groups.ids[group],
                label=graph.groups.labels[group],
                above=names_of(graph, above),
                op=graph.groups.types[group],
                shape="",
                groups=[graph.groups.ids[found] for found in above],
            )
        )
    for node in matches.nodes[: limit - len(results)]:
        above = groups_around(graph, int(graph.nodes.groups[node]))
        results.append(
            wire.SearchResult(
                id=graph.nodes.ids[node],
                label=graph.nodes.labels[node],
                above=names_of(graph, above),
                op=graph.op(node),
                shape=shape_text(graph.output(node, 0).shape),
                groups=[graph.groups.ids[found] for found in above],
            )
        )
    return wire.SearchResponse(total=len(matches.groups) + len(matches.nodes), results=results)


def details(session: GraphSession, id: str, store: Store, run: RunName, finding: str) -> wire.DetailsResponse:
    graph = session.graph
    items = items_of(session, id)
    first = items[0]
    nodes = session.levels.nodes_of(items)
    inputs, input_count = box_details.inputs_of(session, nodes)
    outputs, output_count = box_details.outputs_of(session, nodes)
    layer = layer_of(graph, first)
    tags = logged_tags(store, run).of(layer) if run else []
    attributes = {} if first.is_group else graph.nodes.attributes.of(first.index)
    cost = session.costs.multiply_adds[nodes]
    known = cost[~np.isnan(cost)]
    return wire.DetailsResponse(
        id=id,
        label=first.label if len(items) == 1 else f"{first.label}–{items[-1].label}",
        type="series" if len(items) > 1 else "group" if first.is_group else "op",
        op=graph.groups.types[first.index] if first.is_group else graph.op(first.index),
        layer=layer,
        device="" if first.is_group else graph.nodes.device_names[graph.nodes.devices[first.index]],
        source=box_details.source_of(session, nodes),
        code=str(attributes.get("code", "")),
        nodes=len(nodes),
        inputs=link_entries(graph, inputs),
        input_count=input_count,
        outputs=link_entries(graph, outputs),
        output_count=output_count,
        output_shapes=[] if first.is_group else [shape_text(tensor.shape) for tensor in graph.outputs(first.index)],
        attributes=[
            attribute_entry(name, value) for name, value in attributes.items() if name not in ("code", "source")
        ],
        weights=weight_entries(session, items, tags),
        parameters=int(graph.nodes.parameters[nodes].sum()),
        trainable_parameters=int(graph.nodes.trainable_parameters[nodes].sum()),
        multiply_adds=float(known.sum()) if len(known) else None,
        output_bytes=float(np.nansum(session.costs.output_bytes[nodes])),
        ops=box_details.op_counts(session, nodes) if first.is_group or len(items) > 1 else [],
        tags=[wire.TagEntry(kind, tag) for kind, tag in tags],
        groups=group_ids(graph, first),
        finding=finding,
    )


def comparison(session: GraphSession) -> wire.CompareResponse:
    assert session.comparison is not None
    found, graph = session.comparison, session.graph
    changes = [
        wire.ChangeEntry(
            id=graph.nodes.ids[node],
            label=full_label(graph, node),
            state=STATES[found.states[node]],
            op=graph.op(node),
            what=found.differences.get(node, ""),
            groups=[graph.groups.ids[group] for group in groups_around(graph, int(graph.nodes.groups[node]))],
        )
        for node in np.flatnonzero(found.states != SAME)[:MAX_CHANGES].tolist()
    ]
    return wire.CompareResponse(
        added=found.count(ADDED),
        removed=found.count(REMOVED),
        changed=found.count(CHANGED),
        same=found.count(SAME),
        changes=changes,
    )


def layers(table: LayersTable) -> wire.LayersResponse:
    totals = table.totals
    return wire.LayersResponse(
        id=table.ids,
        name=table.names,
        op=table.ops,
        shape=table.shapes,
        parameters=table.parameters,
        trainable=table.trainable_parameters,
        multiply_adds=table.multiply_adds,
        bytes=table.activation_bytes,
        time=table.times,
        depth=table.depths,
        structure=table.structures,
        totals=wire.LayerTotals(
            parameters=totals.parameters,
            trainable=totals.trainable_parameters,
            multiply_adds=totals.multiply_adds,
            bytes=totals.activation_bytes,
            time=totals.time,
            is_per_example=totals.is_per_example,
            is_partial=totals.is_partial,
        ),
    )


def attribute_text(session: GraphSession, id: str, name: str) -> str:
    node = session.levels.node_of.get(id)
    attributes = {} if node is None else session.graph.nodes.attributes.of(node)
    if name not in attributes:
        raise not_found(f"the node '{id}' has no attribute '{name}'")
    return value_text(attributes[name])


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


def link_entries(graph: Graph, links: Iterable[box_details.Link]) -> list[wire.LinkEntry]:
    return [
        wire.LinkEntry(
            id=graph.nodes.ids[link.node],
            label=link_label(graph, link.node),
            shape=shape_text(link.tensor.shape),
            dtype=dtype_text(link.tensor.dtype),
            is_control=link.is_control,
            count=link.count,
            groups=[graph.groups.ids[group] for group in groups_around(graph, int(graph.nodes.groups[link.node]))],
        )
        for link in links
    ]


def link_label(graph: Graph, node: int) -> str:
    """The node with its layer, which tells the many called "add" apart: "c_proj.weight"."""
    group = int(graph.nodes.groups[node])
    layer = graph.groups.labels[group] if group > 0 else ""
    return f"{layer}.{graph.nodes.labels[node]}" if layer else graph.nodes.labels[node]


def full_label(graph: Graph, node: int) -> str:
    """The node with the whole name of its layer: "h.5.mlp.c_proj.weight"."""
    layer = layer_of_node(graph, node)
    return f"{layer}.{graph.nodes.labels[node]}" if layer else graph.nodes.labels[node]


def weight_entries(
    session: GraphSession, items: tuple[Item, ...], tags: list[tuple[str, str]]
) -> list[wire.WeightEntry]:
    graph = session.graph
    histograms = [tag for kind, tag in tags if kind == "histograms"]
    entries = []
    for weight in box_details.weights_of(session, items):
        label = graph.nodes.labels[weight.node]
        entries.append(
            wire.WeightEntry(
                id=graph.nodes.ids[weight.node],
                label=label,
                shape=shape_text(weight.tensor.shape),
                dtype=dtype_text(weight.tensor.dtype),
                count=weight.count,
                is_trainable=weight.trainable > 0,
                histogram=next((tag for tag in histograms if tag.endswith(label) and "grad" not in tag.lower()), None),
            )
        )
    return entries


def attribute_entry(name: str, value: AttributeValue) -> wire.AttributeEntry:
    if isinstance(value, Large):
        return wire.AttributeEntry(name, value.text, value.bytes)
    text = value_text(value)
    is_cut = len(text) > MAX_VALUE_CHARS
    return wire.AttributeEntry(name, text[:MAX_VALUE_CHARS], len(text.encode()) if is_cut else None)


def value_text(value: AttributeValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Large):
        return value.text
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return msgspec.json.encode(value).decode()
