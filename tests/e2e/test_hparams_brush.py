"""HParams in a real browser: one brush, and every view that follows it."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.hparams_page import (
    TRIALS,
    axes,
    brush,
    drawn,
    has_rows,
    held_by,
    matrix,
    parallel,
    picked,
    row,
)
from tests.e2e.links import link_of
from tests.e2e.trial_logs import Made


def test_a_brush_changes_the_table_the_matrix_and_the_runs_on_other_tabs(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    drawn(parallel(page), TRIALS)
    brush(page, "lr", 0.25, 0.7)
    ((name, picks),) = picked(page).items()
    assert name == "param:lr" and len(picks) == 1
    inside = held_by(picked(page), made)
    assert 5 < len(inside) < TRIALS - 5
    drawn(parallel(page), len(inside))
    expect(page.get_by_role("status").filter(has_text="of 40 trials")).to_contain_text(f"{len(inside)} of 40 trials")
    # The table: inside is checked, outside is not, and both are there.
    for trial in sorted(made, key=lambda trial: trial.loss)[:8]:
        expect(row(page, trial.name)).to_have_attribute("aria-selected", str(trial in inside).lower())
    has_rows(page, TRIALS)
    # A second axis, with a word.
    brush(page, "optimizer", 0.0, 0.3)
    assert set(picked(page)) == {"param:lr", "param:optimizer"}
    inside = held_by(picked(page), made)
    drawn(parallel(page), len(inside))
    # The scatter matrix has the same.
    page.get_by_role("button", name="Scatter matrix").click()
    drawn(matrix(page), len(inside))
    # And so have the curves.
    page.get_by_role("link", name="Scalars", exact=True).click()
    expect(page.locator("aside[aria-label=Runs]")).to_contain_text(f"{len(inside)} of 40 runs shown")
    expect(page.locator("article").first).to_contain_text(f"{len(inside)} runs")
    # Back, and away with it.
    page.go_back()
    drawn(matrix(page), len(inside))
    page.keyboard.press("Escape")
    drawn(matrix(page), TRIALS)
    assert picked(page) == {}
    page.get_by_role("link", name="Scalars", exact=True).click()
    expect(page.locator("aside[aria-label=Runs]")).to_contain_text("40 of 40 runs shown")


def test_shift_adds_a_range_a_click_takes_it_away_and_a_link_keeps_it(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    drawn(parallel(page), TRIALS)
    brush(page, "lr", 0.0, 0.2)
    brush(page, "lr", 0.6, 0.9, shift=True)
    assert len(picked(page)["param:lr"]) == 2
    inside = held_by(picked(page), made)
    drawn(parallel(page), len(inside))
    again = open_page(link_of(page))
    drawn(parallel(again), len(inside))
    brush(again, "lr", 0.4, 0.4)
    assert picked(again) == {}
    drawn(parallel(again), TRIALS)


def test_axes_move_by_key_and_by_drag_and_change_their_scale(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, _ = swept
    page = open_page(address + "#hparams")
    drawn(parallel(page), TRIALS)
    before = axes(page)
    assert before[-1] == "val/loss"
    lr = page.get_by_role("button", name=re.compile("^Axis lr, "))
    expect(lr).to_have_attribute("aria-label", "Axis lr, log")
    lr.focus()
    page.keyboard.press("Shift+ArrowLeft")
    place = before.index("lr")
    moved = [*before[: place - 1], "lr", before[place - 1], *before[place + 1 :]]
    expect(page.get_by_role("button", name=re.compile("^Axis ")).nth(place - 1)).to_have_text("lr")
    assert axes(page) == moved
    # To the front, with the mouse.
    box = lr.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"] + 8)
    page.mouse.move(20, box["y"] + 8)
    page.mouse.up()
    expect(page.get_by_role("button", name=re.compile("^Axis ")).first).to_have_text("lr")
    lr.click()
    page.get_by_role("button", name="quantile").click()
    expect(lr).to_have_attribute("aria-label", "Axis lr, quantile")
    page.get_by_label("Highest lr").fill("0.001")
    page.get_by_label("Highest lr").press("Enter")
    page.keyboard.press("Escape")
    drawn(parallel(page), sum(trial.params["lr"] <= 0.001 for trial in swept[1]))
    again = open_page(link_of(page))
    expect(again.get_by_role("button", name=re.compile("^Axis ")).first).to_have_attribute(
        "aria-label", "Axis lr, quantile"
    )


def test_a_drag_in_the_scatter_matrix_brushes_two_axes(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    axes = json.dumps(["param:lr", "param:weight decay", "metric:val/loss:last"])
    page = open_page(address + f"#hparams&hparams.view=matrix&hparams.axes={axes}")
    drawn(matrix(page), TRIALS)
    box = matrix(page).bounding_box()
    assert box is not None
    # The cell in the second row, first column: lr along, weight decay up.
    page.mouse.move(box["x"] + 84 + 60, box["y"] + box["height"] / 3 + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 84 + 200, box["y"] + box["height"] * 2 / 3 - 40, steps=4)
    page.mouse.up()
    assert set(picked(page)) == {"param:lr", "param:weight decay"}
    drawn(matrix(page), len(held_by(picked(page), made)))
