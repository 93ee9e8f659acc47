"""HParams in a real browser: what the table, the filters, the objective, a trial and the importance say is what was logged."""

from __future__ import annotations

import csv
import json
import re
import statistics
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage
from tests.e2e.hparams_page import (
    TRIALS,
    brush,
    column_of,
    drawn,
    has_rows,
    held_by,
    number_of,
    parallel,
    picked,
    row,
    rows,
)
from tests.e2e.trial_logs import Made


def test_numbers_on_the_screen_are_those_that_were_logged(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    has_rows(page, TRIALS)
    by_loss = sorted(made, key=lambda trial: trial.loss)
    expect(rows(page).first).to_contain_text(by_loss[0].name)
    expect(rows(page).nth(9)).to_be_attached()
    names = column_of(page, "Trial")
    assert names == [trial.name for trial in by_loss[: len(names)]] and len(names) >= 10
    for title, value_of in {
        "val/loss": lambda trial: trial.loss,
        "val/acc": lambda trial: trial.accuracy,
        "lr": lambda trial: trial.params["lr"],
        "batch": lambda trial: trial.params["batch"],
    }.items():
        shown = [number_of(text) for text in column_of(page, title)]
        assert shown == pytest.approx([value_of(trial) for trial in by_loss[: len(shown)]], rel=2e-3), title
    assert column_of(page, "optimizer")[:5] == [trial.params["optimizer"] for trial in by_loss[:5]]
    best = page.get_by_role("region", name="Best trial")
    expect(best).to_contain_text(by_loss[0].name)
    assert number_of(best.locator("dd").first.inner_text()) == pytest.approx(by_loss[0].loss, rel=1e-3)
    inside = page.get_by_role("region", name="Inside the brush")
    mean = inside.locator("dt", has_text="mean val/loss").locator("xpath=following-sibling::dd[1]").inner_text()
    assert number_of(mean) == pytest.approx(statistics.fmean(trial.loss for trial in made), rel=1e-3)
    drawn(parallel(page), TRIALS)


def test_downloads_are_the_table_as_it_stands(
    swept: tuple[str, list[Made]], open_page: OpenPage, tmp_path: Path
) -> None:
    address, made = swept
    page = open_page(address + '#hparams&hparams.sort=["param:lr"]')
    drawn(parallel(page), TRIALS)
    brush(page, "lr", 0.25, 0.7)
    inside = sorted(held_by(picked(page), made), key=lambda trial: trial.params["lr"])

    def download(words: str) -> str:
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Download {words}").click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        return path.read_text()

    table = list(csv.DictReader(download("CSV").splitlines()))
    assert [line["trial"] for line in table] == [trial.name for trial in inside]
    for line, trial in zip(table, inside, strict=True):
        assert float(line["lr"]) == pytest.approx(trial.params["lr"], rel=1e-12)
        assert float(line["val/loss"]) == pytest.approx(trial.loss, rel=1e-6)
        assert line["optimizer"] == trial.params["optimizer"] and line["bias"] == str(trial.params["bias"]).lower()
    objects = json.loads(download("JSON"))
    assert [each["trial"] for each in objects] == [trial.name for trial in inside]
    assert objects[0]["params"]["batch"] == inside[0].params["batch"]
    assert objects[0]["metrics"]["val/loss.last"] == pytest.approx(inside[0].loss, rel=1e-6)
    latex = download("LaTeX")
    assert latex.count("\\\\\n") == len(inside) + 1 and "weight decay" in latex
    best = min(inside, key=lambda trial: trial.loss)
    assert f"\\textbf{{${best.loss:.4g}$}}" in latex


def test_filters_leave_out_what_does_not_fit(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    # Half a query is refused, and the browser says so in its console.
    page = open_page(address + "#hparams", may_complain=True)
    has_rows(page, TRIALS)
    page.get_by_label("Filter trials").fill('lr < 0.002 and optimizer == "adamw"')
    left = [trial for trial in made if trial.params["lr"] < 0.002 and trial.params["optimizer"] == "adamw"]
    has_rows(page, len(left))
    drawn(parallel(page), len(left))
    page.get_by_role("button", name="Filter", exact=True).click()
    dialog = page.get_by_role("dialog", name="Filter")
    dialog.get_by_text("depth", exact=True).click()
    dialog.get_by_label("Highest depth").fill("50")
    dialog.get_by_label("Highest depth").press("Enter")
    left = [trial for trial in left if trial.params["depth"] <= 50]
    has_rows(page, len(left))
    expect(page.get_by_role("toolbar").locator(".count")).to_have_text(re.compile(rf"^{len(left)}\s+of 40 trials$"))
    page.get_by_label("Filter trials").fill("lr < ")
    expect(page.get_by_role("alert").first).to_be_visible()


def test_the_objective_can_be_any_statistic_of_any_metric(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    has_rows(page, TRIALS)
    page.get_by_role("button", name="Objective").click()
    page.get_by_role("dialog", name="Objective").get_by_role("button", name="val/acc").click()
    page.get_by_label("Statistic").select_option("first")
    page.keyboard.press("Escape")
    worst_first = sorted(made, key=lambda trial: -trial.accuracy)
    expect(page.get_by_role("region", name="Best trial")).to_contain_text(worst_first[0].name)
    # The same trial has the highest last value: wait for the new column.
    expect(page.get_by_role("region", name="Best trial").locator("dt").first).to_contain_text("first")
    first = page.get_by_role("region", name="Best trial").locator("dd").first
    assert number_of(first.inner_text()) == pytest.approx(worst_first[0].accuracy * 0.5, rel=1e-3)


def test_a_trial_opens_with_all_it_has_and_its_curves(swept: tuple[str, list[Made]], open_page: OpenPage) -> None:
    address, made = swept
    page = open_page(address + "#hparams")
    best = min(made, key=lambda trial: trial.loss)
    row(page, best.name).get_by_text(best.name).dblclick()
    session = page.get_by_label(f"Trial {best.name}")
    expect(session).to_contain_text("optimizer")
    expect(session.locator("dt", has_text="optimizer").locator("xpath=following-sibling::dd[1]")).to_have_text(
        best.params["optimizer"]
    )
    expect(session.locator("figure")).to_have_count(2)
    expect(session.locator("figure", has_text="val/loss").locator("b")).to_have_text(f"{best.loss:.4f}")
    expect(session.locator(".chart[data-drawn]:not([data-drawn='0'])")).to_have_count(2)
    page.get_by_role("button", name="The trial below").click()
    expect(page.get_by_label(f"Trial {sorted(made, key=lambda trial: trial.loss)[1].name}")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Importance")).to_be_visible()


def test_importance_names_what_mattered_and_shows_its_effect(
    swept: tuple[str, list[Made]], open_page: OpenPage
) -> None:
    address, _ = swept
    page = open_page(address + "#hparams")
    importance = page.get_by_role("region", name="Importance")
    ranked = importance.locator("button.row")
    expect(ranked.first).to_contain_text("lr")
    expect(importance.locator(".number")).to_have_count(7)
    numbers = [number_of(text) for text in importance.locator(".number").all_inner_texts()]
    assert numbers == sorted(numbers, reverse=True)
    ranked.first.click()
    effect = importance.get_by_role("img", name=re.compile("^Effect of lr on "))
    expect(effect.locator("circle").nth(2)).to_be_attached()
    # The loss is lowest in the middle of the learning rates: there the curve is further down than at both ends.
    heights = [float(circle.get_attribute("cy") or "nan") for circle in effect.locator("circle").all()]
    assert max(heights[1:-1]) > max(heights[0], heights[-1])
