"""Live push: one thread listens to the store; every open page reads what changed from one bounded log of messages.

A message's id is a cursor: the server's own mark, and a number that grows by one. A page that comes back with the last
cursor it saw gets exactly the messages after it; when those are gone, or the server is another one, it is told to ask
again.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict
from typing import Any

from seamark.format.types import RunName, Tag
from seamark.serve.answers import json_bytes
from seamark.store import Delta, ScalarRows, Store

HEARTBEAT_SECS = 15.0
ENDING_SECS = 1.0
PROGRESS_SECS = 0.2
IDLE_SECS = 1.0
# Between two messages: a sweep that writes without a pause gives ten messages a second, each with what was gathered.
PACE_SECS = 0.1
# When many series grow at once every page redraws and asks a lot: it is told less often, and still within a second.
CROWD = 50
CROWDED_PACE_SECS = 0.3
CURRENT_SECS = 0.5
# What the log holds for pages that come back.
LOG_MESSAGES = 2000
LOG_BYTES = 16 << 20
# Points one message carries; a series beyond is only named.
MAX_POINTS = 2000


class Live:
    """Owns the listening thread. `start` inside the event loop; `close` from anywhere, also from a signal handler."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._mark = secrets.token_hex(4)
        self._log = MessageLog()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._closing = threading.Event()
        self.announced = Announced()
        self._latest: dict[str, bytes] = {}  # of messages of which only the newest counts, by event name
        self._thread = threading.Thread(target=self._listen, name="seamark-live", daemon=True)
        self._on_page: Callable[[], None] = lambda: None

    def on_page(self, call: Callable[[], None]) -> None:
        """Called whenever a page begins to listen."""
        self._on_page = call

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Here and not in the thread: from the first page on nothing is missed.
        self._subscription = self._store.subscribe()
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._call(self._wake)

    def join(self) -> None:
        """After `close`: waits for the thread, which would else hold on to what it read while Python ends."""
        if self._thread.is_alive():
            self._subscription.close()
            self._thread.join(ENDING_SECS)

    def announce_state(self, version: int) -> None:
        """Somebody changed the state: other pages read it again."""
        self._call(self._say, "state", {"version": version})

    async def messages(self, since: str | None) -> AsyncIterator[bytes]:
        """What one page is sent, until it goes away or the server ends."""
        self._on_page()
        # The page waits one second before it connects again after a lost line.
        yield b"retry: 1000\n\n"
        said: dict[str, bytes] = {}
        number = self._number_of(since)
        if number is None:
            number = self._log.newest
            event = "hello" if since is None else "change"
            content = {"cursor": self._cursor(number)} if since is None else resync(self._store.version)
            yield message(event, content, cursor=self._cursor(number))
        while not self._closing.is_set():
            # Taken before looking: what comes while a message is on its way wakes this round's wait.
            woken = self._woken
            for event, latest in self._latest.items():
                if said.get(event) != latest:
                    said[event] = latest
                    yield latest
            following = self._log.after(number)
            if following is None:
                # Too slow for the log: what it missed is gone.
                number = self._log.newest
                yield message("change", resync(self._store.version), cursor=self._cursor(number))
                continue
            for body in following:
                number += 1
                yield b"id: %s\n%s" % (self._cursor(number).encode(), body)
            try:
                await asyncio.wait_for(woken.wait(), HEARTBEAT_SECS)
            except TimeoutError:
                yield b": still here\n\n"

    def _cursor(self, number: int) -> str:
        return f"{self._mark}-{number}"

    def _number_of(self, since: str | None) -> int | None:
        """The number in a cursor that this server gave out and can go on from."""
        mark, _, text = (since or "").partition("-")
        if mark != self._mark or not (text.isascii() and text.isdigit()) or len(text) > 15:
            return None
        return int(text) if self._log.oldest - 1 <= int(text) <= self._log.newest else None

    def _listen(self) -> None:
        loading = True
        try:
            while not self._closing.is_set():
                loading = self._report_progress() if loading else False
                delta = self._subscription.get(PROGRESS_SECS if loading else IDLE_SECS)
                if delta is not None:
                    # Before pages hear of it: what they ask for then must have it.
                    self.announced.note(delta)
                    change = change_of(delta)
                    self._call(self._append, message("change", change))
                    self._closing.wait(PACE_SECS if len(change["appended"]) <= CROWD else CROWDED_PACE_SECS)
        finally:
            self._subscription.close()

    def _report_progress(self) -> bool:
        progress = self._store.progress()
        self._call(self._say, "progress", asdict(progress))
        return progress.loading

    def _call(self, function: Any, *arguments: Any) -> None:
        # The loop may be gone already when the server ends: then nobody listens any more.
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(function, *arguments)

    # On the event loop

    def _append(self, body: bytes) -> None:
        self._log.append(body)
        self._wake()

    def _say(self, event: str, content: dict[str, Any]) -> None:
        body = message(event, content)
        if self._latest.get(event) != body:
            # A new dict: streams may be going through the old one.
            self._latest = {**self._latest, event: body}
            self._wake()

    def _wake(self) -> None:
        woken, self._woken = self._woken, asyncio.Event()
        woken.set()


class Announced:
    """What pages were told so far, written by the listening thread and read by those that answer."""

    def __init__(self) -> None:
        self.version = 0
        self._told_at = 0.0
        self._everything = 0
        self._tags: dict[Tag, int] = {}

    def note(self, delta: Delta) -> None:
        if delta.runs_added or delta.runs_removed or delta.runs_reset:
            self._everything = delta.version
        for tags in delta.appended.values():
            self._tags.update(dict.fromkeys(tags, delta.version))
        self.version = delta.version
        self._told_at = time.monotonic()

    def covers(self, tag: Tag, version: int, store_version: int) -> bool:
        """Whether an answer about a tag that was made at `version` has all that anybody was told of."""
        return self._is_current(store_version) and version >= max(self._everything, self._tags.get(tag, 0))

    def covers_all(self, version: int, store_version: int) -> bool:
        """The same for an answer about everything."""
        return self._is_current(store_version) and version >= self.version

    def _is_current(self, store_version: int) -> bool:
        # What nobody was told yet may come a moment later, but only a moment.
        return self.version == store_version or time.monotonic() - self._told_at < CURRENT_SECS


class MessageLog:
    """The newest messages, numbered from 1."""

    def __init__(self) -> None:
        self._messages: deque[bytes] = deque()
        self._bytes = 0
        self.newest = 0

    @property
    def oldest(self) -> int:
        return self.newest - len(self._messages) + 1

    def append(self, body: bytes) -> None:
        self._messages.append(body)
        self._bytes += len(body)
        self.newest += 1
        while len(self._messages) > LOG_MESSAGES or (self._bytes > LOG_BYTES and len(self._messages) > 1):
            self._bytes -= len(self._messages.popleft())

    def after(self, number: int) -> list[bytes] | None:
        """Those behind `number`; None when some of them are gone."""
        if number < self.oldest - 1:
            return None
        count = self.newest - number
        return [self._messages[at] for at in range(len(self._messages) - count, len(self._messages))]


def message(event: str, content: dict[str, Any], *, cursor: str | None = None) -> bytes:
    head = f"id: {cursor}\n" if cursor is not None else ""
    return b"%sevent: %s\ndata: %s\n\n" % (head.encode(), event.encode(), json_bytes(content))


def resync(version: int) -> dict[str, Any]:
    """Ask for everything again."""
    return change_of(Delta(version=version)) | {"resync": True, "complete": False}


def change_of(delta: Delta) -> dict[str, Any]:
    """What changed, with the new points as far as there is room for them."""
    appended, complete = carried(delta)
    return {
        "version": delta.version,
        "runs_added": sorted(delta.runs_added),
        "runs_removed": sorted(delta.runs_removed),
        "runs_reset": sorted(delta.runs_reset),
        "resync": bool(delta.runs_added or delta.runs_removed or delta.runs_reset),
        "tags": sorted({tag for tags in delta.appended.values() for tag in tags}),
        "appended": appended,
        "complete": complete,
        "payloads": [
            {"run": run, "kind": kind, "tag": tag, "count": count}
            for run, keys in delta.payloads.items()
            for (kind, tag), count in keys.items()
        ],
    }


def carried(delta: Delta) -> tuple[list[dict[str, Any]], bool]:
    """The smallest series first: most charts of a big delta then need not ask."""
    entries: list[dict[str, Any]] = []
    room = MAX_POINTS
    for run, tag, rows in sorted(all_rows(delta), key=lambda entry: len(entry[2].steps)):
        room -= len(rows.steps)
        if room < 0:
            return entries, False
        entries.append(
            {
                "run": run,
                "tag": tag,
                "start": rows.start,
                "steps": rows.steps.tolist(),
                "walls": rows.walls.tolist(),
                "values": rows.values.tolist(),
            }
        )
    return entries, True


def all_rows(delta: Delta) -> Iterator[tuple[RunName, Tag, ScalarRows]]:
    for run, tags in delta.appended.items():
        for tag, rows in tags.items():
            yield run, tag, rows
