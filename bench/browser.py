"""Measures both viewers in the same Chromium: time until charts are drawn, memory, and frame times."""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Browser, Page, Playwright, sync_playwright
from playwright.sync_api import TimeoutError as PatienceEndedError

from bench.client import Client
from bench.layouts import Layout, event_file
from bench.report import Figure
from bench.scenarios import Bench, wait_answerable
from bench.viewers import Seamark, TensorBoard, Viewer
from tools.browser import launch

PROBE = Path(__file__).with_name("probe.js")
PAGE_TIMEOUT_SECS = 150.0
SETTLED_MS = 1500
TURNS_MORE = 2
# A page without charts is complete when it has been idle for as long.
IDLE_MS = 3000
PAN_RUNS = 100
PEER_PAN_RUNS = 40
PAN_MOVES = 90
SCROLL_STEPS = 120
FRAME_MS = 50.0
ALL_RUNS_SECS = 1.3
SMOOTHING_SECS = 0.5
HEAP_BYTES = 300e6
ONE_TAG_SECS = 0.1
ONE_TAG_BYTES = 4e6


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
    """() => { const field = document.querySelector('[aria-label^="Smoothing, 0 to"]'); field.value = '0.9';
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


@dataclass
class InBrowser:
    """Measures pages, and passes each figure to `add`."""

    bench: Bench
    logdirs: dict[str, tuple[Layout, Path]]
    index_ahead: Callable[[str], Path]
    repeat: int
    add: Callable[[Figure], None]

    def run(self) -> None:
        with sync_playwright() as playwright:
            self.wide(playwright)
            self.sweep(playwright)
            self.panning(playwright)
            self.table(playwright)

    def wide(self, playwright: Playwright) -> None:
        """Two thousand tags of one run."""
        tags = self.logdirs["L4"][0].tags
        # The viewers alternate, with more repetitions than elsewhere: a shared machine varies from minute to minute.
        with self.serving(PEER, "L4") as theirs, self.serving(OURS, "L4") as own:
            pages = [(PEER, theirs + PEER.time_series), (OURS, own + OURS.time_series)]
            opened = [[self.opened(playwright, *page) for page in pages] for _ in range(self.repeat + TURNS_MORE)]
            peer, ours = (min(of_one, key=lambda page: page.all_secs) for of_one in zip(*opened, strict=True))
            peer_smooth, our_smooth = (self.smoothing(playwright, *page) for page in pages)
        where = f"{tags:,} tags (L4), Time series"
        self.times(f"first chart drawn, {where}", ours.first_secs, peer.first_secs, least_times=5.0)
        self.times(f"all visible cards drawn, {where}", ours.all_secs, peer.all_secs)
        self.weights(where, ours, peer)
        self.times(f"smoothing changed → all visible cards drawn again, {where}", our_smooth, peer_smooth)

    def sweep(self, playwright: Playwright) -> None:
        """Twenty tags of a thousand runs. TensorBoard selects none of them: the time until its empty charts appear."""
        layout = self.logdirs["L2"][0]
        with self.serving(PEER, "L2") as address:
            peer = self.opened(playwright, PEER, address + PEER.time_series)
            peer_curves = None if peer.drawn else self.all_runs(playwright, address + PEER.time_series)
            peer_tag = self.one_tag(playwright, PEER, address, layout)
        with self.serving(OURS, "L2") as address:
            ours = self.best(playwright, OURS, address + OURS.time_series)
            our_tag = self.one_tag(playwright, OURS, address, layout)
            our_smooth = self.smoothing(playwright, OURS, address + OURS.time_series)
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
            with suppress(PatienceEndedError):
                page.wait_for_function(
                    """quietMs => { const { cards, drawn, changed, now } = globalThis.seamarkBench.read();
                       return cards > 0 && drawn === cards && now - changed > quietMs; }""",
                    arg=SETTLED_MS,
                )
            ended = page.evaluate("globalThis.seamarkBench.read()")
            return float(opened_secs + ((ended["changed"] if ended["drawn"] else ended["now"]) - begun) / 1e3)

    def panning(self, playwright: Playwright) -> None:
        """A hundred runs in every card, and one card being panned."""
        layout = self.logdirs["L2"][0]
        frames, counts = {}, {}
        for face, limit in ((PEER, PEER_PAN_RUNS), (OURS, PAN_RUNS)):
            names = layout.run_names[:limit]
            small = Layout("pan", "", runs=len(names), tags=layout.tags, steps=layout.steps)
            with self.serving_at(face, small, self.some_runs(names), self.bench.fresh_dir("index-")) as address:
                frames[face.viewer.name] = self.pan_frames(playwright, face, address + face.time_series)
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
        folder = self.bench.fresh_dir("pan-")
        for run in names:
            target = event_file(folder / run)
            target.parent.mkdir()
            os.link(event_file(self.logdirs["L2"][1] / run), target)
        return folder

    def table(self, playwright: Playwright) -> None:
        """The runs table alone, scrolled from end to end."""
        layout = self.logdirs["L5"][0]
        with self.serving(OURS, "L5") as address, opened_page(playwright) as page:
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

    # Measurements

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
            page.mouse.down()
            page.evaluate("seamarkBench.frames.begin()")
            for move in range(PAN_MOVES):
                page.mouse.move(x + 60 * ((move % 30) / 15 - 1), y + 10 * ((move % 20) / 10 - 1))
                time.sleep(0.016)
            frames = frames_of(page)
            page.mouse.up()
            page.keyboard.up("Shift")
            return frames


ASK = """async ([path, type, body]) => {
    const begun = performance.now();
    const response = await fetch(path, { method: 'POST', headers: { 'content-type': type }, body });
    if (!response.ok) throw new Error(`answered with ${response.status}`);
    const size = (await response.arrayBuffer()).byteLength;
    return [performance.now() - begun, size];
}"""


@contextmanager
def opened_page(playwright: Playwright) -> Iterator[Page]:
    browser: Browser = launch(playwright, with_windows=True)
    try:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PAGE_TIMEOUT_SECS * 1e3)
        page.add_init_script(path=PROBE)
        yield page
    finally:
        browser.close()


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


def frames_of(page: Page) -> list[float]:
    found: list[float] = page.evaluate("seamarkBench.frames.end()")
    return found


def heap_bytes(page: Page) -> float:
    """The memory in use by the main thread, including buffers, after a garbage collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    session.detach()
    return float(usage["usedSize"] + usage.get("backingStorageSize", 0))


def resident_bytes(page: Page) -> float:
    """The memory of the renderer process, including workers."""
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(max(psutil.Process(one["id"]).memory_info().rss for one in processes if one["type"] == "renderer"))


def address_of(client: Client) -> str:
    return f"http://127.0.0.1:{client.port}"
