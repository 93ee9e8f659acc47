"""Captions are shown next to their images: on Images, on Time series and on the page of the run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from seamark import Image, SummaryWriter
from seamark.write.run.values.image import write_images
from tests.e2e.conftest import OpenPage, press

PIXELS = np.full((4, 4, 3), 120, np.uint8)
HOSTILE = "<img src=x onerror=alert(1)> **not bold**"


def log(logdir: Path) -> None:
    with SummaryWriter(logdir / "a") as writer:
        for step in range(3):
            captions = [f"cat {step}", None, HOSTILE]
            write_images([Image(PIXELS, caption=caption) for caption in captions], writer, "eval/batch", step)
        write_images([Image(PIXELS, caption="alone")], writer, "sample", 0)
        writer.add_text("notes", "a text of its own", 0)


def test_captions_stand_at_the_pictures_and_follow_the_steps(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir)
    page = open_page(address + "#images")
    batch = page.get_by_role("article").filter(has_text="batch")
    expect(batch.locator(".caption")).to_have_text(["cat 2", HOSTILE])
    expect(page.get_by_role("article").locator(".caption", has_text="alone")).to_be_visible()
    expect(batch.locator("img")).to_have_count(3)
    press(batch.get_by_role("slider").first, "ArrowLeft")
    expect(batch.locator(".caption")).to_have_text(["cat 1", HOSTILE])
    batch.locator(".tile").nth(2).click()
    expect(page.get_by_role("region", name="eval/batch, full screen").locator(".caption")).to_have_text(HOSTILE)


def test_captions_are_no_texts_of_their_own(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir)
    page = open_page(address + "#timeseries")
    expect(page.get_by_role("article", name="eval/batch").locator(".caption")).to_have_text(["cat 2", HOSTILE])
    expect(page.get_by_role("article")).to_have_count(3)
    titles = page.get_by_role("article").evaluate_all("cards => cards.map((card) => card.ariaLabel)")
    assert sorted(titles) == ["eval/batch", "notes/text_summary", "sample"]
    page.goto(address + "#text")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("article")).to_contain_text("a text of its own")


def test_captions_on_the_page_of_the_run(address: str, open_page: OpenPage, logdir: Path) -> None:
    log(logdir)
    page = open_page(address + "run/a")
    expect(page.locator("figure .caption")).to_have_text(["cat 2", HOSTILE, "alone"])
