"""What a person sees: an empty folder, a curve that grows, runs that are shown and hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark.write.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tools.browser import served


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def address(logdir: Path) -> Iterator[str]:
    # Tests ask for it before open_page: pages are closed first, and then nobody misses the server.
    with served("--logdir", str(logdir)) as address:
        yield address


def log(file: EventFile, tag: str, steps: range, scale: float = 1.0) -> None:
    for step in steps:
        file.add_scalar(tag, scale / (1 + step), step)
    file.flush()


def card(page: Page, tag: str) -> Locator:
    return page.get_by_role("article", name=tag, exact=True)


def live_status(page: Page) -> Locator:
    return page.locator("header [role=status]")


def test_an_empty_folder_says_what_is_watched_and_what_to_type(address: str, open_page: OpenPage, logdir: Path) -> None:
    page = open_page(address)
    expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    expect(page.get_by_text(str(logdir), exact=True)).to_be_visible()
    expect(page.get_by_text("not there yet")).to_be_visible()
    expect(page.locator("pre")).to_contain_text(f'SummaryWriter("{logdir}/first")')
    expect(page.get_by_text("seamark --logdir path/to/logs")).to_be_visible()


def test_a_curve_appears_and_grows_without_a_reload(address: str, open_page: OpenPage, logdir: Path) -> None:
    page = open_page(address)
    expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    with EventFile(logdir / "first") as file:
        log(file, "train/loss", range(50))
        loss = card(page, "train/loss")
        expect(loss).to_contain_text("1 run · 50 points")
        expect(page.locator("canvas")).to_have_count(1)
        log(file, "train/loss", range(50, 80))
        expect(loss).to_contain_text("1 run · 80 points")
        log(file, "eval/loss", range(3))
        expect(card(page, "eval/loss")).to_contain_text("1 run · 3 points")
    expect(live_status(page)).to_contain_text("live")


def test_runs_are_hidden_shown_and_filtered(address: str, open_page: OpenPage, logdir: Path) -> None:
    for name in ("alpha", "beta", "gamma"):
        with EventFile(logdir / name) as file:
            log(file, "loss", range(10))
    page = open_page(address)
    loss = card(page, "loss")
    expect(loss).to_contain_text("3 runs · 30 points")
    page.get_by_role("checkbox", name="Show beta").click()
    expect(loss).to_contain_text("2 runs · 20 points")
    page.get_by_role("button", name="gamma", exact=False).last.click()
    expect(loss).to_contain_text("1 run · 10 points")
    page.get_by_role("checkbox", name="Show all").click()
    page.get_by_label("Filter runs by regular expression").fill("^(al|be)")
    expect(loss).to_contain_text("2 runs · 20 points")
    page.get_by_label("Filter runs by regular expression").fill("(")
    expect(page.get_by_role("alert")).to_contain_text("Not a regular expression")
    page.get_by_label("Filter runs by regular expression").fill("")
    page.get_by_label("Filter tags by regular expression").fill("nothing")
    expect(page.get_by_text("No tag matches the filter.")).to_be_visible()


def test_the_pointer_reads_values_and_the_axis_can_be_changed(address: str, open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "a") as file:
        log(file, "loss", range(101), scale=2.0)
    page = open_page(address)
    page.get_by_role("slider", name="Smoothing").fill("0")
    plot = page.get_by_role("img", name="loss: 1 run · 101 points")
    plot.hover(position={"x": 60, "y": 60})
    expect(page.get_by_role("tooltip")).to_contain_text(re.compile(r"a\s*[\d.]+\s*\d+"))
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 11, box["y"] + 40)
    expect(page.get_by_role("tooltip")).to_contain_text("0.0198")
    expect(page.get_by_role("tooltip")).to_contain_text("100")
    for axis in ("Relative", "Wall", "Step"):
        page.get_by_role("button", name=axis, exact=True).click()
        expect(page.get_by_role("button", name=axis, exact=True)).to_have_attribute("aria-pressed", "true")
        expect(card(page, "loss")).to_contain_text("101 points")


def test_the_theme_follows_the_system_and_can_be_chosen(address: str, open_page: OpenPage) -> None:
    page = open_page(address, theme="dark")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Theme: system").click()
    expect(root).to_have_attribute("data-theme", "light")
    page.reload()
    expect(root).to_have_attribute("data-theme", "light")


def test_names_that_hold_markup_stay_text(address: str, open_page: OpenPage, logdir: Path) -> None:
    evil = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
    with EventFile(logdir / "<b>run</b> 'quoted' \U0001f600") as file:
        log(file, evil, range(3))
        log(file, "x" * 300, range(3))
        log(file, "-/-", range(3))
    page = open_page(address, width=900, height=700)
    expect(card(page, evil)).to_contain_text("3 points")
    assert page.locator("article img, article script, article b, aside b:has-text('run')").count() == 0
    assert page.title() == "Seamark"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_lost_server_is_told_and_what_was_drawn_stays(open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "a") as file:
        log(file, "loss", range(10))
    with served("--logdir", str(logdir)) as address:
        # The browser reports refused connections in the console, as it should.
        page = open_page(address, may_complain=True)
        expect(card(page, "loss")).to_contain_text("10 points")
    expect(live_status(page)).to_contain_text("reconnecting")
    expect(card(page, "loss")).to_contain_text("10 points")
