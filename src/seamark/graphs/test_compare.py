"""Two graphs: what was added, removed and changed."""

from __future__ import annotations

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.compare import ADDED, CHANGED, REMOVED, SAME, STATES, Comparison, compare
from seamark.graphs.form import Graph, TensorType
from seamark.graphs.levels.test_support import transformer


def chain(*nodes: tuple[str, str, int, dict[str, object]]) -> Graph:
    """Nodes (id, op, width, attributes), each the input of the next."""
    builder = GraphBuilder("net", "onnx")
    for at, (id, op, width, attributes) in enumerate(nodes):
        node = builder.add_node(id, op=op, outputs=[TensorType("float32", (8, width))], attributes=attributes)
        if at > 0:
            builder.add_edge(nodes[at - 1][0], node)
    return builder.build()


def states(comparison: Comparison) -> dict[str, str]:
    return {id: STATES[state] for id, state in zip(comparison.graph.nodes.ids, comparison.states, strict=True)}


def test_equal_graphs_have_no_differences() -> None:
    comparison = compare(transformer(), transformer())
    assert comparison.count(SAME) == len(comparison.graph.nodes)
    assert len(comparison.graph.edges) == len(transformer().edges)


def test_added_removed_and_changed_nodes() -> None:
    old = chain(("a", "Conv", 8, {"stride": 1}), ("b", "Relu", 8, {}), ("c", "Gemm", 8, {}))
    new = chain(("a", "Conv", 8, {"stride": 2}), ("n", "Norm", 8, {}), ("c", "Gemm", 16, {}))
    comparison = compare(old, new)
    assert states(comparison) == {"a": "changed", "n": "added", "c": "changed", "b": "removed"}
    assert comparison.differences[0] == "stride 1 → 2"
    assert comparison.differences[2] == "output fp32 8×8 → fp32 8×16; new input n; lost input b"
    assert (comparison.count(ADDED), comparison.count(REMOVED), comparison.count(CHANGED)) == (1, 1, 2)
    ids, edges = comparison.graph.nodes.ids, comparison.graph.edges
    pairs = {(ids[source], ids[target]) for source, target in zip(edges.sources, edges.targets, strict=True)}
    assert pairs == {("a", "n"), ("n", "c"), ("a", "b"), ("b", "c")}


def test_numbers_of_a_trace_may_shift() -> None:
    old = chain(("net/add_1", "Add", 8, {}), ("net/add_2", "Add", 8, {}))
    new = chain(("net/add_7", "Add", 8, {}), ("net/add_8", "Add", 8, {}))
    assert set(states(compare(old, new)).values()) == {"same"}


def test_a_renamed_model_keeps_its_layers() -> None:
    old = chain(("OldNet/Linear[fc]/linear", "aten.linear", 8, {}))
    new = chain(("NewNet/Linear[fc]/linear", "aten.linear", 8, {}))
    assert set(states(compare(old, new)).values()) == {"same"}


def test_layers_of_other_names_are_matched_by_their_structure() -> None:
    old = chain(
        ("in_1", "Input", 4, {}), ("dense_22", "Dense", 300, {"name": "dense_22"}), ("drop_3", "Dropout", 300, {})
    )
    new = chain(
        ("in_9", "Input", 4, {}), ("dense_1", "Dense", 200, {"name": "dense_1"}), ("drop_7", "Dropout", 200, {})
    )
    comparison = compare(old, new)
    assert states(comparison) == {"in_9": "same", "dense_1": "changed", "drop_7": "changed"}
    assert comparison.differences[1] == "output fp32 8×300 → fp32 8×200"


def test_a_trace_and_an_export_of_one_model_are_matched() -> None:
    old = chain(("a", "aten::linear", 4, {}), ("b", "aten::relu_", 4, {}))
    new = chain(("x", "aten.linear.default", 4, {}), ("y", "aten.relu_.default", 4, {}))
    assert compare(old, new).count(SAME) == 2


def test_a_removed_block_is_in_its_place() -> None:
    comparison = compare(transformer(4), transformer(3))
    removed = [id for id, state in states(comparison).items() if state == "removed"]
    assert removed
    assert all(id.startswith("GPT/ModuleList[h]/Block[3]/") for id in removed)
    assert "GPT/ModuleList[h]/Block[3]/" in comparison.graph.groups.ids
