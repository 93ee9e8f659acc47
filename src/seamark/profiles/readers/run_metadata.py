"""RunMetadata of TensorFlow 1 and 2, which tells when each node of a graph ran, as Chrome's events."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from google.protobuf.message import DecodeError

from seamark.format.messages import DeviceStepStats, NodeExecStats, RunMetadata
from seamark.profiles.form import ProfileError
from seamark.profiles.readers.chrome_events import DEVICE_TYPE_CPU, DEVICE_TYPE_GPU, ChromeEvents

# "layer/MatMul = MatMul(layer/input, layer/weights)"
LABEL = re.compile(r"(?P<node>\S+) = (?P<op>\w+)\(")
STREAM = re.compile(r"(?P<device>.*(?:gpu|GPU):(?P<number>\d+))/stream:(?P<stream>\w+)")
GPU = re.compile(r"gpu:(\d+)", re.IGNORECASE)


def events_of_run_metadata(data: bytes) -> bytes:
    """Raises ProfileError."""
    try:
        message = RunMetadata.FromString(data)
    except DecodeError as error:
        raise ProfileError(f"this run metadata cannot be read: {error}") from error
    devices = _without_repetition(message.step_stats.dev_stats)
    starts = [start_ns(node) for device in devices for node in device.node_stats]
    if not starts:
        raise ProfileError("this run metadata has no times: it was collected without a trace level")
    events = ChromeEvents(min(starts))
    for pid, device in enumerate(devices):
        _add_device(events, pid, device)
        _add_memory(events, pid, device)
    return events.encode()


def start_ns(node: NodeExecStats) -> int:
    return node.all_start_nanos or node.all_start_micros * 1000


def _duration_ns(node: NodeExecStats) -> int:
    return node.all_end_rel_nanos or node.all_end_rel_micros * 1000


def _without_repetition(devices: Iterable[DeviceStepStats]) -> list[DeviceStepStats]:
    """The kernels of a GPU are there once by stream and once more as "stream:all"."""
    by_stream = {match["device"] for d in devices if (match := STREAM.fullmatch(d.device)) and match["stream"] != "all"}
    return [
        device
        for device in devices
        if not (
            (match := STREAM.fullmatch(device.device)) and match["stream"] == "all" and match["device"] in by_stream
        )
    ]


def _add_device(events: ChromeEvents, pid: int, device: DeviceStepStats) -> None:
    stream = STREAM.fullmatch(device.device)
    events.name_process(pid, device.device)
    for thread, name in device.thread_names.items():
        events.name_thread(pid, thread, name)
    if stream:
        events.name_thread(pid, 0, f"stream {stream['stream']}")
    for node in device.node_stats:
        label = LABEL.match(node.timeline_label)
        name = f"{node.node_name}:{label['op']}" if label and ":" not in node.node_name else node.node_name
        arguments: dict[str, object] = {"name": node.node_name}
        if label:
            arguments["op"] = label["op"]
        if node.timeline_label:
            arguments["label"] = node.timeline_label
        if stream:
            arguments["device"] = int(stream["number"])
            if stream["stream"].isdigit():
                arguments["stream"] = int(stream["stream"])
        category = "Op"
        if stream:
            category = "gpu_memcpy" if "memcpy" in (node.node_name + node.timeline_label).lower() else "kernel"
        events.slice(
            pid,
            0 if stream else node.thread_id,
            name,
            category,
            start_ns=start_ns(node),
            duration_ns=_duration_ns(node),
            arguments=arguments,
        )


def _add_memory(events: ChromeEvents, pid: int, device: DeviceStepStats) -> None:
    """Allocations of each allocator in order of time, with their sum since the step began."""
    records: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for node in device.node_stats:
        for memory in node.memory:
            records[memory.allocator_name] += [
                (record.alloc_micros, record.alloc_bytes, node.thread_id) for record in memory.allocation_records
            ]
    gpu = GPU.search(device.device)
    place = {"Device Type": DEVICE_TYPE_GPU if gpu else DEVICE_TYPE_CPU, "Device Id": int(gpu[1]) if gpu else -1}
    for allocator, found in records.items():
        total = 0
        for micros, size, thread in sorted(found):
            total += size
            events.memory(pid, thread, micros * 1000, {"Bytes": size, "Total Allocated": total, **place})
            events.counter(pid, f"{allocator} memory", micros * 1000, {"allocated": total})
