"""HParams in a real browser: the objective, and the menu to choose one if it is not certain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.hparams_page import drawn, grid, has_column, has_rows, parallel, rows
from tests.e2e.links import link_of
from tests.e2e.scalar_cards import write_run
from tests.e2e.trial_logs import Made, write_trial


def write_trial_of_study(logdir: Path, number: int, status: str, tags: dict[str, list[float]]) -> None:
    folder = logdir / f"trial-{number}"
    write_run(folder, tags)
    record: dict[str, Any] = {"schema": "seamark.run", "version": 1, "status": status, "config": {"lr": 0.1 * number}}
    record |= {"started_at": 1e9, "ended_at": 1e9 + 60, "objectives": [{"metric": "value", "goal": "minimize"}]}
    (folder / "run.json").write_text(json.dumps(record))


def best(page: Page) -> Any:
    return page.get_by_role("region", name="Best trial")


def test_a_pruned_or_failed_trial_never_wins_but_stays_in_the_table(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_trial_of_study(logdir, 0, "finished", {"value": [0.4], "intermediate_value": [0.9, 0.4]})
    write_trial_of_study(logdir, 1, "pruned", {"value": [0.1], "intermediate_value": [9.0]})
    write_trial_of_study(logdir, 2, "failed", {"value": [0.2], "intermediate_value": [8.0]})
    write_trial_of_study(logdir, 3, "finished", {"value": [0.3], "intermediate_value": [0.8, 0.3]})
    write_trial_of_study(logdir, 4, "pruned", {"intermediate_value": [7.0]})
    page = open_page(address + "#hparams")
    has_rows(page, 5)
    expect(page.get_by_role("button", name="Objective")).to_contain_text("value, lowest")
    expect(best(page)).to_contain_text("trial-3")
    expect(best(page)).to_contain_text("The study minimizes it. 3 pruned, failed or crashed trials do not count")
    # The table begins with the best trial and ends with those that do not count, each with its state.
    has_column(page, "Trial", ["trial-3", "trial-0", "trial-1", "trial-2", "trial-4"])
    has_column(page, "status", ["finished", "finished", "pruned", "failed", "pruned"])
    drawn(parallel(page), 5)
    page.keyboard.press("b")
    expect(page.get_by_role("complementary", name="Trial trial-3")).to_be_visible()


def test_two_scores_are_asked_for_and_none_is_crowned(address: str, open_page: OpenPage, logdir: Path) -> None:
    for number in range(3):
        write_run(logdir / f"run-{number}", {"val/f1": [number / 10], "val/accuracy": [0.9 - number / 10], "lr": [5.0]})
        (logdir / f"run-{number}" / "config.yaml").write_text(f"width: {number}\n")
    page = open_page(address + "#hparams")
    has_rows(page, 3)
    region = page.get_by_role("region", name="Choose an objective")
    expect(region.get_by_role("button")).to_have_text(["val/accuracyhighest", "val/f1highest"])
    expect(page.get_by_role("button", name="Objective")).to_contain_text("choose one")
    expect(best(page)).to_have_count(0)
    drawn(parallel(page), 3)
    region.get_by_role("button", name="val/f1").click()
    expect(best(page)).to_contain_text("run-2")
    expect(page.get_by_role("button", name="Objective")).to_contain_text("val/f1, highest")
    expect(rows(page).first).to_contain_text("run-2")
    assert "hparams.goal=max" in link_of(page)
    page.reload()
    expect(best(page)).to_contain_text("run-2")


def test_a_name_without_a_direction_is_asked_for_both_ways(address: str, open_page: OpenPage, logdir: Path) -> None:
    for number in range(3):
        write_run(logdir / f"trial-{number}", {"value": [float(number)], "intermediate_value": [9.0 - number, 1.0]})
        (logdir / f"trial-{number}" / "config.yaml").write_text(f"width: {number}\n")
    page = open_page(address + "#hparams")
    region = page.get_by_role("region", name="Choose an objective")
    expect(region.get_by_role("button")).to_have_text(["valuelowest", "valuehighest"])
    region.get_by_role("button", name="highest").click()
    expect(best(page)).to_contain_text("trial-2")
    # Another metric without a known goal is offered with both goals, too.
    page.get_by_role("button", name="Objective").click()
    page.get_by_role("dialog", name="Objective").get_by_role("button", name="intermediate_value").click()
    expect(region.get_by_role("button")).to_have_text(["intermediate_valuelowest", "intermediate_valuehighest"])
    page.get_by_role("dialog", name="Objective").get_by_role("button", name="lowest").click()
    expect(best(page)).to_contain_text("intermediate_value, lowest")


def test_curves_of_add_scalars_are_no_trials(address: str, open_page: OpenPage, logdir: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    for number in range(3):
        with SummaryWriter(str(logdir / f"run{number}")) as writer:
            for step in range(3):
                writer.add_scalars("loss", {"train": 1.0 + step, "val": number + step / 10}, step)
            writer.add_hparams({"lr": 0.1 * (number + 1)}, {"hparam/score": float(number)})
    page = open_page(address + '#hparams&hparams.columns=["param:lr","metric:loss/train:last","metric:loss/val:last"]')
    has_rows(page, 3)
    expect(page.get_by_role("toolbar", name="Hyperparameters")).to_contain_text("3 trials")
    expect(best(page)).to_contain_text("run2")
    has_column(page, "loss/train", ["3.0000", "3.0000", "3.0000"])
    has_column(page, "loss/val", ["2.2000", "1.2000", "0.2000"])
    # The run's own page has each of them under its name.
    page.goto(address + "run/run1")
    expect(page.get_by_role("article", name="loss/val")).to_contain_text("1.2")
    expect(page.get_by_role("article", name="loss/train")).to_contain_text("3")


def test_folders_of_keras_without_a_run_above_are_one_trial_each(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_trial(logdir, Made("tuned", {"lr": 0.1}, 0.5, 0.5, 5.0))
    for number in range(2):
        write_run(logdir / f"fit-{number}/train", {"val/loss": [0.1]})
        write_run(logdir / f"fit-{number}/validation", {"val/loss": [0.2 + number]})
    page = open_page(address + "#hparams")
    has_rows(page, 3)
    expect(page.get_by_role("toolbar", name="Hyperparameters")).to_contain_text("3 trials")
    has_column(page, "Trial", ["fit-0/validation", "tuned", "fit-1/validation"])


@pytest.mark.parametrize("score", ["mean_test_score", "mean_test_neg_log_loss"])
def test_a_grid_search_is_judged_by_its_score(address: str, open_page: OpenPage, logdir: Path, score: str) -> None:
    for number in range(3):
        tags = {score: [number / 10 - 1.0], "rank_" + score.removeprefix("mean_"): [3.0 - number]}
        tags |= {"std_" + score.removeprefix("mean_"): [5.0 - number], "mean_fit_time": [1.0]}
        write_run(logdir / f"candidate-{number}", tags)
        (logdir / f"candidate-{number}" / "config.yaml").write_text(f"C: {number}\n")
    page = open_page(address + "#hparams")
    expect(best(page)).to_contain_text("candidate-2")
    expect(page.get_by_role("button", name="Objective")).to_contain_text(f"{score}, highest")
    rank = "rank_" + score.removeprefix("mean_")
    has_column(page, rank, ["1.0000", "2.0000", "3.0000"])
    # The smaller rank is the better one, in the colour too.
    place = grid(page).get_by_role("columnheader").filter(has_text=rank).get_attribute("aria-colindex")
    tint_of = "cells => cells.map((cell) => parseFloat(getComputedStyle(cell).getPropertyValue('--tint')))"
    tints = rows(page).locator(f"[aria-colindex='{place}']").evaluate_all(tint_of)
    assert tints == sorted(tints, reverse=True) and tints[0] > tints[-1]
