"""The table of runs: thousands of them, folders, filters, ranges, colours, and state saved on the server."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark.compare.test_support import log_every_status, write_record
from seamark.write.append.event_file import EventFile
from seamark.write.run.record import run_file
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

NAMES = ("resnet/lr1_seed0", "resnet/lr1_seed1", "resnet/lr2_seed0", "vit/lr1_seed0", "vit/lr2_seed0", "baseline")


def log(folder: Path, *, points: int = 3, value: float = 1.0, wall_time: float | None = None) -> None:
    with EventFile(folder) as file:
        for step in range(points):
            file.add_scalar("loss", value / (step + 1), step, wall_time=wall_time)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    for index, name in enumerate(NAMES):
        # An hour ago: these have stopped.
        log(tmp_path / "runs" / name, points=index + 1, value=index, wall_time=time.time() - 3600 + index)
    return tmp_path / "runs"


@pytest.fixture
def address(logdir: Path, tmp_path: Path) -> Iterator[str]:
    with served_in_process(logdir, state_dir=tmp_path / "state") as address:
        yield address


def table(page: Page) -> Locator:
    return page.get_by_role("treegrid", name="Runs")


def shown(page: Page) -> Locator:
    return page.locator("aside .count")


def box(page: Page, run: str) -> Locator:
    return page.get_by_role("checkbox", name=f"Show {run}", exact=True)


def expect_labels(page: Page, labels: Sequence[str]) -> None:
    expect(table(page).locator(".row .text")).to_have_text(labels, use_inner_text=True)


def colour(page: Page, run: str) -> str:
    row = table(page).get_by_role("row").filter(has=box(page, run))
    return str(row.locator(".swatch").evaluate("swatch => getComputedStyle(swatch).getPropertyValue('--c')"))


def expect_same_colour(page: Page, run: str, other: str, *, unlike: str) -> None:
    """Waits until two runs have one colour and a third has another."""
    page.wait_for_function(
        """names => {
          const [colour, same, unlike] = names.map((name) => {
            const row = document.querySelector(`[role=checkbox][aria-label="Show ${name}"]`)?.closest("[role=row]");
            const swatch = row?.querySelector(".swatch");
            return swatch && getComputedStyle(swatch).getPropertyValue("--c");
          });
          return colour && unlike && colour === same && colour !== unlike;
        }""",
        arg=[run, other, unlike],
    )


def test_folders_hold_runs_and_can_be_closed_checked_and_flattened(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(shown(page)).to_have_text("6 of 6 runs shown")
    expect_labels(
        page, ["baseline", "resnet/", "lr1_seed0", "lr1_seed1", "lr2_seed0", "vit/", "lr1_seed0", "lr2_seed0"]
    )
    page.get_by_role("button", name="Close resnet/").click()
    expect_labels(page, ["baseline", "resnet/", "vit/", "lr1_seed0", "lr2_seed0"])
    box(page, "resnet/").click()
    expect(shown(page)).to_have_text("3 of 6 runs shown")
    page.get_by_role("button", name="Runs menu").click()
    page.get_by_role("menuitemcheckbox", name="Flat list").click()
    expect_labels(page, sorted(NAMES))
    expect(box(page, "resnet/lr1_seed1")).to_have_attribute("aria-checked", "false")


def test_ranges_only_none_invert(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars&runList=flat")
    box(page, "baseline").click()
    box(page, "resnet/lr2_seed0").click(modifiers=["Shift"])
    expect(shown(page)).to_have_text("2 of 6 runs shown")
    page.keyboard.press("i")
    expect(shown(page)).to_have_text("4 of 6 runs shown")
    table(page).get_by_role("row").filter(has=box(page, "vit/lr1_seed0")).hover()
    page.get_by_role("button", name="Only vit/lr1_seed0").click()
    expect(shown(page)).to_have_text("1 of 6 runs shown")
    page.keyboard.press("a")
    expect(shown(page)).to_have_text("6 of 6 runs shown")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text("0 of 6 runs shown")


def test_a_filter_leaves_the_rest_below_a_line_and_a_bad_one_is_explained(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    field = page.get_by_label("Filter runs")
    field.fill("^resnet.*seed0")
    expect(shown(page)).to_have_text("2 of 6 runs shown")
    expect(table(page)).to_contain_text("4 runs do not match the filter")
    field.fill("(")
    expect(page.get_by_role("alert")).to_contain_text("Not a regular expression")
    expect(shown(page)).to_have_text("6 of 6 runs shown")


def test_columns_sort_and_the_newest_value_of_a_tag_is_one(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}#scalars&runList=flat&runMetric=loss&runColumns=points,start,last")
    header = table(page).get_by_role("columnheader")
    expect(header.filter(has_text="loss")).to_be_visible()
    expect(table(page).get_by_role("row").filter(has=box(page, "vit/lr1_seed0"))).to_contain_text("0.7500")
    table(page).get_by_role("button", name="Points", exact=True).click()
    expect(header.filter(has_text="Points")).to_have_attribute("aria-sort", "ascending")
    expect_labels(page, NAMES)
    table(page).get_by_role("button", name="Points", exact=True).click()
    expect(header.filter(has_text="Points")).to_have_attribute("aria-sort", "descending")
    expect_labels(page, NAMES[::-1])
    expect(page).to_have_url(re.compile("runSort=-points"))


def test_colours_are_stable_and_can_stand_for_folders_or_for_what_a_regex_catches(
    address: str, open_page: OpenPage
) -> None:
    page = open_page(address)
    expect(shown(page)).to_have_text("6 of 6 runs shown")
    first = {run: colour(page, run) for run in NAMES}
    assert len(set(first.values())) == len(NAMES)
    page.get_by_label("Filter runs").fill("vit")
    expect(shown(page)).to_have_text("2 of 6 runs shown")
    assert colour(page, "vit/lr1_seed0") == first["vit/lr1_seed0"]
    page.get_by_label("Filter runs").fill("")
    page.get_by_role("button", name="Colour: run").click()
    page.get_by_label("One colour for each folder").check()
    expect_same_colour(page, "vit/lr1_seed0", "vit/lr2_seed0", unlike="resnet/lr1_seed0")
    page.get_by_label("One colour for what a regex catches").check()
    page.get_by_label("Regular expression for colours").fill("(lr.)_seed")
    expect(page.get_by_text("2 groups. Runs that do not match are grey.")).to_be_visible()
    expect_same_colour(page, "vit/lr1_seed0", "resnet/lr1_seed1", unlike="resnet/lr2_seed0")
    page.get_by_label("Regular expression for colours").fill("(")
    expect(page.get_by_role("alert")).to_contain_text("Not a regular expression")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_name_note_star_colour_and_hiding_are_kept_and_reach_other_pages(address: str, open_page: OpenPage) -> None:
    page, other = open_page(address), open_page(address)
    page.get_by_role("row").filter(has=box(page, "baseline")).click(button="right")
    page.get_by_role("menuitem", name="Rename, note, colour…").click()
    page.get_by_label("Name").fill("the <b>good</b> one")
    page.get_by_label("Note").fill("before the new loader")
    page.get_by_role("button", name="Colour 7").click()
    page.get_by_role("button", name="Save").click()
    for each in (page, other):
        expect(table(each)).to_contain_text("the <b>good</b> one")
        expect(each.get_by_role("button", name="the <b>good</b> one")).to_have_attribute(
            "title", "baseline\nbefore the new loader"
        )
        assert colour(each, "baseline") == each.evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--run-7')"
        )
    page.get_by_role("row").filter(has=box(page, "vit/lr2_seed0")).click(button="right")
    page.get_by_role("menuitem", name="Star").click()
    expect(table(other).locator(".row .text").first).to_have_text("vit/")
    page.get_by_role("row").filter(has=box(page, "resnet/lr1_seed1")).click(button="right")
    page.get_by_role("menuitem", name="Hide from the table").click()
    expect(box(other, "resnet/lr1_seed1")).to_have_count(0)
    page.reload()
    expect(table(page)).to_contain_text("the <b>good</b> one")
    expect(box(page, "resnet/lr1_seed1")).to_have_count(0)
    page.get_by_role("button", name="Runs menu").click()
    page.get_by_role("menuitemcheckbox", name="Hidden and archived runs (1)").click()
    expect(box(page, "resnet/lr1_seed1")).to_have_count(1)


def test_the_tail_that_all_runs_share_is_folded(tmp_path: Path, open_page: OpenPage) -> None:
    for name in ("a", "b"):
        log(tmp_path / "runs" / name / "logs" / "tensorboard")
    with served_in_process(tmp_path / "runs") as address:
        page = open_page(address)
        expect(shown(page)).to_have_text("2 of 2 runs shown")
        expect_labels(page, ["a", "b"])
        expect(table(page)).to_contain_text("…/logs/tensorboard")
        page.close()


def test_status_tells_writing_from_stopped(address: str, logdir: Path, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(table(page).get_by_role("gridcell", name="stopped")).to_have_count(6)
    # From a clock that is an hour ahead: otherwise it would be "writing now" for some seconds only.
    log(logdir / "fresh", wall_time=time.time() + 3600)
    expect(table(page).get_by_role("gridcell", name="writing now")).to_have_count(1)


def test_the_list_has_the_status_of_the_table(tmp_path: Path, open_page: OpenPage) -> None:
    """Nothing is "writing now" that has ended, and only what finished has a tick."""
    log_every_status(tmp_path / "runs")
    with served_in_process(tmp_path / "runs") as address:
        page = open_page(address)
        words = {"writing": "writing now", "damaged": "stopped"}
        for run in ("running", "killed", "lost", "crashed", "finished", "stopped", "writing", "damaged"):
            row = table(page).get_by_role("row").filter(has=box(page, run))
            expect(row.locator(".status")).to_have_attribute("aria-label", re.compile(rf"^{words.get(run, run)}\b"))
        page.close()


def test_the_list_shows_the_objective_and_a_dash_where_it_is_not_known(tmp_path: Path, open_page: OpenPage) -> None:
    for run, tag in (("a", "val/loss"), ("b", "val/loss"), ("c", "train/loss")):
        with EventFile(tmp_path / "runs" / run) as file:
            file.add_scalar("system/cpu", 50.0, 1)
            file.add_scalar(tag, 0.25, 1)
    with served_in_process(tmp_path / "runs") as address:
        page = open_page(address)
        expect(table(page).get_by_role("columnheader", name="val/loss")).to_be_visible()
        expect(table(page).locator(".number:not([role=columnheader])")).to_have_text(["0.2500", "0.2500", "–"])
        page.get_by_role("button", name="Runs menu").click()
        page.get_by_role("menuitemcheckbox", name="Column: val/loss…").click()
        page.get_by_role("option", name="No value column").click()
        expect(table(page).get_by_role("columnheader", name="val/loss")).to_have_count(0)
        page.close()


def test_a_run_that_ends_gets_its_status_without_a_new_point(tmp_path: Path, open_page: OpenPage) -> None:
    folder = tmp_path / "runs" / "a"
    log(folder, wall_time=time.time())
    write_record(folder, status="running", writer=asdict(run_file.this_writer()))
    with served_in_process(tmp_path / "runs") as address:
        page = open_page(address)
        expect(table(page).get_by_role("gridcell", name="running")).to_have_count(1)
        write_record(folder, status="finished")
        expect(table(page).get_by_role("gridcell", name="finished")).to_have_count(1)
        page.close()


def test_the_keyboard_goes_everywhere(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(shown(page)).to_have_text("6 of 6 runs shown")
    table(page).focus()
    for key in ("Home", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.get_by_role("row", name="resnet/")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Space")
    expect(shown(page)).to_have_text("3 of 6 runs shown")
    page.keyboard.press("End")
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("focus=vit/lr2_seed0"))
    page.keyboard.press("Shift+F")
    expect(shown(page)).to_have_text("1 of 6 runs shown")


def test_the_path_of_a_run_can_be_copied(address: str, logdir: Path, open_page: OpenPage) -> None:
    page = open_page(address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("row").filter(has=box(page, "vit/lr1_seed0")).click(button="right")
    page.get_by_role("menuitem", name="Copy the path").click()
    page.wait_for_function(
        """path => {
          void navigator.clipboard.readText().then((text) => (window.copied = text));
          return window.copied === path;
        }""",
        arg=str(logdir / "vit" / "lr1_seed0"),
    )


def test_of_thousands_of_runs_only_the_rows_in_view_are_drawn(tmp_path: Path, open_page: OpenPage) -> None:
    log(tmp_path / "one", points=1)
    content = next((tmp_path / "one").iterdir()).read_bytes()
    for index in range(3_000):
        folder = tmp_path / "runs" / f"sweep{index % 40:02}" / f"seed{index}"
        folder.mkdir(parents=True)
        (folder / "events.out.tfevents.1").write_bytes(content)
    with served_in_process(tmp_path / "runs") as address:
        page = open_page(f"{address}#timeseries&tagFilter=^nothing$")
        expect(shown(page)).to_have_text("3,000 of 3,000 runs shown")
        expect(page.get_by_role("progressbar")).to_have_count(0)
        assert max(page.evaluate(SCROLL)) < 100
        expect(box(page, "sweep39/seed2999")).to_be_visible()
        page.get_by_label("Filter runs").fill("seed2999$")
        expect(shown(page)).to_have_text("1 of 3,000 runs shown")
        page.close()


# Scrolls to the end in steps of a hundred rows; returns how many rows there were after each step.
SCROLL = """async () => {
  const rows = document.querySelector("[role=treegrid] [role=rowgroup]");
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const counts = [];
  while (rows.scrollTop + rows.clientHeight < rows.scrollHeight - 1) {
    rows.scrollTop += 2400;
    await frame();
    counts.push(rows.querySelectorAll("[role=row]").length);
  }
  return counts;
}"""
