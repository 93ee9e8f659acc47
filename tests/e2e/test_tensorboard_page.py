"""Every tab of TensorBoard's unmodified page shows its data with Seamark as its backend."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import TIMEOUT_MS
from tests.e2e.every_kind import STEPS, write_every_kind
from tests.e2e.tensorboard_page import Proxy, tensorboard_page

# The folder for a screenshot of every tab; none are made without it.
PICTURES = os.environ.get("SEAMARK_TEST_PICTURES")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[tuple[Page, str, Proxy]]:
    """One page for all tabs, as a user has it."""
    logdir = tmp_path_factory.mktemp("runs")
    write_every_kind(logdir)
    with tensorboard_page(logdir) as (address, proxy):
        page = chromium.new_page(viewport={"width": 1600, "height": 900})
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(address)
        yield page, address, proxy
        page.close()


def see_time_series(page: Page) -> None:
    losses = page.locator("scalar-card").filter(has_text="final")
    expect(losses.get_by_text("first/trial")).to_be_visible()
    expect(losses.get_by_text("0.05", exact=True).first).to_be_visible()  # a value in the card's table
    weights = page.locator("histogram-card").first
    expect(weights).to_contain_text("weights")
    expect(weights.locator("svg path").first).to_be_visible()


def see_scalars(page: Page) -> None:
    expect(page.locator("tf-scalar-card")).to_have_count(3)
    see_line(page.locator("tf-scalar-card").filter(has_text="tag: train/loss").locator("path.line"))


def see_custom_scalars(page: Page) -> None:
    card = page.locator("tf-custom-scalar-multi-line-chart-card")
    expect(card.get_by_text("Matches (4)")).to_be_visible()  # two tags of two runs
    see_line(card.locator("path.line"))


def see_images(page: Page) -> None:
    pictures = page.locator("tf-image-loader img")
    expect(pictures).to_have_count(2)
    page.wait_for_function("image => image.naturalWidth === 8", arg=pictures.first.element_handle())
    expect(page.locator("tf-image-loader").first).to_contain_text(f"step {STEPS - 1}")


def see_audio(page: Page) -> None:
    clips = page.locator("tf-audio-loader audio")
    expect(clips).to_have_count(2)
    clips.first.evaluate("clip => clip.load()")
    page.wait_for_function("clip => Math.abs(clip.duration - 0.05) < 0.001", arg=clips.first.element_handle())


def see_graphs(page: Page) -> None:
    for name in ("input", "encoder", "output"):
        expect(page.locator("tf-graph-scene g.node").filter(has_text=name).first).to_be_visible()


def see_distributions(page: Page) -> None:
    expect(page.locator("vz-distribution-chart")).to_have_count(2)
    see_line(page.locator("vz-distribution-chart g.render-area path"))


def see_histograms(page: Page) -> None:
    expect(page.locator("vz-histogram-timeseries")).to_have_count(2)
    expect(page.locator("vz-histogram-timeseries .histogram path").first).to_be_visible()
    expect(page.locator("vz-histogram-timeseries").first.locator(".histogram")).to_have_count(STEPS)


def see_text(page: Page) -> None:
    expect(page.get_by_text(f"step {STEPS - 1} of first")).to_be_visible()
    expect(page.locator("tf-text-loader strong").filter(has_text="second").first).to_be_attached()


def see_pr_curves(page: Page) -> None:
    card = page.locator("tf-pr-curve-card")
    expect(card.get_by_text(f"step {STEPS - 1}").first).to_be_visible()
    see_line(card.locator("path.line"))


def see_hparams(page: Page) -> None:
    for text in ("first/trial", "second/trial", "0.25000", "0.050000"):
        expect(page.locator("vaadin-grid-cell-content").filter(has_text=text).first).to_be_visible()


def see_mesh(page: Page) -> None:
    expect(page.get_by_text("Tags matching")).to_be_visible()
    canvas = page.locator("tf-mesh-loader canvas").first
    for _ in until(lambda: colours_of(canvas) > 10):  # the shaded sides of the tetrahedron
        page.wait_for_timeout(100)


def see_projector(page: Page) -> None:
    frame = page.frame_locator("iframe").frame_locator("iframe")
    expect(frame.get_by_text("Points: 20")).to_be_visible()
    expect(frame.get_by_text("Dimension: 4")).to_be_visible()


TABS: dict[str, Callable[[Page], None]] = {
    "timeseries": see_time_series,
    "scalars": see_scalars,
    "custom_scalars": see_custom_scalars,
    "images": see_images,
    "audio": see_audio,
    "graphs": see_graphs,
    "distributions": see_distributions,
    "histograms": see_histograms,
    "text": see_text,
    "pr_curves": see_pr_curves,
    "hparams": see_hparams,
    "mesh": see_mesh,
    "projector": see_projector,
}


def see_line(paths: Locator) -> None:
    """A curve of more than one point: M0,1L2,3."""
    expect(paths.filter(visible=True).first).to_be_visible()
    assert any("L" in (path.get_attribute("d") or "") for path in paths.all())


def colours_of(canvas: Locator) -> int:
    pixels = np.asarray(Image.open(io.BytesIO(canvas.screenshot())).convert("RGB")).reshape(-1, 3)
    return len(np.unique(pixels, axis=0))


def until(is_true: Callable[[], bool], rounds: int = 150) -> Iterator[int]:
    for attempt in range(rounds):
        if is_true():
            return
        yield attempt
    raise AssertionError("the mesh was not drawn")


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_of_tensorboards_page_shows_its_data(site: tuple[Page, str, Proxy], tab: str) -> None:
    page, address, proxy = site
    page.goto(f"{address}#{tab}")
    TABS[tab](page)
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{tab}.png")
    assert [(status, path) for status, path in proxy.answered if status >= 400] == []
    assert any(f"/data/plugin/{tab}/" in path for _, path in proxy.answered)


def test_the_tabs_without_data_are_listed_as_inactive(site: tuple[Page, str, Proxy]) -> None:
    page, address, proxy = site
    for tab, text in (
        ("profile_redirect", "The profile plugin has moved."),
        ("wit_redirect", "The What-If Tool is no longer supported."),
        ("debugger-v2", "Debugger V2 is inactive"),
    ):
        page.goto(f"{address}#{tab}")
        expect(page.get_by_text(text)).to_be_visible()
    assert [(status, path) for status, path in proxy.answered if status >= 400] == []
