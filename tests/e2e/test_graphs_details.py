"""The details of a node of a graph: what it logged, its neighbours, traces and paths."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.graph_logs import LAYER, LONG_TEXT
from tests.e2e.graphs_page import details, item, section, selected, served_transformers, stage


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_transformers(tmp_path_factory.mktemp("graphs")) as address:
        yield address


def test_details_show_a_layer_with_what_it_logged(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "c_proj").click()
    panel = details(page, "c_proj")
    expect(panel).to_contain_text(LAYER)
    weights = section(panel, "Parameters")
    expect(weights).to_contain_text("72, 64 trainable")
    expect(weights.get_by_role("listitem").filter(has_text="weight")).to_contain_text("σ")
    expect(weights.get_by_role("listitem").filter(has_text="bias")).to_contain_text("fixed")
    expect(section(panel, "Operations")).to_contain_text("Linear")
    logged = section(panel, "Logged under this layer")
    expect(logged.locator(".chart[data-drawn]")).to_have_count(2)
    link = logged.get_by_role("link", name="2 tags in Scalars")
    link.click()
    expect(page.get_by_label("Filter tags by regular expression")).to_have_value(re.compile("c_proj"))


def test_a_node_of_a_layer_that_is_one_box_shows_the_layer_as_selected(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "c_proj").click()
    section(details(page, "c_proj"), "Outputs").get_by_role("button", name="c_fc.linear").click()
    expect(details(page, "linear")).to_contain_text("gpt/h/0/mlp/c_fc/linear")
    expect(selected(page)).to_contain_text("c_fc")
    expect(section(details(page, "linear"), "Parameters")).to_contain_text("72, 64 trainable")
    # A weight is folded: it has details, and no box.
    section(details(page, "linear"), "Parameters").get_by_role("button", name="weight").click()
    expect(details(page, "weight")).to_contain_text("gpt/h/0/mlp/c_fc/weight")


def test_links_to_inputs_and_outputs_move_the_selection(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "c_proj").click()
    inputs = section(details(page, "c_proj"), "Inputs")
    expect(inputs).to_contain_text("4×8")
    expect(inputs).to_contain_text("fp32")
    inputs.get_by_role("button", name="attn.softmax").click()
    expect(selected(page)).to_contain_text("softmax")
    # The target is in a closed group: it is opened.
    page.get_by_role("button", name="Close mlp").click()
    expect(item(page, "c_fc")).to_have_count(0)
    item(page, "c_proj").click()
    section(details(page, "c_proj"), "Outputs").get_by_role("button", name="c_fc.linear").click()
    expect(item(page, "mlp")).to_have_attribute("aria-expanded", "true")


def test_a_long_attribute_is_loaded_on_demand(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "loss").click()
    attributes = section(details(page, "loss"), "Attributes and cost")
    expect(attributes).to_contain_text("1.90 kB")
    expect(attributes.locator("pre")).not_to_contain_text(LONG_TEXT.strip())
    attributes.get_by_role("button", name="Show all").click()
    expect(attributes.locator("pre")).to_contain_text(LONG_TEXT.strip())
    attributes.get_by_role("button", name="Show less").click()
    expect(attributes.locator("pre")).not_to_contain_text(LONG_TEXT.strip())
    expect(section(details(page, "loss"), "Source")).to_contain_text("train.py:12")


def test_inputs_are_traced_by_hops(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "gelu").click()
    panel = details(page, "gelu")
    panel.get_by_role("button", name="Inputs").click()
    expect(panel.get_by_role("button", name="Inputs 6 hops")).to_have_attribute("aria-pressed", "true")
    with page.expect_request(lambda request: "/trace" in request.url and '"hops":5' in (request.post_data or "")):
        panel.get_by_role("button", name="Fewer hops").click()
    panel.get_by_role("button", name="More hops").click()
    panel.get_by_role("button", name="Outputs").click()
    expect(panel.get_by_role("button", name="Outputs 6 hops")).to_have_attribute("aria-pressed", "true")
    panel.get_by_role("button", name="Outputs 6 hops").click()
    expect(panel.get_by_role("button", name="Outputs", exact=True)).to_have_attribute("aria-pressed", "false")


def test_a_path_leads_to_the_next_selected_box(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "softmax").click()
    panel = details(page, "softmax")
    panel.get_by_role("button", name="Path to…").click()
    expect(panel.get_by_text("Click the box where the path ends")).to_be_visible()
    panel.get_by_role("button", name="Cancel").click()
    expect(panel.get_by_text("Click the box where the path ends")).to_have_count(0)
    panel.get_by_role("button", name="Path to…").click()
    item(page, "gelu").click()
    expect(panel.get_by_text("Path to gpt/h/0/mlp/gelu")).to_be_visible()
    expect(selected(page)).to_contain_text("softmax")
    panel.get_by_role("button", name="Clear").click()
    # The other way round, against the edges.
    panel.get_by_role("button", name="Path to…").click()
    item(page, "tokens").click()
    expect(panel.get_by_text(re.compile("Path to .*tokens"))).to_be_visible()
    expect(stage(page)).to_have_attribute("aria-label", re.compile("boxes traced"))


def test_a_path_that_does_not_exist_hides_the_trace_before_it(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}&selected=graph_node,run:one,id:gpt/wte/&graphs.trace=outputs:2", may_complain=True)
    graph = page.get_by_role("application")
    expect(graph).to_have_attribute("aria-label", re.compile("boxes traced"))
    page.evaluate("location.hash = location.hash.replace('trace=outputs:2', 'trace=path:nowhere')")
    expect(details(page, "wte").get_by_text("no node or group 'nowhere'")).to_be_visible()
    expect(graph).not_to_have_attribute("aria-label", re.compile("boxes traced"))


def test_a_group_is_isolated_opened_and_closed_from_its_details(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "mlp").get_by_text("mlp", exact=True).click()
    panel = details(page, "mlp")
    panel.get_by_role("button", name="Close", exact=True).nth(1).click()
    expect(item(page, "gelu")).to_have_count(0)
    panel.get_by_role("button", name="Open all below").click()
    expect(item(page, "gelu")).to_be_visible()
    panel.get_by_role("button", name="Isolate").click()
    expect(item(page, "lm_head")).to_have_count(0)
    expect(item(page, "gelu")).to_be_visible()
    panel.get_by_role("button", name="Show all").click()
    expect(item(page, "lm_head")).to_be_visible()
