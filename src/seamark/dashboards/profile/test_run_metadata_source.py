"""Run metadata in event files is offered as a capture if it has times."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark import _core
from seamark.format.messages import DeviceStepStats, NodeExecStats, RunMetadata, StepStats
from seamark.kinds.event import run_metadata_event
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


def run_metadata(nodes: int) -> bytes:
    stats = [
        NodeExecStats(node_name=f"layer_{number}/MatMul", all_start_micros=1_000 + 10 * number, all_end_rel_micros=7)
        for number in range(nodes)
    ]
    device = DeviceStepStats(device="/job:localhost/replica:0/task:0/device:CPU:0", node_stats=stats)
    return RunMetadata(step_stats=StepStats(dev_stats=[device])).SerializeToString()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    logs = tmp_path / "logs"
    for run, nodes in (("timed", 5), ("untimed", 0)):
        with EventFile(logs / run, wall_time=1000.0) as file:
            file.append(_core.frame(run_metadata_event("step_50", run_metadata(nodes), wall_time=1000.0)))
    roots = [LogRoot("", logs)]
    with Store(roots, index_dir=tmp_path / "index", follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store, roots=roots), base_url="http://localhost")


def test_run_metadata_with_times_is_a_capture(client: TestClient) -> None:
    captures = client.get("/api/dashboards/profile/captures").json()["captures"]
    assert [(capture["run"], capture["name"]) for capture in captures] == [("timed", "step_50")]
    info = client.get("/api/dashboards/profile/info", params={"run": "timed", "capture": "step_50"}).json()
    assert (info["slices"], info["end_ns"]) == (5, 47_000)


def test_a_log_directory_of_run_metadata_has_profiles(client: TestClient) -> None:
    assert client.get("/api/dashboards/profile/has_data").json() == {"has_data": True}
