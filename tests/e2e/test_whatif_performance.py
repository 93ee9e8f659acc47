"""Performance, features and training of What-If: thresholds, strategies, slices, other tasks, steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from tests.e2e.conftest import OpenPage, pick
from tools.in_process import served_in_process

ROWS = 1200
STEPS = (0, 10, 20)


def columns_of(random: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        "age": random.integers(20, 70, ROWS),
        "sex": np.where(np.arange(ROWS) % 3 == 0, "Female", "Male"),
        "split": np.where(np.arange(ROWS) % 4 == 0, "test", "train"),
    }


def write_table(run: Path, columns: dict[str, np.ndarray]) -> None:
    with seamark.SummaryWriter(str(run)) as writer:
        writer.add_scalar("loss", 1.0, 0)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    (run / "people.examples.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("performance")
    random = np.random.default_rng(5)
    people = columns_of(random)
    is_rich = random.random(ROWS) < 0.4
    lower = np.where(people["sex"] == "Female", 0.25, 0.0)  # the scores of women are lower for the same truth
    scores = np.clip(random.normal(np.where(is_rich, 0.7, 0.35), 0.15) - lower, 0, 1).round(4)
    write_table(logdir / "binary", {**people, "label": is_rich.astype(int), "score": scores})
    kinds = np.array(["cat", "dog", "owl"])[random.integers(0, 3, ROWS)]
    guesses = np.where(random.random(ROWS) < 0.7, kinds, "owl")
    write_table(logdir / "classes", {**people, "label": kinds, "prediction": guesses})
    price = people["age"] * 2.0
    write_table(logdir / "numbers", {**people, "target": price, "prediction": price + random.normal(1, 2, ROWS)})
    run = seamark.init(dir=logdir, name="trained")
    for step in STEPS:
        noise = random.normal(0, 0.4 - step / 100, ROWS)
        run.log_examples(
            {**people, "label": is_rich}, np.clip(is_rich * 0.6 + 0.2 + noise, 0, 1), step=step, truth="label"
        )
    run.finish()
    with served_in_process(logdir) as served:
        yield served


def open_tab(open_page: OpenPage, address: str, run: str, parameters: str = "") -> tuple[Page, Locator]:
    page = open_page(f"{address}#whatif&whatif.run={run}&whatif.name=file%3Apeople.examples.csv{parameters}")
    return page, page.get_by_role("tabpanel")


def row_of(table: Locator, name: str) -> Locator:
    return table.locator("tbody tr").filter(has=table.page.get_by_role("cell", name=name)).first


def counts(table: Locator, name: str) -> list[int]:
    """TP, FN, FP and TN of a slice."""
    return [int(text[2:].replace(",", "")) for text in row_of(table, name).locator(".four > span").all_inner_texts()]


def test_a_threshold_changes_the_confusion_at_once_and_makes_the_strategy_custom(
    address: str, open_page: OpenPage
) -> None:
    page, panel = open_tab(open_page, address, "binary")
    table = panel.locator("table")
    expect(table).to_contain_text("TP")
    panel.get_by_role("radio", name="Single threshold").click()
    expect(panel.get_by_role("radio", name="Single threshold")).to_be_checked()
    before = counts(table, "All")
    assert sum(before) == ROWS
    slider = panel.get_by_role("slider", name="Threshold")
    slider.fill("0.9")
    expect(panel.get_by_role("radio", name="Custom")).to_be_checked()
    expect(row_of(table, "All")).not_to_contain_text(f"TP{before[0]}")
    after = counts(table, "All")
    assert after[0] + after[2] < before[0] + before[2], "fewer rows are predicted as positive"
    assert sum(after) == ROWS
    expect(page).to_have_url(re.compile(r"whatif\.t=0\.9"))
    page.reload()
    expect(slider).to_have_value("0.9")


def test_slices_have_thresholds_of_their_own_and_strategies_a_price(address: str, open_page: OpenPage) -> None:
    _, panel = open_tab(open_page, address, "binary")
    pick(panel, "Slice by", "sex")
    expect(panel.get_by_role("slider", name="Threshold, Female")).to_be_visible()
    expect(panel.locator("table")).to_contain_text("Male against Female")
    panel.get_by_role("radio", name="Equal opportunity").click()
    expect(panel).to_contain_text("Equal opportunity costs")
    female, male = (panel.get_by_role("slider", name=f"Threshold, {name}") for name in ("Female", "Male"))
    assert float(female.input_value()) < float(male.input_value()), "the scores of women are lower"
    for curve in ("PR", "Calibration", "F1, cost"):
        panel.get_by_role("button", name=curve).click()
        expect(panel.get_by_role("button", name=curve)).to_have_attribute("aria-pressed", "true")


def test_a_strategy_is_chosen_by_keys(address: str, open_page: OpenPage) -> None:
    page, panel = open_tab(open_page, address, "binary", "&whatif.slice_by=%5B%22sex%22%5D")
    panel.get_by_role("radio", name="Custom").focus()
    page.keyboard.press("ArrowDown")
    expect(panel.get_by_role("radio", name="Single threshold")).to_be_focused()
    expect(panel.get_by_role("radio", name="Single threshold")).to_be_checked()


def test_several_classes_have_a_matrix_and_one_against_the_others(address: str, open_page: OpenPage) -> None:
    _, panel = open_tab(open_page, address, "classes", "&whatif.slice_by=%5B%22sex%22%5D")
    expect(panel).to_contain_text("All: truth by row, prediction by column")
    panel.get_by_role("button", name="Female").click()
    expect(panel).to_contain_text("Female: truth by row, prediction by column")
    pick(panel, "Class", "owl")
    expect(panel.get_by_role("radio", name="Single threshold")).to_be_visible()


def test_numbers_have_errors_by_slice(address: str, open_page: OpenPage) -> None:
    _, panel = open_tab(open_page, address, "numbers", "&whatif.slice_by=%5B%22sex%22%5D")
    expect(panel).to_contain_text("Errors: prediction minus truth")
    expect(panel.get_by_role("img", name="Errors of Female")).to_be_visible()


def test_features_are_compared_with_another_split(address: str, open_page: OpenPage) -> None:
    _, panel = open_tab(open_page, address, "binary", "&whatif.tab=features")
    expect(panel.get_by_role("article")).to_have_count(2)
    expect(panel.get_by_role("article", name="age")).to_contain_text("mean")
    pick(panel, "Compare with", "split = test")
    expect(panel).to_contain_text(f"compared with {ROWS // 4} rows")
    expect(panel.get_by_role("article", name="age")).to_contain_text("drift")


def test_steps_show_which_examples_are_forgotten(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#whatif&whatif.run=trained&whatif.name=logged%3Aexamples&whatif.tab=training")
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("3 steps")
    panel.get_by_role("button", name="Hardest").click()
    first = panel.get_by_role("button", name="Row").first
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("region", name="Edit point")).to_contain_text("Row")
