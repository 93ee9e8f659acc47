"""Memory: traces whose allocations are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.analyses.memory.counters import find_counters
from seamark.profiles.analyses.memory.curves import corners
from seamark.profiles.testing_events import HOST_PID, MAIN_THREAD, slice_event
from seamark.profiles.testing_events import profile_of as profile_of_events
from seamark.profiles.testing_traces import TraceBuilder, profile_of

GPU = {"id": 0, "name": "A100", "totalGlobalMem": 80_000_000}
MB = 1_000_000


def memory(builder: TraceBuilder, track: int, time: int, size: int, address: int, **totals: int) -> None:
    fields: dict[str, Any] = {"Addr": address, "Bytes": size, "Device Type": 1, "Device Id": 0}
    fields |= {"Total Allocated": totals["allocated"], "Total Reserved": totals["reserved"]} if totals else {}
    builder.instant(track, time, "[memory]", fields)


def host_memory(builder: TraceBuilder, track: int, time: int, size: int, address: int) -> None:
    builder.instant(
        track,
        time,
        "[memory]",
        {"Addr": address, "Bytes": size, "Device Type": 0, "Device Id": -1, "Total Allocated": 0, "Total Reserved": 0},
    )


def test_the_peak_is_broken_down_by_operator_and_allocation() -> None:
    builder = TraceBuilder(metadata={"deviceProperties": [GPU]})
    main = builder.track("main")
    builder.slice(main, 0, 100, "aten::conv2d", "cpu_op")
    builder.slice(main, 10, 50, "aten::empty", "cpu_op")
    builder.slice(main, 200, 100, "aten::relu", "cpu_op")
    memory(builder, main, 20, 30 * MB, 1, allocated=40 * MB, reserved=50 * MB)
    memory(builder, main, 210, 20 * MB, 2, allocated=60 * MB, reserved=75 * MB)
    memory(builder, main, 400, -30 * MB, 1, allocated=30 * MB, reserved=75 * MB)
    found = find_memory(profile_of(builder, []))
    (curve,) = found.curves
    assert (curve.name, curve.peak_bytes, curve.peak_ns, curve.limit_bytes) == ("GPU 0", 60 * MB, 210, 80 * MB)
    assert (curve.times_ns, curve.allocated) == ([20, 210, 400], [40 * MB, 60 * MB, 30 * MB])
    assert curve.reserved == [50 * MB, 75 * MB, 75 * MB]
    rows = [(row.operator, row.bytes, row.allocated_ns, row.freed_ns) for row in found.at_peak]
    # The allocating operator aten::empty belongs to the one that calls it.
    assert rows == [
        ("aten::conv2d", 30 * MB, 20, 400),
        ("aten::relu", 20 * MB, 210, None),
        ("before the trace", 10 * MB, 20, None),
    ]
    assert sum(row.bytes for row in found.at_peak) == curve.peak_bytes
    assert found.fragmentation == 1 - 60 / 75
    by_operator = {row.operator: row for row in found.operators}
    assert (by_operator["aten::relu"].peak_bytes, by_operator["aten::relu"].self_increase_bytes) == (20 * MB, 20 * MB)
    assert by_operator["aten::conv2d"].self_increase_bytes == 0
    assert sum(row.peak_bytes for row in found.operators) == curve.peak_bytes


def test_the_host_counts_what_the_trace_knows() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 5, "aten::add", "cpu_op")
    host_memory(builder, main, 1, 100, 7)
    host_memory(builder, main, 20, -300, 8)  # allocated before the trace
    host_memory(builder, main, 30, -100, 7)
    found = find_memory(profile_of(builder, []))
    assert found.curves[0].allocated == [400, 100, 0]
    assert found.curves[0].reserved is None and found.curves[0].limit_bytes is None
    assert found.fragmentation is None
    assert any("CPU" in note for note in found.notes)


def test_an_address_that_is_used_again_is_another_allocation() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    for start in (0, 100):
        builder.slice(main, start, 50, f"aten::op{start}", "cpu_op")
        host_memory(builder, main, start + 1, 10, 7)
        host_memory(builder, main, start + 2, -10, 7)
    found = find_memory(profile_of(builder, []))
    assert found.curves[0].allocated == [10, 0, 10, 0]
    assert [row.allocated_bytes for row in found.operators] == [10, 10]


def steps_with(keep: bool, steps: int = 6, *, frees_old: bool = False, size: int = MB) -> Any:
    """Each step allocates an activation that it frees, and an output that it keeps or frees."""
    builder = TraceBuilder()
    main = builder.track("main")
    for step in range(steps):
        start = 1000 * step
        builder.slice(main, start + 100, 100, "aten::mm", "cpu_op")
        builder.slice(main, start + 300, 100, "aten::cat", "cpu_op")
        host_memory(builder, main, start + 110, 5 * MB, 1)
        host_memory(builder, main, start + 310, size, 100 + step)
        host_memory(builder, main, start + 800, -5 * MB, 1)
        if not keep:
            host_memory(builder, main, start + 900, -size, 100 + step)
        if frees_old:
            host_memory(builder, main, start + 950, -size, 500 + step)
    return find_memory(profile_of(builder, [(1000 * step, 1000 * step + 1000) for step in range(steps)]))


def test_what_every_step_keeps_is_a_leak_candidate() -> None:
    (leak,) = steps_with(keep=True).leaks
    assert (leak.device, leak.operator, leak.bytes_per_step) == ("CPU", "aten::cat", MB)
    assert (leak.allocations_per_step, leak.steps, len(leak.slices)) == (1.0, 5, 5)


def test_no_leak_without_growth() -> None:
    assert steps_with(keep=False).leaks == []
    assert steps_with(keep=True, frees_old=True).leaks == []  # a ring of buffers
    assert steps_with(keep=True, size=1000).leaks == []  # a history of losses
    short = steps_with(keep=True, steps=3)
    assert short.leaks == [] and any("need 4 steps" in note for note in short.notes)


def test_what_one_step_keeps_is_no_leak() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 900, "Adam.step", "user_annotation")
    host_memory(builder, main, 5, 50 * MB, 1)  # the state of the optimizer
    found = find_memory(profile_of(builder, [(1000 * step, 1000 * step + 1000) for step in range(8)]))
    assert found.leaks == []


def test_rows_have_the_shapes_of_the_operator() -> None:
    operator = slice_event("aten::mm", 0, 1000, **{"Input Dims": [[64, 128], [128, 32], []]})
    fields = {"Addr": 7, "Bytes": 8192, "Device Type": 0, "Device Id": -1}
    instant = {"ph": "i", "name": "[memory]", "cat": "cpu_instant_event", "s": "t", "ts": 0.5, "args": fields}
    found = find_memory(profile_of_events([operator, instant | {"pid": HOST_PID, "tid": MAIN_THREAD}]))
    assert [(row.operator, row.shape, row.bytes) for row in found.at_peak] == [("aten::mm", "64×128, 128×32", 8192)]


def test_totals_of_a_host_are_taken_if_they_are_those_of_the_allocator() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    for time, size, total in ((0, 30, 530), (10, 20, 550), (20, -30, 520)):
        fields = {"Addr": 1 if abs(size) == 30 else 2, "Bytes": size, "Total Allocated": total, "Device Type": 0}
        builder.instant(main, time, "[memory]", fields)
    found = find_memory(profile_of(builder, []))
    assert found.curves[0].allocated == [530, 550, 520]
    assert [(row.operator, row.bytes) for row in found.at_peak] == [
        ("before the trace", 500),
        ("outside of operators", 30),
        ("outside of operators", 20),
    ]


def test_without_addresses_there_is_a_curve_only() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.instant(main, 5, "[memory]", {"Bytes": 256, "Total Allocated": 300, "Device Type": 1, "Device Id": 0})
    found = find_memory(profile_of(builder, []))
    assert (found.curves[0].name, found.curves[0].allocated) == ("GPU 0", [300])
    assert found.at_peak == found.leaks == found.operators == []


def test_counters_are_curves() -> None:
    builder = TraceBuilder()
    builder.counter("cpu allocator", "/device:CPU:0", [0, 5, 9], [1, 8, 2])
    found = find_memory(profile_of(builder, []))
    (curve,) = found.curves
    assert (curve.name, curve.allocator, curve.peak_bytes, curve.peak_ns) == ("/device:CPU:0", "cpu allocator", 8, 5)
    assert found.at_peak == []


def test_counters_beside_allocations_are_not_shown_twice() -> None:
    builder = TraceBuilder()
    host_memory(builder, builder.track("main"), 1, 100, 7)
    builder.counter("CPU memory: allocated", "python", [1], [100])
    assert len(find_memory(profile_of(builder, [])).curves) == 1


def test_a_trace_without_memory_says_so() -> None:
    found = find_memory(profile_of(TraceBuilder(), []))
    assert found.curves == [] and "profile_memory=True" in found.notes[0]


def test_long_curves_keep_their_peak() -> None:
    values = np.arange(100_000) % 977
    values[54_321] = 5000
    chosen = corners(values)
    assert len(chosen) <= 4000 and 54_321 in chosen and chosen[0] == 0 and chosen[-1] == 99_999


def test_trace_has_the_memory_of_each_allocator_as_counters() -> None:
    builder = TraceBuilder(metadata={"deviceProperties": [GPU]})
    main = builder.track("main")
    memory(builder, main, 20, 30 * MB, 1, allocated=40 * MB, reserved=50 * MB)
    memory(builder, main, 210, 20 * MB, 2, allocated=60 * MB, reserved=75 * MB)
    host_memory(builder, main, 220, 100, 7)
    found = find_counters(profile_of(builder, []))
    assert [(each.entry.id, each.entry.name, each.entry.limit) for each in found] == [
        (0, "GPU 0 memory: allocated", 80 * MB),
        (1, "GPU 0 memory: reserved", 80 * MB),
        (2, "CPU memory: allocated", None),
    ]
    assert [each.values.tolist() for each in found] == [[40 * MB, 60 * MB], [50 * MB, 75 * MB], [100]]
    assert found[2].entry.process == profile_of(builder, []).trace.tracks[main].process


def test_counters_of_the_file_have_the_limit_of_their_device() -> None:
    builder = TraceBuilder(metadata={"deviceProperties": [GPU]})
    for name in ("GPU_0_bfc memory: allocated", "GPU 0 free memory", "GPU 1 memory", "cpu memory"):
        builder.counter(name, "", [0], [1.0])
    found = find_counters(profile_of(builder, []))
    assert [each.entry.limit for each in found] == [80 * MB, None, None, None]
