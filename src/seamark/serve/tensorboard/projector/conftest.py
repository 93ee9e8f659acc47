"""A server over one log directory, for the tests of the projector."""

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
def logdir(tmp_path: Path) -> Path:
    for run in ("a", "b/deep"):
        with EventFile(tmp_path / "runs" / run) as file:
            file.add_scalar("loss", 1.0, 0)
    return tmp_path / "runs"


@pytest.fixture
def client(logdir: Path) -> Iterator[TestClient]:
    roots = [LogRoot("", logdir)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store, roots=roots), base_url="http://localhost")


@pytest.fixture
def get(client: TestClient) -> Get:
    """Sends a request to one of the projector's routes."""

    def send(route: str, **params: str) -> Any:
        return client.get(f"/data/plugin/projector/{route}", params=params)

    return send
