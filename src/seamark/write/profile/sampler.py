"""Sampler: looks at the stacks of all threads some hundred times a second, and writes them as a Chrome trace.

For programs without a framework's profiler. A function that is on the stack in two samples in a row is taken to have
run in between, so short calls are missing and times are exact to one interval.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
import time
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

DEFAULT_INTERVAL_SECS = 0.005
# A sample may take this share of the time: the interval grows if there are many threads or deep stacks.
MAX_SHARE = 0.05
# In a busy program the thread begins late, as it waits for the interpreter's lock; then it pauses this long at least.
MIN_PAUSE_SECS = 0.0005
MAX_DEPTH = 200
MAX_SLICES = 1_000_000
THREAD_NAME = "seamark-sampler"
PACKAGE = f"{Path(__file__).parents[2]}{os.sep}"


class OpenSlice(NamedTuple):
    frame_id: int
    code: CodeType
    start_ns: int


class Slice(NamedTuple):
    thread: int
    name: str
    category: str
    start_ns: int
    end_ns: int


class Sampler:
    """start(), step() and stop() from the program's thread; then write()."""

    def __init__(self, interval_secs: float = DEFAULT_INTERVAL_SECS, *, first_step: int = 0) -> None:
        self._interval_secs = interval_secs
        self._slices: list[Slice] = []
        self._open: dict[int, list[OpenSlice]] = {}
        self._names: dict[CodeType, str] = {}
        self._threads: dict[int, str] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._samples = 0
        self._step = first_step
        self._step_start_ns = 0
        self._stepping_thread = 0
        self._is_full = False

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def start(self) -> None:
        self._stepping_thread = threading.get_ident()
        self._step_start_ns = time.perf_counter_ns()
        self._thread = threading.Thread(target=self._run, name=THREAD_NAME, daemon=True)
        self._thread.start()

    def step(self) -> None:
        """Called between two steps, by the thread that makes them."""
        now = time.perf_counter_ns()
        with self._lock:
            thread = self._stepping_thread = threading.get_ident()
            self._end_step(thread, now)
            # Functions that go on, such as the loop itself, are cut in two, so that each part is inside its step.
            self._see(thread, sys._getframe(), now + 1)

    def _end_step(self, thread: int, now: int) -> None:
        self._open.setdefault(thread, [])
        self._close(thread, 0, now)
        self._add(Slice(thread, f"ProfilerStep#{self._step}", "user_annotation", self._step_start_ns, now))
        self._step += 1
        self._step_start_ns = now

    def stop(self) -> None:
        if self._thread is None:
            return
        self._ended.set()
        self._thread.join()
        self._thread = None
        now = time.perf_counter_ns()
        with self._lock:
            self._end_step(self._stepping_thread, now)
            for thread in list(self._open):
                self._close(thread, 0, now)

    def write(self, path: Path) -> None:
        process = os.getpid()
        events: list[dict[str, Any]] = [
            _metadata("process_name", process, 0, Path(sys.argv[0] or "python").name),
            *(_metadata("thread_name", process, thread, name) for thread, name in self._threads.items()),
        ]
        # A caller is closed after what it called: of slices with equal times, readers take the first for the outer one.
        slices = self._slices[::-1]
        slices.sort(key=lambda one: (one.start_ns, -one.end_ns))
        for one in slices:
            events.append(
                {
                    "ph": "X",
                    "cat": one.category,
                    "name": one.name,
                    "pid": process,
                    "tid": one.thread,
                    "ts": one.start_ns / 1000,
                    "dur": (one.end_ns - one.start_ns) / 1000,
                }
            )
        document = {
            "profiler": "seamark sampler",
            "samples": self._samples,
            "interval_ms": self._interval_secs * 1000,
            "is_cut": self._is_full,
            # perf_counter has an origin of its own: with this, times are since 1970.
            "baseTimeNanoseconds": time.time_ns() - time.perf_counter_ns(),
            "displayTimeUnit": "ms",
            "traceEvents": events,
        }
        with gzip.open(path, "wt", compresslevel=6) as file:
            json.dump(document, file)

    # The sampler's thread

    def _run(self) -> None:
        own = threading.get_ident()
        due = time.perf_counter_ns()
        while not self._is_full:
            due = max(due + int(self._interval_secs * 1e9), time.perf_counter_ns())
            if self._ended.wait(max((due - time.perf_counter_ns()) / 1e9, MIN_PAUSE_SECS)):
                return
            # Its own time: waiting for locks costs the program nothing.
            began, began_own = time.perf_counter_ns(), time.thread_time_ns()
            with self._lock:
                frames = sys._current_frames()
                for thread, frame in frames.items():
                    if thread != own:
                        self._see(thread, frame, began)
                for thread in self._open.keys() - frames.keys():
                    self._close(thread, 0, began)
                self._samples += 1
            took_secs = (time.thread_time_ns() - began_own) / 1e9
            self._interval_secs = max(self._interval_secs, took_secs / MAX_SHARE)

    def _see(self, thread: int, frame: FrameType | None, now: int) -> None:
        """Closes what is not on the stack any more, and opens what is new."""
        stack = _outermost_first(frame)
        known = self._open.setdefault(thread, [])
        if thread not in self._threads:
            self._threads[thread] = next((t.name for t in threading.enumerate() if t.ident == thread), str(thread))
        same = 0
        while same < len(known) and same < len(stack) and known[same][:2] == stack[same]:
            same += 1
        self._close(thread, same, now)
        known.extend(OpenSlice(frame_id, code, now) for frame_id, code in stack[same:])

    def _close(self, thread: int, depth: int, now: int) -> None:
        stack = self._open[thread]
        while len(stack) > depth:
            one = stack.pop()
            if one.start_ns < now:
                self._add(Slice(thread, self._name(one.code), "python_function", one.start_ns, now))

    def _add(self, one: Slice) -> None:
        if len(self._slices) < MAX_SLICES:
            self._slices.append(one)
        else:
            self._is_full = True

    def _name(self, code: CodeType) -> str:
        """As torch names Python functions: "train.py(12): step"."""
        if code not in self._names:
            self._names[code] = f"{_short(code.co_filename)}({code.co_firstlineno}): {code.co_qualname}"
        return self._names[code]


def _caller(frame: FrameType | None) -> FrameType | None:
    """The program's function that ended the step. Ours return at once, but would be on the stack until the next
    sample."""
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame


def _outermost_first(frame: FrameType | None) -> list[tuple[int, CodeType]]:
    stack: list[tuple[int, CodeType]] = []
    if frame is not None and frame.f_code.co_filename == __file__:
        frame = _caller(frame)
    while frame is not None:
        stack.append((id(frame), frame.f_code))
        frame = frame.f_back
    return stack[::-1][:MAX_DEPTH]


def _short(path: str) -> str:
    """The file in its package: the last three parts."""
    return "/".join(Path(path).parts[-3:])


def _metadata(name: str, process: int, thread: int, text: str) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": process, "tid": thread, "ts": 0, "args": {"name": text}}
