"""A browser that dies harms one test: the next one gets another."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Error, Page, expect


@pytest.fixture(scope="module")
def shared_page(chromium: Browser) -> Page:
    """A page of the whole file, as some files have: it is opened again with the browser."""
    page = chromium.new_context().new_page()
    page.set_content("<p>shared</p>")
    return page


def test_the_browser_dies(chromium: Browser, shared_page: Page) -> None:
    with pytest.raises(Error):
        chromium.new_browser_cdp_session().send("Browser.crash")
    with pytest.raises(Error):
        shared_page.title()
    assert not chromium.is_connected()


def test_the_next_test_has_another_one(browser: Browser, shared_page: Page) -> None:
    page = browser.new_page()
    page.set_content("<p>alive</p>")
    expect(page.locator("p")).to_have_text("alive")
    expect(shared_page.locator("p")).to_have_text("shared")
