"""The outline of Graphs and its search."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.graphs_page import details, item, layer, search, selected, served_transformers, tree


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_transformers(tmp_path_factory.mktemp("graphs")) as address:
        yield address


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


def press_at(box: Locator, letters: dict[str, int]) -> None:
    """Presses letters, each at its own time in milliseconds."""
    box.focus()
    box.evaluate(
        """(box, letters) => Object.entries(letters).forEach(([key, timeStamp]) => {
            const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
            box.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: timeStamp })) })""",
        letters,
    )


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


def test_a_selection_in_the_address_is_not_covered_by_what_loads_below_the_tree(
    address: str, open_page: OpenPage
) -> None:
    page = open_page(f"{address}&selected=graph_node,run:one,id:gpt/h/0/mlp/gelu", height=640)
    expect(page.get_by_role("img", name=re.compile("Map of the whole graph"))).to_be_visible()
    expect(selected(page)).to_contain_text("gelu")
    expect(selected(page)).to_be_in_viewport(ratio=0.9)


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
