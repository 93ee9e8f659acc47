"""memory_profile.json: snapshots of each allocator, as events."""

from __future__ import annotations

from typing import Any

import msgspec

from seamark.profiles.form import ProfileError
from seamark.profiles.readers.chrome_events import DEVICE_TYPE_CPU, DEVICE_TYPE_GPU, ChromeEvents
from seamark.profiles.readers.run_metadata import GPU


def add_memory_profile(events: ChromeEvents, data: bytes) -> None:
    """Raises ProfileError."""
    try:
        allocators = msgspec.json.decode(data)["memoryProfilePerAllocator"]
        for pid, (allocator, profile) in enumerate(allocators.items()):
            events.name_process(pid, allocator)
            for snapshot in profile.get("memoryProfileSnapshots", []):
                _add_snapshot(events, pid, allocator, snapshot)
    except (msgspec.MsgspecError, RecursionError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProfileError(f"this memory profile cannot be read: {error}") from error


def _add_snapshot(events: ChromeEvents, pid: int, allocator: str, snapshot: dict[str, Any]) -> None:
    time_ns = int(snapshot.get("timeOffsetPs", 0)) // 1000  # JSON has 64-bit numbers as texts
    totals, activity = snapshot.get("aggregationStats", {}), snapshot.get("activityMetadata", {})
    allocated = int(totals.get("heapAllocatedBytes", 0)) + int(totals.get("stackReservedBytes", 0))
    sign = {"ALLOCATION": 1, "DEALLOCATION": -1}.get(activity.get("memoryActivity", ""), 0)
    gpu = GPU.search(allocator.replace("_", ":"))
    arguments = {
        "Addr": int(activity.get("address", 0)),
        "Bytes": sign * int(activity.get("allocationBytes", 0)),
        "Total Allocated": allocated,
        "Device Type": DEVICE_TYPE_GPU if gpu else DEVICE_TYPE_CPU,
        "Device Id": int(gpu[1]) if gpu else -1,
    }
    if sign:
        events.memory(pid, 0, time_ns, arguments)
    events.counter(pid, f"{allocator} memory", time_ns, {"allocated": allocated})
