"""Scalars of one point per run: a bar for each run, with its name and its value."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from seamark import SummaryWriter
from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import BEGAN, card, overlay, tool, write_run

SCORES = {"a": 0.9, "b": 0.45, "c": -0.3, "broken": float("nan")}


def bars(page: Page, tag: str) -> Locator:
    return card(page, tag).locator(".bars rect")


def values(page: Page, tag: str) -> Locator:
    return card(page, tag).locator(".bars .value")


def log_scores(logdir: Path) -> None:
    for run, score in SCORES.items():
        write_run(logdir / run, {"test/score": [score], "train/loss": [2.0, 1.0, 0.5]})


def test_one_point_per_run_is_a_bar_with_a_name_and_a_value(address: str, open_page: OpenPage, logdir: Path) -> None:
    log_scores(logdir)
    page = open_page(f"{address}#scalars")
    expect(values(page, "test/score")).to_have_text(["0.9000", "0.4500", "NaN", "−0.3000"])
    expect(bars(page, "test/score")).to_have_count(3)  # NaN has no length
    expect(card(page, "train/loss").locator(".bars")).to_have_count(0)
    # The pointer, the keys and a click do what they do on lines.
    overlay(page, "test/score").hover(position={"x": 200, "y": 15})
    expect(page.get_by_role("tooltip").locator("tr.near")).to_contain_text(re.compile("a.*0.9000"))
    overlay(page, "test/score").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(card(page, "test/score").locator("output")).to_have_text("broken NaN")
    overlay(page, "test/score").click(position={"x": 200, "y": 15})
    expect(page).to_have_url(re.compile("focus=a"))
    expect(card(page, "test/score").locator("g.dimmed")).to_have_count(3)
    # What is hidden has no bar, and a log axis no place for what is negative.
    page.get_by_role("checkbox", name="Show b", exact=True).click()
    expect(bars(page, "test/score")).to_have_count(2)
    tool(page, "test/score", "Log y").click()
    expect(card(page, "test/score").locator(".bars .note")).to_have_text(["▲", "not on a log axis"])


def test_bars_are_saved_as_pictures_and_zooming_other_charts_leaves_them(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    log_scores(logdir)
    page = open_page(f"{address}#scalars&linkedZoom=true&scalars.zoom=[1,2]")
    expect(bars(page, "test/score")).to_have_count(3)
    for ending, magic in (("svg", b"<svg xmlns"), ("png", b"\x89PNG")):
        tool(page, "test/score", "Download").click()
        with page.expect_download() as waiting:
            page.get_by_role("button", name=re.compile(f"^{ending.upper()}")).click()
        data = Path(waiting.value.path()).read_bytes()
        assert data.startswith(magic)
        if ending == "svg":
            assert data.count(b"<rect x=") == 3
            assert b">broken</text>" in data and b">NaN</text>" in data
    # A second point makes a line of them.
    write_run(logdir / "a", {"test/score": [0.8]}, steps=[1], began=BEGAN + 1000)
    expect(card(page, "test/score").locator(".bars")).to_have_count(0)


def test_many_bars_scroll_and_metrics_of_add_hparams_have_them(address: str, open_page: OpenPage, logdir: Path) -> None:
    for run in range(40):
        with SummaryWriter(logdir / f"trial{run:02}") as writer:
            writer.add_hparams({"lr": run}, {"hparam/score": run / 40})
    page = open_page(f"{address}#timeseries")
    expect(bars(page, "hparam/score")).to_have_count(40)
    expect(card(page, "hparam/score").locator(".bars .y").first).to_have_text("trial00")
    last = values(page, "hparam/score").last
    expect(last).not_to_be_in_viewport()
    overlay(page, "hparam/score").focus()
    page.keyboard.press("End")
    expect(last).to_be_in_viewport()
