"""A report opened from disk in a real browser: no server, no requests, no console messages."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from seamark import SummaryWriter, _core
from seamark.cli import main
from seamark.format.run_record import SCHEMA
from tests.e2e.conftest import OpenPage

BEGAN = 1_700_000_000.0
EVIL = "<img src=x onerror=alert(1)>"
RUNS = {"fast": 0.1, "slow": 0.01, EVIL: 0.5}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    logdir = tmp_path / "runs"
    for place, (name, lr) in enumerate(RUNS.items()):
        write_run(logdir / name, lr, BEGAN + place)
    notes = tmp_path / "notes.md"
    notes.write_text("# What we learned\n\nA **small** sweep.\n\n<script>alert(2)</script>")
    target = tmp_path / "report.html"
    words = ["export", "html", "--logdir", str(logdir), "--state_dir", "none", "--index_dir", "none"]
    assert main([*words, "--title", f"Sweep {EVIL}", "--notes", str(notes), "-o", str(target)]) == 0
    return target


def write_run(folder: Path, lr: float, began: float) -> None:
    steps = np.arange(400)
    values = np.exp(-lr * steps / 40) + 0.01 * np.sin(steps)
    values[200:203] = math.nan if lr == 0.5 else values[200:203]
    tags = [b"train/loss", b"val/accuracy"]
    folder.mkdir(parents=True)
    data = [_core.encode_file_version(began)]
    for at, column in enumerate((values, 1 - values)):
        index = np.full(len(steps), at, np.uint32)
        data.append(_core.encode_scalars(tags, index, steps, began + steps, column))
    (folder / "events.out.tfevents.1").write_bytes(b"".join(data))
    record = {"schema": SCHEMA, "version": 1, "status": "finished", "config": {"lr": lr}, "started_at": began}
    record |= {"ended_at": began + 400, "notes": f"The run with **{lr}**.", "command": ["train.py", f"--lr={lr}"]}
    (folder / "run.json").write_text(json.dumps(record))


def opened(open_page: OpenPage, report: Path, **options: object) -> Page:
    page = open_page(report.as_uri(), **options)
    expect(page.locator("article[aria-label='train/loss'] .chart")).to_have_attribute("data-drawn", re.compile("[1-9]"))
    return page


def test_a_report_shows_its_notes_table_charts_and_differences(report: Path, open_page: OpenPage) -> None:
    page = opened(open_page, report)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    expect(page.get_by_role("heading", level=1, name=f"Sweep {EVIL}")).to_be_visible()
    expect(page.locator("section[aria-label='Notes'] strong")).to_have_text("small")
    expect(page.get_by_text("<script>alert(2)</script>")).to_be_visible()
    assert page.locator("tbody").first.locator("tr").count() == 3
    assert page.locator("img").count() == 0
    expect(page.locator("article[aria-label='val/accuracy'] p")).to_have_text("3 runs, 1,200 points")
    expect(page.get_by_role("heading", name="What differs")).to_be_visible()
    expect(page.get_by_role("row", name="--lr 0.1 0.01 0.5")).to_be_visible()
    expect(page.get_by_text("The run with 0.01.")).to_be_visible()
    assert ink(page, "train/loss") > 200
    assert urls == []


def ink(page: Page, tag: str) -> int:
    """Pixels of a chart that are not blank."""
    return int(
        page.locator(f"article[aria-label='{tag}'] canvas").evaluate(
            "c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            " let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; }"
        )
    )


def test_the_table_sorts_and_hides_runs(report: Path, open_page: OpenPage) -> None:
    page = opened(open_page, report)
    names = page.locator("tbody").first.locator("th .name")
    page.get_by_role("button", name="lr", exact=True).click()
    expect(names).to_have_text(["slow", "fast", EVIL])
    page.get_by_role("button", name="lr", exact=True).click()
    expect(names).to_have_text([EVIL, "fast", "slow"])
    chart = page.locator("article[aria-label='train/loss']")
    expect(chart.locator("svg")).to_be_visible()
    all_runs = page.get_by_role("checkbox", name="Show all runs in the charts")
    all_runs.click()
    expect(chart.get_by_text("All runs with this tag are hidden.")).to_be_visible()
    page.get_by_role("checkbox", name="Show slow in the charts").click()
    expect(chart.get_by_text("All runs with this tag are hidden.")).to_have_count(0)
    expect(all_runs).to_have_attribute("aria-checked", "mixed")
    all_runs.click()
    expect(page.get_by_role("checkbox", name="Show fast in the charts")).to_be_checked()


def test_a_chart_zooms_and_comes_back(report: Path, open_page: OpenPage) -> None:
    page = opened(open_page, report)
    chart = page.locator("article[aria-label='train/loss']")
    ticks = chart.locator("svg text")
    whole = ticks.all_text_contents()
    box = chart.locator(".plot").bounding_box()
    assert box
    page.mouse.move(box["x"] + 100, box["y"] + 80)
    page.mouse.down()
    page.mouse.move(box["x"] + 180, box["y"] + 82, steps=4)
    page.mouse.up()
    expect(ticks).not_to_have_text(whole)
    page.mouse.dblclick(box["x"] + 150, box["y"] + 80)
    expect(ticks).to_have_text(whole)
    page.mouse.move(box["x"] + 150, box["y"] + 80)
    expect(page.get_by_role("tooltip").locator("tbody tr")).to_have_count(3)


def test_axes_scale_smoothing_and_theme_can_be_chosen(report: Path, open_page: OpenPage) -> None:
    page = opened(open_page, report, theme="dark", width=900)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="light").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    for name in ("Relative", "Time", "log y"):
        count = int(page.locator("article .chart").first.get_attribute("data-drawn") or 0)
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_function("n => +document.querySelector('article .chart').dataset.drawn > n", arg=count)
    count = int(page.locator("article .chart").first.get_attribute("data-drawn") or 0)
    page.get_by_role("textbox", name="Smoothing, 0 to 50 %").fill("9")
    page.keyboard.press("Enter")
    page.wait_for_function("n => +document.querySelector('article .chart').dataset.drawn > n", arg=count)
    page.get_by_role("searchbox", name="Filter tags").fill("ACC")
    expect(page.locator("article[aria-label]")).to_have_count(1)


MANY_TAGS = [f"group{at % 3}/metric{at}" for at in range(33)]
STROKES = """() => [...document.querySelectorAll('article[aria-label]')].map((card) => ({
  tag: card.ariaLabel,
  strokes: [...card.querySelectorAll('.picture path[stroke]:not([opacity])')].filter((path) => path.getAttribute('d').includes('L')).map((path) => path.getAttribute('stroke')),
  legend: [...card.querySelectorAll('.legend li')].map((item) => [item.textContent, getComputedStyle(item.querySelector('path')).stroke]),
  size: card.querySelector('.picture')?.getBoundingClientRect().height ?? 0,
}))"""


@pytest.fixture
def long_report(tmp_path: Path) -> Path:
    """More charts than fit on a screen."""
    for at, name in enumerate(("a", "b")):
        writer = SummaryWriter(tmp_path / "runs" / name)
        for tag in MANY_TAGS:
            for step in range(4):
                writer.add_scalar(tag, step * (at + 1), step)
        writer.close()
    target = tmp_path / "long.html"
    words = ["export", "html", "--logdir", str(tmp_path / "runs"), "--state_dir", "none", "--index_dir", "none"]
    assert main([*words, "-o", str(target)]) == 0
    return target


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def test_print_draws_every_chart_in_the_colours_of_its_runs(long_report: Path, open_page: OpenPage) -> None:
    page = open_page(long_report.as_uri(), theme="dark")
    expect(page.locator("article[aria-label]")).to_have_count(len(MANY_TAGS))
    # What is far below the screen says that it is not there yet, and shows nothing that looks like data.
    far = page.locator("article[aria-label]").last
    expect(far).to_contain_text("Loading…")
    expect(far.locator("svg")).to_have_count(0)

    # All is there when the listeners of the event have returned: a browser prints then, and waits for nothing.
    at_once = page.evaluate(f"() => {{ dispatchEvent(new Event('beforeprint')); return ({STROKES})(); }}")
    assert sorted(card["tag"] for card in at_once) == sorted(MANY_TAGS)
    run_colours = page.evaluate(
        "[1, 2].map((at) => getComputedStyle(document.documentElement).getPropertyValue(`--run-${at}`).trim())"
    )
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    for card in at_once:
        assert card["strokes"] == run_colours, card
        assert card["legend"] == [["a", rgb(run_colours[0])], ["b", rgb(run_colours[1])]]
        assert card["size"] > 100
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".picture")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    page.emulate_media(media="print")
    expect(page.locator("article .picture path[stroke][d*=L]:not([opacity])")).to_have_count(2 * len(MANY_TAGS))
    expect(page.get_by_role("group", name="Horizontal axis")).to_be_hidden()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_print_draws_a_crowd_of_runs(tmp_path: Path, open_page: OpenPage) -> None:
    for at in range(40):
        writer = SummaryWriter(tmp_path / "runs" / f"run{at}")
        for step in range(100):
            writer.add_scalar("loss", step * at, step)
        writer.close()
    target = tmp_path / "crowd.html"
    words = ["export", "html", "--logdir", str(tmp_path / "runs"), "--state_dir", "none", "--index_dir", "none"]
    assert main([*words, "-o", str(target)]) == 0
    page = open_page(target.as_uri())
    expect(page.locator("article[aria-label]")).to_have_count(1)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert ink(page, "loss") > 1000
    # Too many for a legend under the chart: the one of the section names them.
    expect(page.locator("section[aria-labelledby=charts] > .legend li")).to_have_count(40)
