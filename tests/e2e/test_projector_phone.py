"""The Projector on a phone: one finger pans and inspects, two zoom, a long press draws a lasso."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

import seamark
from tests.e2e.conftest import TIMEOUT_MS
from tests.e2e.test_phone import LOW, WIDTH, touch
from tools.in_process import served_in_process

# The corners and the middle of the picture; the last one is below the sheet of the inspector.
VECTORS = np.array([[-3, -1, 0.1], [3, -1, -0.1], [-3, 1, -0.1], [3, 1, 0.1], [0, 0, 0]], np.float32)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("phone")
    run = seamark.init(dir=logdir, name="run", console=False, git=False, quiet=True, system_metrics_secs=0)
    names = {"name": [f"corner {row}" for row in range(4)] + ["middle"]}
    run.log_embedding("points", VECTORS, metadata=names)
    run.finish()
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Page:
    context = browser.new_context(viewport={"width": WIDTH, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"{address}#projector")
    page.wait_for_function("() => performance.getEntriesByName('projector:ready').length > 0")
    return page


@pytest.fixture
def session(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    box = page.get_by_role("application").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * x, box["y"] + box["height"] * y


def test_nothing_is_wider_than_the_screen_or_too_low_for_a_finger(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
    assert page.evaluate(LOW) == []


def test_a_tap_inspects_the_point_in_a_sheet_that_does_not_cover_it(page: Page) -> None:
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector).to_be_hidden()
    page.touchscreen.tap(*place(page, 0.5, 0.5))
    expect(inspector).to_be_visible()
    expect(inspector).to_contain_text("middle")
    expect(page).to_have_url(re.compile(r"point=4"))
    distances = inspector.get_by_role("group", name="Distance")
    frame, button = distances.bounding_box(), distances.get_by_role("button", name="Cosine").bounding_box()
    assert frame is not None and button is not None
    assert frame["y"] <= button["y"] and button["y"] + button["height"] <= frame["y"] + frame["height"]
    # The point has moved up with the camera, which is in the address.
    expect(page).to_have_url(re.compile(r"camera="))
    sheet = inspector.bounding_box()
    assert sheet is not None and place(page, 0.5, 0.2)[1] < sheet["y"]
    page.touchscreen.tap(*place(page, 0.5, 0.2))
    expect(page).to_have_url(re.compile(r"point=4"))
    page.get_by_role("button", name="Close the inspector").tap()
    expect(inspector).to_be_hidden()


def test_a_link_to_a_point_opens_the_sheet(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(f"{address}#projector&projector.point=4")
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector).to_contain_text("middle")
    expect(inspector).to_be_visible()
    # The point is not below the sheet.
    expect(page).to_have_url(re.compile(r"camera="))
    page.get_by_role("button", name="Close the inspector").tap()
    expect(inspector).to_be_hidden()


def test_one_finger_pans_and_two_zoom(page: Page, session: CDPSession) -> None:
    x, y = place(page, 0.3, 0.3)
    touch(session, "touchStart", (x, y))
    for share in (10, 30, 60):
        touch(session, "touchMove", (x + share, y + share))
    touch(session, "touchEnd")
    expect(page).to_have_url(re.compile(r"camera="))
    panned = page.url
    touch(session, "touchStart", (x, y), (x + 60, y))
    for share in (10, 30, 60):
        touch(session, "touchMove", (x - share, y), (x + 60 + share, y))
    touch(session, "touchEnd")
    expect(page).not_to_have_url(panned)
    expect(page.get_by_role("complementary", name="Inspector")).to_be_hidden()


def test_a_long_press_draws_a_lasso(page: Page, session: CDPSession) -> None:
    corners = [place(page, x, y) for x, y in ((0.35, 0.35), (0.65, 0.35), (0.65, 0.65), (0.35, 0.65))]
    touch(session, "touchStart", corners[0])
    # The browser itself measures how long the finger rests.
    page.wait_for_timeout(700)
    for corner in corners[1:]:
        touch(session, "touchMove", corner)
    touch(session, "touchEnd")
    expect(page.get_by_role("group", name="Selection").get_by_role("status").first).to_contain_text("1 point")
    expect(page).to_have_url(re.compile(r"selected=4"))
