"""Recording: a block is profiled by torch or by sampling, stored where all tools look, and never fails the program."""

from __future__ import annotations

import gzip
import json
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import seamark
from seamark.write.profile import backends
from seamark.write.profile.backends import XPlaneBackend
from seamark.write.profile.sampler import PACKAGE, Sampler
from seamark.write.test_support import logged_warnings


def spin_until(is_done: Callable[[], bool]) -> None:
    while not is_done():
        sum(range(1000))


def events_of(folder: Path) -> list[dict[str, Any]]:
    (path,) = folder.iterdir()
    events: list[dict[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    return events


def test_a_block_is_profiled_with_its_steps(tmp_path: Path) -> None:
    import torch

    with seamark.profile(tmp_path) as recording:
        for _ in range(3):
            torch.ones(4, 4) @ torch.ones(4, 4)
            recording.step()
    assert recording.folder is not None and recording.folder.parent == tmp_path / "plugins" / "profile"
    names = {event.get("name") for event in events_of(recording.folder)}
    assert {"aten::matmul", "ProfilerStep#0", "ProfilerStep#1", "ProfilerStep#2"} <= names


def test_a_run_is_profiled_in_its_folder(tmp_path: Path) -> None:
    run = seamark.init(dir=tmp_path, name="a")
    with run.profile(backend="python") as recording:
        pass
    run.finish()
    assert recording.folder is not None and recording.folder.is_relative_to(run.dir)
    steps = [event for event in events_of(recording.folder) if event["name"].startswith("ProfilerStep")]
    assert [step["name"] for step in steps] == ["ProfilerStep#0"], "a block without steps is one step, as of torch"


def test_only_one_rank_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with seamark.profile(tmp_path, backend="python") as recording:
        recording.step()
    assert recording.folder is None and not list(tmp_path.iterdir())


def test_a_second_profile_and_a_failing_profiler_are_warnings(tmp_path: Path) -> None:
    first = seamark.profile(tmp_path, backend="python")
    with first, logged_warnings("another profile"), seamark.profile(tmp_path, backend="python") as second:
        pass
    assert second.folder is None
    (tmp_path / "file").write_text("")
    with logged_warnings("cannot be written"), seamark.profile(tmp_path / "file", backend="python"):
        pass
    with seamark.profile(tmp_path, backend="python") as third:
        pass
    assert third.folder is not None, "a failed profile does not block the next one"


class BrokenBackend(XPlaneBackend):
    def _start_trace(self, folder: str) -> None:
        raise RuntimeError("no profiler here")


def test_a_profiler_that_cannot_start_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setitem(backends.CLASSES, "jax", BrokenBackend)
    with logged_warnings("no profiler here"), seamark.profile(tmp_path, backend="jax", warmup=1) as recording:
        for _ in range(3):
            recording.step()
    assert [path for path in tmp_path.iterdir() if path.name.startswith("seamark-profile-")] == []


def test_the_sampler_goes_on_as_before_after_it_had_to_wait() -> None:
    sampler = Sampler(interval_secs=0.001)
    sampler.start()
    end_ns = time.perf_counter_ns() + 50_000_000
    with sampler._lock:
        spin_until(lambda: time.perf_counter_ns() > end_ns)
    seen = sampler._samples
    spin_until(lambda: sampler._samples > seen)
    sampler.stop()
    assert sampler._interval_secs < 0.2, "a sample that takes 50 ms would make it 1 s"


def test_the_sampler_sees_functions_of_all_threads(tmp_path: Path) -> None:
    sampler = Sampler(interval_secs=0.001)
    sampler.start()
    ended = threading.Event()
    other = threading.Thread(target=ended.wait, name="waiting")
    other.start()
    for _ in range(2):
        seen = sampler._samples
        spin_until(lambda seen=seen: sampler._samples > seen + 3)  # type: ignore[misc]
        sampler.step()
    ended.set()
    other.join()
    sampler.stop()
    path = tmp_path / "a.trace.json.gz"
    sampler.write(path)
    document = json.loads(gzip.decompress(path.read_bytes()))
    slices = sorted((e for e in document["traceEvents"] if e["ph"] == "X"), key=lambda event: event["ts"])
    spun = [event for event in slices if event["name"].endswith(": spin_until")]
    steps = [event for event in slices if event["name"].startswith("ProfilerStep#")]
    assert len(spun) == 2 and len(steps) == 3, "what comes after the last step is a step of its own"
    for event, step in zip(spun, steps[:2], strict=True):
        assert step["ts"] <= event["ts"] and event["ts"] + event["dur"] <= step["ts"] + step["dur"] + 0.01
    threads = {e["args"]["name"] for e in document["traceEvents"] if e["name"] == "thread_name"}
    assert {"MainThread", "waiting"} <= threads
    now_us = time.time() * 1e6
    assert abs(document["baseTimeNanoseconds"] / 1000 + spun[0]["ts"] - now_us) < 60e6


def test_a_step_ends_in_the_function_of_the_program() -> None:
    """This file is in the package, too: the functions of the test count as the recording's."""
    sampler = Sampler(interval_secs=3600)
    sampler.start()
    sampler.step()
    files = [one.code.co_filename for one in sampler._open[threading.get_ident()]]
    sampler.stop()
    assert files and not files[-1].startswith(PACKAGE)


def test_callers_come_before_what_they_called(tmp_path: Path) -> None:
    """Of functions that begin and end in the same samples, only the order says which one called the other."""
    sampler = Sampler(interval_secs=0.001)
    sampler.start()
    sampler.step()
    outer_to_inner(lambda: spin_until(lambda: sampler._samples > 4))
    sampler.stop()
    sampler.write(tmp_path / "a.trace.json.gz")
    slices = json.loads(gzip.decompress((tmp_path / "a.trace.json.gz").read_bytes()))["traceEvents"]
    names = [event["name"].rpartition(": ")[2] for event in slices]
    assert names.index("outer_to_inner") < names.index("inner")


def outer_to_inner(work: Callable[[], None]) -> None:
    inner(work)


def inner(work: Callable[[], None]) -> None:
    work()
