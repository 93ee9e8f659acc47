"""What a restart replaced, on curves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

import seamark
from tests.e2e.conftest import OpenPage
from tests.e2e.scalar_cards import BEGAN, card, overlay, write_run

# The strongest ink in a part of a picture, by shares of its width and height, from 0 to 255.
INK_IN = """([tag, left, right, top, bottom]) => {
    const canvas = document.querySelector(`article[aria-label="${tag}"] canvas`);
    if (!canvas?.width) return 0;
    const { width, height } = canvas;
    const pen = new OffscreenCanvas(width, height).getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(left * width, top * height, (right - left) * width, (bottom - top) * height);
    let most = 0;
    for (let at = 3; at < data.length; at += 4) most = Math.max(most, data[at]);
    return most;
}"""


def test_what_a_restart_replaced_is_dimmed_and_marked_hidden_or_drawn_apart(
    address: str, open_page: OpenPage, logdir: Path
) -> None:
    write_run(logdir / "restarted", {"train/loss": np.full(100, 2.0)})
    resumed = {"steps": np.arange(60, 160), "began": BEGAN + 1000}
    write_run(logdir / "restarted", {"train/loss": np.full(100, 1.0)}, **resumed)
    page = open_page(address + "#scalars&smoothing=0")
    loss = card(page, "train/loss")
    mark = loss.get_by_role("img", name="Restarted at 60: what is dimmed was replaced")
    expect(loss).to_contain_text("1 run · 200 points, 40 replaced")
    expect(mark).to_be_visible()
    # The first attempt runs at the top, and is replaced between the shares 60/159 and 99/159 of the width.
    before, replaced = (["train/loss", *part] for part in ((0.1, 0.3, 0, 0.3), (0.45, 0.6, 0, 0.3)))
    page.wait_for_function(f"part => ({INK_IN})(part) > 100", arg=before)
    full = page.evaluate(INK_IN, before)
    assert 0.2 * full < page.evaluate(INK_IN, replaced) < 0.6 * full
    box = overlay(page, "train/loss").bounding_box()
    assert box is not None
    overlay(page, "train/loss").hover(position={"x": box["width"] * 0.55, "y": box["height"] / 2})
    rows = page.get_by_role("tooltip").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="attempt 1, replaced")).to_contain_text("2.0000")
    expect(rows.filter(has_text="attempt 2")).to_contain_text("1.0000")
    page.mouse.move(0, 0)

    def choose(words: str) -> None:
        page.get_by_role("button", name="Settings", exact=True).click()
        page.get_by_label("What a restart replaced").select_option(label=words)
        page.keyboard.press("Escape")

    choose("Hidden")
    expect(loss).to_contain_text("1 run · 160 of 200 points")
    expect(mark).to_have_count(0)
    choose("Attempts apart")
    expect(loss).to_contain_text("1 run · 200 points")
    expect(loss).not_to_contain_text("replaced")
    page.wait_for_function(f"([part, least]) => ({INK_IN})(part) > least", arg=[replaced, 0.9 * full])


def test_an_aborted_rerun_hides_nothing(address: str, open_page: OpenPage, logdir: Path) -> None:
    """A thousand steps, then a program that starts again at step 0 and is stopped after five."""
    write_run(logdir / "rerun", {"train/loss": np.full(1000, 2.0)})
    with seamark.SummaryWriter(str(logdir / "rerun"), purge_step=0) as writer:
        for step in range(5):
            writer.add_scalar("train/loss", 1.0, step)
    # Of a curve with several points to a pixel, the mark names the first pixel.
    marked = re.compile(r"Restarted at [0-3]: what is dimmed was replaced")
    # Without a recorded start nobody knows that it was a restart: all points count.
    write_run(logdir / "unsure", {"train/loss": np.full(1000, 2.0)})
    write_run(logdir / "unsure", {"train/loss": np.full(5, 1.0)}, began=BEGAN + 5000)
    for tab in ("timeseries", "scalars"):
        page = open_page(f"{address}#{tab}&smoothing=0&runFilter=rerun")
        loss = card(page, "train/loss")
        expect(loss).to_contain_text("1 run · 1,005 points, 1,000 replaced")
        expect(loss.get_by_role("img", name=marked)).to_be_visible()
        # The old curve runs at the top, dimmed, to its end; the new one has 5 of 1,000 steps.
        for share in (0.2, 0.5, 0.95):
            page.wait_for_function(
                f"part => {{ const ink = ({INK_IN})(part); return ink > 20 && ink < 160 }}",
                arg=["train/loss", share, share + 0.02, 0, 0.3],
            )
        box = overlay(page, "train/loss").bounding_box()
        assert box is not None
        overlay(page, "train/loss").hover(position={"x": box["width"] * 0.7, "y": box["height"] / 2})
        rows = page.get_by_role("tooltip").locator("tbody tr")
        expect(rows.filter(has_text="attempt 1, replaced")).to_contain_text("2.0000")
        page.mouse.move(0, 0)
        page.get_by_label("Filter runs").fill("unsure")
        expect(loss).to_contain_text("1 run · 1,005 points")
        expect(loss.get_by_role("img", name="Restarted")).to_have_count(0)
    compared = open_page(f"{address}compare?runs=rerun,unsure")
    expect(compared.get_by_role("img", name=marked)).to_be_visible()


def test_a_step_logged_late_hides_nothing(address: str, open_page: OpenPage, logdir: Path) -> None:
    write_run(logdir / "a", {"train/loss": np.linspace(1, 2, 32)}, steps=[*range(30), 3, 30])
    page = open_page(address + "#scalars&smoothing=0")
    expect(card(page, "train/loss")).to_contain_text("1 run · 32 points")
    expect(card(page, "train/loss").get_by_role("img", name="Restarted")).to_have_count(0)
