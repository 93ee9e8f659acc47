"""Cursors: after a reconnect nothing is missed and nothing comes twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.serve import live as live_module
from seamark.serve.live import Live, MessageLog, change_of
from seamark.store import Delta, LogRoot, ScalarRows, Store


def rows(start: int, values: list[float]) -> ScalarRows:
    steps = np.arange(start, start + len(values), dtype=np.int64)
    return ScalarRows(start, steps, steps.astype(float), np.array(values))


def delta(version: int, *, points: int = 1) -> Delta:
    return Delta(version=version, appended={"a": {"loss": rows(version, [0.5] * points)}})


def test_a_change_carries_its_points_and_where_they_start() -> None:
    change = change_of(Delta(version=3, appended={"a": {"loss": rows(7, [0.5, float("nan")])}}))
    (entry,) = change["appended"]
    assert (entry["run"], entry["tag"], entry["start"], entry["steps"]) == ("a", "loss", 7, [7, 8])
    assert (change["complete"], change["resync"], change["tags"]) == (True, False, ["loss"])


def test_what_does_not_fit_is_named_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "MAX_POINTS", 3)
    change = change_of(Delta(version=1, appended={"a": {"big": rows(0, [0.0] * 3), "small": rows(0, [0.0])}}))
    assert [entry["tag"] for entry in change["appended"]] == ["small"]
    assert (change["complete"], change["tags"]) == (False, ["big", "small"])


def test_the_log_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "LOG_MESSAGES", 3)
    log = MessageLog()
    for number in range(1, 6):
        log.append(b"%d" % number)
    assert (log.oldest, log.newest) == (3, 5)
    assert log.after(5) == []
    assert log.after(2) == [b"3", b"4", b"5"]
    assert log.after(1) is None
    monkeypatch.setattr(live_module, "LOG_BYTES", 10)
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
            text = (await asyncio.wait_for(anext(self._messages), 5)).decode()
            fields = dict(line.split(": ", 1) for line in text.strip().splitlines() if ": " in line)
            self.cursor = fields.get("id", self.cursor)
            if "data" in fields and fields["event"] != "progress":
                return fields["event"], json.loads(fields["data"])


def live_over(tmp_path: Path) -> Live:
    live = Live(Store([LogRoot("", tmp_path)], index_dir=None, follow=False))
    live.start()
    return live


def test_a_page_that_comes_back_gets_exactly_what_it_missed(tmp_path: Path) -> None:
    async def story() -> None:
        live = live_over(tmp_path)
        first = Reader(live)
        assert (await first.next())[0] == "hello"
        live._append(live_module.message("change", change_of(delta(1))))
        assert (await first.next())[1]["version"] == 1
        for version in (2, 3):
            live._append(live_module.message("change", change_of(delta(version))))
        again = Reader(live, first.cursor)
        assert [(await again.next())[1]["version"] for _ in range(2)] == [2, 3]
        live._append(live_module.message("change", change_of(delta(4))))
        assert (await again.next())[1]["version"] == 4
        live.close()

    asyncio.run(story())


def test_a_cursor_of_another_server_or_from_long_ago_means_ask_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "LOG_MESSAGES", 2)

    async def story() -> None:
        live = live_over(tmp_path)
        start = Reader(live)
        await start.next()
        for version in range(1, 6):
            live._append(live_module.message("change", change_of(delta(version))))
        for cursor in ("00000000-3", "nonsense", str(start.cursor), f"{live._mark}-99", f"{live._mark}-٣"):
            back = Reader(live, cursor)
            event, change = await back.next()
            assert (event, change["resync"], change["complete"]) == ("change", True, False), cursor
            live._append(live_module.message("change", change_of(delta(9))))
            assert (await back.next())[1]["version"] == 9
        # The one that stood still all the while is told, too.
        assert (await start.next())[1]["resync"] is True
        live.close()

    asyncio.run(story())


def test_a_changed_state_is_told_to_every_page(tmp_path: Path) -> None:
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


def test_closing_ends_every_stream(tmp_path: Path) -> None:
    async def story() -> None:
        live = live_over(tmp_path)
        streams = [live.messages(None) for _ in range(3)]
        waiting = [asyncio.create_task(drain(stream)) for stream in streams]
        await asyncio.sleep(0.05)
        live.close()
        await asyncio.wait_for(asyncio.gather(*waiting), 2)

    async def drain(stream: AsyncIterator[bytes]) -> None:
        async for _ in stream:
            pass

    asyncio.run(story())
