"""Synthetic profiles of torch for browser tests: steps whose parts are known."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import seamark
from seamark.profiles.testing_events import Event, kernel_event, launch_event, slice_event, step_event, stream_names

MS = 1_000_000
INPUT = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
FIRST_STEP = 410


def write_run(run: Path) -> None:
    """Events, so that the run has a page."""
    with seamark.SummaryWriter(str(run)) as writer:
        writer.add_scalar("loss", 1.0, 1)


def step_events(number: int, start: int, input_ms: int) -> tuple[list[Event], int]:
    """Waits for input, then eight kernels of 1 ms; returns the end."""
    at = start + input_ms * MS
    events = [slice_event(INPUT, start, input_ms * MS, category="user_annotation")]
    for index in range(8):
        correlation = number * 100 + index
        begins = at + index * MS
        events.append(slice_event("aten::mm", begins, MS // 4))
        events.append(launch_event(begins + MS // 20, MS // 20, correlation))
        kernel = "ampere_fp16_s16816gemm" if index < 6 else "ampere_sgemm_128x64_tn"
        events.append(kernel_event(kernel, begins + MS // 8, MS * 7 // 8, correlation))
    end = at + 9 * MS
    return [step_event(number, start, end - start), *events], end


def write_profile(run: Path, name: str, *, steps: int = 20, slow: int = 7, input_ms: int = 2) -> None:
    """One step waits 12 ms longer for its input."""
    events, at = stream_names(), 0
    for index in range(steps):
        made, at = step_events(FIRST_STEP + index, at, input_ms + (12 if index == slow else 0))
        events += made
    run.mkdir(parents=True, exist_ok=True)
    with gzip.open(run / f"{name}.pt.trace.json.gz", "wt") as file:
        json.dump({"traceEvents": events}, file)
