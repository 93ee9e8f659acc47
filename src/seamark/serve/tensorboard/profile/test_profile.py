"""The routes of the profile plugin, on two captures of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.profiles.testing_events import kernel_event, launch_event, slice_event, step_event, stream_names
from seamark.serve.app import create_app
from seamark.serve.tensorboard.profile import trace_viewer
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

EVENTS = [
    step_event(1, 0, 1_000_000),
    step_event(2, 1_000_000, 1_000_000),
    slice_event("aten::mm", 100_000, 400_000, **{"External id": 5}),
    launch_event(200_000, 50_000, 7, **{"External id": 5}),
    kernel_event("gemm_fp16", 300_000, 500_000, 7, **{"External id": 5}),
    *stream_names(),
]
CAPTURES = ("2026_11_14_14_31_08", "2026_11_15_09_00_00")


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    run = tmp_path / "runs" / "a"
    with EventFile(run) as file:
        file.add_scalar("loss", 1.0, 0)
    return tmp_path / "runs"


@pytest.fixture
def client(logdir: Path, tmp_path: Path) -> Iterator[TestClient]:
    roots = [LogRoot("", logdir)]
    with Store(roots, index_dir=tmp_path / "index", follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store, roots=roots), base_url="http://localhost")


def write_captures(run: Path) -> None:
    for capture in CAPTURES:
        for host in ("one", "two"):
            folder = run / "plugins" / "profile" / capture
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{host}.trace.json").write_text(json.dumps({"traceEvents": EVENTS}))


def get(client: TestClient, route: str, **params: Any) -> Any:
    response = client.get(f"/data/plugin/profile/{route}", params=params)
    assert response.status_code == 200, response.text
    return response.json()


def test_runs_tools_and_hosts(client: TestClient, logdir: Path) -> None:
    write_captures(logdir / "a")
    names = [f"a/{CAPTURES[1]}", f"a/{CAPTURES[0]}"]
    assert get(client, "runs") == names
    tools = get(client, "run_tools", run=names[0])
    assert tools == ["trace_viewer@", "overview_page", "framework_op_stats", "kernel_stats"]
    assert get(client, "tools") == dict.fromkeys(names, tools)
    assert get(client, "hosts", run=names[0], tag="trace_viewer@") == [{"hostname": "one"}, {"hostname": "two"}]
    assert get(client, "hosts", run=names[0], tag="overview_page") == [{"hostname": "ALL_HOSTS"}]


def test_a_capture_of_the_log_directory_has_no_run_in_its_name(client: TestClient, logdir: Path) -> None:
    write_captures(logdir)
    assert get(client, "runs") == [CAPTURES[1], CAPTURES[0]]
    assert len(get(client, "hosts", run=CAPTURES[0])) == 2


def test_the_trace_viewer_gets_chrome_events(client: TestClient, logdir: Path) -> None:
    write_captures(logdir / "a")
    data = get(client, "data", run=f"a/{CAPTURES[0]}", tag="trace_viewer@", host="two")
    events = {event["name"]: event for event in data["traceEvents"] if event["ph"] == "X"}
    assert events.keys() == {"ProfilerStep#1", "ProfilerStep#2", "aten::mm", "cudaLaunchKernel", "gemm_fp16"}
    assert (events["aten::mm"]["ts"], events["aten::mm"]["dur"]) == (100, 400)
    assert data["fullTimespan"] == [0, 2]
    assert data["returnedEventsSize"] == 5
    assert all(isinstance(event["pid"], int) for event in data["traceEvents"])


def test_the_trace_viewer_gets_a_window(client: TestClient, logdir: Path) -> None:
    write_captures(logdir / "a")
    window = {"start_time_ms": 1.2, "end_time_ms": 1.5, "resolution": 100}
    data = get(client, "data", run=f"a/{CAPTURES[0]}", tag="trace_viewer@", hosts="one", **window)
    assert [event["name"] for event in data["traceEvents"] if event["ph"] == "X"] == ["ProfilerStep#2"]
    bad = client.get(
        "/data/plugin/profile/data", params={"run": f"a/{CAPTURES[0]}", "tag": "trace_viewer@", "resolution": -1}
    )
    assert bad.status_code == 400


def test_the_trace_viewer_gets_the_longest_of_many_slices(
    client: TestClient, logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_viewer, "MAX_EVENTS", 4)
    write_captures(logdir / "a")
    data = get(client, "data", run=f"a/{CAPTURES[0]}", tag="trace_viewer", host="one")
    assert data["filteredByVisibility"]
    names = [event["name"] for event in data["traceEvents"] if event["ph"] == "X"]
    assert len(names) == data["returnedEventsSize"] == 4
    assert "aten::mm" in names


def test_the_overview_has_a_table_of_steps(client: TestClient, logdir: Path) -> None:
    write_captures(logdir / "a")
    tables = get(client, "data", run=f"a/{CAPTURES[0]}", tag="overview_page", host="ALL_HOSTS")
    steps = tables[1]
    at = [column["id"] for column in steps["cols"]].index("stepTimeMs")
    assert [row["c"][at]["v"] for row in steps["rows"]] == [1.0, 1.0]
    assert steps["p"]["steptime_ms_average"] == "1.0"
    for row in steps["rows"]:
        assert sum(cell["v"] for cell in row["c"][1:10]) == pytest.approx(row["c"][at]["v"])


@pytest.mark.parametrize("tag", ["framework_op_stats", "kernel_stats"])
def test_other_tables_have_as_many_cells_as_columns(client: TestClient, logdir: Path, tag: str) -> None:
    write_captures(logdir / "a")
    data = get(client, "data", run=f"a/{CAPTURES[0]}", tag=tag, host="one")
    for table in data if isinstance(data, list) else [data]:
        assert table["rows"]
        assert all(len(row["c"]) == len(table["cols"]) for row in table["rows"])


def test_operators_are_in_order_of_their_self_time(client: TestClient, logdir: Path) -> None:
    write_captures(logdir / "a")
    table = get(client, "data", run=f"a/{CAPTURES[0]}", tag="framework_op_stats", host="one")[0]
    cells = table["rows"][0]["c"]
    row = {column["id"]: cell["v"] for column, cell in zip(table["cols"], cells, strict=True)}
    assert (row["operation"], row["total_time"], row["host_total_self_time_percent"]) == ("aten::mm", 400, 1)
    assert row["device_total_self_time_percent"] == 1


def test_what_is_not_there_is_not_found(client: TestClient, logdir: Path) -> None:
    write_captures(logdir / "a")
    run = f"a/{CAPTURES[0]}"
    for params in ({"run": "a/other", "tag": "trace_viewer"}, {"run": run, "tag": "memory_viewer"},
                   {"run": run, "tag": "trace_viewer", "host": "three"}):  # fmt: skip
        response = client.get("/data/plugin/profile/data", params=params)
        assert response.status_code == 404
        assert response.json()["error"]


def test_the_plugin_is_listed_when_there_is_a_profile(client: TestClient, logdir: Path) -> None:
    assert "profile" not in client.get("/data/plugins_listing").json()
    write_captures(logdir / "a")
    listing = client.get("/data/plugins_listing").json()
    assert listing["profile"]["enabled"]
    assert listing["profile"]["loading_mechanism"]["module_path"] == "/data/plugin/profile/index.js"
    assert not listing["profile_redirect"]["enabled"]
    assert get(client, "config")["hideCaptureProfileButton"] is True
    assert client.get("/data/plugin/profile/version").text
