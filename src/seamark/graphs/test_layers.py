"""The layers table of real models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from seamark import SummaryWriter
from seamark.format.messages import DataType
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.costs import costs_of
from seamark.graphs.form import Graph, TensorType
from seamark.graphs.layer_names import layer_of_node
from seamark.graphs.layers import LayersTable, layers_table
from seamark.graphs.readers import read_bytes
from seamark.graphs.readers.graph_def import from_graph_def
from seamark.graphs.readers.keras import from_keras_config
from seamark.graphs.readers.keras.test_keras import shared_layer_model
from seamark.graphs.readers.test_support import node, read, shape
from seamark.graphs.test_support import exported_file, onnx_file, torch_models
from seamark.write.test_support import events_in

MODELS = torch_models()


def table_of(graph: Graph) -> LayersTable:
    return layers_table(graph, costs_of(graph))


@pytest.mark.parametrize("name", MODELS)
def test_every_module_has_a_row_with_its_parameters(name: str) -> None:
    model, example = MODELS[name]
    table = table_of(read_bytes(exported_file(model, example), "model.pt2"))
    names = {module or type(model).__name__: layer for module, layer in model.named_modules()}
    operations = {name for name, op in zip(table.names, table.ops, strict=True) if op.startswith("aten.")}
    assert set(table.names) - operations == set(names)
    rows = dict(
        zip(table.names, zip(table.ops, table.parameters, table.trainable_parameters, strict=True), strict=True)
    )
    for layer, module in names.items():
        if layer == "lm_head":
            continue  # its weight is that of wte
        parameters = list(module.parameters())
        trainable = sum(p.numel() for p in parameters if p.requires_grad)
        assert rows[layer] == (type(module).__name__, sum(p.numel() for p in parameters), trainable)
    assert table.totals.parameters == sum(p.numel() for p in model.parameters())


def test_shapes_costs_and_depths() -> None:
    model, example = MODELS["gpt"]
    table = table_of(read_bytes(exported_file(model, example), "model.pt2"))
    at = table.names.index("h.1.mlp.0")
    assert table.ids[at] == "GPT/ModuleList[h]/Block[1]/Sequential[mlp]/Linear[0]/"
    assert (table.shapes[at], table.depths[at]) == ("2×8×64", 4)
    assert table.multiply_adds[at] == 2 * 8 * 16 * 64
    assert table.activation_bytes[at] == 2 * 8 * 64 * 4
    assert table.shapes[table.names.index("GPT")] == "2×8×50"
    assert table.shapes[table.names.index("h.0.attn")] == "2×8×16", "what leaves the layer"
    assert table.multiply_adds[table.names.index("GPT")] == table.totals.multiply_adds
    assert (
        table.totals.multiply_adds == costs_of(read_bytes(exported_file(model, example), "m.pt2")).multiply_adds.sum()
    )
    assert table.names[:4] == ["GPT", "wte", "wpe", "h"]


def test_layers_are_in_the_order_in_which_they_run(tmp_path: Path) -> None:
    """Also in the graph of an event file, which lists weights first and has no class for the model itself."""
    model, example = MODELS["gpt"]
    exported = table_of(read_bytes(exported_file(model, example), "model.pt2"))
    logged = table_of(from_graph_def(logged_graph(tmp_path, model, example), title=""))
    assert exported.names == logged.names
    assert exported.ops == logged.ops
    assert exported.multiply_adds == logged.multiply_adds
    assert exported.parameters == logged.parameters
    at = exported.names.index("h.0")
    attention = ["attn", "attn.c_attn", "attn.scaled_dot_product_attention", "attn.c_proj"]
    names = ["h.0", "ln_1", *attention, "ln_2", "mlp", "mlp.0", "mlp.1", "mlp.2"]
    assert [name.removeprefix("h.0.") for name in exported.names[at : at + 11]] == names


@pytest.mark.parametrize("name", MODELS)
def test_the_innermost_rows_have_all_multiply_adds(name: str) -> None:
    """An operation beside the layers of a module has a row of its own."""
    model, example = MODELS[name]
    table = table_of(read_bytes(exported_file(model, example), "model.pt2"))
    depths = [*table.depths, 0]
    innermost = [at for at in range(len(table)) if depths[at + 1] <= depths[at]]
    assert sum(table.multiply_adds[at] or 0 for at in innermost) == table.totals.multiply_adds


def test_equal_operations_of_equal_blocks_have_one_name() -> None:
    model, example = MODELS["bert"]
    table = table_of(read_bytes(exported_file(model, example), "model.pt2"))
    products = [at for at, name in enumerate(table.names) if name.endswith("attn.matmul")]
    assert [table.names[at] for at in products] == ["encoder.0.attn.matmul"] * 2 + ["encoder.1.attn.matmul"] * 2
    assert [table.first_equal[at] for at in products[2:]] == products[:2], "queries with keys, then with values"


def logged_graph(folder: Path, model: nn.Module, example: torch.Tensor) -> bytes:
    with SummaryWriter(str(folder)) as writer:
        writer.add_graph(model, example)
    return next(event.graph_def for event in events_in(folder) if event.graph_def)


def test_a_layer_names_the_first_one_that_it_is_equal_to() -> None:
    model, example = MODELS["gpt"]
    table = table_of(read_bytes(exported_file(model, example), "model.pt2"))
    first = dict(zip(table.names, (table.names[at] for at in table.first_equal), strict=True))
    assert [first[name] for name in ("h.0", "h.1", "h.2", "h.2.attn", "wpe")] == [
        "h.0",
        "h.0",
        "h.0",
        "h.0.attn",
        "wpe",
    ]
    # Two norms of a block have equal content, but names of their own.
    assert [first[name] for name in ("h.1.ln_1", "h.1.ln_2", "ln_f")] == ["h.0.ln_1", "h.0.ln_2", "ln_f"]
    # Layers of one operation: nodes, not groups.
    keras = table_of(from_keras_config(shared_layer_model(), title=""))
    assert keras.first_equal == list(range(len(keras)))


def test_times_are_sums() -> None:
    model, example = MODELS["bert"]
    graph = read_bytes(exported_file(model, example), "model.pt2")
    times = np.full(len(graph.nodes), np.nan)
    times[graph.nodes.ids.index("Bert/Sequential[encoder]/Block[0]/Sequential[mlp]/Linear[0]/linear_2")] = 3.0
    times[graph.nodes.ids.index("Bert/Sequential[encoder]/Block[0]/Sequential[mlp]/GELU[1]/gelu")] = 4.0
    table = layers_table(graph, costs_of(graph), times)
    found = dict(zip(table.names, table.times, strict=True))
    assert (found["encoder.0.mlp"], found["encoder.0.mlp.0"], found["encoder.1"]) == (7.0, 3.0, None)
    assert table.totals.time == 7.0


def test_layers_of_a_keras_model_are_its_nodes() -> None:
    table = table_of(from_keras_config(shared_layer_model(), title=""))
    assert list(zip(table.names, table.ops, table.shapes, table.parameters, table.depths, strict=True)) == [
        ("func", "Functional", "?×2", 275, 0),
        ("a", "InputLayer", "?×4", 0, 1),
        ("b", "InputLayer", "?×4", 0, 1),
        ("shared", "Dense", "?×16", 80, 1),
        ("add", "Add", "?×16", 0, 1),
        ("inner", "Sequential", "?×8", 168, 1),
        ("inner.in", "InputLayer", "?×16", 0, 2),
        ("inner.d1", "Dense", "?×8", 136, 2),
        ("inner.bn", "BatchNormalization", "?×8", 32, 2),
        ("out", "Dense", "?×1", 9, 1),
        ("out2", "Dense", "?×2", 18, 1),
    ]
    assert table.totals.trainable_parameters == 241
    assert table.totals.multiply_adds == 2 * 4 * 16 + 16 * 8 + 8 + 16, "the shared layer runs twice"
    assert table.totals.is_per_example


def dense_layer(batch: int) -> Graph:
    """As tf.function writes a dense layer: its weights are below the names of the operations that read them."""
    product = node("net/dense/MatMul", "x", "net/dense/MatMul/ReadVariableOp", op="MatMul")
    biased = node("net/dense/BiasAdd", "net/dense/MatMul", "net/dense/BiasAdd/ReadVariableOp", op="BiasAdd")
    nodes = [(node("x", op="Placeholder"), (batch, 4)), (product, (batch, 3)), (biased, (batch, 3))]
    for name, sizes in {"net/dense/MatMul": (4, 3), "net/dense/BiasAdd": (3,)}.items():
        handle = node(f"{name}/ReadVariableOp/resource", op="Placeholder")
        nodes += [(handle, ()), (node(f"{name}/ReadVariableOp", handle.name, op="ReadVariableOp"), sizes)]
    for one, sizes in nodes:
        one.attr["_output_shapes"].list.shape.append(shape(*sizes))
        one.attr["T"].type = DataType.DT_FLOAT
    return read(*(one for one, _ in nodes))


def test_a_layer_of_tensorflow_2_owns_the_weights_below_the_names_of_its_operations() -> None:
    table = table_of(dense_layer(batch=8))
    assert list(zip(table.names, table.shapes, table.parameters, table.multiply_adds, strict=True)) == [
        ("net/dense", "8×3", 15, 96.0)
    ]
    assert not table.totals.is_per_example
    assert table_of(dense_layer(batch=-1)).totals.is_per_example


def test_without_shapes_costs_are_not_known() -> None:
    table = table_of(read_bytes(onnx_file(*MODELS["bert"]), "model.onnx"))
    assert table.totals.multiply_adds is not None
    builder = GraphBuilder("", "onnx")
    builder.add_node("fc/weight", op="Parameter", parameters=20, outputs=[TensorType("float32", (4, 5))])
    node = builder.add_node("fc/MatMul", op="MatMul", outputs=[TensorType()])
    builder.add_edge("fc/weight", node)
    table = table_of(builder.build())
    assert (table.names, table.parameters) == (["fc"], [20])
    assert table.multiply_adds == [None] and table.activation_bytes == [None] and table.shapes == [""]
    assert table.totals.multiply_adds is None
    assert table.totals.is_partial


def test_a_graph_of_tensorflow_has_a_row_for_each_scope_with_weights() -> None:
    """A variable is in a group of its own, and gradients are no layers."""
    builder = GraphBuilder("", "graph_def")
    builder.add_node("x", op="Placeholder", outputs=[TensorType("float32", (-1, 4))])
    weight = TensorType("float32", (4, 3))
    builder.add_node("dense/kernel", op="VariableV2", namespace="dense/kernel", parameters=12, outputs=[weight])
    builder.add_node("dense/kernel/read", op="Identity", outputs=[weight])
    made = TensorType("float32", (-1, 3))
    product = builder.add_node("dense/product/MatMul", op="MatMul", outputs=[made])
    gradient = builder.add_node(
        "gradients/dense/MatMul_grad/MatMul", op="MatMul", outputs=[TensorType("float32", (-1, 4))]
    )
    builder.add_edge("x", product)
    builder.add_edge("dense/kernel/read", product)
    builder.add_edge(product, gradient)
    builder.add_edge("dense/kernel/read", gradient)
    table = table_of(builder.build())
    assert list(zip(table.names, table.shapes, table.parameters, table.multiply_adds, strict=True)) == [
        ("dense", "?×3", 12, 12.0)
    ]
    assert table.totals.multiply_adds == 12.0


def test_groups_of_nothing_but_weights_are_no_layers() -> None:
    """As torch's own add_graph writes them."""
    builder = GraphBuilder("", "graph_def")
    builder.add_node("Net/Linear[fc]/weight/weight.1", op="prim::GetAttr")
    builder.add_node("Net/ModuleList[h]/Linear[0]/weight/weight.2", op="prim::GetAttr")
    node = builder.add_node("Net/Linear[fc]/9", op="aten::linear", outputs=[TensorType("float32", (2, 3))])
    builder.add_edge("Net/Linear[fc]/weight/weight.1", node)
    assert table_of(builder.build()).names == ["Net", "fc"]


def test_nodes_outside_of_groups_are_layers_if_they_cost_something() -> None:
    builder = GraphBuilder("", "onnx")
    builder.add_node("x", op="Input", outputs=[TensorType("float32", (2, 4))])
    builder.add_node("w", op="Parameter", parameters=12, outputs=[TensorType("float32", (4, 3))])
    product = builder.add_node("MatMul_7", op="MatMul", outputs=[TensorType("float32", (2, 3))])
    builder.add_edge("x", product)
    builder.add_edge("w", product)
    table = table_of(builder.build())
    assert (table.names, table.ops, table.multiply_adds) == (["MatMul_7"], ["MatMul"], [24.0])
    assert table.totals.parameters == 12


def test_a_graph_without_layers_is_an_empty_table() -> None:
    class Add(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + 1

    assert table_of(read_bytes(exported_file(Add(), torch.zeros(2)), "a.pt2")).names == ["Add"]
    assert len(table_of(GraphBuilder("", "graph_def").build())) == 0


def test_a_graph_without_any_output_types() -> None:
    builder = GraphBuilder("", "graph_def")
    builder.add_node("scope/a", op="MatMul", parameters=3)
    table = table_of(builder.build())
    assert (table.names, table.multiply_adds) == (["scope"], [None])


def test_a_node_belongs_to_the_layer_of_its_group_and_is_one_in_keras() -> None:
    keras = from_keras_config(shared_layer_model(), title="")
    assert layer_of_node(keras, keras.nodes.ids.index("func/shared")) == "shared"
    assert layer_of_node(keras, keras.nodes.ids.index("func/inner/d1")) == "inner.d1"
    builder = GraphBuilder("", "torch_export")
    node = builder.add_node("Net/Linear[fc]/weight", op="Parameter")
    assert layer_of_node(builder.build(), node) == "fc"
