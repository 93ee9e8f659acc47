"""The page of one run: its files, console and metadata, also with hostile names and content."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

import seamark
from tests.e2e.conftest import OpenPage, press
from tests.e2e.run_logs import make_run
from tools.browser import served
from tools.in_process import served_in_process

ODD = "bare/<b>it's</b> 🌊, 100% #1"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("run_page") / "runs"
    make_run(root, "slow", rate=0.01)
    make_run(root, "fast", rate=0.03, steps=80)
    make_run(root, "broken", rate=0.05, steps=30, crashes=True)
    torch_writer(root / ODD)
    return root


def torch_writer(folder: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(folder)) as writer:
        for step in range(50):
            for name in ("a", "b", "c"):
                writer.add_scalar(f"metric/{name}", step / 50, step)
        writer.add_scalar("nothing", float("nan"), 0)


@pytest.fixture(scope="module")
def site(runs: Path) -> Iterator[str]:
    with served_in_process(runs) as address:
        yield address


def record_of(runs: Path, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((runs / "sweep" / name / "run.json").read_text())
    return found


def card(page: Page, title: str) -> Locator:
    return page.locator(f"section[aria-label='{title}']")


def test_the_page_says_what_the_run_left(runs: Path, site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/slow")
    record = record_of(runs, "slow")
    expect(page.locator("h1")).to_contain_text("slow")
    expect(page.locator("h1")).to_contain_text("finished · step 99")
    expect(page.locator("h1")).to_contain_text("<b>bold</b>")
    facts = page.locator("dl.facts")
    expect(facts).to_contain_text(str(record["host"]["name"]))  # type: ignore[index]
    expect(facts).to_contain_text("train.py")
    expect(page).to_have_title(re.compile("^sweep/slow · "))
    # Metrics: the newest value of each, the one with a goal first.
    tiles = page.get_by_role("group", name="Metrics").locator("article")
    expect(tiles).to_have_count(3)
    for place, tag in enumerate(("val/accuracy", "train/loss", "lr")):
        expect(tiles.nth(place)).to_have_attribute("aria-label", tag)
    summary = record["summary"]
    expect(tiles.nth(1).locator(".value span")).to_have_text(f"{summary['train/loss']:.4f}")  # type: ignore[index]
    expect(tiles.nth(0).locator(".value span")).to_have_text(f"{summary['val/accuracy']:.4f}")  # type: ignore[index]
    expect(tiles.nth(1).locator("path.line")).to_have_attribute("d", re.compile("."))
    # Config, machine, packages.
    config = card(page, "Config")
    expect(config.get_by_role("row").filter(has_text="lr")).to_contain_text("0.01")
    expect(config.get_by_role("row").filter(has_text="betas")).to_contain_text("[0.9,0.95]")
    expect(config).to_contain_text("<script>window.hacked = 1</script>")
    expect(card(page, "System").get_by_role("group", name="CPU", exact=True)).to_contain_text("%")
    environment = card(page, "Environment")
    expect(environment).to_contain_text(str(record["python"]["version"]))  # type: ignore[index]
    packages = record["packages"]
    environment.get_by_role("button", name="Packages").click()
    expect(environment.locator("dl[aria-label='Packages'] > div")).to_have_count(len(packages))  # type: ignore[arg-type]
    expect(page).to_have_url(re.compile("run\\.list=packages"))
    expect(card(page, "Alerts")).to_contain_text("Loss jumped")
    assert page.evaluate("window.hacked") is None
    assert page.locator("[role=note]").count() == 0


def test_a_second_run_stands_beside_it(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/slow")
    page.get_by_role("button", name="Compare with").click()
    page.get_by_label("Find a run").fill("fast")
    page.get_by_role("dialog").get_by_role("option", name="sweep/fast").click()
    config = card(page, "Config")
    for words in ("2 changed", "1 added", "1 removed"):
        expect(config).to_contain_text(words)
    expect(config.get_by_role("row").filter(has_text="data")).to_contain_text("5 keys, equal")
    config.get_by_role("button", name="Changes").click()
    expect(config.locator(".row:not(.head)").filter(has=page.locator(".leaf"))).to_have_count(4)
    expect(config.locator(".changed .mine")).to_have_text(["32", "0.01"])
    expect(config.locator(".changed .other")).to_have_text(["64", "0.03"])
    expect(config.locator(".added")).to_contain_text("ema")
    expect(config.locator(".removed")).to_contain_text("clip")
    tile = page.locator("article[aria-label='train/loss']")
    expect(tile.locator("small.worse")).to_contain_text("+")
    expect(tile.locator("path.line")).to_have_count(2)
    expect(page).to_have_url(re.compile("run\\.config=changes"))
    page.reload()
    expect(card(page, "Config").locator(".changed .other")).to_have_text(["64", "0.03"])
    page.go_back()
    expect(card(page, "Config")).to_contain_text("11 keys")


def test_the_console_is_searched_and_never_run(runs: Path, site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/slow")
    lines = (runs / "sweep" / "slow" / "console.log").read_text().splitlines()
    console = card(page, "Console")
    expect(console).to_contain_text(f"{len(lines)} lines")
    log = console.get_by_role("log")
    expect(log).to_contain_text(lines[-1][:40])
    assert log.locator(".line").count() < len(lines)
    console.get_by_role("button", name="Search the console").click()
    console.get_by_role("textbox", name="Search the console").fill("EVAL AT")
    expect(console).to_contain_text(f"5 of {len(lines)} lines")
    expect(log.locator(".line")).to_have_count(5)
    expect(log.locator("mark")).to_have_text(["eval at"] * 5)
    expect(log.locator(".line").first).to_contain_text("2eval at step 0: <script>window.hacked = 1</script>")
    expect(page).to_have_url(re.compile("run.find=EVAL%20AT"))
    page.reload()
    expect(log.locator("mark")).to_have_count(5)
    page.get_by_role("textbox", name="Search the console").fill("no such line")
    expect(log).to_contain_text("No line holds that.")
    assert page.evaluate("window.hacked") is None


def test_a_link_to_a_line_of_the_console_leads_there(runs: Path, site: str, open_page: OpenPage) -> None:
    lines = (runs / "sweep" / "slow" / "console.log").read_text().splitlines()
    page = open_page(f"{site}run/sweep/slow#scalars&run.line=31")
    expect(card(page, "Console").get_by_role("log")).to_contain_text(lines[30])
    expect(card(page, "Console").get_by_role("button", name="to the end")).to_be_visible()
    card(page, "Console").get_by_role("button", name="to the end").click()
    expect(card(page, "Console").get_by_role("log")).to_contain_text(lines[-1][:40])
    expect(page).not_to_have_url(re.compile("run.line"))


def test_pictures_follow_the_slider(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/slow")
    media = card(page, "Media")
    expect(media).to_contain_text("step 80")
    expect(media).to_contain_text("5 of 5")
    image = media.locator("img").last
    expect(media.locator("figcaption")).to_have_text([f"step {step}" for step in range(0, 100, 20)])
    expect(image).to_have_attribute("alt", "val/picture, picture 1, step 80")
    page.wait_for_function("() => document.querySelector('section[aria-label=Media] img')?.naturalWidth > 0")
    press(media.get_by_role("slider"), "Home")
    expect(image).to_have_attribute("alt", "val/picture, picture 1, step 0")
    expect(media).to_contain_text("1 of 5")
    expect(media.locator("img")).to_have_count(1)
    expect(page).to_have_url(re.compile("run\\.step=0"))


def test_a_crash_is_told_with_its_traceback(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/broken")
    expect(page.locator("h1")).to_contain_text("crashed · step 29 · exit code 1")
    error = card(page, "Error")
    expect(error.locator("h2")).to_have_text("ValueError: bad <script>window.hacked = 1</script> batch")
    expect(error.locator("pre")).to_contain_text("raise ValueError")
    error.get_by_role("button", name="Hide the traceback").click()
    expect(error.locator("pre")).to_have_count(0)
    assert page.evaluate("window.hacked") is None


def test_a_run_of_another_writer_shows_what_its_events_tell(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/{quote(ODD)}")
    expect(page.locator("h1 .title")).to_have_text(ODD.rpartition("/")[2])
    expect(page.locator("nav.crumb")).to_contain_text("bare/<b>it's<")
    expect(page.get_by_role("note")).to_have_count(1)
    expect(page.get_by_role("note")).to_contain_text("no run.json")
    tiles = page.get_by_role("group", name="Metrics").locator("article")
    expect(tiles).to_have_count(4)
    expect(page.locator("article[aria-label='metric/a'] .value span")).to_have_text("0.9800")
    expect(page.locator("article[aria-label='nothing'] .value span")).to_have_text("NaN")
    for absent in ("Config", "Console", "System", "Media", "Environment"):
        expect(card(page, absent)).to_have_count(0)
    expect(card(page, "Files").get_by_role("listitem")).to_have_count(1)


def test_notes_are_written_as_markdown_and_kept(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/fast")
    notes = card(page, "Notes")
    expect(notes.locator("strong")).to_have_text("Bold")
    expect(notes).to_contain_text("from run.json")
    notes.get_by_role("button", name="Edit").click()
    notes.get_by_role("textbox").fill(
        "Best *so far*: $x^2$ <img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"
    )
    page.keyboard.press("Control+Enter")
    expect(notes.locator("em")).to_have_text("so far")
    expect(notes.locator(".katex").first).to_be_visible()
    expect(notes).to_contain_text("saved")
    page.reload()
    expect(notes.locator("em")).to_have_text("so far")
    notes.get_by_role("button", name="Edit").click()
    notes.get_by_role("textbox").fill("")
    notes.get_by_role("button", name="Save").click()
    expect(notes).to_contain_text("No notes yet.")
    assert page.evaluate("window.hacked") is None


def test_files_are_read_here_or_saved(runs: Path, site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/slow")
    files = card(page, "Files")
    expect(files.get_by_role("listitem")).to_have_count(4)
    files.get_by_role("button", name="result.md").click()
    sheet = page.get_by_role("dialog", name="result.md")
    expect(sheet.locator("pre")).to_have_text("# Result\n<script>window.hacked = 1</script>\n")
    expect(page).to_have_url(re.compile("run\\.file=result\\.md"))
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    with page.expect_download() as saving:
        files.get_by_role("link", name="Save run.json").click()
    assert saving.value.path().read_bytes() == (runs / "sweep" / "slow" / "run.json").read_bytes()
    assert page.evaluate("window.hacked") is None


def test_a_run_that_is_not_there_is_said_to_be_missing(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}run/sweep/slowest")
    expect(page.get_by_role("alert")).to_contain_text("There is no run called “sweep/slowest”")
    page.get_by_role("link", name="sweep/slow").click()
    expect(page.locator("h1")).to_contain_text("slow")


def test_ways_lead_there_and_back(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}#scalars&smoothing=0.3")
    row = page.get_by_role("row").filter(has_text="broken")
    row.click(button="right")
    page.get_by_role("menuitem", name="Open run page").click()
    expect(page.locator("h1")).to_contain_text("broken")
    expect(page).to_have_url(re.compile("^" + re.escape(f"{site}run/sweep/broken#scalars&")))
    page.get_by_role("navigation", name="Where this run is").get_by_role("link", name="Runs").click()
    expect(page.get_by_role("treegrid", name="Runs")).to_be_visible()
    expect(page).to_have_url(f"{site}#scalars&smoothing=0.3")
    page.go_back()
    expect(page.locator("h1")).to_contain_text("broken")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find").fill("run page fast")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("fast")
    page.get_by_role("link", name="Scalars", exact=True).click()
    expect(page.get_by_role("treegrid", name="Runs")).to_be_visible()


def test_everything_works_below_a_prefix(runs: Path, open_page: OpenPage) -> None:
    with served("--logdir", str(runs), "--path_prefix", "/team/runs") as address:
        page = open_page(f"{address.rstrip('/')}/run/{quote(ODD)}")
        expect(page.locator("h1 .title")).to_have_text(ODD.rpartition("/")[2])
        expect(page.locator("article[aria-label='metric/a'] .value span")).to_have_text("0.9800")
        page.get_by_role("link", name="Seamark").click()
        expect(page.get_by_role("treegrid", name="Runs")).to_be_visible()
        assert page.url.split("#")[0].rstrip("/").endswith("/team/runs")
        page.goto(f"{address.rstrip('/')}/run/sweep/slow")
        expect(card(page, "Console")).to_contain_text("lines")
        # Close the pages before the server stops.
        page.goto("about:blank")


def test_a_run_that_goes_on_is_followed(address: str, logdir: Path, open_page: OpenPage) -> None:
    run = seamark.init(name="live", dir=logdir, console=False, git=False, quiet=True, config={"lr": 1})
    try:
        console = (run.dir / "console.log").open("a", buffering=1)
        run.log({"loss": 0.5}, step=0)
        console.write("first line\n")
        assert run.writer is not None
        run.writer.flush()
        page = open_page(f"{address}run/live")
        expect(page.locator("h1")).to_contain_text("running")
        expect(page.locator("article[aria-label='loss'] .value span")).to_have_text("0.5000")
        expect(card(page, "Console")).to_contain_text("following")
        run.log({"loss": 0.25}, step=1)
        console.write("second line\n")
        run.writer.flush()
        expect(page.locator("article[aria-label='loss'] .value span")).to_have_text("0.2500")
        expect(card(page, "Console").get_by_role("log")).to_contain_text("second line")
        console.close()
    finally:
        run.finish()
    expect(page.locator("h1")).to_contain_text("finished · step 1")
