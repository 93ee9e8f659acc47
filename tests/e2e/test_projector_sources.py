"""How embeddings get into the Projector: a file on the command line, and run.log_embedding."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

import seamark
from tests.e2e.conftest import OpenPage
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
