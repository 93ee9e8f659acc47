"""Models in the forms of Keras 3 and 2, and arbitrary JSON."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamark.serve.tensorboard.graphs.keras_graph import graph_of_model

WORDS = st.sampled_from(["config", "layers", "name", "inbound_nodes", "args", "keras_history", "dtype", "class_name", "input_layers", "output_layers"])  # fmt: skip
JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.text(max_size=3), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=5)),
    max_leaves=30,
)


def layer(name: str, inbound: Any) -> dict[str, Any]:
    return {"class_name": "Dense", "config": {"name": name}, "inbound_nodes": inbound}


def edges(model: dict[str, Any]) -> dict[str, list[str]]:
    return {node.name: list(node.input) for node in graph_of_model(model).node}


def test_connections_of_keras_2() -> None:
    layers = [layer("a", []), layer("b", [[["a", 0, 0, {}]]]), layer("c", [[["a", 0, 0, {}], ["b", 0, 0, {}]]])]
    assert edges({"config": {"name": "m", "layers": layers}}) == {"m/a": [], "m/b": ["m/a"], "m/c": ["m/a", "m/b"]}


def test_a_model_inside_a_sequential_one_follows_the_layer_before_it() -> None:
    inner = {
        "config": {"name": "in", "layers": [layer("x", []), layer("y", [[["x", 0, 0, {}]]])], "input_layers": [["x", 0, 0]], "output_layers": [["y", 0, 0]]}
    }  # fmt: skip
    outer = {"config": {"name": "out", "layers": [{"config": {"name": "a"}}, inner, {"config": {"name": "z"}}]}}
    assert edges(outer) == {"out/a": [], "out/in/x": ["out/a"], "out/in/y": ["out/in/x"], "out/z": ["out/in/y"]}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(WORDS, JSON, max_size=5))
def test_any_json_gives_a_graph(model: dict[str, Any]) -> None:
    graph_of_model(model)
