"""Graphs of real torch modules by torch.export."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from seamark.format.messages import DataType, NodeDef
from seamark.write.encode.graph.torch_export import export_nodes

Nodes = dict[str, NodeDef]


def exported(model: nn.Module, *args: Any, **kwargs: Any) -> Nodes:
    with torch.no_grad():
        nodes = export_nodes(model, args, kwargs, verbose=False)
    found = {node.name: node for node in nodes}
    assert len(found) == len(nodes), "names are unique"
    for node in nodes:
        missing = [name for name in node.input if name.rpartition(":")[0] not in found and name not in found]
        assert missing == []
    return found


def shapes(node: NodeDef) -> list[list[int]]:
    return [[dim.size for dim in shape.dim] for shape in node.attr["_output_shapes"].list.shape]


def types(node: NodeDef) -> list[str]:
    return [DataType.Name(each) for each in node.attr["_output_types"].list.type]


def text(node: NodeDef, key: str) -> str:
    return node.attr[key].s.decode()


def count_parameters(nodes: Nodes) -> int:
    return sum(math.prod(shapes(node)[0]) for node in nodes.values() if node.op == "Parameter")


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads = heads
        self.register_buffer("mask", torch.ones(8, 8).tril())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.c_attn(x).split(width, dim=2)
        q, k, v = (part.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for part in parts)
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        out: torch.Tensor = self.c_proj(seen.transpose(1, 2).reshape(batch, length, width))
        return out


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = SelfAttention(width, 4)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.ln_1(x))
        out: torch.Tensor = x + self.mlp(self.ln_2(x))
        return out


class GPT(nn.Module):
    def __init__(self, blocks: int = 2, width: int = 16) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(50, width), nn.Embedding(8, width)
        self.h = nn.ModuleList(Block(width) for _ in range(blocks))
        self.lm_head = nn.Linear(width, 50, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx: torch.Tensor) -> dict[str, torch.Tensor]:
        x = self.wte(idx) + self.wpe(torch.arange(idx.shape[1]))
        for block in self.h:
            x = block(x)
        with torch.no_grad():
            scale = x.abs().mean()
        return {"logits": self.lm_head(x), "scale": scale}


@pytest.fixture(scope="module")
def gpt() -> Nodes:
    return exported(GPT().eval(), torch.zeros(2, 8, dtype=torch.long))


def test_groups_are_the_modules_with_their_containers(gpt: Nodes) -> None:
    node = gpt["GPT/ModuleList[h]/Block[1]/SelfAttention[attn]/Linear[c_proj]/linear_5"]
    assert node.op == "aten.linear.default"
    assert text(node, "module") == "h.1.attn.c_proj"
    scope = "GPT/ModuleList[h]/Block[1]/SelfAttention[attn]"
    assert list(node.input)[1:] == [f"{scope}/Linear[c_proj]/weight", f"{scope}/Linear[c_proj]/bias"]
    assert shapes(node) == [[2, 8, 16]]
    assert types(node) == ["DT_FLOAT"]


def test_the_source_is_the_line_of_the_program_not_of_torch(gpt: Nodes) -> None:
    node = gpt["GPT/ModuleList[h]/Block[1]/SelfAttention[attn]/Linear[c_proj]/linear_5"]
    assert text(node, "source").rpartition(":")[0].endswith("graph/test_torch_export.py")
    assert text(node, "code").startswith("out: torch.Tensor = self.c_proj(")


def test_inputs_and_outputs_are_named_as_in_the_program(gpt: Nodes) -> None:
    assert gpt["input/idx"].op == "Input"
    assert (shapes(gpt["input/idx"]), types(gpt["input/idx"])) == ([[2, 8]], ["DT_INT64"])
    assert list(gpt["output/logits"].input) == ["GPT/Linear[lm_head]/linear_8"]
    assert shapes(gpt["output/logits"]) == [[2, 8, 50]]
    assert list(gpt["output/scale"].input) == ["GPT/mean"], "the code within no_grad is part of the graph"


def test_nested_outputs_are_named_by_their_keys() -> None:
    class Nested(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return {"a": [x, (x + 1, None)], "b": {"c": x * 2}}

    nodes = exported(Nested(), torch.zeros(2))
    assert {name: list(node.input) for name, node in nodes.items() if node.op == "Output"} == {
        "output/a.1": ["input/x"],
        "output/a.2.1": ["Nested/add"],
        "output/b.c": ["Nested/mul"],
    }


def test_outputs_of_unknown_types_are_left_out() -> None:
    class Cache:
        pass

    class Caching(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return {"logits": x.sin(), "cache": Cache()}

    model = Caching()
    nodes = exported(model, torch.zeros(2))
    assert [name for name, node in nodes.items() if node.op == "Output"] == ["output/logits"]
    assert isinstance(model(torch.zeros(2))["cache"], Cache)


def test_code_that_switches_gradients_on_is_part_of_the_graph() -> None:
    class WithGradients(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            with torch.enable_grad():
                y = x.sin()
            return y.cos()

    nodes = exported(WithGradients(), torch.zeros(2))
    assert {name: list(node.input) for name, node in nodes.items()} == {
        "input/x": [],
        "WithGradients/sin": ["input/x"],
        "WithGradients/cos": ["WithGradients/sin"],
        "output/output": ["WithGradients/cos"],
    }


def test_a_tied_parameter_is_one_node(gpt: Nodes) -> None:
    weight = gpt["GPT/Embedding[wte]/weight"]
    assert text(weight, "also") == "lm_head.weight"
    assert weight.attr["trainable"].b
    assert gpt["GPT/Embedding[wte]/embedding"].input[0] == weight.name
    assert gpt["GPT/Linear[lm_head]/linear_8"].input[1] == weight.name
    assert "GPT/Linear[lm_head]/weight" not in gpt
    assert count_parameters(gpt) == sum(p.numel() for p in GPT().parameters())


def test_buffers_and_arguments(gpt: Nodes) -> None:
    scope = "GPT/ModuleList[h]/Block[0]/SelfAttention[attn]"
    assert gpt[f"{scope}/mask"].op == "Buffer"
    split = gpt[f"{scope}/split"]
    assert (split.attr["split_size"].i, split.attr["dim"].i) == (16, 2)
    assert shapes(split) == [[2, 8, 16]] * 3
    assert [list(gpt[f"{scope}/{name}"].input) for name in ("view", "view_1", "view_2")] == [
        [f"{scope}/split"],
        [f"{scope}/split:1"],
        [f"{scope}/split:2"],
    ]
    assert list(gpt[f"{scope}/view"].attr["size"].list.i) == [2, 8, 4, 4]
    norm = gpt["GPT/ModuleList[h]/Block[0]/LayerNorm[ln_1]/layer_norm"]
    assert norm.attr["eps"].f == pytest.approx(1e-5)
    assert gpt[f"{scope}/scaled_dot_product_attention"].attr["is_causal"].b


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv, self.bn = nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(self.bn(self.conv(x)) + x)


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2)
        self.layers = nn.Sequential(Residual(8), Residual(8))
        self.head = nn.Linear(8, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.layers(self.stem(x)).mean((2, 3)))
        return out


def test_a_residual_network() -> None:
    model = ResNet().eval()
    nodes = exported(model, torch.zeros(2, 3, 16, 16))
    (add,) = [node for node in nodes.values() if node.name == "ResNet/Sequential[layers]/Residual[1]/add_1"]
    assert [name.rpartition("/")[0] for name in add.input] == [
        "ResNet/Sequential[layers]/Residual[1]/BatchNorm2d[bn]",
        "ResNet/Sequential[layers]/Residual[0]",
    ]
    assert list(nodes["ResNet/Conv2d[stem]/conv2d"].attr["stride"].list.i) == [2, 2]
    assert nodes["ResNet/Sequential[layers]/Residual[0]/BatchNorm2d[bn]/running_mean"].op == "Buffer"
    assert list(nodes["output/output"].input) == ["ResNet/Linear[head]/linear"]
    assert count_parameters(nodes) == sum(p.numel() for p in model.parameters())


def test_a_transformer_encoder_without_gradients_has_no_fused_layers() -> None:
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval().requires_grad_(False)
    nodes = exported(model, torch.zeros(2, 4, 8))
    linear = "TransformerEncoder/ModuleList[layers]/TransformerEncoderLayer[1]/Linear[linear1]/linear_6"
    assert nodes[linear].op == "aten.linear.default"
    assert (
        not nodes["TransformerEncoder/ModuleList[layers]/TransformerEncoderLayer[0]/Linear[linear1]/bias"]
        .attr["trainable"]
        .b
    )
    assert count_parameters(nodes) == sum(p.numel() for p in model.parameters())
    assert text(nodes[linear], "source").startswith("modules/linear.py:"), "there is only torch's code"


def test_an_lstm_has_three_outputs() -> None:
    model = nn.LSTM(3, 4, num_layers=2).eval()
    nodes = exported(model, torch.zeros(5, 1, 3))
    assert shapes(nodes["LSTM/lstm"]) == [[5, 1, 4], [2, 1, 4], [2, 1, 4]]
    assert {name: list(node.input) for name, node in nodes.items() if node.op == "Output"} == {
        "output/output.1": ["LSTM/lstm"],
        "output/output.2.1": ["LSTM/lstm:1"],
        "output/output.2.2": ["LSTM/lstm:2"],
    }
    assert len(nodes["LSTM/lstm"].input) == 1 + 2 + 8, "an input, two states, eight weights"
    assert count_parameters(nodes) == sum(p.numel() for p in model.parameters())
    model(torch.zeros(5, 1, 3))


class Shared(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.again = self.layer

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.again(self.layer(self.layer(x)))
        return out


def test_all_calls_of_a_shared_layer_are_in_its_group() -> None:
    nodes = exported(Shared(), torch.zeros(1, 3))
    calls = [node for node in nodes.values() if node.op == "aten.linear.default"]
    assert [node.name for node in calls] == [f"Shared/Linear[layer]/linear{end}" for end in ("", "_1", "_2")]
    assert {node.input[1] for node in calls} == {"Shared/Linear[layer]/weight"}
    assert text(nodes["Shared/Linear[layer]/weight"], "also") == "again.weight"


class Odd(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.add_module("a/b:1 <é>", nn.Linear(2, 2))

    def forward(self, x: torch.Tensor, factor: float = 2.0, *, bias: torch.Tensor | None = None) -> torch.Tensor:
        out: torch.Tensor = self._modules["a/b:1 <é>"](x) * factor  # type: ignore[misc]
        return out if bias is None else out + bias + torch.tensor([1.0, 2.0])


def test_odd_names_and_keyword_arguments() -> None:
    nodes = exported(Odd(), torch.zeros(1, 2), bias=torch.zeros(2))
    assert nodes["Odd/Linear[a_b_1 <é>]/linear"].input[0] == "input/x"
    assert {name for name, node in nodes.items() if node.op == "Input"} == {"input/x", "input/bias"}
    assert nodes["Odd/mul"].attr["other"].f == 2.0
    (constant,) = [node for node in nodes.values() if node.op == "Constant"]
    assert shapes(constant) == [[2]]


class Selecting(nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x[x > 0], torch.cat([x, x])


def test_sizes_that_depend_on_data_are_minus_one_and_checks_are_left_out() -> None:
    nodes = exported(Selecting(), torch.ones(2, 3, dtype=torch.bfloat16))
    assert {node.op for node in nodes.values()} == {
        *("Input", "Output", "aten.gt.Scalar", "aten.index.Tensor", "aten.cat.default"),
    }
    assert (shapes(nodes["Selecting/index"]), types(nodes["Selecting/index"])) == ([[-1]], ["DT_BFLOAT16"])
    assert list(nodes["Selecting/cat"].input) == ["input/x", "input/x"]


class Branching(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> Any:
        return torch.cond(x.sum() > 0, lambda y: self.lin(y), lambda y: y.sin(), (x,))


def test_the_branches_of_a_condition_are_groups() -> None:
    nodes = exported(Branching(), torch.zeros(2, 3))
    (condition,) = [node for node in nodes.values() if node.op == "higher_order.cond"]
    (sine,) = [node for node in nodes.values() if node.op == "aten.sin.default"]
    assert sine.name == f"{condition.name}[false_graph_0]/sin"
    assert list(sine.input) == ["input/x"]
    assert sine.name in condition.input
    (linear,) = [node for node in nodes.values() if node.op == "aten.linear.default"]
    assert set(linear.input) == {"input/x", "Branching/Linear[lin]/weight", "Branching/Linear[lin]/bias"}


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float64", "float8_e4m3fn", "float8_e5m2", "complex64", "bool"]
)
def test_types_of_inputs(dtype: str) -> None:
    want = {"float16": "DT_HALF", "float64": "DT_DOUBLE"}.get(dtype, f"DT_{dtype.upper()}")
    nodes = exported(nn.Identity(), torch.zeros(2, dtype=getattr(torch, dtype)))
    assert types(nodes["input/input"]) == [want]
    assert list(nodes["output/output"].input) == ["input/input"]
