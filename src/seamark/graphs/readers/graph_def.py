"""Reads GraphDef and MetaGraphDef, the graphs of TensorFlow, torch and tensorboardX, into the one form."""

from __future__ import annotations

import math
from collections.abc import Iterable

from google.protobuf.message import DecodeError

from seamark.format.messages import FunctionDef, GraphDef, MetaGraphDef, NodeDef
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.readers.node_attributes import dtype_name, plain_values, shape_of

FORMAT = "graph_def"
VARIABLE_OPS = frozenset({"VariableV2", "Variable", "VarHandleOp", "Parameter"})
# The attribute that states the dtype of a node's outputs, the first that a node has.
DTYPE_ATTRIBUTES = ("dtype", "DstT", "T", "output_type")


def from_graph_def(data: bytes, *, title: str) -> Graph:
    try:
        message = GraphDef.FromString(data)
    except DecodeError as error:
        raise GraphError(f"this is no GraphDef: {error}; want a .pb file of TensorFlow or torch") from error
    return _read(message, title)


def from_meta_graph(data: bytes, *, title: str) -> Graph:
    try:
        message = MetaGraphDef.FromString(data)
    except DecodeError as error:
        raise GraphError(f"this is no MetaGraphDef: {error}") from error
    return _read(message.graph_def, title)


def _read(message: GraphDef, title: str) -> Graph:
    builder = GraphBuilder(title, FORMAT)
    builder.facts["producer"] = message.versions.producer
    _add_nodes(builder, message.node, "")
    for function in message.library.function:
        _add_function(builder, function)
    return builder.build()


def _add_function(builder: GraphBuilder, function: FunctionDef) -> None:
    name = function.signature.name
    scope = f"functions/{name}/"
    for argument in function.signature.input_arg:
        builder.add_node(f"{scope}{argument.name}", op="_Arg", outputs=[TensorType(dtype_name(argument.type))])
    _add_nodes(builder, function.node_def, scope)
    builder.groups.describe(scope, type=f"function {name}")


def _add_nodes(builder: GraphBuilder, nodes: Iterable[NodeDef], scope: str) -> None:
    nodes = list(nodes)
    scopes = _scopes_of(scope + node.name for node in nodes)
    for node in nodes:
        name = scope + node.name
        is_scope = name in scopes
        label = name.rpartition("/")[2]
        index = builder.add_node(
            name,
            op=node.op,
            namespace=name if is_scope else None,
            label=f"({label})" if is_scope else None,
            attributes=plain_values(node.attr),
            outputs=_outputs(node),
            device=node.device,
            source=node.attr["source"].s.decode(errors="replace") if "source" in node.attr else "",
            parameters=_parameters(node),
            trainable_parameters=0 if "trainable" in node.attr and not node.attr["trainable"].b else None,
        )
        for input in node.input:
            _add_input(builder, input, index, scope)


def _scopes_of(names: Iterable[str]) -> set[str]:
    scopes: set[str] = set()
    for name in names:
        above = name.rpartition("/")[0]
        while above and above not in scopes:
            scopes.add(above)
            above = above.rpartition("/")[0]
    return scopes


def _add_input(builder: GraphBuilder, input: str, target: int, scope: str) -> None:
    is_control = input.startswith("^")
    name, _, port = input.removeprefix("^").partition(":")
    last = port.rpartition(":")[2]
    builder.add_edge(scope + name, target, output=int(last) if last.isdecimal() else 0, is_control=is_control)


def _outputs(node: NodeDef) -> list[TensorType]:
    attributes = node.attr
    shapes = (
        [shape_of(shape) for shape in attributes["_output_shapes"].list.shape] if "_output_shapes" in attributes else []
    )
    if not shapes and "shape" in attributes and attributes["shape"].WhichOneof("value") == "shape":
        shapes = [shape_of(attributes["shape"].shape)]
    dtypes = list(attributes["_output_types"].list.type) if "_output_types" in attributes else []
    given = next((attributes[name].type for name in DTYPE_ATTRIBUTES if name in attributes), 0)
    count = max(len(shapes), len(dtypes), 1 if given else 0)
    dtypes += [given] * (count - len(dtypes))
    shapes += [None] * (count - len(shapes))
    return [TensorType(dtype_name(dtype), shape) for dtype, shape in zip(dtypes, shapes, strict=True)]


def _parameters(node: NodeDef) -> int:
    if node.op not in VARIABLE_OPS:
        return 0
    shapes = [shape for _, shape in _outputs(node)]
    if node.op == "VarHandleOp" and "shape" in node.attr:
        shapes = [shape_of(node.attr["shape"].shape)]
    return math.prod(shapes[0]) if shapes and shapes[0] is not None and min(shapes[0], default=0) >= 0 else 0
