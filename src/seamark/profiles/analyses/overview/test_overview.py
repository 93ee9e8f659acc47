"""The overview of synthetic traces: each nanosecond belongs to the expected part."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.overview.step_strip import find_step_strip
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.results import BREAKDOWN_PARTS
from seamark.profiles.testing_events import (
    AUTOGRAD_THREAD,
    kernel_event,
    launch_event,
    profile_of,
    slice_event,
    step_event,
    stream_names,
)


def parts_of_step(profile: Profile, index: int = 0) -> dict[str, int]:
    step = profile.get(find_overview).steps[index]
    assert tuple(step.breakdown) == BREAKDOWN_PARTS
    assert sum(step.breakdown.values()) == step.duration_ns
    return {part: time for part, time in step.breakdown.items() if time}


def device_profile() -> Profile:
    return profile_of(
        [
            *stream_names(0, 7, 20),
            step_event(1, 0, 1000),
            slice_event("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 200),
            slice_event("aten::stack", 50, 100),  # inside the input
            slice_event("aten::conv2d", 250, 100),
            launch_event(300, 20, 1),
            kernel_event("ampere_fp16_s16816gemm_fp16_128x64", 400, 100, 1),
            kernel_event("ampere_sgemm_128x64_nn", 450, 150, 1),  # 50 behind the half-precision kernel
            kernel_event("Memcpy HtoD (Pinned -> Device)", 580, 60, 1, category="gpu_memcpy"),
            kernel_event("ncclKernel_AllReduce_RING_LL_Sum_float", 550, 250, 1, stream=20),
            slice_event("autograd::engine", 820, 30, tid=AUTOGRAD_THREAD),
            slice_event("Optimizer.step#SGD.step", 900, 60, category="user_annotation"),
        ]
    )


def test_each_instant_belongs_to_the_part_of_highest_priority() -> None:
    assert parts_of_step(device_profile()) == {
        "device_compute_16": 100,
        "device_compute_32": 100,
        "host_device_copies": 40,
        "collectives": 160,
        "input": 200,
        "host_compute": 100 + 30 + 60,
        "idle": 50 + 50 + 20 + 50 + 40,
    }


def test_exposed_communication_is_what_no_kernel_covers() -> None:
    utilization = device_profile().get(find_overview).utilization
    assert utilization.communication_ns == 250
    assert utilization.exposed_communication_ns == 200
    assert utilization.device_compute == 0.2
    assert utilization.device_any == 0.4


def test_strip_has_the_busy_intervals_and_the_idle_time() -> None:
    strip = find_step_strip(device_profile(), 0)
    busy = {part.name: part.busy_ns for part in strip.strips}
    assert busy == {
        "input": 200,
        "host_launch": 230,
        "device_compute": 200,
        "copies": 60,
        "collectives": 250,
        "device_idle": 600,
    }
    assert strip.idle_ns == 600
    assert strip.idle_waiting_input_ns == 200
    assert (strip.host_wait_ns, strip.kernel_wait_ns, strip.other_wait_ns) == (600, 0, 0)
    idle = next(part for part in strip.strips if part.name == "device_idle")
    assert (idle.starts, idle.durations) == ([0, 800], [400, 200])


def test_idle_time_by_what_the_next_kernel_waits_for() -> None:
    us = 1000
    profile = profile_of(
        [
            *stream_names(),
            step_event(1, 0, 1000 * us),
            launch_event(0, 10, 1),
            launch_event(10, 10, 2),
            launch_event(20, 10, 3),
            kernel_event("a", 0, 200 * us, 1),
            kernel_event("b", 220 * us, 80 * us, 2),  # 20 µs after a: between kernels
            kernel_event("c", 400 * us, 100 * us, 3),  # launched long before: other
            launch_event(600 * us, 10, 4),
            kernel_event("d", 700 * us, 300 * us, 4),  # launched in the gap: the host was late
        ]
    )
    strip = find_step_strip(profile, 0)
    assert (strip.host_wait_ns, strip.kernel_wait_ns, strip.other_wait_ns) == (200 * us, 20 * us, 100 * us)
    (stream,) = profile.get(find_overview).streams
    assert stream.busy_ns == 680 * us
    assert (stream.host_wait_ns, stream.kernel_wait_ns, stream.other_wait_ns) == (200 * us, 20 * us, 100 * us)
    assert strip.idle_ns == 320 * us


def test_without_a_device_the_rest_is_other() -> None:
    profile = profile_of(
        [step_event(1, 0, 1000), slice_event("aten::add", 100, 300), slice_event("gloo:all_reduce", 300, 400)]
    )
    assert parts_of_step(profile) == {"collectives": 400, "host_compute": 200, "other": 400}
    overview = profile.get(find_overview)
    assert overview.utilization.device_compute is None
    assert [strip.name for strip in find_step_strip(profile, 0).strips] == ["input", "host_launch", "collectives"]


def test_a_sleep_is_idle_and_other_python_is_work_of_the_host() -> None:
    profile = profile_of(
        [
            slice_event("train", 0, 1000, category="python", step_num=1),
            slice_event("$loop.py:12 load", 100, 800, category="python"),
            slice_event("$time sleep", 200, 300, category="python"),
        ]
    )
    assert parts_of_step(profile) == {"host_compute": 500, "idle": 300, "other": 200}


def test_threads_of_the_input_pipeline_are_not_host_compute() -> None:
    thread = {"ph": "M", "name": "thread_name", "pid": 1, "tid": 3, "args": {"name": "tf_data_iterator_get_next/12"}}
    profile = profile_of(
        [
            thread,
            slice_event("train", 0, 1000, category="", pid=1, tid=1, step_num=1),
            slice_event("matmul:MatMul", 600, 100, category="", pid=1, tid=1),
            slice_event("IteratorGetNextOp::DoCompute", 100, 300, category="", pid=1, tid=3),
            slice_event("ExecutorState::Process", 400, 600, category="", pid=1, tid=3),
        ]
    )
    assert parts_of_step(profile) == {"input": 300, "host_compute": 100, "other": 600}


def test_headline_leaves_out_incomplete_steps() -> None:
    durations = [900, 1000, 1100, 10]
    events, start = [], 0
    for number, duration in enumerate(durations):
        events.append(step_event(number, start, duration))
        start += duration
    overview = profile_of(events).get(find_overview)
    assert overview.headline.step_mean_ns == 1000
    assert overview.headline.step_deviation_ns == 82
    assert sum(overview.mean.values()) == 1000
    assert overview.notes == ["1 incomplete step is not in the mean."]


def test_the_first_of_several_devices_is_broken_down_and_named() -> None:
    profile = profile_of(
        [
            *stream_names(0),
            *stream_names(1),
            step_event(1, 0, 1000),
            kernel_event("a", 0, 100, device=0),
            kernel_event("a", 0, 900, device=1),
        ]
    )
    assert parts_of_step(profile) == {"device_compute_32": 100, "idle": 900}
    assert profile.get(find_overview).notes == ["Breakdown and utilization are of device 0, the first of 2."]
    assert profile.get(find_overview).mean["idle"] == 900


def test_without_steps_numbers_are_unknown_with_a_reason() -> None:
    headline = profile_of([slice_event("main", 0, 100)]).get(find_overview).headline
    assert headline.step_mean_ns is None
    assert headline.input_share is None
    assert "no steps" in headline.reasons["step_mean_ns"]
    assert headline.reasons["sm_efficiency"] == "the trace has no kernels of a device"


def test_without_calls_for_input_its_share_is_unknown() -> None:
    profile = profile_of([step_event(1, 0, 1000), slice_event("aten::mm", 0, 900)])
    headline = profile.get(find_overview).headline
    assert headline.step_mean_ns == 1000 and headline.input_share is None
    assert headline.reasons["input_share"] == "the trace has no calls of a DataLoader or of tf.data"
    skipped = findings_of_ranks([("", profile)], 0).skipped
    assert "input_bound: no calls of a DataLoader or of tf.data in the trace" in skipped


def test_utilization_of_kernels_weighted_by_their_time_in_steps() -> None:
    occupancy, blocks = "est. achieved occupancy %", "blocks per SM"
    profile = profile_of(
        [
            *stream_names(0, 7, 8),
            step_event(1, 0, 1000),
            kernel_event("ampere_fp16_s16816gemm_fp16_128x64", 100, 100, **{occupancy: 50, blocks: 2.0}),
            kernel_event("add", 200, 300, **{occupancy: 10, blocks: 0.5}),
            kernel_event("mul", 400, 100, stream=8, **{occupancy: 10, blocks: 0.25}),
            kernel_event("late", 1000, 500, **{occupancy: 90, blocks: 9.0}),  # after the step
        ]
    )
    utilization = profile.get(find_overview).utilization
    assert utilization.device_compute == 0.4
    assert utilization.sm_efficiency == (100 * 1 + 200 * 0.5 + 100 * 0.75) / 1000
    assert utilization.occupancy == (100 * 50 + 400 * 10) / 500 / 100
    assert utilization.tensor_cores == 100 / 500


def test_environment_of_a_distributed_gpu_trace() -> None:
    profile = profile_of(
        [
            *stream_names(),
            step_event(1, 0, 1000),
            kernel_event("ampere_bf16_s16816gemm_bf16_128x64", 100, 100),
            kernel_event("volta_sgemm_32x128_tn", 300, 100),
        ],
        {
            "schemaVersion": 1,
            "deviceProperties": [
                {"id": 0, "name": "NVIDIA A100", "totalGlobalMem": 40 * 2**30},
                {"id": 1, "name": "NVIDIA A100", "totalGlobalMem": 40 * 2**30},
            ],
            "distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 8},
            "cuda_runtime_version": 12040,
            "with_stack": 1,
        },
    )
    overview = profile.get(find_overview)
    assert {entry.name: entry.value for entry in overview.environment} == {
        "Framework": "PyTorch",
        "Device": "NVIDIA A100, 42.9 GB of 2 in the host",
        "CUDA": "runtime 12.4",
        "Precision": "bf16, fp32 (tensor cores used)",
        "Rank": "1 of 8",
        "Backend": "nccl",
        "Recorded": "stacks",
        "Trace": "3 slices, complete",
    }
    assert overview.headline.memory_limit_bytes == 40 * 2**30
    assert "profile_memory=True" in overview.headline.reasons["peak_memory_bytes"]


def test_kernels_that_overlap_on_one_stream_count_once() -> None:
    profile = profile_of(
        [*stream_names(), step_event(1, 0, 1000), kernel_event("a", 100, 300), kernel_event("b", 200, 400)]
    )
    assert parts_of_step(profile) == {"device_compute_32": 500, "idle": 500}


def test_the_infeed_of_a_device_is_input() -> None:
    events = [
        {"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "/device:TPU:0"}},
        {"ph": "M", "name": "thread_name", "pid": 3, "tid": 1, "args": {"name": "XLA Ops"}},
        slice_event("train", 0, 1000, category="", step_num=1),
        slice_event("infeed.1", 100, 200, category="", pid=3, tid=1),
        slice_event("fusion.1", 300, 400, category="", pid=3, tid=1),
    ]
    profile = profile_of(events)
    assert parts_of_step(profile) == {"device_compute_32": 400, "input": 200, "idle": 400}
    overview = profile.get(find_overview)
    assert next(entry.value for entry in overview.environment if entry.name == "Device") == "TPU"
    assert overview.utilization.tensor_cores is None
    assert "name" in overview.headline.reasons["tensor_cores"]


@pytest.mark.parametrize(("size", "text"), [(1, "1 kB"), (37_253, "37 kB"), (1_152_519, "1.2 MB")])
def test_a_small_file_has_a_size(tmp_path: Path, size: int, text: str) -> None:
    file = tmp_path / "trace.json"
    file.write_bytes(b" " * size)
    profile = profile_of([step_event(1, 0, 1000)])
    profile.source = file
    environment = {entry.name: entry.value for entry in profile.get(find_overview).environment}
    assert environment["Trace"].startswith(f"{text}, ")
