"""Uploads are streamed to files, bounded in number and size, and removed when nobody has them any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from seamark.plugin import Endpoint, NoParameters, ParsedRequest, RequestError, as_routes, uploads
from seamark.plugin.uploads import UploadError, UploadFolder, received

SUFFIXES = (".csv", ".npy")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where received files are."""
    uploads._received_folder.cache_clear()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield tmp_path
    uploads._received_folder.cache_clear()


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.name != ".lock"]


def test_a_body_is_a_file_as_long_as_the_request_lasts(folder: Path) -> None:
    def describe(path: Path) -> dict[str, int]:
        if path.read_bytes() == b"bad":
            raise RequestError("bad", code="undecodable")
        return {"bytes": path.stat().st_size, "files": len(files_in(folder))}

    def handler(request: ParsedRequest[NoParameters, Path]) -> dict[str, int]:
        return describe(request.body)

    endpoint = Endpoint(
        path="/x",
        summary="X.",
        method="POST",
        handler=handler,
        max_body_bytes=3 << 20,
    )
    client = TestClient(Starlette(routes=list(as_routes([endpoint]))))
    assert client.post("/x", content=b"x" * (3 << 20)).json() == {"bytes": 3 << 20, "files": 1}
    assert client.post("/x", content=b"").json() == {"bytes": 0, "files": 1}
    assert client.post("/x", content=b"bad").status_code == 422
    assert client.post("/x", content=b"x" * (3 << 20) + b"x").status_code == 413
    assert files_in(folder) == []


async def never_ending(chunks: list[bytes], is_received: asyncio.Event) -> AsyncIterator[dict[str, object]]:
    for chunk in chunks:
        yield {"type": "http.request", "body": chunk, "more_body": True}
    is_received.set()
    await asyncio.Event().wait()


def test_half_bodies_are_limited_and_removed(folder: Path) -> None:
    """As many as the limit wait for the rest; the next one is told so; the files go when the requests end."""

    async def hold(is_received: asyncio.Event) -> None:
        messages = never_ending([b"x" * uploads.WRITE_BYTES], is_received)
        request = Request({"type": "http", "method": "POST", "headers": []}, messages.__anext__)
        async with received(request, max_bytes=1 << 30):
            raise AssertionError("the body never ends")

    async def hold_many() -> None:
        events = [asyncio.Event() for _ in range(uploads.MAX_RECEIVED_AT_ONCE)]
        tasks = [asyncio.create_task(hold(event)) for event in events]
        for event in events:
            await event.wait()
        assert [path.stat().st_size for path in files_in(folder)] == [uploads.WRITE_BYTES] * len(events)
        with pytest.raises(RequestError, match="8 files are being uploaded already"):
            await hold(asyncio.Event())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(hold_many())
    assert files_in(folder) == []
    asyncio.run(receive_one(b"x"))


async def receive_one(body: bytes) -> None:
    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    async with AsyncExitStack() as stack:
        request = Request({"type": "http", "method": "POST", "headers": []}, receive)
        assert (await stack.enter_async_context(received(request, max_bytes=10))).read_bytes() == body


def write(folder: Path, content: str) -> Path:
    path = folder / "received"
    path.write_text(content)
    return path


def test_a_file_that_cannot_be_read_is_removed(folder: Path) -> None:
    kept: UploadFolder[str] = UploadFolder()
    with pytest.raises(ZeroDivisionError):
        kept.add("a.csv", write(folder, "a"), SUFFIXES, lambda path: str(1 // 0))
    assert files_in(folder) == [] and kept.all() == {}
    with pytest.raises(UploadError, match=r"got 'a.exe', want one of .csv, .npy"):
        kept.add("a.exe", write(folder, "a"), SUFFIXES, str)


def test_the_oldest_make_room_with_what_belongs_to_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_UPLOADS", 2)
    kept: UploadFolder[str] = UploadFolder()
    first = kept.add("a.csv", write(folder, "a"), SUFFIXES, str)
    assert kept.attach(first, "l.csv", write(folder, "label"), SUFFIXES, lambda entry, path: f"{entry} {path}")
    again = kept.add("a.csv", write(folder, "a"), SUFFIXES, lambda _: "made again")
    entry = kept.get(first)
    assert again == first and entry is not None
    assert [Path(one).read_text() for one in entry.split()] == ["a", "label"]
    others = [kept.add(name, write(folder, "a"), SUFFIXES, str) for name in ("b.csv", "c.csv")]
    assert list(kept.all()) == others
    assert not any(Path(one).exists() for one in entry.split())
    assert not kept.attach(first, "l.csv", write(folder, "label"), SUFFIXES, lambda entry, _: entry)
    for id in others:
        kept.remove(id)
    assert files_in(folder) == [folder / "received"]
