"""HParams in a real browser: trials of several writers, seeds, hostile names, none at all, a thousand."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from seamark._core import encode_file_version
from seamark.kinds import hparams
from seamark.kinds.summary import event_record
from tests.e2e.conftest import OpenPage
from tests.e2e.hparams_page import (
    TIMEOUT_MS,
    brush,
    column_of,
    drawn,
    grid,
    has_column,
    has_rows,
    held_by,
    matrix,
    number_of,
    parallel,
    picked,
    row,
    rows,
)
from tests.e2e.links import link_of
from tests.e2e.scalar_cards import write_run
from tests.e2e.trial_logs import STEPS, Made, write_sweep, write_trial


def test_a_caveat_of_importance_does_not_hide_it(address: str, open_page: OpenPage, logdir: Path) -> None:
    for index in range(30):
        params = {"lr": (index * 7919 % 30) / 30, "width": (index * 104729 % 31) / 31}
        write_trial(logdir, Made(f"run-{index}", params, (index * 15485863 % 97) / 97, 0.5, 5.0))
    page = open_page(address + "#hparams")
    importance = page.get_by_role("region", name="Importance")
    expect(importance).to_contain_text("almost none", timeout=TIMEOUT_MS)
    expect(importance.locator("button.row")).to_have_count(2)


def log_with_torch(logdir: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    for number in range(3):
        with SummaryWriter(str(logdir / f"torch-{number}")) as writer:
            for step in range(STEPS):
                writer.add_scalar("loss", 1.0 / (step + 1 + number), step)
            writer.add_hparams({"lr": 0.1 * (number + 1), "act": "relu"}, {"hparam/score": float(number)})


def log_as_keras(logdir: Path, fits: int) -> None:
    """The callback's note lies in the run; what is measured, in folders below it."""
    for number in range(fits):
        folder = logdir / f"fit-{number}"
        folder.mkdir()
        start = hparams.encode(hparams.SessionStart({"units": float(number)}, start_time_secs=5.0))
        note = event_record(start, step=0, wall_time=5.0)
        (folder / "events.out.tfevents.5.host").write_bytes(encode_file_version(5.0) + note)
        write_run(folder / "train", {"epoch_accuracy": [0.5, 0.9]})
        write_run(folder / "validation", {"epoch_accuracy": [0.4, 0.5 + number / 100]})


def test_a_fit_of_keras_is_one_trial_and_its_validation_stands_for_it(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    log_as_keras(logdir, 4)
    page = open_page(address + "#hparams")
    has_rows(page, 4)
    has_column(page, "epoch_accuracy", ["0.5300", "0.5200", "0.5100", "0.5000"])
    expect(page.get_by_role("toolbar", name="Hyperparameters")).to_contain_text("4 trials")
    page.get_by_role("button", name="Part").click()
    page.get_by_role("button", name="train", exact=True).click()
    expect(rows(page).first).to_contain_text("train")
    has_rows(page, 4)
    has_column(page, "epoch_accuracy", ["0.9000"] * 4)
    assert "part=train" in link_of(page)
    page.get_by_role("button", name="every run").click()
    has_rows(page, 12)


def log_with_init(logdir: Path) -> None:
    import seamark

    run = seamark.init(
        name="ours", dir=logdir, config={"lr": 0.4, "optim": {"name": "sgd"}}, console="off", system_metrics_secs=0, git=False, quiet=True
    )  # fmt: skip
    run.log({"loss": 0.25}, step=1)
    run.finish()


def test_trials_of_three_writers_share_one_table(address: str, open_page: OpenPage, logdir: Path) -> None:
    log_with_torch(logdir)
    log_with_init(logdir)
    (trial,) = write_sweep(logdir, 1)
    page = open_page(
        address
        + '#hparams&hparams.columns=["param:lr","param:act","param:optim.name","metric:hparam/score:last","metric:loss:last"]&hparams.sort=["param:lr"]'
    )
    # The runs that torch writes below each run are merged into it.
    has_rows(page, 5)
    has_column(page, "act", ["", "relu", "relu", "relu", ""])
    assert [number_of(text) for text in column_of(page, "lr")] == pytest.approx(
        [trial.params["lr"], 0.1, 0.2, 0.3, 0.4], rel=1e-3
    )
    assert column_of(page, "optim.name")[-1] == "sgd"
    assert [text for text in column_of(page, "hparam/score") if text] and column_of(page, "hparam/score")[0] == ""
    # What a run does not have is below its axis, and can be picked there.
    drawn(parallel(page), 5)
    expect(page.locator("svg text", has_text="none").first).to_be_visible()


def test_a_filter_to_one_experiment_shows_its_own_parameters_and_objective(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    log_with_torch(logdir)
    write_sweep(logdir, 3)
    page = open_page(address + "#hparams&runFilter=torch")
    has_rows(page, 3)
    expect(page.get_by_role("button", name="Objective")).to_contain_text("hparam/score")
    expect(page.get_by_role("region", name="Best trial")).to_contain_text("torch-2")
    page.get_by_role("combobox", name="Filter trials").fill('not "torch" in name')
    has_rows(page, 3)
    expect(page.get_by_role("button", name="Objective")).to_contain_text("val/loss")
    expect(grid(page).get_by_role("columnheader").filter(has_text="act")).to_have_count(0)
    expect(page.get_by_role("region", name="Best trial")).to_contain_text("val/loss")


def test_new_trials_appear_by_themselves(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_sweep(logdir, 4)
    page = open_page(address + "#hparams")
    drawn(parallel(page), 4)
    brush(page, "lr", -0.02, 1.02)
    assert set(picked(page)) == {"param:lr"}
    late = Made("late", {"lr": 0.5, "depth": 50}, 0.01, 0.99, 5.0)
    write_trial(logdir, late)
    has_rows(page, 5)
    expect(page.get_by_role("region", name="Best trial")).to_contain_text("late")
    # It lies outside the brush: not drawn, not checked.
    drawn(parallel(page), 4)
    expect(row(page, "late")).to_have_attribute("aria-selected", "false")


def test_seeds_are_averaged(address: str, open_page: OpenPage, logdir: Path) -> None:
    for index in range(6):
        params = {"lr": 0.1 if index < 3 else 0.2, "seed": index % 3}
        write_trial(logdir, Made(f"run-{index}", params, 1.0 + index, 0.5, 5.0))
    page = open_page(address + "#hparams")
    has_rows(page, 6)
    page.get_by_role("button", name="Group by seed").click()
    page.get_by_role("dialog", name="Group by seed").get_by_role("button", name="mean").click()
    page.keyboard.press("Escape")
    has_rows(page, 2)
    has_column(page, "Trial (runs)", ["run-0 ×3", "run-3 ×3"])
    means = [text.split("±") for text in column_of(page, "val/loss")]
    assert [number_of(mean) for mean, _ in means] == [2.0, 5.0]
    assert [number_of(deviation) for _, deviation in means] == [1.0, 1.0]
    # Neither the deviations nor the ends of the names are cut off.
    cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"
    assert rows(page).locator(".words").evaluate_all(cut) == []
    page.keyboard.press("b")
    expect(page.get_by_role("complementary", name="Trial run-0")).to_contain_text("of run-0, one of the 3 runs")


HOSTILE = "<img src=x onerror=alert(1)> \N{GRINNING FACE} '\"&,__proto__"


def test_hostile_names_and_values_are_text(address: str, open_page: OpenPage, logdir: Path) -> None:
    for number in range(4):
        params = {
            HOSTILE: number * 1.5,
            "constructor": "</script><b>x" if number % 2 else "",
            "lr": 0.1 * (number + 1),
            "a" * 300: "b" * 500,
        }
        write_trial(
            logdir,
            Made(f"run {number} {HOSTILE[:20]}", params, float("nan") if number == 0 else 1.0 / number, 0.5, 5.0),
        )
    page = open_page(address + "#hparams")
    has_rows(page, 4)
    drawn(parallel(page), 4)
    expect(grid(page)).to_contain_text("</script><b>x")
    assert page.locator("main img, main b:text-is('x')").count() == 0
    # The run that went to NaN has its own mark, and is the last in the table.
    expect(page.locator("svg text", has_text="NaN")).to_be_visible()
    expect(rows(page)).to_have_count(4)
    assert column_of(page, "val/loss")[-1] == "NaN"
    brush(page, "constructor", 0.5, 1.0)
    assert picked(page) == {"param:constructor": ["</script><b>x"]}
    drawn(parallel(page), 2)
    page.get_by_role("button", name="Scatter matrix").click()
    drawn(matrix(page), 2)


def test_without_hyperparameters_it_says_how_to_log_them(address: str, open_page: OpenPage, logdir: Path) -> None:
    from seamark.write.append.event_file import EventFile

    with EventFile(logdir / "plain") as file:
        file.add_scalar("loss", 1.0, 0)
    page = open_page(address + "#hparams")
    expect(page.get_by_text("No hyperparameters yet")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("add_hparams")
    page.get_by_role("button", name="Keras").click()
    expect(page.locator("pre")).to_contain_text("hp.KerasCallback")
    page.get_by_role("button", name="seamark", exact=True).click()
    expect(page.locator("pre")).to_contain_text("seamark.init")


def test_a_thousand_trials(address: str, open_page: OpenPage, logdir: Path) -> None:
    made = write_sweep(logdir, 1000)
    page = open_page(address + "#hparams")
    has_rows(page, 1000)
    drawn(parallel(page), 1000)
    brush(page, "lr", 0.3, 0.6)
    inside = len(held_by(picked(page), made))
    assert 200 < inside < 500
    drawn(parallel(page), inside)
    page.get_by_role("button", name="Keep only these").click()
    has_rows(page, inside)
    drawn(parallel(page), inside)
    page.get_by_role("button", name="Scatter matrix").click()
    drawn(matrix(page), inside)
    page.get_by_role("link", name="Scalars", exact=True).click()
    expect(page.locator("aside[aria-label=Runs]")).to_contain_text(f"{inside} of 1,000 runs shown")
