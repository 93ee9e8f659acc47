"""Where the variables of TensorFlow stand: with the layer that uses them.

TensorFlow 1 numbers the scopes of variables and of operations apart: the weights of the operations in `conv2d_2`
may be in a scope `conv2d_1` that has nothing else.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.form import ROOT, Graph
from seamark.graphs.levels.folds import kinds_of_nodes
from seamark.graphs.levels.hierarchy import Hierarchy
from seamark.graphs.readers.variables import PASSING_OPS, VARIABLE_OPS

MAX_USERS = 64


def place_beside_users(graph: Graph) -> Graph:
    """The graph with each variable whose scope computes nothing in the group of the operations that use it."""
    nodes = graph.nodes
    is_variable = np.array([name in VARIABLE_OPS for name in nodes.op_names], bool)[nodes.ops]
    weights = np.flatnonzero(is_variable & ((nodes.parameters > 0) | nodes.has_unknown_parameters))
    if not len(weights):
        return graph
    noise = np.zeros(len(nodes), bool)
    for mask in kinds_of_nodes(graph).values():
        noise |= mask
    computing = Hierarchy(graph).sums(~noise)
    group_of = {id: group for group, id in enumerate(graph.groups.ids)}
    users = _Users(graph, noise)
    groups = nodes.groups.copy()
    for weight in weights.tolist():
        scope = group_of.get(nodes.ids[weight].rpartition("/")[0] + "/", ROOT)
        if scope == ROOT or computing[scope] > 0:
            continue
        found = {int(nodes.groups[user]) for user in users.of(weight)}
        if len(found) == 1 and (group := found.pop()) != ROOT:
            groups[weight] = group
    return replace(graph, nodes=replace(nodes, groups=groups))


class _Users:
    def __init__(self, graph: Graph, noise: NDArray[np.bool_]) -> None:
        edges = graph.edges
        is_data = ~edges.is_control
        order = np.argsort(edges.sources[is_data], kind="stable")
        self._targets = edges.targets[is_data][order]
        self._starts = np.searchsorted(edges.sources[is_data][order], np.arange(len(graph.nodes) + 1))
        self._is_passed = np.array([name in PASSING_OPS for name in graph.nodes.op_names], bool)[graph.nodes.ops]
        self._noise = noise

    def of(self, weight: int) -> set[int]:
        """The operations that take a variable, past nodes that pass it on."""
        found: set[int] = set()
        seen, stack = {weight}, [weight]
        while stack and len(seen) < MAX_USERS:
            node = stack.pop()
            for target in self._targets[self._starts[node] : self._starts[node + 1]].tolist():
                if not self._noise[target]:
                    found.add(target)
                elif self._is_passed[target] and target not in seen:
                    seen.add(target)
                    stack.append(target)
        return found
