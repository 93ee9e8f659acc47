from __future__ import annotations

from typing import Any

import numpy as np

from seamark.profiles.analyses.operators import find_operators, find_operators_by_shapes
from seamark.profiles.analyses.operators.shapes import shapes_text
from seamark.profiles.analyses.slices.ancestors import ancestor_count, is_outermost, longest_by, nearest_ancestor
from seamark.profiles.analyses.slices.argument_values import blocks_of
from seamark.profiles.results import OperatorRow
from seamark.profiles.testing_events import (
    kernel_event,
    launch_event,
    profile_of,
    slice_event,
    step_event,
    stream_names,
)


def rows_of(events: list[dict[str, Any]]) -> dict[str, OperatorRow]:
    return {row.name: row for row in profile_of(events).get(find_operators).rows}


def test_ancestors_of_a_chain() -> None:
    parent = np.array([-1, 0, 1, 2, -1], np.int32)
    wanted = np.array([True, False, False, True, False])
    assert nearest_ancestor(parent, wanted).tolist() == [-1, 0, 0, 0, -1]
    assert nearest_ancestor(parent, np.zeros(5, bool)).tolist() == [-1] * 5
    assert ancestor_count(parent).tolist() == [0, 1, 2, 3, 0]
    keys = np.array([7, 8, 7, 9, 7])
    assert is_outermost(keys, parent, np.arange(5)).tolist() == [True, True, False, True, True]


def test_the_longest_of_equals_is_the_first() -> None:
    slices = np.array([3, 5, 8])
    durations = np.array([10, 20, 20])
    assert longest_by(np.zeros(3, np.int64), slices, durations, 2).tolist() == [5, -1]


def test_self_time_is_without_operators_and_runtime_calls_inside() -> None:
    rows = rows_of(
        [
            slice_event("aten::linear", 0, 1000),
            slice_event("a python function", 100, 700, category="python_function"),
            slice_event("aten::addmm", 200, 500),
            launch_event(300, 100, 1),
            slice_event("aten::addmm", 2000, 300),
        ]
    )
    assert set(rows) == {"aten::linear", "aten::addmm"}
    assert (rows["aten::linear"].self_ns, rows["aten::linear"].total_ns, rows["aten::linear"].calls) == (500, 1000, 1)
    assert (rows["aten::addmm"].self_ns, rows["aten::addmm"].total_ns, rows["aten::addmm"].calls) == (700, 800, 2)


def test_a_recursive_call_counts_once_for_the_totals() -> None:
    rows = rows_of(
        [
            slice_event("aten::to", 0, 1000),
            slice_event("aten::copy", 100, 800),
            slice_event("aten::to", 200, 400),
        ]
    )
    assert (rows["aten::to"].calls, rows["aten::to"].self_ns, rows["aten::to"].total_ns) == (2, 600, 1000)


def gpu_events() -> list[dict[str, Any]]:
    return [
        *stream_names(0, 7),
        slice_event("aten::linear", 0, 1000, **{"External id": 1}),
        slice_event("aten::addmm", 100, 800, **{"External id": 2}),
        launch_event(200, 50, 11, **{"External id": 2}),
        launch_event(300, 50, 12, **{"External id": 2}),
        slice_event("aten::linear", 2000, 1000, **{"External id": 3}),
        launch_event(2100, 50, 13, **{"External id": 3}),
        kernel_event("ampere_fp16_s16816gemm_fp16_128x128", 5000, 400, 11),
        kernel_event("elementwise_kernel", 5400, 100, 12),
        kernel_event("elementwise_kernel", 6000, 30, 13),
        kernel_event("launched before the trace", 6100, 70, 99),
    ]


def test_device_time_follows_the_launches() -> None:
    rows = rows_of(gpu_events())
    linear, addmm = rows["aten::linear"], rows["aten::addmm"]
    assert (addmm.device_self_ns, addmm.device_total_ns) == (500, 500)
    assert (linear.device_self_ns, linear.device_total_ns) == (30, 530)
    assert addmm.tensor_cores is True
    assert linear.tensor_cores is False
    assert addmm.activity == 7  # KERNEL_16


def test_a_stale_external_id_does_not_move_a_kernel() -> None:
    rows = rows_of(
        [
            *stream_names(0, 7),
            slice_event("aten::view", 0, 100, **{"External id": 1}),
            slice_event("aten::copy_", 200, 500, **{"External id": 2}),
            launch_event(300, 50, 11, **{"External id": 1}),
            kernel_event("k", 5000, 400, 11, **{"External id": 1}),
        ]
    )
    assert (rows["aten::view"].device_self_ns, rows["aten::copy_"].device_self_ns) == (0, 400)


def test_the_external_id_names_the_operator_of_a_kernel_without_a_launch() -> None:
    rows = rows_of(
        [
            *stream_names(0, 7),
            slice_event("aten::mm", 0, 100, **{"External id": 1}),
            kernel_event("k", 5000, 400, 11, **{"External id": 1}),
        ]
    )
    assert rows["aten::mm"].device_self_ns == 400


def test_without_a_device_there_are_no_device_times() -> None:
    found = profile_of([slice_event("aten::mm", 0, 10)]).get(find_operators)
    assert found.total_device_ns is None
    assert (found.rows[0].device_self_ns, found.rows[0].device_total_ns, found.rows[0].tensor_cores) == (None,) * 3


def test_waiting_operators_and_collectives_of_the_host_are_operators() -> None:
    assert set(rows_of([slice_event("aten::_local_scalar_dense", 0, 10), slice_event("c10d::allreduce_", 20, 10)])) == {
        "aten::_local_scalar_dense",
        "c10d::allreduce_",
    }


def test_operators_are_grouped_by_the_shapes_of_their_inputs() -> None:
    found = profile_of(
        [
            slice_event("aten::mm", 0, 100, **{"Input Dims": [[8, 4], [4, 2]]}),
            slice_event("aten::mm", 200, 50, **{"Input Dims": [[8, 4], [4, 2]]}),
            slice_event("aten::mm", 300, 30, **{"Input dims": [[1, 4], [4, 2]]}),
            slice_event("aten::cat", 400, 20, **{"Input Dims": [[[8], [4]], []]}),
            slice_event("aten::cat", 500, 10),
        ]
    ).get(find_operators_by_shapes)
    assert found.group == "shapes"
    assert [(row.name, row.shapes, row.calls, row.total_ns) for row in found.rows] == [
        ("aten::mm", "[8, 4], [4, 2]", 2, 150),
        ("aten::mm", "[1, 4], [4, 2]", 1, 30),
        ("aten::cat", "[[8], [4]], []", 1, 20),
        ("aten::cat", "", 1, 10),
    ]


def test_many_inputs_are_cut() -> None:
    text = shapes_text(b"[" + b",".join([b"[64]"] * 500) + b"]")
    assert text.endswith("… (500 inputs)")
    assert len(text) < 330


def test_arguments_far_apart_are_read_in_blocks() -> None:
    start = np.array([0, 10, 200_000, 6_000_000], np.int64)
    size = np.array([5, 5, 5, 5], np.int64)
    assert list(blocks_of(start, size)) == [slice(0, 2), slice(2, 3), slice(3, 4)]
    near = np.arange(0, 6_000_000, 1000)
    found = list(blocks_of(near, np.full(len(near), 900)))
    assert [block.start for block in found] == [0, 4195]
    assert found[-1].stop == len(near)


def test_a_trace_without_operators() -> None:
    assert profile_of([]).get(find_operators).rows == []
    assert profile_of([slice_event("main", 0, 10, category="user_annotation")]).get(find_operators).rows == []


def test_functions_are_the_operators_of_plain_python() -> None:
    function = {"category": "python_function"}
    events = [
        step_event(0, 0, 100),
        slice_event("train.py(1): step", 0, 100, **function),
        slice_event("train.py(9): load", 10, 30, **function),
        slice_event("threading.py(3): wait", 0, 100, tid=9, **function),
    ]
    rows = profile_of(events).get(find_operators).rows
    assert {row.name: (row.self_ns, row.total_ns) for row in rows} == {
        "train.py(1): step": (70, 100),
        "train.py(9): load": (30, 30),
    }
