"""Graphs, Keras models and run metadata in all their forms."""

import json

import pytest

from seamark.format.messages import (
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
    MetaGraphDef,
    NodeDef,
    RunMetadata,
    TaggedRunMetadata,
    VersionDef,
)
from seamark.format.types import Form
from seamark.kinds import DecodeError, decode, graph, keras_model, run_metadata

GRAPH = GraphDef(
    node=[NodeDef(name="x", op="Const"), NodeDef(name="y", op="Neg", input=["x"])],
    library=FunctionDefLibrary(function=[FunctionDef(node_def=[NodeDef(name="z", op="Neg")])]),
    versions=VersionDef(producer=21),
)


def test_a_graph_is_read_from_the_event_from_a_value_and_from_a_meta_graph() -> None:
    meta = MetaGraphDef(graph_def=GRAPH).SerializeToString()
    value = graph.encode_value(GRAPH).SerializeToString()
    for decoded in (
        decode("graphs", graph.encode(GRAPH)),
        decode("graphs", value, form=Form.TENSOR),
        decode("meta_graph", meta),
    ):
        assert isinstance(decoded, graph.Graph)
        assert decoded.message == GRAPH
        assert (decoded.nodes, decoded.functions, decoded.function_nodes, decoded.producer) == (2, 1, 1, 21)
        assert decoded.ops == {"Const", "Neg"}


def test_a_meta_graph_without_a_graph_is_an_error() -> None:
    with pytest.raises(DecodeError, match="holds no graph"):
        graph.decode_meta_graph(b"")


@pytest.mark.parametrize(
    ("config", "name", "layers"),
    [({"name": "net", "layers": [{}, {}]}, "net", 2), ([{}, {}, {}], "", 3), (None, "", 0)],
)
def test_keras_models_of_old_and_new_versions(config: object, name: str, layers: int) -> None:
    text = json.dumps({"class_name": "Sequential", "config": config, "keras_version": "2.12.0"})
    decoded = keras_model.decode(keras_model.encode(text).SerializeToString())
    assert (decoded.class_name, decoded.name, decoded.layers, decoded.keras_version) == (
        "Sequential",
        name,
        layers,
        "2.12.0",
    )
    assert decoded.text == text


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000])
def test_invalid_keras_models_are_errors(text: str) -> None:
    with pytest.raises(DecodeError, match="keras model"):
        keras_model.decode(keras_model.encode(text).SerializeToString())


def test_run_metadata_is_read_from_a_value_and_from_the_event() -> None:
    metadata = RunMetadata()
    device = metadata.step_stats.dev_stats.add(device="/gpu:0")
    device.node_stats.add(node_name="x", op_end_rel_micros=5)
    metadata.partition_graphs.add().CopyFrom(GRAPH)
    metadata.function_graphs.add()
    tagged = TaggedRunMetadata(tag="step1", run_metadata=metadata.SerializeToString()).SerializeToString()
    value = run_metadata.encode("step1", metadata).SerializeToString()
    for decoded in (
        decode("graph_run_metadata", value),
        decode("graph_run_metadata_graph", value),
        decode("graph_tagged_run_metadata", tagged),
        decode("graph_tagged_run_metadata", value, form=Form.TENSOR),
    ):
        assert isinstance(decoded, run_metadata.RunProfile)
        assert decoded.message == metadata
        assert decoded.devices == ("/gpu:0",)
        assert (decoded.node_stats, decoded.partition_graphs, decoded.function_graphs) == (1, 1, 1)
