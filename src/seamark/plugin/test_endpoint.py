"""An endpoint validates, runs its handler in the right place, and answers in one form."""

from __future__ import annotations

import asyncio
import json
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from seamark.kinds import DecodeError
from seamark.plugin import (
    Endpoint,
    NoParameters,
    ParsedRequest,
    RequestError,
    RequestStruct,
    ResponseStruct,
    as_routes,
    json_bytes,
)
from seamark.plugin.endpoint import LARGE_BODY_BYTES
from seamark.plugin.pools import LARGE_BODIES_AT_ONCE, WorkerPools
from seamark.store import PayloadAwayError, PayloadGoneError, StoreUnavailableError, UnknownSeriesError

Handler = Callable[[ParsedRequest[Any, Any]], Any]


class Numbers(RequestStruct):
    numbers: list[int]


class Total(ResponseStruct):
    total: float


def client_of(*endpoints: Endpoint) -> TestClient:
    return TestClient(Starlette(routes=as_routes(endpoints)))


def get(handler: Handler, **options: Any) -> TestClient:
    return client_of(Endpoint(path="/x", summary="X.", handler=handler, **options))


def test_content_is_sent_as_json_with_non_finite_numbers_as_strings() -> None:
    answer = get(lambda _: Total(total=float("nan"))).get("/x")
    assert answer.json() == {"total": "NaN"} and answer.headers["cache-control"] == "no-store"
    assert get(lambda _: {"all": [Total(total=1.5)]}).get("/x").json() == {"all": [{"total": 1.5}]}


@pytest.mark.parametrize(
    "content",
    [
        {"a": [1, 2.5, "é", True], "b": {"c": []}},
        {"missing": None, "text": "null"},
        [0.1 + 0.2, 1e16, -0.0, 2**70],
        Total(total=0.5),
        ["name\udcff", {"name\udcff": 1}],
        {"value": np.float64(1.5)},
    ],
)
def test_json_has_the_same_values_however_it_is_written(content: Any) -> None:
    expected = json.loads(json.dumps(msgspec.to_builtins(content) if isinstance(content, Total) else content))
    assert json.loads(json_bytes(content)) == expected


def test_non_finite_numbers_are_strings_and_null_stays_null() -> None:
    content = {"a": [float("nan"), None, 1.0], "b": Total(total=float("-inf"))}
    assert json.loads(json_bytes(content)) == {"a": ["NaN", None, 1.0], "b": {"total": "-Infinity"}}


def test_a_client_that_has_the_response_gets_304() -> None:
    client = get(lambda _: Total(total=1), has_etag=True)
    etag = client.get("/x").headers["etag"]
    assert client.get("/x", headers={"if-none-match": f"W/{etag}"}).status_code == 304


def test_a_body_is_parsed_and_bounded() -> None:
    def add(request: ParsedRequest[NoParameters, Numbers]) -> Total:
        return Total(total=sum(request.body.numbers))

    client = client_of(Endpoint(path="/x", method="POST", summary="X.", handler=add, max_body_bytes=50_000))
    assert client.post("/x", json={"numbers": [1, 2]}).json() == {"total": 3}
    assert client.post("/x", json={"numbers": list(range(5000))}).json() == {"total": sum(range(5000))}
    long = client.post("/x", content=b" " * 50_001)
    assert long.status_code == 413
    assert long.json() == {"error": "the request body is longer than 50,000 bytes", "code": "too_large"}


def test_only_a_few_long_bodies_are_held_at_a_time() -> None:
    held = [0]

    async def count(request: ParsedRequest[NoParameters, bytes]) -> Total:
        held.append(held[-1] + 1)
        await asyncio.sleep(0)
        held.append(held[-1] - 1)
        return Total(total=len(request.body))

    endpoint = Endpoint(path="/x", method="POST", summary="X.", handler=count)
    body = bytes(LARGE_BODY_BYTES + 1)

    def request_of(headers: list[tuple[bytes, bytes]]) -> Request:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        return Request({"type": "http", "method": "POST", "query_string": b"", "headers": headers}, receive)

    async def answer_all() -> list[Response]:
        pools = WorkerPools()
        lengths: list[list[tuple[bytes, bytes]]] = [[(b"content-length", str(len(body)).encode())], []]  # or chunked
        return await asyncio.gather(*(endpoint.answer(request_of(lengths[at % 2]), pools) for at in range(40)))

    assert {response.status_code for response in asyncio.run(answer_all())} == {200}
    assert 1 < max(held) <= LARGE_BODIES_AT_ONCE


def test_methods_of_one_path_are_one_route() -> None:
    def decoded(request: ParsedRequest[NoParameters, bytes]) -> str:
        return request.body.decode()

    client = client_of(
        Endpoint(path="/x", summary="X.", handler=lambda _: "got"),
        Endpoint(path="/x", summary="X.", method="POST", handler=decoded),
    )
    assert (client.get("/x").json(), client.post("/x", content=b"raw").json()) == ("got", "raw")
    assert client.head("/x").status_code == 200
    assert client.patch("/x").status_code == 405


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (RequestError("no"), 400, "bad_request"),
        (RequestError("no", code="conflict", details={"state": 3}), 409, "conflict"),
        (UnknownSeriesError("no"), 404, "not_found"),
        (PayloadGoneError("no"), 404, "not_found"),
        (PayloadAwayError("the bucket does not answer: no"), 503, "unavailable"),
        (StoreUnavailableError("no"), 503, "unavailable"),
        (DecodeError("no"), 422, "undecodable"),
    ],
)
def test_errors_have_a_sentence_and_a_code(error: Exception, status: int, code: str) -> None:
    def fail(_: ParsedRequest[NoParameters, None]) -> Response:
        raise error

    answer = get(fail).get("/x")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["error"].endswith("no")
    assert answer.json().get("state") == getattr(error, "details", {}).get("state")


def test_an_img_shows_why_its_bucket_cannot_be_read() -> None:
    """A browser would log a line for each of a hundred images, and show none of the sentences."""

    def fail(_: ParsedRequest[NoParameters, None]) -> Response:
        raise PayloadAwayError("the bucket <b> does not answer: 's3://b'")

    answer = get(fail).get("/x", headers={"sec-fetch-dest": "image"})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert answer.headers["content-type"] == "image/svg+xml"
    words = " ".join(ElementTree.fromstring(answer.text).itertext())
    assert "bucket" in words and "s3://b" in words and "<b>" not in answer.text


@pytest.mark.parametrize(("pool", "prefix"), [("heavy", "seamark-heavy"), ("table", "seamark-table")])
def test_a_function_runs_in_the_pool_it_names(pool: str, prefix: str) -> None:
    assert get(lambda _: threading.current_thread().name, pool=pool).get("/x").json().startswith(prefix)


def test_an_async_function_runs_on_the_event_loop() -> None:
    loop_threads: list[str] = []

    async def handler(_: ParsedRequest[NoParameters, None]) -> str:
        loop_threads.append(threading.current_thread().name)
        return threading.current_thread().name

    assert get(handler).get("/x").json() == loop_threads[0]
