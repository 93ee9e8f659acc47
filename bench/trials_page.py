"""Measures HParams in the page: time until thousands of trials are drawn, and frame times while brushing.

python -m bench.trials_page                5,000 trials
python -m bench.trials_page --trials 300
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright

from bench.browser import FRAME_MS
from bench.probed_page import address_of, drag_frames, opened_page
from bench.report import Figure
from bench.run_table import METRICS, make_runs, value_of
from bench.scenarios import Bench, wait_until
from bench.viewers import Seamark

FULL, QUICK = 5_000, 100
PARAMS = [f"group{at % 7}.param{at}" for at in range(9)]
TARGET = "metric:metric/0:last"
MOVES = 60
DRAWN_SECS = 1.2
OVERLAY = "[aria-roledescription='parallel coordinates']"
DRAWN = "([overlay, count]) => document.querySelector(overlay)?.dataset.drawn === count"


@dataclass(frozen=True)
class TrialsPage:
    """Nine parameters and the objective: ten axes, in a browser of 1440 × 900."""

    bench: Bench
    trials: int
    add: Callable[[Figure], None]

    def run(self) -> None:
        logdir = self.bench.fresh_dir("trials-")
        make_runs(logdir, self.trials, PARAMS)
        viewer = Seamark()

        def has_all() -> bool:
            tags = viewer.tags(client)
            return tags is not None and sum(len(found) == METRICS for found in tags.values()) == self.trials

        with self.bench.running(viewer, logdir, self.bench.fresh_dir("index-")) as (process, client):
            wait_until(has_all, process)
            with sync_playwright() as playwright, opened_page(playwright) as page:
                self._look(page, address_of(client))

    def _look(self, page: Page, address: str) -> None:
        axes = quote(json.dumps([*(f"param:{name}" for name in PARAMS), TARGET]))
        begun = time.monotonic()
        page.goto(f"{address}/#hparams&hparams.axes={axes}&hparams.objective={quote(TARGET)}", wait_until="commit")
        page.wait_for_function(DRAWN, arg=[OVERLAY, str(self.trials)])
        title = f"parallel coordinates of {self.trials:,} trials on {len(PARAMS) + 1} axes"
        secs = time.monotonic() - begun
        wanted = f"≤ {DRAWN_SECS:g} s"
        self.add(Figure(f"{title}: drawn after opening the page", "s", secs, None, wanted, secs <= DRAWN_SECS))
        page.get_by_role("region", name="Importance").get_by_text("Computing").wait_for(state="detached")
        frames = self._brush(page)
        longest = max(frames)
        self.add(
            Figure(
                f"{title}: longest frame while brushing (median {statistics.median(frames):.0f} ms)", "s",
                longest / 1e3, None, f"≤ {FRAME_MS:g} ms", longest <= FRAME_MS,
            )
        )  # fmt: skip

    def _brush(self, page: Page) -> list[float]:
        """Brushes up and down along a numeric axis."""
        overlay = page.locator(OVERLAY).bounding_box()
        # Not the first axis, whose name is beside it.
        name = next(name for name in PARAMS[1:] if isinstance(value_of(name, 0), float))
        head = page.get_by_role("button", name=f"Axis {name},").bounding_box()
        assert head is not None and overlay is not None
        x = head["x"] + head["width"] / 2
        top, bottom = overlay["y"] + 40, overlay["y"] + overlay["height"] - 20
        shares = (0.5 - 0.5 * math.cos(2 * math.pi * move / (MOVES / 2)) for move in range(MOVES))
        heights = [bottom - (0.1 + 0.7 * share) * (bottom - top) for share in shares]
        return drag_frames(page, [(x, bottom), *((x, y) for y in heights)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=FULL)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        TrialsPage(Bench(Path(scratch)), args.trials, lambda figure: print(figure, file=sys.stderr)).run()


if __name__ == "__main__":
    main()
