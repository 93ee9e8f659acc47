"""A phone: 400 px wide, and fingers in place of a mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.e2e.conftest import TIMEOUT_MS
from tests.e2e.scalar_cards import card, write_run
from tools.in_process import served_in_process

WIDTH = 400
# A link from a large screen may name columns; a phone has room for one.
SCALARS = "#scalars&columns=3"
# What can be pressed and is lower than a finger needs; links in running text and check boxes in rows are as high as those.
LOW = """
() => [...document.querySelectorAll("button, select, input:not([type=range], [type=checkbox], [type=radio])")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((element) => element.closest("[role=row]") === null && !element.matches(".skip"))
  .filter((element) => element.getBoundingClientRect().height < 32)
  .map((element) => `${element.outerHTML.slice(0, 120)}: ${element.getBoundingClientRect().height}`)
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("runs")
    for name in ("alpha", "beta"):
        write_run(
            logdir / name,
            {f"train/{tag}": [3, 2, 1, 0.5] for tag in ("loss", "error", "a/long/name/of/a/tag", "x", "y")},
        )
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Page:
    context = browser.new_context(viewport={"width": WIDTH, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"{address}{SCALARS}")
    expect(card(page, "train/loss")).to_be_visible()
    return page


def touch(session: CDPSession, event: str, *points: tuple[float, float]) -> None:
    touches = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": touches})


def test_one_column_of_cards_is_as_wide_as_the_screen_and_nothing_is_wider(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    first, second = (card(page, f"train/{tag}").bounding_box() for tag in ("error", "loss"))
    assert first and second
    assert first["width"] > WIDTH * 0.9
    assert first["x"] == second["x"]


def test_what_can_be_pressed_is_high_enough(page: Page) -> None:
    assert page.evaluate(LOW) == []


def test_the_runs_are_in_a_drawer(page: Page) -> None:
    runs = page.get_by_role("complementary", name="Runs")
    expect(runs).to_have_count(0)
    page.get_by_role("button", name="2 runs", exact=True).tap()
    drawer = page.get_by_role("dialog", name="Runs")
    expect(drawer).to_be_in_viewport(ratio=1)
    drawer.get_by_role("checkbox", name="Show alpha").tap()
    drawer.get_by_role("button", name="Menu of beta").tap()
    menu = page.get_by_role("menu", name="Run beta")
    expect(menu).to_be_in_viewport(ratio=1)
    menu.get_by_role("menuitem", name="Star").tap()
    expect(menu).to_have_count(0)
    drawer.get_by_role("button", name="Close").tap()
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("button", name="1 run", exact=True)).to_be_focused()


def test_a_tap_shows_the_numbers_and_another_one_beside_it_hides_them(page: Page) -> None:
    chart = card(page, "train/error").get_by_role("application")
    chart.tap()
    tip = page.get_by_role("tooltip")
    expect(tip.locator("tbody tr")).to_have_count(2)
    expect(tip).to_be_in_viewport(ratio=1)
    page.touchscreen.tap(180, 20)
    expect(tip).to_have_count(0)


def test_two_fingers_zoom_and_one_scrolls_the_page(page: Page) -> None:
    chart = card(page, "train/error").get_by_role("application")
    box = chart.bounding_box()
    assert box
    left, right, y = box["x"] + box["width"] * 0.4, box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", (left, y), (right, y))
    for share in (20, 60, 100):
        touch(session, "touchMove", (left - share, y), (right + share, y))
    touch(session, "touchEnd")
    expect(card(page, "train/error").get_by_role("button", name="Show all")).to_be_visible()
    scroll = "Math.max(...[...document.querySelectorAll('main, main *')].map((element) => element.scrollTop))"
    assert page.evaluate(scroll) == 0
    touch(session, "touchStart", (left, y))
    for share in range(20, 161, 20):
        touch(session, "touchMove", (left, y - share))
    touch(session, "touchEnd")
    page.wait_for_function(f"{scroll} > 50")
