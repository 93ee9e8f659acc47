"""The Scalars page as a person uses it: cards, filters, pins, links, downloads, hostile names, a thousand runs."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tests.e2e.links import link_of
from tests.e2e.scalar_cards import BEGAN, card, tool, write_run
from tools.browser import served


def test_a_curve_grows_while_it_is_watched(address: str, open_page: OpenPage, logdir: Path) -> None:
    with EventFile(logdir / "live") as file:
        for step in range(20):
            file.add_scalar("train/loss", 1 / (1 + step), step)
        file.flush()
        page = open_page(address + "#scalars")
        expect(card(page, "train/loss")).to_contain_text("1 run · 20 points")
        drawn = int(card(page, "train/loss").locator(".chart").get_attribute("data-drawn") or 0)
        for step in range(20, 50):
            file.add_scalar("train/loss", 1 / (1 + step), step)
        file.flush()
        expect(card(page, "train/loss")).to_contain_text("1 run · 50 points")
        redrawn = f"() => Number(document.querySelector('article .chart').dataset.drawn) > {drawn}"
        page.wait_for_function(redrawn)


def test_tags_are_grouped_folded_and_filtered(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": [1, 2], "train/accuracy": [0, 1], "eval/loss": [3, 4], "lr": [1, 1]})
    write_run(logdir / "b", {"system/cpu": [1, 2], "grads/norm": [0, 1]})
    page = open_page(address + "#scalars")
    expect(page.get_by_role("article")).to_have_count(6)
    headings = page.get_by_role("main").locator("h2 b")
    expect(headings).to_have_text(["eval/", "train/", "No prefix", "grads/", "system/"])
    page.get_by_role("button", name="train/ 2").click()
    expect(page.get_by_role("article")).to_have_count(4)
    page.get_by_label("Filter tags by regular expression").fill("loss$")
    expect(page.get_by_text("2 of 6")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(1)
    page.get_by_label("Filter tags by regular expression").fill("nothing")
    expect(page.get_by_text("No matches")).to_be_visible()
    page.get_by_label("Filter tags by regular expression").fill("[")
    expect(page.get_by_role("alert")).to_contain_text("Not a regular expression")


def test_sections_can_be_reordered_and_stay_so(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {f"{name}/x": [1, 2] for name in ("eval", "train", "lr", "system")})
    write_run(logdir / "b", {f"eval/y{index}": [1, 2] for index in range(3)})

    def expect_headings(page: Page, *headings: str) -> None:
        expect(page.get_by_role("main").locator("h2 b")).to_have_text(headings)

    page = open_page(address + "#scalars")
    expect(page.get_by_role("article")).to_have_count(7)
    expect_headings(page, "eval/", "train/", "lr/", "system/")
    # By the keyboard alone; the focus stays with the section that moves.
    button = page.get_by_role("button", name="Order of system/")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        button.press("Enter")
        page.keyboard.press("Enter")
    expect_headings(page, "system/", "eval/", "train/", "lr/")
    expect(button).to_be_focused()
    # The next visit has the same order, on Time series as well.
    later = open_page(address)
    expect(later.get_by_role("main").locator("h2 b").first).to_have_text("system/")
    button = later.get_by_role("button", name="Order of eval/")
    button.press("Enter")
    later.get_by_role("menuitem", name="Move down").click()
    expect(later.get_by_role("main").locator("h2 b").nth(1)).to_have_text("train/")
    with later.expect_response(lambda answer: answer.request.method == "PATCH"):
        button.press("Enter")
        later.get_by_role("menuitem", name="Default order of sections").click()
    expect_headings(later, "eval/", "train/", "lr/", "system/")


def test_a_pinned_card_stays_on_top_and_in_the_link(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": [1, 2], "eval/loss": [3, 4]})
    page = open_page(address + "#scalars")
    tool(page, "train/loss", "Pin").click()
    pinned = page.get_by_role("region", name="Pinned")
    expect(pinned.get_by_role("article", name="train/loss")).to_be_visible()
    page.wait_for_url(re.compile("pinnedCards="))
    again = open_page(link_of(page))
    expect(again.get_by_role("region", name="Pinned").get_by_role("article", name="train/loss")).to_be_visible()
    # The server stores it for the next visit.
    later = open_page(address + "#scalars")
    expect(later.get_by_role("region", name="Pinned").get_by_role("article", name="train/loss")).to_be_visible()
    tool(again, "train/loss", "Pin").click()
    expect(again.get_by_role("region", name="Pinned")).to_have_count(0)
    # As TensorBoard writes it.
    theirs = open_page(address + '?pinnedCards=[{"plugin":"scalars","tag":"eval/loss"}]#timeseries')
    expect(theirs.get_by_role("region", name="Pinned").get_by_role("article", name="eval/loss")).to_be_visible()


def test_a_copied_link_shows_the_same_picture(address: str, open_page: OpenPage, logdir: Path) -> None:
    for run in ("a", "b"):
        write_run(logdir / run, {"train/loss": list(np.linspace(2, 0.1, 200)), "eval/loss": [1.0, 2.0]})
    page = open_page(address + "#scalars")
    expect(card(page, "train/loss")).to_contain_text("2 runs · 400 points")
    page.get_by_role("button", name="Relative", exact=True).click()
    page.get_by_role("button", name="Adapt smoothing").click()
    page.get_by_label("Smoothing, 0 to 0.999").fill("0.999")
    page.get_by_label("Smoothing, 0 to 0.999").press("Enter")
    tool(page, "train/loss", "Log y").click()
    tool(page, "train/loss", "Chart settings").click()
    page.get_by_label("Y from").fill("0.05")
    page.get_by_label("Y from").press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("menuitemcheckbox", name="2 columns").click()
    page.get_by_label("Filter tags by regular expression").fill("train")
    expect(page.get_by_role("article")).to_have_count(1)
    page.wait_for_url(re.compile("tagFilter=train"))
    again = open_page(link_of(page))
    expect(again.get_by_role("article")).to_have_count(1)
    expect(again.get_by_role("button", name="Relative", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(again.get_by_label("Smoothing, 0 to 0.999")).to_have_value("0.999")
    expect(again.get_by_role("button", name="Columns")).to_contain_text("2 columns")
    expect(tool(again, "train/loss", "Log y")).to_have_attribute("aria-pressed", "true")
    ticks = "article text.y"
    expect(again.locator(ticks).first).to_be_visible()
    expect(again.locator(ticks)).to_have_text(page.locator(ticks).all_text_contents())


def test_a_card_fills_the_screen_and_escape_brings_it_back(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": [1, 2, 3], "eval/loss": [3, 4]})
    page = open_page(address + "#scalars")
    tool(page, "train/loss", "Full screen").click()
    expect(page.get_by_role("article")).to_have_count(1)
    box = card(page, "train/loss").bounding_box()
    assert box is not None
    assert box["height"] > 700
    page.keyboard.press("Escape")
    expect(page.get_by_role("article")).to_have_count(2)


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_downloads_hold_every_point(address: str, open_page: OpenPage, logdir: Path, ending: str) -> None:
    values = [0.1, float("nan"), float("inf"), -2.5, *np.linspace(0, 1, 3000).astype(np.float32).tolist()]
    write_run(logdir / 'quoted "a", b', {"train/loss": values})
    write_run(logdir / "hidden", {"train/loss": [9.0]})
    page = open_page(address + "#scalars")
    page.get_by_role("checkbox", name=re.compile("hidden")).first.click()
    expect(card(page, "train/loss")).to_contain_text("1 run")
    tool(page, "train/loss", "Download").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile(f"^{ending.upper()}")).click()
    assert waiting.value.suggested_filename == f"train_loss.{ending}"
    text = Path(waiting.value.path()).read_text("utf-8")
    if ending == "csv":
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert {row["run"] for row in rows} == {'quoted "a", b'}
        got = [(int(row["step"]), float(row["wall_time"]), float(row["value"])) for row in rows]
    else:
        (series,) = json.loads(text)["series"]
        assert (series["tag"], series["run"]) == ("train/loss", 'quoted "a", b')
        triples = zip(series["steps"], series["wall_times"], series["values"], strict=True)
        got = [(step, wall, float(value)) for step, wall, value in triples]
    want = [(step, BEGAN + step, np.float32(value)) for step, value in enumerate(values)]
    np.testing.assert_array_equal(np.array(got), np.array(want))


def test_pictures_are_saved_as_shown(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "<b>run</b>", {"train/loss": list(np.linspace(1, 0, 50))})
    page = open_page(address + "#scalars")
    expect(card(page, "train/loss")).to_contain_text("50 points")
    for ending, magic in (("svg", b"<svg xmlns"), ("png", b"\x89PNG")):
        tool(page, "train/loss", "Download").click()
        with page.expect_download() as waiting:
            page.get_by_role("button", name=re.compile(f"^{ending.upper()}")).click()
        data = Path(waiting.value.path()).read_bytes()
        assert data.startswith(magic)
        if ending == "svg":
            assert b"<b>" not in data
            assert data.count(b'stroke-width="1.4"') == 1


def test_a_figure_has_the_size_the_titles_and_every_name(address: str, open_page: OpenPage, logdir: Path) -> None:
    names = [f"a long name that no line end has room for, run {run}" for run in range(3)]
    for name in names:
        write_run(logdir / name, {"train/loss": list(np.linspace(1, 0, 50))})
    page = open_page(address + "#scalars", theme="dark")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tool(page, "train/loss", "Download").click()
    page.get_by_role("button", name="Figure").click()
    dialog = page.get_by_role("dialog", name="Figure")
    dialog.get_by_label("Width, mm").fill("9")
    expect(dialog.get_by_role("alert")).to_have_text("The width must be 30 to 500 mm.")
    dialog.get_by_label("Size", exact=True).select_option("Two columns, 183 × 80 mm")
    dialog.get_by_label("Y axis").fill("Loss <train>")
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name="SVG").click()
    svg = Path(waiting.value.path()).read_text("utf-8")
    assert 'width="692" height="302"' in svg
    assert 'height="100%" fill="#fff"' in svg  # in the dark theme, too
    for text in (">Step</text>", ">Loss &lt;train&gt;</text>", *(f">{name}</text>" for name in names)):
        assert text in svg
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("button", name="Copied")).to_be_visible()
    types = page.evaluate("async () => (await navigator.clipboard.read())[0].types")
    assert types == ["image/png"]
    # The browser saves what it would print; here that is looked at before it is put away.
    page.evaluate("window.print = () => undefined")
    dialog.get_by_role("button", name="PDF").click()
    expect(page.locator(".printed-figure")).to_be_attached()
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.count(b"/Type /Page\n") == 1
    box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert box is not None
    assert [float(side) for side in box.groups()] == pytest.approx([518.7, 226.8], abs=1)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_everything_shown_in_one_file(address: str, open_page: OpenPage, logdir: Path, ending: str) -> None:
    from pyarrow import parquet

    for run in ("a", 'b "quoted", <b>', "hidden"):
        tags = {f"train/{tag}": [float(len(tag)), float("nan"), 0.1] for tag in ("loss", "accuracy")}
        write_run(logdir / run, tags | {"lr": [1.0]})
    page = open_page(address + "#scalars")
    page.get_by_role("checkbox", name=re.compile("hidden")).first.click()
    page.get_by_label("Filter tags by regular expression").fill("^train")
    page.get_by_role("button", name="Download everything").click()
    expect(page.get_by_role("button", name=re.compile("Everything shown as CSV"))).to_contain_text("2 tags, 2 runs")
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile(f"Everything shown as {ending}", re.IGNORECASE)).click()
    assert waiting.value.suggested_filename == f"scalars.{ending}"
    if ending == "csv":
        text = Path(waiting.value.path()).read_text("utf-8")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    else:
        rows = parquet.read_table(waiting.value.path()).to_pylist()
    got = [(row["tag"], row["run"], int(row["step"]), float(row["wall_time"]), float(row["value"])) for row in rows]
    want = [
        (f"train/{tag}", run, step, BEGAN + step, float(np.float32(value)))
        for tag in ("accuracy", "loss")
        for run in ("a", 'b "quoted", <b>')
        for step, value in enumerate([len(tag), float("nan"), 0.1])
    ]
    assert [row[:4] for row in got] == [row[:4] for row in want]
    np.testing.assert_array_equal([row[4] for row in got], [row[4] for row in want])


def test_without_pyarrow_the_page_says_what_to_install(logdir: Path, open_page: OpenPage, tmp_path: Path) -> None:
    write_run(logdir / "a", {"loss": [1.0]})
    (tmp_path / "no" / "pyarrow").mkdir(parents=True)
    (tmp_path / "no" / "pyarrow" / "__init__.py").write_text("raise ImportError('not here')")
    with served("--logdir", str(logdir), environment={"PYTHONPATH": str(tmp_path / "no")}) as address:
        page = open_page(address + "#scalars", may_complain=True)
        page.get_by_role("button", name="Download everything").click()
        page.get_by_role("button", name=re.compile("Everything shown as Parquet")).click()
        expect(page.get_by_role("alert")).to_contain_text("pip install 'seamark[parquet]'")


def test_the_page_is_dark_where_the_system_is(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": [1, 2, 3]})
    page = open_page(address + "#scalars", theme="dark")
    expect(card(page, "train/loss")).to_contain_text("3 points")
    colour = card(page, "train/loss").evaluate("element => getComputedStyle(element).backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    assert max(red, green, blue) < 60


# Counts the messages of the server in `received`.
COUNT_MESSAGES = """
window.received = 0;
window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    for (const name of ["hello", "change", "progress"]) this.addEventListener(name, () => (window.received += 1));
  }
};
"""


def test_a_thousand_runs_are_drawn_in_one_card(address: str, open_page: OpenPage, logdir: Path) -> None:
    steps = np.arange(60)
    for number in range(1000):
        write_run(logdir / f"run{number:04}", {"train/loss": list(np.exp(-steps / (5 + number % 40)) + number / 1000)})
    page = open_page("about:blank")
    page.set_default_timeout(60_000)
    page.add_init_script(COUNT_MESSAGES)
    page.goto(address + "#scalars")
    expect(card(page, "train/loss")).to_contain_text("1,000 runs · 60,000 points", timeout=60_000)
    received = page.evaluate("received")
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url) if "api/series" in request.url else None)
    page.wait_for_function("() => Number(document.querySelector('article .chart').dataset.drawn) > 0")
    inked = """canvas => { const copy = new OffscreenCanvas(canvas.width, canvas.height); const on = copy.getContext('2d');
        on.drawImage(canvas, 0, 0); const { data } = on.getImageData(0, 0, copy.width, copy.height);
        let painted = 0; for (let i = 3; i < data.length; i += 4) painted += data[i] > 0; return painted / (data.length / 4); }"""
    # What a worker has drawn appears with one of the next frames.
    page.wait_for_function(f"() => ({inked})(document.querySelector('article canvas')) > 0.1")
    write_run(logdir / "one more", {"train/loss": [1.0] * 60})
    expect(card(page, "train/loss")).to_contain_text("1,001 runs · 60,060 points", timeout=60_000)
    # At most one for each message, and one that was waiting: a response must not lead to the next request.
    requested = len(urls)
    assert requested <= page.evaluate("received") - received + 1


def test_two_thousand_tags_are_read_only_where_they_are_seen(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {f"layer/{number}": [1.0, 2.0, 3.0] for number in range(2000)})
    page = open_page(address + "#scalars")
    expect(card(page, "layer/0")).to_contain_text("3 points")
    assert page.get_by_role("article").count() < 40
    page.locator("main .scroll").evaluate("element => element.scrollTo(0, element.scrollHeight)")
    expect(card(page, "layer/1999")).to_contain_text("3 points")
    assert page.get_by_role("article").count() < 40


def test_hostile_names_stay_text_and_break_no_layout(address: str, open_page: OpenPage, logdir: Path) -> None:
    evil = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
    tags = [evil, "x" * 300, "quote \"'`", "emoji \U0001f600/\U0001f4a9", "new\nline", "{{7*7}}", "a/b/" + "long/" * 60]
    write_run(logdir / "<b>run</b> 'quoted' \U0001f600", {tag: [1.0, 2.0, 3.0] for tag in tags})
    write_run(logdir / ("r" * 200), {tag: [1.0, 2.0, 3.0] for tag in tags})
    page = open_page(address + "#scalars", width=900, height=700)
    expect(card(page, evil)).to_contain_text("2 runs · 6 points")
    assert page.locator("article img, article script, main h2 img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    card(page, evil).locator(".pointer-overlay").hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("<b>run</b>")
    box = tip.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 900
    tool(page, evil, "Pin").click()
    expect(page.get_by_role("region", name="Pinned").get_by_role("article")).to_have_attribute("aria-label", evil)
