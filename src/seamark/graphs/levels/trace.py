"""Traces: what a box depends on, what depends on it, and the shortest path between two boxes.

A step along an edge counts as a hop if it leaves a visible box, so a group that is closed is one hop, yet only what is
connected inside it is followed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from seamark.graphs.form import Edges, IntColumn
from seamark.graphs.levels.visible import Levels, Visible


class Neighbours:
    """The nodes at the other end of each node's edges, in one direction."""

    def __init__(self, edges: Edges, nodes: int, *, follows_inputs: bool) -> None:
        near, far = (edges.targets, edges.sources) if follows_inputs else (edges.sources, edges.targets)
        order = np.argsort(near, kind="stable")
        self._far = far[order]
        self._starts = np.searchsorted(near[order], np.arange(nodes + 1))

    def of(self, node: int) -> list[int]:
        found: list[int] = self._far[self._starts[node] : self._starts[node + 1]].tolist()
        return found


def trace(levels: Levels, visible: Visible, start: IntColumn, *, follows_inputs: bool, max_hops: int) -> dict[int, int]:
    """The boxes within `max_hops`, with their distance. `start` are the nodes of the box to start from."""
    neighbours = Neighbours(levels.graph.edges, len(levels.graph.nodes), follows_inputs=follows_inputs)
    hops = _search(visible.box_of_node, neighbours, start.tolist(), max_hops=max_hops)[0]
    found: dict[int, int] = {}
    for node, distance in hops.items():
        box = int(visible.box_of_node[node])
        if box >= 0:
            found[box] = min(distance, found.get(box, distance))
    return found


def path_between(levels: Levels, visible: Visible, start: IntColumn, end: IntColumn) -> list[int]:
    """The nodes of a path with the fewest hops, from one of `start` to one of `end`, along the edges or against them;
    [] if there is none."""
    return _path(levels, visible, start, end) or _path(levels, visible, end, start)[::-1]


def _path(levels: Levels, visible: Visible, start: IntColumn, end: IntColumn) -> list[int]:
    neighbours = Neighbours(levels.graph.edges, len(levels.graph.nodes), follows_inputs=False)
    ends = frozenset(end.tolist())
    hops, came_from = _search(visible.box_of_node, neighbours, start.tolist(), ends=ends)
    reached = [node for node in ends if node in hops]
    if not reached:
        return []
    path = [min(reached, key=lambda node: (hops[node], node))]
    while came_from[path[-1]] >= 0:
        path.append(came_from[path[-1]])
    return path[::-1]


def _search(
    box_of_node: IntColumn,
    neighbours: Neighbours,
    start: Sequence[int],
    *,
    max_hops: int | None = None,
    ends: frozenset[int] = frozenset(),
) -> tuple[dict[int, int], dict[int, int]]:
    """Breadth first, where a step inside a box or to a hidden node costs nothing. Hops and predecessors by node."""
    boxes = box_of_node.tolist()
    hops = dict.fromkeys(start, 0)
    came_from = dict.fromkeys(start, -1)
    # A hidden node belongs to the box from which it was reached.
    box_at = {node: boxes[node] for node in start}
    queue = deque(start)
    done: set[int] = set()
    while queue:
        node = queue.popleft()
        if node in done:
            continue
        done.add(node)
        if node in ends:
            break
        for other in neighbours.of(node):
            leaves = boxes[other] >= 0 and boxes[other] != box_at[node]
            distance = hops[node] + leaves
            if (max_hops is not None and distance > max_hops) or distance >= hops.get(other, distance + 1):
                continue
            hops[other], came_from[other] = distance, node
            box_at[other] = boxes[other] if boxes[other] >= 0 else box_at[node]
            queue.append(other) if leaves else queue.appendleft(other)
    return hops, came_from
