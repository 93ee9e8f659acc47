"""The small GPT as a graph, and the times and memory of one of its steps, from the tape of a pass."""

from __future__ import annotations

import linecache

from seamark.cli.demo.tape import Tape, Tensor
from seamark.format.messages import GraphDef, NodeDef, RunMetadata, VersionDef
from seamark.write.encode.graph.nodes import NodeNames, OutputType, make_typed_node
from seamark.write.encode.graph.source_lines import source_attributes

# TensorFlow's first graph version with the current layout.
GRAPH_PRODUCER = 22
DEVICE = "/device:CPU:0"


def graph_of(tape: Tape) -> GraphDef:
    names = node_names(tape)
    nodes = [_node(tensor, names) for tensor in tape.tensors]
    last = tape.tensors[-1]
    nodes.append(make_typed_node("output/loss", "Output", [names[last]], outputs=[_output(last)]))
    return GraphDef(node=nodes, versions=VersionDef(producer=GRAPH_PRODUCER))


def run_metadata_of(tape: Tape) -> RunMetadata:
    """What each operation took. Parameters and inputs take no time."""
    names = node_names(tape)
    message = RunMetadata()
    device = message.step_stats.dev_stats.add(device=DEVICE)
    start_micros = 1
    for tensor in tape.tensors:
        if tensor.backward is None:
            continue
        micros = max(1, round(tensor.secs * 1e6))
        stats = device.node_stats.add(
            node_name=names[tensor], all_start_micros=start_micros, all_end_rel_micros=micros, op_end_rel_micros=micros
        )
        stats.memory.add(allocator_name="numpy", total_bytes=tensor.value.nbytes, peak_bytes=tensor.value.nbytes)
        start_micros += micros
    return message


def node_names(tape: Tape) -> dict[Tensor, str]:
    unique = NodeNames()
    return {tensor: unique.add(tensor.scope, tensor.name) for tensor in tape.tensors}


def _node(tensor: Tensor, names: dict[Tensor, str]) -> NodeDef:
    file, line = tensor.source
    attributes = source_attributes(file, line, linecache.getline(file, line)) if file else {}
    return make_typed_node(
        names[tensor],
        tensor.op,
        [names[source] for source in tensor.inputs],
        outputs=[_output(tensor)],
        attributes={**attributes, "trainable": True} if tensor.op == "Parameter" else attributes,
    )


def _output(tensor: Tensor) -> OutputType:
    return OutputType(tensor.value.shape, str(tensor.value.dtype))
