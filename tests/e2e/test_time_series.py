"""Time series: cards of every kind in one scroll, grouped by tag, filtered by kind, pinned, and each on the whole screen."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from seamark.kinds import audio, histogram, image, text
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage, pick
from tests.e2e.links import link_of
from tests.e2e.scalar_cards import BEGAN, card, tool

STEPS = (0, 10, 20)
RATE_HZ = 8000
EVIL = '<img src=x onerror="document.title=1"> ' + "x" * 200


@pytest.fixture
def two_runs(logdir: Path, address: str) -> str:
    for run in ("base", "wide"):
        log_every_kind(logdir / run, run)
    return address


def log_every_kind(folder: Path, run: str) -> None:
    tone = 0.5 * np.sin(np.arange(RATE_HZ // 4) / RATE_HZ * 2 * np.pi * 440)
    with EventFile(folder) as file:
        for step in STEPS:
            for tag in ("train/loss", "eval/loss"):
                file.add_scalar(tag, 1 / (1 + step), step, wall_time=BEGAN + step)
            values = [
                image.encode("train/sample", np.full((4, 6, 3), step * 10, np.uint8)),
                histogram.encode("train/weights", np.random.default_rng(step).normal(size=100)),
                text.encode("train/notes", f"**step {step}** of {run}"),
                text.encode(EVIL, EVIL),
                audio.encode("eval/clip", tone[:, None], sample_rate_hz=RATE_HZ),
            ]
            for value in values:
                file.append(event_record(value, step=step, wall_time=BEGAN + step))


def group(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def chip(page: Page, kind: str) -> Locator:
    return page.get_by_role("group", name="Kinds of cards").get_by_role("button", name=re.compile(f"^{kind}"))


def pinned_tags(page: Page) -> list[str]:
    found: list[str] = group(page, "Pinned").get_by_role("article").evaluate_all("all => all.map(one => one.ariaLabel)")
    return found


def pins(*cards: dict[str, object]) -> str:
    return "?pinnedCards=" + quote(json.dumps(cards))


def is_alive(page: Page, tag: str) -> None:
    """The card shows what was logged, not only its frame."""
    found = card(page, tag).first
    found.scroll_into_view_if_needed()
    match tag:
        case "train/sample":
            expect(found.locator("img").first).to_have_js_property("naturalWidth", 6)
        case "train/weights":
            expect(found.locator("[data-drawn]")).not_to_have_attribute("data-drawn", "0")
        case "train/notes":
            expect(found.locator("strong")).to_have_text("step 20")
        case "eval/clip":
            expect(found.locator(".wave")).not_to_have_attribute("data-drawn", "0")


EVERY = ("train/sample", "train/weights", "train/notes", "eval/clip")


def test_every_kind_stands_in_the_group_of_its_tag(two_runs: str, open_page: OpenPage) -> None:
    page = open_page(two_runs + "#timeseries", height=1400)
    for name, tags in (("eval/", ["eval/loss", "eval/clip"]), ("train/", ["train/loss", *EVERY[:3]])):
        for tag in tags:
            expect(group(page, name).get_by_role("article", name=tag, exact=True)).to_be_visible()
    for tag in EVERY:
        is_alive(page, tag)
        # One frame, one heading: the card inside brings none of its own.
        expect(card(page, tag).locator("h3")).to_have_count(1)
        expect(card(page, tag).locator("article")).to_have_count(0)
    expect(card(page, "train/sample").locator("figure")).to_have_count(2)


def test_a_card_of_one_run_at_a_time_has_a_way_to_the_others(two_runs: str, open_page: OpenPage) -> None:
    page = open_page(two_runs + "#timeseries", height=1400)
    for tag in ("train/notes", "train/weights", "eval/clip"):
        pick(card(page, tag), f"Run of {tag}", "wide")
        expect(card(page, tag).get_by_role("group", name=f"{tag}, wide")).to_be_visible()
    expect(card(page, "train/notes")).to_contain_text("of wide")
    page.wait_for_url(re.compile("timeseries.text.cards=.*timeseries|timeseries.histograms.*timeseries.text"))
    again = open_page(page.url, height=1400)
    expect(card(again, "train/notes")).to_contain_text("of wide")
    # A run that is hidden goes from the cards too.
    again.get_by_role("checkbox", name=re.compile("wide")).first.click()
    expect(card(again, "train/notes")).to_contain_text("of base")
    expect(card(again, "train/sample").locator("figure")).to_have_count(1)


def test_chips_choose_kinds_and_the_filter_chooses_tags(two_runs: str, open_page: OpenPage) -> None:
    page = open_page(two_runs + "#timeseries", height=1400)
    expect(page.get_by_role("article")).to_have_count(7)
    chip(page, "Histograms").click()
    expect(page.get_by_role("article")).to_have_count(1)
    chip(page, "Images").click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.wait_for_url(re.compile("timeseries.kinds=histograms,images"))
    again = open_page(page.url, height=1400)
    expect(again.get_by_role("article")).to_have_count(2)
    expect(chip(again, "Images")).to_have_attribute("aria-pressed", "true")
    chip(again, "All").click()
    again.get_by_label("Filter tags by regular expression").fill("^eval|notes")
    expect(again.get_by_role("article")).to_have_count(3)
    for tag in ("eval/loss", "eval/clip", "train/notes"):
        expect(card(again, tag)).to_be_visible()


def test_any_kind_is_pinned_and_kept_in_the_link(two_runs: str, open_page: OpenPage) -> None:
    page = open_page(two_runs + "#timeseries", height=1400)
    tool(page, "train/weights", "Pin").click()
    tool(page, "train/notes", "Pin").click()
    pinned = group(page, "Pinned").get_by_role("article")
    expect(pinned).to_have_count(2)
    page.wait_for_url(re.compile("pinnedCards=.*notes"))
    again = open_page(page.url, height=1400)
    expect(group(again, "Pinned").get_by_role("article")).to_have_count(2)
    assert pinned_tags(again) == ["train/weights", "train/notes"]
    for tag in pinned_tags(again):
        is_alive(again, tag)
    tool(again, "train/weights", "Pin").click()
    expect(group(again, "Pinned").get_by_role("article")).to_have_count(1)


def test_pins_as_tensorboard_writes_them(two_runs: str, open_page: OpenPage) -> None:
    # An image is pinned for a run and a sample, a histogram for a run; what is not there is left out.
    theirs = pins(
        {"plugin": "images", "tag": "train/sample", "runId": "defaultExperimentId/base", "sample": 0},
        {"plugin": "histograms", "tag": "train/weights", "runId": "defaultExperimentId/wide"},
        {"plugin": "scalars", "tag": "eval/loss"},
        {"plugin": "scalars", "tag": "gone"},
    )
    page = open_page(two_runs + theirs + "#timeseries", height=1400)
    expect(group(page, "Pinned").get_by_role("article")).to_have_count(3)
    assert pinned_tags(page) == ["train/sample", "train/weights", "eval/loss"]


def test_every_kind_fills_the_screen(two_runs: str, open_page: OpenPage) -> None:
    page = open_page(two_runs + "#timeseries", height=1000)
    for tag in EVERY:
        page.get_by_label("Filter tags by regular expression").fill(tag)
        tool(page, tag, "Full screen").click()
        expect(page.get_by_role("article")).to_have_count(1)
        is_alive(page, tag)
        content = card(page, tag).locator(".strip, [role=group]").first.element_handle()
        page.wait_for_function("content => content.getBoundingClientRect().height > 700", arg=content)
        again = open_page(link_of(page), height=1000)
        is_alive(again, tag)
        again.close()
        page.keyboard.press("Escape")
        expect(tool(page, tag, "Full screen")).to_be_visible()


def test_a_link_from_one_full_card_to_another_is_followed(two_runs: str, open_page: OpenPage) -> None:
    page = open_page(two_runs + "#timeseries&timeseries.card=train/sample&timeseries.cardKind=images")
    is_alive(page, "train/sample")
    page.evaluate("location.hash = '#timeseries&timeseries.card=train/notes&timeseries.cardKind=text'")
    is_alive(page, "train/notes")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_texts_break_nothing_where_it_is_narrow(two_runs: str, open_page: OpenPage, theme: str) -> None:
    page = open_page(two_runs + "#timeseries&timeseries.kinds=text", width=900, height=1400, theme=theme)
    expect(card(page, EVIL)).to_contain_text("x" * 200)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.title() != "1"
    outer, inner = card(page, EVIL).bounding_box(), card(page, EVIL).get_by_role("group").first.bounding_box()
    assert outer is not None
    assert inner is not None
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
