"""Traces of torch's own writer: what they leave out is worked out, or not known."""

from __future__ import annotations

import warnings

import torch
from torch import nn

from seamark.format.messages import GraphDef
from seamark.graphs.costs import costs_of
from seamark.graphs.details import Link, outputs_of, own_operation, stated_sizes
from seamark.graphs.form import Graph
from seamark.graphs.layers import layers_table
from seamark.graphs.levels.options import ViewOptions
from seamark.graphs.levels.visible import Levels
from seamark.graphs.readers.graph_def import from_graph_def
from seamark.graphs.session import GraphSession
from seamark.write.encode.graph.torch_trace import trace_nodes


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8))
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Conv2d(8, 8, 5, padding=2, groups=2, bias=False), nn.ReLU()) for _ in range(2)
        )
        self.norm = nn.LayerNorm([4, 4])
        self.head = nn.Linear(16, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x) * 2
        out: torch.Tensor = self.head(self.norm(x).flatten(2)).mean(1)
        return out


class Strided(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.conv = nn.Embedding(9, 6), nn.Conv1d(6, 4, 3, stride=2)
        self.twice = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(self.words(x).transpose(1, 2)).transpose(1, 2)
        out: torch.Tensor = self.twice(self.twice(x))
        return out


def traced(model: nn.Module, *inputs: torch.Tensor) -> Graph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nodes = trace_nodes(model.eval(), inputs, {}, verbose=False, strict=True)
    return from_graph_def(GraphDef(node=nodes).SerializeToString(), title="")


def test_weights_of_linear_layers_norms_and_convolutions_follow_from_the_shapes() -> None:
    model = Net()
    graph = traced(model, torch.zeros(2, 3, 4, 4))
    totals = layers_table(graph, costs_of(graph)).totals
    assert totals.parameters == sum(weight.numel() for weight in model.parameters())
    assert not totals.has_unknown_parameters
    # Convolutions: outputs times kernel; then 8 rows of the linear layer.
    assert totals.multiply_adds == 2 * (8 * 16 * 27 + 2 * (8 * 16 * 4 * 25) + 8 * 5 * 16)


def test_weights_that_do_not_follow_are_not_known() -> None:
    model = Strided()
    graph = traced(model, torch.zeros(2, 7, dtype=torch.long))
    table = layers_table(graph, costs_of(graph))
    parameters = dict(zip(table.names, table.parameters, strict=True))
    assert (parameters["words"], parameters["conv"], parameters["twice"]) == (None, 4, 20)
    assert dict(zip(table.names, table.has_unknown_parameters, strict=True))["conv"]
    assert (table.totals.parameters, table.totals.has_unknown_parameters) == (24, True)


def test_boxes_are_named_by_their_operation_and_layers_in_full() -> None:
    graph = traced(Net(), torch.zeros(2, 3, 4, 4))
    assert {"blocks.0.0", "blocks.0.1", "blocks.1", "stem.0"} <= set(graph.groups.layers)
    labels = [label for node, label in enumerate(graph.nodes.labels) if graph.op(node).startswith("aten::")]
    assert not any(label.isdecimal() or label.startswith("input") for label in labels)
    assert {"mul", "mul_1", "flatten"} <= set(labels)


def test_details_of_a_layer_have_its_settings_and_no_shared_constants() -> None:
    session = GraphSession(traced(Net(), torch.zeros(2, 3, 4, 4)))
    (layer,) = session.levels.items_of("Net/Sequential[stem]/Conv2d[0]/")
    node = own_operation(session, layer)
    sizes = {"weight": [8, 3, 3, 3], "stride": [1, 1], "padding": [1, 1], "dilation": [1, 1], "groups": [1]}
    assert stated_sizes(session, layer, node) == {**sizes, "kernel": [3, 3]}
    assert [label(session, link) for link in outputs_of(session, session.levels.nodes_of((layer,)))[0]] == [
        "batch_norm"
    ]


def label(session: GraphSession, link: Link) -> str:
    return session.graph.op(link.node).removeprefix("aten::")


def test_the_outline_follows_the_flow_though_constants_come_first() -> None:
    graph = traced(Net(), torch.zeros(2, 3, 4, 4))
    visible = Levels(graph).visible(ViewOptions(open=frozenset({"Net/"})))
    labels = [label for label in visible.boxes.labels if label in ("stem", "blocks.0", "norm", "head", "output")]
    assert labels == ["output", "stem", "blocks.0", "norm", "head"]
    top = [label for label, parent in zip(visible.boxes.labels, visible.boxes.parents, strict=True) if parent < 0]
    assert top == ["input", "Net", "output"], "torch lists the output second"
