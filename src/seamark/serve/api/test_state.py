"""/api/state validates a change before it is merged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    with TestClient(create_app(store), base_url="http://localhost") as client:
        yield client


def test_null_removes_a_field_and_a_field_that_is_not_named_stays(client: TestClient) -> None:
    client.patch("/api/state", json={"version": 0, "runs": {"a": {"label": "base", "star": True, "tags": ["x"]}}})
    changed = client.patch("/api/state", json={"version": 1, "runs": {"a": {"star": None}}, "pins": [1]}).json()
    assert changed["runs"] == {"a": {"label": "base", "tags": ["x"]}} and changed["pins"] == [1]
    assert client.patch("/api/state", json={"version": 2, "runs": {"a": None}}).json()["runs"] == {}
    assert client.get("/api/state").json()["version"] == 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"nonsense": 1}, "unknown parameter 'nonsense'"),
        ({"pins": {}}, "pins must be a list"),
        ({"runs": []}, "runs must be an object"),
        ({"dashboards": []}, "dashboards must be an object"),
        ({"runs": {"a": 1}}, "runs[…] must be an object"),
        ({"runs": {"a": {"color": "red"}}}, "unknown parameter 'runs[…].color', want one of label, star"),
        ({"runs": {"a": {"star": "yes"}}}, "runs[…].star must be true or false"),
        ({"runs": {"a": {"tags": ["x"] * 201}}}, "runs[…].tags must be a list of at most 200 strings"),
        ({"runs": {"a": {"tags": [""]}}}, "runs[…].tags[0] must be text of 1 to 200 characters"),
        ({"version": True}, "version must be a whole number, got True"),
        ({"version": None}, "version must be a whole number"),
    ],
)
def test_a_wrong_change_is_an_error(client: TestClient, change: dict[str, Any], reason: str) -> None:
    answer = client.patch("/api/state", json={"version": 0, **change})
    assert answer.status_code == 400 and answer.json()["error"].startswith(reason)
    assert client.get("/api/state").json()["version"] == 0
    assert client.patch("/api/state", json={}).json()["error"] == "missing parameter 'version'"
