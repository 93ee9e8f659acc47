"""Weights are those of the layer that uses them, whatever scope TensorFlow gave them."""

from __future__ import annotations

from seamark.format.messages import NodeDef
from seamark.graphs.form import Graph
from seamark.graphs.readers.test_support import node, read


def variable(name: str) -> list[NodeDef]:
    weight = node(name, op="VariableV2")
    weight.attr["shape"].shape.dim.add(size=3)
    return [weight, node(f"{name}/read", name, op="Identity")]


def group_of(graph: Graph, id: str) -> str:
    return graph.groups.ids[graph.nodes.groups[graph.nodes.ids.index(id)]]


def test_a_weight_in_a_scope_of_its_own_stands_with_the_layer_that_uses_it() -> None:
    layer = node("net/conv2d_2/convolution", "x", "net/conv2d_1/kernel/read", op="Conv2D")
    graph = read(node("x", op="Placeholder"), *variable("net/conv2d_1/kernel"), layer)
    assert group_of(graph, "net/conv2d_1/kernel") == "net/conv2d_2/"


def test_a_weight_of_several_layers_and_one_beside_its_layer_stay() -> None:
    graph = read(
        *variable("shared/kernel"),
        *variable("dense/kernel"),
        node("a/MatMul", "shared/kernel/read", op="MatMul"),
        node("b/MatMul", "shared/kernel/read", op="MatMul"),
        node("dense/MatMul", "dense/kernel/read", op="MatMul"),
    )
    assert group_of(graph, "shared/kernel").startswith("shared/")
    assert group_of(graph, "dense/kernel").startswith("dense/")
