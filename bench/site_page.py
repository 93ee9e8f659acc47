"""Measures a published site beside the page of a server: writing it, opening it, zooming, memory."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

from bench.layouts import Layout
from bench.probed_page import opened_page
from bench.report import Figure
from bench.scalar_pages import OURS, Opened, ScalarPages, settled
from bench.viewers import script
from tools.static_host import hosted

QUIET_MS = 700


@dataclass(frozen=True)
class SitePage:
    """The same logs twice: as a site on a static host with ranges, and from a server that has read everything."""

    pages: ScalarPages
    add: Callable[[Figure], None]

    def run(self) -> None:
        with sync_playwright() as playwright:
            for name in ("L1", "L2"):
                layout, logdir = self.pages.logdirs[name]
                site = self.publish(name, layout, logdir)
                with hosted(site) as (address, _), self.pages.serving(OURS, name) as server:
                    site_page, server_page = f"{address}#scalars", server + OURS.scalars
                    ours, served = (self.pages.best(playwright, OURS, page) for page in (site_page, server_page))
                    zooms = [self.zoom(playwright, page) for page in (site_page, server_page)]
                    smooths = [self.pages.smoothing(playwright, OURS, page) for page in (site_page, server_page)]
                self.figures(f"{layout.title} ({name})", ours, served, zooms, smooths)

    def publish(self, name: str, layout: Layout, logdir: Path) -> Path:
        site = self.pages.bench.fresh_dir("site-")
        index = self.pages.index_ahead(name)
        words = [script("seamark"), "publish", str(logdir), "--index_dir", str(index), "--state_dir", "none"]
        for which in ("first", "second, nothing changed"):
            begun = time.monotonic()
            subprocess.run([*words, "-o", str(site)], check=True, capture_output=True)
            title = f"publish of {layout.runs:,} runs with {layout.points:,} points ({name}): {which}"
            self.add(Figure(title.replace("1 runs", "1 run"), "s", time.monotonic() - begun))
        return site

    def zoom(self, playwright: Playwright, address: str) -> float | None:
        with opened_page(playwright) as page:
            page.goto(address, wait_until="commit")
            settled(page, OURS)
            box = page.locator(f"{OURS.card} {OURS.canvas}").first.bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.evaluate(f"() => {{ globalThis.zoomed = seamarkBench.changed(() => {{}}, {QUIET_MS}); }}")
            page.keyboard.down("Alt")
            page.mouse.wheel(0, -600)
            page.keyboard.up("Alt")
            took = page.evaluate("() => globalThis.zoomed")
            return None if took is None else float(took) / 1e3

    def figures(
        self, where: str, ours: Opened, served: Opened, zooms: list[float | None], smooths: list[float | None]
    ) -> None:
        for what, pair in (
            ("first chart drawn", (ours.first_secs, served.first_secs)),
            ("all visible cards drawn", (ours.all_secs, served.all_secs)),
            ("zoomed → drawn again", zooms),
            ("smoothing changed → all visible cards drawn again", smooths),
        ):
            if pair[0] is None:
                raise RuntimeError(f"nothing was drawn: {what}, {where}")
            self.add(Figure(f"{what}, {where}", "s", pair[0], pair[1]))
        self.add(Figure(f"JavaScript heap with buffers, {where}", "bytes", ours.heap_bytes, served.heap_bytes))
        self.add(Figure(f"memory of the page's process, {where}", "bytes", ours.resident_bytes, served.resident_bytes))
        self.add(Figure(f"transferred, {where}", "bytes", ours.transferred_bytes, served.transferred_bytes))
