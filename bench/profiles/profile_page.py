"""Measures Profile: from the file to the overview beside the peers, and a trace of 10,000,000 slices in the page.

python -m bench --parts profile
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, Playwright, sync_playwright

from bench.client import Client
from bench.probed_page import address_of, drag_frames, heap_bytes, opened_page
from bench.process import ServerProcess
from bench.profiles.cases import HEALTHY, SICK, Case
from bench.profiles.peer_programs import TORCH_TB_PROFILER, XPROF
from bench.profiles.traces import write_large_trace, write_torch_trace
from bench.profiles.xspaces import write_xspace
from bench.report import Figure
from bench.scenarios import Bench, best_secs
from bench.viewers import Seamark
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.results import Finding

ROUTES = "/api/dashboards/profile"
RUN, CAPTURE_TIME = "train", "2026_11_14_14_31_08"
OVERVIEW_TIMES = 10.0
FIRST_OPEN_SECS, SECOND_OPEN_SECS = 25.0, 1.0
PEAK_BYTES = 1.5e9
WINDOW_SECS, FRAME_MS, HEAP_BYTES = 0.05, 50.0, 300e6
NAMED_SHARE = 0.9
PAGE_LIMIT_SECS = 180.0
POLL_SECS = 0.05
WINDOWS = 24
PAN_MOVES = 90
WIDTH = 1400


@dataclass(frozen=True)
class Sizes:
    """Bytes of torch's traces and of an XSpace, and the slices of the large trace."""

    torch: tuple[int, ...]
    xspace: int
    slices: int


FULL = Sizes((35_000_000, 350_000_000), 100_000_000, 10_000_000)
QUICK = Sizes((300_000,), 300_000, 20_000)


@dataclass
class ProfilePage:
    """Peers are looked for in environments below `peers_dir`: torch_tb_profiler and xprof."""

    bench: Bench
    sizes: Sizes
    peers_dir: Path
    repeat: int
    add: Callable[[Figure], None]

    def run(self) -> None:
        for size in self.sizes.torch:
            self.torch_overview(size)
        self.xspace_overview()
        self.large_trace()
        self.findings()

    # Beside the peers

    def torch_overview(self, size: int) -> None:
        file = self.bench.fresh_dir("torch-") / "worker0.1700000000000.pt.trace.json"
        write_torch_trace(file, size)
        what = f"a torch trace of {file.stat().st_size / 1e6:,.0f} MB → overview (peer: torch-tb-profiler)"
        self._beside(what, file, "torch_tb_profiler", TORCH_TB_PROFILER, times=OVERVIEW_TIMES)

    def xspace_overview(self) -> None:
        file = self.bench.fresh_dir("xspace-") / "plugins" / "profile" / CAPTURE_TIME / "host.xplane.pb"
        write_xspace(file, self.sizes.xspace)
        what = f"an XSpace of {file.stat().st_size / 1e6:,.0f} MB → overview and trace (peer: xprof)"
        self._beside(what, file, "xprof", XPROF, times=1.0)

    def _beside(self, what: str, file: Path, peer: str, program: str, *, times: float) -> None:
        python = self.peers_dir / peer / "bin" / "python"
        peer_secs, our_secs = None, float("inf")
        for _ in range(self.repeat):
            our_secs = min(our_secs, _printed_secs([sys.executable, "-m", "bench.profiles.inside", str(file)]))
            if python.exists():
                secs = _printed_secs([str(python), "-c", program, str(file)])
                peer_secs = secs if peer_secs is None else min(secs, peer_secs)
        met = None if peer_secs is None else our_secs * times <= peer_secs
        target = f"≥ {times:g}x faster" if times > 1 else "not slower"
        self.add(Figure(what, "s", our_secs, peer_secs, target, met))

    # The large trace

    def large_trace(self) -> None:
        logdir = self.bench.fresh_dir("profile-")
        file = logdir / RUN / "worker0.1700000000000.pt.trace.json"
        write_large_trace(file, self.sizes.slices)
        index_dir = self.bench.fresh_dir("index-")
        title = f"a trace of {self.sizes.slices:,} slices, {file.stat().st_size / 1e9:.1f} GB"
        with self._serving(logdir, index_dir) as (process, client):
            secs = self._open(client)
            peak = float(process.peak_bytes())
        self._limit(f"first open, {title}: overview over HTTP", "s", secs, FIRST_OPEN_SECS)
        self._limit(f"peak memory of the server, {title}", "bytes", peak, PEAK_BYTES)
        with self._serving(logdir, index_dir) as (_, client):
            self._limit("second open, in a new server", "s", self._open(client), SECOND_OPEN_SECS)
            self._limit("the slowest of some windows, over HTTP", "s", self._slowest_window(client), WINDOW_SECS)
            with sync_playwright() as playwright:
                self._page(playwright, client)

    def _page(self, playwright: Playwright, client: Client) -> None:
        with opened_page(playwright) as page:
            page.goto(f"{address_of(client)}/#profile&profile.page=trace", wait_until="commit")
            page.wait_for_function(
                "() => performance.getEntriesByName('profile:ready').length > 0", timeout=PAGE_LIMIT_SECS * 1e3
            )
            ready_ms: float = page.evaluate("performance.getEntriesByName('profile:ready')[0].startTime")
            self.add(Figure("navigation → first picture of the trace", "s", ready_ms / 1e3))
            frames = _pan(page)
            what = f"longest frame while panning (median {statistics.median(frames):.0f} ms)"
            self._limit(what, "s", max(frames) / 1e3, FRAME_MS / 1e3)
            self._limit("JavaScript heap of the page with buffers", "bytes", heap_bytes(page), HEAP_BYTES)

    def _open(self, client: Client) -> float:
        begun = time.perf_counter()
        capture = _json(client, "captures")["captures"][0]
        self._ref = {"run": capture["run"], "capture": capture["name"], "host": capture["hosts"][0]["host"]}
        while (state := _json(client, "state", **self._ref))["state"] == "reading":
            time.sleep(POLL_SECS)
        if state["state"] == "failed":
            raise RuntimeError(f"the trace was not read: {state['problem']}")
        if not _json(client, "overview", **self._ref)["steps"]:
            raise RuntimeError("the overview has no steps")
        return time.perf_counter() - begun

    def _slowest_window(self, client: Client) -> float:
        """Windows of all rows: the whole trace, a half, a quarter, …, each at another place."""
        info = _json(client, "info", **self._ref)
        first, last = info["start_ns"], info["end_ns"]
        slowest = 0.0
        for number in range(WINDOWS):
            span = max(1000, (last - first) >> number)
            start = first + (last - first - span) * number // WINDOWS
            window = {**self._ref, "start": start, "end": start + span, "width": WIDTH}
            slowest = max(slowest, best_secs(lambda window=window: client.get(_route("window", window)), 3))  # type: ignore[misc]
        return slowest

    # Findings

    def findings(self) -> None:
        folder = self.bench.fresh_dir("findings-")
        first, false = 0, 0
        for case in (*SICK, *HEALTHY):
            found = self._findings(folder, case)
            is_right = [finding.code for finding in found[:1]] == ([case.expected] if case.expected else [])
            first += bool(case.expected and is_right)
            false += bool(not case.expected and found)
            named, gain = (found[0].code, found[0].gain) if found else ("nothing", 0.0)
            what = f"loop “{case.name}”: first finding `{named}`, its gain"
            self.add(Figure(what, "share", gain, None, f"`{case.expected}`" if case.expected else "nothing", is_right))
        what = f"sick loops of {len(SICK)} whose planted cause is named first"
        wanted = f"≥ {NAMED_SHARE:.0%}"
        self.add(Figure(what, "count", first, None, wanted, first >= NAMED_SHARE * len(SICK)))
        self.add(Figure(f"healthy loops of {len(HEALTHY)} with a finding", "count", false, None, "0", false == 0))

    def _findings(self, folder: Path, case: Case) -> list[Finding]:
        ranks = []
        for number, loop in enumerate(case.make()):
            path = folder / f"{case.name} {number}.json"
            loop.write(path)
            ranks.append((f"rank {number}", ProfileOpener(None).open(path)))
        return findings_of_ranks(ranks, 0).findings

    def _limit(self, what: str, unit: str, value: float, limit: float) -> None:
        if unit == "bytes":
            shown = f"≤ {limit / 1e9:g} GB" if limit >= 1e9 else f"≤ {limit / 1e6:g} MB"
        else:
            shown = f"≤ {limit:g} s" if limit >= 1 else f"≤ {limit * 1e3:g} ms"
        self.add(Figure(what, unit, value, None, shown, value <= limit))

    @contextmanager
    def _serving(self, logdir: Path, index_dir: Path) -> Iterator[tuple[ServerProcess, Client]]:
        with self.bench.running(Seamark(), logdir, index_dir) as found:
            yield found


def _pan(page: Page) -> list[float]:
    """Zooms in by keys, then pans over the picture with the shift key held."""
    page.locator("#trace-canvas").focus()
    for _ in range(8):
        page.keyboard.press("w")
    page.wait_for_timeout(1000)
    x, y = 800, 400
    page.keyboard.down("Shift")
    frames = drag_frames(page, [(x, y), *((x + 400 * ((move % 60) / 30 - 1), y) for move in range(PAN_MOVES))])
    page.keyboard.up("Shift")
    return frames


def _route(path: str, parameters: dict[str, Any]) -> str:
    return f"{ROUTES}/{path}?{urlencode(parameters)}"


def _json(client: Client, path: str, **parameters: Any) -> dict[str, Any]:
    answer = client.get(_route(path, parameters))
    if answer is None:
        raise RuntimeError(f"the server did not answer: {path}")
    found: dict[str, Any] = json.loads(answer)
    return found


def _printed_secs(command: list[str]) -> float:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-2])
