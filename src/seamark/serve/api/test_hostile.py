"""No request makes the server fail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from seamark.kinds import image, mesh, pr_curve
from seamark.kinds.summary import event_record
from seamark.plugin.columns import decode_columns
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

PATHS = ("runs", "tags", "problems", "last", "series", "payloads", "payload", "histograms", "state", "progress")
NAMES = (
    "tag", "run", "kind", "axis", "start", "stop", "width", "smoothing", "smoothing_mode", "visible", "attempts", "columns", "edges",
    "encoding", "index", "sample", "wall",
)  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(
        [
            "loss",
            "a",
            "scalars",
            "images",
            "step",
            "all",
            "compact",
            "0",
            "1",
            "-1",
            "nan",
            "inf",
            "1e308",
            "1e-308",
            "",
        ]
    ),
    st.integers().map(str),
    st.floats().map(str),
    st.text(max_size=20),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | st.sampled_from(["loss", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
QUIETLY = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    with EventFile(folder / "a") as file:
        for step in [*range(600), 3, 4]:
            file.add_scalar("loss", float("nan") if step % 7 == 0 else step, step)
    with Store([LogRoot("", folder)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store), base_url="http://localhost", raise_server_exceptions=False)


def is_an_answer(status: int) -> bool:
    return status in (200, 304, 400, 404, 409)


@QUIETLY
@given(path=st.sampled_from(PATHS), query=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5))
def test_any_query(client: TestClient, path: str, query: dict[str, str]) -> None:
    assert is_an_answer(client.get(f"/api/{path}", params={"tag": "loss", **query}).status_code)


@QUIETLY
@given(query=st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4))
def test_any_body_for_series(client: TestClient, query: dict[str, Any]) -> None:
    body = json.dumps({"tag": "loss", **query})
    assert is_an_answer(client.post("/api/series", content=body).status_code)


@QUIETLY
@given(change=st.dictionaries(st.sampled_from(["version", "runs", "pins", "views", "x"]), JSON, max_size=4))
def test_any_change_of_state(client: TestClient, change: dict[str, Any]) -> None:
    assert is_an_answer(client.patch("/api/state", content=json.dumps(change)).status_code)
    assert client.get("/api/state").status_code == 200


@QUIETLY
@given(body=st.binary(max_size=200))
def test_any_bytes(client: TestClient, body: bytes) -> None:
    assert is_an_answer(client.post("/api/series", content=body).status_code)
    assert is_an_answer(client.patch("/api/state", content=body).status_code)


@pytest.mark.parametrize("depth", [200, 900, 980, 5000, 100_000])
def test_bodies_that_are_nested_too_deeply(client: TestClient, depth: int) -> None:
    version = client.get("/api/state").json()["version"]
    deep = '{"a":' * depth + "1" + "}" * depth
    assert is_an_answer(client.patch("/api/state", content=f'{{"version":{version},"views":{deep}}}').status_code)
    assert is_an_answer(client.post("/api/series", content=deep).status_code)
    assert client.get("/api/state").status_code == 200


def test_an_empty_window_of_several_runs_is_compact_too(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with EventFile(tmp_path / name) as file:
            file.add_scalar("loss", 1.0, 1)
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        client = TestClient(create_app(store), base_url="http://localhost")
        window = {"tag": "loss", "start": 50, "stop": 60, "encoding": "compact"}
        header, columns = decode_columns(client.get("/api/series", params=window).content)
    assert header["runs"] == ["a", "b"] and len(columns["step"]) == 0


@pytest.mark.parametrize("wall", [float("nan"), float("inf")])
def test_a_non_finite_wall_time_is_sent_as_text(tmp_path: Path, wall: float) -> None:
    summaries = {
        "images": image.encode("x", np.zeros((2, 2, 3), np.uint8)),
        "pr_curves": pr_curve.encode("p", np.array([True, False]), np.array([0.9, 0.1])),
        "mesh": mesh.encode("m", np.zeros((1, 3, 3), np.float32)),
    }
    with EventFile(tmp_path / "a") as file:
        for summary in summaries.values():
            file.append(event_record(summary, step=1, wall_time=wall))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        client = TestClient(create_app(store), base_url="http://localhost")
        word = "NaN" if wall != wall else "Infinity"
        for path in ("images/series?run=a&tag=x", "pr_curves/steps?run=a&tag=p", "mesh/meshes"):
            answer = client.get(f"/api/dashboards/{path}")
            assert answer.status_code == 200 and word in answer.text, path


@pytest.mark.parametrize(
    "path",
    [
        "audio/clips?run=a&tag=x&index={}",
        "text/entry?run=a&tag=x&index={}",
        "mesh/part?run=a&tag=x&index={}",
        "pr_curves/curves?run=a&tag=x&index={}",
        "images/step?run=a&tag=x&index={}&wall=1",
    ],
)
@pytest.mark.parametrize("index", ["9" * 5000, "²", "-1", "1.5"])
def test_an_invalid_index_is_an_error(client: TestClient, path: str, index: str) -> None:
    answer = client.get(f"/api/dashboards/{path.format(index)}")
    assert answer.status_code in (400, 404) and len(answer.text) < 6000


def test_a_body_that_is_too_long_is_not_read(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(32):
            yield b" " * (1 << 20)

    for path, status in (("dashboards/images/zip", 413), ("dashboards/custom_scalars/match", 413), ("series", 413)):
        answer = client.post(f"/api/{path}", content=endless())
        assert answer.status_code == status and "longer than" in answer.text
    deep = '{"tags":' * 100_000
    assert client.post("/api/dashboards/images/zip", content=deep).status_code == 400
