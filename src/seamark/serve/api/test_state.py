"""/api/state validates a change before it is merged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.serve.state import texts
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


def test_a_long_text_is_found_by_its_id(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    text = ",".join(str(row) for row in range(0, 100_000, 3))
    saved = client.post("/api/state/texts", json={"text": text})
    id = saved.json()["id"]
    assert len(id) == 16
    assert client.get("/api/state/texts", params={"id": id}).json() == {"text": text}
    assert client.post("/api/state/texts", json={"text": text}).json()["id"] == id
    missing = client.get("/api/state/texts", params={"id": "0" * 16})
    assert missing.status_code == 404 and "no saved text" in missing.json()["error"]
    monkeypatch.setattr(texts, "MAX_TEXT_BYTES", 10)
    assert client.post("/api/state/texts", json={"text": "x" * 11}).status_code == 413


def test_the_texts_that_were_saved_first_are_removed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_TOTAL_BYTES", 60)
    ids = [client.post("/api/state/texts", json={"text": f"text {number}"}).json()["id"] for number in range(6)]
    found = [client.get("/api/state/texts", params={"id": id}).status_code for id in ids]
    assert found[0] == 404 and found[-1] == 200 and found == sorted(found, reverse=True)
