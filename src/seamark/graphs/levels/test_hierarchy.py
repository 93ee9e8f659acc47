"""Groups with equal content have equal structures."""

from __future__ import annotations

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, TensorType
from seamark.graphs.levels.hierarchy import Hierarchy


def graph_of(*nodes: tuple[str, str, tuple[int, ...]]) -> Graph:
    builder = GraphBuilder("t", "t")
    for name, op, shape in nodes:
        builder.add_node(name, op=op, outputs=[TensorType("float32", shape)])
    return builder.build()


def structures(graph: Graph) -> dict[str, int]:
    return dict(zip(graph.groups.ids, Hierarchy(graph).group_structures.tolist(), strict=True))


def test_groups_are_equal_if_their_nodes_and_groups_are_equal_in_the_same_order() -> None:
    found = structures(
        graph_of(
            *((f"m/{block}/mlp/up", "MatMul", (4,)) for block in "abc"),
            *((f"m/{block}/mlp/gelu", "Gelu", (4,)) for block in "abc"),
            *((f"m/{block}/norm/mean", "Mean", (1,)) for block in "abc"),
            ("m/d/mlp/gelu", "Gelu", (4,)),
            ("m/d/mlp/up", "MatMul", (4,)),
            ("m/d/norm/mean", "Mean", (1,)),
        )
    )
    assert found["m/a/"] == found["m/b/"] == found["m/c/"]
    assert found["m/d/"] != found["m/a/"]
    assert found["m/d/mlp/"] != found["m/a/mlp/"]
    assert found["m/d/norm/"] == found["m/a/norm/"]


def test_another_shape_class_or_order_of_groups_makes_another_structure() -> None:
    found = structures(
        graph_of(
            ("a/x/one", "Add", (4,)), ("a/y/one", "Mul", (4,)),
            ("b/x/one", "Mul", (4,)), ("b/y/one", "Add", (4,)),
            ("c/x/one", "Add", (8,)), ("c/y/one", "Mul", (4,)),
            ("A[d]/x/one", "Add", (4,)), ("A[d]/y/one", "Mul", (4,)),
        )
    )  # fmt: skip
    assert len({found["a/"], found["b/"], found["c/"], found["A[d]/"]}) == 4
    assert found["a/x/"] == found["b/y/"]


def test_constants_of_a_trace_do_not_make_equal_modules_different() -> None:
    nodes = [("a/one", "aten::relu", (4,)), ("a/zero", "prim::Constant", ()), ("b/one", "aten::relu", (4,))]
    found = structures(graph_of(*nodes))
    assert found["a/"] == found["b/"]


def test_a_node_is_not_taken_for_a_group_with_one_node() -> None:
    found = structures(graph_of(("a/one", "Add", (4,)), ("b/in/one", "Add", (4,)), ("c/in/in/one", "Add", (4,))))
    assert len({found["a/"], found["b/"], found["c/"]}) == 3
    assert found["a/"] == found["b/in/"] == found["c/in/in/"]


def test_the_first_node_of_a_group_is_that_of_all_groups_below() -> None:
    graph = graph_of(("z/one", "Add", ()), ("a/b/two", "Add", ()), ("a/three", "Add", ()))
    first = dict(zip(graph.groups.ids, Hierarchy(graph).first_nodes.tolist(), strict=True))
    assert first == {"/": 0, "z/": 0, "a/": 1, "a/b/": 1}
