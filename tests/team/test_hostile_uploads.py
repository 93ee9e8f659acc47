"""Uploads that no honest client sends: clear answers, bounded memory, and nothing outside of the project."""

from __future__ import annotations

import http.client
import json
import socket
import zlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from seamark.upload import wire
from tools.team_folder import PROJECT

from .upload_server import Served, served_team


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_team(tmp_path_factory.mktemp("team") / "server") as server:
        yield server


def post(served: Served, body: bytes, route: str = "upload", **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(served.url).netloc, timeout=60)
    sent = {"Authorization": f"Bearer {served.tokens.writer}", **headers}
    connection.request("POST", f"/team/api/projects/{PROJECT}/{route}", body, sent)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    if response.headers["content-type"] == wire.MEDIA_TYPE:
        return response.status, msgspec.msgpack.decode(content)
    return response.status, json.loads(content)


def upload(served: Served, *pieces: wire.Piece) -> tuple[int, Any]:
    return post(served, msgspec.msgpack.encode(wire.UploadRequest(list(pieces))))


BAD_NAMES = [
    "",
    "..",
    "../x",
    "/etc/passwd",
    "a//b",
    "a/",
    "a\0b",
    ".trash/x",
    "a/.x",
    "x" * 256,
    "a\\b",
    "a\nb",
    "y/" * 600 + "y",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_of_a_run_or_a_file_is_an_error(served: Served, name: str) -> None:
    before = sorted(served.folder.path.rglob("*"))
    for piece in (wire.make_piece(name, "file", 0, b"x"), wire.make_piece("run", name, 0, b"x")):
        status, answer = upload(served, piece)
        assert (status, answer["code"]) == (400, "invalid_body"), answer
        assert "the name of a" in answer["error"]
    for question in (wire.FileQuestion(name, "file", 1), wire.FileQuestion("run", name, 1)):
        status, answer = post(served, msgspec.msgpack.encode(wire.LengthsRequest([question])), "upload/lengths")
        assert (status, answer["code"]) == (400, "invalid_body")
    assert sorted(served.folder.path.rglob("*")) == before


@pytest.mark.parametrize(
    "body", [b"", b"\xc1", b"not msgpack", msgspec.msgpack.encode({"pieces": 3}), b"\x91" * 100_000]
)
def test_a_body_that_is_not_msgpack_is_an_error(served: Served, body: bytes) -> None:
    for route in ("upload", "upload/lengths"):
        status, answer = post(served, body, route)
        assert (status, answer["code"]) == (400, "invalid_body")


def test_a_decompression_bomb_is_not_inflated(served: Served) -> None:
    bomb = zlib.compress(b"\0" * (256 << 20), 9)
    for length in (10, wire.MAX_PIECE_BYTES):
        status, answer = upload(served, wire.Piece("run", "bomb", 0, length, b"\0" * 16, bomb))
        assert (status, answer["code"]) == (400, "invalid_body"), answer
        assert "another length" in answer["error"]
    status, answer = upload(served, wire.Piece("run", "bomb", 0, 256 << 20, b"\0" * 16, bomb))
    assert (status, answer["code"]) == (413, "too_large")
    assert not (served.logs / "run/bomb").exists()


def test_a_damaged_piece_is_an_error(served: Served) -> None:
    good = wire.make_piece("run", "damaged", 0, b"hello")
    for changed in (
        {"hash": b"\0" * 16},
        {"data": good.data[:-1]},
        {"data": good.data + b"x"},
        {"data": b"no zlib"},
        {"length": 4},
        {"length": -1},
        {"offset": -5},
        {"replaces": wire.Whole(3, b"\0" * 16)},
        {"replaces": wire.Whole(5, b"short")},
    ):
        status, answer = upload(served, msgspec.structs.replace(good, **changed))
        assert (status, answer["code"]) == (400, "invalid_body"), changed
    assert not (served.logs / "run/damaged").exists()


def test_too_many_pieces_and_questions_are_errors(served: Served) -> None:
    status, answer = upload(served, *[wire.make_piece("run", "many", 0, b"x")] * (wire.MAX_PIECES + 1))
    assert (status, answer["code"]) == (413, "too_large")
    questions = [wire.FileQuestion("run", "many", 1)] * (wire.MAX_QUESTIONS + 1)
    status, answer = post(served, msgspec.msgpack.encode(wire.LengthsRequest(questions)), "upload/lengths")
    assert (status, answer["code"]) == (413, "too_large")


def test_a_hundred_gigabytes_that_are_claimed_and_not_sent_are_rejected_at_once(served: Served) -> None:
    place = urlsplit(served.url)
    assert place.hostname is not None
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.sendall(
            f"POST /team/api/projects/{PROJECT}/upload HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Authorization: Bearer {served.tokens.writer}\r\nContent-Length: 100000000000\r\n\r\n".encode()
        )
        answer = b""
        while block := connection.recv(4096):  # until the server closes the connection
            answer += block
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"longer than" in answer


def test_a_body_without_a_length_is_cut_off_at_the_limit(served: Served) -> None:
    place = urlsplit(served.url)
    assert place.hostname is not None
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.sendall(
            f"POST /team/api/projects/{PROJECT}/upload HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Authorization: Bearer {served.tokens.writer}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        block = b"100000\r\n" + b"\0" * (1 << 20) + b"\r\n"
        sent = 0
        try:
            for _ in range(100):
                connection.sendall(block)
                sent += 1
        except OSError:
            pass  # the server closed the connection
    assert sent < 100


def test_a_truncated_body_stores_nothing_and_the_server_goes_on(served: Served) -> None:
    place = urlsplit(served.url)
    assert place.hostname is not None
    body = msgspec.msgpack.encode(wire.UploadRequest([wire.make_piece("run", "half", 0, b"x" * 1000)]))
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.sendall(
            f"POST /team/api/projects/{PROJECT}/upload HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Authorization: Bearer {served.tokens.writer}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body[:-3]
        )
    status, answer = upload(served, wire.make_piece("run", "whole", 0, b"x"))
    assert (status, answer["results"]) == (200, [["stored", 1, ""]])
    assert not (served.logs / "run/half").exists()


def get(served: Served, route: str, token: str, **headers: str) -> tuple[int, bytes, Any]:
    connection = http.client.HTTPConnection(urlsplit(served.url).netloc, timeout=60)
    connection.request(
        "GET", f"/team/api/projects/{PROJECT}/{route}", headers={"Authorization": f"Bearer {token}", **headers}
    )
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, content, response.headers


def test_files_are_read_by_range_and_never_outside_of_runs(served: Served) -> None:
    upload(served, wire.make_piece("ranged", "a.txt", 0, b"0123456789"))
    viewer = served.tokens.viewer
    assert get(served, "file?run=ranged&file=a.txt", viewer)[1] == b"0123456789"
    status, content, headers = get(served, "file?run=ranged&file=a.txt", viewer, Range="bytes=3-5")
    assert (status, content, headers["content-range"]) == (206, b"345", "bytes 3-5/10")
    assert get(served, "file?run=ranged&file=a.txt", viewer, Range="bytes=10-")[0] == 416
    for route in (
        "file?run=ranged&file=..%2F..%2F..%2Fteam.json",
        "file?run=..&file=team.json",
        "file?run=ranged&file=%2Fetc%2Fpasswd",
        "file?run=nothing&file=a.txt",
        "file?run=ranged&file=b.txt",
        "files?run=..",
    ):
        assert get(served, route, viewer)[0] in (400, 404), route
    assert get(served, "runs", "smk_wrong")[0] == 401
    runs = json.loads(get(served, "runs", viewer)[1])["runs"]
    assert {"name": "ranged", "status": ""}.items() <= {run["name"]: run for run in runs}["ranged"].items()
    assert json.loads(get(served, "files?run=ranged", viewer)[1]) == {"files": [{"file": "a.txt", "bytes": 10}]}
