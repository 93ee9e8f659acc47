"""Whatever is asked, the answer is an answer: no question makes the server fail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.event_file import EventFile

PATHS = ("runs", "tags", "problems", "last", "series", "payloads", "payload", "histograms", "state", "progress")
NAMES = (
    "tag", "run", "kind", "axis", "start", "stop", "width", "smoothing", "attempts", "columns", "edges", "encoding", "index",
    "sample", "wall",
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
def test_any_address(client: TestClient, path: str, query: dict[str, str]) -> None:
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
def test_what_is_nested_too_deeply(client: TestClient, depth: int) -> None:
    version = client.get("/api/state").json()["version"]
    deep = '{"a":' * depth + "1" + "}" * depth
    assert is_an_answer(client.patch("/api/state", content=f'{{"version":{version},"views":{deep}}}').status_code)
    assert is_an_answer(client.post("/api/series", content=deep).status_code)
    assert client.get("/api/state").status_code == 200
