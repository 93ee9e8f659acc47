"""The responses of the routes, from a graph's session."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seamark.dashboards.graphs import wire
from seamark.dashboards.graphs.boxes import count_or_none, full_label, groups_around, items_of, names_of
from seamark.dashboards.graphs.library import GraphLibrary
from seamark.graphs.compare import ADDED, CHANGED, REMOVED, SAME, STATES
from seamark.graphs.form import Graph
from seamark.graphs.layer_names import layer_of_group
from seamark.graphs.layers import known_parameters
from seamark.graphs.levels.folds import RULES
from seamark.graphs.levels.options import ViewOptions
from seamark.graphs.levels.trace import path_between
from seamark.graphs.levels.trace import trace as trace_boxes
from seamark.graphs.levels.visible import Visible
from seamark.graphs.overlays import box_sums, has_unknown
from seamark.graphs.search import search
from seamark.graphs.session import GraphSession
from seamark.graphs.texts import shape_text

if TYPE_CHECKING:
    from seamark.graphs.compare import Comparison
    from seamark.graphs.layers import LayersTable

MAX_CHANGES = 2000


def graphs(library: GraphLibrary) -> wire.GraphsResponse:
    listings, has_more = library.listings()
    entries = [
        wire.GraphEntry(
            run=listing.ref.run,
            graph=listing.ref.graph,
            title=listing.title,
            version=listing.version,
            profiles=[wire.ProfileEntry(tag, step) for tag, step in listing.profiles],
        )
        for listing in listings
    ]
    return wire.GraphsResponse(entries, has_more)


def view(session: GraphSession, options: ViewOptions) -> wire.ViewResponse:
    visible = session.visible(options)
    graph = session.graph if session.comparison is None else session.comparison.new
    return wire.ViewResponse(
        title=graph.title,
        format=graph.format,
        nodes=len(graph.nodes),
        edge_count=len(graph.edges),
        parameters=count_or_none(graph, slice(None)),
        has_unknown_parameters=bool(graph.nodes.has_unknown_parameters.any()),
        boxes=box_columns(session, visible),
        edges=edge_columns(session.graph, visible),
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
    parameters = known_parameters(session.graph.nodes)
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
        parameters=box_sums(session, visible, parameters),
        has_unknown_parameters=has_unknown(session, visible, parameters),
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


def comparison(session: GraphSession) -> wire.CompareResponse:
    assert session.comparison is not None
    found = session.comparison
    first = list(islice(changes(session, found), MAX_CHANGES + 1))
    return wire.CompareResponse(
        added=found.count(ADDED),
        removed=found.count(REMOVED),
        changed=found.count(CHANGED),
        same=found.count(SAME),
        old=totals_of(found.old),
        new=totals_of(found.new),
        changes=first[:MAX_CHANGES],
        has_more=len(first) > MAX_CHANGES,
    )


def totals_of(graph: Graph) -> wire.CompareTotals:
    count = count_or_none(graph, slice(None))
    return wire.CompareTotals(len(graph.nodes), count, bool(graph.nodes.has_unknown_parameters.any()))


def changes(session: GraphSession, found: Comparison) -> Iterator[wire.ChangeEntry]:
    """In the order of the graph. A group of which all was added or removed is one entry."""
    graph, levels = session.graph, session.levels
    whole = whole_groups(session, found.states)
    listed: set[int] = set()
    for node in np.flatnonzero(found.states != SAME).tolist():
        above = groups_around(graph, int(graph.nodes.groups[node]))
        outermost = next((group for group in above if whole[group]), None)
        state = STATES[found.states[node]]
        if outermost is None:
            yield wire.ChangeEntry(
                id=graph.nodes.ids[node],
                label=full_label(graph, node),
                state=state,
                op=graph.op(node),
                what=found.differences.get(node, ""),
                groups=[graph.groups.ids[group] for group in above],
            )
        elif outermost not in listed:
            listed.add(outermost)
            count = len(levels.hierarchy.nodes_below(outermost))
            yield wire.ChangeEntry(
                id=graph.groups.ids[outermost],
                label=layer_of_group(graph, outermost),
                state=state,
                op=graph.groups.types[outermost],
                what=f"{count:,} nodes",
                groups=[graph.groups.ids[group] for group in above[: above.index(outermost)]],
            )


def whole_groups(session: GraphSession, states: NDArray[np.int8]) -> NDArray[np.bool_]:
    """By group: whether it has several nodes, and all of them were added, or all removed."""
    sums = session.levels.hierarchy.sums
    total = sums(np.ones(len(states)))
    is_whole = (sums(states == ADDED) == total) | (sums(states == REMOVED) == total)
    found: NDArray[np.bool_] = is_whole & (total > 1)
    return found


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
        has_unknown_parameters=table.has_unknown_parameters,
        has_unknown_multiply_adds=table.has_unknown_multiply_adds,
        has_unknown_bytes=table.has_unknown_bytes,
        depth=table.depths,
        first_equal=table.first_equal,
        totals=wire.LayerTotals(
            parameters=totals.parameters,
            trainable=totals.trainable_parameters,
            has_unknown_parameters=totals.has_unknown_parameters,
            multiply_adds=totals.multiply_adds,
            bytes=totals.activation_bytes,
            time=totals.time,
            is_per_example=totals.is_per_example,
            is_partial=totals.is_partial,
        ),
    )
