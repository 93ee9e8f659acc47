"""Overlays: a number or a name for every box, from columns keyed by node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.levels.visible import Visible
from seamark.graphs.session import GraphSession

MIXED = "mixed"


def box_sums(session: GraphSession, visible: Visible, values: NDArray[np.float64]) -> list[float | None]:
    """The sum over the nodes of each box, hidden ones included. None where no node has a value, which is NaN, and where
    the values that are known are nothing but zeros."""
    known = ~np.isnan(values)
    hierarchy = session.levels.hierarchy
    totals, counts = hierarchy.sums(np.where(known, values, 0.0)), hierarchy.sums(known)
    missing = hierarchy.sums(~known)
    found: list[float | None] = []
    for items in visible.boxes.items:
        total, count, unknown = 0.0, 0.0, 0.0
        for item in items:
            total += totals[item.index] if item.is_group else values[item.index] if known[item.index] else 0.0
            count += counts[item.index] if item.is_group else float(known[item.index])
            unknown += missing[item.index] if item.is_group else float(not known[item.index])
        found.append(float(total) if count and (total or not unknown) else None)
    return found


def has_unknown(session: GraphSession, visible: Visible, values: NDArray[np.float64]) -> list[bool]:
    """By box: whether a node in it has no value (NaN)."""
    unknown = np.isnan(values)
    below = session.levels.hierarchy.sums(unknown)
    return [
        any(bool(below[item.index] if item.is_group else unknown[item.index]) for item in items)
        for items in visible.boxes.items
    ]


def box_maxima(session: GraphSession, visible: Visible, values: NDArray[np.float64]) -> list[float | None]:
    """The greatest value in each box; None where no node has one (NaN)."""
    found: list[float | None] = []
    for items in visible.boxes.items:
        inside = values[session.levels.nodes_of(items)]
        known = inside[~np.isnan(inside)]
        found.append(float(known.max()) if len(known) else None)
    return found


def box_names(session: GraphSession, visible: Visible, index: NDArray[np.int32], names: Sequence[str]) -> list[str]:
    """The name that all visible nodes of a box have, or MIXED. Nodes without a name do not count."""
    found: list[str] = []
    for items in visible.boxes.items:
        nodes = session.levels.nodes_of(items)
        shown = nodes[visible.box_of_node[nodes] >= 0]
        inside = {names[at] for at in np.unique(index[shown if len(shown) else nodes]).tolist()} - {""}
        found.append(inside.pop() if len(inside) == 1 else MIXED if inside else "")
    return found


def first_dtypes(session: GraphSession) -> NDArray[np.int32]:
    """By node: the dtype of its first output, as an index into Graph.dtypes; 0, which is "", if there is none."""
    nodes = session.graph.nodes
    starts = nodes.output_starts
    has_output = starts[1:] > starts[:-1]
    found = np.zeros(len(nodes), np.int32)
    found[has_output] = nodes.output_dtypes[starts[:-1][has_output]]
    return found
