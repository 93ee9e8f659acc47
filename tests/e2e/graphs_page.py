"""The page of Graphs, for the browser tests: opening it, and what is where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.graph_logs import write_transformer
from tools.in_process import served_in_process

Rect = tuple[int, int, int, int]


@contextmanager
def served_transformers(logdir: Path) -> Iterator[str]:
    """The run `one`, and `two` with more blocks and no values; the address shows `one`."""
    write_transformer(logdir / "one")
    write_transformer(logdir / "two", blocks=4, with_values=False)
    with served_in_process(logdir) as address:
        yield f"{address}#graphs&graphs.run=one"


def open_graph(open_page: OpenPage, address: str, hash: str = "graphs.run=one", **options: int) -> Page:
    page = open_page(f"{address}#graphs&{hash}", **options)
    expect(canvas(page)).to_have_attribute("data-boxes", re.compile(r"\d"))
    return page


def canvas(page: Page) -> Locator:
    return page.locator(".canvas canvas").first


def stage(page: Page) -> Locator:
    return page.get_by_role("application", name=re.compile("Graph of"))


def item(page: Page, label: str) -> Locator:
    return page.get_by_role("treeitem").filter(has=page.locator(".label").get_by_text(label, exact=True)).first


def rect(page: Page) -> Rect:
    """The selected box on the canvas."""
    expect(canvas(page)).to_have_attribute("data-selected", re.compile(r"\d"))
    left, top, width, height = map(int, (canvas(page).get_attribute("data-selected") or "").split(","))
    return left, top, width, height


def tree(page: Page) -> Locator:
    return page.get_by_role("tree", name="Visible boxes")


def selected(page: Page) -> Locator:
    return page.get_by_role("treeitem", selected=True)


def details(page: Page, title: str) -> Locator:
    return page.get_by_role("complementary", name=title, exact=True)


def section(details: Locator, title: str) -> Locator:
    return details.get_by_role("region", name=title, exact=True)


def search(page: Page) -> Locator:
    return page.get_by_label("Search the graph")


def layers(page: Page) -> Locator:
    return page.get_by_role("region", name="Layers", exact=True)


def layer(page: Page, name: str) -> Locator:
    return layers(page).get_by_role("row").filter(has=page.get_by_title(name, exact=True))
