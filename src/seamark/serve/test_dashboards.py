"""The list of dashboards and their routes; one that fails to make its routes is listed with an error."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.plugin import Context, Dashboard, Endpoint, Found, as_routes
from seamark.serve.dashboards import Dashboards, declare, listing
from seamark.store import Store


def context() -> Context:
    return Context(Store([], index_dir=None))


def test_the_list_has_name_title_kinds_and_view() -> None:
    client = TestClient(Starlette(routes=as_routes([Dashboards(Store([], index_dir=None), []).endpoint()])))
    listed = {entry["name"]: entry for entry in client.get("/dashboards").json()}
    assert listed["scalars"] == {
        "name": "scalars", "title": "Scalars", "order": 20, "kinds": ["scalars"], "module": None,
    }  # fmt: skip
    assert "skeleton" not in listed


def test_a_dashboard_may_decide_whether_it_has_data() -> None:
    calls: list[Context] = []
    found = Found("mine", "my-package", Dashboard(name="mine", title="Mine", has_data=lambda c: not calls.append(c)))
    given = context()
    _, endpoints = declare(found, given)
    assert listing(found).has_data == "api/dashboards/mine/has_data"
    assert TestClient(Starlette(routes=as_routes(endpoints))).get("/has_data").json() == {"has_data": True}
    assert calls == [given]


def test_routes_that_cannot_be_made_are_an_error() -> None:
    def explode(_: Context) -> Sequence[Endpoint]:
        raise RuntimeError("no licence")

    found, endpoints = declare(Found("bad", "a-package", Dashboard(name="bad", title="Bad", routes=explode)), context())
    assert endpoints == []
    assert listing(found).error == "a-package could not make its routes: RuntimeError: no licence"
