"""The layers table of Graphs, and the changes between two graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.graphs_page import details, layer, layers, selected, served_transformers, tree


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_transformers(tmp_path_factory.mktemp("graphs")) as address:
        yield address


def test_identical_layers_are_one_row_until_group_is_off(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(layers(page)).to_contain_text("1,440 parameters")
    expect(layer(page, "gpt/h/*/attn/c_proj")).to_contain_text("×6")
    expect(layer(page, "gpt/h/*/attn/c_proj")).to_contain_text("432")
    layers(page).get_by_role("button", name="Group").click()
    expect(layer(page, "gpt/h/0/attn/c_proj")).to_contain_text("72")
    layers(page).get_by_role("button", name="Innermost").click()
    expect(layers(page).get_by_role("row").nth(2)).to_be_visible()


def test_a_layer_is_shown_in_the_graph_and_stays_on_top(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    layers(page).get_by_role("button", name="Group").click()
    layers(page).get_by_role("columnheader", name="Parameters").click()
    layer(page, "gpt/h/0/mlp/c_fc").click()
    expect(details(page, "c_fc")).to_be_visible()
    expect(selected(page)).to_contain_text("c_fc")
    # After the header and the whole model.
    expect(layers(page).get_by_role("row").nth(2)).to_contain_text("c_fc")


def test_the_layers_keep_their_height_and_close_with_a_key(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    handle = page.get_by_role("separator", name="Height of the layers")
    box = handle.bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] - 96)
    page.mouse.up()
    expect(handle).to_have_attribute("aria-valuenow", re.compile("^28[0-9]$"))
    handle.press("ArrowDown")
    expect(handle).to_have_attribute("aria-valuenow", re.compile("^26[0-9]$"))
    page.reload()
    expect(handle).to_have_attribute("aria-valuenow", re.compile("^26[0-9]$"))
    layers(page).get_by_role("grid").press("y")
    expect(handle).to_have_count(0)
    expect(layers(page)).to_contain_text("1,440 parameters")
    layers(page).get_by_role("button", name="Layers").click()
    expect(handle).to_be_visible()


def test_changes_are_listed_and_lead_to_their_boxes(address: str, open_page: OpenPage) -> None:
    baseline = quote('["two","run_graph"]')
    page = open_page(f"{address}&graphs.baseline={baseline}")
    changes = page.get_by_role("list", name="Changes")
    added = page.get_by_role("group", name="Shown changes").get_by_role("button", name="added")
    expect(added).to_be_visible()
    expect(changes.get_by_role("button").first).to_be_visible()
    changes.get_by_role("button").first.click()
    expect(page.get_by_role("complementary")).to_be_visible()
    added.click()
    expect(changes.get_by_label("added")).to_have_count(0)
    page.get_by_role("button", name="Outline", exact=True).click()
    expect(tree(page)).to_be_visible()


def test_a_removed_node_has_details_and_the_baseline_is_named(address: str, open_page: OpenPage) -> None:
    baseline = quote('["one","run_graph"]')
    page = open_page(f"{address.replace('run=one', 'run=two')}&graphs.baseline={baseline}")
    expect(page.get_by_text("Since one · Graph of the run")).to_be_visible()
    changes = page.get_by_role("group", name="Shown changes")
    for state in ("added", "changed"):
        changes.get_by_role("button", name=state).click()
    # A block that was removed as a whole is one entry.
    entries = page.get_by_role("list", name="Changes").get_by_role("button")
    entries.filter(has_text=re.compile(r"\d+ nodes")).first.click()
    expect(page.get_by_role("complementary").get_by_text("gpt/h/4", exact=True)).to_be_visible()
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_text("Since one")).to_have_count(0)
