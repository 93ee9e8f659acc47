"""Methods as routes: their path, types, summary and errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.testclient import TestClient

from seamark.plugin import ErrorCase, NoParameters, RequestError, RequestStruct, ResponseStruct, as_routes
from seamark.plugin.handler_types import HandlerTypes
from seamark.plugin.service_routes import get, post, routes_of

NOT_FOUND = {404: ErrorCase("There is no such row.")}


class RowParameters(RequestStruct):
    row: int


class Values(RequestStruct):
    values: list[float]


class Total(ResponseStruct):
    total: float


class Service:
    @get(errors={})
    def first(self) -> Total:
        """The first
        of all."""
        return Total(1)

    @get(media_type="text/csv")
    def table(self, parameters: RowParameters) -> str:
        """A row as CSV."""
        return f"{parameters.row}\n"

    @post(changes=True)
    def add(self, parameters: RowParameters, body: Values) -> Annotated[Response, Total]:
        """Adds values to a row."""
        return Response(f'{{"total":{parameters.row + sum(body.values)}}}', media_type="application/json")

    @post()
    def load(self, body: Path) -> dict[str, int]:
        """Reads a file."""
        if body.read_bytes() == b"bad":
            raise ValueError("the file is bad")
        return {"bytes": body.stat().st_size}

    def helper(self, other: int) -> int:
        return other


@contextmanager
def bad_requests() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise RequestError(str(error), code="undecodable") from error


def test_a_route_is_declared_by_its_method_alone() -> None:
    first, table, add, load = routes_of(Service(), errors=NOT_FOUND)
    assert (first.path, first.method, first.summary, first.errors) == ("/first", "GET", "The first of all.", {})
    assert first.types == HandlerTypes(NoParameters, None, Total)
    assert table.types == HandlerTypes(RowParameters, None, None) and table.errors == NOT_FOUND
    assert add.types == HandlerTypes(RowParameters, Values, Total) and add.changes and add.method == "POST"
    assert load.types == HandlerTypes(NoParameters, Path, dict[str, int])


def test_the_method_gets_what_it_takes_and_its_errors_become_those_of_requests() -> None:
    client = TestClient(Starlette(routes=as_routes(routes_of(Service(), within=bad_requests))))
    assert client.get("/first").json() == {"total": 1}
    assert client.get("/table?row=4").text == "4\n"
    assert client.post("/add?row=2", json={"values": [1, 2.5]}).json() == {"total": 5.5}
    assert client.post("/load", content=b"four").json() == {"bytes": 4}
    bad = client.post("/load", content=b"bad")
    assert (bad.status_code, bad.json()) == (422, {"error": "the file is bad", "code": "undecodable"})


def test_a_method_that_can_be_no_route_is_an_error() -> None:
    class Unknown:
        @get()
        def rows(self, count: int) -> int:
            """Rows."""
            return count

    class Undescribed:
        @get()
        def rows(self) -> int:
            return 0

    with pytest.raises(TypeError, match=r"rows takes count; a route takes parameters and body"):
        routes_of(Unknown())
    with pytest.raises(TypeError, match=r"rows has no docstring"):
        routes_of(Undescribed())
