"""Dialogs, menus and full screen by keyboard: where the focus goes, and where it returns to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import card, tool, write_run
from tools.in_process import served_in_process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("runs")
    for name in ("alpha", "beta"):
        write_run(logdir / name, {"train/loss": [3, 2, 1]})
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def page(address: str, open_page: OpenPage) -> Page:
    page = open_page(f"{address}#scalars")
    expect(card(page, "train/loss")).to_be_visible()
    return page


def test_a_dialog_holds_the_focus_and_gives_it_back(page: Page) -> None:
    opener = page.get_by_role("button", name="Settings", exact=True)
    opener.focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    for _ in range(4):
        page.keyboard.press("Tab")
        # Beyond the last control, the browser's own controls are next, never the page behind.
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    assert not opener.evaluate("element => (element.focus(), document.activeElement === element)")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()


def test_a_press_beside_a_dialog_closes_it(page: Page) -> None:
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_role("heading", name="Keys").click()
    expect(dialog).to_be_visible()
    page.mouse.click(5, 5)
    expect(dialog).to_have_count(0)


def test_a_menu_opens_and_closes_by_keys_and_by_its_button(page: Page) -> None:
    opener = page.get_by_role("button", name="Runs menu")
    menu = page.get_by_role("menu", name="Runs")
    opener.press("Enter")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(menu.get_by_role("menuitem").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(opener).to_be_focused()
    opener.click()
    expect(menu).to_be_visible()
    opener.click()
    expect(menu).to_have_count(0)


def test_one_popover_takes_the_place_of_another(page: Page) -> None:
    page.get_by_role("button", name="Runs menu").click()
    page.get_by_role("button", name="Colour: run").click()
    expect(page.get_by_role("menu", name="Runs")).to_have_count(0)
    expect(page.get_by_role("dialog", name="Colour runs")).to_be_visible()
    page.mouse.click(700, 800)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_escape_closes_the_innermost_only(page: Page) -> None:
    opener = tool(page, "train/loss", "Full screen")
    opener.click()
    leave = card(page, "train/loss").get_by_role("button", name="Close full screen")
    expect(leave).to_be_visible()
    options = tool(page, "train/loss", "Chart settings")
    options.click()
    popover = page.get_by_role("dialog", name="Chart settings")
    expect(popover).to_be_visible()
    page.keyboard.press("Escape")
    expect(popover).to_have_count(0)
    expect(options).to_be_focused()
    expect(leave).to_be_visible()
    page.keyboard.press("Escape")
    expect(leave).to_have_count(0)
    expect(opener).to_be_visible()
