"""A server over one log directory, for the tests of What-If."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.dashboards.projector.conftest import client as client
from seamark.dashboards.projector.conftest import run as run

Send = Callable[..., Any]
ROUTES = "/api/dashboards/whatif"


@pytest.fixture
def get(client: TestClient) -> Send:
    def send(route: str, **params: Any) -> Any:
        return client.get(f"{ROUTES}/{route}", params=params)

    return send


@pytest.fixture
def post(client: TestClient) -> Send:
    def send(route: str, **body: Any) -> Any:
        return client.post(f"{ROUTES}/{route}", json=body)

    return send
