"""A run with the graph of a small transformer, and what it logged under the names of its layers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark import SummaryWriter
from seamark.format.messages import GraphDef, NodeDef
from seamark.kinds.graph import encode as encode_graph
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile

BLOCKS = 6
WIDTH = 8
FLOAT = 1
STEPS = 5
LONG_TEXT = "mean squared error " * 100
# The layer under which values are logged.
LAYER = "gpt/h/0/attn/c_proj"


def write_transformer(folder: Path, *, blocks: int = BLOCKS, with_values: bool = True) -> None:
    if with_values:
        write_values(folder)
    with EventFile(folder) as file:
        file.append(graph_record(encode_graph(transformer(blocks)), wall_time=1000.0))


def write_values(folder: Path) -> None:
    random = np.random.default_rng(5)
    with SummaryWriter(folder) as writer:
        for step in range(STEPS):
            writer.add_scalar(f"grad_norm/{LAYER}", 1 / (step + 1), step)
            writer.add_scalar(f"act_max/{LAYER}", step, step)
            writer.add_histogram(f"{LAYER}/weight", random.normal(size=300), step)


def transformer(blocks: int) -> GraphDef:
    """wte, equal blocks of attention and MLP, and lm_head; with constants and an identity, which are folded."""
    graph = GraphDef()
    graph.versions.producer = 22
    add(graph, "tokens", "Placeholder", [], (4,))
    last = add_linear(graph, "gpt/wte", "tokens", op="Embedding")
    for block in range(blocks):
        last = add_block(graph, f"gpt/h/{block}", last)
    logits = add_linear(graph, "gpt/lm_head", last)
    loss = add(graph, "loss", "MeanSquaredError", [logits, "not_there"], ())
    loss.attr["note"].s = LONG_TEXT.encode()
    loss.attr["source"].s = b"train.py:12"
    return graph


def add_block(graph: GraphDef, scope: str, last: str) -> str:
    normal = add_linear(graph, f"{scope}/ln_1", last, op="LayerNorm")
    add(graph, f"{scope}/attn/scale", "Const", [], ())
    heads = add(graph, f"{scope}/attn/softmax", "Softmax", [normal, f"{scope}/attn/scale"], (4, WIDTH))
    projected = add_linear(graph, f"{scope}/attn/c_proj", heads.name)
    hidden = add_linear(graph, f"{scope}/mlp/c_fc", projected)
    gelu = add(graph, f"{scope}/mlp/gelu", "Gelu", [hidden], (4, WIDTH))
    return add(graph, f"{scope}/add", "AddV2", [gelu.name, last], (4, WIDTH)).name


def add_linear(graph: GraphDef, scope: str, last: str, *, op: str = "Linear") -> str:
    weight = add(graph, f"{scope}/weight", "Parameter", [], (WIDTH, WIDTH))
    bias = add(graph, f"{scope}/bias", "Parameter", [], (WIDTH,))
    bias.attr["trainable"].b = False
    return add(graph, f"{scope}/{op.lower()}", op, [last, weight.name, bias.name], (4, WIDTH)).name


def add(graph: GraphDef, name: str, op: str, inputs: list[str], shape: tuple[int, ...]) -> NodeDef:
    node: NodeDef = graph.node.add(name=name, op=op, input=inputs)
    node.attr["T"].type = FLOAT
    output = node.attr["_output_shapes"].list.shape.add()
    for size in shape:
        output.dim.add(size=size)
    return node
