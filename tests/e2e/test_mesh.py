"""Meshes and point clouds in a real browser: the numbers on screen are those that were logged, cameras turn together."""

from __future__ import annotations

import io
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from tensorboardX import SummaryWriter as TensorBoardXWriter
from torch.utils.tensorboard import SummaryWriter as TorchWriter

from seamark.kinds import mesh, scalar
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage
from tools.in_process import served_in_process

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6]], np.int32)
RED = np.tile(np.array([255, 0, 0], np.uint8), (8, 1))
BIG = 200_000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logs = tmp_path_factory.mktemp("meshes")
    with TorchWriter(str(logs / "torch")) as writer:
        for step in (0, 10, 20):
            vertices = np.stack([CUBE * (1 + step), CUBE + step])
            writer.add_mesh(
                "shape/cube", vertices, colors=np.stack([RED, RED]), faces=np.stack([FACES, FACES]), global_step=step
            )
    with TensorBoardXWriter(str(logs / "x")) as writer:
        writer.add_mesh("shape/cube", CUBE[None], colors=RED[None], faces=FACES[None], global_step=0)
    astray = FACES.copy()
    astray[0] = [0, 1, 99]
    cloud = np.random.default_rng(0).normal(size=(BIG, 3)).astype(np.float32)
    holed = CUBE.copy()
    holed[0] = np.nan
    with EventFile(logs / "ours") as file:
        values = [
            *mesh.encode("cloud/<script>alert(1)</script>", holed),
            *mesh.encode("cloud/big", cloud),
            *mesh.encode("shape/astray", CUBE, faces=astray),
        ]
        file.append(event_record(values, step=0, wall_time=1.0))
    write_files(logs / "ours")
    with served_in_process(logs) as address:
        yield address


def write_files(folder: Path) -> None:
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in CUBE)
    (folder / "cube.obj").write_text(corners + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES))
    triangles = b"".join(struct.pack("<12fH", 0, 0, 0, *CUBE[face].ravel(), 0) for face in FACES)
    (folder / "cube.stl").write_bytes(b"\0" * 80 + struct.pack("<I", len(FACES)) + triangles)
    rows = "".join(f"{x} {y} {z} {i}\n" for i, (x, y, z) in enumerate(CUBE))
    head = "".join(f"property float {name}\n" for name in ("x", "y", "z", "heat"))
    (folder / "cube.ply").write_text(f"ply\nformat ascii 1.0\nelement vertex 8\n{head}end_header\n{rows}")
    (folder / "broken.ply").write_text("nothing of the kind")


@pytest.fixture
def meshes(address: str, open_page: OpenPage) -> Callable[..., Page]:
    def open_meshes(parameters: str = "") -> Page:
        return open_page(f"{address}#mesh{parameters}", height=1800)

    return open_meshes


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name, exact=True)


def picture(of: Locator) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(of.locator("canvas").screenshot())).convert("RGB"))


def picture_when(of: Locator, is_right: Callable[[NDArray[np.uint8]], bool]) -> NDArray[np.uint8]:
    """The first picture for which this holds."""
    deadline = time.monotonic() + 30
    while not is_right(pixels := picture(of)):
        assert time.monotonic() < deadline, "the picture did not become what it should be"
    return pixels


def settled_picture(of: Locator) -> NDArray[np.uint8]:
    """The first picture that is the same as the one before."""
    last = [picture(of)]

    def is_same(pixels: NDArray[np.uint8]) -> bool:
        last.append(pixels)
        return bool((last[-1] == last[-2]).all())

    return picture_when(of, is_same)


def is_red(pixels: NDArray[np.uint8]) -> bool:
    """Whether something red is drawn."""
    red, green, blue = (pixels[..., channel].astype(int) for channel in range(3))
    return float(((red > 90) & (red > 2 * green) & (red > 2 * blue)).mean()) > 0.05


def test_a_card_counts_what_was_logged_by_every_writer(meshes: Callable[..., Page]) -> None:
    page = meshes()
    expect(card(page, "shape/cube, torch")).to_contain_text("8 vertices · 8 faces")
    expect(card(page, "shape/cube, x")).to_contain_text("8 vertices · 8 faces")
    expect(card(page, "cloud/big, ours")).to_contain_text("200,000 points")


def test_what_cannot_be_drawn_is_said_and_the_rest_is_drawn(meshes: Callable[..., Page]) -> None:
    page = meshes()
    astray = card(page, "shape/astray, ours")
    expect(astray).to_contain_text("1 face names vertices that are not there")
    expect(astray).to_contain_text("8 vertices · 7 faces")
    expect(card(page, "cloud/<script>alert(1)</script>, ours")).to_contain_text("1 vertex is not finite")
    page.get_by_label("Filter tags by regular expression").fill("broken")
    expect(card(page, "broken.ply, ours")).to_contain_text("cannot be read as PLY")


def test_colours_are_the_logged_ones_and_the_step_moves_every_card(meshes: Callable[..., Page]) -> None:
    page = meshes()
    cube = card(page, "shape/cube, torch")
    canvas = cube.locator("canvas")
    expect(canvas).to_have_attribute("data-step", "20")
    picture_when(cube, is_red)
    cube.get_by_role("slider").fill("0")
    expect(canvas).to_have_attribute("data-step", "0")
    page.wait_for_url("**mesh.step=0**")
    page.get_by_label("Sample").select_option(label="2")
    expect(cube).to_contain_text("sample 2 of 2")


def test_turning_one_card_turns_the_others(meshes: Callable[..., Page]) -> None:
    page = meshes("&tagFilter=cube%24")
    page.get_by_label("Filter tags by regular expression").fill("shape/cube")
    one, other = card(page, "shape/cube, torch"), card(page, "shape/cube, x")
    expect(one).to_contain_text("8 faces")
    expect(other).to_contain_text("8 faces")
    picture_when(other, is_red)
    before = settled_picture(other)
    drag(page, one)
    picture_when(other, lambda pixels: bool((pixels != before).any()))
    page.get_by_role("button", name="Link cameras").click()
    turned, apart = settled_picture(one), settled_picture(other)
    drag(page, one)
    # All cards are drawn in one frame: once this one has turned, the other would have.
    picture_when(one, lambda pixels: bool((pixels != turned).any()))
    assert (picture(other) == apart).all()


def drag(page: Page, of: Locator) -> None:
    box = of.locator("canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=4)
    page.mouse.up()


def test_a_big_cloud_is_thinned_while_it_turns_and_whole_when_it_rests(meshes: Callable[..., Page]) -> None:
    page = meshes()
    big = card(page, "cloud/big, ours")
    canvas = big.locator("canvas")
    expect(canvas).to_have_attribute("data-drawn", str(BIG))
    canvas.evaluate(
        """canvas => new MutationObserver(() => {
            window.leastDrawn = Math.min(window.leastDrawn ?? Infinity, Number(canvas.dataset.drawn));
        }).observe(canvas, { attributeFilter: ["data-drawn"] })"""
    )
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 120, steps=3)
    page.mouse.up()
    page.wait_for_function("() => window.leastDrawn < 200000")
    expect(canvas).to_have_attribute("data-drawn", str(BIG))


def test_files_in_the_runs_folder_are_shown_and_their_numbers_colour_them(meshes: Callable[..., Page]) -> None:
    page = meshes()
    page.get_by_label("Filter tags by regular expression").fill("^cube")
    expect(card(page, "cube.obj, ours")).to_contain_text("8 faces")
    expect(card(page, "cube.stl, ours")).to_contain_text("8 faces")
    expect(card(page, "cube.ply, ours")).to_contain_text("8 points")
    page.get_by_label("Colour by").select_option("heat")
    expect(card(page, "cube.ply, ours").locator(".legend span")).to_have_text(["0.0000", "7.0000"])
    page.wait_for_url("**mesh.colour=heat**")


def test_a_picture_of_a_card_can_be_saved(meshes: Callable[..., Page], tmp_path: Path) -> None:
    page = meshes()
    cube = card(page, "shape/cube, torch")
    picture_when(cube, is_red)
    cube.hover()
    with page.expect_download() as started:
        cube.get_by_role("button", name="Save as PNG").click()
    target = tmp_path / "saved.png"
    started.value.save_as(target)
    assert started.value.suggested_filename == "torch_shape_cube_step_20.png"
    assert len(np.unique(np.asarray(Image.open(target).convert("RGB")).reshape(-1, 3), axis=0)) > 10


def test_an_empty_log_directory_says_how_to_log_one(browser: Any, tmp_path: Path) -> None:
    with EventFile(tmp_path / "run") as file:
        file.append(event_record([scalar.encode("loss", 1.0)], step=0, wall_time=1.0))
    with served_in_process(tmp_path) as address:
        page = browser.new_page()
        page.goto(f"{address}#mesh")
        expect(page.get_by_text("No meshes yet")).to_be_visible(timeout=30_000)
        expect(page.locator("pre")).to_contain_text("add_mesh")
        page.close()
