"""Reads an XSpace (`*.xplane.pb` of TensorFlow, JAX and PyTorch/XLA): events natively, the rest here."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from seamark._core import FileMap, XPlaneScanner
from seamark.profiles.form import ProfileError
from seamark.profiles.readers.native_trace import ReadTrace
from seamark.profiles.readers.xplane_metadata import SpaceEntry, read_space

PROGRESS_SECS = 0.2
# Times above this are since 1970; smaller ones since the profile's start.
EPOCH_NS = 10**18
TASK_PLANE, METADATA_PLANE = "Task Environment", "/host:metadata"
DEVICE_PLANE = re.compile(r"/device:(\w+):(\d+)")


def read_xplane(path: Path, *, progress: Callable[[int], None]) -> ReadTrace:
    """Calls `progress` with the bytes that were read. Raises OSError, ProfileError."""
    size = path.stat().st_size
    if size == 0:
        raise ProfileError("this file is empty: the profiler did not finish writing it")
    with path.open("rb") as file:
        mapped = FileMap(file.fileno(), size)
    data = mapped.memory()
    scanner = XPlaneScanner()
    _scan(scanner, data, progress)
    space = read_space(data)
    if not space.planes:
        raise ProfileError("this is no XPlane file: it has no planes")
    columns = scanner.finish()
    problems = [*columns.problems(), *_problems(scanner, space)]
    if mapped.is_truncated:
        problems.append("the file became shorter while it was read")
    metadata = _metadata(space)
    origin = columns.origin_ns
    start = metadata["task"].get("profile_start_time")
    if origin < EPOCH_NS and isinstance(start, int):
        origin += start
    return ReadTrace(columns, origin, metadata, problems, "xevent")


def _scan(scanner: XPlaneScanner, data: memoryview, progress: Callable[[int], None]) -> None:
    """Scans in a thread of its own, so that this one can report how far it is."""
    failures: list[BaseException] = []

    def scan() -> None:
        try:
            scanner.scan(data)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=scan, name="seamark-profile-xplane")
    thread.start()
    while thread.is_alive():
        thread.join(PROGRESS_SECS)
        progress(scanner.bytes_read)
    if failures:
        raise failures[0]
    progress(len(data))


def _problems(scanner: XPlaneScanner, space: SpaceEntry) -> list[str]:
    problems = [f"the profiler reports an error: {text}" for text in space.errors]
    problems += [f"the profiler warns: {text}" for text in space.warnings]
    if scanner.is_cut:
        problems.append("the file ends early: what comes before is shown")
    if scanner.is_corrupt:
        problems.append("parts of the file are damaged: what can be read is shown")
    if scanner.bad_events and not scanner.is_cut:
        problems.append(f"{scanner.bad_events:,} events are damaged and left out")
    if scanner.unnamed_events:
        problems.append("the names of some events are missing: they are shown by number")
    if scanner.summed_events:
        problems.append(f"{scanner.summed_events:,} events are sums without a time, and are not shown")
    return problems


def _metadata(space: SpaceEntry) -> dict[str, Any]:
    """planes by name (what arguments refer to), task, hostnames, hlo_modules, devices as torch describes them, and the
    versions that JAX writes."""
    planes: dict[str, Any] = {}
    found: dict[str, Any] = {"planes": planes, "task": {}, "hostnames": space.hosts}
    devices: list[dict[str, Any]] = []
    for plane in space.planes:
        if plane.name == TASK_PLANE:
            found["task"] |= plane.stats
        elif plane.name == METADATA_PLANE:
            found |= plane.stats
        elif device := DEVICE_PLANE.fullmatch(plane.name):
            devices.append(_device_properties(device, plane.stats))
        # As the native reader names planes of the same name.
        name = plane.name or "plane"
        number, key = 1, name
        while key in planes:
            number += 1
            key = f"{name} ({number})"
        planes[key] = msgspec.to_builtins(plane)
    if devices:
        found["deviceProperties"] = devices
    return {**found, "hlo_modules": msgspec.to_builtins(space.modules)}


def _device_properties(plane: re.Match[str], stats: dict[str, Any]) -> dict[str, Any]:
    names = {
        "memory_size": "totalGlobalMem",
        "compute_cap_major": "computeMajor",
        "compute_cap_minor": "computeMinor",
        "core_count": "numSms",
    }
    vendor = str(stats.get("device_vendor", ""))
    name = str(stats.get("device_type_string") or f"{vendor} {plane[1]}".strip())
    known = {key: stats[stat] for stat, key in names.items() if isinstance(stats.get(stat), int)}
    return {"id": int(plane[2]), "name": name, **known}
