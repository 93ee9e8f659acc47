"""Metrics of the server in Prometheus' text format, and the middleware that counts requests."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterator

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Upper bounds of the histogram of latencies, in seconds.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
COUNTERS = {
    "upload_requests": "Uploads that were stored.",
    "upload_bytes": "Bytes of uploads as they arrived.",
    "upload_points": "Points in uploads.",
    "database_errors": "Requests that failed because the database could not be used.",
}
Key = tuple[str, str]


class Metrics:
    """Any thread may call any method."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started_at = time.time()
        self._counters = dict.fromkeys(COUNTERS, 0.0)
        self._requests: defaultdict[Key, int] = defaultdict(int)  # by group and status
        self._latencies: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._latency_sums: defaultdict[str, float] = defaultdict(float)

    def add(self, name: str, amount: float = 1.0) -> None:
        """`name` is one of COUNTERS."""
        with self._lock:
            self._counters[name] += amount

    def count_request(self, group: str, status: int, secs: float) -> None:
        bucket = next((index for index, bound in enumerate(BUCKETS) if secs <= bound), len(BUCKETS))
        with self._lock:
            self._requests[group, str(status)] += 1
            self._latencies[group][bucket] += 1
            self._latency_sums[group] += secs

    def text(self, *, opened_projects: int) -> str:
        with self._lock:
            return "\n".join([*self._lines(opened_projects), ""])

    def _lines(self, opened_projects: int) -> Iterator[str]:
        yield from header("start_time_seconds", "gauge", "When the server started, in seconds since 1970.")
        yield f"seamark_start_time_seconds {self._started_at!r}"
        yield from header("opened_projects", "gauge", "Projects and shares that are in memory.")
        yield f"seamark_opened_projects {opened_projects}"
        for name, text in COUNTERS.items():
            yield from header(f"{name}_total", "counter", text)
            yield f"seamark_{name}_total {self._counters[name]:.17g}"
        yield from header("requests_total", "counter", "Requests by group of routes and status.")
        for (group, status), count in sorted(self._requests.items()):
            yield f'seamark_requests_total{{group="{group}",status="{status}"}} {count}'
        yield from header("request_seconds", "histogram", "Time until a response begins.")
        for group in sorted(self._latencies):
            yield from self._histogram(group)

    def _histogram(self, group: str) -> Iterator[str]:
        total = 0
        for bound, count in zip([*map(str, BUCKETS), "+Inf"], self._latencies[group], strict=True):
            total += count
            yield f'seamark_request_seconds_bucket{{group="{group}",le="{bound}"}} {total}'
        yield f'seamark_request_seconds_sum{{group="{group}"}} {self._latency_sums[group]:.9g}'
        yield f'seamark_request_seconds_count{{group="{group}"}} {total}'


def header(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP seamark_{name} {text}"
    yield f"# TYPE seamark_{name} {kind}"


class Measure:
    """ASGI middleware: counts every request with the time until its response begins."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, group, status = time.perf_counter(), route_group(scope["path"]), 500
        secs: float | None = None

        async def send_measured(message: Message) -> None:
            nonlocal status, secs
            if message["type"] == "http.response.start":
                status, secs = message["status"], time.perf_counter() - began
            await send(message)

        try:
            await self._app(scope, receive, send_measured)
        finally:
            self._metrics.count_request(group, status, time.perf_counter() - began if secs is None else secs)


def route_group(path: str) -> str:
    """One of few names, whatever clients ask for."""
    first, _, rest = path.lstrip("/").partition("/")
    if first == "team":
        return "upload" if path.endswith(("/upload", "/upload/lengths")) else "team_api"
    if first in ("p", "s"):
        parts = rest.split("/")[2 if first == "p" else 1 :]
        kind = parts[0] if parts else ""
        prefix = "project" if first == "p" else "share"
        return f"{prefix}_{kind}" if kind in ("api", "data") else f"{prefix}_page"
    return first if first in ("healthz", "readyz", "metrics") else "page"
