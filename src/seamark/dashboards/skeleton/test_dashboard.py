"""The skeleton works, and stays out of the way: it is there to be copied."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.dashboards.skeleton.dashboard import dashboard
from seamark.plugin import Context, find_dashboards
from seamark.store import LogRoot, Store
from seamark.write.event_file import EventFile


def test_its_route_counts_the_points_of_a_tag(tmp_path: Path) -> None:
    for name, points in (("a", 3), ("b", 5)):
        with EventFile(tmp_path / name) as file:
            for step in range(points):
                file.add_scalar("loss", 1.0, step)
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
    store.start()
    try:
        assert store.wait_loaded(10)
        assert dashboard.routes is not None
        client = TestClient(Starlette(routes=list(dashboard.routes(Context(store)))))
        assert client.get("/counts?tag=loss").json() == {"a": 3, "b": 5}
        assert client.get("/counts?tag=none").json() == {}
    finally:
        store.close()


def test_it_is_a_template_and_no_tab() -> None:
    assert "skeleton" not in [found.name for found in find_dashboards()]
