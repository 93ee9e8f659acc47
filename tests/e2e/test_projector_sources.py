"""How embeddings get into the Projector: a file on the command line, and run.log_embedding."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

import seamark
from tests.e2e.conftest import OpenPage, pick
from tools.browser import served

POINTS = 40
VECTORS = np.random.default_rng(0).normal(size=(POINTS, 6)).astype(np.float32)


def expect_points(page: Page) -> None:
    page.wait_for_function("() => performance.getEntriesByName('projector:ready').length > 0")
    expect(page.get_by_text(f"{POINTS} of {POINTS} points")).to_be_visible()


def test_the_command_opens_a_file_with_its_metadata(tmp_path: Path, open_page: OpenPage) -> None:
    file, labels = tmp_path / "some words.npy", tmp_path / "labels.csv"
    np.save(file, VECTORS)
    labels.write_text("word,sort\n" + "".join(f"w{row},{'ab'[row % 2]}\n" for row in range(POINTS)))
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with served(str(file), "--metadata", str(labels), command="projector", environment=cache) as address:
        page = open_page(address)
        expect_points(page)
        expect(page.get_by_text("some words · some words.npy")).to_be_visible()
        expect(page.get_by_text("sort, 2 values")).to_be_visible()
        page.close()


def test_a_log_directory_with_an_embedding_and_no_event_file(tmp_path: Path, open_page: OpenPage) -> None:
    (tmp_path / "words").mkdir()
    np.savetxt(tmp_path / "words" / "vectors.tsv", VECTORS, delimiter="\t")
    config = 'embeddings { tensor_name: "vectors" tensor_path: "vectors.tsv" }'
    (tmp_path / "words" / "projector_config.pbtxt").write_text(config)
    with served("--logdir", str(tmp_path)) as address:
        page = open_page(address)
        expect_points(page)
        expect(page.get_by_text("words · vectors")).to_be_visible()
        page.close()


def test_a_file_is_chosen_where_there_is_no_run(address: str, open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "bad.npy").write_text("a text")
    np.save(tmp_path / "good.npy", VECTORS)
    page = open_page(address, may_complain=True)
    expect(page.get_by_text("No runs yet")).to_be_visible()
    page.goto(f"{address}#projector")
    expect(page.get_by_text("No embeddings yet")).to_be_visible()
    page.get_by_label("Files with vectors or metadata").set_input_files(tmp_path / "bad.npy")
    expect(page.get_by_role("alert")).to_contain_text("this is not an array of NumPy")
    page.get_by_label("Files with vectors or metadata").set_input_files(tmp_path / "good.npy")
    expect_points(page)


def test_a_link_to_an_embedding_that_is_gone_says_that_another_is_shown(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    for name in ("a", "b"):
        (logdir / name).mkdir()
        np.save(logdir / name / "vectors.npy", VECTORS)
        (logdir / name / "events.out.tfevents.1.host").touch()
    page = open_page(f"{address}#projector&projector.run=gone&projector.name=file:lost.npy")
    expect_points(page)
    note = page.get_by_text("names an embedding that is not there, another one is shown: 'gone', 'file:lost.npy'")
    expect(note).to_be_visible()
    pick(page.get_by_role("region", name="Data"), "Embedding", "b · vectors.npy")
    expect(note).to_have_count(0)


def test_what_cannot_be_read_is_said_where_the_picture_would_be(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    for name, text in (("broken", "embeddings {"), ("ragged", 'embeddings { tensor_path: "vectors.tsv" }')):
        (logdir / name).mkdir()
        (logdir / name / "projector_config.pbtxt").write_text(text)
        (logdir / name / "vectors.tsv").write_text("1\t2\n3\n")
    # Found although no run appears.
    page = open_page(address, may_complain=True)
    expect(page.get_by_role("alert")).to_contain_text("line 2 has 1 numbers, the lines before it have 2")
    expect(page.get_by_text("the projector config cannot be parsed")).to_contain_text("'broken/projector_config.pbtxt'")
    # A canvas that nobody painted is black.
    expect(page.get_by_test_id("scatter").locator("canvas").first).to_be_hidden()


def test_logged_embeddings_have_their_steps_labels_and_pictures(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    run = seamark.init(dir=logdir, name="trained", console=False, git=False, quiet=True, system_metrics_secs=0)
    images = np.random.default_rng(1).integers(0, 255, (POINTS, 8, 8), dtype=np.uint8)
    for step in (0, 10, 20):
        run.log_embedding(
            "layer/pool", VECTORS + step, metadata={"sort": ["a", "b"] * (POINTS // 2)}, images=images, step=step
        )
    run.finish()
    page = open_page(address + "#projector")
    expect_points(page)
    expect(page.get_by_text("trained · layer/pool")).to_be_visible()
    expect(page.get_by_text("3 of 3")).to_be_visible()
    expect(page.get_by_role("button", name="Images", exact=True)).to_be_enabled()


def test_a_drawing_contains_the_thumbnails_that_are_shown(address: str, open_page: OpenPage, logdir: Path) -> None:
    run = seamark.init(dir=logdir, name="drawn", console=False, git=False, quiet=True, system_metrics_secs=0)
    images = np.random.default_rng(1).integers(0, 255, (POINTS, 8, 8), dtype=np.uint8)
    run.log_embedding("drawn", VECTORS, metadata={"sort": ["a", "b"] * (POINTS // 2)}, images=images)
    run.finish()
    page = open_page(address + "#projector&projector.run=drawn&projector.images=1")
    expect_points(page)
    with page.expect_response("**/thumbnails?*"):
        page.reload()
    expect_points(page)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Drawing (SVG)").click()
    svg = download.value.path().read_text()
    # The meaning of the colours is beside the picture, and tints the images.
    assert re.search(r">label<.*>a<.*>b<", svg, re.DOTALL)
    assert "mix-blend-mode:multiply" in svg
    found = re.findall(r'<image [^>]*href="data:image/png;base64,([^"]+)"', svg)
    assert 1 < len(found) <= POINTS
    with Image.open(io.BytesIO(base64.b64decode(found[0]))) as first:
        assert first.size == (8, 8)
        pixels = np.asarray(first.convert("L"))
    assert any(np.array_equal(pixels, image) for image in images)
