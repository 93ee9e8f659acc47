"""Chrome events for tests: small functions that build the events of synthetic traces, with times in nanoseconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from seamark._core import JsonTraceScanner
from seamark.profiles.cache.trace_file import columns_of, make_header, make_trace
from seamark.profiles.form import Trace
from seamark.profiles.profile import Profile
from seamark.profiles.readers.chrome_trace import finish_scan
from seamark.profiles.readers.native_trace import ReadTrace
from seamark.profiles.results import Steps

Event = dict[str, Any]
HOST_PID, MAIN_THREAD, AUTOGRAD_THREAD = 100, 100, 101


def slice_event(
    name: str,
    start: int,
    duration: int,
    *,
    category: str = "cpu_op",
    pid: Any = HOST_PID,
    tid: Any = MAIN_THREAD,
    **args: Any,
) -> Event:
    event = {
        "ph": "X",
        "cat": category,
        "name": name,
        "pid": pid,
        "tid": tid,
        "ts": start / 1000,
        "dur": duration / 1000,
    }
    return event | {"args": args} if args else event


def step_event(number: int, start: int, duration: int) -> Event:
    return slice_event(f"ProfilerStep#{number}", start, duration, category="user_annotation")


def launch_event(start: int, duration: int, correlation: int, *, name: str = "cudaLaunchKernel", **more: Any) -> Event:
    return slice_event(name, start, duration, category="cuda_runtime", correlation=correlation, **more)


def kernel_event(
    name: str,
    start: int,
    duration: int,
    correlation: int = 0,
    *,
    category: str = "kernel",
    device: int = 0,
    stream: int = 7,
    **args: Any,
) -> Event:
    return slice_event(
        name,
        start,
        duration,
        category=category,
        pid=device,
        tid=stream,
        correlation=correlation,
        device=device,
        stream=stream,
        **args,
    )


def stream_names(device: int = 0, *streams: int) -> list[Event]:
    """The metadata that names streams, as torch writes it."""
    return [
        {"ph": "M", "name": "thread_name", "pid": device, "tid": stream, "args": {"name": f"stream {stream}"}}
        for stream in streams or (7,)
    ]


def profile_of(
    events: Sequence[Event], metadata: dict[str, Any] | None = None, *, drawn_steps: Steps | None = None
) -> Profile:
    return Profile(trace_of(events, metadata), Path("synthetic.json"), drawn_steps=drawn_steps)


def trace_of(events: Sequence[Event], metadata: dict[str, Any] | None = None) -> Trace:
    """Through the native reader, as from a file."""
    return trace_of_json(json_of(events, metadata))


def json_of(events: Sequence[Event], metadata: dict[str, Any] | None = None) -> bytes:
    return msgspec.json.encode((metadata or {}) | {"traceEvents": list(events)})


def trace_of_json(text: bytes) -> Trace:
    """Raises ProfileError."""
    scanner = JsonTraceScanner(copies_arguments=False)
    scanner.feed(text)
    return trace_in_memory(finish_scan(scanner, []), text)


def trace_in_memory(read: ReadTrace, arguments: bytes) -> Trace:
    return make_trace(make_header(read), dict(columns_of(read.columns)), ArgumentBytes(arguments))


class ArgumentBytes:
    """Arguments in memory."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def read(self, start: int, size: int) -> bytes:
        return self._text[start : start + size]
