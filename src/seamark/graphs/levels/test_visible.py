"""What is visible: closed groups, series, folded noise, bundled edges, and very wide levels."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, TensorType
from seamark.graphs.levels import visible as visible_module
from seamark.graphs.levels.options import ViewOptions
from seamark.graphs.levels.test_support import transformer
from seamark.graphs.levels.visible import Levels, Visible

H = "GPT/ModuleList[h]/"
BLOCK = f"{H}Block[2]/"


def view(graph: Graph, *open: str, **options: frozenset[str]) -> Visible:
    return Levels(graph).visible(ViewOptions(open=frozenset(open), **options))


def edges_by_label(visible: Visible) -> dict[tuple[str, str], tuple[int, float]]:
    labels, edges = visible.boxes.labels, visible.edges
    return {
        (labels[source], labels[target]): (int(count), float(size))
        for source, target, count, size in zip(edges.sources, edges.targets, edges.counts, edges.bytes, strict=True)
    }


def test_a_closed_graph_is_its_top_level() -> None:
    visible = view(transformer())
    assert visible.boxes.labels == ["input", "GPT", "output"]
    assert visible.boxes.types == ["op", "group", "op"]
    size = 8 * 64 * 96 * 4
    # The input goes to the first layer and to the residual, but it is one tensor.
    assert edges_by_label(visible) == {("input", "GPT"): (2, size), ("GPT", "output"): (1, size)}


def test_equal_blocks_are_one_stack_on_both_sides_of_an_open_one() -> None:
    stacked = view(transformer(), "GPT/", H)
    assert stacked.boxes.labels[-1] == "h.0–h.5"
    assert (stacked.boxes.types[-1], stacked.boxes.repeats[-1]) == ("series", 6)
    split = view(transformer(8), "GPT/", H, f"{H}Block[3]/")
    assert [label for label in split.boxes.labels if label.startswith("h.")] == ["h.0–h.2", "h.3", "h.4–h.7"]
    assert split.boxes.is_open[split.boxes.labels.index("h.3")]


def test_a_series_can_be_shown_one_by_one_or_give_up_one_member() -> None:
    everything = view(transformer(), "GPT/", H, unstacked=frozenset({H}))
    assert [label for label in everything.boxes.labels if label.startswith("h.")] == [f"h.{at}" for at in range(6)]
    alone = view(transformer(7), "GPT/", H, unstacked=frozenset({f"{H}Block[3]/"}))
    assert [label for label in alone.boxes.labels if label.startswith("h.")] == ["h.0–h.2", "h.3", "h.4–h.6"]


def test_a_module_of_one_operation_is_drawn_as_that_operation() -> None:
    visible = view(transformer(), "GPT/", H, BLOCK)
    at = visible.boxes.labels.index("ln")
    assert (visible.boxes.types[at], visible.boxes.ops[at]) == ("op", "LayerNorm")
    unfolded = view(transformer(), "GPT/", H, BLOCK, unfolded=frozenset({"parameters"}))
    assert unfolded.boxes.types[unfolded.boxes.labels.index("ln")] == "group"


def test_edges_lead_from_inside_one_open_group_into_another() -> None:
    visible = view(transformer(), "GPT/", H, BLOCK, f"{BLOCK}Attention[attn]/")
    edges = edges_by_label(visible)
    assert ("ln", "query") in edges
    assert ("proj", "add") in edges
    assert ("h.0–h.1", "ln") not in edges  # two blocks are not a series
    assert ("h.1", "ln") in edges
    assert ("h.1", "add") in edges
    assert not any("attn" in pair for pair in edges)  # an open group has no edges itself


def test_groups_in_closed_groups_stay_closed_and_unknown_ids_do_nothing() -> None:
    visible = view(transformer(), BLOCK, "nothing/", "GPT")
    assert visible.boxes.labels == ["input", "GPT", "output"]
    assert visible.open == frozenset()


def test_the_first_view_opens_the_largest_groups_and_one_member_of_a_series() -> None:
    visible = Levels(transformer(12)).visible(ViewOptions())
    assert f"{H}Block[0]/" in visible.open
    assert f"{H}Block[1]/" not in visible.open
    assert len(visible.boxes) <= visible_module.MAX_FIRST_BOXES + len(visible.open)


def test_all_groups_below_are_opened_until_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    visible = view(transformer(), "GPT/**")
    assert f"{H}Block[4]/Attention[attn]/" in visible.open
    assert not visible.problems
    monkeypatch.setattr(visible_module, "MAX_BELOW_BOXES", 5)
    limited = view(transformer(), "GPT/**")
    assert f"{H}Block[4]/Attention[attn]/" not in limited.open
    assert "more than 5 boxes" in limited.problems[0]


def test_isolated_boxes_are_all_that_is_shown() -> None:
    visible = view(transformer(), "GPT/", H, BLOCK, isolated=frozenset({BLOCK}))
    assert set(visible.boxes.labels) == {"GPT", "h", "h.2", "ln", "attn", "add"}


def test_an_isolated_layer_of_one_operation_keeps_its_name() -> None:
    layer = f"{BLOCK}LayerNorm[ln]/"
    visible = view(transformer(), "GPT/", H, BLOCK, isolated=frozenset({layer}))
    assert visible.boxes.ids == ["GPT/", H, BLOCK, layer]
    assert visible.boxes.types == ["group", "group", "group", "op"]


def test_members_of_a_series_are_found_by_its_id() -> None:
    levels = Levels(transformer())
    visible = levels.visible(ViewOptions(open=frozenset({"GPT/", H})))
    items = levels.items_of(visible.boxes.ids[-1])
    assert [item.label for item in items] == [f"h.{at}" for at in range(6)]
    assert len(levels.nodes_of(items)) == 6 * 7
    assert levels.items_of("GPT/*x..y/") == ()
    assert levels.items_of("") == ()


def test_a_series_at_the_top_is_found_by_its_id() -> None:
    builder = GraphBuilder("flat", "onnx")
    for at in range(8):
        builder.add_node(f"relu_{at}", op="Relu")
    levels = Levels(builder.build())
    visible = levels.visible(ViewOptions(open=frozenset()))
    assert visible.boxes.types == ["series"]
    assert len(levels.items_of(visible.boxes.ids[0])) == 8


def test_a_very_wide_level_is_cut_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visible_module, "MAX_LEVEL_BOXES", 10)
    builder = GraphBuilder("flat", "onnx")
    for at in range(30):
        builder.add_node(f"node{at}", op=f"Op{at}")
    levels = Levels(builder.build())
    visible = levels.visible(ViewOptions(open=frozenset()))
    assert len(visible.boxes) == 10
    assert visible.problems == ("the graph has 30 nodes; the first 10 boxes are drawn; search for others to see them",)
    # Picking a search result asks for it alone.
    found = levels.visible(ViewOptions(open=frozenset(), unstacked=frozenset({"node25"})))
    assert [f"node{at}" for at in (0, 1, 2, 3, 4, 23, 24, 25, 26, 27)] == found.boxes.ids
    assert found.problems == (
        "the graph has 30 nodes; 10 boxes are drawn; among them what was looked for and what is around it",
    )
    many = frozenset(f"node{at}" for at in range(10, 30))
    assert len(levels.visible(ViewOptions(open=frozenset(), unstacked=many)).boxes) == 10
    assert levels.visible(ViewOptions(open=frozenset(), unstacked=frozenset({"node3"}))).problems == visible.problems


def test_a_busy_node_that_only_gives_is_set_aside() -> None:
    builder = GraphBuilder("star", "graph_def")
    builder.add_node("step", op="Placeholder", outputs=[TensorType("int64", ())])
    for at in range(visible_module.ASIDE_EDGES):
        builder.add_edge("step", builder.add_node(f"use{at}", op=f"Op{at}"))
    visible = Levels(builder.build()).visible(ViewOptions(open=frozenset()))
    assert np.flatnonzero(visible.is_aside).tolist() == [0]


def test_cycles_and_an_empty_graph_are_no_problem() -> None:
    builder = GraphBuilder("loop", "graph_def")
    first, second = builder.add_node("a", op="Merge"), builder.add_node("b", op="Next")
    builder.add_edge("b", first)
    builder.add_edge("a", second)
    builder.add_edge("a", first)
    visible = Levels(builder.build()).visible(ViewOptions())
    assert len(visible.edges) == 2
    empty = Levels(GraphBuilder("empty", "onnx").build()).visible(ViewOptions())
    assert len(empty.boxes) == 0
