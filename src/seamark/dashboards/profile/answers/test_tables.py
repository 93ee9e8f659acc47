from __future__ import annotations

import csv
import io

from seamark.dashboards.profile.answers.tables import TABLES, rows_of, table_csv, write_csv
from seamark.profiles.results import RankRow
from seamark.profiles.testing_events import kernel_event, launch_event, profile_of, slice_event, stream_names

PROFILE = profile_of(
    [
        *stream_names(0, 7),
        slice_event("nn.Module: Net_0", 0, 1000, category="python_function"),
        slice_event("nn.Module: Linear_0", 10, 900, category="python_function"),
        slice_event('aten::"mm", tricky', 100, 200),
        launch_event(110, 10, 1),
        kernel_event("ampere_s16816gemm", 5000, 700, 1, **{"registers per thread": 64}),
    ]
)


def read(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table_csv(PROFILE, table))))


def test_operators_have_units_in_the_names_of_columns() -> None:
    (row,) = read("operators")
    assert row == {
        "name": 'aten::"mm", tricky',
        "activity": "kernel_16",
        "calls": "1",
        "self_ns": "190",
        "total_ns": "200",
        "device_self_ns": "700",
        "device_total_ns": "700",
        "tensor_cores": "yes",
        "shapes": "",
    }


def test_what_the_trace_cannot_give_is_empty() -> None:
    (row,) = read("kernels")
    assert (row["registers"], row["occupancy"], row["operator"]) == ("64", "", 'aten::"mm", tricky')


def test_trees_have_the_path_of_each_row() -> None:
    assert [(row["level"], row["path"], row["device_ns"]) for row in read("modules")] == [
        ("0", "Net_0", "700"),
        ("1", "Net_0 > Linear_0", "700"),
    ]
    assert [row["level"] for row in read("call_tree")] == ["0", "1", "2", "3"]


def test_a_name_is_no_formula_of_a_spreadsheet() -> None:
    text = table_csv(profile_of([slice_event("=1+1", 0, 10)]), "operators")
    assert "'=1+1" in text


def test_every_table_of_an_empty_trace_is_empty() -> None:
    empty = profile_of([])
    assert {table: table_csv(empty, table) for table in TABLES} == dict.fromkeys(TABLES, "")


def test_ranks_are_a_table_too() -> None:
    times = ("step_ns", "compute_ns", "communication_ns", "overlap_ns", "exposed_ns", "wait_ns", "idle_ns")
    shares = {"awaited_share": 0.5, "clock_offset_ns": 5}
    rank = RankRow(host="rank 0", capture_host="", steps=2, is_straggler=True, **shares, **dict.fromkeys(times, 5))
    header, line = write_csv(rows_of([rank])).splitlines()
    assert header.startswith("host,capture_host,steps,step_ns")
    assert line.endswith(",yes")
