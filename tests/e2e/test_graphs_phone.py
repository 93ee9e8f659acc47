"""Graphs on a phone: two fingers zoom, one pans, and a graph of very many boxes begins with its outline."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from seamark.format.messages import GraphDef
from seamark.kinds.graph import encode as encode_graph
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import TIMEOUT_MS
from tests.e2e.graph_logs import add, write_transformer
from tests.e2e.graphs_page import canvas, rect, stage
from tests.e2e.test_phone import LOW, WIDTH, touch
from tools.in_process import served_in_process

BOXES = 600


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("graphs_phone")
    write_transformer(logdir / "small")
    flat = GraphDef()
    for index in range(BOXES):
        # Different operations, or they would be one stack.
        add(flat, f"node_{index}", f"Op{index}", [f"node_{index - 1}"] if index else [], (4,))
    with EventFile(logdir / "flat") as file:
        file.append(graph_record(encode_graph(flat), wall_time=1000.0))
    with served_in_process(logdir) as address:
        yield address


def open_phone(browser: Browser, url: str) -> Page:
    context = browser.new_context(viewport={"width": WIDTH, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(url)
    expect(canvas(page)).to_have_attribute("data-boxes", re.compile(r"\d"))
    return page


def test_two_fingers_zoom_around_their_middle_and_one_pans(browser: Browser, address: str) -> None:
    page = open_phone(browser, f"{address}#graphs&graphs.run=small")
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    assert page.evaluate(LOW) == []
    expect(page.get_by_role("tree")).to_be_hidden()
    place = stage(page).bounding_box()
    assert place is not None
    stage(page).tap(position={"x": place["width"] / 2, "y": 80})
    before = rect(page)
    session = page.context.new_cdp_session(page)
    x, y = place["x"] + before[0] + before[2] / 2, place["y"] + before[1]
    touch(session, "touchStart", (x - 30, y), (x + 30, y))
    for reach in (40, 50, 60):
        touch(session, "touchMove", (x - reach, y), (x + reach, y))
    touch(session, "touchEnd")
    expect(canvas(page)).not_to_have_attribute("data-selected", ",".join(map(str, before)))
    zoomed = rect(page)
    assert zoomed[2] == pytest.approx(2 * before[2], abs=3)
    assert zoomed[0] + zoomed[2] / 2 == pytest.approx(before[0] + before[2] / 2, abs=3)
    assert zoomed[1] == pytest.approx(before[1], abs=3)
    touch(session, "touchStart", (x, y))
    touch(session, "touchMove", (x, y + 40))
    touch(session, "touchEnd")
    expect(canvas(page)).to_have_attribute("data-selected", f"{zoomed[0]},{zoomed[1] + 40},{zoomed[2]},{zoomed[3]}")


def test_the_outline_comes_first_if_fingers_could_not_hit_the_boxes(browser: Browser, address: str) -> None:
    page = open_phone(browser, f"{address}#graphs&graphs.run=flat")
    tree = page.get_by_role("tree")
    expect(tree).to_be_visible()
    page.get_by_role("treeitem").first.tap()
    page.get_by_role("button", name="Outline").tap()
    expect(tree).to_be_hidden()
    # It does not come back by itself.
    expect(stage(page)).to_have_attribute("aria-label", re.compile("node_0 selected"))
