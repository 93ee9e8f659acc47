"""Run metadata: the cost of each node in a profiled step, and the graphs of the step."""

from dataclasses import dataclass

from seamark.format.messages import RunMetadata, Summary, TaggedRunMetadata
from seamark.kinds.graph import blob_of
from seamark.kinds.payload import parse
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings

PLUGIN_NAME = "graph_run_metadata"
GRAPH_PLUGIN_NAME = "graph_run_metadata_graph"  # graphs only, no costs
TAGGED_PLUGIN_NAME = "graph_tagged_run_metadata"


@dataclass(frozen=True, slots=True, eq=False)
class RunProfile:
    message: RunMetadata
    devices: tuple[str, ...]
    node_stats: int
    partition_graphs: int
    function_graphs: int


def encode(tag: str, run_metadata: RunMetadata, *, graph_only: bool = False) -> Summary.Value:
    tensor = from_strings([run_metadata.SerializeToString()], shape=[])
    plugin_name = GRAPH_PLUGIN_NAME if graph_only else PLUGIN_NAME
    return tensor_value(tag, tensor, plugin_name=plugin_name, content=b"1")


def decode(data: bytes) -> RunProfile:
    """Decodes a summary value."""
    return _from_bytes(blob_of(data, "run metadata"))


def decode_tagged(data: bytes) -> RunProfile:
    """Decodes Event.tagged_run_metadata."""
    return _from_bytes(parse(TaggedRunMetadata, data, "tagged run metadata").run_metadata)


def _from_bytes(data: bytes) -> RunProfile:
    message = parse(RunMetadata, data, "run metadata")
    devices = message.step_stats.dev_stats
    return RunProfile(
        message=message,
        devices=tuple(stats.device for stats in devices),
        node_stats=sum(len(stats.node_stats) for stats in devices),
        partition_graphs=len(message.partition_graphs),
        function_graphs=len(message.function_graphs),
    )
