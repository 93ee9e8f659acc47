"""Graphs on the canvas: opening, selecting, tracing, colours, comparison, files, exports, links and bad data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from seamark.format.messages import GraphDef
from seamark.kinds.graph import encode as encode_graph
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tests.e2e.graph_logs import add, write_transformer, write_values
from tests.e2e.graphs_page import Rect, canvas, item, open_graph, rect, stage
from tools.in_process import served_in_process

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("graphs")
    write_transformer(logdir / "one")
    write_transformer(logdir / "two", blocks=4, with_values=False)
    hostile = GraphDef()
    add(hostile, f"{HOSTILE}/{HOSTILE}", "Relu", [], (4,))
    add(hostile, "//a//b:0/🙂", "Relu", [f"{HOSTILE}/{HOSTILE}", "^nobody"], (4,))
    with EventFile(logdir / "hostile") as file:
        file.append(graph_record(encode_graph(hostile), wall_time=1000.0))
    (logdir / "two" / "broken.onnx").write_bytes(b"\xff" * 100)
    with served_in_process(logdir) as address:
        yield address


def middle(box: Rect) -> dict[str, float]:
    return {"x": box[0] + box[2] / 2, "y": box[1] + min(box[3], 24) / 2}


def test_a_click_on_the_canvas_selects_and_an_empty_place_deselects(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    item(page, "softmax").click()
    position = middle(rect(page))
    stage(page).click(position={"x": 4, "y": 4})
    expect(canvas(page)).to_have_attribute("data-selected", "")
    stage(page).click(position=position)
    expect(page.get_by_role("complementary", name="softmax")).to_be_visible()


def test_a_double_click_closes_a_group_and_nothing_above_it_moves(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    above = {}
    for label in ("wte", "ln_1"):
        item(page, label).click()
        above[label] = rect(page)
    item(page, "attn").click()
    opened = rect(page)
    boxes = canvas(page).get_attribute("data-boxes")
    stage(page).dblclick(position={"x": opened[0] + 40, "y": opened[1] + 10})
    expect(item(page, "attn")).to_have_attribute("aria-expanded", "false")
    expect(canvas(page)).not_to_have_attribute("data-boxes", boxes or "")
    closed = rect(page)
    assert closed[3] < opened[3]
    assert abs(closed[1] - opened[1]) <= 2
    stage(page).dblclick(position=middle(closed))
    expect(item(page, "softmax")).to_be_visible()
    expect(canvas(page)).to_have_attribute("data-boxes", boxes or "")
    item(page, "attn").click()
    assert rect(page) == pytest.approx(opened, abs=2)
    item(page, "attn").get_by_role("button").click()
    expect(canvas(page)).not_to_have_attribute("data-boxes", boxes or "")
    for label, place in above.items():
        item(page, label).click()
        expect(stage(page)).to_have_attribute("aria-label", re.compile(f"{label} selected"))
        assert rect(page) == pytest.approx(place, abs=2), label


def test_open_groups_are_in_the_address(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    for is_open in ("false", "true"):
        item(page, "attn").get_by_role("button").click()
        expect(item(page, "attn")).to_have_attribute("aria-expanded", is_open)
    page.wait_for_url(re.compile(r"graphs\.open=.*attn/%22"))
    page.reload()
    expect(item(page, "softmax")).to_be_visible()


def test_keys_walk_along_edges_open_groups_and_trace(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    item(page, "softmax").click()
    stage(page).press("ArrowDown")
    expect(page.get_by_role("complementary", name="c_proj")).to_be_visible()
    stage(page).press("ArrowUp")
    expect(page.get_by_role("complementary", name="softmax")).to_be_visible()
    stage(page).press("i")
    page.wait_for_url(re.compile("graphs.trace=inputs"))
    expect(stage(page)).to_have_attribute("aria-label", re.compile("boxes traced"))
    stage(page).press("[")
    page.wait_for_url(re.compile("graphs.trace=inputs:5"))
    stage(page).press("Escape")
    page.wait_for_url(re.compile("^(?!.*graphs.trace)"))
    stage(page).press("Escape")
    expect(canvas(page)).to_have_attribute("data-selected", "")
    item(page, "mlp").click()
    stage(page).press("Enter")
    expect(item(page, "mlp")).to_have_attribute("aria-expanded", "false")
    stage(page).press("g")
    expect(item(page, "wte")).to_have_count(0)
    stage(page).press("g")
    expect(item(page, "wte")).to_be_visible()


def test_the_wheel_zooms_dragging_pans_and_a_key_fits(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    item(page, "softmax").click()
    before = rect(page)
    box = stage(page).bounding_box()
    assert box is not None
    at = box["x"] + before[0] + before[2] / 2, box["y"] + before[1] + before[3] / 2
    page.mouse.move(*at)
    page.mouse.wheel(0, -400)
    expect(canvas(page)).not_to_have_attribute("data-selected", ",".join(map(str, before)))
    zoomed = rect(page)
    assert zoomed[2] > before[2]
    page.mouse.down()
    page.mouse.move(at[0] + 60, at[1] + 40, steps=4)
    page.mouse.up()
    expect(canvas(page)).to_have_attribute(
        "data-selected", f"{zoomed[0] + 60},{zoomed[1] + 40},{zoomed[2]},{zoomed[3]}"
    )
    stage(page).press("0")
    expect(page.get_by_title("Zoom", exact=True)).to_have_text(re.compile(r"^\d+%$"))


def test_boxes_are_coloured_by_numbers_names_and_health(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)

    def colour(title: str) -> None:
        page.get_by_role("button", name=re.compile("^Colour")).click()
        page.get_by_role("menuitemcheckbox", name=title, exact=True).click()

    colour("Parameters")
    expect(page.get_by_role("button", name="Colour parameters")).to_be_visible()
    expect(page.locator(".ramp")).to_contain_text("log")
    colour("Op")
    expect(page.locator(".names")).to_contain_text("Linear")
    colour("Health")
    slider = page.get_by_role("slider", name="Step of the overlay")
    expect(slider).to_be_visible()
    slider.press("ArrowLeft")
    page.wait_for_url(re.compile(r"graphs.step=3"))


def test_two_runs_are_compared(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("combobox", name="Compare with").fill("two")
    page.get_by_role("option", name="two · Graph of the run").click()
    page.wait_for_url(re.compile("graphs.baseline"))
    expect(page.get_by_role("button", name="Colour changes")).to_be_visible()
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("option", name="End the comparison").click()
    page.wait_for_url(re.compile("^(?!.*graphs.baseline)"))
    expect(page.get_by_role("button", name="Colour structure")).to_be_visible()


def drop(page: Page, name: str, content: str) -> None:
    page.evaluate(
        """([name, content]) => {
            const data = new DataTransfer();
            data.items.add(new File([content], name));
            document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }""",
        [name, content],
    )


def test_a_dropped_file_is_shown_and_a_broken_one_gets_a_sentence(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, may_complain=True)
    drop(page, "broken.json", "{")
    expect(page.get_by_role("alert")).to_contain_text("broken.json")
    page.get_by_role("alert").get_by_role("button", name="Close").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    nodes = [
        {"id": "first", "label": "first", "namespace": "net"},
        {"id": "second", "label": "second", "namespace": "net", "incomingEdges": [{"sourceNodeId": "first"}]},
    ]
    drop(page, "net.json", json.dumps({"label": "net", "graphs": [{"id": "net", "nodes": nodes}]}))
    expect(item(page, "second")).to_be_visible()
    page.wait_for_url(re.compile("graphs.graph=upload:"))


def test_a_broken_file_of_a_run_is_an_error_in_the_canvas(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#graphs&graphs.run=two&graphs.graph=file:broken.onnx", may_complain=True)
    expect(page.get_by_text("This graph cannot be shown")).to_be_visible()
    expect(page.get_by_text("broken.onnx").first).to_be_visible()
    page.get_by_role("button", name="Graph: broken.onnx").click()
    page.get_by_role("option", name="Graph of the run").click()
    expect(item(page, "wte")).to_be_visible()


def test_pictures_and_the_graph_are_downloaded(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)

    def download(title: str) -> bytes:
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as waiting:
            page.get_by_role("menuitem", name=title).click()
        return Path(waiting.value.path()).read_bytes()

    assert download("Picture (PNG)").startswith(b"\x89PNG")
    drawing = download("Drawing (SVG)").decode()
    assert drawing.startswith("<svg")
    assert "softmax" in drawing
    exported = json.loads(download("Graph as Model Explorer JSON"))
    assert "gpt/wte/weight" in json.dumps(exported)


def test_hostile_names_are_text(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, "graphs.run=hostile")
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    expect(page.get_by_role("tree")).to_contain_text(HOSTILE)
    page.get_by_role("treeitem").first.click()
    expect(page.get_by_role("complementary").last).to_contain_text("Relu")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name="Drawing (SVG)").click()
    assert "<img" not in Path(waiting.value.path()).read_text()


def test_the_run_is_chosen(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    page.get_by_role("button", name="Run: one").click()
    page.get_by_role("option", name="two").click()
    page.wait_for_url(re.compile("graphs.run=two"))
    expect(page.get_by_role("toolbar", name="Graph")).to_contain_text("60 nodes")


def test_the_map_moves_the_view(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    item(page, "softmax").click()
    before = rect(page)
    plan = page.get_by_role("img", name=re.compile("Map of the whole graph"))
    box = plan.bounding_box()
    assert box is not None
    plan.click(position={"x": box["width"] / 2, "y": box["height"] - 8})
    expect(canvas(page)).not_to_have_attribute("data-selected", ",".join(map(str, before)))
    # What is further down came into view, so the box went up.
    assert rect(page)[1] < before[1]


def test_all_below_is_opened_by_a_key(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, "graphs.run=one&graphs.open=[]")
    item(page, "gpt").click()
    stage(page).press("Shift+Enter")
    expect(item(page, "gelu")).to_be_visible()


def test_at_900_px_the_outline_is_a_drawer(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, width=900)
    expect(page.get_by_role("tree")).to_be_hidden()
    page.get_by_role("button", name="Outline").click()
    expect(page.get_by_role("tree")).to_be_visible()


def test_without_graphs_the_page_says_how_to_log_one(tmp_path: Path, open_page: OpenPage) -> None:
    write_values(tmp_path / "run")
    with served_in_process(tmp_path) as address:
        page = open_page(f"{address}#graphs")
        expect(page.get_by_text("No graphs yet")).to_be_visible()
        expect(page.get_by_text("seamark.log_graph(model, example_inputs)")).to_be_visible()
        page.close()


def test_a_path_is_picked_by_key_and_slash_searches(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    item(page, "wte").click()
    stage(page).focus()
    page.keyboard.press("p")
    expect(page.get_by_text("Click the box where the path ends")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Click the box where the path ends")).to_have_count(0)
    expect(stage(page)).to_have_attribute("aria-label", re.compile("wte selected"))
    page.keyboard.press("p")
    item(page, "lm_head").click()
    expect(stage(page)).to_have_attribute("aria-label", re.compile("wte selected, [2-9] boxes traced"))
    stage(page).focus()
    page.keyboard.press("/")
    expect(page.get_by_label("Search the graph")).to_be_focused()


def test_the_end_of_a_path_is_reached_with_the_arrows_and_taken_with_enter(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    item(page, "softmax").click()
    stage(page).press("p")
    for reached in ("c_proj", "c_fc"):
        stage(page).press("ArrowDown")
        expect(stage(page)).to_have_attribute("aria-label", re.compile(f"Enter ends the path at {reached}"))
    expect(stage(page)).to_have_attribute("aria-label", re.compile("softmax selected"))
    stage(page).press("Enter")
    expect(stage(page)).to_have_attribute("aria-label", re.compile("softmax selected, 3 boxes traced"))
    # In the outline, too.
    stage(page).press("p")
    page.get_by_role("tree").press("ArrowDown")
    expect(stage(page)).to_have_attribute("aria-label", re.compile("Enter ends the path at c_proj"))
    page.get_by_role("tree").press("Enter")
    expect(stage(page)).to_have_attribute("aria-label", re.compile("softmax selected, 2 boxes traced"))


def test_a_stack_is_shown_one_by_one_and_stacked_again(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, 'graphs.run=one&graphs.open=["gpt/","gpt/h/"]')
    stack = item(page, "0–5")
    stack.click()
    page.get_by_role("button", name="Show one by one").click()
    item(page, "3").click()
    page.get_by_role("button", name="Stack", exact=True).click()
    expect(stack).to_be_visible()
    page.wait_for_url(re.compile("^(?!.*graphs.unstacked)"))
    stack.dblclick()
    item(page, "3").click()
    stage(page).press("s")
    expect(stack).to_be_visible()


def test_opening_and_closing_move_nothing_above_though_the_group_leaves_the_screen(
    address: str, open_page: OpenPage
) -> None:
    page = open_graph(open_page, address, "graphs.run=one&graphs.open=[]")
    item(page, "gpt").click()
    closed = rect(page)
    box = stage(page).bounding_box()
    assert box is not None
    # To the left edge, and so large that the opened group is wider than before.
    page.mouse.move(box["x"] + closed[0] + 4, box["y"] + closed[1] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 8, box["y"] + closed[1] + 4, steps=4)
    page.mouse.up()
    boxes = canvas(page).get_attribute("data-boxes") or ""
    item(page, "tokens").click()
    expect(stage(page)).to_have_attribute("aria-label", re.compile("tokens selected"))
    above = rect(page)
    for is_open in ("true", "false"):
        item(page, "gpt").get_by_role("button").click()
        expect(item(page, "gpt")).to_have_attribute("aria-expanded", is_open)
        (expect(canvas(page)).not_to_have_attribute if is_open == "true" else expect(canvas(page)).to_have_attribute)(
            "data-boxes", boxes
        )
        assert rect(page) == pytest.approx(above, abs=2)


def test_colours_without_data_are_listed_with_the_reason(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    page.get_by_role("button", name="Colour").click()
    device = page.get_by_role("menuitemcheckbox", name="Device")
    expect(device).to_have_attribute("aria-disabled", "true")
    expect(device).to_contain_text("No node is placed on a device.")
    device.click(force=True)
    expect(device).to_be_visible()
    page.get_by_role("menuitemcheckbox", name="Health").click()
    expect(page.get_by_role("button", name="Colour health")).to_be_visible()


def test_a_link_to_a_colour_without_data_says_why(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, "graphs.run=one&graphs.colour=time")
    expect(page.get_by_role("status").filter(has_text="run metadata")).to_be_visible()


def test_a_fitted_graph_is_fitted_again_beside_the_details(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    page.get_by_label("Fit the graph").click()
    item(page, "loss").click()
    expect(page.get_by_role("complementary", name="loss")).to_be_visible()
    # In the middle of what the details leave: the last box of a chain is where the whole graph is.
    page.wait_for_function(
        """() => {
          const canvas = document.querySelector(".canvas canvas");
          const [left, , width] = canvas.dataset.selected.split(",").map(Number);
          return Math.abs(left + width / 2 - canvas.clientWidth / 2) < 40;
        }"""
    )
