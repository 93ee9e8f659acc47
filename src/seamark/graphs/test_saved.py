"""Saved graphs: what is loaded equals what was dumped, and damaged bytes give nothing."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from seamark.graphs import saved
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, TensorType
from seamark.graphs.readers.test_support import node, read


def built() -> Graph:
    builder = GraphBuilder("net 🙂", "onnx")
    builder.facts["opset"] = 17
    builder.add_problem("something is odd")
    builder.groups.describe("net/fc", type="Linear", layer="fc")
    builder.add_node("net/fc/weight", op="Parameter", outputs=[TensorType("float32", (3, -1))], parameters=12)
    fc = builder.add_node("net/fc/out", op="MatMul", source="model.py:3", device="gpu", attributes={"axis": [1, 2]})
    builder.add_edge("net/fc/weight", fc, output=2, is_control=True)
    return builder.build()


def plain(value: Any) -> Any:
    """Dataclasses and arrays as comparable values."""
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.tolist())
    if hasattr(value, "encoding"):
        return (value.encoding, bytes(value.data), plain(value.starts))
    return value


@pytest.mark.parametrize(
    "graph", [built(), read(node("a"), node("b", "a")), read()], ids=["built", "graph_def", "empty"]
)
def test_a_graph_survives(graph: Graph) -> None:
    loaded = saved.load(saved.dump(graph))
    assert loaded is not None
    assert plain(loaded) == plain(graph)
    for index in range(len(graph.nodes)):
        assert loaded.nodes.attributes.of(index) == graph.nodes.attributes.of(index)


def test_damaged_and_older_bytes_give_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved.dump(built())
    assert saved.load(b"") is saved.load(data[:40]) is saved.load(data + b"x") is None
    for at in range(0, len(data), 7):
        assert saved.load(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]) is None
    monkeypatch.setattr(saved, "SAVED_VERSION", saved.SAVED_VERSION + 1)
    assert saved.load(data) is None


def test_another_release_reads_the_source_again(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved.dump(built())
    monkeypatch.setattr(saved, "__version__", "0.0.0")
    assert saved.load(data) is None
