"""GraphDefs: names, inputs, outputs, parameters, functions, and damaged ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.format.messages import (
    DataType,
    FunctionDef,
    GraphDebugInfo,
    GraphDef,
    MetaGraphDef,
    NodeDef,
    OpDef,
    RunMetadata,
    TensorShape,
)
from seamark.graphs.attributes import Large
from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.readers.graph_def import from_graph_def, from_meta_graph, from_pb_file, from_run_metadata
from seamark.kinds.tensor import from_array

ArgDef = OpDef.ArgDef


def read(*nodes: NodeDef, functions: tuple[FunctionDef, ...] = ()) -> Graph:
    graph = GraphDef(node=nodes)
    graph.library.function.extend(functions)
    return from_graph_def(graph.SerializeToString(), title="test")


def node(name: str, *inputs: str, op: str = "Op") -> NodeDef:
    return NodeDef(name=name, op=op, input=inputs)


def shape(*sizes: int) -> TensorShape:
    return TensorShape(dim=[TensorShape.Dim(size=size) for size in sizes])


def edges(graph: Graph) -> list[str]:
    """ "source:output→target", with a caret for a control edge."""
    ids, columns = graph.nodes.ids, graph.edges
    return [
        f"{'^' if control else ''}{ids[source]}{f':{output}' if output else ''}→{ids[target]}"
        for source, target, output, control in zip(
            columns.sources, columns.targets, columns.source_outputs, columns.is_control, strict=True
        )
    ]


def group_ids(graph: Graph) -> dict[str, str]:
    return {id: graph.groups.ids[group] for id, group in zip(graph.nodes.ids, graph.nodes.groups, strict=True)}


def test_inputs_name_an_output_or_make_a_control_edge() -> None:
    graph = read(node("a"), node("b", "a", "a:1", "^a"), node("c", "b:0", "a"))
    assert edges(graph) == ["a→b", "a:1→b", "^a→b", "b→c", "a→c"]
    assert graph.problems == ()


def test_cycles_and_inputs_from_later_nodes_are_edges_like_others() -> None:
    assert edges(read(node("a", "b", "a"), node("b", "a"))) == ["b→a", "a→a", "a→b"]


def test_missing_inputs_are_one_problem() -> None:
    graph = read(node("a", "gone", "^lost:1"), node("b", "a"))
    assert edges(graph) == ["a→b"]
    assert graph.problems == ("2 inputs name nodes that do not exist: 'gone', '^lost:1'",)


def test_torch_leaves_out_the_nodes_of_modules() -> None:
    assert read(node("Net/weight", "Net/module", op="prim::GetAttr")).problems == ()


def test_a_name_with_a_colon_is_found_before_an_output() -> None:
    assert edges(read(node("a"), node("a:0"), node("b", "a:0"))) == ["a:0→b"]


def test_hostile_names() -> None:
    names = ["", "/", "a//b", "/a", "^control", "x:0", "🙂/<script>", "a/", "n" * 5000, "n" * 5000, "a/b/c"]
    graph = read(*[node(name) for name in names])
    assert len(graph.nodes) == len(set(graph.nodes.ids)) == len(names)
    assert not any(id.endswith("/") for id in graph.nodes.ids)
    assert all(len(id) <= 2010 for id in graph.nodes.ids)
    assert group_ids(graph)["🙂/<script>"] == "🙂/"
    assert graph.problems[0].startswith("2 nodes have the name of another node: 'unnamed'")


def test_names_that_are_not_utf8_are_shown_with_replacements() -> None:
    data = GraphDef(node=[node("abc"), node("d", "abc")]).SerializeToString().replace(b"abc", b"a\xff\xfe")
    graph = from_graph_def(data, title="")
    assert graph.nodes.ids == ["a\ufffd\ufffd", "d"]
    assert len(graph.edges) == 1


def test_a_node_with_the_name_of_a_scope_stands_inside_it() -> None:
    graph = read(node("a"), node("a/b", "a"), node("c"))
    assert group_ids(graph) == {"a": "a/", "a/b": "a/", "c": "/"}
    assert graph.nodes.labels == ["(a)", "b", "c"]


def test_ten_thousand_levels_are_joined() -> None:
    graph = read(node("/".join(["s"] * 10_000)), node("t/" * 900 + "x"))
    assert len(graph.groups) < 200
    assert any("nested too deeply" in problem for problem in graph.problems)


def test_shapes_and_dtypes_of_outputs() -> None:
    placeholder = node("x", op="Placeholder")
    placeholder.attr["dtype"].type = DataType.DT_FLOAT
    placeholder.attr["shape"].shape.CopyFrom(shape(-1, 3))
    split = node("split", "x")
    split.attr["T"].type = DataType.DT_HALF
    split.attr["_output_shapes"].list.shape.extend([shape(2, 3), TensorShape(unknown_rank=True), shape()])
    typed = node("typed")
    typed.attr["_output_types"].list.type.extend([DataType.DT_INT64, DataType.DT_BFLOAT16])
    graph = read(placeholder, split, typed, node("none"))
    assert graph.outputs(0) == [TensorType("float32", (-1, 3))]
    assert graph.outputs(1) == [TensorType("float16", (2, 3)), TensorType("float16"), TensorType("float16", ())]
    assert graph.outputs(2) == [TensorType("int64"), TensorType("bfloat16")]
    assert graph.outputs(3) == []


def test_dtypes_that_differ_from_those_of_the_inputs() -> None:
    less = node("less", op="Less")
    less.attr["T"].type = DataType.DT_FLOAT
    branch = node("branch", op="If")
    branch.attr["Tin"].list.type.append(DataType.DT_HALF)
    branch.attr["Tout"].list.type.extend([DataType.DT_INT32, DataType.DT_STRING])
    graph = read(less, branch)
    assert graph.outputs(0) == [TensorType("bool")]
    assert graph.outputs(1) == [TensorType("int32"), TensorType("string")]
    assert graph.nodes.attributes.of(1) == {"Tin": ["float16"], "Tout": ["int32", "string"]}


def test_attributes_are_plain_values() -> None:
    one = node("a")
    one.attr["s"].s = "größe".encode()
    one.attr["i"].i = -3
    one.attr["f"].f = 0.5
    one.attr["b"].b = True
    one.attr["type"].type = DataType.DT_DOUBLE_REF
    one.attr["shape"].shape.CopyFrom(shape(4, -1))
    one.attr["tensor"].tensor.CopyFrom(from_array(np.array([[1, 2], [3, 4]], np.int32)))
    one.attr["func"].func.name = "body"
    one.attr["list"].list.i.extend([1, 2])
    one.attr["empty"].list.SetInParent()
    one.attr["unset"].SetInParent()
    assert read(one).nodes.attributes.of(0) == {
        "b": True, "empty": [], "f": 0.5, "func": "body", "i": -3, "list": [1, 2], "s": "größe", "shape": "4×?",
        "tensor": [[1, 2], [3, 4]], "type": "float64", "unset": None,
    }  # fmt: skip


def test_large_values_are_not_stored() -> None:
    constant = node("weights", op="Const")
    constant.attr["value"].tensor.CopyFrom(from_array(np.arange(64 * 128, dtype=np.float32).reshape(64, 128) / 4))
    constant.attr["code"].s = b"x" * 9000
    constant.attr["names"].list.s.extend([b"name"] * 1000)
    graph = read(constant)
    assert graph.nodes.attributes.of(0) == {
        "code": Large("x" * 200 + "…", 9000),
        "names": Large("list", 6000),
        "value": Large("float32 tensor, shape 64×128: 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, …", 32_785),
    }
    assert len(graph.nodes.attributes.data) < 600


def test_attributes_that_are_nested_too_deeply_are_a_sentence() -> None:
    nested = b""
    for _ in range(400):  # AttrValue{list{func{attr{value: AttrValue…
        inner = b"\x12" + _length(nested)
        nested = b"\x52" + _length(b"\x12" + _length(inner))
    entry = b"\x0a\x01f\x12" + _length(nested)
    data = b"\x0a" + _length(b"\x0a\x01n\x2a" + _length(entry))
    graph = from_graph_def(data, title="")
    assert graph.nodes.ids == ["n"]
    assert "nested too deeply" in graph.nodes.attributes.of(0)["unreadable"]


def _length(content: bytes) -> bytes:
    size, head = len(content), bytearray()
    while size >= 128:
        head.append(size & 127 | 128)
        size >>= 7
    return bytes([*head, size]) + content


def test_parameters_of_variables() -> None:
    variable = node("v", op="VarHandleOp")
    variable.attr["shape"].shape.CopyFrom(shape(3, 4))
    variable.attr["_output_shapes"].list.shape.append(shape())
    weight = node("Net/Linear[fc]/weight", op="Parameter")
    weight.attr["_output_shapes"].list.shape.append(shape(10, 20))
    frozen = node("Net/Linear[fc]/bias", op="Parameter")
    frozen.attr["_output_shapes"].list.shape.append(shape(10))
    frozen.attr["trainable"].b = False
    unknown = node("u", op="VariableV2")
    unknown.attr["shape"].shape.CopyFrom(shape(-1, 4))
    graph = read(variable, weight, frozen, unknown, node("x"))
    assert graph.nodes.parameters.tolist() == [12, 200, 10, 0, 0]
    assert graph.nodes.trainable_parameters.tolist() == [12, 200, 0, 0, 0]


def variable(name: str, *sizes: int, op: str = "VariableV2") -> NodeDef:
    made = node(name, op=op)
    made.attr["shape"].shape.CopyFrom(shape(*sizes))
    return made


def test_what_an_optimizer_stores_and_counts_is_no_parameter() -> None:
    graph = read(
        variable("w", 3, 4),
        variable("w/Adam", 3, 4),
        variable("beta1_power"),
        node("beta1_power/read", "beta1_power", op="Identity"),
        variable("moving_mean", 4),
        variable("global_step"),
        node("train", "w", "w/Adam", "beta1_power/read", op="ApplyAdam"),
        node("count", "global_step", op="AssignAdd"),
    )
    counts = dict(zip(graph.nodes.ids, graph.nodes.parameters.tolist(), strict=True))
    assert {name: count for name, count in counts.items() if count} == {"w": 12, "moving_mean": 4}
    assert graph.nodes.trainable_parameters.sum() == 12


def test_handles_of_variables_have_the_shapes_of_their_reads() -> None:
    handle = node("handle", op="Placeholder")
    handle.attr["dtype"].type = DataType.DT_RESOURCE
    handle.attr["shape"].shape.CopyFrom(shape())
    reading = node("read", "x", op="ReadVariableOp")
    reading.attr["_output_shapes"].list.shape.append(shape(5, 6))
    body = function("body", reading, results={"y": "read:value:0"})
    graph = read(handle, call("call", "body", "handle"), functions=(body,))
    assert graph.nodes.parameters[0] == graph.nodes.parameters.sum() == 30
    twice = read(
        variable("v", 5, 6, op="VarHandleOp"), call("a", "body", "v"), call("b", "body", "v"), functions=(body,)
    )
    assert twice.nodes.parameters[0] == twice.nodes.parameters.sum() == 30


def test_source_lines_and_layers_of_our_writer() -> None:
    one = node("GPT/scope/linear", op="aten.linear.default")
    one.attr["source"].s = b"model.py:71"
    one.attr["module"].s = b"h.5.c_proj"
    graph = read(one, node("other"))
    assert graph.nodes.sources == {0: "model.py:71"}
    assert graph.groups.layers[graph.nodes.groups[0]] == "h.5.c_proj"


def test_source_lines_of_debug_info() -> None:
    graph = GraphDef(node=[node("a"), node("b")])
    frame = GraphDebugInfo.FileLineCol(file_index=0, line=7)
    graph.debug_info.files.append("/home/x/train.py")
    graph.debug_info.traces["a@"].file_line_cols.append(frame)
    assert from_graph_def(graph.SerializeToString(), title="").nodes.sources == {0: "train.py:7"}


def test_a_truncated_graph_gives_what_comes_before_its_end() -> None:
    data = GraphDef(node=[node("a"), node("b", "a"), node("c", "b")]).SerializeToString()
    graph = from_graph_def(data[:-3], title="")
    assert graph.nodes.ids == ["a", "b"]
    assert graph.problems == ("the graph ends early, within the field at byte 21 of 30; what comes before it is shown",)


def test_malformed_nodes_are_left_out() -> None:
    data = GraphDef(node=[node("a")]).SerializeToString()
    graph = from_graph_def(data + b"\x0a\x02\xff\xff", title="")
    assert graph.nodes.ids == ["a"] and graph.problems == ("1 nodes are malformed and left out",)


@pytest.mark.parametrize("data", [b"garbage!", b"\x00\x01\x02", b"\xff" * 100, b"node { name: 'a' }", b"\x0a\xff"])
def test_bytes_that_are_no_graph_are_an_error(data: bytes) -> None:
    with pytest.raises(GraphError, match=r"this GraphDef cannot be read: the bytes are no GraphDef.*check that"):
        from_graph_def(data, title="")


def test_an_empty_graph_is_a_graph() -> None:
    assert len(read().nodes) == len(read().edges) == 0


def test_meta_graphs_whole_and_truncated() -> None:
    meta = MetaGraphDef(graph_def=GraphDef(node=[node("a"), node("b", "a")]))
    meta.meta_info_def.tags.append("serve")
    data = meta.SerializeToString()
    assert from_meta_graph(data, title="").nodes.ids == ["a", "b"]
    cut = from_meta_graph(data[:-2], title="")
    assert cut.nodes.ids == ["a"] and "ends early" in cut.problems[0]
    saved_model = b"\x08\x01\x12" + _length(data)
    assert from_pb_file(saved_model, title="").nodes.ids == ["a", "b"]


def test_graphs_of_run_metadata_get_scopes() -> None:
    metadata = RunMetadata()
    for _ in range(2):
        metadata.function_graphs.add().pre_optimization_graph.node.extend([node("a"), node("b", "a")])
    graph = from_run_metadata(metadata.SerializeToString(), title="")
    assert edges(graph) == ["graph_1/a→graph_1/b", "graph_2/a→graph_2/b"]
    metadata.function_graphs.pop()
    metadata.function_graphs.add().pre_optimization_graph.node.append(node("input", op="_EagerConst"))
    assert edges(from_run_metadata(metadata.SerializeToString(), title="")) == ["a→b"]
    with pytest.raises(GraphError, match="no graph"):
        from_run_metadata(b"", title="")


def test_calls_in_the_graphs_of_run_metadata_find_their_functions() -> None:
    metadata = RunMetadata()
    for name in ("f", "g"):
        graph = metadata.function_graphs.add().pre_optimization_graph
        graph.node.append(call("run", name, op="StatefulPartitionedCall"))
        for one in ("f", "g"):
            graph.library.function.append(function(one, node("op", "x"), results={}))
    joined = from_run_metadata(metadata.SerializeToString(), title="")
    assert {"graph_1/run/op", "graph_2/run/op"} <= set(joined.nodes.ids)


def test_the_shape_of_a_constant_is_that_of_its_value() -> None:
    constant = node("c", op="Const")
    constant.attr["dtype"].type = DataType.DT_FLOAT
    constant.attr["value"].tensor.CopyFrom(from_array(np.zeros((64, 128), np.float32)))
    assert read(constant).outputs(0) == [TensorType("float32", (64, 128))]


def function(name: str, *nodes: NodeDef, arguments: tuple[str, ...] = ("x",), results: dict[str, str]) -> FunctionDef:
    signature = OpDef(
        name=name,
        input_arg=[ArgDef(name=one, type=DataType.DT_FLOAT) for one in arguments],
        output_arg=[ArgDef(name=one, type=DataType.DT_FLOAT) for one in results],
    )
    return FunctionDef(signature=signature, node_def=nodes, ret=results)


def call(name: str, target: str, *inputs: str, op: str = "PartitionedCall", attribute: str = "f") -> NodeDef:
    made = node(name, *inputs, op=op)
    made.attr[attribute].func.name = target
    return made


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


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=60), st.integers(0, 400), st.integers(0, 255))
def test_any_bytes_are_a_graph_or_a_graph_error(noise: bytes, at: int, value: int) -> None:
    square = function("square", node("mul", "x", "x"), results={"y": "mul:z:0"})
    whole = GraphDef(node=[node("in"), call("run/call", "square", "in"), node("out", "run/call:0")])
    whole.library.function.append(square)
    data = bytearray(whole.SerializeToString())
    data[at % len(data)] = value
    for damaged in (noise, bytes(data), bytes(data[:at])):
        try:
            graph = from_graph_def(damaged, title="")
        except GraphError:
            continue
        count = len(graph.nodes)
        assert np.all(graph.edges.sources < count) and np.all(np.diff(graph.edges.targets) >= 0)
        for index in range(count):
            graph.nodes.attributes.of(index)
            graph.outputs(index)
