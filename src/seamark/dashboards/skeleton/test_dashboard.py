"""The routes of the dashboard, without a page."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark import SummaryWriter
from seamark.dashboards.skeleton.routes import endpoints
from seamark.plugin import Context, as_routes
from seamark.store import LogRoot, Store


def test_its_route_counts_the_points_of_a_tag(tmp_path: Path) -> None:
    for name, points in (("a", 3), ("b", 5)):
        with SummaryWriter(tmp_path / name) as writer:
            for step in range(points):
                writer.add_scalar("loss", 1.0, step)
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    store.start()
    try:
        assert store.wait_loaded(30)
        client = TestClient(Starlette(routes=as_routes(endpoints(Context(store)))))
        assert client.get("/counts?tag=loss").json() == {"a": 3, "b": 5}
        assert client.get("/counts?tag=none").json() == {}
        missing = client.get("/counts")
        assert missing.status_code == 400
        assert missing.json() == {"error": "missing parameter 'tag'", "code": "missing_parameter"}
    finally:
        store.close()
