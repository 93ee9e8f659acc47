"""The routes of the Trace page, on a small trace whose numbers are known: see small_events in conftest.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seamark.dashboards.profile.conftest import Columns, Get
from seamark.profiles.testing_events import slice_event
from seamark.profiles.trace_page import chrome_export

# Slices by row and then by start.
KERNEL, STEP_1, STEP_2, MM, RELU, SECOND_MM, LAUNCH = range(7)


def test_a_window_has_the_slices_between_two_times(columns: Columns) -> None:
    header, found = columns("window", start=0, end=2000, width=2000)
    assert header["total"] == 7
    assert found["slice"] == [KERNEL, STEP_1, STEP_2, MM, RELU, SECOND_MM, LAUNCH]
    assert found["row"] == [0, 1, 1, 2, 2, 2, 3]
    assert found["start"] == [900, 0, 1000, 100, 600, 1200, 200]
    assert found["count"] == [1] * 7
    _, found = columns("window", start=1400, end=1450, width=10)
    assert found["slice"] == [STEP_2, SECOND_MM]


def test_a_window_merges_what_is_narrower_than_a_pixel(columns: Columns) -> None:
    _, found = columns("window", start=0, end=100_000, width=10, rows="2-3")
    assert found["slice"] == [MM, LAUNCH]
    assert found["count"] == [3, 1]
    assert (found["start"][0], found["duration"][0]) == (100, 1400)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"start": 5, "end": 5}, "the window must end after it starts: got 5 to 5 ns"),
        ({"rows": "3-9"}, "there are no rows 3-9: the trace has 4"),
        ({"rows": "2-1"}, "there are no rows 2-1: the trace has 4"),
        ({"rows": "1,x"}, "rows must be like 0-12,40: got 'x'"),
        ({"rows": "-1"}, "rows must be like 0-12,40: got '-1'"),
        ({"width": 0}, "width"),
        ({"width": 1_000_000}, "width"),
        ({"end": 2**62}, "end"),
    ],
)
def test_a_window_rejects_bad_parameters_with_a_sentence(get: Get, params: dict[str, object], message: str) -> None:
    response = get("window", **({"start": 0, "end": 2000, "width": 100} | params))
    assert response.status_code == 400
    assert message in response.json()["error"]


def test_a_window_far_outside_of_the_trace_is_empty(columns: Columns) -> None:
    _, found = columns("window", start=-(2**53), end=-5, width=16_384)
    assert found["slice"] == []
    _, found = columns("window", start=-(2**53), end=2**53, width=16_384)
    assert sum(found["count"]) == 7


def test_a_window_of_decades_has_every_slice(columns: Columns) -> None:
    for width in (1, 1000):
        _, found = columns("window", start=-(2**60), end=2**61, width=width)
        assert sum(found["count"]) == 7


def test_names_are_texts_of_ids(get: Get, columns: Columns) -> None:
    _, found = columns("window", start=0, end=2000, width=2000)
    ids = ",".join(str(id) for id in found["name"])
    assert get("names", ids=ids).json()["names"] == [
        "gemm_fp16", "ProfilerStep#1", "ProfilerStep#2", "aten::mm", "aten::relu", "aten::mm", "cudaLaunchKernel",
    ]  # fmt: skip
    assert get("names", ids="99").status_code == 404
    assert get("names", ids="1,-2").status_code == 400


def test_search_finds_slices_by_text_in_order_of_time(columns: Columns) -> None:
    header, found = columns("search", text="ATEN::")
    assert header == {"total": 3, "longest": MM}
    assert found == {
        "slice": [MM, RELU, SECOND_MM],
        "row": [2, 2, 2],
        "start": [100, 600, 1200],
        "duration": [400, 100, 300],
    }
    header, found = columns("search", text="aten", limit=1)
    assert (header["total"], found["slice"]) == (3, [MM])
    assert columns("search", text="")[0]["total"] == 0


def test_search_takes_regular_expressions(columns: Columns, get: Get) -> None:
    assert columns("search", text="mm$|^gemm", is_regex=True)[1]["slice"] == [MM, KERNEL, SECOND_MM]
    assert columns("search", text="mm$|^gemm")[0]["total"] == 0
    response = get("search", text="(", is_regex=True)
    assert response.status_code == 400
    assert "not a regular expression" in response.json()["error"]


def test_near_slices(get: Get) -> None:
    def near(slice: int, direction: str) -> int:
        return int(get("near", slice=slice, direction=direction).json()["slice"])

    assert (near(MM, "next"), near(RELU, "previous"), near(SECOND_MM, "next")) == (RELU, MM, -1)
    assert (near(MM, "parent"), near(STEP_1, "parent")) == (STEP_1, -1)
    assert (near(STEP_1, "child"), near(MM, "child"), near(RELU, "child")) == (MM, LAUNCH, -1)
    assert get("near", slice=7, direction="next").status_code == 404
    assert get("near", slice=0, direction="sideways").status_code == 400


def test_details_of_a_kernel_link_its_launch_and_operator(get: Get) -> None:
    found = get("slice", slice=KERNEL).json()
    assert (found["name"], found["category"], found["row"], found["self_ns"]) == ("gemm_fp16", "kernel", 0, 500)
    assert found["stack"] == ["ProfilerStep#1", "aten::mm", "cudaLaunchKernel"]
    assert found["step"] == "ProfilerStep#1"
    links = [(link["relation"], link["slice"]) for link in found["links"]]
    assert links == [("launched by", LAUNCH), ("operator", MM)]


def test_details_of_an_operator(get: Get) -> None:
    found = get("slice", slice=MM).json()
    assert (found["same_name"], found["parent"], found["depth"], found["self_ns"]) == (2, STEP_1, 1, 350)
    assert [(link["relation"], link["slice"]) for link in found["links"]] == [("launches", KERNEL)]
    assert get("slice", slice=700).status_code == 404


def test_details_have_the_arguments_of_the_file(get: Get) -> None:
    arguments = {argument["name"]: argument["value"] for argument in get("slice", slice=KERNEL).json()["arguments"]}
    assert arguments == {"External id": "5", "correlation": "7", "device": "0", "stream": "7"}
    assert get("slice", slice=STEP_1).json()["arguments"] == []


def test_a_long_argument_is_cut(get: Get, run: Path) -> None:
    event = slice_event("a", 0, 1000, text="x" * 50_000, shape=[2, 3])
    (run / "long.json").write_text(json.dumps([event]))
    arguments = {each["name"]: each["value"] for each in get("slice", capture="long", slice=0).json()["arguments"]}
    assert arguments == {"text": "x" * 20_000 + "…", "shape": "[2, 3]"}


def test_arrows_lead_from_launches_to_kernels(columns: Columns) -> None:
    expected = {
        "from": [LAUNCH], "to": [KERNEL], "from_row": [3], "to_row": [0], "from_time": [250], "to_time": [900],
    }  # fmt: skip
    assert columns("flows", slice=KERNEL)[1] == expected
    assert columns("flows", slice=LAUNCH)[1] == expected
    assert columns("flows", slice=RELU)[1]["from"] == []


def test_an_area_sums_what_is_inside(get: Get) -> None:
    area = get("area", start=300, end=1300).json()
    rows = {row["name"]: (row["count"], row["total_ns"], row["self_ns"]) for row in area["rows"]}
    assert rows == {
        "ProfilerStep#1": (1, 700, 400),
        "ProfilerStep#2": (1, 300, 200),
        "gemm_fp16": (1, 400, 400),
        "aten::mm": (2, 300, 300),
        "aten::relu": (1, 100, 100),
    }
    assert (area["total_ns"], area["count"], area["tracks"]) == (1400, 6, 2)
    assert area["overlaps"]
    assert area["device_idle_ns"] == 600


def test_an_area_of_some_tracks_by_activity_and_by_track(get: Get) -> None:
    host = get("area", start=0, end=2000, tracks="1", by="activity").json()
    assert [row["name"] for row in host["rows"]] == ["step", "host_op", "runtime"]
    assert host["device_idle_ns"] is None
    assert not host["overlaps"]
    tracks = get("area", start=0, end=2000, by="track").json()["rows"]
    assert [(row["track"], row["self_ns"]) for row in tracks] == [(1, 2000), (0, 500)]
    assert get("area", start=0, end=2000, tracks="2").status_code == 404
    assert get("area", start=9, end=2).status_code == 400


def test_a_flame_graph_is_a_tree_of_names(get: Get) -> None:
    tree = get("flame", start=0, end=1000, tracks="1").json()
    nodes = [(node["name"], node["parent"], node["calls"], node["total_ns"], node["self_ns"]) for node in tree["nodes"]]
    assert nodes == [
        ("ProfilerStep#1", -1, 1, 1000, 500),
        ("aten::mm", 0, 1, 400, 350),
        ("cudaLaunchKernel", 1, 1, 50, 50),
        ("aten::relu", 0, 1, 100, 100),
    ]
    assert not tree["is_cut"]


def test_an_export_is_a_chrome_trace_that_opens_again(get: Get, columns: Columns, run: Path) -> None:
    content = get("export", start=50, end=800).content
    document = json.loads(content)
    slices = [event for event in document["traceEvents"] if event["ph"] == "X"]
    assert {event["name"] for event in slices} == {"ProfilerStep#1", "aten::mm", "cudaLaunchKernel", "aten::relu"}
    operator = next(event for event in slices if event["name"] == "aten::mm")
    assert (operator["ts"], operator["args"]) == (0.1, {"External id": 5})
    names = {event["args"]["name"] for event in document["traceEvents"] if event["name"] == "thread_name"}
    assert names == {"stream 7", "thread 100"}
    (run / "exported.json").write_bytes(content)
    _, again = columns("window", capture="exported", start=0, end=2000, width=2000)
    assert again["duration"] == [1000, 400, 100, 50]


def test_a_large_export_is_rejected_with_a_sentence(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chrome_export, "MAX_SLICES", 3)
    response = get("export", start=0, end=2000)
    assert response.status_code == 413
    assert "select a smaller area" in response.json()["error"]


def test_a_profile_that_is_not_there_is_not_found(get: Get, run: Path) -> None:
    response = get("window", capture="other", start=0, end=1)
    assert response.status_code == 404
