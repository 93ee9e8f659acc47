"""Images as a person looks at them: by whatever writer, at every step, compared, enlarged, broken, and ten thousand of them."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import FloatRect, Locator, Page, expect

from seamark.format.messages import Summary
from seamark.kinds import image
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage, press
from tools.in_process import served_in_process

WALL = 1_700_000_000.0
SIDE = 4
MANY = 10_000
HOSTILE = "<img src=x onerror=alert(1)> 🌊"


def pixels(seed: int, *, side: int = SIDE, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (side, side, channels), dtype=np.uint8)


def chunk(name: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + name + content + zlib.crc32(name + content).to_bytes(4, "big")


def bomb(side: int) -> bytes:
    """A PNG whose few bytes claim side × side pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def write(folder: Path, steps: dict[int, list[Summary.Value]]) -> None:
    with EventFile(folder, wall_time=WALL) as file:
        for step, values in steps.items():
            file.append(event_record(values, step=step, wall_time=WALL + step))


def write_by_every_writer(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tensorboardX import SummaryWriter as TensorboardX
        from torch.utils.tensorboard import SummaryWriter as Torch

    with Torch(str(folder)) as torch_writer:
        torch_writer.add_image("by/torch", pixels(1), 5, dataformats="HWC")
        torch_writer.add_images("by/torch_batch", np.stack([pixels(2)] * 2), 5, dataformats="NHWC")
    with TensorboardX(str(folder)) as other_writer:
        other_writer.add_image("by/tensorboardX", pixels(3), 5, dataformats="HWC")
    legacy = Summary.Image(width=SIDE, height=SIDE, colorspace=3, encoded_image_string=image.png(pixels(4)))
    write(folder, {5: [image.encode("by/seamark", pixels(5)), Summary.Value(tag="by/tf1/image/0", image=legacy)]})


WRITTEN = {"by/torch": 1, "by/tensorboardX": 3, "by/tf1/image/0": 4, "by/seamark": 5}


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("images")
    write_by_every_writer(folder / "writers")
    for number, run in enumerate(("a", "b")):
        steps = {
            step: [
                image.encode("val/sample", pixels(step + 1000 * number)),
                image.encode("val/batch", np.stack([pixels(step + sample) for sample in range(5)])),
            ]
            for step in range(0, 100, 10)
        }
        write(folder / run, steps)
    whole = image.png(pixels(0, side=300))
    bad = [
        image.encode_files("bad/cut", [whole[: len(whole) // 2]]),
        image.encode_files("bad/bomb", [bomb(30_000)]),
        image.encode_files("bad/evil", [b"<script>alert(1)</script>"], width=1, height=1),
        image.encode_files("bad/none", []),
        image.encode("bad/not really", pixels(7)),
        image.encode(HOSTILE, pixels(8)),
    ]
    write(folder / "broken", {0: bad})
    return folder


@pytest.fixture(scope="module")
def address(logdir: Path) -> Iterator[str]:
    with served_in_process(logdir) as address:
        yield address


def opened(run: str, tag: str, step: int | None = None, *, other: tuple[str, int] | None = None, mode: str = "") -> str:
    """A link to the stage."""
    text = "#images&images.open=" + quote(json.dumps([run, tag, step, 0]))
    if other:
        text += "&images.with=" + quote(json.dumps([other[0], tag, other[1], 0]))
    return text + (f"&images.mode={mode}" if mode else "")


def card(page: Page, tag: str, run: str) -> Locator:
    return page.get_by_role("article", name=f"{tag}, {run}", exact=True)


def picture(within: Page | Locator) -> Locator:
    """The image on the page, once it is the requested one."""
    return within.locator("img[data-ready=true]").first


def hover_pixel(page: Page, x: int, y: int, *, name: str = "A", side: int = SIDE) -> None:
    box = page.get_by_alt_text(name, exact=True).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + (x + 0.5) * box["width"] / side, box["y"] + (y + 0.5) * box["height"] / side)


def words(pixel: np.ndarray) -> str:
    red, green, blue = (int(value) for value in pixel)
    return str(red) if red == green == blue else f"{red} {green} {blue}"


@pytest.mark.parametrize("tag", WRITTEN)
def test_the_value_under_the_pointer_is_the_one_that_was_logged(address: str, open_page: OpenPage, tag: str) -> None:
    page = open_page(address + opened("writers", tag))
    page.get_by_alt_text("A", exact=True).wait_for()
    for x, y in ((0, 0), (2, 1), (3, 3)):
        hover_pixel(page, x, y)
        expect(page.get_by_role("status", name="Pixel")).to_contain_text(f"x {x}, y {y}")
        expect(page.get_by_role("status", name="Pixel")).to_contain_text(words(pixels(WRITTEN[tag])[y, x]))


def test_every_sample_of_a_step_is_a_tile(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=batch")
    expect(card(page, "val/batch", "a").locator("img[data-ready=true]")).to_have_count(5)
    card(page, "val/batch", "a").get_by_role("button", name="Open val/batch, step 90, sample 3 of 5").click()
    expect(page.get_by_text("sample 3 of 5")).to_be_visible()
    hover_pixel(page, 1, 1)
    expect(page.get_by_role("status", name="Pixel")).to_contain_text(words(pixels(92)[1, 1]))


def test_a_slider_reaches_every_step_and_the_address_remembers(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=sample")
    first = card(page, "val/sample", "a")
    expect(first).to_contain_text("step 90")
    slider = first.get_by_role("slider", name="Step of val/sample, a")
    for step in range(90, -1, -10):
        expect(slider).to_have_attribute("aria-valuetext", f"step {step}, {step // 10 + 1} of 10")
        slider.press("ArrowLeft")
    slider.press("ArrowRight")
    expect(first).to_contain_text("step 10")
    expect(card(page, "val/sample", "b")).to_contain_text("step 90")
    page.wait_for_function("() => decodeURIComponent(location.hash).includes('\"step\":10}')")
    page.reload()
    expect(first).to_contain_text("step 10")
    first.get_by_label("Step of val/sample, a, typed").fill("61")
    first.get_by_label("Step of val/sample, a, typed").press("Enter")
    expect(first).to_contain_text("step 60")
    # Shortcuts are off while typing.
    first.get_by_label("Step of val/sample, a, typed").blur()
    first.hover()
    page.keyboard.press(".")
    expect(first).to_contain_text("step 70")


def test_linked_steps_move_all_cards(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=sample")
    page.get_by_role("button", name="Link steps").click()
    press(page.get_by_role("slider", name="Step of all images"), "Home")
    for run in ("a", "b"):
        expect(card(page, "val/sample", run)).to_contain_text("step 0")
    press(card(page, "val/sample", "b").get_by_role("slider"), "ArrowRight")
    expect(card(page, "val/sample", "a")).to_contain_text("step 10")
    expect(page.get_by_label("Step of all images, typed")).to_have_value("10")


def test_steps_are_played_through(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=sample")
    first = card(page, "val/sample", "a")
    press(first.get_by_role("slider", name="Step of val/sample, a"), "Home")
    first.get_by_role("button", name="Play").click()
    # The test may miss a frame; it only checks that the player advances.
    for before in ("step 0 ", "step 10 "):
        expect(first).not_to_contain_text(before)
    first.get_by_role("button", name="Pause").click()


def test_two_runs_are_compared_in_every_way(address: str, open_page: OpenPage) -> None:
    page = open_page(address + opened("a", "val/sample", 20, other=("b", 20)) + "&tagFilter=sample")
    left, right = pixels(20), pixels(1020)
    page.get_by_alt_text("B", exact=True).wait_for()
    hover_pixel(page, 2, 3, name="B")
    value = page.get_by_role("status", name="Pixel")
    expect(value).to_contain_text(f"A {words(left[3, 2])}")
    expect(value).to_contain_text(f"B {words(right[3, 2])}")
    page.get_by_role("button", name="Difference", exact=True).click()
    difference = np.abs(left.astype(int) - right.astype(int))
    expect(value).to_contain_text(
        f"mean {difference.mean():.2f}, largest {difference.max()}, 100.0 % of the pixels differ"
    )
    page.get_by_role("button", name="Swipe").click()
    border = page.get_by_role("slider", name="Border between A and B")
    border.press("ArrowLeft")
    expect(border).to_have_attribute("aria-valuenow", "48")
    page.get_by_role("button", name="Blink").click()
    for name in ("A", "B", "A"):
        expect(page.get_by_alt_text(name, exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Blink")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(card(page, "val/sample", "a")).to_be_visible()


def test_two_pictures_are_chosen_for_comparison_with_shift(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=sample")
    for run in ("a", "b"):
        card(page, "val/sample", run).get_by_role("button", name="Open val/sample").click(modifiers=["Shift"])
    expect(page.get_by_role("button", name="Run of A")).to_have_text("a")
    expect(page.get_by_role("button", name="Run of B")).to_have_text("b")


def test_zoom_keeps_the_pixel_and_actual_size_is_exact(address: str, open_page: OpenPage) -> None:
    page = open_page(address + opened("a", "val/sample", 0))
    shown = page.get_by_alt_text("A", exact=True)
    shown.wait_for()
    page.keyboard.press("Shift+A")
    expect(page.get_by_label("Scale")).to_have_text("100 %")
    box = shown.bounding_box()
    assert box is not None and box["width"] == SIDE
    page.keyboard.press("0")
    hover_pixel(page, 1, 2)
    page.mouse.wheel(0, -400)
    expect(page.get_by_role("status", name="Pixel")).to_contain_text("x 1, y 2")
    expect(shown).to_have_css("image-rendering", "pixelated")


def test_two_fingers_zoom_an_image(address: str, open_page: OpenPage) -> None:
    page = open_page(address + opened("a", "val/sample", 0))
    shown = page.get_by_alt_text("A", exact=True)
    shown.wait_for()
    page.keyboard.press("Shift+A")
    expect(page.get_by_label("Scale")).to_have_text("100 %")
    box = shown.bounding_box()
    assert box is not None
    x, y = box["x"] + SIDE / 2, box["y"] + SIDE / 2
    touch = page.context.new_cdp_session(page)
    for kind, reaches in (("touchStart", (20,)), ("touchMove", (40,)), ("touchEnd", ())):
        fingers = [{"x": x + side * reach, "y": y, "id": side} for reach in reaches for side in (-1, 1)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    expect(page.get_by_label("Scale")).to_have_text("200 %")
    box = shown.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] / 2 == pytest.approx(x, abs=0.5)


def settled_box(element: Locator) -> FloatRect:
    """Where it is, once two looks agree: images that arrive move their neighbours."""
    before = None
    for _ in range(100):
        box = element.bounding_box()
        if box is not None and box == before:
            return box
        before = box
        element.page.wait_for_timeout(100)
    raise AssertionError("the element keeps moving")


def test_the_border_of_a_swipe_moves_and_the_image_stays(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=sample")
    for run in ("a", "b"):
        card(page, "val/sample", run).get_by_role("button", name="Open val/sample").click(modifiers=["Shift"])
    page.get_by_role("button", name="Swipe").click()
    shown, border = page.get_by_alt_text("A", exact=True), page.get_by_role("slider", name="Border between A and B")
    before, handle = settled_box(shown), settled_box(border)
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 100, y + 30)
    page.mouse.up()
    expect(border).not_to_have_attribute("aria-valuenow", "50")
    assert shown.bounding_box() == before
    page.mouse.move(x + 200, y)
    page.mouse.down()
    page.mouse.move(x + 230, y)
    page.mouse.up()
    page.wait_for_function(
        "([image, x]) => image.getBoundingClientRect().x === x", arg=[shown.element_handle(), before["x"] + 30]
    )


def test_light_changes_what_is_shown_and_not_the_values(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=sample&images.brightness=1.5")
    expect(picture(card(page, "val/sample", "a"))).to_have_css("filter", "brightness(1.5) contrast(1)")
    page.get_by_role("button", name="Picture options").click()
    page.get_by_role("slider", name="Contrast").press("Home")
    expect(picture(card(page, "val/sample", "a"))).to_have_css("filter", "brightness(1.5) contrast(0)")
    page.get_by_role("button", name="Reset brightness").click()
    expect(picture(card(page, "val/sample", "a"))).to_have_css("filter", "brightness(1) contrast(0)")


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("bad/cut", "the PNG is cut off: it ends after"),
        ("bad/bomb", "too large to be drawn: 30,000 × 30,000 pixels"),
        ("bad/evil", "unknown type of image or video: it begins with 3c 73 63 72"),
        ("bad/none", "this step has no image"),
    ],
)
def test_what_cannot_be_drawn_says_why_in_its_card(address: str, open_page: OpenPage, tag: str, sentence: str) -> None:
    page = open_page(address + "#images&tagFilter=^bad")
    expect(card(page, tag, "broken").get_by_role("alert")).to_contain_text(sentence)
    # Everything else goes on.
    expect(picture(card(page, "bad/not really", "broken"))).to_be_visible()
    page.goto("about:blank")
    page.goto(address + opened("broken", tag))
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(sentence)


def test_markup_in_a_tag_stays_text(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&tagFilter=onerror")
    expect(card(page, HOSTILE, "broken")).to_be_visible()
    expect(page.locator("img[src=x]")).to_have_count(0)


def test_all_images_come_as_one_archive(address: str, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(address + "#images&tagFilter=val/sample")
    picture(card(page, "val/sample", "a")).wait_for()
    page.get_by_role("checkbox", name="Show b", exact=True).click()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Every step of what is shown, as ZIP").click()
    saved.value.save_as(tmp_path / "images.zip")
    with zipfile.ZipFile(tmp_path / "images.zip") as archive:
        assert archive.testzip() is None
        names = sorted(archive.namelist())
        assert names == [f"a/val/sample/step_{step:08d}.png" for step in range(0, 100, 10)]
        again = np.asarray(Image.open(io.BytesIO(archive.read(names[3]))))
    np.testing.assert_array_equal(again, pixels(30))


def test_time_series_shows_the_images_of_all_runs(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#timeseries&tagFilter=val/sample")
    expect(page.locator("figure img[data-ready=true]")).to_have_count(2)
    press(page.get_by_role("slider", name="Step of val/sample"), "Home")
    page.wait_for_function("() => [...document.querySelectorAll('figure img')].every(i => /index=0/.test(i.src))")


def test_a_grid_has_runs_across_and_steps_down(address: str, open_page: OpenPage) -> None:
    page = open_page(address + "#images&images.grid=val/sample")
    grid = page.get_by_role("group", name="val/sample, runs × steps")
    expect(page.get_by_text("2 runs × 10 steps")).to_be_visible()
    grid.get_by_role("button", name="Open val/sample, b, step 10", exact=True).click()
    hover_pixel(page, 0, 0)
    expect(page.get_by_role("status", name="Pixel")).to_contain_text(words(pixels(1010)[0, 0]))


def test_a_card_follows_the_newest_step(open_page: OpenPage, tmp_path: Path) -> None:
    with EventFile(tmp_path / "live") as file, served_in_process(tmp_path) as address:
        file.append(event_record([image.encode("x", pixels(1))], step=1, wall_time=WALL))
        file.flush()
        page = open_page(address + "#images")
        expect(card(page, "x", "live")).to_contain_text("step 1")
        file.append(event_record([image.encode("x", pixels(2))], step=2, wall_time=WALL + 1))
        file.flush()
        expect(card(page, "x", "live")).to_contain_text("step 2")
        page.close()


def test_of_ten_thousand_images_those_in_view_are_loaded_and_the_last_is_reachable(
    open_page: OpenPage, tmp_path: Path
) -> None:
    tiny = image.png(pixels(1))
    write(tmp_path / "long", {step: [image.encode_files("film", [tiny])] for step in range(MANY)})
    with served_in_process(tmp_path) as address:
        page = open_page(address + "#images&images.grid=film")
        urls: list[str] = []
        page.on("request", lambda request: urls.append(request.url) if "/thumbnail" in request.url else None)
        expect(page.get_by_text("1 run × 10,000 steps")).to_be_visible()
        grid = page.get_by_role("group", name="film, runs × steps")
        for share in (0.25, 0.5, 0.75, 1):
            grid.evaluate("(element, share) => { element.scrollTop = element.scrollHeight * share; }", share)
        last = grid.get_by_role("button", name=f"Open film, long, step {MANY - 1:,}", exact=True)
        expect(last.locator("img")).to_have_js_property("naturalWidth", SIDE)
        assert grid.locator("img").count() < 300
        assert len(urls) < 1500
        page.close()


def test_without_images_the_page_tells_how_to_log_one(open_page: OpenPage, tmp_path: Path) -> None:
    with EventFile(tmp_path / "scalars only") as file:
        file.add_scalar("loss", 1.0, 0)
    with served_in_process(tmp_path) as address:
        page = open_page(address + "#images")
        expect(page.get_by_role("heading", name="No images yet")).to_be_visible()
        expect(page.get_by_text("writer.add_image(")).to_be_visible()
        page.close()
