"""The cards of Histograms and of Distributions."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def card(page: Page, tag: str, run: str | None = None) -> Locator:
    return page.get_by_role("article", name=f"{tag}, {run}" if run else tag, exact=True)


def is_drawn(card: Locator) -> None:
    expect(card.locator("[data-drawn]")).not_to_have_attribute("data-drawn", "0")
