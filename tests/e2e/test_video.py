"""Videos as a person watches them: frame by frame, together, and some that cannot be played."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from seamark import SummaryWriter
from seamark.kinds import image
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage, press
from tests.e2e.videos import COLOURS, FRAME_SECS, HEIGHT, MPEG4, WEBM, WIDTH
from tools.in_process import served_in_process

WALL = 1_700_000_000.0
HOSTILE = "<img src=x onerror=alert(1)> 🌊"
# Films keep colours at half the size and round them.
TOLERANCE = 12
Colour = tuple[int, int, int]

PIXEL = """element => {
  const copy = new OffscreenCanvas(1, 1).getContext("2d");
  copy.drawImage(element, 0, 0, 1, 1);
  return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


def gif(colours: Sequence[Colour], *, frame_ms: int = 100) -> bytes:
    frames = [Image.new("RGB", (WIDTH, HEIGHT), colour) for colour in colours]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=frame_ms, loop=0)
    return out.getvalue()


def clip(colours: Sequence[Colour]) -> np.ndarray:
    """As add_video takes it: batch, time, channels, height, width."""
    return np.stack([np.broadcast_to(np.array(c, np.uint8)[:, None, None], (3, HEIGHT, WIDTH)) for c in colours])[None]


def write(folder: Path, values: dict[int, dict[str, bytes]]) -> None:
    with EventFile(folder, wall_time=WALL) as file:
        for step, files in values.items():
            encoded = [image.encode_files(tag, [data], width=WIDTH, height=HEIGHT) for tag, data in files.items()]
            file.append(event_record(encoded, step=step, wall_time=WALL + step))


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("videos")
    film = WEBM.read_bytes()
    for run, colours in (("a", COLOURS), ("b", COLOURS[::-1])):
        with SummaryWriter(str(folder / run)) as writer:
            writer.add_video("rollout/drawn", clip(colours), 0, fps=10)
            writer.add_video("rollout/drawn", clip(colours[:4]), 1, fps=10)
        write(folder / run, {0: {"rollout/film": film}})
    write(folder / "a", {0: {"still": image.png(np.zeros((4, 4, 3), np.uint8))}})
    whole = gif(COLOURS)
    bad = {
        "bad/codec": MPEG4.read_bytes(),
        "bad/cut film": MPEG4.read_bytes()[:900],
        "bad/webm": film[:4] + bytes(100),
        "bad/cut drawing": whole[: len(whole) * 2 // 3],
        HOSTILE: whole,
    }
    write(folder / "broken", {0: bad})
    return folder


@pytest.fixture(scope="module")
def address(logdir: Path) -> Iterator[str]:
    with served_in_process(logdir) as address:
        yield address


def card(page: Page, tag: str, run: str) -> Locator:
    return page.get_by_role("article", name=f"{tag}, {run}", exact=True)


def scrub(page: Page, seconds: float, *, name: str = "Time of all clips") -> None:
    slider = page.get_by_role("slider", name=name, exact=True)
    expect(slider).to_be_enabled()
    slider.fill(str(seconds))


def expect_colour(shown: Locator, colour: Colour, *, tolerance: int = 0) -> None:
    """The colour of the current frame, once it is the requested one."""
    shown.page.wait_for_function(
        f"""([element, wanted, tolerance]) => {{
          if (element.seeking || element.readyState < 2) return false;
          return ({PIXEL})(element).every((value, index) => Math.abs(value - wanted[index]) <= tolerance);
        }}""",
        arg=[shown.element_handle(), list(colour), tolerance],
    )


def expect_frame(page: Page, tag: str, run: str, frame: int, count: int = len(COLOURS)) -> None:
    expect(card(page, tag, run)).to_contain_text(f"frame {frame + 1} of {count}")


def test_scrubbing_shows_the_frame_of_that_time_in_all_runs(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#video&tagFilter=drawn&video.linked=1&video.step=0")
    expect_frame(page, "rollout/drawn", "a", 0)
    for frame in (3, 9, 0, 6):
        scrub(page, frame * FRAME_SECS + 0.05)
        for run, colours in (("a", COLOURS), ("b", COLOURS[::-1])):
            expect_frame(page, "rollout/drawn", run, frame)
            expect_colour(card(page, "rollout/drawn", run).locator("canvas"), colours[frame])


def test_a_film_shows_the_frame_of_that_time(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#video&tagFilter=film")
    for frame in (4, 8, 1):
        scrub(page, frame * FRAME_SECS)
        for run in ("a", "b"):
            expect_colour(card(page, "rollout/film", run).locator("video"), COLOURS[frame], tolerance=TOLERANCE)
    expect(page.get_by_text("0:00.1 / 0:01.0")).to_be_visible()


def test_frames_are_stepped_by_key_and_by_button(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#video&tagFilter=drawn&video.linked=1&video.step=0")
    expect_frame(page, "rollout/drawn", "a", 0)
    for frame in (1, 2, 3):
        page.keyboard.press(".")
        expect_frame(page, "rollout/drawn", "a", frame)
        expect_frame(page, "rollout/drawn", "b", frame)
    page.get_by_role("button", name="A frame back").click()
    expect_frame(page, "rollout/drawn", "a", 2)
    scrub(page, 0.05)
    page.keyboard.press(",")
    expect_frame(page, "rollout/drawn", "a", 0)


def test_clips_play_together_and_stop_at_the_same_frame(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#video&tagFilter=rollout&video.linked=1&video.step=0&video.rate=0.5")
    for run in ("a", "b"):
        expect_frame(page, "rollout/drawn", run, 0)
    page.get_by_role("button", name="Play", exact=True).click()
    # In the page itself: the clips must not end before the click.
    page.wait_for_function(
        """() => {
          const isPlaying = [...document.querySelectorAll("video")].every((film) => film.currentTime > 0.3);
          if (isPlaying) document.querySelector("button[aria-label=Pause]").click();
          return isPlaying;
        }"""
    )
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    slider = page.get_by_role("slider", name="Time of all clips", exact=True)
    time = float(slider.input_value())
    frame = int(time / FRAME_SECS + 1e-6)
    for run in ("a", "b"):
        expect_frame(page, "rollout/drawn", run, frame)
        expect_colour(card(page, "rollout/film", run).locator("video"), COLOURS[frame], tolerance=TOLERANCE)
    assert page.evaluate("[...document.querySelectorAll('video')].every(film => film.paused && film.muted)")


def test_without_synchronisation_every_clip_has_its_own_time(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#video&tagFilter=drawn&video.linked=1&video.step=0")
    expect_frame(page, "rollout/drawn", "b", 0)
    page.keyboard.press("y")
    scrub(page, 0.55, name="Time of rollout/drawn, a")
    expect_frame(page, "rollout/drawn", "a", 5)
    expect_frame(page, "rollout/drawn", "b", 0)
    card(page, "rollout/drawn", "b").hover()
    page.keyboard.press(".")
    expect_frame(page, "rollout/drawn", "b", 1)
    expect_frame(page, "rollout/drawn", "a", 5)
    page.wait_for_function("() => location.hash.includes('video.sync=0')")
    page.reload()
    expect(page.get_by_role("button", name="Synchronised")).to_have_attribute("aria-pressed", "false")


def test_every_step_has_its_own_clip(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#video&tagFilter=drawn")
    expect_frame(page, "rollout/drawn", "a", 0, 4)
    expect(card(page, "rollout/drawn", "a")).to_contain_text("step 1")
    press(page.get_by_role("slider", name="Step of rollout/drawn, a"), "Home")
    expect_frame(page, "rollout/drawn", "a", 0, 10)
    # The shorter clip stays on its last frame.
    scrub(page, 0.95)
    expect_frame(page, "rollout/drawn", "a", 9, 10)
    expect_frame(page, "rollout/drawn", "b", 3, 4)


def test_a_clip_fills_the_page_and_the_address_remembers(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#video&tagFilter=drawn")
    card(page, "rollout/drawn", "b").get_by_role("button", name="Full screen").click()
    expect(page.get_by_role("article")).to_have_count(1)
    page.reload()
    scrub(page, 0.25)
    expect_frame(page, "rollout/drawn", "b", 2, 4)
    page.keyboard.press("Escape")
    expect(page.get_by_role("article")).to_have_count(2)


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("bad/codec", "this browser has no decoder for the codec of this video"),
        ("bad/cut film", "the MP4 is cut off"),
        ("bad/webm", "the video is damaged"),
        ("bad/cut drawing", "the GIF is cut off"),
    ],
)
def test_what_cannot_be_played_says_why_in_its_card(address: str, open_page: OpenPage, tag: str, sentence: str) -> None:
    # The last tag begins with "<": everything else goes on.
    page = open_page(address + "#video&tagFilter=^bad|onerror")
    expect(card(page, tag, "broken").get_by_role("alert").first).to_contain_text(sentence)
    expect_frame(page, HOSTILE, "broken", 0)
    scrub(page, 0.45)
    expect_colour(card(page, HOSTILE, "broken").locator("canvas"), COLOURS[4])
    expect(page.locator("img[src=x]")).to_have_count(0)


def test_frames_come_from_the_server_where_the_browser_cannot_take_a_gif_apart(
    address: str, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    page.add_init_script("delete globalThis.ImageDecoder")
    page.goto(address + "#video&tagFilter=drawn&video.linked=1&video.step=0")
    scrub(page, 0.75)
    expect_frame(page, "rollout/drawn", "a", 7)
    expect_colour(card(page, "rollout/drawn", "a").locator("canvas"), COLOURS[7])


def test_what_other_writers_logged_as_gif_is_a_video(open_page: OpenPage, tmp_path: Path) -> None:
    """Their add_video makes a GIF with moviepy and logs it in the old form; without moviepy, the same by hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.utils.tensorboard import SummaryWriter as Torch
        from torch.utils.tensorboard.summary import Summary
    drawn = Summary.Image(height=HEIGHT, width=WIDTH, colorspace=3, encoded_image_string=gif(COLOURS))
    with Torch(str(tmp_path / "torch")) as writer:
        writer._get_file_writer().add_summary(Summary(value=[Summary.Value(tag="clip", image=drawn)]), 3)
    with served_in_process(tmp_path) as address:
        page = open_page(address + "#video")
        expect_frame(page, "clip", "torch", 0)
        scrub(page, 0.55)
        expect_colour(card(page, "clip", "torch").locator("canvas"), COLOURS[5])
        page.close()


def test_the_tab_comes_with_the_first_video(open_page: OpenPage, tmp_path: Path) -> None:
    still = {"x": image.png(np.zeros((4, 4, 3), np.uint8))}
    write(tmp_path / "run", {0: still})
    with served_in_process(tmp_path) as address:
        page = open_page(address + "#images")
        tabs = page.get_by_role("navigation", name="Dashboards")
        expect(page.locator("img[data-ready=true]")).to_have_count(1)
        expect(tabs.get_by_role("link", name="Video")).to_have_count(0)
        tabs.get_by_role("button", name="More").click()
        expect(page.get_by_role("menuitem", name="Video")).to_contain_text("no data")
        page.get_by_role("menuitem", name="Video").click()
        expect(page.get_by_role("heading", name="No videos yet")).to_be_visible()
        tabs.get_by_role("link", name="Images").click()
        write(tmp_path / "other", {0: {"y": gif(COLOURS)}})
        expect(tabs.get_by_role("link", name="Video")).to_be_visible()
        page.close()
