"""A server over one log directory, for the tests of the Projector."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

Get = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of the run `a`."""
    folder = tmp_path / "runs" / "a"
    with EventFile(folder) as file:
        file.add_scalar("loss", 1.0, 0)
    return folder


@pytest.fixture
def client(run: Path, tmp_path: Path) -> Iterator[TestClient]:
    roots = [LogRoot("", run.parent)]
    with Store(roots, index_dir=tmp_path / "index", follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store, roots=roots), base_url="http://localhost")


@pytest.fixture
def get(client: TestClient) -> Get:
    def send(route: str, **params: str) -> Any:
        return client.get(f"/api/dashboards/projector/{route}", params=params)

    return send
