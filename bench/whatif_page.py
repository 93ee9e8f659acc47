"""Measures What-If in the page: frame times while a box and a lasso are drawn over all points.

python -m bench.whatif_page                100,000 points
python -m bench.whatif_page --rows 2000
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from bench.example_files import PARQUET, RUN, write_examples
from bench.probed_page import address_of, drag_frames, opened_page
from bench.report import Figure
from bench.scenarios import Bench
from bench.viewers import Seamark

FULL = 100_000
FRAME_MS = 33.0
MOVES = 90
READY = "() => performance.getEntriesByName('whatif:ready').length > 0"
Corners = Iterator[tuple[float, float]]


@dataclass(frozen=True)
class BrushPage:
    """Two numbers against each other, in a browser of 1440 × 900."""

    bench: Bench
    logdir: Path
    rows: int
    add: Callable[[Figure], None]

    def run(self) -> None:
        with (
            self.bench.running(Seamark(), self.logdir, self.bench.fresh_dir("index-")) as (_, client),
            sync_playwright() as playwright,
            opened_page(playwright) as page,
        ):
            chosen = f"whatif.run={RUN}&whatif.name=file:{PARQUET}&whatif.x=x0&whatif.y=x1&whatif.facet="
            page.goto(f"{address_of(client)}/#whatif&{chosen}")
            page.wait_for_function(READY)
            page.get_by_text("slices tried").wait_for()  # the other cards have what they asked for
            self._measure(page, "a box", box_corners())
            page.keyboard.down("Shift")
            self._measure(page, "a lasso", lasso_corners())
            page.keyboard.up("Shift")

    def _measure(self, page: Page, shape: str, corners: Corners) -> None:
        frames = sorted(self._brush(page, corners))
        late = frames[math.ceil(0.95 * len(frames)) - 1]
        title = f"{shape} over {self.rows:,} points: 95 % of the frames (median {statistics.median(frames):.0f} ms)"
        self.add(Figure(title, "s", late / 1e3, None, f"≤ {FRAME_MS:g} ms", late <= FRAME_MS))

    def _brush(self, page: Page, corners: Corners) -> list[float]:
        plot = page.get_by_test_id("explore-plot").bounding_box()
        assert plot is not None
        frames = drag_frames(
            page, ((plot["x"] + x * plot["width"], plot["y"] + y * plot["height"]) for x, y in corners)
        )
        page.get_by_role("button", name="Clear the selection").wait_for()
        return frames


def box_corners() -> Corners:
    """From the upper left to the lower right, as shares of the plot."""
    for at in range(MOVES + 1):
        yield 0.1 + 0.8 * at / MOVES, 0.1 + 0.75 * at / MOVES


def lasso_corners() -> Corners:
    for at in range(MOVES + 1):
        angle = 2 * math.pi * at / MOVES
        yield 0.5 + 0.35 * math.cos(angle), 0.5 + 0.35 * math.sin(angle)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=FULL)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        logdir = Path(scratch) / "logs"
        write_examples(logdir, args.rows)
        BrushPage(Bench(Path(scratch)), logdir, args.rows, lambda figure: print(figure, file=sys.stderr)).run()


if __name__ == "__main__":
    main()
