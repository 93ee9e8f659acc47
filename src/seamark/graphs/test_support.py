"""Models for the tests of graphs, in the shapes that people train, and files of them."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from seamark.graphs.form import Graph


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int, *, is_causal: bool) -> None:
        super().__init__()
        self.heads, self.is_causal = heads, is_causal
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.c_attn(x).split(width, dim=2)
        q, k, v = (part.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for part in parts)
        if self.is_causal:
            seen = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            seen = (q @ k.transpose(2, 3) / width**0.5).softmax(-1) @ v
        out: torch.Tensor = self.c_proj(seen.transpose(1, 2).reshape(batch, length, width))
        return out


class Block(nn.Module):
    def __init__(self, width: int, *, is_causal: bool) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = SelfAttention(width, 4, is_causal=is_causal)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.ln_1(x))
        out: torch.Tensor = x + self.mlp(self.ln_2(x))
        return out


class GPT(nn.Module):
    """With tied embeddings, and a buffer."""

    def __init__(self, blocks: int = 3, width: int = 16) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(50, width), nn.Embedding(8, width)
        self.register_buffer("positions", torch.arange(8))
        self.h = nn.ModuleList(Block(width, is_causal=True) for _ in range(blocks))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, 50, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.wte(tokens) + self.wpe(self.positions)
        for block in self.h:
            x = block(x)
        out: torch.Tensor = self.lm_head(self.ln_f(x))
        return out


class Bert(nn.Module):
    """Its embeddings are frozen."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(50, width).requires_grad_(False)
        self.encoder = nn.Sequential(Block(width, is_causal=False), Block(width, is_causal=False))
        self.pooler = nn.Linear(width, 3)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.pooler(self.encoder(self.embedding(tokens))[:, 0])
        return out


class Residual(nn.Module):
    def __init__(self, channels: int, out: int, stride: int) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out)
        self.conv2, self.bn2 = nn.Conv2d(out, out, 3, padding=1, groups=2, bias=False), nn.BatchNorm2d(out)
        self.shortcut = nn.Conv2d(channels, out, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.bn2(self.conv2(functional.relu(self.bn1(self.conv1(x)))))
        return functional.relu(y + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 7, stride=2, padding=3)
        self.layers = nn.Sequential(Residual(8, 8, 1), Residual(8, 16, 2))
        self.up = nn.ConvTranspose2d(16, 4, 2, stride=2)
        self.head = nn.Linear(4, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.up(self.layers(functional.max_pool2d(self.stem(x), 2))).mean((2, 3)))
        return out


def torch_models() -> dict[str, tuple[nn.Module, torch.Tensor]]:
    tokens = torch.zeros(2, 8, dtype=torch.long)
    models: dict[str, tuple[nn.Module, torch.Tensor]] = {
        "gpt": (GPT().eval(), tokens),
        "bert": (Bert().eval(), tokens),
        "resnet": (ResNet().eval(), torch.zeros(2, 3, 32, 32)),
    }
    # The ONNX exporter merges equal weights, as those of new normalizations are.
    for model, _ in models.values():
        for parameter in model.parameters():
            nn.init.normal_(parameter)
    return models


def exported_file(model: nn.Module, *inputs: torch.Tensor) -> bytes:
    """What torch.export.save writes."""
    file = io.BytesIO()
    torch.export.save(torch.export.export(model, inputs), file)
    return file.getvalue()


def onnx_file(model: nn.Module, *inputs: torch.Tensor) -> bytes:
    """What torch's older exporter writes."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # In evaluation mode, the exporter would fuse convolutions with normalizations.
        mode = torch.onnx.TrainingMode.PRESERVE
        torch.onnx.export(model, inputs, file, dynamo=False, do_constant_folding=False, training=mode)
    return file.getvalue()


def zipped(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def edges_of(graph: Graph) -> list[tuple[str, str]]:
    ids = graph.nodes.ids
    return [(ids[source], ids[target]) for source, target in zip(graph.edges.sources, graph.edges.targets, strict=True)]


def keras_layer(class_name: str, name: str, inputs: list[list[Any]] | None = None, **config: Any) -> dict[str, Any]:
    """A layer of Keras 3. `inputs` has a list for each call, with [layer, node, tensor, shape] for each tensor."""
    layer: dict[str, Any] = {"module": "keras.layers", "class_name": class_name, "config": {"name": name, **config}}
    if inputs is not None:
        layer["name"] = name
        layer["inbound_nodes"] = [{"args": [_keras_tensor(*one) for one in call], "kwargs": {}} for call in inputs]
    return layer


def _keras_tensor(layer: str, node: int, tensor: int, shape: list[int | None]) -> dict[str, Any]:
    config = {"shape": shape, "dtype": "float32", "keras_history": [layer, node, tensor]}
    return {"class_name": "__keras_tensor__", "config": config}


def keras_file(model: Mapping[str, Any]) -> bytes:
    metadata = json.dumps({"keras_version": "3.15.1"}).encode()
    members = {"metadata.json": metadata, "config.json": json.dumps(model).encode(), "model.weights.h5": b"\x89HDF"}
    return zipped(members)
