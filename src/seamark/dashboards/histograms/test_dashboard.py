"""The dashboard is found, and lists the rules behind its hints."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.dashboards.histograms.dashboard import dashboard
from seamark.dashboards.histograms.routes import endpoints
from seamark.kinds.statistics.health import RULES
from seamark.plugin import Context, as_routes, find_dashboards
from seamark.store import LogRoot, Store


def test_it_is_found_by_its_folder() -> None:
    assert "histograms" in [found.name for found in find_dashboards() if found.dashboard is not None]
    assert dashboard.kinds == ("histograms",)


def test_it_lists_the_rules_that_are_applied(tmp_path: Path) -> None:
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        client = TestClient(Starlette(routes=as_routes(endpoints(Context(store)))))
        listed = client.get("/rules").json()
    assert [rule["name"] for rule in listed] == [rule.name for rule in RULES]
    assert all(rule["title"] and rule["rule"] and rule["advice"] for rule in listed)
