"""Graphs as text: large attributes are left out, and a graph is formatted once."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.format.messages import GraphDef
from seamark.format.types import RunName, Tag
from seamark.kinds.summary import graph_record
from seamark.serve.app import create_app
from seamark.serve.tensorboard.graphs import routes
from seamark.serve.tensorboard.graphs.attributes import drop_large_attributes
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


def graph_of(*sizes: int) -> GraphDef:
    graph = GraphDef()
    for number, size in enumerate(sizes):
        node = graph.node.add(name=f"node{number}", op="Const")
        node.attr["value"].s = b"x" * size
        node.attr["other"].s = b"y" * size
    return graph


def test_only_attributes_above_the_limit_are_dropped() -> None:
    graph = graph_of(10, 98, 100, 1000)
    drop_large_attributes(graph, 100, "_large")
    names = [sorted(node.attr) for node in graph.node]
    assert names == [["other", "value"], ["other", "value"], ["_large"], ["_large"]]
    assert sorted(graph.node[3].attr["_large"].list.s) == [b"other", b"value"]


@pytest.mark.timed
def test_a_graph_is_formatted_once_until_the_run_writes_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    formatted = []
    message_text = routes.message_text
    monkeypatch.setattr(routes, "message_text", lambda message: formatted.append(message) or message_text(message))
    with EventFile(tmp_path / "a") as file:
        file.append(graph_record(graph_of(10).SerializeToString(), wall_time=1.0))
        file.flush()
        with Store([LogRoot("", tmp_path)], index_dir=None) as store:
            assert store.wait_loaded(30)
            changes = store.subscribe()
            client = TestClient(create_app(store), base_url="http://localhost")

            def graph_text(**more: str) -> str:
                response = client.get("/data/plugin/graphs/graph", params={"run": "a", **more})
                assert response.status_code == 200, response.text
                return response.text

            assert graph_text() == graph_text()
            assert "_large" not in graph_text()
            assert "_large" in graph_text(limit_attr_size="5", large_attrs_key="_large")
            assert len(formatted) == 2
            file.add_scalar("loss", 1.0, 0)
            file.flush()
            while not store.last_values(Tag("loss")):
                assert changes.get(timeout_secs=30) is not None
            assert "node0" in graph_text() and len(formatted) == 2
            file.append(graph_record(graph_of(10, 20).SerializeToString(), wall_time=2.0))
            file.flush()
            while len(store.payloads(RunName("a"), Tag(""), "graphs")) < 2:
                assert changes.get(timeout_secs=30) is not None
            assert "node1" in graph_text() and len(formatted) == 3
