"""Measures images and histograms in both viewers, and the memory of the server after opening all dashboards."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, Playwright, sync_playwright

from bench.layouts import Layout
from bench.media import HISTOGRAM_TAGS
from bench.probed_page import PAGE_TIMEOUT_SECS, address_of, opened_page
from bench.report import Figure
from bench.scalar_pages import OURS, PEER, Face
from bench.scenarios import Bench, wait_answerable

PROBE = Path(__file__).with_name("media_probe.js")
# Both have tabs of these names.
TABS = ("images", "audio", "text", "histograms", "distributions", "pr_curves")
WIDTH_PX, TALL_PX = 1440, 3000
HISTOGRAMS = 20
STILL_SECS = 1.5
SOONER_TIMES = 2.0
MEMORY_SHARE = 0.5


@dataclass(frozen=True)
class Sight:
    """The elements of a page that count as shown: also in shadow roots, if they pass a test."""

    tab: str
    # By the name of the viewer: a selector, and a test for elements.
    of: dict[str, tuple[str, str]]


LOADED = "element => element.complete && element.naturalWidth > 0"
IMAGES = Sight("images", {"Seamark": ("article img", LOADED), "TensorBoard": ("tf-image-loader img", LOADED)})
RIDGES = Sight(
    "histograms",
    {
        "Seamark": ("article .plot", "element => Number(element.dataset.drawn) > 0"),
        "TensorBoard": (
            "vz-histogram-timeseries",
            "element => element.shadowRoot?.querySelector('.histogram path[d]') != null",
        ),
    },
)


@dataclass
class MediaPages:
    """Measures the log directory with media, and passes each figure to `add`."""

    bench: Bench
    layout: Layout
    logdir: Path
    index_dir: Path
    repeat: int
    add: Callable[[Figure], None]

    def run(self) -> None:
        histograms = min(HISTOGRAMS, self.layout.runs * HISTOGRAM_TAGS)
        with sync_playwright() as playwright:
            peer = self.measured(playwright, PEER, histograms)
            ours = self.measured(playwright, OURS, histograms)
        self.sooner("navigation → all images of a screen (L3)", ours.images_secs, peer.images_secs)
        self.sooner(f"navigation → {histograms} histograms (L3)", ours.histograms_secs, peer.histograms_secs)
        what = "memory of the server after walking all dashboards (L3)"
        is_met = ours.resident_bytes < MEMORY_SHARE * peer.resident_bytes
        self.add(Figure(what, "bytes", ours.resident_bytes, peer.resident_bytes, "below half", is_met))

    def sooner(self, what: str, ours: float, peer: float) -> None:
        self.add(Figure(what, "s", ours, peer, f"≥ {SOONER_TIMES:g}x sooner", ours * SOONER_TIMES <= peer))

    def measured(self, playwright: Playwright, face: Face, histograms: int) -> Looked:
        with self.bench.running(face.viewer, self.logdir, self.index_dir) as (process, client):
            wait_answerable(face.viewer, self.layout, process, client)
            address = address_of(client)
            images = min(self.images_secs(playwright, face, address) for _ in range(self.repeat))
            ridges = min(self.histograms_secs(playwright, face, address, histograms) for _ in range(self.repeat))
            walk(playwright, address)
            return Looked(images, ridges, float(process.resident_bytes()))

    def images_secs(self, playwright: Playwright, face: Face, address: str) -> float:
        """The time until the last image on the screen is loaded."""
        with opened_page(playwright) as page:
            begin(page, face, address, IMAGES)
            deadline = time.monotonic() + PAGE_TIMEOUT_SECS
            while time.monotonic() < deadline:
                time.sleep(0.25)
                seen = page.evaluate("seamarkMedia.read()")
                is_still = seen["now"] - seen["changed"] > STILL_SECS * 1e3
                if seen["count"] > 0 and seen["count"] == seen["visible"] and is_still:
                    return float(seen["changed"]) / 1e3
        raise TimeoutError(f"{face.viewer.name} showed no complete screen of images in {PAGE_TIMEOUT_SECS:.0f} s")

    def histograms_secs(self, playwright: Playwright, face: Face, address: str, wanted: int) -> float:
        """Uses a tall screen, so that all histograms are visible."""
        with opened_page(playwright) as page:
            page.set_viewport_size({"width": WIDTH_PX, "height": TALL_PX})
            begin(page, face, address, RIDGES)
            page.wait_for_function("wanted => seamarkMedia.reached(wanted) !== null", arg=wanted, polling=250)
            return float(page.evaluate("wanted => seamarkMedia.reached(wanted)", wanted)) / 1e3


@dataclass(frozen=True)
class Looked:
    """The figures of one viewer."""

    images_secs: float
    histograms_secs: float
    resident_bytes: float


def begin(page: Page, face: Face, address: str, sight: Sight) -> None:
    selector, test = sight.of[face.viewer.name]
    page.add_init_script(path=PROBE)
    page.add_init_script(f"seamarkMedia.watch({selector!r}, {test})")
    page.goto(f"{address}/#{sight.tab}", wait_until="commit")


def walk(playwright: Playwright, address: str) -> None:
    """Opens every dashboard once and waits until it is idle."""
    with opened_page(playwright) as page:
        page.add_init_script(path=PROBE)
        for tab in TABS:
            page.goto("about:blank")
            page.goto(f"{address}/#{tab}", wait_until="commit")
            page.wait_for_function("still => seamarkMedia.quietMs() > still", arg=STILL_SECS * 1e3, polling=250)
