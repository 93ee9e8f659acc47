"""The link a person would copy."""

from __future__ import annotations

from playwright.sync_api import Page

# The page writes its address 200 ms after a change. Its timers end in order: a longer one that starts after the change
# ends after the address was written, however busy the machine is.
ADDRESS = "() => new Promise((done) => setTimeout(() => done(location.href), 300))"


def link_of(page: Page) -> str:
    link: str = page.evaluate(ADDRESS)
    return link
