"""Noise is hidden, and lines are drawn past what passes a tensor on."""

from __future__ import annotations

import pytest

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.levels.folds import kinds_of_nodes
from seamark.graphs.levels.options import ViewOptions
from seamark.graphs.levels.visible import Levels
from seamark.graphs.readers.test_support import call, function, node, read


@pytest.mark.parametrize(
    ("name", "op", "kind"),
    [
        ("a", "prim::ListConstruct", "prim"),
        ("a", "Const", "constants"),
        ("a", "Parameter", "parameters"),
        ("dense/kernel", "VariableV2", "parameters"),
        ("a", "IdentityN", "identities"),
        ("a", "aten.detach.default", "identities"),
        ("a", "aten::size", "shapes"),
        ("gradients/dense/MatMul", "MatMul", "gradients"),
        ("a", "ReluGrad", "gradients"),
        ("train/Adam/update", "MatMul", "optimizer"),
        ("a", "ResourceApplyAdam", "optimizer"),
        ("save/restore", "RestoreV2", "saving"),
        ("dense/kernel/Initializer/random_uniform/mul", "Mul", "initial"),
        ("functions/f/add", "Add", "functions"),
        ("Net/Linear[adam]/linear", "aten.linear.default", None),
        ("a", "MatMul", None),
    ],
)
def test_noise_is_recognised_by_op_or_scope(name: str, op: str, kind: str | None) -> None:
    builder = GraphBuilder("g", "graph_def")
    builder.add_node(name, op=op)
    assert list(kinds_of_nodes(builder.build())) == ([] if kind is None else [kind])


def test_the_update_functions_of_keras_are_the_optimizer() -> None:
    body = function("__inference__update_step_xla_7", node("mul", "x"), results={"y": "mul:z:0"})
    graph = read(node("x"), call("StatefulPartitionedCall", body.signature.name, "x"), functions=(body,))
    hidden = kinds_of_nodes(graph)["optimizer"]
    assert [id for id, is_hidden in zip(graph.nodes.ids, hidden, strict=True) if not is_hidden] == ["x"]


def test_a_loss_in_a_scope_named_optimizer_is_shown_and_its_optimizer_folded() -> None:
    builder = GraphBuilder("g", "graph_def")
    for name, op, inputs in (
        ("x", "Placeholder", ()),
        ("weight", "VariableV2", ()),
        ("logits", "MatMul", ("x", "weight")),
        ("optimizer/labels", "Placeholder", ()),
        ("optimizer/difference", "Sub", ("logits", "optimizer/labels")),
        ("optimizer/loss", "Mean", ("optimizer/difference",)),
        ("optimizer/gradients/MatMul_grad", "MatMul", ("x", "optimizer/difference")),
        ("optimizer/clipped", "Minimum", ("optimizer/gradients/MatMul_grad",)),
        ("step", "Cast", ("x",)),
        ("optimizer/rate", "Mul", ("step",)),
        ("optimizer/Adam/beta", "Mul", ()),
        (
            "optimizer/Adam/update",
            "ApplyAdam",
            ("weight", "optimizer/Adam/beta", "optimizer/rate", "optimizer/clipped"),
        ),
    ):
        target = builder.add_node(name, op=op)
        for source in inputs:
            builder.add_edge(source, target)
    graph = builder.build()
    hidden = kinds_of_nodes(graph)["optimizer"]
    assert {id for id, is_hidden in zip(graph.nodes.ids, hidden, strict=True) if is_hidden} == {
        "optimizer/clipped",
        "optimizer/rate",
        "optimizer/Adam/beta",
        "optimizer/Adam/update",
    }


def test_what_is_computed_from_sizes_alone_is_shape_arithmetic() -> None:
    builder = GraphBuilder("g", "graph_def")
    x, two = builder.add_node("x", op="Conv2D"), builder.add_node("two", op="Const")
    size = builder.add_node("size", op="aten::size")
    half = builder.add_node("half", op="aten::floor_divide")
    sizes = builder.add_node("sizes", op="prim::ListConstruct")
    view = builder.add_node("view", op="aten::view")
    scaled = builder.add_node("scaled", op="aten::mul")
    for source, target in ((x, size), (size, half), (two, half), (half, sizes), (x, view), (sizes, view), (view, scaled), (half, scaled)):  # fmt: skip
        builder.add_edge(source, target)
    graph = builder.build()
    hidden = kinds_of_nodes(graph)["shapes"]
    found = {id for id, is_hidden in zip(graph.nodes.ids, hidden, strict=True) if is_hidden}
    assert found == {"size", "half"}, "what has a tensor among its inputs is not; lists are of another kind"


def test_a_line_leads_past_hidden_nodes_that_pass_a_tensor_on() -> None:
    builder = GraphBuilder("g", "graph_def")
    builder.add_node("x", op="Conv2D")
    first, second = builder.add_node("i", op="Identity"), builder.add_node("j", op="Identity")
    constant = builder.add_node("c", op="Const")
    last = builder.add_node("y", op="Relu")
    builder.add_edge("x", first)
    builder.add_edge("i", second)
    builder.add_edge("j", last)
    builder.add_edge("c", last)
    levels = Levels(builder.build())
    visible = levels.visible(ViewOptions(open=frozenset()))
    assert visible.boxes.ids == ["x", "y"]
    assert (visible.edges.sources.tolist(), visible.edges.targets.tolist()) == ([0], [1])
    shown = levels.visible(ViewOptions(open=frozenset(), unfolded=frozenset({"identities", "constants"})))
    assert len(shown.boxes) == 5
    assert len(shown.edges) == 4
    assert constant == 3


def test_identities_in_a_circle_end() -> None:
    builder = GraphBuilder("g", "graph_def")
    first, second = builder.add_node("i", op="Identity"), builder.add_node("j", op="Identity")
    last = builder.add_node("y", op="Relu")
    for source, target in (("j", first), ("i", second), ("j", last)):
        builder.add_edge(source, target)
    assert Levels(builder.build()).visible(ViewOptions(open=frozenset())).boxes.ids == ["y"]


def test_a_graph_of_nothing_but_noise_is_shown() -> None:
    builder = GraphBuilder("g", "graph_def")
    builder.add_node("a", op="Const")
    assert Levels(builder.build()).visible(ViewOptions(open=frozenset())).boxes.ids == ["a"]
