"""Live: a thread that subscribes to the store and sends its changes to every open page as server-sent events.

The `id` of a message is a cursor: a prefix that identifies this server, and a number that grows by one. A page that
reconnects with its last cursor gets exactly the messages after it. If those are gone, or the server was restarted, it
gets a change with `resync`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

from msgspec.structs import asdict

from seamark.serve.live.announced import AnnouncedVersions
from seamark.serve.live.list_changes import ListChanges
from seamark.serve.live.message_log import MessageLog
from seamark.serve.live.messages import change_json, format_message, resync_json
from seamark.store import RunStore

LOG = logging.getLogger(__name__)
HEARTBEAT_SECS = 15.0
JOIN_SECS = 1.0
PROGRESS_SECS = 0.2
IDLE_SECS = 1.0
# The pause between two messages: runs that log without a pause cause ten messages a second.
PAUSE_SECS = 0.1
# When more series grow at once, every page redraws and requests a lot: a longer pause, still below a second.
MANY_SERIES = 50
LONG_PAUSE_SECS = 0.3


class Live:
    """Call `start` on the event loop; `close` may be called from any thread and from a signal handler."""

    def __init__(self, store: RunStore, lists: ListChanges | None = None) -> None:
        self._store = store
        self._lists = lists
        self._cursor_prefix = secrets.token_hex(4)
        self._log = MessageLog()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._new_message = asyncio.Event()
        self._closing = threading.Event()
        self.announced = AnnouncedVersions()
        # Messages of which only the newest counts, by event name and audience.
        self._latest: dict[tuple[str, str], bytes] = {}
        self._audiences: Counter[str] = Counter()  # of the pages that are connected
        self._thread = threading.Thread(target=self._run, name="seamark-live", daemon=True)
        self._on_page: Callable[[], None] = lambda: None

    def on_page(self, listener: Callable[[], None]) -> None:
        """Calls `listener` whenever a page connects."""
        self._on_page = listener

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Not in the thread, so that the first page misses nothing.
        self._subscription = self._store.subscribe()
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._call_on_loop(self._wake)

    def join(self) -> None:
        """Waits for the thread after `close`."""
        if self._thread.is_alive():
            self._subscription.close()
            self._thread.join(JOIN_SECS)

    def announce_state(self, version: int) -> None:
        """Tells every page that the saved state has changed."""
        self.announce("state", {"version": version})

    def announce(self, event: str, content: dict[str, Any], *, audience: str = "") -> None:
        """Sends the newest `content` of an event to every page, or to those that connected with this audience."""
        self._call_on_loop(self._set_latest, event, content, audience)

    @property
    def cursor(self) -> str:
        """That of the newest message: a connection that passes it gets all that come after it."""
        return self._format_cursor(self._log.newest)

    @property
    def audiences(self) -> frozenset[str]:
        """Those of the pages that are connected; call it on the event loop."""
        return frozenset(self._audiences)

    def announce_modules(self, versions: dict[str, int]) -> None:
        """Tells every page which modules of dashboards have changed, by name."""
        self.announce("modules", versions)

    async def messages(self, since: str | None, audience: str = "") -> AsyncIterator[bytes]:
        """The messages for one page, until it disconnects or the server ends.

        The `audience` says whose page it is: messages for others are left out.
        """
        self._audiences[audience] += 1
        try:
            async with contextlib.aclosing(self._messages(since, audience)) as messages:
                async for message in messages:
                    yield message
        finally:
            self._audiences[audience] -= 1
            if not self._audiences[audience]:
                del self._audiences[audience]
                self._latest = {key: body for key, body in self._latest.items() if key[1] != audience or not audience}

    async def _messages(self, since: str | None, audience: str) -> AsyncGenerator[bytes]:
        self._on_page()
        # The page reconnects one second after a lost connection.
        yield b"retry: 1000\n\n"
        sent: dict[tuple[str, str], bytes] = {}
        number = self._parse_cursor(since)
        if number is None:
            number = self._log.newest
            event = "hello" if since is None else "change"
            content = {"cursor": self._format_cursor(number)} if since is None else resync_json(self._store.version)
            yield format_message(event, content, cursor=self._format_cursor(number))
        while not self._closing.is_set():
            # Read before the log: a message that arrives while this one is being sent sets this event.
            new_message = self._new_message
            for key, latest in self._latest.items():
                if key[1] in ("", audience) and sent.get(key) != latest:
                    sent[key] = latest
                    yield latest
            following = self._log.after(number)
            if following is None:
                # The page is too slow: messages that it has not received are no longer in the log.
                number = self._log.newest
                yield format_message("change", resync_json(self._store.version), cursor=self._format_cursor(number))
                continue
            for body in following:
                number += 1
                yield b"id: %s\n%s" % (self._format_cursor(number).encode(), body)
            try:
                await asyncio.wait_for(new_message.wait(), HEARTBEAT_SECS)
            except TimeoutError:
                yield b": heartbeat\n\n"

    def _format_cursor(self, number: int) -> str:
        return f"{self._cursor_prefix}-{number}"

    def _parse_cursor(self, since: str | None) -> int | None:
        """The number in a cursor of this server whose following messages are all in the log."""
        prefix, _, text = (since or "").partition("-")
        if prefix != self._cursor_prefix or not (text.isascii() and text.isdigit()) or len(text) > 15:
            return None
        return int(text) if self._log.oldest - 1 <= int(text) <= self._log.newest else None

    # On the live thread

    def _run(self) -> None:
        try:
            self._send_changes()
        except Exception:
            LOG.exception("live updates have stopped; pages show new points only after a reload")
        finally:
            self._subscription.close()

    def _send_changes(self) -> None:
        is_loading = True
        while not self._closing.is_set():
            if is_loading:
                is_loading = self._send_progress()
            delta = self._subscription.get(PROGRESS_SECS if is_loading else IDLE_SECS)
            if delta is not None:
                # During the first reading nearly everything changes: pages request whole lists at their own pace.
                lists = None if is_loading or self._lists is None else self._lists.since(delta)
                # After the lists, which may have tags that no delta has named yet and are not sent again: a whole list
                # from before may lack them. Before pages receive it: the responses to their next requests must have it.
                self.announced.update(delta)
                self._call_on_loop(self._append, format_message("change", change_json(delta, lists)))
                grown = sum(map(len, delta.scalars.values()))
                self._closing.wait(PAUSE_SECS if grown <= MANY_SERIES else LONG_PAUSE_SECS)

    def _send_progress(self) -> bool:
        progress = self._store.progress()
        if not progress.loading and self._lists is not None:
            # Before pages receive it: they then request whole lists, to which every later change is added.
            self._lists.start()
            self.announced.invalidate_lists()
        self._call_on_loop(self._set_latest, "progress", asdict(progress))
        return progress.loading

    def _call_on_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        if self._loop is None:
            return
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # the loop is closed: the server ends and no page is connected
            LOG.debug("no event loop for %s", function.__name__)

    # On the event loop

    def _append(self, body: bytes) -> None:
        self._log.append(body)
        self._wake()

    def _set_latest(self, event: str, content: dict[str, Any], audience: str = "") -> None:
        body = format_message(event, content)
        if self._latest.get((event, audience)) != body:
            # A new dict: streams may be iterating over the old one.
            self._latest = {**self._latest, (event, audience): body}
            self._wake()

    def _wake(self) -> None:
        event, self._new_message = self._new_message, asyncio.Event()
        event.set()
