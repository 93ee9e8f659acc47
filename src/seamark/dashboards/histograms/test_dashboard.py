"""The dashboard is found, and tells the rules of its hints."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.dashboards.histograms.dashboard import dashboard
from seamark.kinds.health import RULES
from seamark.plugin import Context, find_dashboards
from seamark.store import LogRoot, Store


def test_it_is_found_between_text_and_graphs() -> None:
    assert "histograms" in [found.name for found in find_dashboards() if found.dashboard is not None]
    assert dashboard.kinds == ("histograms",)


def test_the_rules_are_those_that_are_applied(tmp_path: Path) -> None:
    assert dashboard.routes is not None
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        client = TestClient(Starlette(routes=list(dashboard.routes(Context(store)))))
        told = client.get("/rules").json()
    assert [rule["name"] for rule in told] == [rule.name for rule in RULES]
    assert all(rule["title"] and rule["rule"] and rule["advice"] for rule in told)
