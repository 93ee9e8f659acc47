"""Captures that have only the tables of TensorFlow's profiler: what the pages show of them."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
from google.protobuf.message import Message

from seamark.format.messages import (
    BottleneckAnalysis,
    InputOpDetails,
    InputPipelineAnalysisRecommendation,
    InputPipelineAnalysisResult,
    KernelReport,
    KernelStatsDb,
    OverviewPage,
    OverviewPageAnalysis,
    OverviewPageRunEnvironment,
    PackedMessage,
    PerGenericStepDetails,
    PerTpuStepDetails,
    TfStatsDatabase,
    TfStatsRecord,
    TfStatsTable,
)
from seamark.profiles.analyses.input_pipeline import find_input_pipeline
from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.trees.modules import find_modules
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.captures.find import find_captures
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.form import ProfileError
from seamark.profiles.profile import Profile


def packed(message: Message) -> PackedMessage:
    name = type(message).DESCRIPTOR.name
    return PackedMessage(type_url=f"type.googleapis.com/tensorflow.profiler.{name}", value=message.SerializeToString())


STEPS = [
    PerGenericStepDetails(
        step_number=7,
        step_time_ms=10,
        unknown_time_ms=1,
        output_ms=0.25,
        device_compute_ms=4,
        device_to_device_ms=0.25,
        host_compute_ms=1,
        host_prepare_ms=0.5,
        host_compile_ms=0.5,
        host_wait_input_ms=1.5,
        host_to_device_ms=0.5,
        device_collectives_ms=0.5,
    ),
    PerGenericStepDetails(
        step_number=8, step_time_ms=20, device_compute_ms=4, host_wait_input_ms=16, step_name="eight"
    ),
]
STATEMENT = "Your program is HIGHLY input-bound."
INPUT = InputPipelineAnalysisResult(
    hardware_type="GPU",
    step_details=[packed(step) for step in STEPS],
    input_op_details=[
        InputOpDetails(op_name="Iterator::Model::Prefetch", count=3, time_in_ms=5, self_time_in_ms=1),
        InputOpDetails(op_name="Iterator::Model::Prefetch::Map", count=6, time_in_ms=4, self_time_in_ms=4),
        InputOpDetails(op_name="ReadFile", count=1, time_in_ms=2, self_time_in_ms=2),
        InputOpDetails(op_name="enqueue", count=1, time_in_ms=9, self_time_in_ms=9, category="Enqueue"),
    ],
    recommendation=InputPipelineAnalysisRecommendation(
        bottleneck_analysis=packed(BottleneckAnalysis(input_statement=STATEMENT))
    ),
)
OVERVIEW = OverviewPage(
    input_analysis=INPUT,
    analysis=OverviewPageAnalysis(device_compute_16bit_percent=75, device_compute_32bit_percent=25),
    run_environment=OverviewPageRunEnvironment(host_count=1, device_type="GPU", device_core_count=8),
)
OPERATORS = TfStatsDatabase(
    without_idle=TfStatsTable(
        tf_stats_record=[
            TfStatsRecord(
                host_or_device="Device",
                op_type="MatMul",
                op_name="model/dense/MatMul",
                occurrences=4,
                total_time_in_us=50,
                total_self_time_in_us=50,
                gpu_tensorcore_utilization=1,
            ),
            TfStatsRecord(
                host_or_device="Host",
                op_type="MatMul",
                op_name="model/dense/MatMul",
                occurrences=4,
                total_time_in_us=9,
                total_self_time_in_us=7.5,
            ),
            TfStatsRecord(host_or_device="Host", op_type="IDLE", op_name="IDLE", total_self_time_in_us=1e6),
        ]
    )
)
KERNELS = KernelStatsDb(
    reports=[
        KernelReport(name="volta_sgemm", op_name="MatMul", total_duration_ns=5000, occurrences=4, occupancy_pct=50),
        KernelReport(
            name="volta_h884gemm",
            op_name="MatMul",
            total_duration_ns=15_000,
            min_duration_ns=7000,
            max_duration_ns=8000,
            occurrences=2,
            is_kernel_using_tensor_core=True,
            grid_dim=[4, 2, 1],
            block_dim=[128, 1, 1],
            registers_per_thread=64,
            static_shmem_bytes=100,
            dynamic_shmem_bytes=28,
        ),
    ]
)


def opened(folder: Path, **tables: Message | bytes) -> Profile:
    """The capture with these tables of one host, opened as the page opens it."""
    capture = folder / "plugins/profile/2020_05_01_10_00_00"
    capture.mkdir(parents=True)
    for name, table in tables.items():
        data = table.SerializeToString() if isinstance(table, Message) else table
        (capture / f"vm.{name}.pb").write_bytes(data)
    (found,) = find_captures(folder)[0]
    (host,) = found.hosts
    return ProfileOpener(folder / "cache").open(folder / host.path)


def test_all_tables_of_a_host_are_one_profile(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, overview_page=OVERVIEW, input_pipeline=INPUT, tensorflow_stats=OPERATORS, kernel_stats=KERNELS
    )
    assert len(profile.get(find_overview).steps) == 2
    assert len(profile.get(find_operators).rows) == 1
    assert len(profile.get(find_kernels).rows) == 2
    assert len(profile.get(find_input_pipeline).stages) == 3
    assert "only tables" in profile.trace.problems[0]


def test_the_parts_of_steps_sum_to_them(tmp_path: Path) -> None:
    overview = opened(tmp_path, overview_page=OVERVIEW).get(find_overview)
    assert [(step.name, step.number, step.start_ns, step.duration_ns) for step in overview.steps] == [
        ("7", 7, 0, 10_000_000),
        ("eight", 8, 10_000_000, 20_000_000),
    ]
    assert overview.steps[0].breakdown == {
        "device_compute_16": 3_000_000,
        "device_compute_32": 1_000_000,
        "collectives": 500_000,
        "host_device_copies": 1_000_000,
        "input": 1_500_000,
        "host_compute": 1_500_000,
        "compile": 500_000,
        "idle": 1_000_000,
        "other": 0,
    }
    assert overview.headline.step_mean_ns == 15_000_000
    assert overview.headline.input_share == pytest.approx(17.5 / 30)
    assert overview.utilization.device_compute == pytest.approx(8 / 30)
    assert "needs the trace" in overview.headline.reasons["device_any"]
    assert (overview.source, overview.steps_text) == ("tables", "steps from the tables of TensorFlow's profiler")
    assert {entry.name: entry.value for entry in overview.environment} == {
        "Framework": "TensorFlow",
        "Device": "8 × GPU",
        "Trace": "none: only tables",
    }
    assert f"TensorFlow's profiler says: {STATEMENT}" in overview.notes


def test_without_the_overview_the_precision_is_not_known(tmp_path: Path) -> None:
    overview = opened(tmp_path, input_pipeline=INPUT).get(find_overview)
    assert overview.steps[0].breakdown["device_compute_32"] == 4_000_000
    assert any("half precision" in note for note in overview.notes)


def test_steps_of_a_tpu_are_read(tmp_path: Path) -> None:
    step = PerTpuStepDetails(
        step_number=3,
        tc_infeed_time_ms=1,
        all_reduce_sync_time_ms=2,
        tc_compute_time_ms=3,
        tc_idle_time_ms=4,
        tc_outfeed_time_ms=5,
    )
    analysis = InputPipelineAnalysisResult(hardware_type="TPU", step_details=[packed(step)])
    (found,) = opened(tmp_path, input_pipeline=analysis).get(find_overview).steps
    parts = {part: time for part, time in found.breakdown.items() if time}
    assert (found.duration_ns, parts) == (
        15_000_000,
        {
            "device_compute_32": 3_000_000,
            "collectives": 2_000_000,
            "host_device_copies": 5_000_000,
            "input": 1_000_000,
            "idle": 4_000_000,
        },
    )


def test_parts_that_exceed_their_step_are_cut(tmp_path: Path) -> None:
    step = PerGenericStepDetails(step_time_ms=1, host_compute_ms=3, host_wait_input_ms=0.5)
    analysis = InputPipelineAnalysisResult(hardware_type="CPU_ONLY", step_details=[packed(step)])
    (found,) = opened(tmp_path, input_pipeline=analysis).get(find_overview).steps
    assert (found.breakdown["host_compute"], sum(found.breakdown.values())) == (500_000, 1_000_000)


def test_operations_of_the_input_pipeline_are_a_tree(tmp_path: Path) -> None:
    found = opened(tmp_path, input_pipeline=INPUT).get(find_input_pipeline)
    assert [(stage.name, stage.parent, stage.self_ns, stage.is_bottleneck) for stage in found.stages] == [
        ("Model::Prefetch", -1, 1_000_000, False),
        ("Map", 0, 4_000_000, True),
        ("ReadFile", -1, 2_000_000, False),
    ]
    assert found.wait_ns_per_step == [1_500_000, 16_000_000]
    assert "num_parallel_calls" in found.advice[0]
    assert STATEMENT in found.notes[0]


def test_operators_have_their_times_on_host_and_device(tmp_path: Path) -> None:
    profile = opened(tmp_path, tensorflow_stats=OPERATORS)
    (row,) = profile.get(find_operators).rows
    assert (row.name, row.calls, row.tensor_cores) == ("model/dense/MatMul:MatMul", 4, True)
    assert (row.self_ns, row.total_ns, row.device_self_ns) == (7500, 9000, 50_000)
    assert [node.name for node in profile.get(find_modules).tree.nodes] == ["model", "dense", "MatMul:MatMul"]


def test_kernels_have_their_launch_parameters(tmp_path: Path) -> None:
    found = opened(tmp_path, kernel_stats=KERNELS).get(find_kernels)
    first, second = found.rows
    assert (first.name, first.calls, first.mean_ns, first.grid, first.block) == (
        "volta_h884gemm",
        2,
        7500,
        "4, 2, 1",
        "128, 1, 1",
    )
    assert (first.registers, first.shared_memory, first.tensor_cores) == (64, 128, True)
    assert (second.occupancy, second.registers) == (50, None)
    assert (found.total_ns, found.tensor_core_share) == (20_000, 0.75)


def test_tables_prove_no_finding(tmp_path: Path) -> None:
    profile = opened(tmp_path, overview_page=OVERVIEW)
    assert findings_of_ranks([("vm", profile)], 0).findings == []


def test_a_memory_profile_is_a_curve(tmp_path: Path) -> None:
    snapshot = {
        "timeOffsetPs": "5000000",
        "aggregationStats": {"heapAllocatedBytes": "300", "stackReservedBytes": "0"},
        "activityMetadata": {"memoryActivity": "ALLOCATION", "allocationBytes": "256", "address": "77"},
    }
    document = {"memoryProfilePerAllocator": {"GPU_0_bfc": {"memoryProfileSnapshots": [snapshot]}}}
    path = tmp_path / "vm.memory_profile.json.gz"
    path.write_bytes(gzip.compress(json.dumps(document).encode()))
    profile = ProfileOpener(None).open(path)
    assert [int(value) for value in profile.trace.instant_fields["Bytes"].values] == [256]
    assert [(curve.name, curve.peak_bytes) for curve in profile.get(find_memory).curves] == [("GPU 0", 300)]


def test_a_table_that_is_added_later_is_read(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel_stats=KERNELS)
    assert profile.get(find_operators).rows == []
    (profile.source.parent / "vm.tensorflow_stats.pb").write_bytes(OPERATORS.SerializeToString())
    again = ProfileOpener(tmp_path / "cache").open(profile.source)
    assert len(again.get(find_operators).rows) == 1


@pytest.mark.parametrize("damaged", [b"\x0a\xff\xff", b"\x12\x03abc"])
def test_a_damaged_table_is_left_out(tmp_path: Path, damaged: bytes) -> None:
    profile = opened(tmp_path, overview_page=damaged, kernel_stats=KERNELS)
    assert "vm.overview_page.pb" in profile.trace.problems[1]
    assert len(profile.get(find_kernels).rows) == 2


def test_numbers_that_are_not_finite_are_damage(tmp_path: Path) -> None:
    step = PerGenericStepDetails(step_time_ms=math.nan)
    analysis = InputPipelineAnalysisResult(step_details=[packed(step)])
    with pytest.raises(ProfileError, match=r"a table cannot be read.*vm\.input_pipeline\.pb"):
        opened(tmp_path, input_pipeline=analysis)


def test_other_tables_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="profile again"):
        opened(tmp_path, overview_page=b"")
