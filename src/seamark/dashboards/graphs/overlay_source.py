"""Overlays: what boxes can be coloured by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from seamark.dashboards.graphs import wire
from seamark.dashboards.graphs.health_source import HealthSource, LayerHealth
from seamark.dashboards.graphs.library import GraphLibrary
from seamark.format.types import RunName
from seamark.graphs.compare import CHANGED, SAME, STATES
from seamark.graphs.health import Health
from seamark.graphs.levels.series import Item
from seamark.graphs.levels.visible import Visible
from seamark.graphs.overlays import box_names, box_sums, first_dtypes
from seamark.graphs.session import GraphSession
from seamark.plugin import RequestError
from seamark.store import Store

UNITS = {"multiply_adds": "count", "parameters": "count", "bytes": "bytes", "time": "µs", "memory": "bytes"}


class OverlaySource:
    def __init__(self, store: Store, library: GraphLibrary) -> None:
        self._library = library
        self._health = HealthSource(store)

    def overlay(self, body: wire.OverlayBody) -> wire.OverlayResponse:
        session = self._library.open_pair(body.ref, body.baseline_ref)
        visible = session.visible(body.options)
        if body.colour in ("op", "device", "xla", "dtype"):
            return named(session, visible, body.colour)
        if body.colour in UNITS:
            return self._numbers(session, visible, body)
        if body.colour == "health":
            return self._health_of(session, visible, body)
        if body.colour == "change":
            return changed(session, visible)
        raise RequestError(f"there is no overlay '{body.colour}'", code="invalid_parameter")

    def finding(self, session: GraphSession, run: RunName, items: tuple[Item, ...]) -> str:
        """The worst of a box at the last step, as a sentence."""
        if not run:
            return ""
        layers = self._health.of_items(run, session, items)
        return min(layers, key=lambda health: health.rank, default=Health(None)).sentence

    def _numbers(self, session: GraphSession, visible: Visible, body: wire.OverlayBody) -> wire.OverlayResponse:
        values = self._column(session, body)
        sums = box_sums(session, visible, values)
        if all(value is None or value == 0 for value in sums):
            return wire.OverlayResponse(reason=REASONS[body.colour])
        return wire.OverlayResponse(values=sums, unit=UNITS[body.colour])

    def _health_of(self, session: GraphSession, visible: Visible, body: wire.OverlayBody) -> wire.OverlayResponse:
        """Values are gradient norms, names what is wrong; a group has the worst of what is in it."""
        layers = self._health.by_layer(body.run, session.graph, body.step)
        if not layers.groups and not layers.nodes:
            return wire.OverlayResponse(reason="The run logged no scalars or histograms under the names of layers.")
        values: list[float | None] = []
        names, texts = [], []
        for items in visible.boxes.items:
            inside = [health for item in items for health in health_inside(session, layers, item)]
            norms = [health.gradient_norm for health in inside if health.gradient_norm is not None]
            worst = min(inside, key=lambda health: health.rank, default=Health(None))
            values.append(max(norms, default=None))
            names.append(worst.word)
            texts.append(worst.sentence)
        return wire.OverlayResponse(values=values, names=names, texts=texts, unit="norm", steps=layers.steps)

    def _column(self, session: GraphSession, body: wire.OverlayBody) -> NDArray[np.float64]:
        if body.colour == "parameters":
            return session.graph.nodes.parameters.astype(np.float64)
        if body.colour == "multiply_adds":
            return session.costs.multiply_adds
        if body.colour == "bytes":
            return session.costs.output_bytes
        profile = self._library.profile_of(session, body.run, body.profile) if body.profile else None
        if profile is None:
            return np.full(len(session.graph.nodes), np.nan)
        return profile.time_us if body.colour == "time" else profile.memory_bytes


REASONS = {
    "parameters": "The graph does not say how many parameters its nodes have.",
    "multiply_adds": "No operation of this graph has known shapes and a known cost.",
    "bytes": "The graph has no shapes.",
    "time": "The run logged no run metadata for this graph.",
    "memory": "The run logged no run metadata for this graph.",
}


def named(session: GraphSession, visible: Visible, colour: str) -> wire.OverlayResponse:
    nodes = session.graph.nodes
    if colour == "op":
        index, names = nodes.ops, nodes.op_names
    elif colour == "device":
        index, names = nodes.devices, nodes.device_names
    elif colour == "dtype":
        index, names = first_dtypes(session), session.graph.dtypes
    else:
        distinct = {name: at for at, name in enumerate(dict.fromkeys(session.xla_clusters))}
        index, names = np.array([distinct[name] for name in session.xla_clusters], np.int32), list(distinct)
    found = box_names(session, visible, index, names)
    return wire.OverlayResponse(names=found, reason="" if any(found) else f"No node has a {colour}.")


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


def health_inside(session: GraphSession, layers: LayerHealth, item: Item) -> Iterator[Health]:
    """What is known of a box and of everything in it."""
    if item.is_group:
        below = range(item.index, int(session.graph.groups.ends[item.index]))
        yield from (layers.groups[group] for group in below if group in layers.groups)
    if layers.nodes:
        nodes = session.levels.nodes_of((item,)).tolist()
        yield from (layers.nodes[node] for node in nodes if node in layers.nodes)
