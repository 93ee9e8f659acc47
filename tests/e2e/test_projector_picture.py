"""The picture of the Projector: hover, inspect, pan, zoom, orbit, box, lasso and its states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

# Four corners and the middle: the first component is along x, the second along y, up to their signs.
VECTORS = np.array([[-3, -1, 0.1], [3, -1, -0.1], [-3, 1, -0.1], [3, 1, 0.1], [0, 0, 0]], np.float32)
NAMES = ("corner 0", "corner 1", "corner 2", "corner 3", "middle")
MIDDLE = 4


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("picture")
    with seamark.SummaryWriter(str(logdir / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    np.save(logdir / "run" / "points.npy", VECTORS)
    rows = [f"{name}\t{row}" for row, name in enumerate(NAMES)]
    (logdir / "run" / "points.metadata.tsv").write_text("\n".join(["name\tnumber", *rows]) + "\n")
    with served_in_process(logdir) as address:
        yield address


class Picture(NamedTuple):
    page: Page
    element: Locator

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Shares of the picture as pixels of the page."""
        box = self.element.bounding_box()
        assert box is not None
        return box["x"] + box["width"] * x, box["y"] + box["height"] * y

    def drag(self, *corners: tuple[float, float]) -> None:
        self.page.mouse.move(*self.at(*corners[0]))
        self.page.mouse.down()
        for corner in corners[1:]:
            self.page.mouse.move(*self.at(*corner), steps=4)
        self.page.mouse.up()


def wait_for_points(page: Page) -> None:
    page.wait_for_function("() => performance.getEntriesByName('projector:ready').length === 1")


def open_picture(open_page: OpenPage, address: str, hash: str = "") -> Picture:
    page = open_page(f"{address}#projector{hash}")
    wait_for_points(page)
    element = page.get_by_role("application")
    expect(element).to_have_accessible_name(re.compile(r"^5 points in \d dimensions"))
    return Picture(page, element)


def test_points_are_named_and_inspected(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address)).page, shown.element
    page.mouse.move(*shown.at(0.5, 0.5))
    expect(picture.get_by_role("tooltip")).to_have_text(re.compile(r"^\s*middle\s*row 4\s*$"))
    page.mouse.move(*shown.at(0.5, 0.1))
    expect(picture.get_by_role("tooltip")).to_have_count(0)
    page.mouse.click(*shown.at(0.5, 0.5))
    expect(page).to_have_url(re.compile(f"point={MIDDLE}$"))


def test_the_keyboard_reaches_the_picture_past_the_controls(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address)).page, shown.element
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # past the bar of the page
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip to the picture")).to_be_focused()
    page.keyboard.press("Enter")
    expect(picture).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"point={MIDDLE}$"))


def test_arrows_walk_to_the_nearest_point(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address)).page, shown.element
    picture.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"point={MIDDLE}$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("point=[0-3]$"))


def test_the_camera_is_in_the_address(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address)).page, shown.element
    page.mouse.move(*shown.at(0.5, 0.5))
    page.mouse.wheel(0, -300)
    expect(page).to_have_url(re.compile(r"camera=[-\d.e]+,[-\d.e]+,[-\d.e]+"))
    page.reload()
    wait_for_points(page)
    page.mouse.move(*shown.at(0.5, 0.5))
    expect(picture.get_by_role("tooltip")).to_contain_text("middle")
    expect(page).to_have_url(re.compile("camera="))
    picture.focus()
    page.keyboard.press("0")
    expect(page).not_to_have_url(re.compile("camera="))


def test_a_drag_pans_and_a_double_click_fits(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address)).page, shown.element
    shown.drag((0.5, 0.2), (0.6, 0.3))
    page.mouse.move(*shown.at(0.6, 0.6))
    expect(picture.get_by_role("tooltip")).to_contain_text("middle")
    page.mouse.dblclick(*shown.at(0.5, 0.1))
    expect(page).not_to_have_url(re.compile("camera="))


def test_a_box_selects_and_shift_adds(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address, "&projector.tool=box")).page, shown.element
    shown.drag((0.01, 0.02), (0.3, 0.98))
    expect(picture).to_have_accessible_name(re.compile("2 selected"))
    page.keyboard.down("Shift")
    shown.drag((0.4, 0.4), (0.6, 0.6))
    page.keyboard.up("Shift")
    expect(picture).to_have_accessible_name(re.compile("3 selected"))
    page.keyboard.down("Alt")
    shown.drag((0.01, 0.02), (0.3, 0.98))
    page.keyboard.up("Alt")
    expect(page).to_have_url(re.compile(rf"selected={MIDDLE}(&|$)"))


def test_a_lasso_selects_and_escape_cancels_it(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address, "&projector.tool=lasso")).page, shown.element
    around = ((0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6))
    page.mouse.move(*shown.at(0.4, 0.4))
    page.mouse.down()
    for corner in around:
        page.mouse.move(*shown.at(*corner), steps=4)
    picture.focus()
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(picture).to_have_accessible_name(re.compile("0 selected"))
    shown.drag(*around)
    expect(picture).to_have_accessible_name(re.compile("1 selected"))
    expect(page).to_have_url(re.compile(rf"selected={MIDDLE}(&|$)"))


def test_three_dimensions_are_turned_and_flattened_again(address: str, open_page: OpenPage) -> None:
    page, picture = (shown := open_picture(open_page, address)).page, shown.element
    page.get_by_text("3-D", exact=True).click()
    expect(picture).to_have_accessible_name(re.compile("in 3 dimensions"))
    shown.drag((0.5, 0.2), (0.7, 0.3))
    expect(page).to_have_url(re.compile(r"camera=(?:[-\d.e]+,){5}"))
    page.mouse.move(*shown.at(0.5, 0.5))
    expect(picture.get_by_role("tooltip")).to_contain_text("middle")
    page.get_by_text("2-D", exact=True).click()
    expect(picture).to_have_accessible_name(re.compile("in 2 dimensions"))


def test_a_filter_without_a_match_says_so(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#projector&projector.query=number%20%3E%2099")
    expect(page.get_by_text("No point matches the filter")).to_be_visible()


def test_numbers_have_a_scale(address: str, open_page: OpenPage) -> None:
    shown = open_picture(open_page, address, "&projector.colour=number")
    expect(shown.element.get_by_role("figure", name="Scale of number")).to_contain_text("4")
