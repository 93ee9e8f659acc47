"""Dashboards bring routes; one that cannot make its own is told, and the server starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.testclient import TestClient

from seamark.plugin import Context, Dashboard, Found
from seamark.serve.dashboards import Dashboards, listing, mount
from seamark.store import Store


def context() -> Context:
    return Context(Store([], index_dir=None))


def test_the_list_tells_name_title_kinds_and_view() -> None:
    client = TestClient(Starlette(routes=Dashboards(Store([], index_dir=None), []).routes()))
    listed = {entry["name"]: entry for entry in client.get("/dashboards").json()}
    assert listed["scalars"] == {
        "name": "scalars", "title": "Scalars", "order": 20, "kinds": ["scalars"], "module": None,
    }  # fmt: skip
    assert "skeleton" not in listed


def test_a_third_partys_module_is_served_as_it_is(tmp_path: Path) -> None:
    view = tmp_path / "view.js"
    view.write_text("export default {}")
    found = Found("mine", "my-package", Dashboard(name="mine", title="Mine", module=view))
    _, route = mount(found, context())
    assert route is not None
    answer = TestClient(Starlette(routes=[route])).get("/mine/module.js")
    assert (answer.text, answer.headers["content-type"].split(";")[0]) == ("export default {}", "text/javascript")
    assert listing(found)["module"] == "api/dashboards/mine/module.js"


def test_a_dashboard_may_say_itself_whether_it_has_anything_to_show() -> None:
    asked: list[Context] = []
    found = Found("mine", "my-package", Dashboard(name="mine", title="Mine", has_data=lambda c: not asked.append(c)))
    given = context()
    _, route = mount(found, given)
    assert route is not None
    assert listing(found)["has_data"] == "api/dashboards/mine/has_data"
    assert TestClient(Starlette(routes=[route])).get("/mine/has_data").json() == {"has_data": True}
    assert asked == [given]


def test_routes_that_cannot_be_made_are_told() -> None:
    def explode(_: Context) -> Sequence[BaseRoute]:
        raise RuntimeError("no licence")

    found, route = mount(Found("bad", "a-package", Dashboard(name="bad", title="Bad", routes=explode)), context())
    assert route is None
    assert listing(found)["error"] == "a-package could not make its routes: RuntimeError: no licence"
