"""The point editor of What-If with a model in a process of its own: edits, history, counterfactuals, curves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from seamark.plugin import ModelOptions
from seamark.serve.app import Settings
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

ROWS = 400
MODEL = """
import numpy as np

def predict(columns):
    hours, gain = np.asarray(columns["hours"], float), np.asarray(columns["gain"], float)
    if (gain == 666).any():
        raise ValueError("a gain of 666 is not allowed")
    masters = np.asarray(columns["education"]) == "Masters"
    return 1 / (1 + np.exp(-(0.1 * (hours - 45) + 2.0 * masters)))
"""


def write_census(run: Path, *, with_scores: bool) -> None:
    """Row 7 has 40 hours, Bachelors, no gain: the model predicts 0.38."""
    with seamark.SummaryWriter(str(run)) as writer:
        writer.add_scalar("loss", 1.0, 1)
    random = np.random.default_rng(2)
    lines = ["hours,education,gain,label" + (",score" if with_scores else "")]
    for row in range(ROWS):
        hours = 40 if row == 7 else int(random.integers(20, 70))
        education = "Bachelors" if row == 7 or random.random() < 0.7 else "Masters"
        gain = 0 if row == 7 else int(random.integers(0, 100))
        score = 1 / (1 + np.exp(-(0.1 * (hours - 45) + 2.0 * (education == "Masters"))))
        label = "high" if random.random() < score else "low"
        lines.append(f"{hours},{education},{gain},{label}" + (f",{score:.6f}" if with_scores else ""))
    (run / "census.examples.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("whatif")
    (folder / "model.py").write_text(MODEL)
    write_census(folder / "runs" / "census", with_scores=False)
    settings = Settings(model_options=ModelOptions(allowed=(f"{folder / 'model.py'}:predict",), positive="high"))
    with served_in_process(folder / "runs", settings=settings) as address:
        yield f"{address}#whatif&whatif.run=census&whatif.row=7"


@pytest.fixture(scope="module")
def stored_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("stored")
    write_census(folder / "census", with_scores=True)
    with served_in_process(folder) as address:
        yield f"{address}#whatif&whatif.run=census&whatif.row=7"


def editor(page: Page) -> Locator:
    return page.get_by_role("region", name="Edit point")


def test_an_edit_changes_the_prediction_and_can_be_undone(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    panel = editor(page)
    prediction = panel.locator(".values").first
    expect(panel).to_contain_text("Row 7")
    expect(prediction).to_contain_text("0.38")
    hours = panel.get_by_role("textbox", name="hours")
    hours.fill("50")
    expect(prediction).to_contain_text("0.62")
    expect(prediction).to_contain_text("now over 0.50")
    expect(panel.get_by_role("button", name="was 40")).to_be_visible()
    panel.get_by_role("combobox", name="education").select_option("Masters")
    expect(prediction).to_contain_text("0.92")
    history = panel.get_by_role("listitem").filter(has_text="→")
    expect(history).to_have_count(2)
    expect(history.first).to_contain_text("hours 40 → 50")
    expect(history.first).to_contain_text("+0.24")
    # The address has the edits.
    page.reload()
    expect(prediction).to_contain_text("0.92")
    history.first.get_by_role("button").click()
    expect(prediction).to_contain_text("0.62")
    hours.focus()
    page.keyboard.press("Control+z")
    expect(history).to_have_count(0)
    expect(prediction).not_to_contain_text("→")
    page.keyboard.press("Control+Shift+z")
    expect(prediction).to_contain_text("0.62")


def test_the_counterfactual_has_another_class_and_its_values_can_be_copied(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    panel = editor(page)
    expect(panel.get_by_text(re.compile(r"Of the original row · \d of 3 differ · distance"))).to_be_visible()
    panel.get_by_role("button", name="Copy its values").click()
    expect(panel.get_by_text("0 of 3 still differ")).to_be_visible()
    expect(panel.locator(".values").first).to_contain_text("now over 0.50")
    panel.get_by_role("button", name="Reset").click()
    panel.get_by_role("button", name="Limit features").click()
    page.get_by_label("hours", exact=True).last.check()
    expect(panel.get_by_role("button", name="Limit features (1 fixed)")).to_be_visible()
    page.keyboard.press("Escape")
    # Equal hours: only another education changes the class.
    expect(panel.locator("[data-feature=education] td").last).to_have_text("Masters")
    expect(panel.locator("[data-feature=hours] td").last).to_have_text("same")
    panel.get_by_role("button", name="5 neighbours").click()
    neighbours = panel.get_by_role("listitem").filter(has_text="distance")
    expect(neighbours).to_have_count(5)
    page.reload()
    expect(neighbours).to_have_count(5)


def test_a_duplicate_has_edits_of_its_own(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    panel = editor(page)
    hours = panel.get_by_role("textbox", name="hours")
    expect(hours).to_have_value("40")
    panel.get_by_role("button", name="Duplicate").click()
    expect(panel).to_contain_text("Copy 1 of row 7")
    hours.fill("60")
    panel.get_by_role("button", name="Original").click()
    expect(hours).to_have_value("40")
    panel.get_by_role("button", name="Copy 1", exact=True).click()
    expect(hours).to_have_value("60")
    panel.get_by_role("button", name="Delete").click()
    expect(hours).to_have_value("40")
    expect(panel.get_by_role("button", name="Original")).to_have_count(0)


def test_a_failing_model_is_explained_and_the_old_number_stays(address: str, open_page: OpenPage) -> None:
    page = open_page(address, may_complain=True)
    panel = editor(page)
    expect(panel.locator(".values").first).to_contain_text("0.38")
    panel.get_by_role("textbox", name="gain").fill("666")
    alert = panel.get_by_role("alert").first
    expect(alert).to_contain_text("a gain of 666 is not allowed")
    expect(alert).to_contain_text("The numbers above are old.")
    alert.get_by_role("button", name="Show traceback").click()
    expect(alert).to_contain_text("in predict")
    panel.get_by_role("textbox", name="gain").fill("5")
    expect(panel.get_by_role("alert")).to_have_count(0)


def test_the_tabs_show_curves_a_plane_and_attributions(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}&whatif.tab=dependence")
    analyses = page.get_by_role("tabpanel")
    curves = analyses.get_by_role("img", name="P(high) over hours: mean of 200 rows")
    expect(curves.locator("path.mean")).to_have_attribute("d", re.compile("^M"))
    expect(analyses.get_by_role("img", name="How many rows have each value of hours")).to_be_visible()
    page.goto(f"{address}&whatif.tab=dependence&whatif.pd_y=education")
    expect(analyses.get_by_role("img", name=re.compile("Mean of P\\(high\\) over hours and education"))).to_be_visible()
    page.goto(f"{address}&whatif.tab=attributions")
    rows = analyses.get_by_role("row")
    # The model ignores the gain: its part is exactly zero.
    expect(rows.filter(has_text="gain").locator("td").last).to_have_text("0")
    expect(rows.filter(has_text="hours").locator("td").last).to_have_text(re.compile(r"^[+−]0\.\d+ ± 0\.\d+$"))
    analyses.get_by_role("button", name="Permutation, all rows").click()
    expect(analyses.get_by_text(re.compile("log loss .* without shuffling"))).to_be_visible()
    expect(rows.filter(has_text="hours")).to_be_visible()


def test_without_a_model_the_editor_is_read_only_and_says_why(stored_address: str, open_page: OpenPage) -> None:
    page = open_page(stored_address)
    panel = editor(page)
    expect(panel.locator(".values").first).to_contain_text("0.38")
    line = "seamark whatif census/census.examples.csv --predict model.py:predict"
    expect(panel.get_by_text(line)).to_be_visible()
    expect(panel.get_by_role("textbox")).to_have_count(0)
    expect(panel.get_by_text(re.compile("Of the original row"))).to_be_visible()
