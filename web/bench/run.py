"""Measures and photographs the charts in a real Chromium.

In the folder of the repository:

(cd web && npx vite build -c bench/vite.config.ts)
PYTHONPATH=. python web/bench/run.py build/chart-bench                    times, as a table
PYTHONPATH=. python web/bench/run.py build/chart-bench --pictures DIR     every kind of chart, light and dark
"""

from __future__ import annotations

import argparse
import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tools.browser import launch


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def report(page: Page, address: str, repeats: int) -> None:
    page.goto(address)
    page.wait_for_function("window.chartBench")
    for workers in (2, 1, 0):
        times = page.evaluate(f"chartBench.drawingTimes({workers}, {repeats})")
        where = f"{workers} worker{'s' * (workers > 1)}" if workers else "in the page"
        for case, time in times.items():
            print(f"{where:12} {case:28} {time['totalMs']:7.1f} ms to pixels, {time['workMs']:7.1f} ms of drawing")
    for series in (100, 1000):
        seen = page.evaluate(f"chartBench.panning({series}, 120)")
        frames = f"median frame {seen['medianMs']:.1f} ms, worst {seen['worstMs']:.1f} ms"
        print(f"panning {series:5} x 400: {frames}, {seen['drawn']} of {seen['frames']} drawn")
    print(f"nearest of 1,000: {page.evaluate('chartBench.nearestTime(1000)'):.3f} ms")


def photograph(page: Page, address: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        page.goto(f"{address}?gallery={theme}")
        page.wait_for_timeout(1500)
        page.screenshot(path=folder / f"gallery-{theme}.png", full_page=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("built", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with files_served(options.built) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.on("console", lambda message: print(f"console {message.type}: {message.text}"))
        page.on("pageerror", lambda error: print(f"page error: {error}"))
        if options.pictures:
            photograph(page, address, options.pictures)
        else:
            report(page, address, options.repeats)
        browser.close()


if __name__ == "__main__":
    main()
