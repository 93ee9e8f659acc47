"""Methods of the Projector that run: watched, paused, resumed, supervised; lines between points, and dropped files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage, pick
from tests.e2e.test_projector_controls import open_controls, section, write_embeddings
from tools.in_process import served_in_process

HOSTILE = "<img src=x onerror=alert(1)>"
POINTS = 12


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("methods")
    write_embeddings(logdir / "vit")
    vectors = np.random.default_rng(0).normal(size=(POINTS, 4)).astype(np.float32)
    np.save(logdir / "vit" / "chain.npy", vectors)
    rows = [f"{HOSTILE} {row}\t{row + 1 if row < 5 else ''}" for row in range(POINTS)]
    (logdir / "vit" / "chain.metadata.tsv").write_text("\n".join(["name\t__next__", *rows]) + "\n")
    with served_in_process(logdir) as address:
        yield address


def method(**options: object) -> str:
    return "&projector.method=" + quote(json.dumps(options))


def epoch(page: Page) -> int:
    return int(page.get_by_role("progressbar").get_attribute("aria-valuenow") or 0)


def wait_for_epoch_after(page: Page, before: int) -> None:
    page.wait_for_function(
        "before => Number(document.querySelector('[role=progressbar]')?.ariaValueNow) > before", arg=before
    )


def test_a_method_is_watched_paused_resumed_and_begun_again(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address, method(method="tsne", epochs=10_000))
    running = section(page, "Method")
    wait_for_epoch_after(page, 20)
    running.get_by_role("button", name="Pause").click()
    expect(running.get_by_role("button", name="Resume")).to_be_visible()
    paused = epoch(page)
    running.get_by_role("button", name="Resume").click()
    expect(running.get_by_role("button", name="Pause")).to_be_visible()
    wait_for_epoch_after(page, paused)
    running.get_by_role("button", name="Pause").click()
    running.get_by_role("button", name="Restart").click()
    page.wait_for_function(
        "before => Number(document.querySelector('[role=progressbar]')?.ariaValueNow) < before", arg=paused
    )
    running.get_by_role("button", name="Pause").click()
    expect(running.get_by_role("button", name="Resume")).to_be_visible()


def test_a_column_supervises_a_method(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address, method(method="umap"))
    running = section(page, "Method")
    expect(running.get_by_role("button", name="Restart")).to_be_visible()
    running.get_by_role("slider", name="Supervise").press("End")
    expect(running.get_by_text("class, 5 values")).to_be_visible()
    page.wait_for_url(re.compile("supervise_by%22:%22class"))
    expect(running.get_by_role("button", name="Restart")).to_be_visible()


def test_next_columns_connect_points_and_names_are_text(address: str, open_page: OpenPage) -> None:
    page = open_controls(open_page, address, "&projector.run=vit&projector.name=file:chain.npy")
    page.wait_for_function("() => performance.getEntriesByName('projector:ready').length > 0")
    with page.expect_response(re.compile("column=__next__")):
        page.reload()
    page.wait_for_function("() => performance.getEntriesByName('projector:ready').length > 0")
    svg = ""
    while "L" not in "".join(re.findall(r'<path d="(M[^"]+)"', svg)):  # the column arrives after the points
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="Drawing (SVG)").click()
        svg = Path(download.value.path()).read_text()
    [lines] = re.findall(r'<path d="(M[^"]+)" fill="none"', svg)
    assert lines.count("M") == 5
    assert "<img" not in svg and "&lt;img" in svg
    page.get_by_test_id("scatter").press("ArrowRight")
    expect(page.get_by_role("complementary", name="Inspector")).to_contain_text(HOSTILE)


def test_chosen_files_are_shown_with_their_metadata(address: str, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_controls(open_page, address, may_complain=True)
    vectors, labels = tmp_path / "words.npy", tmp_path / "words.csv"
    np.save(vectors, np.eye(20, 6, dtype=np.float32))
    labels.write_text("word\n" + "".join(f"w{row}\n" for row in range(20)))
    with page.expect_file_chooser() as chooser:
        section(page, "Data").get_by_role("button", name="choose one").click()
    chooser.value.set_files([labels, vectors])
    expect(section(page, "Data")).to_contain_text("20 × 6")
    expect(page.get_by_text("word, text")).to_be_visible()
    broken = tmp_path / "broken.npy"
    broken.write_bytes(b"\x93NUMPY\x01\x00")
    with page.expect_file_chooser() as chooser:
        section(page, "Data").get_by_role("button", name="choose one").click()
    chooser.value.set_files(broken)
    expect(section(page, "Data").get_by_role("alert")).to_contain_text("this is not an array of NumPy")
    pick(section(page, "Data"), "Embedding", "words.npy")
    expect(section(page, "Data")).to_contain_text("20 × 6")
