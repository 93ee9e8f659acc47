"""GraphBuilder: makes a Graph from nodes one by one, and checks names, inputs and nesting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from seamark.format.budget import hold
from seamark.graphs.attributes import AttributeTable, AttributeValue, pack_attributes
from seamark.graphs.form import Edges, Graph, GraphError, Nodes, Shape, TensorType
from seamark.graphs.grouping import GroupTable
from seamark.graphs.naming import MAX_NAME_CHARS, NodeIds
from seamark.graphs.problems import missing_inputs, nested_too_deeply

MAX_NODES = 2_000_000
# While a graph is built and drawn, without its texts.
NODE_BYTES = 800
EDGE_BYTES = 250


class GraphBuilder:
    def __init__(self, title: str, format: str) -> None:
        self.title, self.format = title, format
        self.groups = GroupTable()
        self.facts: dict[str, str | int] = {}
        self._problems: list[str] = []
        self._ids = NodeIds()
        self._labels: list[str] = []
        self._op_of = _Names()
        self._device_of = _Names([""])
        self._dtype_of = _Names([""])
        self._shape_of: dict[Shape | None, int] = {None: 0}
        self._columns: dict[str, list[int]] = {
            name: [] for name in ("op", "group", "device", "parameters", "trainable", "unknown", "dtype", "shape")
        }
        self._output_starts = [0]
        self._attributes: list[bytes] = []
        self._sources: dict[int, str] = {}
        self._edges: list[tuple[int, str | int, int, bool]] = []

    def add_node(
        self,
        id: str,
        *,
        op: str = "",
        namespace: str | None = None,
        label: str | None = None,
        attributes: Mapping[str, AttributeValue] | None = None,
        outputs: Sequence[TensorType] = (),
        device: str = "",
        source: str = "",
        parameters: int | None = 0,
        trainable_parameters: int | None = None,
    ) -> int:
        """Adds a node and returns its index.

        `namespace` is the path of its group, "a/b"; by default everything before the last slash of `id`. If `id` is
        taken, the node gets another one, and the graph a problem. `parameters` is None for weights of which the source
        does not say how large they are; `trainable_parameters` is `parameters` by default.
        """
        if len(self._labels) >= MAX_NODES:
            raise GraphError(f"the graph has more than {MAX_NODES:,} nodes, which is the limit")
        packed = pack_attributes(attributes or {})
        hold(NODE_BYTES + len(id) + len(packed))
        above, _, last = id.rpartition("/")
        node = len(self._labels)
        id = self._ids.add(id)
        self._labels.append((last if label is None else label)[:MAX_NAME_CHARS] or id[:MAX_NAME_CHARS])
        columns = self._columns
        columns["op"].append(self._op_of.index(op))
        columns["group"].append(self.groups.add(above if namespace is None else namespace))
        columns["device"].append(self._device_of.index(device))
        columns["parameters"].append(parameters or 0)
        columns["trainable"].append((parameters or 0) if trainable_parameters is None else trainable_parameters)
        columns["unknown"].append(parameters is None)
        for dtype, shape in outputs:
            columns["dtype"].append(self._dtype_of.index(dtype))
            columns["shape"].append(self._shape_of.setdefault(shape, len(self._shape_of)))
        self._output_starts.append(len(columns["dtype"]))
        self._attributes.append(packed)
        if source:
            self._sources[node] = source
        return node

    def add_edge(self, source: str | int, target: int, *, output: int = 0, is_control: bool = False) -> None:
        """Adds an input to `target`. `source` is a node's index, or the id of a node that may be added later."""
        hold(EDGE_BYTES)
        self._edges.append((target, source, output, is_control))

    def add_problem(self, sentence: str) -> None:
        self._problems.append(sentence)

    def build(self) -> Graph:
        groups, new_index = self.groups.build()
        edges = self._build_edges()
        if self._ids.problem:
            self.add_problem(self._ids.problem)
        if self.groups.cut:
            self.add_problem(nested_too_deeply(self.groups.cut))
        columns = self._columns
        nodes = Nodes(
            ids=self._ids.list,
            labels=self._labels,
            ops=np.array(columns["op"], np.int32),
            op_names=self._op_of.names,
            groups=new_index[np.array(columns["group"], np.int32)],
            devices=np.array(columns["device"], np.int32),
            device_names=self._device_of.names,
            parameters=np.array(columns["parameters"], np.int64),
            trainable_parameters=np.array(columns["trainable"], np.int64),
            has_unknown_parameters=np.array(columns["unknown"], bool),
            output_starts=np.array(self._output_starts, np.int32),
            output_dtypes=np.array(columns["dtype"], np.int32),
            output_shapes=np.array(columns["shape"], np.int32),
            attributes=_table(self._attributes),
            sources=self._sources,
        )
        return Graph(
            title=self.title,
            format=self.format,
            nodes=nodes,
            edges=edges,
            groups=groups,
            dtypes=self._dtype_of.names,
            shapes=list(self._shape_of),
            problems=tuple(self._problems),
            facts=self.facts,
        )

    def unused_id(self, id: str) -> str:
        """An id that no node has and that no group can have. For nodes that a reader names itself."""
        return self._ids.unused(id)

    def _build_edges(self) -> Edges:
        found: list[tuple[int, int, int, bool]] = []
        missing: list[str] = []
        for target, name, output, is_control in self._edges:
            source = name if isinstance(name, int) else self._ids.index_of.get(name)
            if source is None:
                missing.append(str(name))
            else:
                found.append((source, target, output, is_control))
        if missing:
            self.add_problem(missing_inputs(missing))
        columns = np.array(found, np.int32).reshape(-1, 4)
        columns = columns[np.argsort(columns[:, 1], kind="stable")]
        sources, targets, outputs, controls = (np.ascontiguousarray(column) for column in columns.T)
        return Edges(sources=sources, targets=targets, source_outputs=outputs, is_control=controls.astype(bool))


class _Names:
    """Distinct names in order of appearance."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._index_of = {name: index for index, name in enumerate(names)}

    def index(self, name: str) -> int:
        return self._index_of.setdefault(name, len(self._index_of))

    @property
    def names(self) -> list[str]:
        return list(self._index_of)


def _table(attributes: Sequence[bytes]) -> AttributeTable:
    starts = np.zeros(len(attributes) + 1, np.int64)
    np.cumsum([len(data) for data in attributes], out=starts[1:])
    return AttributeTable("msgpack", b"".join(attributes), starts)
