"""No page breaks a rule of WCAG 2 A and AA or a best practice, as far as axe-core can tell, in either theme."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import TIMEOUT_MS
from tests.e2e.every_page import DASHBOARDS, write_logs
from tools.in_process import served_in_process

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# Runs in the page; one line for each element that breaks a rule.
CHECK = """
async (tags) => {
  const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  const why = (node) => [...node.any, ...node.all, ...node.none].map((check) => check.message)[0] ?? "";
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${why(node)}`));
}
"""


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    full, empty = tmp_path_factory.mktemp("full"), tmp_path_factory.mktemp("empty")
    write_logs(full)
    with served_in_process(full) as address, served_in_process(empty) as nothing:
        yield {"full": address, "empty": nothing}


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """One page for all tests: loading takes longer than the check."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    yield page
    context.close()


def load(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.add_script_tag(path=AXE)


def check(page: Page) -> None:
    """In both themes; only the colours differ between them."""
    for theme, rules in (("light", RULES), ("dark", ("color-contrast",))):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert page.evaluate(CHECK, rules) == [], theme


@pytest.fixture(scope="module")
def dashboards(page: Page, addresses: dict[str, str]) -> Page:
    load(page, f"{addresses['full']}#scalars")
    return page


@pytest.mark.parametrize("tab", DASHBOARDS)
def test_a_dashboard(dashboards: Page, tab: str) -> None:
    dashboards.evaluate("tab => (location.hash = tab)", tab)
    expect(dashboards.locator("main:visible").locator(DASHBOARDS[tab]).first).to_be_visible()
    check(dashboards)


def test_the_details_of_a_graph(dashboards: Page) -> None:
    dashboards.evaluate("location.hash = 'graphs'")
    dashboards.get_by_role("treeitem", name="output").click()
    expect(dashboards.get_by_role("region", name="Inputs")).to_be_visible()
    check(dashboards)


@pytest.mark.parametrize(
    ("opener", "role", "name"),
    [
        ("Find runs, tags, commands", "dialog", "Find runs, tags, commands"),
        ("Settings", "dialog", "Settings"),
        ("Runs menu", "menu", "Runs"),
        ("Colour: run", "dialog", "Colour runs"),
        ("Axes & groups", "dialog", "Axes & groups"),
        ("Columns: 3 columns", "menu", "Columns"),
    ],
)
def test_what_opens_above_a_dashboard(
    dashboards: Page, opener: str, role: Literal["dialog", "menu"], name: str
) -> None:
    dashboards.evaluate("location.hash = 'scalars'")
    expect(dashboards.get_by_role("article").first).to_be_visible()
    dashboards.get_by_role("button", name=opener, exact=True).first.click()
    expect(dashboards.get_by_role(role, name=name)).to_be_visible()
    check(dashboards)
    dashboards.keyboard.press("Escape")
    expect(dashboards.get_by_role(role, name=name)).to_have_count(0)


def test_the_list_of_keys_and_the_table_of_all_runs(dashboards: Page) -> None:
    dashboards.keyboard.press("?")
    expect(dashboards.get_by_role("dialog", name="Keys")).to_be_visible()
    check(dashboards)
    dashboards.keyboard.press("Escape")
    dashboards.keyboard.press("Shift+R")
    expect(dashboards.get_by_role("grid").get_by_text("failed").first).to_be_visible()
    check(dashboards)


@pytest.mark.parametrize("tab", [tab for tab, content in DASHBOARDS.items() if content == "article"])
def test_the_focus_returns_when_a_card_leaves_the_full_screen(page: Page, addresses: dict[str, str], tab: str) -> None:
    page.goto("about:blank")
    page.goto(f"{addresses['full']}#{tab}")
    opener = page.get_by_role("article").first.get_by_role("button", name=re.compile("^(Full screen|Open)$"))
    opener.press("Enter")
    expect(page.get_by_role("article").locator("visible=true")).to_have_count(0 if tab == "images" else 1)
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


@pytest.mark.parametrize(
    ("logs", "path", "heading"),
    [
        ("full", "run/sweep/failed", "failed"),
        ("full", "run/nobody", "There is no run called “nobody”"),
        ("full", "compare?runs=sweep/failed,sweep/good", "2 runs compared"),
        ("full", "#nothing", "No dashboard is called “nothing”"),
        ("empty", "", "No runs yet"),
    ],
)
def test_a_page(page: Page, addresses: dict[str, str], logs: str, path: str, heading: str) -> None:
    load(page, f"{addresses[logs]}{path}")
    expect(page.get_by_role("heading", name=heading).first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    page.wait_for_load_state("networkidle")
    check(page)


def test_the_first_tab_stop_leads_past_the_bar(page: Page, addresses: dict[str, str]) -> None:
    load(page, f"{addresses['full']}#scalars")
    expect(page.get_by_role("article").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main:visible")).to_be_focused()
