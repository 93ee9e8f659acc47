"""Links to the Projector: a selection and a filter of thousands of scattered rows are in the address by an id."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import seamark
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

ROWS = 3000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Every third row is on one side, so that its rows are no range."""
    logdir = tmp_path_factory.mktemp("links")
    with seamark.SummaryWriter(str(logdir / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    vectors = np.random.default_rng(0).normal(size=(ROWS, 3)).astype(np.float32)
    vectors[:, 0] += np.where(np.arange(ROWS) % 3 == 0, 50, 0)
    np.save(logdir / "run" / "points.npy", vectors)
    with served_in_process(logdir) as address:
        yield address


def select_one_side(page: Page) -> int:
    """Selects the points left of the middle with the box; returns their number."""
    box = page.get_by_role("application").bounding_box()
    assert box is not None
    page.get_by_role("button", name="Box").click()
    page.mouse.move(box["x"] + 4, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4, steps=5)
    page.mouse.up()
    bar = page.get_by_role("group", name="Selection").get_by_role("status").first
    expect(bar).to_contain_text(re.compile(r"(1,000|2,000) points"))
    return 1000 if "1,000" in (bar.text_content() or "") else 2000


def test_a_link_has_a_long_selection_and_a_long_filter(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#projector")
    page.wait_for_function("() => performance.getEntriesByName('projector:ready').length > 0")
    selected = select_one_side(page)
    expect(page).to_have_url(re.compile(r"selected=(@|%40)[0-9a-f]{16}"))
    assert len(page.url) < 500
    other = open_page(page.url)
    expect(other.get_by_role("group", name="Selection").get_by_role("status").first).to_contain_text(
        f"{selected:,} points"
    )
    other.get_by_role("button", name="Isolate").click()
    expect(other).to_have_url(re.compile(r"filters=(@|%40)[0-9a-f]{16}"))
    third = open_page(other.url)
    expect(third.get_by_text(f"{selected:,} of {ROWS:,} points")).to_be_visible()


def test_a_link_whose_selection_is_gone_says_so(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#projector&projector.selected=@0123456789abcdef", may_complain=True)
    alert = page.get_by_role("group", name="Selection").get_by_role("alert")
    expect(alert).to_have_text("this server has no saved text '0123456789abcdef' any more")
