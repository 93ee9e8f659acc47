"""Measures the Projector in both pages: time until the points are drawn, orbiting, memory, and the methods.

python -m bench --parts projector
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Frame, Page, Playwright, sync_playwright

from bench.embedding_logs import DIMENSIONS, NAME, RUN, TAG, write_embedding, write_npy
from bench.probed_page import address_of, drag_frames, goto_drawn, opened_page, to_and_fro, wait_idle
from bench.report import Figure
from bench.scenarios import Bench, Serving
from bench.viewers import Seamark, TensorBoard, Viewer
from seamark.plugin.columns import decode_columns

PROBE = Path(__file__).with_name("projector_probe.js")
PAGE_LIMIT_SECS = 120.0
FIRST_POINTS_TIMES = 4.0
FRAME_MS = 50.0
COLD_SECS, WARM_SECS = 8.0, 2.0
PCA_SECS = 1.0
NEIGHBOURS_SECS = 0.1
MEMORY_TIMES = 2.0
IDLE_MS = 1000
METHOD_LIMIT_SECS = 600.0
# TensorBoard's t-SNE never ends: it is timed for so many iterations, and extrapolated to as many as Seamark makes.
PEER_ITERATIONS = 20
IN_3D = "&projector.method=" + quote(json.dumps({"dims": 3}))


@dataclass(frozen=True)
class Sizes:
    """Rows of the generated embeddings."""

    small: int
    sample: int  # the most points that t-SNE and UMAP take by default
    large: int
    huge: int


FULL = Sizes(10_000, 50_000, 100_000, 1_000_000)
QUICK = Sizes(300, 400, 500, 1_000)


@dataclass(frozen=True)
class Drawn:
    secs: float
    server_bytes: float


@dataclass
class ProjectorPage:
    """A browser of 1440 × 900, a fresh one and a fresh server for each picture."""

    bench: Bench
    sizes: Sizes
    repeat: int
    add: Callable[[Figure], None]

    def __post_init__(self) -> None:
        self.ours, self.peer = Seamark(), TensorBoard()

    def run(self) -> None:
        folder = self.bench.fresh_dir("projector-")
        small, sample, large, huge = (folder / name for name in ("small", "sample", "large", "huge"))
        write_embedding(small, self.sizes.small)
        write_embedding(sample, self.sizes.sample)
        write_embedding(large, self.sizes.large)
        write_npy(huge, self.sizes.huge)
        with sync_playwright() as playwright:
            self.first_points(playwright, small, self.sizes.small)
            self.first_points(playwright, large, self.sizes.large)
            self.orbiting(playwright, large)
            self.one_million(playwright, huge)
            self.inside("pca", "PCA", self.sizes.large, PCA_SECS)
            self.inside("neighbours", "neighbours of a point", self.sizes.huge, NEIGHBOURS_SECS)
            self.method(playwright, small, "tsne", "t-SNE")
            self.method(playwright, small, "umap", "UMAP")
        for method, title in (("tsne", "t-SNE"), ("umap", "UMAP")):
            self.method_of_sample(sample, method, title)

    # Figures

    def first_points(self, playwright: Playwright, logdir: Path, rows: int) -> None:
        peer = self._best_drawn(playwright, self.peer, logdir)
        ours = self._best_drawn(playwright, self.ours, logdir)
        title = f"{rows:,} × {DIMENSIONS} with metadata"
        is_met = ours.secs * FIRST_POINTS_TIMES <= peer.secs
        wanted = f"≥ {FIRST_POINTS_TIMES:g}x sooner"
        self.add(Figure(f"navigation → first points drawn, {title}", "s", ours.secs, peer.secs, wanted, is_met))
        self.add(Figure(f"memory of the server, {title}", "bytes", ours.server_bytes, peer.server_bytes))

    def orbiting(self, playwright: Playwright, logdir: Path) -> None:
        peer, ours = (
            min((self._orbit(playwright, viewer, logdir) for _ in range(self.repeat)), key=max)
            for viewer in (self.peer, self.ours)
        )
        medians = f"median {_median(ours)}, TensorBoard {_median(peer)}"
        title = f"longest frame while orbiting {self.sizes.large:,} points in 3-D ({medians})"
        wanted, is_met = f"≤ {FRAME_MS:g} ms", max(ours) <= FRAME_MS
        self.add(Figure(title, "s", max(ours) / 1e3, max(peer) / 1e3, wanted, is_met))

    def one_million(self, playwright: Playwright, logdir: Path) -> None:
        title = f"{self.sizes.huge:,} × {DIMENSIONS} in a .npy file"
        kept = [self.bench.fresh_dir("index-") for _ in range(self.repeat)]
        cold = [self._drawn(playwright, self.ours, logdir, index_dir) for index_dir in kept]
        warm = [self._drawn(playwright, self.ours, logdir, index_dir) for index_dir in kept]
        for name, found, limit_secs in (("", cold, COLD_SECS), (", second start", warm, WARM_SECS)):
            secs = min(one.secs for one in found)
            what = f"navigation → first picture, {title}{name}"
            self.add(Figure(what, "s", secs, None, f"≤ {limit_secs:g} s", secs <= limit_secs))
        matrix_bytes = self.sizes.huge * DIMENSIONS * 4
        peak = min(one.server_bytes for one in cold)
        wanted, is_met = f"< {MEMORY_TIMES:g} × the matrix", peak < MEMORY_TIMES * matrix_bytes
        what = f"peak memory of the server, {title} of {matrix_bytes / 1e6:,.0f} MB"
        self.add(Figure(what, "bytes", peak, None, wanted, is_met))

    def inside(self, what: str, title: str, rows: int, limit_secs: float) -> None:
        command = [sys.executable, "-m", "bench.projector_inside", what, str(rows)]
        secs: float = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        wanted = f"≤ {limit_secs:g} s" if limit_secs >= 1 else f"≤ {limit_secs * 1e3:g} ms"
        self.add(Figure(f"{title} of {rows:,} × {DIMENSIONS}, in process", "s", secs, None, wanted, secs <= limit_secs))

    def method(self, playwright: Playwright, logdir: Path, method: str, title: str) -> None:
        ours, epochs = self._our_method(logdir, method)
        peer = self._peer_method(playwright, logdir, method, epochs)
        how = {"tsne": f"extrapolated from {PEER_ITERATIONS} iterations", "umap": "200 epochs of as many rows"}
        what = f"{title} of {self.sizes.small:,} × {DIMENSIONS}, {epochs:,} epochs (TensorBoard: {how[method]})"
        self.add(Figure(what, "s", ours, peer, "no slower", ours <= peer))

    def method_of_sample(self, logdir: Path, method: str, title: str) -> None:
        secs, epochs = self._our_method(logdir, method)
        self.add(Figure(f"{title} of {self.sizes.sample:,} × {DIMENSIONS}, {epochs:,} epochs", "s", secs))

    # Measurements

    def _best_drawn(self, playwright: Playwright, viewer: Viewer, logdir: Path) -> Drawn:
        found = [self._drawn(playwright, viewer, logdir) for _ in range(self.repeat)]
        return min(found, key=lambda drawn: drawn.secs)

    def _drawn(self, playwright: Playwright, viewer: Viewer, logdir: Path, index_dir: Path | None = None) -> Drawn:
        with self._serving(viewer, logdir, index_dir) as (process, client), opened_page(playwright) as page:
            secs = _open(page, address_of(client))
            return Drawn(secs, float(process.peak_bytes()))

    def _orbit(self, playwright: Playwright, viewer: Viewer, logdir: Path) -> list[float]:
        with self._serving(viewer, logdir) as (_, client), opened_page(playwright) as page:
            _open(page, address_of(client), IN_3D if viewer is self.ours else "")
            if not wait_idle(page, idle_ms=IDLE_MS, limit_secs=PAGE_LIMIT_SECS):
                raise TimeoutError(f"the page of {viewer.name} was not idle after {PAGE_LIMIT_SECS:.0f} s")
            # The middle of the picture in both pages.
            return drag_frames(page, to_and_fro(720, 480, width=150, height=60))

    def _our_method(self, logdir: Path, method: str) -> tuple[float, int]:
        """Seconds from the first request until the last epoch, asking as the page does; and the number of epochs."""
        with self._serving(self.ours, logdir) as (_, client):
            wanted = {"run": RUN, "name": f"config:{NAME}:00000", "method": {"method": method}}
            begun, epoch = time.perf_counter(), -1
            while time.perf_counter() - begun < METHOD_LIMIT_SECS:
                body = json.dumps(wanted | {"after": epoch}).encode()
                answer = client.post("/api/dashboards/projector/projection", body, "application/json")
                if answer is None:
                    raise RuntimeError(f"the server did not answer for {method}")
                header = decode_columns(answer)[0]
                epoch = int(header["epoch"])
                if header["state"] == "failed":
                    raise RuntimeError(f"{method} failed: {header['error']}")
                if header["state"] == "done":
                    if not header["epochs"]:
                        raise RuntimeError(f"{method} made no epochs")
                    return time.perf_counter() - begun, int(header["epochs"])
            raise TimeoutError(f"{method} was not done after {METHOD_LIMIT_SECS:.0f} s")

    def _peer_method(self, playwright: Playwright, logdir: Path, method: str, epochs: int) -> float:
        with self._serving(self.peer, logdir) as (_, client), opened_page(playwright) as page:
            _open(page, address_of(client))
            frame = next(frame for frame in page.frames if _has_projector(frame))
            begun = time.perf_counter()
            frame.evaluate("method => seamarkProjector.begin(method)", method)
            if method == "umap":
                frame.wait_for_function("() => seamarkProjector.isUmapDone()", timeout=METHOD_LIMIT_SECS * 1e3)
                return time.perf_counter() - begun
            frame.wait_for_function("() => seamarkProjector.iteration() > 0", timeout=METHOD_LIMIT_SECS * 1e3)
            started, first = time.perf_counter(), frame.evaluate("seamarkProjector.iteration()")
            frame.wait_for_function(
                "last => seamarkProjector.iteration() >= last",
                arg=first + PEER_ITERATIONS,
                timeout=METHOD_LIMIT_SECS * 1e3,
            )
            done: int = frame.evaluate("seamarkProjector.iteration()") - first
            per_iteration: float = (time.perf_counter() - started) / done
            return started - begun + per_iteration * epochs

    def _serving(self, viewer: Viewer, logdir: Path, index_dir: Path | None = None) -> Serving:
        """A viewer that has read the event file, but was not asked for the embedding."""
        return self.bench.running_with_tag(viewer, logdir, RUN, TAG, index_dir)


def _open(page: Page, address: str, state: str = "") -> float:
    """Seconds from the navigation until the first points were drawn."""
    address = f"{address}/#projector{state}"
    drawn_ms = goto_drawn(page, address, callback="seamarkProjectorDrawn", probe=PROBE, limit_secs=PAGE_LIMIT_SECS)
    if drawn_ms is None:
        raise TimeoutError(f"no points were drawn after {PAGE_LIMIT_SECS:.0f} s: {address}")
    navigated_ms: float = page.evaluate("performance.timeOrigin")
    return (drawn_ms - navigated_ms) / 1e3


def _has_projector(frame: Frame) -> bool:
    return bool(frame.evaluate("globalThis.seamarkProjector?.hasPeer() ?? false"))


def _median(frames: list[float]) -> str:
    return f"{statistics.median(frames):.0f} ms"
