"""Distributed: ranks with a planted straggler and clocks that differ by a known time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from seamark.profiles.analyses.distributed import find_distributed
from seamark.profiles.analyses.distributed.messages import dtype_bytes, element_bytes
from seamark.profiles.profile import Profile
from seamark.profiles.testing_events import kernel_event
from seamark.profiles.testing_events import profile_of as profile_of_events
from seamark.profiles.testing_traces import TraceBuilder, profile_of

MS = 1_000_000
STEP = 100 * MS
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"


def rank(
    number: int, *, late_ms: int = 0, clock_ms: int = 0, steps: int = 4, sizes: bool = True, group_size: int = 8
) -> Profile:
    """A step: kernels 0–60 ms (a late rank longer), all-reduce 50–70 ms and 80–90 ms on another stream."""
    builder = TraceBuilder(
        origin_ns=10**18 + clock_ms * MS, metadata={"distributedInfo": {"rank": number, "world_size": 8}}
    )
    main, compute, communication = (
        builder.track("main"),
        builder.track("stream 7", device=0),
        builder.track("stream 20", device=0),
    )
    fields: dict[str, Any] = {"In msg nelems": 1000, "Out msg nelems": 1000, "Group size": group_size} if sizes else {}
    for step in range(steps):
        start = STEP * step
        builder.slice(main, start, STEP, f"ProfilerStep#{step}", "user_annotation")
        builder.slice(compute, start, 60 * MS, "sgemm", "kernel")
        builder.slice(communication, start + 50 * MS, 20 * MS, ALL_REDUCE, "kernel", **fields)
        builder.slice(communication, start + (80 + late_ms) * MS, (10 - late_ms) * MS, ALL_REDUCE, "kernel", **fields)
    return profile_of(builder, [(STEP * step, STEP * (step + 1)) for step in range(steps)])


def ranks(count: int, late: int, late_ms: int = 8) -> list[tuple[str, Profile]]:
    return [
        (f"host{number}", rank(number, late_ms=late_ms if number == late else 0, clock_ms=number * 7))
        for number in range(count)
    ]


@pytest.mark.parametrize(("count", "late"), [(2, 1), (8, 5), (8, 0)])
def test_a_planted_straggler(count: int, late: int) -> None:
    found = find_distributed(ranks(count, late))
    assert [row.host for row in found.ranks] == [f"rank {number}" for number in range(count)]
    assert [row.is_straggler for row in found.ranks] == [number == late for number in range(count)]
    assert [row.wait_ns for row in found.ranks] == [0 if number == late else 8 * MS for number in range(count)]
    assert [row.clock_offset_ns for row in found.ranks] == [number * 7 * MS for number in range(count)]
    assert [row.awaited_share for row in found.ranks] == [float(number == late) for number in range(count)]
    assert found.notes == []


def test_times_of_a_rank() -> None:
    row = find_distributed(ranks(2, 1)).ranks[0]
    assert (row.steps, row.step_ns, row.compute_ns) == (4, STEP, 60 * MS)
    assert (row.communication_ns, row.overlap_ns, row.exposed_ns) == (30 * MS, 10 * MS, 20 * MS)
    assert row.idle_ns == 20 * MS


def test_ranks_in_step_have_no_straggler() -> None:
    found = find_distributed(ranks(8, late=0, late_ms=0))
    assert not any(row.is_straggler for row in found.ranks)
    assert {row.wait_ns for row in found.ranks} == {row.awaited_share for row in found.ranks} == {0}


def test_bytes_of_collectives() -> None:
    (row,) = find_distributed(ranks(2, 1, late_ms=0)).collectives
    assert (row.name, row.group, row.calls) == ("all_reduce", "8 ranks", 16)
    assert (row.bytes, row.total_ns) == (16 * 4000, 2 * 4 * 30 * MS)
    assert row.bandwidth == pytest.approx(16 * 4000 / 0.240)


def test_the_operator_has_the_sizes_if_the_kernel_has_not() -> None:
    builder = TraceBuilder()
    main, stream = builder.track("main"), builder.track("stream 20", device=0)
    builder.slice(main, 0, 5, "record_param_comms", "cpu_op", **{"External id": 9, "In msg nelems": 10})
    builder.slice(stream, 10, 100, ALL_REDUCE, "kernel", **{"External id": 9})
    (row,) = find_distributed([("a", profile_of(builder, []))]).collectives
    assert row.bytes == 40


def test_types_in_names_of_kernels() -> None:
    assert element_bytes("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)", "all_reduce") == 2
    assert element_bytes("ncclKernel_AllReduce_RING_LL_Sum_half(x)", "all_reduce") == 2
    assert element_bytes("ncclKernel_AllReduce_RING_LL_Sum_int64_t(x)", "all_reduce") == 8
    # It is int8 in the name of every kernel that only moves data.
    assert element_bytes("ncclKernel_AllGather_RING_LL_Sum_int8_t(x)", "all_gather") != 1


def test_types_in_arguments_are_those_of_the_message() -> None:
    assert (dtype_bytes("BFloat16"), dtype_bytes("Float8_e4m3fn"), dtype_bytes("what")) == (2, 1, None)
    message = {"In msg nelems": 10, "Out msg nelems": 80, "Group size": 8, "dtype": "Half"}
    profile = profile_of_events([kernel_event("ncclDevKernel_AllGather_RING_LL(x)", 0, 100, **message)])
    (row,) = find_distributed([("a", profile)]).collectives
    assert (row.name, row.group, row.bytes) == ("all_gather", "8 ranks", 160)


def test_lanes_are_on_the_clock_of_the_first_rank() -> None:
    found = find_distributed(ranks(2, 1))
    assert (found.window_ns, len(found.lanes)) == (STEP, 2)
    ends = [
        [
            start + duration
            for start, duration, slice in zip(lane.starts, lane.durations, lane.slices, strict=True)
            if slice >= 0
        ]
        for lane in found.lanes
    ]
    assert ends == [[70 * MS, 90 * MS]] * 2


def grid_rank(number: int, groups: dict[str, int], clock: int) -> Profile:
    """Takes part in one collective of each group: from `start` to the end that all of them have, 1000 apart."""
    events = [
        kernel_event(
            ALL_REDUCE, start, end - start, **{"In msg nelems": 1, "Group size": 2, "Process Group Ranks": members}
        )
        for end, (members, start) in zip((1000, 2000), groups.items(), strict=True)
    ]
    trace = profile_of_events(events, {"distributedInfo": {"rank": number}}).trace
    return Profile(replace(trace, origin_ns=clock + int(min(groups.values()))), Path("none"), drawn_steps=None)


def test_groups_of_some_ranks_align_all_clocks() -> None:
    """Ranks 0 and 3 share no group: their clocks are compared by way of ranks 1 and 2."""
    found = find_distributed(
        [
            ("a", grid_rank(0, {"[0, 1]": 500, "[0, 2]": 1500}, 0)),
            ("b", grid_rank(1, {"[0, 1]": 900, "[1, 3]": 1500}, 70)),
            ("c", grid_rank(2, {"[2, 3]": 500, "[0, 2]": 1500}, 30)),
            ("d", grid_rank(3, {"[2, 3]": 500, "[1, 3]": 1500}, 90)),
        ]
    )
    assert [row.clock_offset_ns for row in found.ranks] == [0, 70, 30, 90]
    assert [row.wait_ns for row in found.ranks] == [400, 0, 0, 0]
    assert [row.awaited_share for row in found.ranks] == [0, 1, 0, 0]
    assert [(row.group, row.calls) for row in found.collectives] == [("2 ranks", 8)]


def test_groups_of_unknown_ranks_are_not_matched() -> None:
    found = find_distributed([(f"h{number}", rank(number, sizes=True, group_size=2)) for number in range(4)])
    assert found.ranks[0].wait_ns is None


def test_one_rank_cannot_be_compared() -> None:
    found = find_distributed([("host0", rank(0, sizes=False))])
    assert found.ranks[0].wait_ns is None and found.ranks[0].awaited_share is None
    assert len(found.notes) == 2


def test_different_numbers_of_collectives_are_not_matched() -> None:
    found = find_distributed([("a", rank(0)), ("b", rank(1, steps=3))])
    assert found.ranks[0].wait_ns is None and "different numbers" in found.notes[0]


def test_without_collectives_it_says_so() -> None:
    builder = TraceBuilder()
    builder.slice(builder.track("main"), 0, 5, "aten::mm", "cpu_op")
    found = find_distributed([("a", profile_of(builder, []))])
    assert (found.collectives, found.lanes) == ([], []) and "no collectives" in found.notes[0]
