"""Formats that are converted to events: run metadata, TensorFlow's older files, memory snapshots."""

import json
from pathlib import Path
from typing import Any

import pytest

from seamark.format.messages import (
    AllocationRecord,
    AllocatorMemoryUsed,
    DeviceStepStats,
    NodeExecStats,
    RunMetadata,
    StepStats,
)
from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.arguments import read_arguments
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.form import ProfileError, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.testing_xspaces import content, number


def opened(folder: Path, name: str, data: bytes) -> Profile:
    (folder / name).write_bytes(data)
    return ProfileOpener(folder / "cache").open(folder / name)


def slices(trace: Trace) -> list[tuple[str, str, int, int]]:
    return [
        (trace.tracks[int(trace.track[i])].process, trace.text(i), int(trace.start[i]), int(trace.duration[i]))
        for i in range(trace.slices)
    ]


def memory(trace: Trace, name: str) -> list[int]:
    return [int(value) for value in trace.instant_fields[name].values]


def test_nodes_of_run_metadata_are_slices(tmp_path: Path) -> None:
    cpu = DeviceStepStats(
        device="/job:localhost/replica:0/task:0/device:CPU:0",
        node_stats=[
            NodeExecStats(
                node_name="layer/MatMul",
                all_start_micros=1_700_000_000_000_000,
                all_end_rel_micros=20,
                timeline_label="layer/MatMul = MatMul(layer/input)",
                thread_id=3,
                memory=[
                    AllocatorMemoryUsed(
                        allocator_name="cpu",
                        allocation_records=[
                            AllocationRecord(alloc_micros=1_700_000_000_000_005, alloc_bytes=256),
                            AllocationRecord(alloc_micros=1_700_000_000_000_009, alloc_bytes=-256),
                        ],
                    )
                ],
            )
        ],
    )
    streams = [
        DeviceStepStats(
            device=f"/job:localhost/replica:0/task:0/device:GPU:1/stream:{stream}",
            node_stats=[
                NodeExecStats(
                    node_name="layer/MatMul:MatMul", all_start_nanos=1_700_000_000_000_010_001, all_end_rel_nanos=7
                )
            ],
        )
        for stream in ("all", "14")
    ]
    data = RunMetadata(step_stats=StepStats(dev_stats=[cpu, *streams])).SerializeToString()
    profile = opened(tmp_path, "step_5.run_metadata.pb", data)
    trace = profile.trace
    assert [found[1:] for found in slices(trace)] == [
        ("layer/MatMul:MatMul", 0, 20_000),
        ("layer/MatMul:MatMul", 10_001, 7),
    ]
    assert trace.origin_ns == 1_700_000_000_000_000_000
    assert [(track.is_device, track.device) for track in trace.tracks] == [(False, -1), (True, 1)]
    assert read_arguments(profile, [0])[0]["op"] == "MatMul"
    assert memory(trace, "Total Allocated") == [256, 0]
    assert [counter.name for counter in trace.counters] == ["cpu memory: allocated"]


def test_run_metadata_without_times_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="no times"):
        opened(tmp_path, "a.run_metadata.pb", RunMetadata().SerializeToString())


def test_traces_of_tensorflow_2_0_are_read(tmp_path: Path) -> None:
    resource = number(1, 9) + content(2, content(1, "main/9") + number(2, 9))
    device = number(1, 0) + content(2, content(1, "/host:CPU") + content(3, resource))
    argument = content(1, "long name") + content(2, "EagerExecute: train")
    event = number(2, 9) + content(3, "EagerEx…") + number(9, 7_000_000) + number(10, 2_500) + content(11, argument)
    profile = opened(tmp_path, "local.trace", content(1, device) + content(4, event))
    assert slices(profile.trace) == [("/host:CPU", "EagerExecute: train", 0, 2)]
    assert profile.trace.tracks[0].name == "main/9"


def test_a_memory_snapshot_is_read_backwards_from_its_end(tmp_path: Path) -> None:
    history = [
        {"action": "segment_alloc", "addr": 1, "size": 2048, "stream": 0, "time_us": 100},
        {"action": "alloc", "addr": 1, "size": 512, "stream": 0, "time_us": 110},
        {"action": "free_requested", "addr": 1, "size": 512, "stream": 0, "time_us": 120},
        {"action": "free_completed", "addr": 1, "size": 512, "stream": 0, "time_us": 130},
    ]
    segments = [{"device": 1, "address": 1, "total_size": 4096, "allocated_size": 1024, "blocks": []}]
    data = json.dumps({"segments": segments, "device_traces": [[], history]}).encode()
    trace = opened(tmp_path, "snapshot.json", data).trace
    assert memory(trace, "Bytes") == [512, -512]
    assert memory(trace, "Total Allocated") == [1536, 1024]
    assert memory(trace, "Total Reserved") == [4096, 4096]
    assert memory(trace, "Device Id") == [1, 1]
    assert [counter.name for counter in trace.counters] == ["GPU 1 memory: allocated", "GPU 1 memory: reserved"]
    first = trace.counters[1]
    assert trace.counter_values[first.first : first.first + first.points].tolist() == [4096, 4096, 4096]
    assert [trace.text(i) for i in range(trace.slices)] == ["segment_alloc"]


def test_an_allocation_of_a_snapshot_belongs_to_the_line_of_code(tmp_path: Path) -> None:
    def frames(line: int) -> list[dict[str, Any]]:
        inner = {"filename": "/env/site-packages/torch/nn/modules/linear.py", "line": 9, "name": "forward"}
        return [
            {"filename": "??", "line": 0, "name": "c10::alloc"},
            inner,
            {"filename": "/me/train.py", "line": line, "name": "step"},
        ]

    history = [
        {"action": "alloc", "addr": 1, "size": 512, "time_us": 100, "frames": frames(3)},
        {"action": "alloc", "addr": 2, "size": 2048, "time_us": 100, "frames": frames(4)},
        {"action": "free_completed", "addr": 1, "size": 512, "time_us": 130, "frames": frames(5)},
    ]
    segments = [{"device": 0, "total_size": 4096, "allocated_size": 2048}]
    data = json.dumps({"segments": segments, "device_traces": [history]}).encode()
    profile = opened(tmp_path, "snapshot.json", data)
    rows = profile.get(find_memory).at_peak
    assert [(row.operator, row.bytes) for row in rows] == [("train.py(4): step", 2048), ("train.py(3): step", 512)]
    assert read_arguments(profile, [rows[0].slice])[0]["frames"][1] == "linear.py(9): forward"


def test_a_pickled_snapshot_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"json\.dump"):
        opened(tmp_path, "memory_snapshot.pickle", b"cos\nsystem\n(S'false'\ntR.")
