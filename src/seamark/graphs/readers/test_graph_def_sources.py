"""GraphDefs of real writers, and any graph: nodes and edges are those of the message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.format.messages import GraphDef, NodeDef
from seamark.graphs.form import Graph, GraphError
from seamark.graphs.readers.graph_def import from_graph_def
from seamark.graphs.readers.graph_text import from_text

NAMES = st.sampled_from(["a", "b", "a/b", "a/b/c", "x:1", "é/🙂", "loss", "Net/Linear[fc]/out"])
NODES = st.lists(
    st.builds(
        NodeDef,
        name=NAMES,
        op=st.sampled_from(["Add", "Const"]),
        input=st.lists(st.builds(lambda mark, name, port: mark + name + port, st.sampled_from(["", "^"]), NAMES, st.sampled_from(["", ":0", ":1"])), max_size=4),
    ),
    max_size=8,
    unique_by=lambda node: node.name,
)  # fmt: skip


def expected_edges(message: GraphDef) -> list[tuple[str, str, int, bool]]:
    names = {node.name for node in message.node}
    found = []
    for node in message.node:
        for text in node.input:
            is_control = text.startswith("^")
            name, port = text.removeprefix("^"), 0
            if name not in names:
                name, _, last = name.rpartition(":")
                port = int(last or 0) if last.isdecimal() else 0
            if name in names:
                found.append((name, node.name, 0 if is_control else port, is_control))
    return found


def edges_of(graph: Graph) -> list[tuple[str, str, int, bool]]:
    ids, edges = graph.nodes.ids, graph.edges
    columns = zip(edges.sources, edges.targets, edges.source_outputs, edges.is_control, strict=True)
    return [(ids[source], ids[target], int(output), bool(control)) for source, target, output, control in columns]


@settings(deadline=None)
@given(NODES)
def test_edges_are_those_of_the_message(nodes: list[NodeDef]) -> None:
    message = GraphDef(node=nodes)
    graph = from_graph_def(message.SerializeToString(), title="")
    assert graph.nodes.ids == [node.name for node in nodes]
    assert edges_of(graph) == expected_edges(message)


def test_the_trace_of_torch() -> None:
    torch = pytest.importorskip("torch")
    from torch.utils.tensorboard._pytorch_graph import graph as trace

    layers = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 5))
    message = GraphDef.FromString(trace(layers, (torch.zeros(2, 3, 8, 8),))[0].SerializeToString())
    graph = from_graph_def(message.SerializeToString(), title="")
    assert len(graph.nodes) == len(message.node)
    assert edges_of(graph) == expected_edges(message)
    assert graph.problems == ()
    types = dict(zip(graph.groups.ids, graph.groups.types, strict=True))
    assert types["Sequential/Conv2d[0]/"] == "Conv2d"
    linear = graph.nodes.op_names.index("aten::linear")
    (node,) = [node for node, op in enumerate(graph.nodes.ops) if op == linear]
    assert graph.output(node, 0).shape == (2, 5)


def test_the_graph_of_our_writer_has_the_parameters_of_the_model() -> None:
    torch = pytest.importorskip("torch")
    from seamark.write.encode.graph.torch_export import export_nodes

    nn = torch.nn
    layers = nn.Sequential(
        nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Sequential(nn.ReLU(), nn.Linear(8, 8), nn.Linear(8, 8))
    )
    layers[2][2].weight = layers[2][1].weight  # tied, so it counts once
    layers[0].weight.requires_grad_(False)
    with torch.no_grad():
        message = GraphDef(node=export_nodes(layers, (torch.zeros(3, 4),), {}, verbose=False))
    graph = from_graph_def(message.SerializeToString(), title="")
    parameters = list(layers.parameters())
    assert graph.nodes.parameters.sum() == sum(one.numel() for one in parameters)
    assert graph.nodes.trainable_parameters.sum() == sum(one.numel() for one in parameters if one.requires_grad)
    assert edges_of(graph) == expected_edges(message)
    assert {"0", "1", "2", "2.0", "2.1", "2.2"} <= set(graph.groups.layers)


def test_text_gives_the_same_graph() -> None:
    text = 'node { name: "a/b" op: "Const" attr { key: "n" value { i: 3 } } } node { name: "c" input: "a/b:1" } new: 7'
    graph = from_text(text, title="t")
    assert graph.nodes.ids == ["a/b", "c"] and edges_of(graph) == [("a/b", "c", 1, False)]
    assert graph.nodes.attributes.of(0) == {"n": 3}
    assert from_text(text.encode(), title="t").nodes.ids == graph.nodes.ids
    assert from_text(text.encode("utf-8-sig"), title="t").nodes.ids == graph.nodes.ids, "as editors on Windows save it"


@pytest.mark.parametrize(
    "text", ["node {", "nonsense", 'node { name: "a', b"\xff\xfe", "node { attr { value { list { func { " * 3000]
)
def test_text_that_is_no_graph_is_an_error(text: str | bytes) -> None:
    with pytest.raises(GraphError, match="text"):
        from_text(text, title="")


def test_a_long_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.graphs.readers.graph_text.MAX_TEXT_BYTES", 10)
    with pytest.raises(GraphError, match="save the graph as"):
        from_text("node { name: 'a' }", title="")
