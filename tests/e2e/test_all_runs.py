"""The table of all runs: a thousand of them ordered, searched, edited, grouped, archived; every number is the sweep's own."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark import SummaryWriter
from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import write_run
from tests.e2e.sweep import Trial, write_sweep
from tools.browser import served
from tools.in_process import served_in_process

SEEDS = 50
OPEN = "#scalars&runTable=open"


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Trial]]:
    """A thousand runs: four models, five rates, fifty seeds."""
    logdir = tmp_path_factory.mktemp("sweep") / "runs"
    return logdir, write_sweep(logdir, SEEDS)


@pytest.fixture
def trials(sweep: tuple[Path, list[Trial]]) -> list[Trial]:
    return sweep[1]


@pytest.fixture
def address(sweep: tuple[Path, list[Trial]], tmp_path: Path) -> Iterator[str]:
    with served_in_process(sweep[0], state_dir=tmp_path / "state") as address:
        yield address


def grid(page: Page) -> Locator:
    return page.get_by_role("grid", name="All runs")


def row(page: Page, run: str) -> Locator:
    return grid(page).get_by_role("row").filter(has=page.get_by_role("checkbox", name=f"Select {run}", exact=True))


def head(page: Page, title: str) -> Locator:
    return page.get_by_role("columnheader").filter(has=page.locator(".text", has_text=title)).locator(".sort")


def names(page: Page, count: int) -> list[str]:
    """The names of the first rows, from top to bottom."""
    found = grid(page).locator(".row .name").all_inner_texts()
    return found[:count]


def expect_first(page: Page, runs: list[str]) -> None:
    for place, run in enumerate(runs):
        expect(grid(page).locator(f'[aria-rowindex="{place + 2}"] .name')).to_have_text(run)


def cells(page: Page, run: str) -> list[str]:
    return words_of(row(page, run))


def words_of(line: Locator) -> list[str]:
    """By column: elements of cells are used again for others, in any order."""
    cells = line.get_by_role("gridcell")
    script = "cells => cells.sort((a, b) => a.ariaColIndex - b.ariaColIndex).map((cell) => cell.innerText.trim())"
    return list(cells.evaluate_all(script))


def count(page: Page) -> Locator:
    return page.locator("main .tools .count")


def test_a_thousand_runs_are_ordered_by_several_columns(address: str, trials: list[Trial], open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars")
    page.get_by_role("button", name="Table of all runs").click()
    expect(count(page)).to_have_text("1,000 of 1,000 runs")
    expect(grid(page)).to_have_attribute("aria-rowcount", "1001")
    expect(page).to_have_url(re.compile("runTable=open"))
    # Down by model, then up by the loss: the worst model's best runs come first.
    head(page, "model").click()
    head(page, "model").click()
    head(page, "val/loss").click(modifiers=["Shift"])
    by_model = sorted(trials, key=lambda trial: trial.losses[-1])
    expect_first(page, [trial.name for trial in by_model if trial.model == "vit-b16"][:5])
    expect(page.get_by_role("columnheader").filter(has_text="model")).to_have_attribute("aria-sort", "descending")
    # Far down: rows are fetched as they come.
    grid(page).focus()
    page.keyboard.press("Control+End")
    last = [trial.name for trial in by_model if trial.model == "mixer-s16"][-1]
    expect(grid(page).locator('[aria-rowindex="1001"] .name')).to_have_text(last)
    assert grid(page).locator(".row").count() < 80
    # The order is in the address.
    page.reload()
    expect_first(page, [trial.name for trial in by_model if trial.model == "vit-b16"][:1])


def test_the_best_run_is_first_and_what_is_not_known_is_a_dash(tmp_path: Path, open_page: OpenPage) -> None:
    for run, (loss, more) in {"a": (0.5, {}), "b": (0.2, {"momentum": 0.9}), "c": (0.9, {})}.items():
        with SummaryWriter(tmp_path / "runs" / run) as writer:
            writer.add_hparams({"lr": 10 * loss, **more}, {"val/loss": loss})
    with served_in_process(tmp_path / "runs") as address:
        page = open_page(f"{address}{OPEN}")
        expect_first(page, ["b", "a", "c"])
        expect(page.get_by_role("columnheader").filter(has_text="val/loss")).to_have_attribute("aria-sort", "ascending")
        unknown = row(page, "a").get_by_role("gridcell", name="not known")
        expect(unknown).to_have_count(1)
        assert unknown.evaluate("cell => getComputedStyle(cell, '::before').content") == '"–"'
        assert cells(page, "a").count("") >= 1  # what is copied is empty
        # Up or down, what is not known is last.
        for _ in range(2):
            head(page, "momentum").click()
            expect_first(page, ["b"])
        # In groups, too.
        other = open_page(f"{address}{OPEN}&tableGroup=param:lr,param:momentum")
        groups = other.get_by_role("grid", name="Groups of runs")
        expect(groups.get_by_role("gridcell", name="not known").first).to_be_visible()


def test_new_data_leave_the_scroll_position_alone(tmp_path: Path, open_page: OpenPage) -> None:
    logdir = tmp_path / "runs"
    runs = len(write_sweep(logdir, 3))
    with served_in_process(logdir) as address:
        page = open_page(f"{address}{OPEN}&tableSort=-param:seed")
        expect(count(page)).to_have_text(f"{runs} of {runs} runs")
        grid(page).focus()
        page.keyboard.press("Control+End")
        expect(grid(page).locator(f'[aria-rowindex="{runs + 1}"] .name')).to_be_visible()
        # The same order by columns that are loaded again is no other order.
        with page.expect_response(re.compile("api/table/columns")):
            write_run(logdir / "new", {"val/loss": [1.0]})
        expect(count(page)).to_have_text(f"{runs + 1} of {runs + 1} runs")
        expect(grid(page).locator(f'[aria-rowindex="{runs + 1}"] .name')).to_be_visible()
        expect(grid(page).locator('[aria-rowindex="2"]')).to_have_count(0)


def test_the_order_changes_with_keys_alone(address: str, trials: list[Trial], open_page: OpenPage) -> None:
    page = open_page(f"{address}{OPEN}&tableColumns=param:seed,metric:val/loss:min,metric:val/loss:min_step")
    expect(count(page)).to_have_text("1,000 of 1,000 runs")
    grid(page).focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    best = sorted(trials, key=lambda trial: trial.least)
    expect(row(page, best[0].name)).to_have_attribute("aria-rowindex", "2")
    assert cells(page, best[0].name)[2:] == [str(best[0].seed), f"{best[0].least:.4f}", "20"]
    # Ctrl with an arrow moves the column, Shift makes it wider.
    page.keyboard.press("Control+ArrowLeft")
    expect(page.get_by_role("columnheader").nth(2)).to_contain_text("val/loss min")
    before = page.get_by_role("columnheader").nth(2).bounding_box()
    page.keyboard.press("Shift+ArrowRight")
    expect(page).to_have_url(re.compile("tableColumns=metric:val/loss:min~"))
    after = page.get_by_role("columnheader").nth(2).bounding_box()
    assert before is not None and after is not None and after["width"] > before["width"]


def test_keys_go_on_from_the_cell_that_was_clicked(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}{OPEN}&tableColumns=param:seed,run:tags,metric:val/loss:min")
    grid(page).locator('[aria-rowindex="4"] [aria-colindex="3"]').click()
    for key, cell in (("ArrowDown", (5, 3)), ("ArrowRight", (5, 4)), ("ArrowRight", (5, 5))):
        page.keyboard.press(key)
        place = grid(page).locator('[aria-rowindex="{}"] [aria-colindex="{}"]'.format(*cell))
        expect(place).to_have_id(re.compile(".+"))
        expect(grid(page)).to_have_attribute("aria-activedescendant", place.get_attribute("id") or "")


def test_columns_are_dragged_to_another_place_and_width(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}{OPEN}&tableColumns=param:seed,param:model,param:optim.lr")
    expect(count(page)).to_have_text("1,000 of 1,000 runs")
    seed, rate = head(page, "seed").bounding_box(), head(page, "optim.lr").bounding_box()
    assert seed is not None and rate is not None
    page.mouse.move(rate["x"] + 20, rate["y"] + 10)
    page.mouse.down()
    page.mouse.move(seed["x"] + 60, seed["y"] + 10, steps=4)
    page.mouse.move(seed["x"] + 4, seed["y"] + 10, steps=4)
    page.mouse.up()
    expect(page.get_by_role("columnheader").nth(2)).to_contain_text("optim.lr")
    expect(page.get_by_role("columnheader").nth(2)).to_have_attribute("aria-sort", "none")
    # A new width leaves the rows where they are.
    grid(page).focus()
    page.keyboard.press("Control+End")
    expect(grid(page).locator('[aria-rowindex="1001"] .name')).to_be_visible()
    grip = page.get_by_role("columnheader").nth(2).locator(".grip").bounding_box()
    assert grip is not None
    page.mouse.move(grip["x"] + 4, grip["y"] + 10)
    page.mouse.down()
    page.mouse.move(grip["x"] + 64, grip["y"] + 10, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("param:optim.lr~"))
    width = page.get_by_role("columnheader").nth(2).bounding_box()
    assert width is not None and abs(width["width"] - (rate["width"] + 60)) < 2
    expect(grid(page).locator('[aria-rowindex="1001"] .name')).to_be_visible()


def test_a_query_with_completion_and_an_error_that_points(
    address: str, trials: list[Trial], open_page: OpenPage
) -> None:
    page = open_page(
        f"{address}{OPEN}", may_complain=True
    )  # a query that cannot be read is a refusal, and a browser logs those
    expect(count(page)).to_have_text("1,000 of 1,000 runs")
    box = page.get_by_label("Filter runs")
    box.click()
    page.keyboard.type("optim.l")
    option = page.get_by_role("option", name="optim.lr")
    expect(option).to_be_visible()
    # In one task: the cursor is behind the completion before the next letter can come.
    cursor = box.evaluate(
        """(input) => {
            input.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true, cancelable: true }));
            return [input.value, input.selectionStart];
        }"""
    )
    assert cursor == ["optim.lr", len("optim.lr")]
    page.keyboard.type(' < 0.01 and metric["val/loss"].min < 0.5 and "resnet" in name')
    wanted = [trial for trial in trials if trial.lr < 0.01 and trial.least < 0.5 and "resnet" in trial.name]
    expect(count(page)).to_have_text(f"{len(wanted)} of 1,000 runs")
    # What cannot be read says where, and the rows stay.
    box.fill("optim.lr < 0.01 and modell == 3")
    expect(page.get_by_role("alert")).to_contain_text("modell")
    expect(page.locator("i.wrong")).to_have_text("modell")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(count(page)).to_have_text(f"{len(wanted)} of 1,000 runs")
    # Names and patterns still filter by name.
    box.fill("/seed(7|8)$/")
    expect(count(page)).to_have_text("40 of 1,000 runs")
    box.fill("vit-b16/lr0.1_")
    expect(count(page)).to_have_text("50 of 1,000 runs")
    box.fill("nothing like it")
    expect(page.get_by_text("No run matches.")).to_be_visible()


def test_the_panel_filters_by_an_expression_from_a_link(address: str, trials: list[Trial], open_page: OpenPage) -> None:
    page = open_page(f"{address}?runFilter=seed%20%3C%203%20and%20model%20%3D%3D%20%22vit-b16%22#scalars")
    expect(page.locator("aside .count")).to_have_text("15 of 1,000 runs shown")
    expect(page.get_by_label("Filter runs")).to_have_value('seed < 3 and model == "vit-b16"')
    page.get_by_label("Filter runs").fill("_seed4$")
    expect(page.locator("aside .count")).to_have_text("20 of 1,000 runs shown")


def test_a_view_is_kept_under_a_name_and_comes_back(address: str, trials: list[Trial], open_page: OpenPage) -> None:
    page = open_page(
        f"{address}{OPEN}&tableColumns=param:seed,metric:val/loss:min~150~bar&tableSort=-metric:val/loss:min&runFilter=seed%20%3C%205"
    )
    worst = max((trial for trial in trials if trial.seed < 5), key=lambda trial: trial.least)
    expect_first(page, [worst.name])
    page.get_by_role("button", name="View").click()
    page.get_by_label("Name of the view").fill("worst <first>")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="worst <first>", exact=True)).to_have_attribute("aria-current", "true")
    # Another person, another browser: the view is on the server.
    other = open_page(f"{address}{OPEN}")
    expect(count(other)).to_have_text("1,000 of 1,000 runs")
    other.get_by_role("button", name="View").click()
    other.get_by_role("button", name="worst <first>", exact=True).click()
    expect_first(other, [worst.name])
    expect(count(other)).to_have_text("100 of 1,000 runs")
    expect(other.get_by_role("columnheader")).to_have_count(4)
    expect(row(other, worst.name).locator(".barred")).to_have_count(1)
    other.get_by_role("button", name="View").click()
    other.get_by_role("button", name="Remove the view worst <first>").click()
    expect(page.get_by_role("button", name="worst <first>", exact=True)).to_have_count(0)


def test_names_tags_notes_and_stars_are_written_into_the_table(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}{OPEN}&tableColumns=run:tags,run:notes,param:seed")
    run = "resnet18/lr0.1_seed0"
    row(page, run).get_by_role("gridcell").nth(2).dblclick()
    page.get_by_label(f"Tags, with commas between of {run}").fill("good, <b>bold</b>, good")
    page.keyboard.press("Enter")
    expect(row(page, run).locator(".tag")).to_have_text(["good", "<b>bold</b>"])
    # The grid has the focus again: one to the right is the note.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_label(f"Note of {run}").fill("looks fine 🐟")
    page.keyboard.press("Enter")
    row(page, run).get_by_role("gridcell").nth(1).dblclick()
    page.get_by_label(f"Name of {run}").fill("the first one")
    page.keyboard.press("Enter")
    row(page, run).hover()
    page.get_by_role("button", name=f"Star {run}", exact=True).click()
    # A query finds what was just written.
    page.get_by_label("Filter runs").fill('tag("good") and star and "fish" not in notes')
    expect(count(page)).to_have_text("1 of 1,000 runs")
    page.reload()
    expect(row(page, run).locator(".name")).to_have_text("the first one")
    expect(row(page, run).locator(".note")).to_have_text("looks fine 🐟")
    # Escape keeps nothing; an emptied cell is empty.
    row(page, run).get_by_role("gridcell").nth(3).dblclick()
    page.keyboard.type("not this")
    page.keyboard.press("Escape")
    expect(row(page, run).locator(".note")).to_have_text("looks fine 🐟")


def test_runs_are_tagged_shown_and_archived_in_bulk(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}{OPEN}&tableColumns=run:tags,param:seed&tableSort=run:name")
    expect(count(page)).to_have_text("1,000 of 1,000 runs")
    boxes = grid(page).locator(".row").get_by_role("checkbox")
    boxes.nth(1).click()
    boxes.nth(4).click(modifiers=["Shift"])
    bar = page.get_by_role("toolbar", name="Selected runs")
    expect(bar).to_contain_text("4 runs selected")
    chosen = names(page, 5)[1:]
    bar.get_by_role("button", name="Tag…").click()
    page.get_by_label("Tag to add").fill("batch")
    page.keyboard.press("Enter")
    expect(grid(page).locator(".tag")).to_have_text(["batch"] * 4)
    page.keyboard.press("Escape")
    bar.get_by_role("button", name="Only these").click()
    bar.get_by_role("button", name="Archive").click()
    expect(count(page)).to_have_text("996 of 1,000 runs")
    expect(row(page, chosen[0])).to_have_count(0)
    # They are away, not gone.
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("menuitemcheckbox", name="Archived and hidden runs").click()
    page.get_by_label("Filter runs").fill('tag("batch") and archived')
    expect(count(page)).to_have_text("4 of 1,000 runs")
    page.keyboard.press("Escape")  # the completions
    page.get_by_label("Select all rows").click()
    bar.get_by_role("button", name="Unarchive").click()
    page.get_by_label("Filter runs").fill('tag("batch")')
    page.get_by_role("button", name="Back to the charts").click()
    expect(page.locator("aside .count")).to_have_text("4 of 1,000 runs shown")


def test_seeds_become_groups_with_statistics_and_bands(address: str, trials: list[Trial], open_page: OpenPage) -> None:
    page = open_page(f"{address}{OPEN}&tableColumns=metric:val/loss:min&runFilter=resnet18/")
    expect(count(page)).to_have_text("250 of 1,000 runs")
    page.get_by_role("button", name="Group").click()
    page.get_by_role("checkbox", name="optim.lr").click()
    page.keyboard.press("Escape")
    expect(count(page)).to_have_text("5 groups")
    groups = page.get_by_role("grid", name="Groups of runs")
    losses = [trial.least for trial in trials if trial.model == "resnet18" and trial.lr == 0.03]
    line = groups.get_by_role("row").filter(has=page.get_by_role("checkbox", name="Select [0.03]"))
    found = words_of(line)
    assert found[2] == "50"
    assert found[3] == f"{statistics.mean(losses):.4f} ± {statistics.stdev(losses):.2g}"
    assert found[5] == f"{statistics.median(losses):.4f}"
    assert found[7:9] == [f"{min(losses):.4f}", f"{max(losses):.4f}"]
    # Against a baseline: the difference of the means, and whether it is more than chance.
    page.get_by_role("button", name="Against").click()
    page.get_by_role("menuitemcheckbox", name="lr 0.1", exact=True).click()
    base = [trial.least for trial in trials if trial.model == "resnet18" and trial.lr == 0.1]
    difference = statistics.mean(losses) - statistics.mean(base)
    expect(line).to_contain_text(f"+{difference:.4f}, p < 0.001 worse")
    # The same groups as bands on the curves.
    page.get_by_role("button", name="Bands").click()
    page.get_by_role("button", name="Back to the charts").click()
    expect(page.locator("article").filter(has_text="loss").first).to_contain_text("5 groups · mean ± 1σ")
    expect(page).to_have_url(re.compile("groupBy=columns:param:optim.lr"))


def test_few_seeds_come_with_a_caveat(address: str, open_page: OpenPage) -> None:
    page = open_page(
        f"{address}{OPEN}&tableColumns=metric:val/loss:min&runFilter=resnet18/.*seed[012]$&tableGroup=param:optim.lr&tableBaseline=[0.1]"
    )
    expect(count(page)).to_have_text("5 groups")
    caveats = page.get_by_role("grid", name="Groups of runs").locator(".caveat")
    expect(caveats).to_have_count(4)
    assert "5" in str(caveats.first.get_attribute("title"))


def test_runs_go_to_the_trash_folder_only_where_the_server_allows_it(tmp_path: Path, open_page: OpenPage) -> None:
    logdir = tmp_path / "few"
    first, second, *_ = write_sweep(logdir, 1)

    def ask(address: str) -> Page:
        page = open_page(f"{address}{OPEN}&tableSort=run:name", may_complain=True)
        row(page, first.name).get_by_role("checkbox").click()
        page.get_by_role("button", name="More for the selected runs").click()
        page.get_by_role("menuitem", name="Move to the trash folder…").click()
        return page

    with served("--logdir", str(logdir)) as address:
        page = ask(address)
        expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("--allow_delete")
        expect(page.get_by_role("button", name="Move to trash", exact=True)).to_have_count(0)
        page.close()
    with served("--logdir", str(logdir), "--allow_delete") as address:
        page = ask(address)
        dialog = page.get_by_role("dialog")
        # The list comes first, and listing touches nothing.
        expect(dialog).to_contain_text("1 run, 2 files")
        expect(dialog).to_contain_text(f"{first.name}/config.json")
        assert (logdir / first.name / "config.json").exists()
        dialog.get_by_role("button", name="Move to trash", exact=True).click()
        expect(count(page)).to_have_text("19 of 19 runs")
        page.close()
    assert not list((logdir / first.name).glob("*"))
    assert len([path for path in (logdir / ".seamark-trash").rglob("*") if path.is_file()]) == 2
    assert (logdir / second.name / "config.json").exists()
