"""Profiles: time, memory and device of each node, as TensorBoard joins them with the graph."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.format.messages import (
    AllocatorMemoryUsed,
    DataType,
    DeviceStepStats,
    NodeExecStats,
    NodeOutput,
    RunMetadata,
    TensorDescription,
    TensorShape,
)
from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.profiles import Profile, profile_of, with_profile_outputs
from seamark.graphs.readers.graph_def import from_run_metadata
from seamark.graphs.readers.test_support import call, function, node, read, shape


def stats(name: str, start: int, micros: int, *memory: int) -> NodeExecStats:
    used = [AllocatorMemoryUsed(total_bytes=size) for size in memory]
    return NodeExecStats(node_name=name, all_start_micros=start, all_end_rel_micros=micros, memory=used)


def profile(graph: Graph, **devices: list[NodeExecStats]) -> Profile:
    message = RunMetadata()
    for device, node_stats in devices.items():
        message.step_stats.dev_stats.append(DeviceStepStats(device=device, node_stats=node_stats))
    return profile_of(graph, message.SerializeToString())


def test_time_spans_all_executions_and_memory_is_that_of_the_largest() -> None:
    graph = read(node("a"), node("a/b"), node("c"))
    found = profile(
        graph,
        cpu=[stats("a", 100, 10, 5, 7, -3), stats("a/b", 100, 0), stats("gone", 0, 1)],
        gpu=[stats("a", 130, 5, 4), stats("a/b:MatMul", 200, 9)],
    )
    np.testing.assert_equal(found.time_us, [35, 9, np.nan])
    np.testing.assert_equal(found.memory_bytes, [12, 0, np.nan])
    assert [found.device_names[device] for device in found.devices] == ["gpu", "gpu", ""]
    assert (found.matched, found.unmatched) == (4, 1)


def test_nodes_of_functions_run_under_their_own_names() -> None:
    square = function("square", node("mul", "x", "x"), results={"y": "mul:z:0"})
    graph = read(node("in"), call("run/call", "square", "in"), functions=(square,))
    found = profile(graph, cpu=[stats("mul", 0, 3)])
    assert found.time_us[graph.nodes.ids.index("run/call/mul")] == 3


def test_nodes_of_merged_graphs_run_under_their_own_names() -> None:
    message = RunMetadata()
    for name in ("a", "b"):
        message.function_graphs.add().pre_optimization_graph.node.append(node(name))
    graph = from_run_metadata(message.SerializeToString(), title="")
    assert profile(graph, cpu=[stats("b", 0, 3)]).time_us.tolist()[1] == 3


def test_a_step_states_the_shapes_that_the_graph_lacks() -> None:
    known = node("known")
    known.attr["_output_shapes"].list.shape.append(shape(1, 2))
    partly = node("open batch")
    partly.attr["_output_shapes"].list.shape.append(shape(-1))
    graph = read(node("a"), known, node("b"), partly)
    description = TensorDescription(dtype=DataType.DT_FLOAT, shape=TensorShape(dim=[TensorShape.Dim(size=4)]))
    outputs = [NodeOutput(slot=slot, tensor_description=description) for slot in (1, 0)]
    ran = [NodeExecStats(node_name=name, output=outputs) for name in ("known", "b", "open batch")]
    filled = with_profile_outputs(graph, profile(graph, cpu=ran))
    assert filled.outputs(0) == []
    assert filled.outputs(1) == [TensorType("", (1, 2))]
    assert filled.outputs(2) == [TensorType("float32", (4,))] * 2
    assert filled.outputs(3)[0] == TensorType("float32", (4,))


def test_malformed_run_metadata_is_an_error() -> None:
    with pytest.raises(GraphError, match="run metadata cannot be read"):
        profile_of(read(node("a")), b"\xff\xff")
