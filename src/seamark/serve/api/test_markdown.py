"""Notes become safe HTML."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.serve.api.markdown import MAX_CHARACTERS
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    return TestClient(create_app(store), base_url="http://localhost")


def test_a_note_becomes_safe_html(client: TestClient) -> None:
    note = (
        "# Sweep\n\n**best** of `3`\n\n<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))"
    )
    html = client.post("/api/markdown", json={"text": note}).json()["html"]
    assert "<h1>Sweep</h1>" in html
    assert "<strong>best</strong>" in html
    assert "<script" not in html
    assert "onerror=" not in html.replace("&quot;", "").split("<img")[-1].split(">")[0]
    assert 'href="javascript:' not in html


@pytest.mark.parametrize("body", [{}, {"text": 3}, {"text": "x", "more": 1}, {"text": "x" * (MAX_CHARACTERS + 1)}])
def test_a_wrong_body_is_an_error(client: TestClient, body: dict[str, object]) -> None:
    answer = client.post("/api/markdown", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]
