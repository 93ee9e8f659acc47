"""The link a person would copy."""

from __future__ import annotations

from playwright.sync_api import Page

# As long as the page gathers changes before it writes them into the address, and a little more.
WRITTEN_MS = 300


def link_of(page: Page) -> str:
    page.wait_for_timeout(WRITTEN_MS)
    return page.url
