"""GraphDefs for tests, and what tests compare of them."""

from __future__ import annotations

from seamark.format.messages import DataType, FunctionDef, GraphDef, NodeDef, OpDef, TensorShape
from seamark.graphs.form import Graph
from seamark.graphs.readers.graph_def import from_graph_def

ArgDef = OpDef.ArgDef


def read(*nodes: NodeDef, functions: tuple[FunctionDef, ...] = ()) -> Graph:
    graph = GraphDef(node=nodes)
    graph.library.function.extend(functions)
    return from_graph_def(graph.SerializeToString(), title="test")


def node(name: str, *inputs: str, op: str = "Op") -> NodeDef:
    return NodeDef(name=name, op=op, input=inputs)


def shape(*sizes: int) -> TensorShape:
    return TensorShape(dim=[TensorShape.Dim(size=size) for size in sizes])


def edges(graph: Graph) -> list[str]:
    """ "source:output→target", with a caret for a control edge."""
    ids, columns = graph.nodes.ids, graph.edges
    return [
        f"{'^' if control else ''}{ids[source]}{f':{output}' if output else ''}→{ids[target]}"
        for source, target, output, control in zip(
            columns.sources, columns.targets, columns.source_outputs, columns.is_control, strict=True
        )
    ]


def group_ids(graph: Graph) -> dict[str, str]:
    return {id: graph.groups.ids[group] for id, group in zip(graph.nodes.ids, graph.nodes.groups, strict=True)}


def variable(name: str, *sizes: int, op: str = "VariableV2") -> NodeDef:
    made = node(name, op=op)
    made.attr["shape"].shape.CopyFrom(shape(*sizes))
    return made


def function(name: str, *nodes: NodeDef, arguments: tuple[str, ...] = ("x",), results: dict[str, str]) -> FunctionDef:
    signature = OpDef(
        name=name,
        input_arg=[ArgDef(name=one, type=DataType.DT_FLOAT) for one in arguments],
        output_arg=[ArgDef(name=one, type=DataType.DT_FLOAT) for one in results],
    )
    return FunctionDef(signature=signature, node_def=nodes, ret=results)


def call(name: str, target: str, *inputs: str, op: str = "PartitionedCall", attribute: str = "f") -> NodeDef:
    made = node(name, *inputs, op=op)
    made.attr[attribute].func.name = target
    return made


def length_prefixed(content: bytes) -> bytes:
    size, head = len(content), bytearray()
    while size >= 128:
        head.append(size & 127 | 128)
        size >>= 7
    return bytes([*head, size]) + content
