"""Findings of captures with several ranks: which ranks are read for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.dashboards.profile import service
from seamark.dashboards.profile.conftest import Get, small_events


@pytest.fixture
def ranks(run: Path) -> None:
    for rank in range(3):
        text = json.dumps({"traceEvents": small_events(), "distributedInfo": {"rank": rank, "world_size": 3}})
        (run / f"rank{rank}.pt.trace.json").write_text(text)


@pytest.mark.usefixtures("ranks")
def test_large_ranks_are_read_when_they_are_asked_for(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_BYTES_OF_RANKS", 10)
    capture = {"capture": "rank0", "host": "rank 1"}
    first = get("findings", **capture).json()
    assert (first["unread_ranks"], first["unread_bytes"] > 1000) == (2, True)
    assert any("only one rank was read" in reason for reason in first["skipped"])
    everything = get("findings", **capture, all_ranks="true").json()
    assert everything["unread_ranks"] == 0
    assert not any("only one rank" in reason for reason in everything["skipped"])
    # What was read once takes no time.
    assert get("findings", **capture).json() == everything


@pytest.mark.usefixtures("ranks")
def test_small_ranks_are_all_read(get: Get) -> None:
    found = get("findings", capture="rank0", host="rank 0").json()
    assert found["unread_ranks"] == 0
    assert not any("only one rank" in reason for reason in found["skipped"])


def test_the_page_shows_what_the_rules_look_for(client: TestClient) -> None:
    rules = client.get("/api/dashboards/profile/rules").json()["rules"]
    assert rules[0]["code"] == "input_bound" and "DataLoader" in rules[0]["looks_for"]
