"""A server over one log directory with a synthetic profile, for the tests of Profile's routes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.plugin.columns import decode_columns
from seamark.profiles.testing_events import Event, kernel_event, launch_event, slice_event, step_event, stream_names
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store

Get = Callable[..., Any]
Columns = Callable[..., tuple[dict[str, Any], dict[str, list[float]]]]


def small_events() -> list[Event]:
    """Two steps of 1 µs: an operator with a launch in the first, its kernel of 500 ns on stream 7.

    The rows, as the device is the first track: 0 kernels; 1 steps; 2 operators; 3 launches.
    """
    return [
        step_event(1, 0, 1000),
        step_event(2, 1000, 1000),
        slice_event("aten::mm", 100, 400, **{"External id": 5}),
        launch_event(200, 50, 7, **{"External id": 5}),
        slice_event("aten::relu", 600, 100),
        slice_event("aten::mm", 1200, 300),
        kernel_event("gemm_fp16", 900, 500, 7, **{"External id": 5}),
        *stream_names(),
    ]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of the run `a` with the capture `small`."""
    folder = tmp_path / "runs" / "a"
    folder.mkdir(parents=True)
    (folder / "small.pt.trace.json").write_text(json.dumps({"traceEvents": small_events()}))
    return folder


@pytest.fixture
def client(run: Path, tmp_path: Path) -> Iterator[TestClient]:
    roots = [LogRoot("", run.parent)]
    with Store(roots, index_dir=tmp_path / "index", follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store, roots=roots), base_url="http://localhost")


@pytest.fixture
def get(client: TestClient) -> Get:
    """A response of a route for the capture `small`."""

    def send(route: str, **params: Any) -> Any:
        chosen = {"run": "a", "capture": "small", **params}
        return client.get(f"/api/dashboards/profile/{route}", params=chosen)

    return send


@pytest.fixture
def columns(get: Get) -> Columns:
    """The header and the columns of a route's response."""

    def send(route: str, **params: Any) -> tuple[dict[str, Any], dict[str, list[float]]]:
        response = get(route, **params)
        assert response.status_code == 200, response.text
        header, found = decode_columns(response.content)
        return header, {name: column.tolist() for name, column in found.items()}

    return send
