"""The charts of both viewers in the same Chromium: opened, smoothed, asked for one tag, panned."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Playwright

from bench.layouts import Layout
from bench.probed_page import (
    PAGE_TIMEOUT_SECS,
    address_of,
    drag_frames,
    heap_bytes,
    opened_page,
    resident_bytes,
    to_and_fro,
)
from bench.scenarios import Bench, wait_answerable
from bench.viewers import Seamark, TensorBoard, Viewer

SETTLED_MS = 1500
# A page without charts is complete when it has been idle for as long.
IDLE_MS = 3000


@dataclass(frozen=True)
class Face:
    """The selectors and scripts for a viewer's page."""

    viewer: Viewer
    time_series: str
    scalars: str
    card: str
    canvas: str
    ready: str  # is in a card that may be drawn
    smooth: str  # sets the smoothing to 0.9


OURS = Face(
    Seamark(), "/#timeseries", "/#scalars", "article", ".chart canvas",
    ".chart[data-drawn]:not([data-drawn='0'])",
    """() => { document.querySelector('[aria-label^="auto: adapt smoothing"][aria-pressed="true"]')?.click();
       const field = document.querySelector('[aria-label^="Smoothing, 0 to"]'); field.value = '0.9';
       for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
       field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })); }""",
)  # fmt: skip
PEER = Face(
    TensorBoard(), "/#timeseries", "/#scalars", "scalar-card", "line-chart canvas", "line-chart-axis text",
    """() => { const field = document.querySelector('.scalars-smoothing input[type=number], input.slider-input');
       field.value = '0.9'; field.dispatchEvent(new Event('input', { bubbles: true })); }""",
)  # fmt: skip


@dataclass(frozen=True)
class Opened:
    """The times of one page. `first_secs` is None if nothing was drawn."""

    first_secs: float | None
    all_secs: float
    cards: int
    drawn: int
    heap_bytes: float
    resident_bytes: float
    transferred_bytes: float


@dataclass(frozen=True)
class ScalarPages:
    """Measures pages of generated logs. `index_ahead` makes the index of one before its server starts."""

    bench: Bench
    logdirs: dict[str, tuple[Layout, Path]]
    index_ahead: Callable[[str], Path]
    repeat: int

    @contextmanager
    def serving(self, face: Face, name: str) -> Iterator[str]:
        layout, logdir = self.logdirs[name]
        index_dir = self.index_ahead(name) if face is OURS else self.bench.scratch
        with self.serving_at(face, layout, logdir, index_dir) as address:
            yield address

    @contextmanager
    def serving_at(self, face: Face, layout: Layout, logdir: Path, index_dir: Path) -> Iterator[str]:
        """A viewer that has loaded all files, so that only the page is measured."""
        with self.bench.running(face.viewer, logdir, index_dir) as (process, client):
            wait_answerable(face.viewer, layout, process, client)
            yield address_of(client)

    def best(self, playwright: Playwright, face: Face, address: str) -> Opened:
        return min((self.opened(playwright, face, address) for _ in range(self.repeat)), key=lambda page: page.all_secs)

    def opened(self, playwright: Playwright, face: Face, address: str) -> Opened:
        """A new browser each time, with an empty cache."""
        with opened_page(playwright) as page:
            page.goto(address, wait_until="commit")
            state = settled(page, face)
            is_drawn = state["drawn"] > 0
            return Opened(
                first_secs=state["first"] / 1e3 if is_drawn else None,
                all_secs=(state["changed"] if is_drawn else max(state["changed"], state["taskEnd"])) / 1e3,
                cards=state["cards"],
                drawn=state["drawn"],
                transferred_bytes=page.evaluate("seamarkBench.bytes()"),
                heap_bytes=heap_bytes(page),
                resident_bytes=resident_bytes(page),
            )

    def smoothing(self, playwright: Playwright, face: Face, address: str) -> float | None:
        with opened_page(playwright) as page:
            page.goto(address, wait_until="commit")
            settled(page, face)
            took = page.evaluate(f"() => seamarkBench.changed({face.smooth}, 700)")
            return None if took is None else float(took) / 1e3

    def one_tag(self, playwright: Playwright, face: Face, address: str, layout: Layout) -> tuple[float, float]:
        """The page's request for one tag of all runs, with the whole body."""
        if face is OURS:
            columns = ["step_last", "smoothed", "count"]
            body = {
                "tag": layout.tag_names[0],
                "width": 400,
                "smoothing": 0.6,
                "columns": columns,
                "encoding": "compact",
            }
            asked = ["/api/series", "application/json", json.dumps(body)]
            repeat = 3
        else:
            form = "&".join([f"tag={layout.tag_names[0]}", *(f"runs={run}" for run in layout.run_names)])
            asked = ["/data/plugin/scalars/scalars_multirun", "application/x-www-form-urlencoded", form]
            repeat = 1
        with opened_page(playwright) as page:
            page.goto(address + "/favicon.svg")  # same origin, without other requests
            found = [page.evaluate(ASK, asked) for _ in range(repeat)]
        return min(took for took, _ in found) / 1e3, float(found[0][1])

    def pan_frames(self, playwright: Playwright, face: Face, address: str) -> list[float] | None:
        with opened_page(playwright) as page:
            page.goto(address, wait_until="commit")
            is_drawn = settled(page, face)["drawn"] > 0
            box = page.locator(f"{face.card} {face.canvas}").first.bounding_box()
            if box is None or not is_drawn:
                return None
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.keyboard.down("Alt")
            page.mouse.wheel(0, -200)
            page.keyboard.up("Alt")
            time.sleep(1.0)
            page.keyboard.down("Shift")
            frames = drag_frames(page, to_and_fro(x, y, width=60, height=10))
            page.keyboard.up("Shift")
            return frames


ASK = """async ([path, type, body]) => {
    const begun = performance.now();
    const response = await fetch(path, { method: 'POST', headers: { 'content-type': type }, body });
    if (!response.ok) throw new Error(`answered with ${response.status}`);
    const size = (await response.arrayBuffer()).byteLength;
    return [performance.now() - begun, size];
}"""


def settled(page: Page, face: Face) -> dict[str, Any]:
    """Waits until all cards on the screen are drawn and their number is stable, or a page without cards is idle."""
    page.evaluate(
        "wanted => seamarkBench.watch(wanted)", {"card": face.card, "canvas": face.canvas, "ready": face.ready}
    )
    begun = time.monotonic()
    while time.monotonic() - begun < PAGE_TIMEOUT_SECS:
        time.sleep(0.25)  # polling takes time from the page
        state: dict[str, Any] = page.evaluate("seamarkBench.read()")
        still_ms = state["now"] - max(state["changed"], 0)
        is_idle = state["now"] - max(state["taskEnd"], state["changed"]) > IDLE_MS
        if state["cards"] > 0 and still_ms > SETTLED_MS and (state["drawn"] == state["cards"] or is_idle):
            return state
    raise TimeoutError(f"the page of {face.viewer.name} was not complete after {PAGE_TIMEOUT_SECS:.0f} s")
