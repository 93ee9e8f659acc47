"""Tables of xprof's tools in the form of Google Charts: the overview, operators and kernels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal

import numpy as np

from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.profile import Profile
from seamark.profiles.results import Overview, StepBreakdown

Table = dict[str, Any]
Column = tuple[str, str, Literal["number", "string", "boolean"]]
TOP_OPERATORS = 10
NS_PER_MS, NS_PER_US = 1e6, 1e3
# Each column of steps with the parts of our breakdown that it sums. Copies between host and device count as input, as
# most of them are.
STEP_PARTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "deviceComputeTimeMs": ("Device compute", ("device_compute_16", "device_compute_32")),
    "deviceToDeviceTimeMs": ("Device to device", ()),
    "deviceCollectivesTimeMs": ("Device collective communication", ("collectives",)),
    "hostComputeTimeMs": ("Host compute", ("host_compute",)),
    "kernelLaunchTimeMs": ("Kernel launch", ()),
    "infeedTimeMs": ("Input", ("input", "host_device_copies")),
    "outfeedTimeMs": ("Output", ()),
    "compileTimeMs": ("Compilation", ("compile",)),
    "otherTimeMs": ("All others", ("idle", "other")),
}


OPERATOR_COLUMNS: Sequence[Column] = (
    ("rank", "Rank", "number"),
    ("host_or_device", "Host/device", "string"),
    ("type", "Operation Type", "string"),
    ("operation", "Operation Name", "string"),
    ("occurrences", "#Occurrences", "number"),
    ("total_time", "Total time (us)", "number"),
    ("avg_time", "Avg. time (us)", "number"),
    ("total_self_time", "Total self-time (us)", "number"),
    ("avg_self_time", "Avg. self-time (us)", "number"),
    ("device_total_self_time_percent", "Total self-time on Device (%)", "number"),
    ("device_cumulative_total_self_time_percent", "Cumulative total-self time on Device (%)", "number"),
    ("host_total_self_time_percent", "Total self-time on Host (%)", "number"),
    ("Host_cumulative_total_self_time_percent", "Cumulative total-self time on Host (%)", "number"),
    ("measured_flop_rate", "Normalized FLOP Rate (FLOPs/s)", "number"),
    ("model_flop_rate", "Model FLOP Rate (GFLOP/s)", "number"),
    ("measured_memory_bw", "Measured Memory BW (GBytes/Sec)", "number"),
    ("operational_intensity", "Operational Intensity (FLOPs/Byte)", "number"),
    ("bound_by", "Bound by", "string"),
    ("eager", "Execution mode", "string"),
)


def overview_page(profile: Profile) -> list[Table]:
    """Top operators, steps, environment, recommendations, latencies, and two that stay empty."""
    overview = profile.get(find_overview)
    has_device = any(track.is_device for track in profile.trace.tracks)
    environment = table(
        [("host_id", "host_id", "string"), ("command_line", "command_line", "string")],
        [],
        {"device_type": "GPU" if has_device else "CPU", "host_count": "1"},
    )
    return [
        top_operators(profile),
        step_table(overview),
        environment,
        table([("tip_type", "tip_type", "string"), ("link", "link", "string")], [], {"statement": overview.steps_text}),
        table([("percentile", "percentile", "string"), ("totalTimeMs", "Total latency (in ms)", "number")], []),
        {},
        table([("severity", "Severity", "string"), ("message", "Message", "string")], []),
    ]


def framework_op_stats(profile: Profile) -> list[Table]:
    """Operators by self time: with rows for idle time and without, which is the same as we have none."""
    found = profile.get(find_operators)
    rows = sorted(found.rows, key=lambda row: -row.self_ns)
    host = shares([row.self_ns for row in rows])
    device = shares([row.device_self_ns or 0 for row in rows])
    cells = [
        [
            rank, "Host", row.name, row.name, row.calls, *mean_us(row.total_ns, row.calls),
            *mean_us(row.self_ns, row.calls), *on_device, *on_host, None, None, None, None, "Unknown", "",
        ]
        for rank, (row, on_host, on_device) in enumerate(zip(rows, host, device, strict=True), 1)
    ]  # fmt: skip
    return [table(OPERATOR_COLUMNS, cells)] * 2


def shares(times: Sequence[int]) -> list[tuple[float, float]]:
    """The share of each in the sum, and that of all up to it."""
    total = max(1, sum(times))
    return [(time / total, up_to / total) for time, up_to in zip(times, accumulate(times), strict=True)]


def mean_us(total_ns: int, calls: int) -> tuple[float, float]:
    """In microseconds: the total, and the mean of a call."""
    return total_ns / NS_PER_US, total_ns / NS_PER_US / max(1, calls)


def kernel_stats(profile: Profile) -> Table:
    columns: list[Column] = [
        ("rank", "Rank", "number"),
        ("kernel_name", "Kernel Name", "string"),
        ("registers_per_thread", "Registers per thread", "number"),
        ("shmem_bytes", "Shared Mem bytes", "number"),
        ("block_dim", "Block dim", "string"),
        ("grid_dim", "Grid dim", "string"),
        ("occupancy_pct", "Theoretical Occupancy %", "number"),
        ("is_op_tensor_core_eligible", "Op is TensorCore eligible", "boolean"),
        ("is_kernel_using_tensor_core", "Kernel uses TensorCore", "boolean"),
        ("op_name", "Op Name", "string"),
        ("occurrences", "Occurrences", "number"),
        ("total_duration_us", "Total Duration (μs)", "number"),
        ("avg_duration_us", "Avg Duration (μs)", "number"),
        ("min_duration_us", "Min Duration (μs)", "number"),
        ("max_duration_us", "Max Duration (μs)", "number"),
    ]
    rows = sorted(profile.get(find_kernels).rows, key=lambda row: -row.total_ns)
    cells = [
        [
            rank, row.name, row.registers, row.shared_memory, row.block, row.grid, row.occupancy,
            row.tensor_cores is not None, bool(row.tensor_cores), row.operator, row.calls,
            row.total_ns / NS_PER_US, row.mean_ns / NS_PER_US, row.min_ns / NS_PER_US, row.max_ns / NS_PER_US,
        ]
        for rank, row in enumerate(rows, 1)
    ]  # fmt: skip
    return table(columns, cells)


def top_operators(profile: Profile) -> Table:
    """By time on the device if there is one."""
    found = profile.get(find_operators)
    times = {row.name: (row.device_self_ns if found.total_device_ns else row.self_ns) or 0 for row in found.rows}
    largest = sorted(times, key=lambda name: -times[name])
    columns: list[Column] = [
        ("selfTimePercent", "Time (%)", "number"),
        ("cumulativeTimePercent", "Cumulative time (%)", "number"),
        ("category", "Category", "string"),
        ("operation", "Operation", "string"),
        ("flopRate", "Bf16 Normalized Flop Rate(GFLOPs/Sec)", "number"),
    ]
    of_each = shares([times[name] for name in largest])
    cells = [[*share, "", name, None] for name, share in zip(largest, of_each, strict=True)]
    return table(columns, cells[:TOP_OPERATORS])


def step_table(overview: Overview) -> Table:
    columns: list[Column] = [("stepnum", "Step number", "string")]
    columns += [(id, label, "number") for id, (label, _) in STEP_PARTS.items()]
    columns += [("tooltip", "tooltip", "string"), ("stepTimeMs", "Step time", "number")]
    durations = np.array([step.duration_ns / NS_PER_MS for step in overview.steps] or [0.0])
    return table(
        columns,
        [step_cells(step) for step in overview.steps],
        {
            "steptime_ms_average": f"{durations.mean():.1f}",
            "steptime_ms_standard_deviation": f"{durations.std():.1f}",
            "steptime_ms_minimum": f"{durations.min():.1f}",
            "steptime_ms_maximum": f"{durations.max():.1f}",
            "step_time_graph_column_ids": ",".join(["stepnum", *STEP_PARTS, "tooltip"]),
        },
    )


def step_cells(step: StepBreakdown) -> list[Any]:
    times = [sum(step.breakdown.get(part, 0) for part in parts) / NS_PER_MS for _, parts in STEP_PARTS.values()]
    duration = step.duration_ns / NS_PER_MS
    return [step.name, *times, f"Step {step.name}, duration: {duration:.2f} ms", duration]


def table(
    columns: Sequence[Column], rows: Iterable[Sequence[Any]], properties: Mapping[str, str] | None = None
) -> Table:
    return {
        "cols": [{"id": id, "label": label, "type": type} for id, label, type in columns],
        "rows": [{"c": [{"v": value} for value in row]} for row in rows],
        "p": dict(properties or {}),
    }
