"""Distributions in a real browser: every percentile on the screen is TensorBoard's."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from tensorboard.plugins.distribution import compressor

from seamark.kinds.histogram import bucketize
from tests.e2e.conftest import OpenPage
from tests.e2e.histogram_cards import card, is_drawn
from tests.e2e.histogram_logs import normal, write_like_torch, write_ours


def cells(page: Page, row: int = 0) -> Locator:
    """Run, nine percentiles, step, relative time."""
    return page.get_by_role("tooltip").locator("tbody tr").nth(row).locator("td")


def shown_levels(page: Page, row: int = 0) -> list[float]:
    expect(cells(page, row)).to_have_count(12)
    return [float(text.replace("−", "-").replace(",", "")) for text in cells(page, row).all_inner_texts()[1:10]]


def tensorboards(values: np.ndarray) -> list[float]:
    """TensorBoard's own code, on the same buckets."""
    return [value for _, value in compressor.compress_histogram(bucketize(values))]


def test_the_percentiles_are_those_of_tensorboard(address: str, open_page: OpenPage, logdir: Path) -> None:
    series = [normal(step, centre=step, scale=1 + step / 5) for step in range(8)]
    write_ours(logdir / "ours", "weights", series)
    page = open_page(address + "#distributions")
    weights = card(page, "weights", "ours")
    expect(weights).to_contain_text("8 steps")
    is_drawn(weights)
    weights.locator(".pointer-overlay").focus()
    for step in range(8):
        page.keyboard.press("ArrowRight")
        expect(cells(page).nth(10)).to_have_text(str(step))
        assert shown_levels(page) == pytest.approx(tensorboards(series[step]), rel=1e-4, abs=1e-6)
    heads = page.get_by_role("tooltip").locator("th").all_inner_texts()
    assert heads[1:10] == ["Min", "6.68%", "15.87%", "30.85%", "Median", "69.15%", "84.13%", "93.32%", "Max"]


def test_bands_of_two_runs_lie_in_one_card_and_the_pointer_reads_both(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_ours(logdir / "a", "weights", [normal(step) for step in range(5)])
    write_like_torch(logdir / "b", "weights", [normal(step, centre=9) for step in range(5)], library="torch")
    page = open_page(address + "#distributions&distributions.runs=together")
    weights = card(page, "weights")
    expect(weights).to_contain_text("2 runs · 10 steps")
    is_drawn(weights)
    weights.locator(".pointer-overlay").hover()
    expect(cells(page, 0).nth(10)).to_have_text("2")
    assert abs(shown_levels(page, 0)[4]) < 0.5
    assert abs(shown_levels(page, 1)[4] - 9) < 0.5
    assert shown_levels(page, 1) == sorted(shown_levels(page, 1))


def test_steps_beyond_the_screen_are_reached_by_zoom(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_ours(logdir / "long", "weights", [normal(step, size=20) for step in range(2000)])
    page = open_page(address + "#distributions")
    weights = card(page, "weights", "long")
    expect(weights).to_contain_text(re.compile(r"2,000 steps, \d{3} drawn: zoom in for more"))
    is_drawn(weights)
    box = weights.locator(".pointer-overlay").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.5, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, y + 2, steps=3)
    page.mouse.up()
    expect(weights.locator(".note")).to_have_text(re.compile(r"^\d{3} of 2,000 steps$"))
    # The next tooltip is that of the key.
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    weights.locator(".pointer-overlay").focus()
    page.keyboard.press("Home")
    first = int(cells(page).nth(10).inner_text().replace(",", ""))
    page.keyboard.press("ArrowRight")
    expect(cells(page).nth(10)).to_have_text(f"{first + 1:,}")
    assert shown_levels(page) == pytest.approx(tensorboards(normal(first + 1, size=20)), rel=1e-4, abs=1e-6)


def test_a_step_with_nan_leaves_a_gap_and_says_why(address: str, open_page: OpenPage, logdir: Path) -> None:
    series = [normal(step) for step in range(6)]
    series[3][:7] = np.nan
    write_like_torch(logdir / "run", "grads", series, library="torch")
    page = open_page(address + "#distributions")
    grads = card(page, "grads", "run")
    is_drawn(grads)
    expect(grads.get_by_role("note")).to_contain_text("Step 3: histogram has NaN")
    expect(grads.locator("path.broken")).to_have_count(1)
    grads.locator(".pointer-overlay").focus()
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(cells(page).nth(5)).to_have_text("–")
    expect(page.get_by_role("tooltip")).to_contain_text("7 of its values were NaN or infinite")


def test_log_values_axes_and_hints(address: str, open_page: OpenPage, logdir: Path) -> None:
    exploding = [normal(step, scale=1.0 if step < 8 else 5e4) for step in range(10)]
    write_ours(logdir / "run", "grads", exploding)
    page = open_page(address + "#distributions&clipOutliers=false&axis=relative")
    grads = card(page, "grads", "run")
    is_drawn(grads)
    expect(grads.locator(".badge")).to_contain_text("exploding")
    expect(grads.locator("svg text:not(.y)").last).to_have_text(re.compile(" m"))
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Log values")).to_have_attribute("aria-pressed", "true")
    expect(grads.locator("svg text.y").filter(has_text=re.compile("k$")).first).to_be_visible()
    grads.locator(".badge").click()
    drawer = page.get_by_role("complementary", name="Health hints")
    expect(drawer.locator("section[aria-current=true]")).to_contain_text("Exploding")
