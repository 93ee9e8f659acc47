"""Traces for the tests of Memory, Input, Distributed and Compile: what they hold is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Event = dict[str, Any]
STEP_US = 100_000
STEPS = 6
MB = 1_000_000
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*)"


def _slice(name: str, category: str, start: float, duration: float, **more: Any) -> Event:
    place = {"pid": 100, "tid": 100} | {key: more.pop(key) for key in ("pid", "tid") if key in more}
    event = {"ph": "X", "cat": category, "name": name, "ts": start, "dur": duration, **place}
    return event | {"args": more} if more else event


def _memory(time: float, size: int, address: int, total: int) -> Event:
    arguments = {"Addr": address, "Bytes": size, "Device Type": 1, "Device Id": 0}
    totals = {"Total Allocated": total, "Total Reserved": 80 * MB}
    place = {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 100, "tid": 100}
    return {**place, "ts": time, "args": arguments | totals}


def _write(folder: Path, name: str, events: list[Event], metadata: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    device = {"id": 0, "name": "A100", "totalGlobalMem": 100 * MB}
    document = {"schemaVersion": 1, "deviceProperties": [device], **metadata, "traceEvents": events}
    (folder / f"{name}.1700000000000.pt.trace.json").write_text(json.dumps(document))


def write_training(folder: Path) -> None:
    """Each step waits 40 ms for input, allocates 30 MB and frees them, and keeps 2 MB. The third one compiles."""
    events: list[Event] = []
    kept = 0
    for step in range(STEPS):
        start = step * STEP_US
        events += [
            _slice(f"ProfilerStep#{step}", "user_annotation", start, STEP_US),
            _slice(
                "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "user_annotation", start + 10, 40_000
            ),
            _slice("aten::stack", "cpu_op", start + 1000, 30_000),
            _slice("aten::conv2d", "cpu_op", start + 50_000, 5000),
            _memory(start + 51_000, 30 * MB, 1000 + step, kept + 30 * MB),
            _slice("aten::cat", "cpu_op", start + 60_000, 5000),
            _memory(start + 61_000, 2 * MB, 2000 + step, kept + 32 * MB),
            _memory(start + 80_000, -30 * MB, 1000 + step, kept + 2 * MB),
        ]
        kept += 2 * MB
    events.append(_slice("entire_frame_compile", "cpu_op", 2 * STEP_US + 85_000, 10_000))
    _write(folder, "worker", events, {})


def write_ranks(folder: Path, ranks: int = 3, late: int = 1) -> None:
    """All ranks reduce once a step; one of them arrives 20 ms after the others. Their clocks differ."""
    for rank in range(ranks):
        events: list[Event] = [
            {"ph": "M", "name": "thread_name", "pid": 0, "tid": stream, "args": {"name": f"stream {stream}"}}
            for stream in (7, 20)
        ]
        compute = 70_000 if rank == late else 50_000
        for step in range(STEPS):
            start = rank * 3000 + step * STEP_US
            message = {
                "In msg nelems": 1_000_000,
                "Out msg nelems": 1_000_000,
                "Group size": ranks,
                "dtype": "BFloat16",
            }
            on_device = {"pid": 0, "device": 0}
            events += [
                _slice(f"ProfilerStep#{step}", "user_annotation", start, STEP_US),
                _slice("sgemm_128x64", "kernel", start, compute, tid=7, stream=7, **on_device),
                _slice(
                    ALL_REDUCE, "kernel", start + compute, 90_000 - compute, tid=20, stream=20, **on_device, **message
                ),
            ]
        info = {"rank": rank, "world_size": ranks, "backend": "nccl"}
        _write(folder, f"node_rank{rank}", events, {"distributedInfo": info})
