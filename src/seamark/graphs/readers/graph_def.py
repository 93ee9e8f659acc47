"""Reads GraphDef, the graph of TensorFlow, torch's add_graph, tensorboardX and Seamark's writer, into the one form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from seamark import _core
from seamark.format.budget import hold, max_held_bytes
from seamark.format.messages import DataType, RunMetadata
from seamark.graphs.attributes import AttributeTable
from seamark.graphs.builder import EDGE_BYTES, MAX_NODES, NODE_BYTES
from seamark.graphs.form import Edges, Graph, GraphError, IntColumn, Nodes, Shape
from seamark.graphs.grouping import GroupTable
from seamark.graphs.merging import join_graphs
from seamark.graphs.naming import MAX_NAME_CHARS, NodeIds
from seamark.graphs.problems import malformed, missing_inputs, nested_too_deeply
from seamark.graphs.readers.debug_info import source_lines
from seamark.graphs.readers.functions import Call, EdgeTable, FunctionRange, Functions, fill_function_outputs
from seamark.graphs.readers.node_attributes import ENCODING, dtype_name
from seamark.graphs.readers.torch_traces import complete_trace
from seamark.graphs.readers.variable_places import place_beside_users
from seamark.graphs.readers.variables import Variables
from seamark.graphs.tensors import known_shape

FORMAT = "graph_def"
# torch leaves out the nodes of modules, but not the inputs that name them.
INCOMPLETE_OPS = frozenset({"prim::GetAttr"})
BOOL_OPS = frozenset(
    {"Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "IsFinite", "IsInf", "IsNan", "InTopK"}
)
Columns = Mapping[str, NDArray[Any]]


def from_graph_def(data: bytes, *, title: str) -> Graph:
    return _read(data, [], "GraphDef", title)


def from_meta_graph(data: bytes, *, title: str) -> Graph:
    """From a MetaGraphDef, as in the .meta file of a checkpoint."""
    return _read(data, [2], "MetaGraphDef", title)


def from_saved_model(data: bytes, *, title: str) -> Graph:
    """From saved_model.pb: the last of its graphs."""
    return _read(data, [2, 2], "SavedModel", title)


def from_run_metadata(data: bytes, *, title: str) -> Graph:
    """From RunMetadata: the graphs of the functions that ran, each in a scope of its own."""
    try:
        message = RunMetadata.FromString(data)
    except DecodeError as error:
        raise GraphError(f"this run metadata cannot be read: {error}") from error
    graphs = [functions.pre_optimization_graph for functions in message.function_graphs]
    graphs = graphs or list(message.partition_graphs)
    if not graphs:
        raise GraphError("this run metadata has the costs of a step, but no graph")
    return from_graph_def(join_graphs(graphs).SerializeToString(), title=title)


def from_pb_file(data: bytes, *, title: str) -> Graph:
    """From a .pb file: a SavedModel starts with its version, a GraphDef with a node."""
    return (from_saved_model if data.startswith(b"\x08") else from_graph_def)(data, title=title)


def _read(data: bytes, path: list[int], message: str, title: str) -> Graph:
    try:
        max_nodes = max_held_bytes(MAX_NODES * NODE_BYTES) // NODE_BYTES
        scanned = _core.scan_graph(data, max_nodes=max_nodes, path=path)
    except ValueError as error:
        raise GraphError(f"this {message} cannot be read: {error}; check that the file is whole") from error
    hold(NODE_BYTES * len(scanned.nodes()["ops"]) + EDGE_BYTES * len(scanned.edges()["sources"]))
    reader = _Reader(scanned)
    return reader.build(title, _facts(scanned, message))


def _facts(scanned: _core.GraphColumns, message: str) -> dict[str, str | int]:
    facts: dict[str, str | int] = {"message": message}
    if scanned.producer:
        facts["producer"] = scanned.producer
    return facts


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where nodes stand: their ids, labels and groups."""

    ids: list[str]
    labels: list[str]
    groups: IntColumn


class _Reader:
    def __init__(self, scanned: _core.GraphColumns) -> None:
        self._scanned = scanned
        self._columns: Columns = scanned.nodes()
        self._ops = scanned.op_names()
        self._groups = GroupTable()
        self._problems: list[str] = []
        self._functions = [FunctionRange(*entry) for entry in scanned.functions()]

    def build(self, title: str, facts: dict[str, str | int]) -> Graph:
        scanned, columns = self._scanned, self._columns
        self._find_damage()
        names, edges = self._place_functions(scanned.names(), _edge_table(scanned.edges()))
        sources = self._sources(names)
        placed = self._place(names)
        self._name_layers(placed)
        groups, new_index = self._groups.build()
        dtypes, output_dtypes = _dtype_table(self._output_dtypes())
        fill_function_outputs(columns, self._ops, edges)
        shapes, new_shape = _shape_table(scanned.shapes())
        parameters, trainable, is_unknown = Variables(placed.ids, self._ops, columns, edges, self._functions).count(
            shapes, new_shape
        )
        nodes = Nodes(
            ids=placed.ids,
            labels=placed.labels,
            ops=columns["ops"],
            op_names=self._ops,
            groups=new_index[placed.groups],
            devices=columns["devices"],
            device_names=scanned.device_names(),
            parameters=parameters,
            trainable_parameters=trainable,
            has_unknown_parameters=is_unknown,
            output_starts=columns["output_starts"],
            output_dtypes=output_dtypes,
            output_shapes=new_shape[columns["output_shapes"]],
            attributes=AttributeTable(ENCODING, scanned.take_attributes(), columns["attribute_starts"]),
            sources=sources,
        )
        graph = Graph(
            title=title,
            format=FORMAT,
            nodes=nodes,
            edges=Edges(edges.sources, edges.targets, edges.outputs, edges.is_control),
            groups=groups,
            dtypes=dtypes,
            shapes=shapes,
            problems=tuple(self._problems),
            facts=facts,
        )
        return complete_trace(place_beside_users(graph))

    def _find_damage(self) -> None:
        scanned = self._scanned
        if scanned.consumed < scanned.size:
            self._problems.append(
                f"the graph ends early, within the field at byte {scanned.consumed:,} of {scanned.size:,}; "
                "what comes before it is shown"
            )
        if scanned.bad_nodes:
            self._problems.append(malformed(scanned.bad_nodes))
        is_known_gap = np.array([op in INCOMPLETE_OPS for op in self._ops], bool)
        missing = [name for target, name in scanned.missing_inputs() if not is_known_gap[self._columns["ops"][target]]]
        if missing:
            self._problems.append(missing_inputs(missing))

    def _place_functions(self, names: list[str], edges: EdgeTable) -> tuple[list[str], EdgeTable]:
        ranges = self._functions
        if not ranges:
            return names, edges
        functions = Functions(ranges, [Call(*entry) for entry in self._scanned.calls()], names)
        for index, function in enumerate(ranges):
            if function.end > function.first:
                self._groups.describe(functions.path(index), type=f"function {function.name}")
        ops = self._columns["ops"]
        op_of = {call.node: self._ops[ops[call.node]] for call in functions.calls_with_bodies()}
        return functions.full_names(), functions.connect(edges, op_of)

    def _output_dtypes(self) -> IntColumn:
        """A comparison states the dtype of its inputs alone."""
        is_bool = np.array([op in BOOL_OPS for op in self._ops], bool)[self._columns["ops"]]
        is_bool_output = np.repeat(is_bool, np.diff(self._columns["output_starts"]))
        return np.where(is_bool_output, DataType.DT_BOOL, self._columns["output_dtypes"])

    def _sources(self, names: Sequence[str]) -> dict[int, str]:
        lines = self._scanned.source_names()
        column = self._columns["sources"]
        found = {int(node): lines[column[node]] for node in np.flatnonzero(column)}
        if not found and self._scanned.debug_info:
            found = source_lines(self._scanned.debug_info, names)
        return found

    def _place(self, names: list[str]) -> _Placed:
        listed = self._ids(names)
        groups = np.empty(len(listed), np.int32)
        labels: list[str] = []
        distinct_labels: dict[str, str] = {}  # many nodes share one
        for node, id in enumerate(listed):
            above, _, label = id.rpartition("/")
            groups[node] = self._groups.add(above)
            labels.append(distinct_labels.setdefault(label, label))
        # A node with the name of a scope stands inside it.
        for node, id in enumerate(listed):
            group = self._groups.find(id)
            if group is not None:
                groups[node], labels[node] = group, f"({labels[node]})"
        if self._groups.cut:
            self._problems.append(nested_too_deeply(self._groups.cut))
        return _Placed(listed, labels, groups)

    def _ids(self, names: list[str]) -> list[str]:
        is_clean = all(name and len(name) <= MAX_NAME_CHARS and name[-1] != "/" for name in names)
        if is_clean and len(set(names)) == len(names):
            return names
        ids = NodeIds()
        for name in names:
            ids.add(name)
        if ids.problem:
            self._problems.append(ids.problem)
        return ids.list

    def _name_layers(self, placed: _Placed) -> None:
        """The attribute `module` of a node says which layer its group is."""
        modules = self._columns["modules"]
        names = self._scanned.module_names()
        nodes = np.flatnonzero(modules)
        _, first = np.unique(placed.groups[nodes], return_index=True)
        for node in nodes[first]:
            id = placed.ids[node]
            path = id if self._groups.find(id) is not None else id.rpartition("/")[0]
            self._groups.describe(path, layer=names[modules[node]])


def _edge_table(columns: Columns) -> EdgeTable:
    names = ("sources", "targets", "outputs", "inputs", "is_control")
    return EdgeTable(*(columns[name] for name in names))


def _dtype_table(numbers: IntColumn) -> tuple[list[str], IntColumn]:
    """The distinct names of dtypes, the first of which is empty, and the column as indices of them."""
    index_of = {"": 0}
    distinct, inverse = np.unique(numbers, return_inverse=True)
    new_index = [index_of.setdefault(dtype_name(int(number)), len(index_of)) for number in distinct]
    return list(index_of), np.array(new_index, np.int32)[inverse]


def _shape_table(scanned: Sequence[Shape | None]) -> tuple[list[Shape | None], IntColumn]:
    """The distinct shapes, the first of which is None, and the new index of each; of -1, too, which is the last."""
    index_of: dict[Shape | None, int] = {None: 0}
    known = [None if shape is None else known_shape(shape) for shape in scanned]
    new_index = [index_of.setdefault(shape, len(index_of)) for shape in known]
    return list(index_of), np.array([*new_index, 0], np.int32)
