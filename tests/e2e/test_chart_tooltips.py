"""The crosshair of charts and the table of values below it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import card, overlay, tip_cells, write_run


def test_the_crosshair_is_on_every_card_and_rows_are_ordered(address: str, open_page: OpenPage, logdir: Path) -> None:
    for run, value in (("b", 1.0), ("a", 3.0), ("c", 2.0)):
        write_run(logdir / run, {tag: np.full(11, value) for tag in ("train/loss", "eval/loss")})
    page = open_page(address + "#scalars&smoothing=0&tooltipSort=ascending")
    expect(card(page, "train/loss")).to_contain_text("33 points")
    overlay(page, "train/loss").hover()
    expect(page.locator(".hair")).to_have_count(2)

    names = page.get_by_role("tooltip").locator("tbody td:first-child")
    expect(names).to_have_text(["b", "c", "a"])
    for sort, want in (("descending", "acb"), ("name", "abc")):
        page.mouse.move(0, 0)
        page.get_by_role("button", name="Settings", exact=True).click()
        page.get_by_label("Tooltip order").select_option(sort)
        page.keyboard.press("Escape")
        overlay(page, "train/loss").hover()
        expect(names).to_have_text(list(want))


def test_the_table_of_values_stands_below_its_card_or_follows_the_pointer(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_run(logdir / "a", {"train/loss": np.linspace(1, 0, 101)})
    page = open_page(address + "#scalars")
    expect(card(page, "train/loss")).to_contain_text("101 points")
    overlay(page, "train/loss").hover()
    tip, plot = page.get_by_role("tooltip").bounding_box(), card(page, "train/loss").bounding_box()
    assert tip is not None
    assert plot is not None
    assert tip["y"] >= plot["y"] + plot["height"]
    follows = open_page(address + "#scalars&tooltipFollows=true")
    overlay(follows, "train/loss").hover()
    beside = follows.get_by_role("tooltip").bounding_box()
    assert beside is not None
    assert beside["y"] < plot["y"] + plot["height"]
    # Where the whole screen is the card, it stands in a corner.
    whole = open_page(address + "#scalars&scalars.card=train/loss")
    overlay(whole, "train/loss").hover()
    expect(whole.get_by_role("tooltip")).to_be_in_viewport(ratio=1)


def test_the_table_of_many_runs_says_why_it_has_no_raw_values(address: str, open_page: OpenPage, logdir: Path) -> None:
    for number in range(61):
        write_run(logdir / f"run{number:02}", {"train/loss": [10.0, number, 0.0]})
    page = open_page(address + "#scalars&smoothing=0.5")
    tip = page.get_by_role("tooltip")
    heads = tip.locator("th")
    expect(card(page, "train/loss")).to_contain_text("61 runs · 183 points")
    overlay(page, "train/loss").hover()
    expect(heads).to_have_text(["Run", "Smoothed", "Step", "Relative"])
    expect(tip).to_contain_text("Of more than 60 runs only smoothed values are read")
    page.get_by_role("checkbox", name=re.compile("run00")).first.click()
    expect(card(page, "train/loss")).to_contain_text("60 runs · 180 points")
    overlay(page, "train/loss").hover()
    expect(heads).to_have_text(["Run", "Smoothed", "Value", "Step", "Relative"])
    expect(tip).not_to_contain_text("only smoothed")
    page.get_by_role("checkbox", name=re.compile("run00")).first.click()
    page.get_by_label("Smoothing, 0 to 0.999").fill("0")
    page.get_by_label("Smoothing, 0 to 0.999").press("Enter")
    overlay(page, "train/loss").hover()
    expect(heads).to_have_text(["Run", "Value", "Step", "Relative"])


def test_a_value_is_the_one_logged_at_its_step_and_says_what_else_its_pixel_holds(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    values = np.random.default_rng(3).normal(0.9, 0.1, 6000).astype(np.float32).astype(np.float64)
    write_run(logdir / "a", {"accuracy": values})
    for smoothing, column in ((0.6, 2), (0, 1)):
        page = open_page(f"{address}#scalars&smoothing={smoothing}")
        expect(card(page, "accuracy")).to_contain_text("6,000 points")
        overlay(page, "accuracy").hover()
        expect(tip_cells(page).nth(column)).to_be_visible()
        cells = tip_cells(page).all_inner_texts()
        step = int(cells[column + 1].replace(",", ""))
        assert cells[column] == f"{values[step]:.4f}".replace("-", "−")
        expect(page.get_by_role("tooltip")).to_contain_text(re.compile(r"mean of \d+ steps [\d.]+, [\d.]+ … [\d.]+"))


def test_the_value_beside_a_card_is_the_last_one_logged(address: str, open_page: OpenPage, logdir: Path) -> None:
    values = np.where(np.arange(3000) % 2, 0.25, 0.75)
    write_run(logdir / "a", {"accuracy": np.append(values, 0.808)})
    write_run(logdir / "b", {"accuracy": values})
    page = open_page(address + "#scalars&smoothing=0.9&focus=a")
    expect(card(page, "accuracy").get_by_text("0.8080")).to_have_attribute("title", "Logged by the run in focus")


def test_a_run_without_a_number_has_a_row_and_a_reason(address: str, open_page: OpenPage, logdir: Path) -> None:
    for run in range(12):
        write_run(logdir / f"good{run:02}", {"loss": np.linspace(2, 1 + run / 10, 51)})
    write_run(logdir / "diverges", {"loss": [*np.linspace(2, 9, 50), np.nan]})
    page = open_page(address + "#scalars&smoothing=0")
    tip = page.get_by_role("tooltip")
    box = overlay(page, "loss").bounding_box()
    assert box is not None
    overlay(page, "loss").hover()
    expect(tip).to_contain_text("0 above, 3 below")
    # Over the triangle on the baseline at the last step.
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + box["height"] - 22)
    expect(tip.locator("tr.near td")).to_have_text(["diverges", "NaN", "50", "50 s"])
    expect(tip).to_contain_text("NaN was logged here: it has no place on the axis, ▲ marks it")
