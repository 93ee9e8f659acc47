"""Functions of a GraphDef: inside their call, apart, and nested."""

from __future__ import annotations

from seamark.graphs.form import TensorType
from seamark.graphs.readers.test_support import call, edges, function, group_ids, node, read, shape


def test_a_function_that_is_called_once_stands_inside_its_call() -> None:
    square = function("square", node("mul", "x", "x"), results={"y": "mul:z:0"})
    graph = read(node("in"), call("run/call", "square", "in", "^in"), node("out", "run/call:0"), functions=(square,))
    assert edges(graph) == [
        "^in→run/call",
        "run/call/y→out",
        "in→run/call/x",
        "run/call/x→run/call/mul",
        "run/call/x→run/call/mul",
        "run/call/mul→run/call/y",
    ]
    assert group_ids(graph)["run/call"] == "run/call/"
    assert graph.groups.types[graph.groups.ids.index("run/call/")] == "function square"
    assert graph.outputs(graph.nodes.ids.index("run/call/x")) == [TensorType("float32")]


def test_arguments_and_results_have_the_shapes_of_what_they_pass() -> None:
    given, made = node("in"), node("mul", "x", "x")
    given.attr["_output_shapes"].list.shape.extend([shape(1), shape(2, 3)])
    made.attr["_output_shapes"].list.shape.append(shape(4))
    square = function("square", made, results={"y": "mul:z:0"})
    graph = read(given, call("call", "square", "in:1"), functions=(square,))
    outputs = {id: graph.outputs(index) for index, id in enumerate(graph.nodes.ids)}
    assert outputs["call/x"] == [TensorType("float32", (2, 3))]
    assert outputs["call/y"] == [TensorType("float32", (4,))]


def test_a_function_that_is_called_twice_stands_apart() -> None:
    square = function("square", node("mul", "x", "x"), results={"mul": "mul:z:0"})
    calls = [node("in"), call("a", "square", "in"), node("b", "in", op="square")]
    graph = read(*calls, functions=(square,))
    assert edges(graph)[:2] == ["in→a", "in→b"]
    assert graph.nodes.ids[3:] == ["functions/square/x", "functions/square/mul", "functions/square/mul_result"]


def test_functions_inside_functions() -> None:
    inner = function("inner", node("mul", "x", "x"), results={"y": "mul:z:0"})
    outer = function("outer", call("again", "inner", "x"), results={"y": "again:output:0"})
    graph = read(node("in"), call("call", "outer", "in"), functions=(outer, inner))
    assert "call/again/mul" in graph.nodes.ids
    assert "call/again/y→call/y" in edges(graph)


def test_functions_that_call_themselves_or_one_another_stand_apart() -> None:
    itself = function("itself", call("again", "itself", "x"), results={"y": "again:output:0"})
    ping = function("ping", call("to_pong", "pong", "x"), results={})
    pong = function("pong", call("to_ping", "ping", "x"), results={})
    graph = read(call("call", "itself"), functions=(itself, ping, pong))
    assert {"functions/itself/again", "functions/ping/to_pong/to_ping"} <= set(graph.nodes.ids)


def test_the_branches_and_bodies_of_control_flow() -> None:
    loop = call("loop", "cond", "in", op="StatelessWhile", attribute="cond")
    loop.attr["body"].func.name = "body"
    functions = [function(name, node("op", "x"), results={"y": "op:z:0"}) for name in ("cond", "body")]
    graph = read(node("in"), loop, node("out", "loop"), functions=tuple(functions))
    assert {"loop/cond/op", "loop/body/op"} <= set(graph.nodes.ids)
    assert {"in→loop", "loop→out", "in→loop/cond/x", "in→loop/body/x"} <= set(edges(graph))


def test_arguments_of_branches_come_from_the_results_of_calls() -> None:
    branch = call("if", "then", "in", "call", op="StatelessIf", attribute="then_branch")
    functions = [function(name, node("op", "x"), results={"y": "op:z:0"}) for name in ("then", "body")]
    graph = read(node("in"), call("call", "body", "in"), branch, functions=tuple(functions))
    assert {"in→if", "call/y→if", "call/y→if/x"} <= set(edges(graph))


def test_a_long_chain_of_functions_keeps_names_short() -> None:
    functions = [function(f"f{i}", call("c", f"f{i + 1}", "x"), results={}) for i in range(500)]
    graph = read(call("start", "f0"), functions=tuple(functions))
    assert max(len(id) for id in graph.nodes.ids) < 100
    assert len(graph.nodes) == 1001
