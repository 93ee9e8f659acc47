"""GraphDefs: names, inputs, layers, and damaged ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.format.messages import GraphDebugInfo, GraphDef, MetaGraphDef, RunMetadata
from seamark.graphs.form import GraphError
from seamark.graphs.readers.graph_def import from_graph_def, from_meta_graph, from_pb_file, from_run_metadata
from seamark.graphs.readers.test_support import call, edges, function, group_ids, length_prefixed, node, read


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


def test_long_names_that_are_cut_are_not_called_equal() -> None:
    long = "/".join(["level"] * 500)
    assert not any("name of another node" in problem for problem in read(node(f"{long}/a"), node(f"{long}/b")).problems)


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
    assert graph.nodes.ids == ["a"] and graph.problems == ("1 node is malformed and left out",)


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
    saved_model = b"\x08\x01\x12" + length_prefixed(data)
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
