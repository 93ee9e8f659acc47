"""The table of all runs: what is archived, deleted or grouped otherwise while it is selected, is not selected any more."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from seamark.compare.test_support import log_run
from tests.e2e.conftest import OpenPage

OPEN = "#scalars&runTable=open&tableSort=run:name"


def box(page: Page, run: str) -> Locator:
    return page.get_by_role("checkbox", name=f"Select {run}", exact=True)


def bar(page: Page) -> Locator:
    return page.get_by_role("toolbar", name="Selected runs")


def write_runs(logdir: Path) -> None:
    for name in "abcd":
        log_run(logdir / name, {"lr": 0.1 if name < "c" else 0.2}, loss=[1.0, 0.5])


def archive(page: Page, address: str, *runs: str) -> None:
    """As another page would."""
    version = page.request.get(f"{address}api/state").json()["version"]
    change = {"version": version, "runs": {run: {"archived": True} for run in runs}}
    assert page.request.patch(f"{address}api/state", data=change).ok


def test_what_another_page_archives_is_not_selected_here(address: str, logdir: Path, open_page: OpenPage) -> None:
    write_runs(logdir)
    page = open_page(f"{address}{OPEN}")
    for name in "abc":
        box(page, name).click()
    expect(bar(page)).to_contain_text("3 runs selected")
    archive(page, address, "a", "b")
    expect(bar(page)).to_contain_text("1 run selected")
    expect(box(page, "a")).to_have_count(0)
    # They are back, and nobody picked them since.
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("menuitemcheckbox", name="Archived and hidden runs").click()
    expect(box(page, "a")).to_have_attribute("aria-checked", "false")
    expect(box(page, "c")).to_have_attribute("aria-checked", "true")


def test_a_run_that_is_deleted_is_not_selected(address: str, logdir: Path, open_page: OpenPage) -> None:
    write_runs(logdir)
    page = open_page(f"{address}{OPEN}")
    box(page, "c").click()
    box(page, "d").click()
    expect(bar(page)).to_contain_text("2 runs selected")
    shutil.rmtree(logdir / "d")
    expect(bar(page)).to_contain_text("1 run selected")


def test_a_group_that_has_no_runs_left_is_not_selected(address: str, logdir: Path, open_page: OpenPage) -> None:
    write_runs(logdir)
    page = open_page(f"{address}{OPEN}&tableGroup=param:lr")
    boxes = page.get_by_role("grid", name="Groups of runs").locator(".row").get_by_role("checkbox")
    expect(boxes).to_have_count(2)
    boxes.nth(0).click()
    boxes.nth(1).click()
    expect(bar(page)).to_contain_text("2 groups, 4 runs selected")
    archive(page, address, "a", "b")
    expect(bar(page)).to_contain_text("1 group, 2 runs selected")
