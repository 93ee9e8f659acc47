"""Overlays: what boxes can be coloured by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.dashboards.graphs import wire
from seamark.dashboards.graphs.boxes import group_ids, layer_of
from seamark.dashboards.graphs.health_source import HealthSource, LayerHealth
from seamark.dashboards.graphs.library import GraphLibrary
from seamark.format.types import RunName, Tag
from seamark.graphs.compare import CHANGED, SAME, STATES
from seamark.graphs.form import Graph
from seamark.graphs.health import Health
from seamark.graphs.layers import known_parameters
from seamark.graphs.levels.series import Item
from seamark.graphs.levels.visible import Visible
from seamark.graphs.overlays import box_names, box_sums, first_dtypes
from seamark.graphs.session import GraphSession
from seamark.plugin import RequestError
from seamark.store import RunStore

UNITS = {"multiply_adds": "count", "parameters": "count", "bytes": "bytes", "time": "µs", "memory": "bytes"}


class OverlaySource:
    def __init__(self, store: RunStore, library: GraphLibrary) -> None:
        self._library = library
        self._health = HealthSource(store)

    def overlay(self, body: wire.OverlayBody) -> wire.OverlayResponse:
        session = self._library.open_pair(body.ref, body.baseline_ref)
        visible = session.visible(body.options)
        if body.colour in NAMED_REASONS:
            return named(session, visible, body.colour)
        if body.colour in UNITS:
            return self._numbers(session, visible, body)
        if body.colour == "health":
            return self._health_of(session, visible, body)
        if body.colour == "change":
            return changed(session, visible)
        raise RequestError(f"there is no overlay '{body.colour}'", code="invalid_parameter")

    def reasons(self, parameters: wire.ColoursParameters) -> dict[str, str]:
        """Why boxes cannot be coloured by something, for every colour that has no data."""
        session = self._library.open(parameters.ref)
        found = {colour: name_reason(session, colour) for colour in NAMED_REASONS}
        for colour in UNITS:
            column = self._column(session, colour, parameters.run, parameters.profile)
            found[colour] = "" if np.nansum(column) > 0 else REASONS[colour]
        layers = self._health.by_layer(parameters.run, session.graph, None) if parameters.run else None
        if layers is None or not (layers.groups or layers.nodes):
            found["health"] = REASONS["health"]
        return {colour: reason for colour, reason in found.items() if reason}

    def finding(self, session: GraphSession, run: RunName, items: tuple[Item, ...]) -> str:
        """The worst of a box at the last step, as a sentence."""
        if not run:
            return ""
        layers = self._health.of_items(run, session, items)
        return min(layers, key=lambda health: health.rank, default=Health(None)).sentence

    def _numbers(self, session: GraphSession, visible: Visible, body: wire.OverlayBody) -> wire.OverlayResponse:
        values = self._column(session, body.colour, body.run, body.profile)
        sums = box_sums(session, visible, values)
        if all(value is None or value == 0 for value in sums):
            return wire.OverlayResponse(reason=REASONS[body.colour])
        return wire.OverlayResponse(values=sums, unit=UNITS[body.colour])

    def _health_of(self, session: GraphSession, visible: Visible, body: wire.OverlayBody) -> wire.OverlayResponse:
        """Values are gradient norms, names what is wrong; a group has the worst of what is in it."""
        layers = self._health.by_layer(body.run, session.graph, body.step)
        if not layers.groups and not layers.nodes:
            return wire.OverlayResponse(reason=REASONS["health"])
        findings = layers.findings(session)
        is_several = len(findings) > 1 and findings[1][1].broken is not None
        first = findings[0][0] if is_several else None
        values: list[float | None] = []
        names, texts = [], []
        for items in visible.boxes.items:
            inside = [health for item in items for health in health_inside(session, layers, item)]
            norms = [health.gradient_norm for health in inside if health.gradient_norm is not None]
            worst = min(inside, key=lambda health: health.rank, default=Health(None))
            values.append(max(norms, default=None))
            is_first = first is not None and contains(session, items, first)
            names.append(first_word(findings[0][1]) if is_first else worst.word)
            texts.append(findings[0][1].sentence if is_first else worst.sentence)
        return wire.OverlayResponse(
            values=values,
            names=names,
            texts=texts,
            unit="norm",
            steps=layers.steps,
            findings=[finding_entry(session.graph, item, health) for item, health in findings[:MAX_FINDINGS]],
            reason="" if any(values) else NO_NORMS,
        )

    def _column(self, session: GraphSession, colour: str, run: RunName, tag: Tag) -> NDArray[np.float64]:
        if colour == "parameters":
            return known_parameters(session.graph.nodes)
        if colour == "multiply_adds":
            return session.costs.multiply_adds
        if colour == "bytes":
            return session.costs.output_bytes
        profile = self._library.profile_of(session, run, tag) if tag else None
        if profile is None:
            return np.full(len(session.graph.nodes), np.nan)
        return profile.time_us if colour == "time" else profile.memory_bytes


MAX_FINDINGS = 500
NO_NORMS = "No layer has a finite gradient norm at this step."
REASONS = {
    "parameters": "The graph does not say how many parameters its nodes have.",
    "multiply_adds": "No operation of this graph has known shapes and a known cost.",
    "bytes": "The graph does not state both shapes and types of tensors.",
    "time": "The run logged no run metadata for this graph.",
    "memory": "The run logged no run metadata for this graph.",
    "health": "The run logged no scalars or histograms under the names of layers.",
}
NAMED_REASONS = {
    "op": "No node has an operation.",
    "dtype": "The graph has no types of tensors.",
    "device": "No node is placed on a device.",
    "xla": "No node is in an XLA cluster.",
}


def name_reason(session: GraphSession, colour: str) -> str:
    index, names = name_column(session, colour)
    return "" if any(names[at] for at in np.unique(index[index >= 0]).tolist()) else NAMED_REASONS[colour]


def name_column(session: GraphSession, colour: str) -> tuple[NDArray[np.int32], Sequence[str]]:
    """By node the index of its name, and the names."""
    nodes = session.graph.nodes
    if colour == "op":
        return nodes.ops, nodes.op_names
    if colour == "device":
        return nodes.devices, nodes.device_names
    if colour == "dtype":
        return first_dtypes(session), session.graph.dtypes
    distinct = {name: at for at, name in enumerate(dict.fromkeys(session.xla_clusters))}
    return np.array([distinct[name] for name in session.xla_clusters], np.int32), list(distinct)


def named(session: GraphSession, visible: Visible, colour: str) -> wire.OverlayResponse:
    found = box_names(session, visible, *name_column(session, colour))
    return wire.OverlayResponse(names=found, reason="" if any(found) else NAMED_REASONS[colour])


def changed(session: GraphSession, visible: Visible) -> wire.OverlayResponse:
    """A box is added or removed if all of it is; otherwise it is changed if anything in it is."""
    if session.comparison is None:
        return wire.OverlayResponse(reason="Choose a graph to compare with.")
    states = session.comparison.states
    names = []
    for items in visible.boxes.items:
        inside = set(np.unique(states[session.levels.nodes_of(items)]).tolist())
        names.append(STATES[inside.pop()] if len(inside) == 1 else STATES[CHANGED])
    return wire.OverlayResponse(names=["" if name == STATES[SAME] else name for name in names])


def contains(session: GraphSession, items: Sequence[Item], inner: Item) -> bool:
    """Whether a layer is one of some boxes, or is in one of them."""
    graph = session.graph
    group = inner.index if inner.is_group else int(graph.nodes.groups[inner.index])
    return any(
        item.index <= group < graph.groups.ends[item.index] if item.is_group else item == inner for item in items
    )


def first_word(health: Health) -> str:
    return f"first {health.word}"


def finding_entry(graph: Graph, item: Item, health: Health) -> wire.FindingEntry:
    id = graph.groups.ids[item.index] if item.is_group else graph.nodes.ids[item.index]
    return wire.FindingEntry(id, layer_of(graph, item), health.word, health.sentence, group_ids(graph, item))


def health_inside(session: GraphSession, layers: LayerHealth, item: Item) -> Iterator[Health]:
    """What is known of a box and of everything in it."""
    if item.is_group:
        below = range(item.index, int(session.graph.groups.ends[item.index]))
        yield from (layers.groups[group] for group in below if group in layers.groups)
    if layers.nodes:
        nodes = session.levels.nodes_of((item,)).tolist()
        yield from (layers.nodes[node] for node in nodes if node in layers.nodes)
