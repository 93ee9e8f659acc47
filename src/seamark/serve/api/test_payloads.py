"""Payloads over HTTP: lists, ranges, caching, and bytes that a browser must never run as a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.kinds import audio, image, text
from seamark.kinds.summary import event_record
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

EVIL = b"<!doctype html><script>alert(1)</script>"
PIXELS = np.zeros((2, 4, 6, 3))
IMAGE = "/api/payload?run=a&kind=images&tag=picture"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    values = [
        image.encode("picture", PIXELS),
        image.encode_files("evil", [EVIL], width=1, height=1),
        audio.encode("sound", np.zeros(100), sample_rate_hz=8000),
        audio.encode_files("evil sound", [EVIL]),
        text.encode("words", EVIL.decode()),
    ]
    with EventFile(tmp_path / "a", wall_time=1000.0) as file:
        for step in range(3):
            file.append(event_record(values, step=step, wall_time=1000.0 + step))
    with (
        Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        yield client


def test_payloads_are_listed_with_steps_and_times(client: TestClient) -> None:
    listed = client.get("/api/payloads?run=a&tag=picture&kind=images").json()
    assert (listed["index"], listed["steps"], listed["walls"]) == ([0, 1, 2], [0, 1, 2], [1000.0, 1001.0, 1002.0])
    assert client.get("/api/payloads?run=a&tag=gone&kind=images").status_code == 404
    assert client.get("/api/payloads?run=a&tag=picture").status_code == 400


def test_each_sample_of_an_image_is_sent_as_an_image(client: TestClient) -> None:
    answer = client.get(f"{IMAGE}&index=1&sample=1")
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert "content-disposition" not in answer.headers
    assert client.get(f"{IMAGE}&index=1&sample=2").status_code == 404
    assert client.get(f"{IMAGE}&index=9").status_code == 404
    assert client.get(f"{IMAGE}&index=-1").status_code == 400


def test_ranges_of_a_clip_can_be_requested(client: TestClient) -> None:
    address = "/api/payload?run=a&kind=audio&tag=sound&index=0"
    whole = client.get(address)
    assert (whole.headers["content-type"], whole.headers["accept-ranges"]) == ("audio/wav", "bytes")
    size = len(whole.content)
    for wanted, part in [
        ("10-19", slice(10, 20)),
        ("10-", slice(10, None)),
        ("-5", slice(-5, None)),
        ("0-9999", slice(None)),
    ]:
        answer = client.get(address, headers={"range": f"bytes={wanted}"})
        assert (answer.status_code, answer.content) == (206, whole.content[part])
        assert answer.headers["content-range"].endswith(f"/{size}")
    for wanted in (f"{size}-", "-0"):
        rejected = client.get(address, headers={"range": f"bytes={wanted}"})
        assert (rejected.status_code, rejected.headers["content-range"]) == (416, f"bytes */{size}")
    for wanted in ("bytes=5-2", "bytes=0-1,4-5", "lines=1-2", "bytes=-"):
        assert client.get(address, headers={"range": wanted}).status_code == 200
    outdated = client.get(address, headers={"range": "bytes=0-1", "if-range": '"old"'})
    assert outdated.status_code == 200


@pytest.mark.parametrize(("kind", "tag"), [("images", "evil"), ("audio", "evil sound"), ("text", "words")])
def test_logged_bytes_never_run_as_a_page(client: TestClient, kind: str, tag: str) -> None:
    answer = client.get("/api/payload", params={"run": "a", "kind": kind, "tag": tag, "index": 0})
    assert EVIL in answer.content
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_browser_with_the_current_etag_gets_304(client: TestClient) -> None:
    first = client.get(f"{IMAGE}&index=0")
    assert "no-cache" in first.headers["cache-control"]
    again = client.get(f"{IMAGE}&index=0", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "immutable" in client.get(f"{IMAGE}&index=0&wall=1000.0").headers["cache-control"]
    assert client.get(f"{IMAGE}&index=0&wall=5").status_code == 404
