"""Graphs of the real TensorFlow: functions, control flow, traces, saved models and run metadata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.graphs.form import Graph
from seamark.graphs.profiles import profile_of
from seamark.graphs.readers import read_bytes, read_file
from seamark.graphs.readers.graph_def import from_run_metadata
from seamark.kinds import graph as graph_kind
from seamark.store import LogRoot, Store

tf = pytest.importorskip("tensorflow", reason="run it with `make test-integrations`")


class Model(tf.Module):  # type: ignore[misc, name-defined]
    def __init__(self) -> None:
        super().__init__()
        self.w, self.b = tf.Variable(tf.ones([10, 4])), tf.Variable(tf.zeros([4]))

    @tf.function(input_signature=[tf.TensorSpec([5, 10], name="x")])  # type: ignore[untyped-decorator]
    def dense(self, x: Any) -> Any:
        return tf.nn.relu(tf.matmul(x, self.w) + self.b)

    @tf.function(input_signature=[tf.TensorSpec([5, 10], name="x")])  # type: ignore[untyped-decorator]
    def __call__(self, x: Any) -> Any:
        y = self.dense(x)
        y = tf.cond(tf.reduce_sum(y) > 0, lambda: y * 2, lambda: y - 1)
        _, y = tf.while_loop(lambda i, _: i < 3, lambda i, z: (i + 1, z + 1.0), (0, y))
        return tf.reduce_mean(y)


def parameters(model: Any) -> int:
    return sum(int(np.prod(variable.shape)) for variable in model.variables)


def types(graph: Graph) -> dict[str, str]:
    return {id: type for id, type in zip(graph.groups.ids, graph.groups.types, strict=True) if type}


def sources_of(graph: Graph, id: str) -> list[str]:
    node = graph.nodes.ids.index(id)
    return [graph.nodes.ids[source] for source in graph.edges.sources[graph.edges.targets == node]]


def test_functions_and_control_flow_stand_where_they_are_called() -> None:
    model = Model()
    message = model.__call__.get_concrete_function().graph.as_graph_def(add_shapes=True)
    graph = read_bytes(message.SerializeToString(), "graph.pb")
    assert graph.problems == ()
    inside = sum(len(f.node_def) + len(f.signature.input_arg) + len(f.signature.output_arg) for f in message.library.function)  # fmt: skip
    assert len(graph.nodes) == len(message.node) + inside
    assert graph.nodes.parameters.sum() == parameters(model) == 44
    assert {"StatefulPartitionedCall/", "cond/then_branch/", "cond/else_branch/", "while/cond/", "while/body/"} == set(types(graph))  # fmt: skip
    assert sources_of(graph, "StatefulPartitionedCall/MatMul")[0] == "StatefulPartitionedCall/x"
    assert "StatefulPartitionedCall/identity" in sources_of(graph, "Sum")
    text = read_bytes(str(message).encode(), "graph.pbtxt")
    assert text.nodes.ids == graph.nodes.ids and len(text.edges) == len(graph.edges)


def test_a_saved_model(tmp_path: Path) -> None:
    model = Model()
    tf.saved_model.save(model, str(tmp_path))
    graph = read_file(tmp_path / "saved_model.pb")
    assert graph.problems == () and graph.nodes.parameters.sum() == parameters(model)


def test_a_trace_of_a_function(tmp_path: Path) -> None:
    writer = tf.summary.create_file_writer(str(tmp_path))
    tf.summary.trace_on(graph=True)
    Model()(tf.ones([5, 10]))
    with writer.as_default():
        tf.summary.trace_export("step", step=0)
    writer.close()
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(60)
        (info,) = store.series(kind="graph_run_metadata_graph")
        data = store.payload(info.run, info.tag, info.kind, 0)
    graph = from_run_metadata(graph_kind.blob_of(data, "run metadata"), title="step")
    assert graph.problems == () and {"cond/then_branch/", "while/body/"} <= set(types(graph))


def test_the_costs_of_a_step() -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default() as tf_graph, v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 10], name="x")
        with v1.name_scope("layer"):
            hidden = tf.nn.relu(tf.matmul(x, v1.get_variable("w", [10, 20])))
        train = v1.train.AdamOptimizer().minimize(tf.reduce_mean(hidden**2))
        session.run(v1.global_variables_initializer())
        metadata, options = v1.RunMetadata(), v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
        session.run(train, {x: np.ones((7, 10))}, options=options, run_metadata=metadata)
    graph = read_bytes(tf_graph.as_graph_def(add_shapes=True).SerializeToString(), "graph.pb")
    assert graph.nodes.parameters.sum() == 200, "Adam's own variables do not count"
    profile = profile_of(graph, metadata.SerializeToString())
    product = graph.nodes.ids.index("layer/MatMul")
    assert profile.time_us[product] > 0 and profile.memory_bytes[product] == 7 * 20 * 4
    assert profile.outputs[product] == (("float32", (7, 20)),)
