"""The list of dashboards and their routes; one that fails to make its routes is listed with an error."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.testclient import TestClient

from seamark.plugin import Context, Dashboard, Endpoint, Found, ParsedRequest, WorkerPools, as_routes
from seamark.plugin.dashboard import OWN
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
    _, routes = declare(found, given, WorkerPools())
    assert routes is not None
    assert listing(found).has_data == "api/dashboards/mine/has_data"
    assert TestClient(routes).get("/has_data").json() == {"has_data": True}
    assert calls == [given]


def test_routes_that_cannot_be_made_are_an_error() -> None:
    def explode(_: Context) -> Sequence[Endpoint]:
        raise RuntimeError("no licence")

    bad = Found("bad", "a-package", Dashboard(name="bad", title="Bad", routes=explode))
    found, routes = declare(bad, context(), WorkerPools())
    assert routes is None
    assert listing(found).error == "a-package could not make its routes: RuntimeError: no licence"


def test_a_handler_whose_types_are_not_to_be_found_is_an_error() -> None:
    def handler(_: ParsedRequest[NowhereDefined, None]) -> str:  # type: ignore[name-defined]  # noqa: F821
        return ""

    endpoint = Endpoint(path="/x", summary="X.", handler=handler)
    bad = Found("bad", "a-package", Dashboard(name="bad", title="Bad", routes=lambda _: [endpoint]))
    found, _ = declare(bad, context(), WorkerPools())
    assert "'NowhereDefined' is not defined" in found.error


def test_own_routes_are_made_by_the_first_request_to_them() -> None:
    made: list[Context] = []

    def routes(given: Context) -> Sequence[Endpoint]:
        made.append(given)
        return [Endpoint(path="/x", summary="X.", handler=lambda _: "here")]

    _, app = declare(
        Found("mine", f"{OWN}.mine", Dashboard(name="mine", title="Mine", routes=routes)), context(), WorkerPools()
    )
    assert app is not None and made == []
    client = TestClient(app)
    assert [client.get("/x").json() for _ in range(2)] == ["here", "here"]
    assert len(made) == 1
