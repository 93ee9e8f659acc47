"""Keras models, in the JSON that Keras 2 and 3 write."""

from __future__ import annotations

import json
from typing import Any

import pytest

from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.readers.keras import from_keras_archive, from_keras_config
from seamark.graphs.readers.keras.weights import stored_weights
from seamark.graphs.test_support import edges_of, keras_file, keras_layer, zipped
from seamark.graphs.texts import shape_text

Json = dict[str, Any]


def shared_layer_model() -> Json:
    """As Keras 3.15 writes it: two inputs through one layer, an inner model, two outputs."""
    inner = {
        "module": "keras",
        "class_name": "Sequential",
        "config": {
            "name": "inner",
            "layers": [
                keras_layer("InputLayer", "in", batch_shape=[None, 16], dtype="float32"),
                {**keras_layer("Dense", "d1", units=8), "build_config": {"input_shape": [None, 16]}},
                {**keras_layer("BatchNormalization", "bn", axis=-1), "build_config": {"input_shape": [None, 8]}},
            ],
        },
        "name": "inner",
        "inbound_nodes": keras_layer("", "", [[["add", 0, 0, [None, 16]]]])["inbound_nodes"],
    }
    layers = [
        keras_layer("InputLayer", "a", [], batch_shape=[None, 4], dtype="float32"),
        keras_layer("InputLayer", "b", [], batch_shape=[None, 4], dtype="float32"),
        keras_layer("Dense", "shared", [[["a", 0, 0, [None, 4]]], [["b", 0, 0, [None, 4]]]], units=16),
        keras_layer("Add", "add", [[["shared", 0, 0, [None, 16]], ["shared", 1, 0, [None, 16]]]]),
        inner,
        keras_layer("Dense", "out", [[["inner", 0, 0, [None, 8]]]], units=1),
        keras_layer("Dense", "out2", [[["inner", 0, 0, [None, 8]]]], units=2, trainable=False),
    ]
    config = {
        "name": "func",
        "layers": layers,
        "input_layers": [["a", 0, 0], ["b", 0, 0]],
        "output_layers": [["out", 0, 0], ["out2", 0, 0]],
    }
    return {"module": "keras", "class_name": "Functional", "config": config}


def sequential(*layers: Json, name: str = "seq") -> Json:
    return {"class_name": "Sequential", "config": {"name": name, "layers": list(layers)}}


def read(model: Json) -> Graph:
    return from_keras_config(model, title="model")


def test_a_shared_layer_inner_models_and_two_outputs() -> None:
    graph = from_keras_archive(keras_file(shared_layer_model()), title="model.keras")
    assert graph.facts == {"producer": "Keras 3.15.1"}
    assert len(graph.nodes) == 9, "a node for each layer"
    assert edges_of(graph) == [
        ("func/a", "func/shared"),
        ("func/b", "func/shared"),
        ("func/shared", "func/add"),
        ("func/shared", "func/add"),
        ("func/add", "func/inner/in"),
        ("func/inner/in", "func/inner/d1"),
        ("func/inner/d1", "func/inner/bn"),
        ("func/inner/bn", "func/out"),
        ("func/inner/bn", "func/out2"),
    ]
    shared = graph.nodes.ids.index("func/shared")
    assert graph.nodes.parameters[shared] == 4 * 16 + 16, "counted once"
    weights = [["kernel", [4, 16], True], ["bias", [16], True]]
    assert graph.nodes.attributes.of(shared) == {"units": 16, "calls": 2, "weight shapes": weights}
    assert graph.outputs(shared) == [TensorType("float32", (-1, 16))]
    assert graph.nodes.parameters.sum() == 80 + 136 + 32 + 9 + 18
    assert graph.nodes.trainable_parameters.sum() == 80 + 136 + 16 + 9, "without averages and what is not trainable"
    inner = graph.groups.ids.index("func/inner/")
    assert (graph.groups.types[inner], graph.groups.layers[inner]) == ("Sequential", "inner")
    assert graph.problems == ()


def test_shapes_and_parameters_of_a_sequential_model_follow_from_its_configs() -> None:
    # Counts and shapes of the same model in `model.summary()` of Keras 3.15.
    graph = read(
        sequential(
            keras_layer("InputLayer", "in", batch_shape=[None, 28, 28, 1]),
            keras_layer("Conv2D", "c1", filters=32, kernel_size=[3, 3], strides=[1, 1], padding="valid"),
            keras_layer("MaxPooling2D", "pool", pool_size=[2, 2], strides=[2, 2], padding="valid"),
            keras_layer("DepthwiseConv2D", "dw", kernel_size=[3, 3], strides=[1, 1], depth_multiplier=1),
            keras_layer("SeparableConv2D", "sep", filters=16, kernel_size=[3, 3], depth_multiplier=1),
            keras_layer("Flatten", "flat"),
            keras_layer("Dropout", "drop", rate=0.5),
            keras_layer("Dense", "dense", units=10),
        )
    )
    shapes = [graph.outputs(node)[0].shape for node in range(len(graph.nodes))]
    assert shapes == [
        (-1, 28, 28, 1), (-1, 26, 26, 32), (-1, 13, 13, 32), (-1, 11, 11, 32), (-1, 9, 9, 16), (-1, 1296),
        (-1, 1296), (-1, 10),
    ]  # fmt: skip
    assert graph.nodes.parameters.tolist() == [0, 320, 0, 320, 816, 0, 0, 12970]


# As `[(weight.path, weight.shape) for weight in layer.weights]` of Keras 3.15 has them.
@pytest.mark.parametrize(
    ("class_name", "config", "shape", "weights"),
    [
        ("Conv2D", {"filters": 8, "kernel_size": 3, "groups": 2}, [None, 5, 5, 4], "kernel 3×3×2×8, bias 8"),
        ("Conv2DTranspose", {"filters": 4, "kernel_size": 3}, [None, 5, 5, 6], "kernel 3×3×4×6, bias 4"),
        (
            "BatchNormalization",
            {},
            [None, 5, 6],
            "gamma 6, beta 6, moving_mean 6 fixed, moving_variance 6 fixed",
        ),
        ("GRU", {"units": 8}, [None, 32, 16], "kernel 16×24, recurrent_kernel 8×24, bias 2×24"),
        (
            "MultiHeadAttention",
            {"num_heads": 2, "key_dim": 4, "use_bias": False},
            [None, 32, 16],
            "query/kernel 16×2×4, key/kernel 16×2×4, value/kernel 16×2×4, attention_output/kernel 2×4×16",
        ),
    ],
)
def test_weights_have_the_names_and_shapes_of_keras(
    class_name: str, config: Json, shape: list[int | None], weights: str
) -> None:
    layer = keras_layer(class_name, "layer", **config)
    graph = read(sequential(keras_layer("InputLayer", "in", batch_shape=shape), layer))
    found = stored_weights(graph.nodes.attributes.of(1))
    texts = [f"{one.name} {shape_text(one.shape)}{'' if one.is_trainable else ' fixed'}" for one in found]
    assert ", ".join(texts) == weights
    frozen = read(
        sequential(
            keras_layer("InputLayer", "in", batch_shape=shape),
            {**layer, "config": {**layer["config"], "trainable": False}},
        )
    )
    assert not any(weight.is_trainable for weight in stored_weights(frozen.nodes.attributes.of(1)))
    assert stored_weights({"weight shapes": [["kernel", "<script>", True]]}) == [], "of a file that is not ours"


# Each with the count of `model.summary()` of Keras 3.15, or of the formula in its documentation.
@pytest.mark.parametrize(
    ("class_name", "config", "shape", "parameters", "output"),
    [
        ("Embedding", {"input_dim": 100, "output_dim": 16}, [None, 32], 1600, (-1, 32, 16)),
        ("LSTM", {"units": 8}, [None, 32, 16], 800, (-1, 8)),
        ("LSTM", {"units": 8, "return_sequences": True}, [None, 32, 16], 800, (-1, 32, 8)),
        ("GRU", {"units": 8, "reset_after": True}, [None, 32, 16], 624, (-1, 8)),
        ("SimpleRNN", {"units": 8, "use_bias": False}, [None, 32, 16], 192, (-1, 8)),
        ("MultiHeadAttention", {"num_heads": 2, "key_dim": 8}, [None, 32, 16], 1088, (-1, 32, 16)),
        ("LayerNormalization", {"axis": [-1]}, [None, 32, 16], 32, (-1, 32, 16)),
        ("Conv1D", {"filters": 4, "kernel_size": [3], "padding": "same", "strides": 2}, [None, 9, 6], 76, (-1, 5, 4)),
        ("Conv2DTranspose", {"filters": 4, "kernel_size": 3, "strides": 2}, [None, 5, 5, 6], 220, (-1, 11, 11, 4)),
        (
            "Conv2D",
            {"filters": 8, "kernel_size": 1, "groups": 2, "data_format": "channels_first"},
            [None, 4, 5, 5],
            24,
            (-1, 8, 5, 5),
        ),
        (
            "EinsumDense",
            {"equation": "abc,cd->abd", "output_shape": [7, 5], "bias_axes": "d"},
            [None, 7, 3],
            20,
            (-1, 7, 5),
        ),
        ("PReLU", {"shared_axes": [1]}, [None, 7, 5], 5, (-1, 7, 5)),
        ("GlobalAveragePooling2D", {}, [None, 7, 7, 5], 0, (-1, 5)),
        ("Reshape", {"target_shape": [-1, 5]}, [None, 7, 10], 0, (-1, 14, 5)),
        ("Permute", {"dims": [2, 1]}, [None, 7, 10], 0, (-1, 10, 7)),
        ("ZeroPadding2D", {"padding": [[1, 1], [2, 2]]}, [None, 7, 7, 5], 0, (-1, 9, 11, 5)),
        ("UpSampling2D", {"size": [2, 2]}, [None, 7, 7, 5], 0, (-1, 14, 14, 5)),
        (
            "Bidirectional",
            {"merge_mode": "concat", "layer": {"class_name": "GRU", "config": {"units": 8}}},
            [None, 32, 16],
            1248,
            (-1, 16),
        ),
        (
            "TimeDistributed",
            {"layer": {"class_name": "Dense", "config": {"units": 8}}},
            [None, 32, 16],
            136,
            (-1, 32, 8),
        ),
    ],
)
def test_parameters_and_shapes_of_layers(
    class_name: str, config: Json, shape: list[int | None], parameters: int, output: tuple[int, ...]
) -> None:
    graph = read(
        sequential(keras_layer("InputLayer", "in", batch_shape=shape), keras_layer(class_name, "layer", **config))
    )
    assert graph.nodes.parameters[1] == parameters
    assert graph.outputs(1)[0].shape == output


def test_the_json_of_keras_2() -> None:
    layers = [
        {"class_name": "InputLayer", "name": "a", "config": {"batch_input_shape": [None, 4], "name": "a"}, "inbound_nodes": []},
        {"class_name": "Dense", "name": "d", "config": {"units": 3, "name": "d", "dtype": "float32"},
         "inbound_nodes": [[["a", 0, 0, {}]]]},
        {"class_name": "Concatenate", "name": "c", "config": {"name": "c", "axis": -1},
         "inbound_nodes": [[["a", 0, 0, {}], ["d", 0, 0, {"mask": ["a", 0, 0]}]]]},
    ]  # fmt: skip
    model = {"class_name": "Model", "keras_version": "2.2.4-tf", "config": {"name": "model", "layers": layers}}
    graph = read(model)
    assert edges_of(graph) == [
        ("model/a", "model/d"),
        ("model/a", "model/c"),
        ("model/d", "model/c"),
        ("model/a", "model/c"),
    ]
    assert graph.nodes.parameters.tolist() == [0, 15, 0]
    assert graph.facts == {"producer": "Keras 2.2.4-tf"}
    # Before Keras 2.2 the config of a sequential model was a list.
    old = {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {
        "units": 3, "batch_input_shape": [None, 4]}}, {"class_name": "Dense", "config": {"units": 2}}]}  # fmt: skip
    assert read(old).nodes.parameters.sum() == 15 + 8


def test_a_custom_layer_is_a_problem() -> None:
    custom = {**keras_layer("MyLayer", "mine"), "module": "my_package"}
    graph = read(sequential(keras_layer("InputLayer", "in", batch_shape=[None, 4]), custom))
    assert graph.problems == ("the parameters of 1 layer are not known: MyLayer",)


def nested(depth: int) -> Json:
    model = keras_layer("Dense", "d", units=1)
    for at in range(depth):
        model = {"class_name": "Sequential", "config": {"name": f"m{at}", "layers": [model]}}
    return model


def test_bad_configs_are_errors_or_problems() -> None:
    with pytest.raises(GraphError, match="lists no layers"):
        read({"class_name": "MyModel", "config": {}})
    with pytest.raises(GraphError, match="nested more than 50 deep"):
        read(nested(60))
    with pytest.raises(GraphError, match="the JSON is nested too deeply"):
        from_keras_archive(zipped({"config.json": b'{"config":' * 10_000}), title="")
    with pytest.raises(GraphError, match="is no object"):
        from_keras_archive(zipped({"config.json": b"[1]"}), title="")
    with pytest.raises(GraphError, match=r"no 'config\.json'"):
        from_keras_archive(zipped({"other/config.json": b"{}"}), title="")
    layers = [
        keras_layer("Dense", "a/b", [[["c", 0, 0, [None, 4]]]], units="many", kernel_size={"a": 1}),
        keras_layer("Dense", "a/b", [[["nowhere", 0, 99999999999, [None, 4]]]], units=10**30),
        keras_layer("Conv2D", "c", [[["a/b", 0, 0, [None, 4]]]], filters=-1, kernel_size=[0], strides=[0, 0]),
    ]
    graph = read({"class_name": "Functional", "config": {"name": "<script>", "layers": layers}})
    assert graph.nodes.ids == ["<script>/a∕b", "<script>/a∕b#2", "<script>/c"]
    assert ("<script>/c", "<script>/a∕b") in edges_of(graph) and ("<script>/a∕b", "<script>/c") in edges_of(graph)
    assert len(graph.problems) == 3, graph.problems
    assert json.dumps(graph.problems)
