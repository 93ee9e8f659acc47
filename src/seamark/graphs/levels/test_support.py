"""A small transformer as tests use it."""

from __future__ import annotations

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, TensorType

HIDDEN = TensorType("float32", (8, 64, 96))
WEIGHT = TensorType("float32", (96, 96))
LAYERS = ("LayerNorm[ln]", "Attention[attn]/Linear[query]", "Attention[attn]/Linear[proj]")


def transformer(blocks: int = 6) -> Graph:
    """Blocks of a norm, an attention of two linears, and an addition with the residual."""
    builder = GraphBuilder("gpt", "torch_export")
    before = "input/ids"
    builder.add_node(before, op="Input", outputs=[HIDDEN])
    for block in range(blocks):
        path = f"GPT/ModuleList[h]/Block[{block}]"
        residual = before
        for layer in LAYERS:
            weight, name = f"{path}/{layer}/weight", f"{path}/{layer}/linear"
            builder.add_node(weight, op="Parameter", outputs=[WEIGHT], parameters=96 * 96)
            node = builder.add_node(name, op="aten.linear.default", outputs=[HIDDEN], source=f"model.py:{block}")
            builder.add_edge(before, node)
            builder.add_edge(weight, node)
            before = name
        node = builder.add_node(f"{path}/add", op="aten.add.Tensor", outputs=[HIDDEN])
        builder.add_edge(before, node)
        builder.add_edge(residual, node)
        before = f"{path}/add"
    node = builder.add_node("output/logits", op="Output")
    builder.add_edge(before, node)
    return builder.build()
