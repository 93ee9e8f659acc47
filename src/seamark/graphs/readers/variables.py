"""Which nodes of a GraphDef hold parameters, and how many.

A variable states its shape. A graph of TensorFlow 2 only has the handles of its variables, whose shapes are those of
the reads. What an optimizer stores beside a variable is no parameter, nor is a variable in the name scope of one;
which variables it updates are the trainable ones. The optimizers of Keras 2.11 and later update each variable in a
function of its own: what is read only there, such as the learning rate, is no parameter either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.graphs.form import CountColumn, Shape
from seamark.graphs.levels.folds import OPTIMIZER_GROUPS, UPDATE_FUNCTION
from seamark.graphs.readers.functions import EdgeTable, FunctionRange
from seamark.graphs.tensors import element_count

VARIABLE_OPS = frozenset({"VariableV2", "Variable", "VarHandleOp", "Parameter"})
HANDLE_OPS = ("Placeholder", "_Arg")
READ_OPS = frozenset({"ReadVariableOp"})
# What stands between a variable and its use.
PASSING_OPS = frozenset({"Identity", "ReadVariableOp", "_Arg"})
# The first input is the variable to train, the others are what the optimizer stores, rates and gradients.
UPDATE_OPS = re.compile(r"(Resource)?(Sparse)?Apply[A-Z]\w*")
# Steps and the totals of metrics are counted so.
COUNTING_OPS = frozenset({"AssignAdd", "AssignAddVariableOp"})
MAX_HOPS = 32
# In place of a count, while they are counted.
UNKNOWN = -1
_Counts = tuple[CountColumn, CountColumn, NDArray[np.bool_]]


class Variables:
    def __init__(
        self,
        names: Sequence[str],
        op_names: Sequence[str],
        columns: Mapping[str, NDArray[Any]],
        edges: EdgeTable,
        functions: Sequence[FunctionRange],
    ) -> None:
        self._names, self._op_names, self._columns, self._edges = names, op_names, columns, edges
        self._ops = columns["ops"]
        self._is_in_update = np.zeros(len(self._ops), bool)
        for function in functions:
            if UPDATE_FUNCTION.fullmatch(function.name):
                self._is_in_update[function.first : function.end] = True

    def count(self, shapes: Sequence[Shape | None], new_shape: NDArray[np.int32]) -> _Counts:
        """Parameters and trainable parameters of each node, and whether it has some whose number is not known.

        `new_shape` gives the index of a scanned shape.
        """
        if not len(self._ops):
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, bool)
        counts = [element_count(shape) for shape in shapes]
        elements = np.array([UNKNOWN if count is None else count for count in counts], np.int64)[new_shape]
        output_elements = self._first_output(elements)
        stated = self._columns["variable_shapes"]
        parameters = np.where(stated >= 0, elements[stated], output_elements)
        parameters[~self._has_op(VARIABLE_OPS.__contains__)] = 0
        # A function that stands apart has handles of variables that the graph also has.
        for handle_op in HANDLE_OPS:
            if parameters.any():
                break
            handles = set[int]()
            for read, handle in self._uses(READ_OPS.__contains__, is_first=True):
                if self._op(handle) == handle_op and not self._is_in_update[read]:
                    # A read that does not state its shape says nothing if another one does.
                    is_first = handle not in handles
                    known = output_elements[read] if is_first else max(parameters[handle], output_elements[read])
                    parameters[handle] = known
                    handles.add(handle)
        trained = {variable for _, variable in self._uses(_is_update, is_first=True)}
        trained |= {variable for variable in self._given_to_updates() if parameters[variable]}
        stored = {variable for _, variable in self._uses(_is_update, is_first=False)}
        counters = {
            variable
            for count, variable in self._uses(COUNTING_OPS.__contains__, is_first=True)
            if not self._is_in_update[count]
        }
        parameters[list((stored | counters) - trained)] = 0
        self._leave_out_optimizer(parameters, trained)
        is_unknown = parameters < 0
        parameters[is_unknown] = 0
        trainable = np.where(self._columns["trainable"] == 0, 0, parameters)
        if trained:
            is_trained = np.zeros(len(trainable), bool)
            is_trained[list(trained)] = True
            trainable[~is_trained] = 0
        return parameters, trainable, is_unknown

    def _leave_out_optimizer(self, parameters: CountColumn, trained: set[int]) -> None:
        """Older versions of Keras update variables by plain assignments, and store averages in a scope `training`."""
        variables = [node for node in np.flatnonzero(parameters).tolist() if node not in trained]
        stored = [node for node in variables if any(map(OPTIMIZER_GROUPS.fullmatch, self._names[node].split("/")[:-1]))]
        # A model may be called so as a whole.
        if len(stored) < np.count_nonzero(parameters):
            parameters[stored] = 0

    def _first_output(self, elements: CountColumn) -> CountColumn:
        starts = self._columns["output_starts"]
        found = np.full(len(self._ops), UNKNOWN, np.int64)
        nodes = np.flatnonzero(starts[:-1] < starts[1:])
        found[nodes] = elements[self._columns["output_shapes"][starts[nodes]]]
        return found

    def _has_op(self, is_wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = np.array([is_wanted(name) for name in self._op_names], bool)[self._ops]
        return found

    def _op(self, node: int) -> str:
        name: str = self._op_names[self._ops[node]]
        return name

    def _uses(self, is_wanted: Callable[[str], bool], *, is_first: bool) -> Iterator[tuple[int, int]]:
        """Nodes of the wanted ops, with the variable of their first input or those of the others."""
        edges = self._edges
        chosen = self._has_op(is_wanted)[edges.targets] & ~edges.is_control & ((edges.inputs == 0) == is_first)
        for edge in np.flatnonzero(chosen):
            yield int(edges.targets[edge]), self._origin(int(edges.sources[edge]))

    def _given_to_updates(self) -> Iterator[int]:
        """The variables among the arguments of functions that update one."""
        for argument in np.flatnonzero(self._is_in_update & self._has_op("_Arg".__eq__)):
            yield self._origin(int(argument))

    def _origin(self, node: int) -> int:
        """Goes back through nodes that pass a variable on."""
        edges = self._edges
        for _ in range(MAX_HOPS):
            if self._op(node) not in PASSING_OPS:
                break
            at = int(np.searchsorted(edges.targets, node))
            if at == len(edges.targets) or edges.targets[at] != node or edges.is_control[at]:
                break
            node = int(edges.sources[at])
        return node


def _is_update(op: str) -> bool:
    return UPDATE_OPS.fullmatch(op) is not None
