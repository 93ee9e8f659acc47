"""The panels of Graphs: outline, search, details, layers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.graph_logs import LAYER, LONG_TEXT, write_transformer
from tools.in_process import served_in_process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("graphs")
    write_transformer(logdir / "one")
    with served_in_process(logdir) as address:
        yield f"{address}#graphs"


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
    tree(page).press("l")
    expect(selected(page)).to_contain_text("ln_1")
    page.keyboard.type("m_")
    expect(selected(page)).to_contain_text("lm_head")


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
