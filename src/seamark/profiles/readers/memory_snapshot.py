"""Snapshots of torch's allocator of GPU memory, as JSON. Pickled ones are not opened: unpickling runs code."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import msgspec

from seamark.profiles.form import ProfileError
from seamark.profiles.readers.chrome_events import DEVICE_TYPE_GPU, ChromeEvents

PICKLE_REMEDY = (
    "a pickled memory snapshot is not opened, because unpickling can run any code. Write it as JSON instead: "
    "json.dump(torch.cuda.memory._snapshot(), open('memory_snapshot.json', 'w'))"
)
ALLOCATED_SIGN = {"alloc": 1, "free_completed": -1}
# Frames inside the framework or the interpreter: whoever calls them tells more.
INTERNAL_FILE = re.compile(r"(^|/)(site-packages|dist-packages)/(torch|functorch)/|^<|^\?\?$|^$")
MAX_FRAMES = 30
RESERVED_SIGN = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}


class Segment(msgspec.Struct):
    device: int = 0
    total_size: int = 0
    allocated_size: int = 0


class Frame(msgspec.Struct):
    filename: str = ""
    line: int = 0
    name: str = ""

    def __str__(self) -> str:
        return f"{self.filename.rpartition('/')[2]}({self.line}): {self.name}"


class TraceEntry(msgspec.Struct):
    action: str = ""
    addr: int = 0
    size: int = 0
    stream: int = 0
    time_us: int | None = None
    frames: list[Frame] = []  # innermost first


class Snapshot(msgspec.Struct):
    segments: list[Segment] = []
    device_traces: list[list[TraceEntry]] = []


def events_of_snapshot(data: bytes) -> bytes:
    """Raises ProfileError."""
    try:
        snapshot = msgspec.json.decode(data, type=Snapshot)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ProfileError(f"this is no memory snapshot: {error}") from error
    times = [entry.time_us for entries in snapshot.device_traces for entry in entries if entry.time_us is not None]
    events = ChromeEvents(min(times, default=0) * 1000)
    for device, entries in enumerate(snapshot.device_traces):
        if entries:
            _add_device(events, snapshot, device, entries)
    if not len(events):
        raise ProfileError(
            "this memory snapshot has no history: call torch.cuda.memory._record_memory_history() before the training"
        )
    return events.encode()


def _add_device(events: ChromeEvents, snapshot: Snapshot, device: int, entries: list[TraceEntry]) -> None:
    segments = [segment for segment in snapshot.segments if segment.device == device]
    # The segments are those at the end, and the history may not reach back to the first allocation.
    allocated = sum(segment.allocated_size for segment in segments) - _change(entries, ALLOCATED_SIGN)
    reserved = sum(segment.total_size for segment in segments) - _change(entries, RESERVED_SIGN)
    pid = f"GPU {device}"
    events.name_process(pid, pid)
    events.name_thread(pid, 0, "allocator")
    events.name_thread(pid, 1, "segments")
    for entry, time_ns in zip(entries, _times(entries), strict=True):
        allocated += ALLOCATED_SIGN.get(entry.action, 0) * entry.size
        reserved += RESERVED_SIGN.get(entry.action, 0) * entry.size
        totals = {"Total Allocated": max(0, allocated), "Total Reserved": max(0, reserved)}
        if entry.action in ALLOCATED_SIGN:
            size = ALLOCATED_SIGN[entry.action] * entry.size
            place = {"Device Type": DEVICE_TYPE_GPU, "Device Id": device}
            events.memory(pid, 0, time_ns, {"Addr": entry.addr, "Bytes": size, **totals, **place})
            _add_code(events, pid, time_ns, entry)
        elif entry.action in RESERVED_SIGN or entry.action == "oom":
            events.slice(
                pid, 1, entry.action, "allocator", start_ns=time_ns, duration_ns=0, arguments={"bytes": entry.size}
            )
        else:
            continue
        values = {"allocated": totals["Total Allocated"], "reserved": totals["Total Reserved"]}
        events.counter(pid, f"GPU {device} memory", time_ns, values)


def _times(entries: list[TraceEntry]) -> Iterator[int]:
    """Nanoseconds. Entries of one microsecond follow each other, so that each has a time of its own."""
    indexed = enumerate(entries)
    times = (number if entry.time_us is None else entry.time_us for number, entry in indexed)
    for time_us, same in itertools.groupby(times):
        yield from (time_us * 1000 + min(number, 999) for number, _ in enumerate(same))


def _add_code(events: ChromeEvents, pid: str, time_ns: int, entry: TraceEntry) -> None:
    """The line of code that allocated: the slice around the allocation is its owner."""
    if ALLOCATED_SIGN[entry.action] < 0 or not entry.frames:
        return
    own = next((frame for frame in entry.frames if not INTERNAL_FILE.search(frame.filename)), entry.frames[0])
    arguments = {"bytes": entry.size, "frames": [str(frame) for frame in entry.frames[:MAX_FRAMES]]}
    events.slice(pid, 0, str(own), "allocator", start_ns=time_ns, duration_ns=0, arguments=arguments)


def _change(entries: list[TraceEntry], signs: dict[str, int]) -> int:
    return sum(signs.get(entry.action, 0) * entry.size for entry in entries)
