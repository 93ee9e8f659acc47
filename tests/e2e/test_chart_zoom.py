"""Ranges of a chart: zoom down to every logged point, by drag, wheel and link, and selections."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import card, drag, overlay, tip_cells, write_run

POINTS, SPIKE_AT, SPIKE = 1_000_000, 654_321, 42.0


def shown_range(page: Page, tag: str, before: str) -> tuple[float, float]:
    """The zoomed range of a card, as the address has it."""
    page.wait_for_function("before => location.href !== before", arg=before)
    cards = re.search(r"scalars\.cards=([^&]*)", page.url)
    assert cards is not None
    left, right = json.loads(unquote(cards[1]))[tag]["x"]
    return left, right


def test_zooming_reads_again_until_a_single_spike_is_reached(address: str, open_page: OpenPage, logdir: Path) -> None:
    values = np.sin(np.arange(POINTS) / 25_000)
    values[SPIKE_AT] = SPIKE
    write_run(logdir / "long", {"train/loss": values})
    page = open_page(address + "#scalars&smoothing=0&clipOutliers=false&columns=1")
    loss = card(page, "train/loss")
    expect(loss).to_contain_text("1 run · 1,000,000 points · min–max")
    left, right = 0.0, POINTS - 1.0
    for _ in range(6):
        if right - left < 300:
            break
        # The plot begins some 36 px from the left and ends 10 px from the right; the box is wider than the doubt.
        width = overlay(page, "train/loss").bounding_box()["width"]  # type: ignore[index]
        share = (36 + (SPIKE_AT - left) / (right - left) * (width - 46)) / width
        before = page.url
        drag(page, "train/loss", max(share - 0.06, 0.05), min(share + 0.06, 0.98))
        left, right = shown_range(page, "train/loss", before)
        assert left < SPIKE_AT < right
    expect(loss.locator(".sub")).to_have_text(re.compile(r"^1 run · \d{2,3} of 1,000,000 points$"))
    # The next tooltip is that of the key.
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    overlay(page, "train/loss").focus()
    page.keyboard.press("Home")
    first = int(tip_cells(page).nth(2).inner_text().replace(",", ""))
    for _ in range(SPIKE_AT - first):
        page.keyboard.press("ArrowRight")
    expect(tip_cells(page)).to_have_text(["long", f"{SPIKE:.4f}", f"{SPIKE_AT:,}", "7 d 13 h"])
    overlay(page, "train/loss").dblclick()
    expect(loss).to_contain_text("1 run · 1,000,000 points · min–max")


def test_the_wheel_zooms_and_shift_drags(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": np.linspace(1, 0, 1001)})
    page = open_page(address + "#scalars&smoothing=0")
    expect(card(page, "train/loss")).to_contain_text("1,001 points")
    before = page.url
    overlay(page, "train/loss").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    left, right = shown_range(page, "train/loss", before)
    assert 0 <= left < right <= 1000
    assert right - left < 900
    expect(card(page, "train/loss")).to_contain_text(re.compile(r"\d+ of 1,001 points"))
    before = page.url
    drag(page, "train/loss", 0.6, 0.5, keys="Shift")
    moved_left, moved_right = shown_range(page, "train/loss", before)
    assert moved_left > left
    assert moved_right - moved_left == pytest.approx(right - left)
    card(page, "train/loss").hover()
    card(page, "train/loss").get_by_role("button", name="Show all").click()
    expect(card(page, "train/loss")).to_contain_text("1 run · 1,001 points")


def test_a_linked_zoom_moves_every_card(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {tag: np.linspace(1, 0, 101) for tag in ("train/loss", "eval/loss")})
    page = open_page(address + "#scalars&linkedZoom=true")
    expect(card(page, "eval/loss")).to_contain_text("101 points")
    drag(page, "train/loss", 0.3, 0.6)
    for tag in ("train/loss", "eval/loss"):
        expect(card(page, tag)).to_contain_text(re.compile(r"1 run · \d\d of 101 points"))
    overlay(page, "eval/loss").dblclick()
    expect(card(page, "train/loss")).to_contain_text("1 run · 101 points")


def test_a_selection_is_summed_up_in_a_table(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "falling", {"train/loss": np.linspace(10, 0, 101)})
    write_run(logdir / "rising", {"train/loss": np.linspace(0, 10, 101)})
    page = open_page(address + "#scalars&smoothing=0&scalars.select=[20,40]&scalars.table=train/loss")
    table = page.get_by_role("complementary", name="Table of train/loss")
    expect(table).to_contain_text("20 – 40")
    rows = table.get_by_role("rowgroup").get_by_role("row")
    expect(rows).to_have_count(2)
    want = ["8.0000", "6.0000", "6.0000", "8.0000", "7.0000", "−2.0000 (−25.0 %)", "20", "40", "21"]
    falling = rows.filter(has_text="falling")
    cells = [falling.locator(f'[role=gridcell][aria-colindex="{column}"]') for column in range(3, 12)]
    assert [cell.inner_text() for cell in cells] == want
    table.get_by_role("button", name="Start").click()
    expect(rows.first).to_contain_text("rising")
    page.get_by_role("button", name="Select", exact=True).click()
    drag(page, "train/loss", 0.5, 0.9)
    expect(table).not_to_contain_text("20 – 40")
    page.get_by_role("button", name="Clear selection").click()
    expect(table).to_contain_text("all steps")
