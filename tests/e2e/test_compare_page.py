"""Runs side by side: the differences that the data has, and no others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.run_logs import make_repository, make_run
from tools.in_process import served_in_process

A, B, C = "sweep/slow", "sweep/fast", "sweep/broken"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("compare") / "runs"
    repository = root.parent / "code"
    make_repository(repository)
    make_run(root, "slow", rate=0.01, cwd=repository)
    (repository / "model.py").write_text("hidden = 128\n")
    make_run(root, "fast", rate=0.03, steps=80, cwd=repository)
    make_run(root, "broken", rate=0.05, steps=30, crashes=True)
    return root


@pytest.fixture(scope="module")
def site(runs: Path) -> Iterator[str]:
    with served_in_process(runs) as address:
        yield address


def get_diff(site: str, *names: str) -> dict[str, Any]:
    body = json.dumps({"runs": names}).encode()
    request = Request(f"{site}api/diff", body, {"content-type": "application/json"})
    with urlopen(request, timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def card(page: Page, title: str) -> Locator:
    return page.locator(f"section[aria-label='{title}']")


def test_only_what_differs_is_shown_until_somebody_wants_all(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}compare?runs={A},{B}")
    expect(page.locator("h1")).to_have_text("2 runs compared")
    config = card(page, "Config").locator("tbody tr")
    expect(config.locator("th")).to_have_text(["clip", "ema", "model.hidden", "optim.lr"])
    expect(config.filter(has_text="optim.lr").locator("td.value")).to_have_text(["0.01", "0.03"])
    expect(config.filter(has_text="clip")).to_have_class(re.compile("added"))
    expect(config.filter(has_text="ema")).to_have_class(re.compile("removed"))
    expect(card(page, "Packages")).to_contain_text("all equal")
    expect(card(page, "Packages").locator("tbody tr")).to_have_count(0)
    expect(card(page, "Command").locator("tbody tr").first).to_contain_text("slow 0.01 100")
    page.get_by_role("button", name="Everything").click()
    expect(config).to_have_count(12)
    page.get_by_label("Find a key, value or metric").fill("HIDDEN")
    expect(config.locator("th")).to_have_text(["model.hidden"])
    expect(page).to_have_url(re.compile(r"compare\.find=HIDDEN&compare\.rows=all"))
    page.reload()
    expect(config.locator("th")).to_have_text(["model.hidden"])


def test_metrics_end_where_the_data_ends_and_part_where_the_server_says(site: str, open_page: OpenPage) -> None:
    answer = get_diff(site, A, B)
    page = open_page(f"{site}compare?runs={A},{B}")
    table = card(page, "Metrics").locator("tbody")
    for metric in answer["metrics"]:
        row = table.locator("tr").filter(has=page.get_by_role("button", name=f"{metric['tag']}", exact=True))
        final = [f"{value:.4f}" for value in metric["final"]]
        best = ["–" if value is None else f"{value:.4f}" for value in metric["best"]]
        expect(row.locator("td > span")).to_have_text([*final, *best])
        divergence = metric["divergence"]
        expect(row.locator("td").last).to_have_text(f"{divergence['step']:,}" if divergence else "–")
    loss = next(metric for metric in answer["metrics"] if metric["tag"] == "train/loss")
    assert loss["divergence"] is not None
    row = table.locator("tr").filter(has_text="train/loss")
    difference = loss["final"][1] - loss["final"][0]
    expect(row.locator("td").nth(1).locator("small.better")).to_have_text(f"{difference:.4f}".replace("-", "−"))
    row.click()
    curves = card(page, "train/loss")
    expect(curves.locator(".divergence")).to_contain_text(f"They diverge from step {loss['divergence']['step']:,} on")
    expect(curves.locator(".finding-line")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"compare\.tag=train/loss"))
    page.wait_for_function("() => Number(document.querySelector('.chart')?.dataset.drawn) > 0")
    row_of_rate = table.locator("tr").filter(has=page.get_by_role("button", name="lr", exact=True))
    row_of_rate.click()
    expect(card(page, "lr")).to_be_visible()


def test_the_reference_can_be_another_and_runs_come_and_go(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}compare?runs={A},{B},{C}")
    chips = page.get_by_role("list", name="Runs compared").get_by_role("listitem")
    expect(chips).to_have_count(4)
    expect(card(page, "How it ran")).to_contain_text("ValueError: bad <script>window.hacked = 1</script> batch")
    chips.nth(2).get_by_role("button", name="Set as baseline").click()
    expect(page).to_have_url(re.compile(f"compare\\?runs={C},{A},{B}"))
    expect(chips.first).to_contain_text("baseline")
    chips.nth(1).get_by_role("button", name="Leave out").click()
    expect(page).to_have_url(re.compile(f"compare\\?runs={C},{B}"))
    expect(page.locator("h1")).to_have_text("2 runs compared")
    page.get_by_role("button", name="Add a run").click()
    page.get_by_role("dialog").get_by_role("option", name=A).click()
    expect(page.locator("h1")).to_have_text("3 runs compared")
    page.go_back()
    expect(page.locator("h1")).to_have_text("2 runs compared")
    chips.first.get_by_role("link").click()
    expect(page.locator("h1")).to_contain_text("crashed")
    assert page.evaluate("window.hacked") is None


def test_what_was_not_committed_is_told_as_git_does(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}compare?runs={A},{B}")
    code = card(page, "Code")
    expect(code.locator("tbody tr")).to_have_count(1)
    expect(code).to_contain_text("uncommitted changes")
    changes = card(page, "Changes that were not committed")
    expect(changes.locator(".add")).to_have_text("+hidden = 64\n")
    expect(changes.locator(".del")).to_have_text("-hidden = 32\n")
    changes.get_by_role("button", name="fast").click()
    expect(changes.locator(".add")).to_have_text("+hidden = 128\n")
    expect(page).to_have_url(re.compile("compare.diff=sweep/fast"))


def test_selected_runs_are_compared_from_the_table(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}#scalars&runs={A},{C}")
    page.get_by_role("row").filter(has_text="broken").click(button="right")
    page.get_by_role("menuitem", name="Compare shown runs (2)").click()
    expect(page.locator("h1")).to_have_text("2 runs compared")
    expect(page).to_have_url(re.compile(re.escape(f"compare?runs={C},{A}#")))


def test_too_few_runs_and_lost_ones_are_said(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}compare")
    expect(page.get_by_role("note")).to_contain_text("Choose two runs or more")
    page.goto(f"{site}compare?runs={A},gone%2C1,{B}")
    expect(page.get_by_role("note").first).to_contain_text("There are no runs called “gone”, “1”")
    expect(page.locator("h1")).to_have_text("2 runs compared")
