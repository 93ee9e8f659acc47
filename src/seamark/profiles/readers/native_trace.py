"""From what a native reader found to the parts of a Trace: tracks, counters, metadata."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from seamark._core import TraceColumns
from seamark.profiles.form import ArgumentFormat, Counter, Track, TrackType

DEVICE_NAME = re.compile(r"(?:^|[/: ])(?:GPU|TPU|XPU|MTIA|HPU|NPU)[: ]?(\d+)", re.IGNORECASE)
STREAM_NAME = re.compile(r"\bstream\b", re.IGNORECASE)
BYTES_NAME = re.compile(r"memory|bytes|allocated|reserved|allocator", re.IGNORECASE)


@dataclass(frozen=True)
class ReadTrace:
    """A trace whose columns are still in the native reader; they can be taken once."""

    columns: TraceColumns
    origin_ns: int
    metadata: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    argument_format: ArgumentFormat = "json"
    host: str = ""


def make_tracks(columns: TraceColumns, host: str = "") -> list[Track]:
    return [_make_track(number, found, host) for number, found in enumerate(columns.tracks())]


def _make_track(number: int, found: dict[str, Any], host: str) -> Track:
    process, labels, pid, tid = found["process"], found["labels"], found["pid"], found["tid"]
    device = DEVICE_NAME.search(labels) or DEVICE_NAME.search(process)
    is_device = found["is_device"] or (found["type"] != "async" and _is_stream(found["name"], device))
    type: TrackType = "stream" if is_device and found["type"] == "thread" else found["type"]
    return Track(
        id=number,
        type=type,
        name=found["name"] or (f"{type} {tid}" if tid else type),
        process=(labels if is_device and labels else process) or pid,
        pid=pid,
        tid=tid,
        is_device=is_device,
        device=_device_number(device, pid) if is_device else -1,
        host=host,
        first_row=found["first_row"],
        rows=found["rows"],
        slices=found["slices"],
        sort_key=number,
    )


def _is_stream(name: str, device: re.Match[str] | None) -> bool:
    return device is not None or STREAM_NAME.search(name) is not None


def _device_number(device: re.Match[str] | None, pid: str) -> int:
    if device is not None:
        return int(device[1])
    return int(pid) if pid.isdecimal() else 0


def make_counters(columns: TraceColumns) -> list[Counter]:
    counters: list[Counter] = []
    for number, (name, series, process, first, points) in enumerate(columns.counters()):
        title = name if series in ("", "value", name) else f"{name}: {series}"
        unit = "bytes" if BYTES_NAME.search(title) else ""
        counters.append(Counter(id=number, name=title, process=process, unit=unit, first=first, points=points))
    return counters
