"""Graphs: the operations of a model."""

from dataclasses import dataclass

from seamark.format.messages import GraphDef, MetaGraphDef, Summary
from seamark.kinds.payload import DecodeError, parse, parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings, strings_of

PLUGIN_NAME = "graphs"
RUN_GRAPH_TAG = "__run_graph__"  # TensorBoard's tag for the graph of a run, which has none


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    message: GraphDef
    nodes: int
    functions: int
    function_nodes: int
    producer: int  # version of the program that made it

    @property
    def ops(self) -> frozenset[str]:
        return frozenset(node.op for node in self.message.node)


def encode(graph: GraphDef) -> bytes:
    """The bytes for Event.graph_def; see summary.graph_record."""
    return graph.SerializeToString()


def encode_value(graph: GraphDef) -> Summary.Value:
    """The graph as a summary value, the form TensorBoard turns Event.graph_def into."""
    tensor = from_strings([graph.SerializeToString()], shape=[1])
    return tensor_value(RUN_GRAPH_TAG, tensor, plugin_name=PLUGIN_NAME)


def decode(data: bytes) -> Graph:
    """From Event.graph_def."""
    return of_message(parse(GraphDef, data, "graph"))


def decode_meta_graph(data: bytes) -> Graph:
    """From Event.meta_graph_def: the graph inside it."""
    message = parse(MetaGraphDef, data, "meta graph")
    if not message.HasField("graph_def"):
        raise DecodeError("meta graph holds no graph")
    return of_message(message.graph_def)


def decode_value(data: bytes) -> Graph:
    """From a summary value of the plugin "graphs"."""
    return decode(blob_of(data, "graph"))


def blob_of(data: bytes, what: str) -> bytes:
    """The one string in a summary value, of rank 0 or 1."""
    strings = strings_of(parse_value(data, what), what)
    if strings.size != 1:
        raise DecodeError(f"{what} is not one string: got shape {list(strings.shape)}")
    blob: bytes = strings.item()
    return blob


def of_message(message: GraphDef) -> Graph:
    functions = message.library.function
    return Graph(
        message=message,
        nodes=len(message.node),
        functions=len(functions),
        function_nodes=sum(len(function.node_def) for function in functions),
        producer=message.versions.producer,
    )
