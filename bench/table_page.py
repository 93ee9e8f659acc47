"""Measures the table of all runs in the page: time until a sort or query shows other rows, and frame times."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote

from playwright.sync_api import Page, Playwright, sync_playwright

from bench.browser import SCROLL_STEPS
from bench.probed_page import frames_of, opened_page
from bench.report import Figure

TARGET_SECS = 0.2
TIMES = 5
PASSES = 3  # the least of the longest frames counts
DIRECTIONS = (("scrollTop", "scrollHeight", "down"), ("scrollLeft", "scrollWidth", "across"))

# From a click or an input until the new rows are painted; the grid is busy in between.
UNTIL_CHANGED = """([act, argument]) => new Promise((done, fail) => {
    const grid = document.querySelector('[role=grid]');
    const acts = {
        sort: (column) => document.querySelector(`[role=columnheader][aria-colindex="${column}"] .sort`).click(),
        query: (text) => {
            const box = document.getElementById('run-filter');
            box.value = text;
            box.dispatchEvent(new Event('input', { bubbles: true }));
        },
    };
    const observer = new MutationObserver(() => {
        if (grid.ariaBusy === 'true') return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
    });
    observer.observe(grid, { attributeFilter: ['aria-busy'] });
    setTimeout(() => fail(new Error(`no other rows came after ${act} ${argument}`)), 30000);
    const begun = performance.now();
    acts[act](argument);
})"""

# Two frames of a screen with 60 Hz.
FRAME_MS = 33.0
SCROLL = """([steps, edge, size]) => new Promise((done) => {
    const rows = document.querySelector('[role=grid] .scroll');
    const { frames } = globalThis.seamarkBench;
    let step = 0;
    frames.begin();
    const scroll = () => {
        rows[edge] = rows[size] * step / steps;
        step += 1;
        if (step <= steps) requestAnimationFrame(scroll); else done();
    };
    requestAnimationFrame(scroll);
})"""


@dataclass(frozen=True)
class TablePage:
    """All columns, in a browser of 1440 × 900."""

    address: str
    columns: list[str]
    queries: tuple[str, str]  # they match different runs
    title: str
    add: Callable[[Figure], None]

    def run(self) -> None:
        with sync_playwright() as playwright:
            passes = []
            for _ in range(PASSES):
                with self._opened(playwright) as page:
                    passes.append({edge: scrolled_frames(page, edge, size) for edge, size, _ in DIRECTIONS})
            with self._opened(playwright) as page:
                # Columns 3 and 4 come after the checkbox and the name.
                sorts = [until_changed(page, "sort", 3 + turn % 2) for turn in range(TIMES + 1)]
                queries = [until_changed(page, "query", self.queries[turn % 2]) for turn in range(TIMES + 1)]
        for edge, _, words in DIRECTIONS:
            self._add_frames(words, min((frames[edge] for frames in passes), key=max))
        # The first of each loads new columns.
        self._add_time(f"a click on a column → other rows drawn, {self.title}", sorts[1:])
        self._add_time(f"a query typed → other rows drawn, {self.title}", queries[1:])

    @contextmanager
    def _opened(self, playwright: Playwright) -> Iterator[Page]:
        """A new page, which has no rows yet but the first."""
        with opened_page(playwright) as page:
            chosen = quote(",".join(self.columns))
            page.goto(f"{self.address}/#scalars&runTable=open&tableColumns={chosen}")
            page.locator('[role=grid] [aria-rowindex="2"] .name').wait_for()
            page.get_by_text("up to date").wait_for()
            yield page

    def _add_frames(self, words: str, frames: list[float]) -> None:
        what = f"longest frame while scrolling {words}, {self.title} (median {statistics.median(frames):.0f} ms)"
        self.add(Figure(what, "s", max(frames) / 1e3, None, f"≤ {FRAME_MS:g} ms", max(frames) < FRAME_MS + 1))

    def _add_time(self, what: str, secs: list[float]) -> None:
        middle = statistics.median(secs)
        self.add(Figure(what, "s", middle, None, f"≤ {TARGET_SECS * 1e3:g} ms", middle <= TARGET_SECS))


def scrolled_frames(page: Page, edge: str, size: str) -> list[float]:
    """The times between frames, in ms, while the table is scrolled to its end. It is left where it began."""
    page.evaluate(SCROLL, [SCROLL_STEPS, edge, size])
    frames = frames_of(page)
    page.evaluate("edge => { document.querySelector('[role=grid] .scroll')[edge] = 0; }", edge)
    page.locator('[role=columnheader][aria-colindex="3"] .sort').wait_for()
    return frames


def until_changed(page: Page, act: str, argument: object) -> float:
    return float(page.evaluate(UNTIL_CHANGED, [act, argument])) / 1e3
