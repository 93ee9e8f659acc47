"""A tab that is opened again: the same scroll position and data at once, and nothing happens in it while it is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark import SummaryWriter
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage, wait_loaded
from tests.e2e.scalar_cards import card
from tools.in_process import served_in_process

TAGS = 60


@pytest.fixture
def address(logdir: Path) -> Iterator[str]:
    with SummaryWriter(logdir / "alpha") as writer:
        for tag in range(TAGS):
            for step in range(5):
                writer.add_scalar(f"layer/{tag:02}", step / (1 + tag), step)
        writer.add_text("notes", "warm up", 0)
        writer.add_histogram("weights", range(10), 0)
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def page(address: str, open_page: OpenPage) -> Page:
    # Later, what is read anew would be requested again.
    wait_loaded(address)
    page = open_page(f"{address}#scalars")
    expect(card(page, "layer/00").locator("[data-drawn]:not([data-drawn='0'])")).to_be_visible()
    return page


def tab(page: Page, title: str) -> Locator:
    return page.get_by_role("navigation", name="Dashboards").get_by_role("link", name=title, exact=True)


def series_requests(page: Page) -> list[str]:
    """The addresses of series requested from now on."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url) if "/api/series" in request.url else None)
    return addresses


def scroll_to(page: Page, tag: str) -> float:
    """Scrolls until the card of a tag is drawn; returns the scroll position."""
    page.locator("main .scroll").hover()
    while card(page, tag).count() == 0:
        page.mouse.wheel(0, 400)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    card(page, tag).scroll_into_view_if_needed()
    expect(card(page, tag).locator("[data-drawn]:not([data-drawn='0'])")).to_be_visible()
    return scroll_top(page)


def scroll_top(page: Page) -> float:
    return page.locator("main:visible .scroll").evaluate("element => element.scrollTop")


def test_a_tab_that_is_opened_again_is_where_it_was_and_requests_nothing(page: Page) -> None:
    scrolled = scroll_to(page, "layer/40")
    assert scrolled > 0
    tab(page, "Text").click()
    expect(tab(page, "Text")).to_have_attribute("aria-current", "page")
    expect(page.locator("main:visible")).to_have_count(1)
    expect(card(page, "layer/40")).to_be_hidden()
    requested = series_requests(page)
    tab(page, "Scalars").click()
    expect(card(page, "layer/40")).to_be_visible()
    assert scroll_top(page) == scrolled
    assert requested == []


def test_a_page_of_a_run_and_back_leaves_the_cards_where_they_were(page: Page, address: str) -> None:
    scrolled = scroll_to(page, "layer/40")
    page.keyboard.press("j")
    page.keyboard.press("Shift+O")
    expect(page.get_by_role("heading", name="alpha")).to_be_visible()
    requested = series_requests(page)
    page.go_back()
    expect(card(page, "layer/40")).to_be_visible()
    assert scroll_top(page) == scrolled
    assert [url for url in requested if "layer" in url] == []


def test_a_hidden_tab_has_no_keys_and_requests_nothing_when_data_comes(page: Page, logdir: Path) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Less smoothing")
    page.keyboard.press("Escape")
    tab(page, "Text").click()
    expect(tab(page, "Text")).to_have_attribute("aria-current", "page")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Search all texts")
    expect(page.get_by_role("dialog")).not_to_contain_text("Less smoothing")
    page.keyboard.press("Escape")
    requested = series_requests(page)
    with EventFile(logdir / "gamma") as file:
        file.add_scalar("layer/00", 0.5, 1)
    expect(page.get_by_role("row").filter(has_text="gamma")).to_be_visible()
    assert requested == []
    with page.expect_request("**/api/series**"):
        tab(page, "Scalars").click()


def test_only_the_last_views_stay_mounted(page: Page) -> None:
    for title in ("Time series", "Text", "Histograms", "Distributions"):
        tab(page, title).click()
        expect(tab(page, title)).to_have_attribute("aria-current", "page")
    expect(page.locator(".slot .view")).to_have_count(5)
    expect(page.locator(".slot .view:not([inert])")).to_have_count(1)
    page.goto(page.url.split("#")[0] + "#hparams")
    expect(page.get_by_role("heading", name="No hyperparameters")).to_be_visible()
    expect(page.locator(".slot .view")).to_have_count(5)
