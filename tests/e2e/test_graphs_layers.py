"""The layers table of Graphs, and the changes between two graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from seamark import SummaryWriter
from tests.e2e.conftest import OpenPage
from tests.e2e.graph_logs import write_transformer
from tests.e2e.graphs_page import details, item, layer, layers, open_graph, selected, served_transformers, tree
from tools.in_process import served_in_process


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
    header = layers(page).get_by_role("columnheader", name="Parameters")
    header.click()
    expect(header).to_have_attribute("aria-sort", "descending")
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


def test_the_layer_where_nan_began_is_named_whatever_is_open(tmp_path: Path, open_page: OpenPage) -> None:
    write_transformer(tmp_path / "broken", with_values=False)
    with SummaryWriter(tmp_path / "broken") as writer:
        for block in range(6):
            writer.add_scalar(f"gradients/gpt/h/{block}/mlp/c_fc/weight/nan", 1, 3)
        for block in (4, 5):
            writer.add_scalar(f"activations/gpt/h/{block}/attn/c_proj/nan", 1, 3)
    with served_in_process(tmp_path) as address:
        page = open_graph(open_page, address, "graphs.run=broken&graphs.colour=health&graphs.open=[]")
        findings = page.get_by_role("region", name="Findings")
        expect(findings).to_contain_text("activations/gpt/h/4/attn/c_proj is NaN from step 3")
        expect(item(page, "gpt")).to_contain_text("first NaN value")
        first = layers(page).get_by_role("row").nth(2)
        expect(first).to_contain_text("c_proj")
        expect(first).to_contain_text("NaN value")
        findings.get_by_role("button").click()
        expect(details(page, "c_proj")).to_be_visible()
        expect(selected(page)).to_contain_text("first NaN value")
