"""Responses to other machines are compressed, those to this one are not."""

from __future__ import annotations

import gzip

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from seamark.plugin import etag_json_response, etag_response
from seamark.serve.http.compress import COMPRESSORS, Compress, is_local

BODY = {"text": "again and " * 500}


async def answer(request: Request) -> Response:
    return etag_json_response(request, BODY)


async def image(request: Request) -> Response:
    return etag_response(request, b"\x89PNG" * 1000, media_type="image/png")


async def stream(_: Request) -> Response:
    async def parts():  # type: ignore[no-untyped-def]
        yield b"data: 1\n\n"

    return StreamingResponse(parts(), media_type="text/event-stream")


ROUTES = [Route("/json", answer), Route("/image", image), Route("/stream", stream)]
APP = Compress(Starlette(routes=ROUTES))


def client_from(address: str) -> TestClient:
    return TestClient(APP, client=(address, 5000))


def test_a_remote_client_gets_a_compressed_response() -> None:
    got = client_from("192.0.2.7").get("/json", headers={"accept-encoding": "gzip, br"})
    assert got.headers["content-encoding"] == "gzip"
    assert got.headers["etag"].startswith('W/"')
    assert "accept-encoding" in got.headers["vary"].lower()
    assert int(got.headers["content-length"]) < 200
    assert got.json() == BODY


def test_the_etag_of_a_compressed_response_matches() -> None:
    client = client_from("192.0.2.7")
    etag = client.get("/json").headers["etag"]
    again = client.get("/json", headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("address", "path", "accepted"),
    [
        ("127.0.0.1", "/json", "gzip"),
        ("::1", "/json", "gzip"),
        ("192.0.2.7", "/json", "identity"),
        ("192.0.2.7", "/json", "gzip;q=0"),
        ("192.0.2.7", "/image", "gzip"),
        ("192.0.2.7", "/stream", "gzip"),
    ],
)
def test_other_responses_are_not_compressed(address: str, path: str, accepted: str) -> None:
    got = client_from(address).get(path, headers={"accept-encoding": accepted})
    assert got.status_code == 200
    assert "content-encoding" not in got.headers


def test_a_proxy_on_this_machine_counts_as_remote() -> None:
    assert is_local({"type": "http", "client": ("127.0.0.1", 1), "headers": []})
    assert is_local({"type": "http", "client": ("::ffff:127.0.0.1", 1), "headers": []})
    assert not is_local({"type": "http", "client": ("127.0.0.1", 1), "headers": [(b"x-forwarded-for", b"192.0.2.7")]})
    assert not is_local({"type": "http", "client": None, "headers": []})


def test_compressed_bodies_can_be_decompressed() -> None:
    assert gzip.decompress(COMPRESSORS["gzip"](b"abc" * 1000)) == b"abc" * 1000
