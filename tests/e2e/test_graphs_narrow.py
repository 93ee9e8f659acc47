"""Graphs on narrow pages: drawers, sheets, and what has no room in the toolbar."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.graphs_page import details, item, layers, search, served_transformers, tree


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_transformers(tmp_path_factory.mktemp("graphs")) as address:
        yield address


def test_the_outline_is_a_drawer_on_a_narrow_page(address: str, open_page: OpenPage) -> None:
    page = open_page(address, width=900)
    expect(layers(page)).to_be_visible()
    expect(tree(page)).to_be_hidden()
    page.get_by_role("button", name="Outline").click()
    expect(tree(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tree(page)).to_be_hidden()
    page.keyboard.press("t")
    expect(search(page)).to_be_focused()


def test_what_has_no_room_in_the_toolbar_is_behind_more(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}&graphs.colour=health", width=900)
    toolbar = page.get_by_role("toolbar", name="Graph")
    expect(page.get_by_label("Step of the overlay", exact=True)).to_be_hidden()
    toolbar.get_by_role("button", name="More").click()
    more = page.get_by_role("dialog", name="More")
    more.get_by_label("Step of the overlay", exact=True).press("Home")
    expect(more.get_by_label("Step of the overlay, typed")).to_have_value("0")
    more.get_by_role("button", name="Layers").click()
    expect(layers(page).get_by_role("grid")).to_have_count(0)


def test_on_a_phone_the_colour_scale_is_behind_more(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}&graphs.colour=parameters", width=400, height=800)
    page.get_by_role("toolbar", name="Graph").get_by_role("button", name="More").click()
    more = page.get_by_role("dialog", name="More")
    expect(more.get_by_role("heading", name="Parameters")).to_be_visible()
    expect(more.get_by_text("72", exact=False).first).to_be_visible()


def is_sized(box: Locator, condition: str) -> None:
    """Waits until its rectangle meets the condition."""
    box.page.wait_for_function(f"box => ({condition})(box.getBoundingClientRect())", arg=box.element_handle())


def test_outline_and_layers_are_sheets_on_a_phone(address: str, open_page: OpenPage) -> None:
    page = open_page(address, width=400, height=800)
    expect(layers(page).get_by_role("grid")).to_have_count(0)
    layers(page).get_by_role("button", name="Layers").click()
    expect(layers(page).get_by_role("grid")).to_be_visible()
    is_sized(layers(page), "({ width, height }) => width === 400 && height > 500")
    layers(page).get_by_role("button", name="Layers").click()
    page.get_by_role("button", name="Outline").click()
    is_sized(page.get_by_role("navigation", name="Outline"), "({ width }) => width === 400")
    item(page, "c_proj").click()
    expect(details(page, "c_proj")).to_be_visible()


def test_on_a_phone_a_tap_shows_two_lines_and_details_on_demand(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}&selected=graph_node,run:one,id:gpt/wte/", width=400, height=800)
    panel = details(page, "wte")
    expect(panel.get_by_text("4×8 · 72 parameters")).to_be_visible()
    strip = panel.bounding_box()
    assert strip and strip["height"] < 90
    expect(panel.get_by_role("button", name="Isolate")).to_be_hidden()
    panel.get_by_role("button", name="Details").click()
    expect(panel.get_by_role("button", name="Isolate")).to_be_visible()
    sheet = panel.bounding_box()
    assert sheet and sheet["height"] > 700
    panel.get_by_role("button", name="Less").click()
    expect(panel.get_by_role("button", name="Isolate")).to_be_hidden()
