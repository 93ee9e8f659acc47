"""Bookmarks and the real TensorBoard: its page loads a file of ours, and ours one of its page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Frame, Page, expect

import seamark
from tests.e2e.conftest import TIMEOUT_MS, OpenPage
from tools.compare_tensorboard import tensorboard_on
from tools.in_process import served_in_process

pytest.importorskip("tensorboard", reason="tensorboard is a test dependency")
ROWS = 60
# In a tree of shadow roots.
ELEMENT = """
(name) => {
  const find = (root) => {
    const own = root.querySelector(name);
    if (own) return own;
    for (const element of root.querySelectorAll("*")) {
      const below = element.shadowRoot && find(element.shadowRoot);
      if (below) return below;
    }
    return null;
  };
  return find(document);
}
"""


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Points on two sides, one for each class."""
    folder = tmp_path_factory.mktemp("exchanged") / "logs"
    with seamark.SummaryWriter(str(folder / "run")) as writer:
        writer.add_scalar("loss", 1.0, 1)
        vectors = np.random.default_rng(0).normal(size=(ROWS, 4)).astype(np.float32)
        vectors[:, 0] += np.where(np.arange(ROWS) % 2 == 0, 20, -20)
        labels = [[f"point {row}", "ab"[row % 2]] for row in range(ROWS)]
        writer.add_embedding(vectors, labels, metadata_header=["name", "class"], tag="pool")
    return folder


@pytest.fixture(scope="module")
def address(logdir: Path) -> Iterator[str]:
    with served_in_process(logdir) as address:
        yield f"{address}#projector"


def save_bookmark(page: Page, file: Path) -> Any:
    """Selects one side, saves a bookmark, and the file for TensorBoard."""
    page.wait_for_function("() => performance.getEntriesByName('projector:ready').length > 0")
    page.get_by_role("button", name="Box").click()
    box = page.get_by_role("application").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 4, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Bookmarks").click()
    page.get_by_label("Name of the bookmark").fill("One side")
    page.keyboard.press("Enter")
    with page.expect_download() as download:
        page.get_by_role("button", name="For TensorBoard").click()
    download.value.save_as(file)
    return json.loads(file.read_text())[0]


def projector_frame(page: Page) -> Frame:
    """TensorBoard's page has the projector in a frame; waits until it has computed and shows the first picture.

    What it computes later would replace the positions of a bookmark.
    """
    page.wait_for_function("() => window.length > 0")
    page.locator("iframe").first.wait_for()
    for _ in range(600):
        for frame in page.frames:
            if frame.url.endswith("projector_binary.html") and frame.evaluate(
                f"() => {{ const one = ({ELEMENT})('vz-projector');"
                " return Boolean(one?.projection && one.dataSet?.projections['pca-0']); }"
            ):
                return frame
        page.wait_for_timeout(100)
    raise AssertionError("TensorBoard's projector shows no points")


def test_tensorboard_loads_our_bookmark_and_we_load_its(
    address: str, logdir: Path, browser: Browser, open_page: OpenPage, tmp_path: Path
) -> None:
    ours = save_bookmark(open_page(address), tmp_path / "ours.txt")
    assert len(ours["selectedPoints"]) == ROWS // 2
    with tensorboard_on(logdir, tmp_path) as peer:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(TIMEOUT_MS)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{peer}#projector")
        frame = projector_frame(page)
        frame.locator("vz-projector-bookmark-panel input[type=file]").set_input_files(tmp_path / "ours.txt")
        projector = f"({ELEMENT})('vz-projector')"
        frame.wait_for_function(f"() => {projector}.selectedPointIndices?.length > 0")
        loaded = frame.evaluate(f"() => JSON.stringify([{{...{projector}.getCurrentState(), label: 'Theirs'}}])")
        page.close()
    (theirs,) = json.loads(loaded)
    same = ("selectedPoints", "selectedProjection", "pcaComponentDimensions", "selectedColorOptionName", "umapMinDist")
    assert {name: theirs[name] for name in same} == {name: ours[name] for name in same}
    assert theirs["projections"] == ours["projections"]
    assert errors == []
    assert "seamark" not in theirs
    (tmp_path / "theirs.txt").write_text(loaded)
    again = open_page(address)
    again.wait_for_function("() => performance.getEntriesByName('projector:ready').length > 0")
    again.get_by_role("button", name="Bookmarks").click()
    again.get_by_label("File with bookmarks").set_input_files(tmp_path / "theirs.txt")
    selection = again.get_by_role("group", name="Selection").get_by_role("status").first
    expect(selection).to_contain_text(f"{ROWS // 2} points in the bookmark")
    expect(again).to_have_url(re.compile("colour=class"))
