"""A page in Chromium with a probe in it: opening, waiting, frame times, memory."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page, Playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from bench.client import Client
from tools.browser import launch

PROBE = Path(__file__).with_name("probe.js")
PAGE_TIMEOUT_SECS = 150.0
PAN_MOVES = 90
POLL_MS = 20


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


def frames_of(page: Page) -> list[float]:
    found: list[float] = page.evaluate("seamarkBench.frames.end()")
    return found


def drag_frames(page: Page, points: Iterable[tuple[float, float]]) -> list[float]:
    """Presses the button at the first point and moves to the next one every 16 ms; returns the frames in ms."""
    moves = iter(points)
    page.mouse.move(*next(moves))
    page.mouse.down()
    page.evaluate("seamarkBench.frames.begin()")
    for x, y in moves:
        page.mouse.move(x, y)
        time.sleep(0.016)
    frames = frames_of(page)
    page.mouse.up()
    return frames


def to_and_fro(x: float, y: float, *, width: float, height: float) -> Iterator[tuple[float, float]]:
    """A middle, then 90 points up to `width` beside it and `height` above and below it."""
    yield x, y
    for move in range(PAN_MOVES):
        yield x + width * ((move % 30) / 15 - 1), y + height * ((move % 20) / 10 - 1)


def wait_idle(page: Page, *, idle_ms: int, limit_secs: float) -> bool:
    """Waits until no long task has run for so long; False if the page was not idle within the limit."""
    try:
        page.wait_for_function(
            "idleMs => performance.now() - seamarkBench.read().taskEnd > idleMs", arg=idle_ms, timeout=limit_secs * 1e3
        )
    except PlaywrightTimeoutError:
        return False
    return True


def goto_drawn(page: Page, address: str, *, callback: str, probe: Path, limit_secs: float) -> float | None:
    """Opens a page with a probe; returns what the probe passes to `callback`, or None after the limit."""
    drawn: list[float] = []

    def note_drawn(at_ms: float) -> None:
        drawn.append(at_ms)

    page.expose_function(callback, note_drawn)
    page.add_init_script(path=probe)
    page.goto(address, wait_until="commit")
    begun = time.monotonic()
    while not drawn and time.monotonic() - begun < limit_secs:
        page.wait_for_timeout(POLL_MS)
    return drawn[0] if drawn else None


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
