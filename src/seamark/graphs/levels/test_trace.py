"""Traces follow real edges, also inside closed groups, and count visible boxes."""

from __future__ import annotations

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.levels.options import ViewOptions
from seamark.graphs.levels.test_support import transformer
from seamark.graphs.levels.trace import path_between, trace
from seamark.graphs.levels.visible import Levels

H = "GPT/ModuleList[h]/"
BLOCK = f"{H}Block[2]/"
OPEN = ViewOptions(open=frozenset({"GPT/", H, BLOCK, f"{BLOCK}Attention[attn]/"}))


def traced(start: str, *, inputs: bool, hops: int = 100) -> dict[str, int]:
    levels = Levels(transformer())
    visible = levels.visible(OPEN)
    nodes = levels.nodes_of(levels.items_of(start))
    found = trace(levels, visible, nodes, follows_inputs=inputs, max_hops=hops)
    return {visible.boxes.labels[box]: distance for box, distance in found.items()}


def test_inputs_are_traced_hop_by_hop() -> None:
    found = traced(f"{BLOCK}Attention[attn]/Linear[proj]/", inputs=True)
    assert found == {"proj": 0, "query": 1, "ln": 2, "h.1": 3, "h.0": 4, "input": 5}
    assert traced(f"{BLOCK}Attention[attn]/Linear[proj]/", inputs=True, hops=2) == {"proj": 0, "query": 1, "ln": 2}


def test_outputs_are_traced_the_other_way() -> None:
    found = traced(f"{BLOCK}Attention[attn]/Linear[proj]/", inputs=False)
    assert found == {"proj": 0, "add": 1, "h.3–h.5": 2, "output": 3}


def test_only_what_is_connected_inside_a_closed_group_is_followed() -> None:
    builder = GraphBuilder("g", "onnx")
    builder.add_node("left", op="A")
    builder.add_node("right", op="B")
    builder.add_edge("left", builder.add_node("box/one", op="C"))
    builder.add_edge("right", builder.add_node("box/two", op="D"))
    builder.add_edge("box/one", builder.add_node("end_one", op="E"))
    builder.add_edge("box/two", builder.add_node("end_two", op="F"))
    levels = Levels(builder.build())
    visible = levels.visible(ViewOptions(open=frozenset()))
    start = levels.nodes_of(levels.items_of("left"))
    found = trace(levels, visible, start, follows_inputs=False, max_hops=9)
    assert {visible.boxes.labels[box] for box in found} == {"left", "box", "end_one"}


def test_a_path_has_the_fewest_hops() -> None:
    levels = Levels(transformer())
    visible = levels.visible(OPEN)
    start, end = (levels.nodes_of(levels.items_of(id)) for id in (f"{BLOCK}LayerNorm[ln]/", "output/"))
    nodes = [levels.graph.nodes.ids[node] for node in path_between(levels, visible, start, end)]
    assert nodes[0].startswith(f"{BLOCK}LayerNorm[ln]")
    assert nodes[-1] == "output/logits"
    back = [levels.graph.nodes.ids[node] for node in path_between(levels, visible, end, start)]
    assert back == nodes[::-1]


def test_boxes_that_do_not_depend_on_each_other_have_no_path() -> None:
    builder = GraphBuilder("", "onnx")
    for id in ("a", "b"):
        builder.add_edge(builder.add_node("source", op="X") if id == "a" else "source", builder.add_node(id, op="X"))
    levels = Levels(builder.build())
    first, second = (levels.nodes_of(levels.items_of(id)) for id in ("a", "b"))
    assert path_between(levels, levels.visible(ViewOptions()), first, second) == []
