"""Multiply-adds, compared with those that torch counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.costs import columns, costs_of
from seamark.graphs.costs.rules import Call, Rule, linear
from seamark.graphs.form import Shape, TensorType
from seamark.graphs.readers import read_bytes
from seamark.graphs.readers.keras import from_keras_config
from seamark.graphs.test_support import exported_file, keras_layer, onnx_file, torch_models

MODELS = torch_models()


def torch_multiply_adds(model: nn.Module, *inputs: torch.Tensor) -> float:
    # torch does not count the fused attention of the CPU.
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        model(*inputs)
    return counter.get_total_flops() / 2


@pytest.mark.parametrize("name", MODELS)
def test_multiply_adds_of_models_equal_those_of_torch(name: str) -> None:
    model, example = MODELS[name]
    expected = torch_multiply_adds(model, example)
    for graph in (
        read_bytes(exported_file(model, example), "model.pt2"),
        read_bytes(onnx_file(model, example), "model.onnx"),
    ):
        found = costs_of(graph)
        assert np.isfinite(found.multiply_adds).all()
        assert found.multiply_adds.sum() == expected
        assert not found.is_per_example.any()


def test_multiply_adds_of_an_lstm() -> None:
    model = nn.LSTM(6, 5, num_layers=2, bidirectional=True)
    graph = read_bytes(exported_file(model, torch.zeros(7, 3, 6)), "model.pt2")
    # Weights of both layers and directions: 4 gates, from the input and from the state.
    weights = 2 * (4 * 5 * 6 + 4 * 5 * 5) + 2 * (4 * 5 * 10 + 4 * 5 * 5)
    assert np.nansum(costs_of(graph).multiply_adds) == 7 * 3 * weights


def cost_of(
    op: str, inputs: list[Shape | None], output: Shape | None, *, format: str = "graph_def", **attributes: Any
) -> float:
    builder = GraphBuilder("", format)
    sources = [builder.add_node(f"in{at}", outputs=[TensorType("float32", shape)]) for at, shape in enumerate(inputs)]
    node = builder.add_node("op", op=op, outputs=[TensorType("float32", output)], attributes=attributes)
    for source in sources:
        builder.add_edge(source, node)
    return float(costs_of(builder.build()).multiply_adds[node])


@pytest.mark.parametrize(
    ("op", "inputs", "output", "attributes", "expected"),
    [
        ("aten.linear.default", [(2, 3, 4), (5, 4)], (2, 3, 5), {}, 120),
        ("aten::linear", [(2, 3, 4), None], (2, 3, 5), {}, 120),
        ("aten.mm.default", [(3, 4), (4, 5)], (3, 5), {}, 60),
        ("aten.addmm.default", [(5,), (3, 4), (4, 5)], (3, 5), {}, 60),
        ("aten.matmul.default", [(7, 3, 4), (4,)], (7, 3), {}, 84),
        ("aten.matmul.default", [(4,), (4, 5)], (5,), {}, 20),
        ("aten.einsum.default", [(2, 3, 4), (2, 4, 5)], (2, 3, 5), {"equation": "bij,bjk->bik"}, 120),
        ("aten::_convolution", [(1, 3, 8, 8), (6, 3, 3, 3)], (1, 6, 6, 6), {}, 6 * 6 * 6 * 27),
        ("aten.convolution.default", [(1, 4, 5, 5), (4, 4, 2, 2)], (1, 4, 10, 10), {"transposed": True}, 100 * 16),
        ("aten.embedding.default", [(50, 16), (2, 8)], (2, 8, 16), {}, 0),
        ("aten.relu.default", [(2, 8)], (2, 8), {}, 0),
        ("MatMul", [(3, 4), (4, 5)], (3, 5), {}, 60),
        ("MatMul", [(4, 3), (5, 4)], (3, 5), {"transpose_a": True, "transpose_b": True}, 60),
        ("BatchMatMulV2", [(2, 3, 4), (2, 4, 5)], (2, 3, 5), {}, 120),
        ("MatMul", [(3, 4), (4, 5)], None, {}, 60),
        ("Conv2D", [(1, 8, 8, 3), (3, 3, 3, 6)], (1, 6, 6, 6), {}, 6 * 6 * 6 * 27),
        ("DepthwiseConv2dNative", [(1, 8, 8, 3), (3, 3, 3, 2)], (1, 6, 6, 6), {}, 6 * 6 * 6 * 9),
        ("Einsum", [(2, 3), (3, 4)], (2, 4), {"equation": "ij,jk->ik"}, 24),
        ("dot_general", [(2, 3, 4), (4, 5)], (2, 3, 5), {"dimension_numbers": "(((2,), (0,)), ((), ()))"}, 120),
        (
            "conv_general_dilated",
            [(1, 8, 8, 3), (3, 3, 3, 6)],
            (1, 6, 6, 6),
            {"dimension_numbers": "ConvDimensionNumbers(lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=…)"},
            6 * 6 * 6 * 27,
        ),
        # What the shapes do not tell.
        ("aten.linear.default", [None, None], None, {}, math.nan),
        ("Conv2D", [(1, 8, 8, 3)], (1, 6, 6, 6), {}, math.nan),
        ("aten.einsum.default", [(2, 3)], (2, 3), {"equation": "...i,i"}, math.nan),
        ("dot_general", [(2, 3), (3, 4)], (2, 4), {}, math.nan),
        ("aten.mm.default", [(3, -1), (4, 5)], (3, 5), {}, math.nan),
    ],
)
def test_multiply_adds_of_operations(
    op: str, inputs: list[Shape | None], output: Shape | None, attributes: dict[str, Any], expected: float
) -> None:
    assert cost_of(op, inputs, output, **attributes) == pytest.approx(expected, nan_ok=True)


def test_onnx_operators_have_rules_of_their_own() -> None:
    assert cost_of("Gemm", [(3, 4), (4, 5), (5,)], (3, 5), format="onnx") == 60
    assert cost_of("Conv", [(1, 3, 8, 8), (6, 3, 3, 3)], (1, 6, 6, 6), format="onnx") == 6 * 6 * 6 * 27
    assert cost_of("ConvTranspose", [(1, 3, 4, 4), (3, 6, 2, 2)], (1, 6, 8, 8), format="onnx") == 48 * 24
    assert cost_of("LSTM", [(7, 2, 3), (1, 20, 3), (1, 20, 5)], (7, 1, 2, 5), format="onnx") == 14 * 160


def test_costs_of_keras_layers_are_those_of_one_example() -> None:
    def cost(class_name: str, shape: list[int | None], **config: Any) -> float:
        layers = [keras_layer("InputLayer", "in", batch_shape=shape), keras_layer(class_name, "layer", **config)]
        data = {"class_name": "Sequential", "config": {"name": "m", "layers": layers}}
        found = costs_of(from_keras_config(data, title=""))
        assert found.is_per_example.all()
        return float(found.multiply_adds[1])

    assert cost("Dense", [None, 4], units=3) == 12
    assert cost("Conv2D", [None, 8, 8, 3], filters=6, kernel_size=[3, 3]) == 6 * 6 * 6 * 27
    assert cost("DepthwiseConv2D", [None, 8, 8, 3], kernel_size=[3, 3]) == 6 * 6 * 3 * 9
    assert cost("SeparableConv2D", [None, 8, 8, 3], filters=6, kernel_size=[3, 3]) == 36 * 3 * (9 + 6)
    assert cost("LSTM", [None, 7, 3], units=5) == 7 * 4 * 5 * (3 + 5)
    inner = {"class_name": "LSTM", "config": {"units": 5}}
    assert cost("Bidirectional", [None, 7, 3], layer=inner, merge_mode="concat") == 2 * 7 * 4 * 5 * (3 + 5)
    assert cost("TimeDistributed", [None, 7, 3], layer={"class_name": "Dense", "config": {"units": 5}}) == 7 * 3 * 5
    assert math.isnan(cost("TimeDistributed", [None, 7, 3], layer=inner))
    # Query, key, value and output projections, and two products of 7 × 7 positions.
    assert cost("MultiHeadAttention", [None, 7, 6], num_heads=2, key_dim=3) == 4 * 7 * 36 + 2 * 49 * 6


def test_bytes_of_outputs() -> None:
    builder = GraphBuilder("", "graph_def")
    types = [
        [TensorType("float32", (2, 3)), TensorType("int64", ())],
        [TensorType("bfloat16", (-1, 3))],
        [TensorType("float32", (2, -1))],
        [TensorType("", (2,))],
        [],
    ]
    for at, outputs in enumerate(types):
        builder.add_node(f"n{at}", outputs=outputs)
    found = costs_of(builder.build()).output_bytes.tolist()
    assert found == pytest.approx([32, 6, math.nan, math.nan, 0], nan_ok=True)


def test_a_rule_runs_once_for_equal_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand nodes take a tenth of a second only because a model repeats its layers."""
    builder = GraphBuilder("", "torch_export")
    source = builder.add_node("x", outputs=[TensorType("float32", (2, 4))])
    for at in range(5000):
        node = builder.add_node(f"n{at}", op="aten.linear.default", outputs=[TensorType("float32", (2, 5))])
        builder.add_edge(source, node)
    graph = builder.build()
    found: list[Call] = []

    def count(call: Call) -> float:
        found.append(call)
        return linear(call)

    monkeypatch.setattr(columns, "TORCH_RULES", {"linear": Rule(count)})
    assert costs_of(graph).multiply_adds.sum() == 5000 * 40
    assert len(found) == 1
