"""Places the functions of a GraphDef's library in the graph.

A function that one node calls stands inside that node's scope, and its arguments and results take the place of the
call's inputs and outputs. A function that several nodes call, that calls itself or that nobody calls stands once below
`functions/`. So no body is copied, however often it is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.form import IntColumn

FUNCTIONS_SCOPE = "functions"
# Bodies inside bodies; deeper ones stand below FUNCTIONS_SCOPE, since every level makes all names longer.
MAX_NESTING = 16
CALL_OPS = frozenset({"PartitionedCall", "StatefulPartitionedCall", "TPUPartitionedCall", "RemoteCall"})
# The first input selects the branch, the others are the arguments.
BRANCH_OPS = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
ARGUMENT_OPS = frozenset({"_Arg", "_Retval"})
LOOP_OPS = frozenset({"While", "StatelessWhile"})


class FunctionRange(NamedTuple):
    """The nodes first to end - 1: nodes of arguments, then the body, then nodes of results."""

    name: str
    first: int
    arguments: int
    results: int
    end: int


class Call(NamedTuple):
    node: int
    function: int
    attribute: str  # that names the function; "" if the node's op does


@dataclass(slots=True)
class EdgeTable:
    """Edges while a graph is read."""

    sources: IntColumn
    targets: IntColumn
    outputs: IntColumn
    inputs: IntColumn  # the position among the inputs of the target
    is_control: NDArray[np.bool_]


class Functions:
    def __init__(self, ranges: Sequence[FunctionRange], calls: Sequence[Call], names: Sequence[str]) -> None:
        self._ranges, self._names = ranges, names
        self._firsts = np.array([function.first for function in ranges], np.int64)
        self._only_call = _only_calls(len(ranges), calls)
        self._part_of = _parts(calls)
        self._paths: dict[int, tuple[str, int]] = {}  # with its nesting

    def is_inside_call(self, function: int) -> bool:
        return self._place(function)[1] > 0

    def path(self, function: int) -> str:
        """The path of the group with the function's nodes."""
        return self._place(function)[0]

    def call_of(self, function: int) -> Call | None:
        """The only call of a function that stands inside it."""
        return self._only_call[function] if self.is_inside_call(function) else None

    def calls_with_bodies(self) -> list[Call]:
        calls = (self.call_of(function) for function in range(len(self._ranges)))
        return [call for call in calls if call is not None]

    def _place(self, function: int) -> tuple[str, int]:
        known = self._paths.get(function)
        if known is not None:
            return known
        # From the function outwards, until one whose path is known, one that stands by itself, or the graph.
        chain: dict[int, None] = {}
        container: int | None = function
        while container is not None and container not in self._paths:
            if container in chain:  # it calls itself, through others
                self._paths[container] = self._place_apart(container)
                break
            chain[container] = None
            container = self._container(container)
        for one in reversed(chain):
            if one not in self._paths:
                self._paths[one] = self._place_inside(one)
        return self._paths[function]

    def _container(self, function: int) -> int | None:
        """The function with the only call of this one."""
        call = self._only_call[function]
        return None if call is None else self._function_with(call.node)

    def _place_apart(self, function: int) -> tuple[str, int]:
        return f"{FUNCTIONS_SCOPE}/{self._ranges[function].name}", 0

    def _place_inside(self, function: int) -> tuple[str, int]:
        call, container = self._only_call[function], self._container(function)
        above, nesting = ("", 0) if container is None else self._paths[container]
        if call is None or nesting >= MAX_NESTING:
            return self._place_apart(function)
        name = self._names[call.node].rstrip("/") or "unnamed"
        path = f"{above}/{name}" if above else name
        part = self._part_of.get(call, "")
        return (f"{path}/{part}" if part else path), nesting + 1

    def _function_with(self, node: int) -> int | None:
        found = int(np.searchsorted(self._firsts, node, side="right")) - 1
        # An empty function has the first node of the next one.
        while found >= 0 and self._ranges[found].end <= node:
            found -= 1
        return found if found >= 0 and self._ranges[found].first <= node else None

    def full_names(self) -> list[str]:
        """The names of all nodes, those of functions below their paths."""
        names = list(self._names)
        for index, function in enumerate(self._ranges):
            path = self.path(index)
            names_inside = names[function.first : function.end]
            body = set(names_inside[: len(names_inside) - function.results])
            for at in range(len(names_inside) - function.results, len(names_inside)):
                if names_inside[at] in body:
                    names_inside[at] += "_result"
            names[function.first : function.end] = [f"{path}/{name}" for name in names_inside]
        return names

    def connect(self, edges: EdgeTable, op_of: Mapping[int, str]) -> EdgeTable:
        """Connects what calls take and give with the functions inside them."""
        connections = _Connections(edges)
        inside = [(function, call) for index, function in enumerate(self._ranges) if (call := self.call_of(index))]
        # All calls before the branches, whose arguments come from the results of calls.
        for function, call in inside:
            if op_of[call.node] in CALL_OPS or not call.attribute:
                connections.replace_call(function, call.node)
        for function, call in inside:
            op = op_of[call.node]
            if op in BRANCH_OPS or op in LOOP_OPS:
                connections.add_arguments(function, call.node, first_input=1 if op in BRANCH_OPS else 0)
        return connections.build()


class _Connections:
    """Edges that are changed in place, and added ones."""

    def __init__(self, edges: EdgeTable) -> None:
        self._edges = edges
        self._sources, self._targets = edges.sources.copy(), edges.targets.copy()
        self._outputs = edges.outputs.copy()
        self._by_source = np.argsort(edges.sources, kind="stable")
        self._sorted_sources = edges.sources[self._by_source]
        self._added: list[IntColumn] = []

    def replace_call(self, function: FunctionRange, call: int) -> None:
        """The inputs of the call go to the arguments, its outputs come from the results."""
        taken, arguments = self._arguments(function, call, first_input=0)
        self._targets[taken] = arguments
        low, high = np.searchsorted(self._sorted_sources, [call, call + 1])
        given = self._by_source[low:high]
        given = given[~self._edges.is_control[given] & (self._edges.outputs[given] < function.results)]
        self._sources[given] = function.end - function.results + self._edges.outputs[given]
        self._outputs[given] = 0

    def add_arguments(self, function: FunctionRange, call: int, *, first_input: int) -> None:
        """The arguments get the inputs of the call, which keeps them."""
        taken, arguments = self._arguments(function, call, first_input=first_input)
        added = np.stack([self._sources[taken], arguments, self._outputs[taken]])
        self._added.append(added.astype(np.int32))

    def _arguments(self, function: FunctionRange, call: int, *, first_input: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The edges into a call that carry arguments, and the nodes of these arguments."""
        low, high = np.searchsorted(self._edges.targets, [call, call + 1])
        taken = np.arange(low, high)[~self._edges.is_control[low:high]]
        positions = self._edges.inputs[taken] - first_input
        is_argument = (positions >= 0) & (positions < function.arguments)
        return taken[is_argument], function.first + positions[is_argument]

    def build(self) -> EdgeTable:
        added = np.concatenate(self._added, axis=1) if self._added else np.zeros((3, 0), np.int32)
        nothing = np.zeros(added.shape[1], np.int32)
        targets = np.concatenate([self._targets, added[1]])
        order = np.argsort(targets, kind="stable")
        return EdgeTable(
            sources=np.concatenate([self._sources, added[0]])[order],
            targets=targets[order],
            outputs=np.concatenate([self._outputs, added[2]])[order],
            inputs=np.concatenate([self._edges.inputs, nothing])[order],
            is_control=np.concatenate([self._edges.is_control, nothing.astype(bool)])[order],
        )


def fill_function_outputs(columns: Mapping[str, NDArray[Any]], op_names: Sequence[str], edges: EdgeTable) -> None:
    """Gives arguments and results, which have one output each, the shapes of what they pass on."""
    is_passing = np.array([op in ARGUMENT_OPS for op in op_names], bool)
    if not is_passing.any():
        return
    starts, shapes = columns["output_starts"], columns["output_shapes"]
    chosen = np.flatnonzero(is_passing[columns["ops"]][edges.targets] & ~edges.is_control)
    outputs = starts[edges.sources[chosen]] + edges.outputs[chosen]
    has_output = starts[edges.targets[chosen]] < starts[edges.targets[chosen] + 1]
    chosen = chosen[has_output & (outputs < starts[edges.sources[chosen] + 1])]
    given = starts[edges.sources[chosen]] + edges.outputs[chosen]
    taken = starts[edges.targets[chosen]]
    # Through a result into the argument of the next function, and so on.
    for _ in range(MAX_NESTING):
        is_missing = (shapes[taken] < 0) & (shapes[given] >= 0)
        if not is_missing.any():
            break
        shapes[taken[is_missing]] = shapes[given[is_missing]]


def _only_calls(count: int, calls: Sequence[Call]) -> list[Call | None]:
    found: list[list[Call]] = [[] for _ in range(count)]
    for call in calls:
        found[call.function].append(call)
    return [one[0] if len(one) == 1 else None for one in found]


def _parts(calls: Sequence[Call]) -> dict[Call, str]:
    """The names of the scopes inside a node that calls several functions: "cond" and "body" of a loop."""
    by_node: dict[int, list[Call]] = {}
    for call in calls:
        by_node.setdefault(call.node, []).append(call)
    parts: dict[Call, str] = {}
    for several in by_node.values():
        if len(several) == 1:
            continue
        attributes = [call.attribute for call in several]
        for index, call in enumerate(several):
            is_unique = attributes.count(call.attribute) == 1 if len(several) < 100 else False
            parts[call] = call.attribute if is_unique else f"{call.attribute}_{index}"
    return parts
