"""The server as its users meet it: a cold start, lines that break, restarts, the network, and a Ctrl-C."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import wait_loaded
from tools.browser import announced_address

Served = tuple[subprocess.Popen[str], str]
TIMEOUT_SECS = 30
# Longer than a test waits for the end: a server that ends in time did not wait for this limit.
LONG_ENDING = f"import seamark.serve; seamark.serve.ENDING_SECS = {2 * TIMEOUT_SECS}"
ENDLESS_READING = """
import threading
from seamark.store.read.event_file import EventFile
EventFile.visit = lambda *_, **__: threading.Event().wait()
"""
# Sets `isConnected` in a page once the server answers its request for changes.
NOTE_OPEN = """
window.isConnected = false;
window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    this.addEventListener("open", () => (window.isConnected = true));
  }
};
"""


@contextlib.contextmanager
def started(logdir: Path, *flags: str, before: str = "", stderr: int | None = None) -> Iterator[Served]:
    """A server of its own process, which runs the code `before` it starts."""
    command = [sys.executable, "-c", f"{before}\nimport sys\nfrom seamark.cli import main\nsys.exit(main())"]
    command += ["--logdir", str(logdir), "--port", "0", "--index_dir", "none"]
    command += ["--state_dir", "none", "--config", "none", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
    try:
        yield process, announced_address(process.stdout, command)
    finally:
        process.kill()
        process.wait()


class Events:
    """A connection to /api/events that can be cut and taken up again, as a browser's EventSource does."""

    def __init__(self, address: str) -> None:
        self._host = urlsplit(address).netloc
        self.cursor = ""
        self._open()

    def _open(self) -> None:
        self._connection = http.client.HTTPConnection(self._host, timeout=TIMEOUT_SECS)
        headers = {"Last-Event-ID": self.cursor} if self.cursor else {}
        self._connection.request("GET", "/api/events", headers=headers)
        self._answer = self._connection.getresponse()

    def next(self) -> tuple[str, dict[str, Any]]:
        fields: dict[str, str] = {}
        while True:
            line = self._answer.readline().decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "data" in fields:
                self.cursor = fields.get("id", self.cursor)
                return fields["event"], json.loads(fields["data"])
            else:
                fields = {}

    def next_change(self) -> dict[str, Any]:
        while True:
            event, content = self.next()
            if event == "change":
                return content

    def break_off(self, address: str | None = None) -> None:
        self._connection.close()
        self._host = urlsplit(address).netloc if address else self._host
        self._open()


def wait_until_known(address: str, tag: str) -> None:
    while (
        f'"{tag}"'
        not in urllib.request.urlopen(f"{address}api/tags?kind=scalars", timeout=TIMEOUT_SECS).read().decode()
    ):
        time.sleep(0.05)


def number_of(cursor: str) -> int:
    return int(cursor.rpartition("-")[2])


def test_nothing_is_missed_or_doubled_over_broken_lines(tmp_path: Path) -> None:
    with EventFile(tmp_path / "a") as file, started(tmp_path) as (_, address):
        file.add_scalar("loss", 0.0, 0)
        file.flush()
        wait_loaded(address)
        events = Events(address)
        while events.next()[0] != "hello":
            pass
        chance = random.Random(1)
        for step in range(1, 120):
            file.add_scalar("loss", step / 2, step)
            file.flush()
            time.sleep(0.01)
            if chance.random() < 0.1:
                events.break_off()
        file.add_scalar("final", 1.0, 0)
        file.flush()
        number, tags = number_of(events.cursor), set[str]()
        while "final" not in tags:
            change = events.next_change()
            assert number_of(events.cursor) == number + 1
            number, tags = number + 1, set(change["tags"])
            if chance.random() < 0.3 and "final" not in tags:
                events.break_off()


def test_after_a_restart_a_page_is_told_to_ask_again(tmp_path: Path) -> None:
    with EventFile(tmp_path / "a") as file:
        file.add_scalar("loss", 1.0, 0)
    with started(tmp_path) as (_, address):
        wait_loaded(address)
        events = Events(address)
        while events.next()[0] != "hello":
            pass
    with started(tmp_path) as (_, address):
        events.break_off(address)
        assert events.next_change()["resync"] is True
        before = events.cursor
        # The run of before may be announced first.
        with EventFile(tmp_path / "b") as file:
            file.add_scalar("loss", 1.0, 0)
        while "b" not in events.next_change()["runs_added"]:
            pass
        assert events.cursor != before


def test_a_state_changed_by_one_page_is_told_to_another(tmp_path: Path) -> None:
    with started(tmp_path) as (_, address):
        events = Events(address)
        body = json.dumps({"version": 0, "pins": ["loss"]}).encode()
        urllib.request.urlopen(
            urllib.request.Request(f"{address}api/state", body, method="PATCH"), timeout=TIMEOUT_SECS
        )
        while (message := events.next())[0] != "state":
            pass
        assert message[1] == {"version": 1}


def test_ctrl_c_ends_at_once_and_without_a_word_although_twenty_pages_listen(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        with EventFile(tmp_path / name) as file:
            for step in range(1000):
                file.add_scalar("loss", 1.0, step)
    with started(tmp_path, before=LONG_ENDING, stderr=subprocess.PIPE) as (process, address):
        pages = [Events(address) for _ in range(20)]
        for page in pages:
            page.next()
        wait_loaded(address)
        for path in (
            "api/series?tag=loss",
            "api/runs",
            "data/plugin/scalars/tags",
            "data/plugin/scalars/scalars?run=a&tag=loss",
        ):
            urllib.request.urlopen(address + path, timeout=TIMEOUT_SECS).read()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_SECS)
        assert (process.returncode, errors) == (0, "")


def test_the_page_is_there_at_once_however_much_there_is_to_read(tmp_path: Path) -> None:
    with EventFile(tmp_path / "run") as file:
        file.add_scalar("loss", 1.0, 0)
    with started(tmp_path, before=ENDLESS_READING) as (_, address):
        assert urllib.request.urlopen(address, timeout=TIMEOUT_SECS).read(1) == b"<"
        assert json.load(urllib.request.urlopen(f"{address}api/progress", timeout=TIMEOUT_SECS))["loading"]


def test_on_the_network_a_browser_gets_in_by_the_printed_address_and_stays(tmp_path: Path, browser: Browser) -> None:
    with started(tmp_path, "--host", "0.0.0.0") as (_, address):
        parts = urlsplit(address)
        assert parts.query.startswith("token=")
        base = f"http://127.0.0.1:{parts.port}/"
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{base}?{parts.query}#scalars")
        expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
        assert "token" not in page.url
        page.reload()
        expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
        (cookie,) = context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        stranger = browser.new_context().new_page()
        answer = stranger.goto(base)
        assert answer is not None and answer.status == 401
        expect(stranger.get_by_role("heading", name="This page needs its token")).to_be_visible()
        # From a link on another site: the cookie is strict, and yet one gets in.
        visitor = browser.new_context().new_page()
        visitor.route(
            "http://elsewhere.invalid/",
            lambda route: route.fulfill(body=f'<a href="{base}?{parts.query}">runs</a>', content_type="text/html"),
        )
        visitor.goto("http://elsewhere.invalid/")
        visitor.get_by_role("link", name="runs").click()
        expect(visitor.get_by_role("heading", name="No runs yet")).to_be_visible()
        assert "token" not in visitor.url


def test_a_hidden_tab_closes_its_connection_and_resumes_when_shown(tmp_path: Path, browser: Browser) -> None:
    # A browser opens at most six connections to a server: if each tab kept one, the seventh would not load.
    look = "hidden => { Object.defineProperty(document, 'hidden', {get: () => hidden, configurable: true}); document.dispatchEvent(new Event('visibilitychange')); }"
    with EventFile(tmp_path / "a") as file, started(tmp_path) as (_, address):
        file.add_scalar("loss", 1.0, 0)
        file.flush()
        wait_loaded(address)
        context = browser.new_context()
        tabs = []
        for _ in range(7):
            page = context.new_page()
            urls: list[str] = []
            page.on("request", lambda request, urls=urls: urls.append(request.url))
            page.add_init_script(NOTE_OPEN)
            page.goto(address)
            expect(page.get_by_role("article", name="loss", exact=True)).to_be_visible()
            page.wait_for_function("() => isConnected")
            page.evaluate(look, True)
            urls.clear()
            tabs.append((page, urls))
        file.add_scalar("later", 1.0, 1)
        file.flush()
        wait_until_known(address, "later")
        for page, urls in (tabs[0], tabs[-1]):
            page.evaluate(look, False)
            expect(page.get_by_role("article", name="later", exact=True)).to_be_visible()
            assert any("api/events?since=" in url for url in urls)
