"""Graphs between graphs: loading, a list that fails, and what another graph does not inherit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

from seamark.format.messages import GraphDef
from seamark.kinds.graph import encode as encode_graph
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage, pick
from tests.e2e.graph_logs import add, write_transformer
from tests.e2e.graphs_page import canvas, item, open_graph, rect, stage
from tools.in_process import served_in_process

DETAILS_PX = 340
BASELINE = quote('["two","run_graph"]')
ISOLATED = quote('["gpt/wte/weight"]')
# Of the run `small`: later than all others.
NEWEST_SECS = 4e9


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("graphs")
    for run in ("one", "two"):
        write_transformer(logdir / run)
    alone = GraphDef()
    add(alone, "alone", "Relu", [], (4,))
    for run, graph, wall_time in (("small", alone, NEWEST_SECS), ("empty", GraphDef(), 1000.0)):
        with EventFile(logdir / run, wall_time=wall_time) as file:
            file.append(graph_record(encode_graph(graph), wall_time=wall_time))
    with served_in_process(logdir) as address:
        yield address


def test_another_graph_is_not_coloured_by_changes(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, f"graphs.run=one&graphs.baseline={BASELINE}&graphs.colour=change")
    page.get_by_role("button", name="Run: one").click()
    page.get_by_role("option", name="two").click()
    page.wait_for_url(re.compile("graphs.run=two"))
    expect(page.get_by_role("button", name="Colour structure")).to_be_visible()


def test_without_a_name_in_the_address_the_newest_graph_is_shown_and_named_once_it_is_used(
    address: str, open_page: OpenPage
) -> None:
    page = open_page(f"{address}#graphs")
    item(page, "alone").click()
    page.wait_for_url(re.compile("graphs.run=small"))


def test_another_graph_is_shown_in_the_middle(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    pick(page.get_by_role("toolbar", name="Graph"), "Run", "small")
    item(page, "alone").click()
    left, top, width, height = rect(page)
    box = stage(page).bounding_box()
    assert box is not None
    assert top + height / 2 == pytest.approx(box["height"] / 2, abs=2)
    # Details may have taken some of the width since the graph was shown, and nothing moved.
    middles = [pytest.approx((box["width"] + details) / 2, abs=3) for details in (0, DETAILS_PX)]
    assert left + width / 2 in middles


def test_a_graph_without_a_visible_box_says_so(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#graphs&graphs.run=empty")
    expect(page.get_by_text("This graph is empty")).to_be_visible()
    expect(page.get_by_role("region", name="Layers", exact=True)).not_to_contain_text("compute time")
    page.goto(f"{address}#graphs&graphs.run=one&graphs.isolated={ISOLATED}")
    expect(page.get_by_text("Nothing is visible")).to_be_visible()
    page.get_by_role("checkbox", name="Parameters").click()
    expect(page.get_by_text("Nothing is visible")).to_have_count(0)
    expect(page.get_by_role("treeitem")).to_have_count(1)


def test_run_metadata_of_another_run_in_the_address_is_ignored(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address, "graphs.run=one&graphs.profile=step_of_another_run")
    expect(page.get_by_role("region", name="Layers", exact=True)).to_contain_text("1,440 parameters")


def test_a_list_that_fails_is_an_error_and_can_be_retried(address: str, open_page: OpenPage) -> None:
    is_down = True

    def answer(route: Route) -> None:
        if is_down:
            route.fulfill(status=503, json={"error": "The disk is gone."})
        else:
            route.continue_()

    page = open_page("about:blank", may_complain=True)
    page.route("**/api/dashboards/graphs/graphs", answer)
    page.goto(f"{address}#graphs&graphs.run=one")
    expect(page.get_by_text("The graphs cannot be listed")).to_be_visible()
    expect(page.get_by_text("The disk is gone.")).to_be_visible()
    expect(page.get_by_text("No graphs yet")).to_have_count(0)
    is_down = False
    page.get_by_role("button", name="Retry").click()
    expect(item(page, "wte")).to_be_visible()


def test_a_graph_that_takes_long_is_said_to_load_even_without_the_outline(address: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", width=900)
    waiting: list[Route] = []
    page.route("**/api/dashboards/graphs/view", lambda route: waiting.append(route))
    page.goto(f"{address}#graphs&graphs.run=one")
    loading = page.get_by_role("status").filter(has_text="Loading the graph")
    expect(loading).to_be_visible()
    for route in waiting:
        route.continue_()
    page.unroute("**/api/dashboards/graphs/view")
    expect(canvas(page)).to_have_attribute("data-boxes", re.compile(r"\d"))
    expect(loading).to_have_count(0)


def test_a_picture_that_the_browser_refuses_gets_a_sentence(address: str, open_page: OpenPage) -> None:
    page = open_graph(open_page, address)
    page.evaluate("() => { HTMLCanvasElement.prototype.toBlob = (done) => done(null) }")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("menuitem", name="Picture (PNG)").click()
    expect(page.get_by_role("alert")).to_contain_text("the browser gave no picture")


def test_a_link_to_a_run_without_a_graph_shows_no_other_graph(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#graphs&graphs.run=elsewhere", may_complain=True)
    expect(page.get_by_text("This graph cannot be shown")).to_be_visible()
    expect(page.get_by_text("there is no run 'elsewhere'").first).to_be_visible()
    pick(page.get_by_role("toolbar", name="Graph"), "Run", "one")
    expect(item(page, "wte")).to_be_visible()
