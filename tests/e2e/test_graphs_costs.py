"""Graphs with run metadata: times and memory step by step, boxes at the side, and the section on the run page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from seamark import _core
from seamark.format.messages import DeviceStepStats, GraphDef, NodeExecStats, RunMetadata, StepStats
from seamark.kinds.event import run_metadata_event
from seamark.kinds.graph import encode as encode_graph
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tests.e2e.graph_logs import LAYER, add, transformer
from tests.e2e.graphs_page import canvas, item, open_graph, rect, stage
from tools.in_process import served_in_process

READERS = 20


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("costs")
    with EventFile(logdir / "timed") as file:
        file.append(graph_record(encode_graph(transformer(2)), wall_time=1000.0))
        for step, micros in ((0, 70), (100, 4000)):
            metadata = timed(f"{LAYER}/linear", micros).SerializeToString()
            event = run_metadata_event(f"step_{step}", metadata, wall_time=1000.0 + step, step=step)
            file.append(_core.frame(event))
    counted = GraphDef()
    add(counted, "counter", "Counter", [], ())
    for reader in range(READERS):
        # Different operations, or they would be one stack.
        add(counted, f"reader_{reader}", f"Read{reader}", ["counter"], (4,))
    with EventFile(logdir / "counted") as file:
        file.append(graph_record(encode_graph(counted), wall_time=1000.0))
    with served_in_process(logdir) as address:
        yield address


def timed(node: str, micros: int) -> RunMetadata:
    stats = NodeExecStats(node_name=node, all_start_micros=5, all_end_rel_micros=micros)
    stats.memory.add(allocator_name="cpu", total_bytes=4096, peak_bytes=2048)
    device = DeviceStepStats(device="/job:worker/device:CPU:0", node_stats=[stats])
    return RunMetadata(step_stats=StepStats(dev_stats=[device]))


def edges_in_drawing(page: Page) -> int:
    """Lines in the exported SVG: each begins with a move."""
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name=re.compile("SVG")).click()
    svg = Path(waiting.value.path()).read_text()
    return sum(path.count("M") for path in re.findall(r'<path d="([^"]+)" fill="none" stroke=', svg))


def test_times_are_shown_for_each_step_of_the_run_metadata(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, "graphs.run=timed")
    page.get_by_role("button", name="Colour").click()
    page.get_by_role("menuitemcheckbox", name="Compute time").click()
    expect(page.get_by_role("button", name="Colour compute time")).to_be_visible()
    layers = page.get_by_role("region", name="Layers")
    expect(layers).to_contain_text("4 ms")
    slider = page.get_by_role("slider", name="Step of the overlay")
    slider.press("ArrowLeft")
    page.wait_for_url(re.compile("graphs.profile=step_0"))
    expect(layers).to_contain_text("70 µs")
    page.get_by_role("button", name="Colour").click()
    page.get_by_role("menuitemcheckbox", name="Memory").click()
    expect(page.get_by_role("button", name="Colour memory")).to_be_visible()


def test_a_box_of_very_many_edges_stands_aside_until_it_is_selected(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, "graphs.run=counted")
    quiet = edges_in_drawing(page)
    item(page, "counter").click()
    aside = rect(page)
    assert edges_in_drawing(page) >= quiet + READERS
    item(page, "reader_0").click()
    expect(stage(page)).to_have_attribute("aria-label", re.compile("reader_0 selected"))
    assert rect(page)[0] + rect(page)[2] < aside[0], "at the right of the others"


def test_the_page_of_a_run_has_its_graph(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}run/timed")
    expect(page.get_by_text("576 parameters")).to_be_visible()
    page.get_by_role("link", name="gpt/h/0/attn/c_proj").click()
    expect(stage(page)).to_have_attribute("aria-label", re.compile("c_proj selected"))
    page.go_back()
    page.get_by_role("link", name="Open the graph").click()
    expect(canvas(page)).to_have_attribute("data-boxes", re.compile(r"\d"))
