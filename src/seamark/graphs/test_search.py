"""Searches by name, op, shape, dtype, attribute and source line."""

from __future__ import annotations

import pytest

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, TensorType
from seamark.graphs.search import search


@pytest.fixture
def graph() -> Graph:
    builder = GraphBuilder("g", "onnx")
    builder.add_node(
        "Net/Conv2d[stem]/conv",
        op="aten.conv2d",
        outputs=[TensorType("bfloat16", (8, 64, 112, 112))],
        attributes={"stride": [2, 2], "pads": "same"},
        source="model.py:12",
    )
    builder.add_node("Net/Linear[head]/linear", op="aten.linear", outputs=[TensorType("float32", (8, 768))])
    builder.add_node("<script>", op="Evil", outputs=[TensorType("float32", (8, 7680))])
    return builder.build()


@pytest.mark.parametrize(
    ("text", "nodes", "groups"),
    [
        ("HEAD", ["linear"], ["head"]),
        ("conv", ["conv"], ["stem"]),
        ("op:linear", ["linear"], ["head"]),
        ("shape:768", ["linear"], []),
        ("shape:64x112", ["conv"], []),
        ("shape:8,768", ["linear"], []),
        ("dtype:bf16", ["conv"], []),
        ("attr:stride=[2", ["conv"], []),
        ("attr:same", ["conv"], []),
        ("attr:pads=valid", [], []),
        ("source:model.py:12", ["conv"], []),
        ("net op:conv", ["conv"], []),
        ("<script>", ["<script>"], []),
        (r"/^head\b|^lin\w+r$/", ["linear"], ["head"]),
        ("/CONV.D$/", ["conv"], ["stem"]),
        ("shape:", [], []),
        ("nothing", [], []),
        ("   ", [], []),
    ],
)
def test_every_field_can_be_searched(graph: Graph, text: str, nodes: list[str], groups: list[str]) -> None:
    found = search(graph, text)
    assert [graph.nodes.labels[node] for node in found.nodes] == nodes
    assert [graph.groups.labels[group] for group in found.groups] == groups
