"""The panels of Graphs: outline, search, details, layers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.graph_logs import LAYER, LONG_TEXT, write_transformer
from tools.in_process import served_in_process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("graphs")
    write_transformer(logdir / "one")
    write_transformer(logdir / "two", blocks=4, with_values=False)
    with served_in_process(logdir) as address:
        yield f"{address}#graphs&graphs.run=one"


def tree(page: Page) -> Locator:
    return page.get_by_role("tree", name="Visible boxes")


def item(page: Page, label: str) -> Locator:
    return page.get_by_role("treeitem").filter(has=page.locator(".label").get_by_text(label, exact=True))


def selected(page: Page) -> Locator:
    return page.get_by_role("treeitem", selected=True)


def details(page: Page, title: str) -> Locator:
    return page.get_by_role("complementary", name=title, exact=True)


def section(details: Locator, title: str) -> Locator:
    return details.get_by_role("region", name=title, exact=True)


def search(page: Page) -> Locator:
    return page.get_by_label("Search the graph")


def press_at(box: Locator, letters: dict[str, int]) -> None:
    """Presses letters, each at its own time in milliseconds."""
    box.focus()
    box.evaluate(
        """(box, letters) => Object.entries(letters).forEach(([key, timeStamp]) => {
            const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
            box.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: timeStamp })) })""",
        letters,
    )


# Outline


def test_the_tree_lists_the_visible_boxes_with_their_parameters(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    block = item(page, "0")
    expect(block).to_have_attribute("aria-level", "3")
    expect(block).to_have_attribute("aria-expanded", "true")
    expect(block).to_contain_text("216")
    series = item(page, "1–5")
    expect(series).to_contain_text("×5")
    expect(series).to_have_attribute("aria-expanded", "false")
    expect(item(page, "softmax")).to_contain_text("Softmax")
    expect(item(page, "softmax")).not_to_have_attribute("aria-expanded", re.compile(".*"))


def test_a_click_selects_and_the_chevron_opens_and_closes(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    item(page, "mlp").get_by_text("mlp", exact=True).click()
    expect(selected(page)).to_contain_text("mlp")
    expect(details(page, "mlp")).to_be_visible()
    page.get_by_role("button", name="Close mlp").click()
    expect(item(page, "mlp")).to_have_attribute("aria-expanded", "false")
    expect(item(page, "gelu")).to_have_count(0)
    page.get_by_role("button", name="Open mlp").click()
    expect(item(page, "gelu")).to_be_visible()
    # The chevron of a series shows its members.
    page.get_by_role("button", name="Open 1–5").click()
    expect(item(page, "5")).to_be_visible()


def test_keys_walk_the_tree(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(item(page, "h")).to_be_visible()
    box = tree(page)
    box.press("End")
    expect(selected(page)).to_contain_text("loss")
    box.press("Home")
    expect(selected(page)).to_contain_text("tokens")
    box.press("ArrowDown")
    expect(selected(page)).to_contain_text("gpt")
    box.press("ArrowRight")
    expect(selected(page)).to_contain_text("wte")
    box.press("ArrowDown")
    expect(selected(page)).to_have_text(re.compile(r"^\s*h\b"))
    box.press("ArrowLeft")
    expect(item(page, "h")).to_have_attribute("aria-expanded", "false")
    box.press("Enter")
    expect(item(page, "h")).to_have_attribute("aria-expanded", "true")
    box.press("ArrowLeft")
    expect(item(page, "h")).to_have_attribute("aria-expanded", "false")
    box.press("Shift+Enter")
    expect(item(page, "gelu").first).to_be_visible()
    box.press("ArrowDown")
    expect(selected(page)).to_have_attribute("aria-level", "3")
    box.press("ArrowUp")
    box.press("ArrowUp")
    expect(selected(page)).to_contain_text("wte")
    box.press("ArrowLeft")
    expect(selected(page)).to_contain_text("gpt")


def test_typing_selects_by_the_first_letters(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(item(page, "mlp")).to_be_visible()
    # A pause between two letters begins a new word: the test says when each one is typed.
    press_at(tree(page), {"l": 0})
    expect(selected(page)).to_contain_text("ln_1")
    press_at(tree(page), {"m": 500, "_": 1000})
    expect(selected(page)).to_contain_text("lm_head")
    press_at(tree(page), {"m": 2000})
    expect(selected(page)).to_contain_text("mlp")


def test_a_tick_less_shows_a_kind_of_noise(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    folds = page.get_by_role("region", name="Folded")
    expect(folds).to_contain_text("46 of 86 nodes")
    kind = folds.get_by_role("checkbox", name="Constants")
    expect(kind).to_contain_text("6")
    expect(item(page, "scale")).to_have_count(0)
    kind.click()
    expect(kind).to_have_attribute("aria-checked", "false")
    expect(item(page, "scale")).to_be_visible()
    expect(folds).to_contain_text("40 of 86 nodes")
    kind.click()
    expect(item(page, "scale")).to_have_count(0)


def test_problems_are_listed_on_demand(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    problems = page.get_by_role("region", name="Problems")
    expect(problems.get_by_role("listitem")).to_have_count(0)
    problems.get_by_role("button", name="1 problem").click()
    expect(problems.get_by_role("listitem")).to_contain_text("input")


def test_a_selection_elsewhere_scrolls_the_tree_to_it(address: str, open_page: OpenPage) -> None:
    page = open_page(address, height=560)
    tree(page).press("Home")
    expect(selected(page)).to_contain_text("tokens")
    expect(item(page, "loss")).to_have_count(0)
    layer(page, "gpt/lm_head").click()
    expect(selected(page)).to_contain_text("lm_head")
    expect(selected(page)).to_be_in_viewport(ratio=0.9)


# Search


def test_a_search_lists_results_and_goes_to_one(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(tree(page)).to_be_visible()
    page.keyboard.press("t")
    expect(search(page)).to_be_focused()
    page.keyboard.type("c_proj op:linear")
    results = page.get_by_role("option")
    expect(page.get_by_role("status").filter(has_text="6 results")).to_be_visible()
    expect(tree(page)).to_have_count(0)
    expect(results.first).to_contain_text("gpt/h/0/attn/c_proj")
    expect(results.first).to_contain_text("4×8")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    second = results.nth(1)
    expect(second).to_contain_text("gpt/h/1")
    expect(search(page)).to_have_attribute("aria-activedescendant", second.get_attribute("id") or "no id")
    page.keyboard.press("Enter")
    expect(details(page, "linear")).to_contain_text("gpt/h/1/attn/c_proj/linear")
    # A click goes on, and Escape shows the tree again, with the groups around the result open.
    results.nth(3).click()
    expect(details(page, "linear")).to_contain_text("gpt/h/3/attn/c_proj/linear")
    search(page).press("Escape")
    expect(search(page)).to_have_value("")
    # Nothing else of the layer is visible, so that it is drawn as one box.
    expect(selected(page)).to_contain_text("c_proj")
    expect(item(page, "3")).to_have_attribute("aria-expanded", "true")


def test_a_search_without_a_result_says_so_and_help_explains(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    search(page).fill("shape:999")
    expect(page.get_by_role("status").filter(has_text="No matches")).to_be_visible()
    page.get_by_role("button", name="How to search").click()
    expect(page.get_by_role("dialog", name="How to search")).to_contain_text("source:model.py")


# Details


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
    expect(panel.get_by_text("Select the box where the path ends.")).to_be_visible()
    panel.get_by_role("button", name="Cancel").click()
    expect(panel.get_by_text("Select the box where the path ends.")).to_have_count(0)
    panel.get_by_role("button", name="Path to…").click()
    item(page, "gelu").click()
    expect(panel.get_by_text("Path to gpt/h/0/mlp/gelu")).to_be_visible()
    expect(selected(page)).to_contain_text("softmax")
    panel.get_by_role("button", name="Clear").click()
    # Nothing leads back.
    panel.get_by_role("button", name="Path to…").click()
    item(page, "tokens").click()
    expect(panel.get_by_text("No path leads there.")).to_be_visible()


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


# Layers


def layers(page: Page) -> Locator:
    return page.get_by_role("region", name="Layers", exact=True)


def layer(page: Page, name: str) -> Locator:
    return layers(page).get_by_role("row").filter(has=page.get_by_title(name, exact=True))


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


# Compare


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


# Narrow pages


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
