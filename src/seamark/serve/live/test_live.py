"""After a reconnect a page gets every message once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from seamark.serve.live import message_log
from seamark.serve.live.live import Live
from seamark.serve.live.message_log import MessageLog
from seamark.serve.live.messages import change_json, format_message
from seamark.store import Delta, LogRoot, Store

TIMEOUT_SECS = 30


def delta(version: int) -> Delta:
    return Delta(version=version, scalars={"a": frozenset({"loss"})})


def test_a_change_names_runs_and_series_without_their_points() -> None:
    grown = {"b": frozenset({"loss", "accuracy"}), "a": frozenset({"loss"})}
    change = change_json(Delta(version=3, scalars=grown, payloads={"a": frozenset({("images", "input")})}))
    assert change == {
        "version": 3,
        "runs_added": [],
        "runs_removed": [],
        "runs_reset": [],
        "resync": False,
        "runs": ["a", "b"],
        "tags": ["accuracy", "loss"],
        "payloads": [{"run": "a", "kind": "images", "tag": "input"}],
        "lists": None,
    }


def test_the_log_drops_the_oldest_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_log, "MAX_MESSAGES", 3)
    log = MessageLog()
    for number in range(1, 6):
        log.append(b"%d" % number)
    assert (log.oldest, log.newest) == (3, 5)
    assert log.after(5) == []
    assert log.after(2) == [b"3", b"4", b"5"]
    assert log.after(1) is None
    monkeypatch.setattr(message_log, "MAX_BYTES", 10)
    log.append(b"x" * 50)
    assert log.after(5) == [b"x" * 50]
    assert log.after(4) is None


class Reader:
    """One page's connection, read message by message."""

    def __init__(self, live: Live, since: str | None = None) -> None:
        self._messages: AsyncIterator[bytes] = live.messages(since)
        self.cursor = since

    async def next(self) -> tuple[str, dict[str, Any]]:
        while True:
            text = (await asyncio.wait_for(anext(self._messages), TIMEOUT_SECS)).decode()
            fields = dict(line.split(": ", 1) for line in text.strip().splitlines() if ": " in line)
            self.cursor = fields.get("id", self.cursor)
            if "data" in fields and fields["event"] != "progress":
                return fields["event"], json.loads(fields["data"])


def live_over(tmp_path: Path) -> Live:
    live = Live(Store([LogRoot("", tmp_path)], index_dir=None, follow=False))
    live.start()
    return live


@pytest.mark.timed
def test_a_page_that_reconnects_gets_exactly_the_messages_it_missed(tmp_path: Path) -> None:
    async def story() -> None:
        live = live_over(tmp_path)
        first = Reader(live)
        assert (await first.next())[0] == "hello"
        live._append(format_message("change", change_json(delta(1))))
        assert (await first.next())[1]["version"] == 1
        for version in (2, 3):
            live._append(format_message("change", change_json(delta(version))))
        again = Reader(live, first.cursor)
        assert [(await again.next())[1]["version"] for _ in range(2)] == [2, 3]
        newest = Reader(live, live.cursor)
        live._append(format_message("change", change_json(delta(4))))
        assert (await again.next())[1]["version"] == 4
        assert (await newest.next())[1]["version"] == 4
        live.close()

    asyncio.run(story())


@pytest.mark.timed
def test_an_unknown_or_old_cursor_means_resync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_log, "MAX_MESSAGES", 2)

    async def story() -> None:
        live = live_over(tmp_path)
        start = Reader(live)
        await start.next()
        for version in range(1, 6):
            live._append(format_message("change", change_json(delta(version))))
        for cursor in (
            "00000000-3",
            "nonsense",
            str(start.cursor),
            f"{live._cursor_prefix}-99",
            f"{live._cursor_prefix}-٣",
        ):
            back = Reader(live, cursor)
            event, change = await back.next()
            assert (event, change["resync"]) == ("change", True), cursor
            live._append(format_message("change", change_json(delta(9))))
            assert (await back.next())[1]["version"] == 9
        # So does a stream that was never read meanwhile.
        assert (await start.next())[1]["resync"] is True
        live.close()

    asyncio.run(story())


@pytest.mark.timed
def test_every_page_gets_a_change_of_the_state(tmp_path: Path) -> None:
    async def story() -> None:
        live = live_over(tmp_path)
        readers = [Reader(live), Reader(live)]
        for reader in readers:
            await reader.next()
        live.announce_state(7)
        for reader in readers:
            assert await reader.next() == ("state", {"version": 7})
        live.close()

    asyncio.run(story())


@pytest.mark.timed
def test_closing_ends_every_stream(tmp_path: Path) -> None:
    async def story() -> None:
        live = live_over(tmp_path)
        streams = [live.messages(None) for _ in range(3)]
        are_open = [asyncio.Event() for _ in streams]
        waiting = [asyncio.create_task(drain(*pair)) for pair in zip(streams, are_open, strict=True)]
        async with asyncio.timeout(TIMEOUT_SECS):
            for is_open in are_open:
                await is_open.wait()
            live.close()
            await asyncio.gather(*waiting)

    async def drain(stream: AsyncIterator[bytes], is_open: asyncio.Event) -> None:
        async for message in stream:
            if b"event: hello" in message:
                is_open.set()

    asyncio.run(story())


class WatchedLists:
    """Notes which whole lists are valid while changes of the lists are made."""

    def __init__(self) -> None:
        self.live: Live
        self.versions: list[int] = []
        self.progress: list[bytes | None] = []

    def start(self) -> None:
        self.progress.append(self.live._latest.get("progress"))
        self.versions.append(self.live.announced.list_version)

    def since(self, _: Delta) -> dict[str, Any]:
        self.versions.append(self.live.announced.list_version)
        return {"runs": [], "tags": {}}


@pytest.mark.timed
def test_a_whole_list_from_before_a_change_is_never_sent_after_it(tmp_path: Path) -> None:
    # The changes of the lists hold all tags that can be read by then, and tags are sent once: a page that starts after
    # this change would miss what the older list lacks.
    async def story() -> None:
        store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False)
        store.start()
        store.wait_loaded()
        lists = WatchedLists()
        lists.live = live = Live(store, lists)  # type: ignore[arg-type]
        live.start()
        reader = Reader(live)
        await reader.next()
        store._pipeline.hub.runs_changed(added=["a"])
        assert (await reader.next())[1]["runs_added"] == ["a"]
        assert live.announced.list_version > lists.versions[-1]
        assert not any(live.announced.covers_all(version, store.version) for version in lists.versions)
        assert lists.progress == [None]
        live.close()
        await asyncio.to_thread(live.join)
        store.close()

    asyncio.run(story())


@pytest.mark.timed
def test_a_failure_of_the_thread_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        live = Live(Store([LogRoot("", tmp_path)], index_dir=None, follow=False))
        monkeypatch.setattr(live._store, "progress", lambda: 1 / 0)
        live.start()
        await asyncio.to_thread(live._thread.join, TIMEOUT_SECS)
        live.close()

    asyncio.run(story())
    assert "live updates have stopped" in caplog.text and "ZeroDivisionError" in caplog.text
