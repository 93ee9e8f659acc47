"""Nothing moves by itself for those who asked their system for less motion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from seamark.kinds import image
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import TIMEOUT_MS
from tools.in_process import served_in_process

FILM = Path(__file__).parent / "videos/colours.webm"
SIZE = (16, 16)


def gif() -> bytes:
    frames = [Image.new("RGB", SIZE, colour) for colour in ("red", "blue")]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=50, loop=0)
    return out.getvalue()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("runs")
    for run in ("a", "b"):
        with EventFile(logdir / run, wall_time=1.0) as file:
            for step, (tag, data) in enumerate({"drawn": gif(), "film": FILM.read_bytes()}.items()):
                encoded = image.encode_files(tag, [data], width=SIZE[0], height=SIZE[1])
                file.append(event_record([encoded], step=step, wall_time=1.0))
            file.add_scalar("loss", 1.0, 0)
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Page:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.set_default_timeout(TIMEOUT_MS)
    return page


def card(page: Page, tag: str) -> Locator:
    return page.get_by_role("article", name=f"{tag}, a", exact=True)


def test_clips_and_drawings_stand_still(page: Page, address: str) -> None:
    page.goto(f"{address}#images")
    film = card(page, "film").locator("video")
    expect(film).to_have_js_property("readyState", 4)
    expect(film).to_have_js_property("paused", True)
    drawn = card(page, "drawn").locator("img")
    expect(drawn).to_have_js_property("naturalWidth", SIZE[0])
    assert "/frame?" in (drawn.get_attribute("src") or "")


def test_two_pictures_blink_only_on_request(page: Page, address: str) -> None:
    first, second = (quote(json.dumps([run, "drawn", 0, 0])) for run in ("a", "b"))
    page.goto(f"{address}#images&images.open={first}&images.with={second}&images.mode=blink")
    expect(page.get_by_role("button", name="Hold A")).to_have_attribute("aria-pressed", "true")


def test_no_animation_runs(page: Page, address: str) -> None:
    page.goto(f"{address}#scalars")
    expect(page.get_by_role("article").first).to_be_visible()
    page.get_by_role("button", name="Settings", exact=True).click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    running = (
        "document.getAnimations().filter((each) => each.playState === 'running').map((each) => each.animationName)"
    )
    page.wait_for_function(f"{running}.length === 0")
