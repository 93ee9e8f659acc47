"""Measures both viewers in the same Chromium: time until charts are drawn, memory, and frame times."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from bench.layouts import Layout, event_file
from bench.probed_page import frames_of, opened_page
from bench.report import Figure
from bench.scalar_pages import OURS, PEER, SETTLED_MS, Opened, ScalarPages, settled

TURNS_MORE = 2
PAN_RUNS = 100
PEER_PAN_RUNS = 40
SCROLL_STEPS = 120
FRAME_MS = 50.0
ALL_RUNS_SECS = 1.3
SMOOTHING_SECS = 0.5
HEAP_BYTES = 300e6
ONE_TAG_SECS = 0.1
ONE_TAG_BYTES = 4e6


@dataclass(frozen=True)
class InBrowser:
    """Measures pages, and passes each figure to `add`."""

    pages: ScalarPages
    add: Callable[[Figure], None]

    def run(self) -> None:
        with sync_playwright() as playwright:
            self.wide(playwright)
            self.sweep(playwright)
            self.panning(playwright)
            self.table(playwright)

    def wide(self, playwright: Playwright) -> None:
        """Two thousand tags of one run."""
        tags = self.pages.logdirs["L4"][0].tags
        # The viewers alternate, with more repetitions than elsewhere: a shared machine varies from minute to minute.
        with self.pages.serving(PEER, "L4") as theirs, self.pages.serving(OURS, "L4") as own:
            pages = [(PEER, theirs + PEER.time_series), (OURS, own + OURS.time_series)]
            opened = [
                [self.pages.opened(playwright, *page) for page in pages] for _ in range(self.pages.repeat + TURNS_MORE)
            ]
            peer, ours = (min(of_one, key=lambda page: page.all_secs) for of_one in zip(*opened, strict=True))
            peer_smooth, our_smooth = (self.pages.smoothing(playwright, *page) for page in pages)
        where = f"{tags:,} tags (L4), Time series"
        self.times(f"first chart drawn, {where}", ours.first_secs, peer.first_secs, least_times=5.0)
        self.times(f"all visible cards drawn, {where}", ours.all_secs, peer.all_secs)
        self.weights(where, ours, peer)
        self.times(f"smoothing changed → all visible cards drawn again, {where}", our_smooth, peer_smooth)

    def sweep(self, playwright: Playwright) -> None:
        """Twenty tags of a thousand runs. TensorBoard selects none of them: the time until its empty charts appear."""
        layout = self.pages.logdirs["L2"][0]
        with self.pages.serving(PEER, "L2") as address:
            peer = self.pages.opened(playwright, PEER, address + PEER.time_series)
            peer_curves = None if peer.drawn else self.all_runs(playwright, address + PEER.time_series)
            peer_tag = self.pages.one_tag(playwright, PEER, address, layout)
        with self.pages.serving(OURS, "L2") as address:
            ours = self.pages.best(playwright, OURS, address + OURS.time_series)
            our_tag = self.pages.one_tag(playwright, OURS, address, layout)
            our_smooth = self.pages.smoothing(playwright, OURS, address + OURS.time_series)
        where = f"{layout.runs:,} runs (L2), Time series"
        self.times(f"first chart drawn, {where}", ours.first_secs, peer.first_secs)
        what = f"all visible cards drawn, {where}"
        if peer_curves is not None:
            title = f"{what} (TensorBoard: no run selected, empty charts)"
            self.times(title, ours.all_secs, peer.all_secs, most_secs=ALL_RUNS_SECS)
            what += " (TensorBoard: opened, then all runs selected)"
        self.times(what, ours.all_secs, peer.all_secs if peer_curves is None else peer_curves, least_times=10.0)
        self.weights(where, ours, peer, heap_bytes=HEAP_BYTES)
        title = f"smoothing changed → all visible cards drawn again, {where}"
        self.times(title, our_smooth, None, most_secs=SMOOTHING_SECS)
        what = f"one tag of {layout.runs:,} runs, asked by the page (L2)"
        secs, size = our_tag
        self.add(Figure(what, "s", secs, peer_tag[0], f"≤ {ONE_TAG_SECS * 1e3:g} ms", secs <= ONE_TAG_SECS))
        self.add(Figure(f"{what}, its size", "bytes", size, peer_tag[1], "≤ 4 MB", size <= ONE_TAG_BYTES))

    def all_runs(self, playwright: Playwright, address: str) -> float:
        """TensorBoard's page with every run selected: seconds until the curves are drawn, or the timeout."""
        with opened_page(playwright) as page:
            page.goto(address)
            opened_secs = settled(page, PEER)["changed"] / 1e3
            begun = page.evaluate("performance.now()")
            page.locator("tb-data-table-header-cell mat-checkbox input").first.click()
            with suppress(PlaywrightTimeoutError):
                page.wait_for_function(
                    """quietMs => { const { cards, drawn, changed, now } = globalThis.seamarkBench.read();
                       return cards > 0 && drawn === cards && now - changed > quietMs; }""",
                    arg=SETTLED_MS,
                )
            ended = page.evaluate("globalThis.seamarkBench.read()")
            return float(opened_secs + ((ended["changed"] if ended["drawn"] else ended["now"]) - begun) / 1e3)

    def panning(self, playwright: Playwright) -> None:
        """A hundred runs in every card, and one card being panned."""
        layout = self.pages.logdirs["L2"][0]
        frames, counts = {}, {}
        for face, limit in ((PEER, PEER_PAN_RUNS), (OURS, PAN_RUNS)):
            names = layout.run_names[:limit]
            small = Layout("pan", "", runs=len(names), tags=layout.tags, steps=layout.steps)
            with self.pages.serving_at(
                face, small, self.some_runs(names), self.pages.bench.fresh_dir("index-")
            ) as address:
                frames[face.viewer.name] = self.pages.pan_frames(playwright, face, address + face.time_series)
            counts[face.viewer.name] = len(names)
        fewer = (
            f" (TensorBoard: {counts['TensorBoard']}, as many as it shows by default)"
            if len(set(counts.values())) > 1
            else ""
        )
        what = f"longest frame while panning {counts['Seamark']} series{fewer}"
        self.frames(what, frames["Seamark"], frames["TensorBoard"])

    def some_runs(self, names: list[str]) -> Path:
        """A log directory with the first runs of the sweep."""
        folder = self.pages.bench.fresh_dir("pan-")
        for run in names:
            target = event_file(folder / run)
            target.parent.mkdir()
            os.link(event_file(self.pages.logdirs["L2"][1] / run), target)
        return folder

    def table(self, playwright: Playwright) -> None:
        """The runs table alone, scrolled from end to end."""
        layout = self.pages.logdirs["L5"][0]
        with self.pages.serving(OURS, "L5") as address, opened_page(playwright) as page:
            page.goto(address + OURS.scalars)
            rows = page.locator("[role=treegrid] .rows")
            rows.wait_for()
            page.wait_for_function("n => document.querySelector('[role=treegrid]').ariaRowCount > n", arg=layout.runs)
            settled(page, OURS)
            page.evaluate(
                """steps => new Promise((done) => {
                    const rows = document.querySelector('[role=treegrid] .rows');
                    const frames = globalThis.seamarkBench.frames;
                    let step = 0;
                    frames.begin();
                    const scroll = () => {
                        rows.scrollTop = rows.scrollHeight * step / steps;
                        step += 1;
                        if (step <= steps) requestAnimationFrame(scroll); else done();
                    };
                    requestAnimationFrame(scroll);
                })""",
                SCROLL_STEPS,
            )
            self.frames(f"longest frame while scrolling a table of {layout.runs:,} runs", frames_of(page), None)

    # Figures

    def times(
        self,
        what: str,
        ours: float | None,
        peer: float | None,
        *,
        least_times: float = 0.0,
        most_secs: float = 0.0,
    ) -> None:
        if ours is None:
            raise RuntimeError(f"nothing was drawn: {what}")
        if most_secs:
            self.add(Figure(what, "s", ours, peer, f"≤ {most_secs:g} s", ours <= most_secs))
        elif not least_times or peer is None:
            self.add(Figure(what, "s", ours, peer))
        else:
            self.add(Figure(what, "s", ours, peer, f"≥ {least_times:g}x sooner", ours * least_times <= peer))

    def weights(self, where: str, ours: Opened, peer: Opened, *, heap_bytes: float = 0.0) -> None:
        wanted = (f"≤ {heap_bytes / 1e6:g} MB", ours.heap_bytes <= heap_bytes) if heap_bytes else ("", None)
        self.add(Figure(f"JavaScript heap with buffers, {where}", "bytes", ours.heap_bytes, peer.heap_bytes, *wanted))
        self.add(Figure(f"memory of the page's process, {where}", "bytes", ours.resident_bytes, peer.resident_bytes))
        self.add(Figure(f"transferred, {where}", "bytes", ours.transferred_bytes, peer.transferred_bytes))

    def frames(self, what: str, ours: list[float] | None, peer: list[float] | None) -> None:
        if not ours:
            raise RuntimeError(f"nothing was drawn: {what}")
        longest = max(ours)
        self.add(
            Figure(
                f"{what} (median {statistics.median(ours):.0f} ms)", "s", longest / 1e3,
                max(peer) / 1e3 if peer else None, f"≤ {FRAME_MS:g} ms", longest <= FRAME_MS,
            )
        )  # fmt: skip
