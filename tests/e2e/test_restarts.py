"""What a restart replaced, on the tabs that have no curves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import expect

import seamark
from tests.e2e.conftest import OpenPage, press


def test_an_aborted_rerun_hides_no_images_texts_or_histograms(address: str, open_page: OpenPage, logdir: Path) -> None:
    """Ten steps, then a program that starts again at step 0 and is stopped after two."""
    for steps, grey, purge_step in ((10, 200, None), (2, 50, 0)):
        with seamark.SummaryWriter(str(logdir / "rerun"), purge_step=purge_step) as writer:
            for step in range(steps):
                writer.add_image("image", np.full((3, 8, 8), grey, np.uint8), step)
                writer.add_text("text", f"grey {grey} at {step}", step)
                writer.add_histogram("values", np.arange(10.0) + grey, step)
    for tab, name in (("images", "image"), ("text", "text")):
        page = open_page(f"{address}#{tab}")
        slider = page.get_by_role("slider", name=f"Step of {name}, rerun", exact=True)
        # The newest step that counts, and behind it what the new attempt did not reach.
        expect(slider).to_have_attribute("aria-valuetext", "step 1, 2 of 10")
        press(slider, "End")
        expect(slider).to_have_attribute("aria-valuetext", "step 9, 10 of 10, of an attempt that a restart replaced")
        expect(page.get_by_text("10 of 10, replaced")).to_be_visible()
        press(slider, "Home", "ArrowRight")
        expect(slider).to_have_attribute("aria-valuetext", "step 1, 2 of 10")
        if tab == "text":
            expect(page.get_by_text("grey 50 at 1")).to_be_visible()
    for tab in ("histograms", "distributions"):
        page = open_page(f"{address}#{tab}")
        expect(page.get_by_text("10 steps · 8 replaced")).to_be_visible()
    page = open_page(f"{address}#timeseries&timeseries.kinds=images")
    slider = page.get_by_role("slider", name="Step of image", exact=True)
    expect(slider).to_have_attribute("aria-valuetext", "step 1, 2 of 10")
    expect(page.locator("figcaption").get_by_text("replaced")).to_have_count(0)
    press(slider, "End")
    expect(slider).to_have_attribute("aria-valuetext", "step 9, 10 of 10")
    expect(page.locator("figcaption").get_by_text("replaced")).to_be_visible()
