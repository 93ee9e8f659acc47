"""The folders that add_scalars and add_hparams make: part of their run in the list, the charts and the address."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from seamark import SummaryWriter
from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import card, overlay


def log_trainings(logdir: Path) -> None:
    for number in range(9):
        with SummaryWriter(logdir / f"training{number}") as writer:
            for step in range(30):
                writer.add_scalar("accuracy", number + step / 100, step)
                writer.add_scalars("loss", {"train": number - step / 100, "eval": number + 0.5}, step)
            writer.add_hparams({"lr": number / 10}, {"score": float(number)})


def test_nine_trainings_are_nine_runs_and_each_has_one_colour(address: str, open_page: OpenPage, logdir: Path) -> None:
    log_trainings(logdir)
    page = open_page(address + "#scalars&smoothing=0&tooltipSort=name")
    runs = page.get_by_role("treegrid")
    rows = runs.get_by_role("checkbox", name=re.compile("training"))
    expect(rows).to_have_count(9)
    expect(page.get_by_role("complementary", name="Runs")).to_contain_text("9 of 9 runs shown")
    expect(card(page, "loss")).to_contain_text("9 runs · 540 points")
    swatches = runs.locator(".swatch")
    colours = swatches.evaluate_all("all => all.map(swatch => swatch.style.getPropertyValue('--c'))")
    assert len(colours) == len(set(colours)) == 9
    overlay(page, "loss").hover()
    names = page.get_by_role("tooltip").locator("tbody td:first-child")
    expect(names.filter(has_text="training4 · ")).to_have_text(["training4 · eval", "training4 · train"])
    dots = names.filter(has_text="training4 · ").locator(".dot")
    assert len(set(dots.evaluate_all("all => all.map(dot => dot.style.background)"))) == 1
    page.mouse.move(0, 0)
    # One row hides all that its run logged.
    rows.first.click()
    expect(card(page, "loss")).to_contain_text("8 runs · 480 points")
    expect(card(page, "score")).to_contain_text("8 runs · 8 points")
    page.get_by_role("button", name="Runs menu").click()
    page.get_by_role("menuitemcheckbox", name="Folders of add_scalars, add_hparams as runs (27)").click()
    expect(page.get_by_role("complementary", name="Runs")).to_contain_text("of 36 runs shown")
    page.wait_for_url(re.compile("foldersAsRuns=true"))


def test_links_that_name_folders_show_them(address: str, open_page: OpenPage, logdir: Path) -> None:
    log_trainings(logdir)
    page = open_page(address + "#scalars&runs=training1/loss_train,training2&focus=training2/loss_eval")
    expect(card(page, "loss")).to_contain_text("2 runs · 90 points")
    expect(card(page, "accuracy")).to_contain_text("1 run · 30 points")
    expect(card(page, "accuracy").get_by_title("Logged by the run in focus")).to_have_text("2.2900")
    mixed = page.get_by_role("treegrid").get_by_role("checkbox", name=re.compile("training1"))
    expect(mixed).to_have_attribute("aria-checked", "mixed")
    page.goto(address + "run/training1/loss_train")
    expect(page.get_by_role("article", name="loss/train")).to_be_visible()
