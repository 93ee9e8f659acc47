"""Custom scalars in a real browser: layouts of three writers, layouts made by hand, and layouts that are wrong."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from seamark import SummaryWriter
from tests.e2e.conftest import OpenPage
from tests.e2e.links import link_of
from tools.in_process import served_in_process

STEPS = range(5)
HOSTILE = "<img src=x onerror=alert(1)> \N{GRINNING FACE} '\"&/__proto__"
LAYOUT = {
    "Losses": {
        "both": ["Multiline", ["loss/(train|eval)"]],
        "bounds": ["Margin", ["loss/mean", "loss/low", "loss/high"]],
    }
}

SECTIONS = {"First": "loss/train", "Second": "loss/eval", "Third": "loss/mean"}


def mean(step: int, seed: int) -> float:
    return 8.0 / (step + 1) + seed


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def address(logdir: Path, tmp_path: Path) -> Iterator[str]:
    logdir.mkdir()
    # Layouts that people make are kept in the state.
    with served_in_process(logdir, state_dir=tmp_path / "state") as address:
        yield address


def log(writer: Any, seed: int, layout: Any = None, extra: tuple[str, ...] = (), steps: range = STEPS) -> None:
    for step in steps:
        value = mean(step, seed)
        for tag, offset in (("mean", 0), ("low", -0.5), ("high", 0.75), ("train", 0.0), ("eval", 1.0)):
            writer.add_scalar(f"loss/{tag}", value + offset, step)
        for tag in extra:
            writer.add_scalar(tag, value, step)
    if layout:
        writer.add_custom_scalars(layout)
    writer.close()


def log_three(logdir: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tensorboardX import SummaryWriter as TensorboardX
        from torch.utils.tensorboard import SummaryWriter as Torch

        log(Torch(str(logdir / "torch")), 0, LAYOUT)
        log(TensorboardX(str(logdir / "tensorboardX")), 10, {"Losses": {"means": ["Multiline", ["loss/mean"]]}})
    log(SummaryWriter(logdir / "ours"), 20, {**LAYOUT, "More": {"all": ["Multiline", ["loss/.*"]]}})


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("article", name=title, exact=True)


def has_titles(page: Page, titles: list[str]) -> None:
    cards = page.get_by_role("article")
    expect(cards).to_have_count(len(titles))
    for place, title in enumerate(titles):
        expect(cards.nth(place)).to_have_attribute("aria-label", title)


def first_row(page: Page, title: str) -> None:
    """The keyboard walks to the first step."""
    expect(card(page, title).locator(".pointer-overlay")).to_be_visible()
    card(page, title).locator(".pointer-overlay").focus()
    page.keyboard.press("Home")


def cells(page: Page, name: str) -> Locator:
    rows = page.get_by_role("tooltip").locator("tbody tr")
    return rows.filter(has_text=name).locator("td")


def named(page: Page, label: str, name: str) -> None:
    page.get_by_role("dialog", name=label).get_by_role("textbox").fill(name)
    page.keyboard.press("Enter")


def add_lines(page: Page, *tags: str, title: str = "") -> None:
    page.get_by_role("button", name="Add chart").click()
    editor = page.get_by_role("dialog", name="New chart")
    editor.get_by_label("Title").fill(title)
    for tag in tags:
        editor.get_by_role("checkbox", name=tag, exact=True).check()
    editor.get_by_role("button", name="Add chart").click()
    expect(editor).to_be_hidden()


def test_layouts_of_three_writers_are_one_and_draw_what_was_logged(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    log_three(logdir)
    page = open_page(address + "#custom_scalars&smoothing=0")
    expect(page.get_by_role("article")).to_have_count(4)
    # In the order of the runs' names: ours, tensorboardX, torch.
    has_titles(page, ["both", "bounds", "means", "all"])
    expect(card(page, "both")).to_contain_text("2 tags · 3 runs")
    expect(card(page, "all")).to_contain_text("5 tags · 3 runs")
    first_row(page, "bounds")
    for step in STEPS:
        for run, seed in (("torch", 0), ("tensorboardX", 10), ("ours", 20)):
            expect(cells(page, run).nth(4)).to_have_text(str(step))
            value = mean(step, seed)
            found = [float(cells(page, run).nth(at).inner_text()) for at in (1, 2, 3)]
            assert found == pytest.approx([value - 0.5, value, value + 0.75], rel=1e-3)
        page.keyboard.press("ArrowRight")
    first_row(page, "both")
    expect(cells(page, "torch · loss/train").nth(1)).to_have_text("8.0000")
    expect(cells(page, "torch · loss/eval").nth(1)).to_have_text("9.0000")


def test_smoothing_leaves_margins_as_logged_and_is_labelled_in_lines(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    # Shorter series are not smoothed.
    log(SummaryWriter(logdir / "a"), 0, LAYOUT, steps=range(20))
    page = open_page(address + "#custom_scalars&smoothing=0.9")
    first_row(page, "bounds")
    page.keyboard.press("End")
    expect(cells(page, "a")).to_have_text(["a", "−0.1000", "0.4000", "1.1500", "19", re.compile(r"\d")])
    first_row(page, "both")
    page.keyboard.press("End")
    heads = page.get_by_role("tooltip").locator("th")
    expect(heads).to_have_text(["Run", "Smoothed", "Value", "Step", "Relative"])
    expect(cells(page, "loss/train").nth(2)).to_have_text("0.4000")
    expect(cells(page, "loss/train").nth(1)).not_to_have_text("0.4000")


def test_what_is_wrong_with_a_chart_is_said_in_its_card_and_the_others_go_on(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    broken = {
        "Charts": {
            "some": ["Multiline", ["loss/(", "loss/mean"]],
            "none": ["Multiline", ["*"]],
            "endless": ["Multiline", ["(a+)+$"]],
            "absent": ["Multiline", ["nothing"]],
            "half": ["Margin", ["loss/mean", "loss/gone", "loss/high"]],
            "good": ["Margin", ["loss/mean", "loss/low", "loss/high"]],
        }
    }
    log(SummaryWriter(logdir / "a"), 0, broken, extra=("a" * 60 + "!",))
    page = open_page(address + "#custom_scalars&smoothing=0")
    expect(card(page, "some").get_by_role("note")).to_contain_text("“loss/(”: not a regular expression")
    expect(card(page, "some")).to_contain_text("1 tag · 1 run")
    expect(card(page, "none").get_by_role("alert")).to_contain_text("no argument for repetition operator")
    expect(card(page, "endless")).to_contain_text("No run logs a tag that begins with a match of")
    expect(card(page, "absent")).to_contain_text("No run logs a tag that begins with a match of")
    expect(card(page, "half").get_by_role("note")).to_have_text("No run logs “loss/gone” (lower).")
    first_row(page, "half")
    expect(cells(page, "a")).to_have_text(["a", "–", "8.0000", "8.7500", "0", "0 s"])
    first_row(page, "good")
    expect(cells(page, "a").nth(1)).to_have_text("7.5000")


def test_a_layout_is_made_by_hand_kept_and_linked_to(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(SummaryWriter(logdir / "a"), 0, extra=(HOSTILE,))
    page = open_page(address + "#custom_scalars&smoothing=0")
    expect(page.get_by_text("add_custom_scalars")).to_be_visible()
    page.get_by_role("button", name="New layout").click()
    named(page, "New layout: its name", HOSTILE)
    add_lines(page, "loss/train", "loss/eval", title="pair")
    add_lines(page, HOSTILE)
    page.get_by_role("button", name="Add chart").click()
    editor = page.get_by_role("dialog", name="New chart")
    editor.get_by_label("Title").fill("band")
    editor.get_by_label("Section").fill("Margins")
    editor.get_by_role("button", name="Margin").click()
    for part, tag in (("value", "loss/mean"), ("lower", "loss/low"), ("upper", "loss/high")):
        editor.get_by_label(f"{part} of series 1").fill(tag)
    editor.get_by_role("button", name="Add chart").click()
    expect(card(page, "band")).to_contain_text("1 margin · 1 run")
    has_titles(page, ["pair", HOSTILE, "band"])
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()

    copy = open_page(link_of(page))
    expect(copy.get_by_role("button", name=re.compile("^Layout: "))).to_have_text(HOSTILE)
    expect(copy.get_by_role("article")).to_have_count(3)
    has_titles(copy, ["pair", HOSTILE, "band"])
    first_row(copy, "band")
    expect(cells(copy, "a")).to_have_text(["a", "7.5000", "8.0000", "8.7500", "0", "0 s"])
    first_row(copy, HOSTILE)
    expect(cells(copy, "a").nth(1)).to_have_text("8.0000")


def made(page: Page, name: str) -> None:
    page.get_by_role("button", name="New layout").click()
    named(page, "New layout: its name", name)
    for title, tag in (("one", "loss/train"), ("two", "loss/eval"), ("three", "loss/mean")):
        add_lines(page, tag, title=title)
    expect(page.get_by_role("article")).to_have_count(3)


def test_cards_move_by_drag_and_by_keys(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(SummaryWriter(logdir / "a"), 0)
    page = open_page(address + "#custom_scalars")
    made(page, "mine")
    head = card(page, "one").locator("header")
    head.drag_to(card(page, "three"), source_position={"x": 40, "y": 10}, target_position={"x": 300, "y": 60})
    expect(page.get_by_role("article").nth(2)).to_have_attribute("aria-label", "one")
    has_titles(page, ["two", "three", "one"])
    page.get_by_role("button", name="Move one", exact=True).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("article").nth(1)).to_have_attribute("aria-label", "one")
    # The focus goes with the card.
    expect(page.get_by_role("button", name="Move one", exact=True)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("article").nth(0)).to_have_attribute("aria-label", "one")
    page.get_by_role("button", name="Remove three").click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("article")).to_have_count(3)
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    page.reload()
    expect(page.get_by_role("article")).to_have_count(3)
    has_titles(page, ["one", "two", "three"])


def sections(page: Page) -> Locator:
    return page.locator("section h2 b")


def test_sections_are_moved_renamed_and_joined(address: str, open_page: OpenPage, logdir: Path) -> None:
    charts = {section: {f"in {section}": ["Multiline", [tag]]} for section, tag in SECTIONS.items()}
    log(SummaryWriter(logdir / "a"), 0, charts)
    page = open_page(address + "#custom_scalars")
    expect(sections(page)).to_have_text(["First", "Second", "Third"])
    expect(page.get_by_role("button", name="Rename First")).to_have_count(0)  # the logs' layout is not ours to change
    page.get_by_role("button", name="Edit a copy").click()
    named(page, "Edit a copy: its name", "mine")

    expect(page.get_by_role("button", name="Move First up")).to_be_disabled()
    page.get_by_role("button", name="Move First down").click()
    expect(sections(page)).to_have_text(["Second", "First", "Third"])
    # The keyboard goes with the section, and stays with it at the end.
    expect(page.get_by_role("button", name="Move First down")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sections(page)).to_have_text(["Second", "Third", "First"])
    expect(page.get_by_role("button", name="Move First up")).to_be_focused()

    page.get_by_role("button", name="Rename Third").click()
    named(page, "Rename the section", HOSTILE)
    expect(sections(page)).to_have_text(["Second", HOSTILE, "First"])
    page.get_by_role("button", name="Rename Second").click()
    named(page, "Rename the section", "First")
    expect(sections(page)).to_have_text([HOSTILE, "First"])
    expect(page.get_by_text("The charts of “Second” are in “First” now.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(sections(page)).to_have_text(["Second", HOSTILE, "First"])
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    page.reload()
    expect(sections(page)).to_have_text(["Second", HOSTILE, "First"])
    has_titles(page, ["in Second", "in Third", "in First"])


def test_a_layout_goes_out_as_json_and_comes_back(
    address: str, open_page: OpenPage, logdir: Path, tmp_path: Path
) -> None:
    log(SummaryWriter(logdir / "a"), 0, extra=("a.b",))
    page = open_page(address + "#custom_scalars")
    made(page, "mine")
    page.get_by_role("button", name="More", exact=True).last.click()
    page.get_by_role("menuitem", name="Rename…").click()
    named(page, "Rename the layout", "better")
    expect(page.get_by_role("button", name=re.compile("^Layout: "))).to_have_text("better")
    page.get_by_role("button", name="More", exact=True).last.click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Export as JSON").click()
    saved = tmp_path / "better.json"
    download.value.save_as(saved)
    assert download.value.suggested_filename == "better.json"
    layout = json.loads(saved.read_text())
    assert layout["name"] == "better"
    assert layout["category"][0]["chart"][0] == {"title": "one", "multiline": {"tag": ["^loss/train$"]}}

    page.get_by_role("button", name="More", exact=True).last.click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_text("add_custom_scalars")).to_be_visible()
    page.get_by_label("Layout to import").set_input_files(saved)
    expect(page.get_by_role("article")).to_have_count(3)
    has_titles(page, ["one", "two", "three"])
    # What a writer takes is a layout as well; a name that is taken gets a number; what is no layout says so.
    page.get_by_label("Layout to import").set_input_files(
        {"name": "better.json", "mimeType": "application/json", "buffer": json.dumps(LAYOUT).encode()}
    )
    expect(page.get_by_role("button", name=re.compile("^Layout: "))).to_have_text("better 2")
    expect(card(page, "bounds")).to_contain_text("1 margin")
    page.get_by_label("Layout to import").set_input_files(
        {"name": "bad.json", "mimeType": "application/json", "buffer": b"[1, 2]"}
    )
    expect(page.get_by_role("alert")).to_contain_text("“bad.json” is not a layout")
    has_titles(page, ["both", "bounds"])


def test_an_unknown_layout_in_a_link_is_told(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(SummaryWriter(logdir / "a"), 0, LAYOUT)
    page = open_page(address + "#custom_scalars&custom_scalars.layout=gone")
    expect(page.get_by_role("heading", name="No layout is called “gone”")).to_be_visible()
    page.get_by_role("button", name="Show another").click()
    expect(card(page, "bounds")).to_be_visible()
