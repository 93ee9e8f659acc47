"""Reads and writes graphs as JSON of Google's Model Explorer, which is also the format in which Seamark exports them.

What the format has no field for is in attributes whose names start with "seamark:", so nothing is lost on the way
out and back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from seamark.graphs.attributes import AttributeValue, Large
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import ROOT, UNKNOWN_SIZE, Graph, GraphError, TensorType
from seamark.graphs.tensors import MAX_ELEMENTS, known_shape

FORMAT = "model_explorer"
OWN = "seamark:"
UNKNOWN = "unknown"  # parameters
TENSOR_SHAPE = "tensor_shape"
# "float32[8,128,?]", "float32" if the rank is not known.
_TENSOR_TEXT = re.compile(r"([^\[\]]*)(?:\[([^\]]*)\])?")
# A string that could be taken for another JSON value is written in quotes.
_LOOKS_LIKE_JSON = re.compile(r'[-\d"\[{]|(?:true|false|null|NaN|Infinity)$')


# Without the garbage collector, which would look at millions of small objects again and again.
class Attribute(msgspec.Struct, gc=False):
    key: str = ""
    value: Any = ""


class Metadata(msgspec.Struct, omit_defaults=True, gc=False):
    id: str = ""
    attrs: list[Attribute] = []


class IncomingEdge(msgspec.Struct, omit_defaults=True, gc=False):
    sourceNodeId: str = ""  # noqa: N815
    sourceNodeOutputId: str = ""  # noqa: N815
    targetNodeInputId: str = ""  # noqa: N815
    metadata: dict[str, Any] = {}


class GraphNode(msgspec.Struct, omit_defaults=True, gc=False):
    id: str
    label: str = ""
    namespace: str = ""
    attrs: list[Attribute] = []
    incomingEdges: list[IncomingEdge] = []  # noqa: N815
    outputsMetadata: list[Metadata] = []  # noqa: N815


class OneGraph(msgspec.Struct):
    id: str = ""
    nodes: list[GraphNode] = []
    groupNodeAttributes: dict[str, dict[str, Any]] = {}  # noqa: N815


class Collection(msgspec.Struct):
    label: str = ""
    graphs: list[OneGraph] = []


class Collections(msgspec.Struct):
    """A file holds one collection, or several in a list."""

    graphs: list[OneGraph] | None = None
    label: str = ""
    graphCollections: list[Collection] | None = None  # noqa: N815


def to_model_explorer(graph: Graph) -> bytes:
    nodes = [_written_node(graph, node) for node in range(len(graph.nodes))]
    edges = graph.edges
    positions = np.arange(len(edges)) - np.searchsorted(edges.targets, edges.targets)
    columns = (edges.sources, edges.targets, edges.source_outputs, edges.is_control, positions)
    for source, target, output, is_control, position in zip(*(column.tolist() for column in columns), strict=True):
        nodes[target].incomingEdges.append(
            IncomingEdge(
                sourceNodeId=graph.nodes.ids[source],
                sourceNodeOutputId=str(output),
                targetNodeInputId=str(position),
                metadata={f"{OWN}control": "true"} if is_control else {},
            )
        )
    one = OneGraph(id=graph.title, nodes=nodes, groupNodeAttributes=_written_groups(graph))
    return msgspec.json.encode(Collection(label=graph.title, graphs=[one]))


def _written_node(graph: Graph, node: int) -> GraphNode:
    nodes = graph.nodes
    parameters, trainable = int(nodes.parameters[node]), int(nodes.trainable_parameters[node])
    own: dict[str, AttributeValue] = {
        "op": graph.op(node),
        "device": nodes.device_names[nodes.devices[node]],
        "source": nodes.sources.get(node, ""),
        "parameters": UNKNOWN if nodes.has_unknown_parameters[node] else parameters,
    }
    attributes = [Attribute(f"{OWN}{name}", str(value)) for name, value in own.items() if value]
    if trainable != parameters:
        attributes.append(Attribute(f"{OWN}trainable", str(trainable)))
    attributes += [Attribute(name, _written_value(value)) for name, value in nodes.attributes.of(node).items()]
    return GraphNode(
        id=nodes.ids[node],
        label=nodes.labels[node],
        namespace=_path(graph, int(nodes.groups[node])),
        attrs=attributes,
        incomingEdges=[],
        outputsMetadata=[
            Metadata(str(at), [Attribute(TENSOR_SHAPE, tensor_text(type))])
            for at, type in enumerate(graph.outputs(node))
        ],
    )


def _written_groups(graph: Graph) -> dict[str, dict[str, Any]]:
    root = {f"{OWN}format": graph.format}
    root |= {f"{OWN}fact:{name}": _written_value(value) for name, value in graph.facts.items()}
    root |= {f"{OWN}problem:{at}": problem for at, problem in enumerate(graph.problems)}
    found: dict[str, dict[str, Any]] = {"": root}
    groups = graph.groups
    for group in range(ROOT + 1, len(groups)):
        known = {"label": groups.labels[group], "type": groups.types[group], "layer": groups.layers[group]}
        found[_path(graph, group)] = {f"{OWN}{name}": value for name, value in known.items() if value}
    return found


def _path(graph: Graph, group: int) -> str:
    return graph.groups.ids[group][:-1]


def _written_value(value: AttributeValue) -> str:
    if isinstance(value, str) and not _LOOKS_LIKE_JSON.match(value):
        return value
    if isinstance(value, Large):
        return msgspec.json.encode(value).decode()
    if isinstance(value, int):
        return str(value).lower()
    # msgspec would write null for infinity and NaN.
    return json.dumps(value, ensure_ascii=False)


@lru_cache(maxsize=1000)
def tensor_text(type: TensorType) -> str:
    if type.shape is None:
        return type.dtype
    sizes = ",".join("?" if size == UNKNOWN_SIZE else str(size) for size in type.shape)
    return f"{type.dtype}[{sizes}]"


def from_model_explorer(data: bytes, *, title: str) -> Graph:
    try:
        found = msgspec.json.decode(data, type=Collections)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise GraphError(f"the file is no Model Explorer JSON: {error}") from error
    collections = found.graphCollections or [Collection(found.label, found.graphs or [])]
    graphs = [graph for collection in collections for graph in collection.graphs]
    if not graphs:
        raise GraphError("the JSON has no 'graphs', so it is no graph of Model Explorer")
    return _Reader(graphs, title).read()


class _Reader:
    def __init__(self, graphs: list[OneGraph], title: str) -> None:
        self._graphs = graphs
        about = graphs[0].groupNodeAttributes.get("", {}) if len(graphs) == 1 else {}
        format = str(about.get(f"{OWN}format", FORMAT))[:40]
        is_own = f"{OWN}format" in about
        self._builder = GraphBuilder(graphs[0].id if is_own else title, format)
        self._is_own = is_own
        for name, value in about.items():
            if name.startswith(f"{OWN}fact:"):
                fact = _read_value(value)
                self._builder.facts[name.removeprefix(f"{OWN}fact:")] = fact if isinstance(fact, int) else str(fact)
            elif name.startswith(f"{OWN}problem:"):
                self._builder.add_problem(str(value)[:1000])

    def read(self) -> Graph:
        for number, graph in enumerate(self._graphs):
            # The graphs of one file, a model and its functions, stand side by side.
            above = f"{graph.id.replace('/', '_') or f'graph {number}'}/" if len(self._graphs) > 1 else ""
            self._add_groups(graph, above)
            self._add_nodes(graph, above)
        return self._builder.build()

    def _add_groups(self, graph: OneGraph, above: str) -> None:
        for path, known in graph.groupNodeAttributes.items():
            if path:
                label, type, layer = (str(known.get(f"{OWN}{name}", "")) for name in ("label", "type", "layer"))
                self._builder.groups.describe(f"{above}{path}", label=label, type=type, layer=layer)

    def _add_nodes(self, graph: OneGraph, above: str) -> None:
        indexes = [self._add_node(node, above) for node in graph.nodes]
        node_of = {node.id: (node, index) for node, index in zip(graph.nodes, indexes, strict=True)}
        for node, index in zip(graph.nodes, indexes, strict=True):
            for edge in node.incomingEdges:
                source = node_of.get(edge.sourceNodeId)
                self._builder.add_edge(
                    edge.sourceNodeId if source is None else source[1],
                    index,
                    output=0 if source is None else _output_number(source[0], edge.sourceNodeOutputId),
                    is_control=f"{OWN}control" in edge.metadata,
                )

    def _add_node(self, node: GraphNode, above: str) -> int:
        own = {one.key.removeprefix(OWN): one.value for one in node.attrs if one.key.startswith(OWN)}
        stated = own.get("parameters", 0)
        parameters = None if stated == UNKNOWN else _count(stated)
        return self._builder.add_node(
            f"{above}{node.id}",
            # Others write the op as the label.
            op=str(own.get("op", "" if self._is_own else node.label)),
            namespace=f"{above}{node.namespace}".rstrip("/"),
            label=node.label,
            attributes=self._attributes(one for one in node.attrs if not one.key.startswith(OWN)),
            outputs=[_tensor_type(output) for output in node.outputsMetadata],
            device=str(own.get("device", "")),
            source=str(own.get("source", ""))[:1000],
            parameters=parameters,
            trainable_parameters=_count(own.get("trainable", parameters or 0)),
        )

    def _attributes(self, found: Iterable[Attribute]) -> Mapping[str, AttributeValue]:
        if self._is_own:
            return {one.key: _read_value(one.value) for one in found}
        return {one.key: _foreign_value(one.value) for one in found}


def _read_value(value: Any) -> AttributeValue:
    if not isinstance(value, str):
        return _foreign_value(value)
    if not _LOOKS_LIKE_JSON.match(value):
        return value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    if isinstance(read, dict):
        text, size = read.get("text"), read.get("bytes")
        if isinstance(text, str) and isinstance(size, int) and 0 <= size < 1 << 60:
            return Large(text=text, bytes=size)
        return value
    return read


def _foreign_value(value: Any) -> AttributeValue:
    return value if isinstance(value, str | bool | int | float) else msgspec.json.encode(value).decode()


def _count(value: Any) -> int:
    text = str(value)
    return min(int(text), MAX_ELEMENTS) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _output_number(source: GraphNode, id: str) -> int:
    """An output is named by the id of its metadata, which is mostly its number."""
    if id.isascii() and id.isdigit() and len(id) < 7:
        return int(id)
    return next((at for at, output in enumerate(source.outputsMetadata) if output.id == id), 0)


def _tensor_type(output: Metadata) -> TensorType:
    text = next((one.value for one in output.attrs if one.key == TENSOR_SHAPE), "")
    return _parsed_type(text) if isinstance(text, str) and len(text) < 1000 else TensorType()


@lru_cache(maxsize=1000)
def _parsed_type(text: str) -> TensorType:
    match = _TENSOR_TEXT.fullmatch(text.strip())
    if match is None:
        return TensorType()
    dtype, sizes = match[1].strip()[:40], match[2]
    if sizes is None:
        return TensorType(dtype)
    return TensorType(dtype, known_shape(_size(size) for size in sizes.replace("x", ",").split(",") if size.strip()))


def _size(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
