"""A team server as a process, with an admin, two projects and runs, for browser tests."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, BrowserContext, ConsoleMessage, Page, expect

from seamark import SummaryWriter
from tests.e2e.conftest import TIMEOUT_MS
from tools.browser import announced_address, end_process

PASSWORD = "correct horse battery"
ADMIN = "ada@lab.example"
RUNS = ("baseline", "wide", "slow")
STEPS = 50


@dataclass(frozen=True)
class TeamProcess:
    address: str  # ends without a slash
    code: str  # for the first admin
    folder: Path

    def set_up(self, request: APIRequestContext) -> None:
        """Creates the first admin, who is then signed in."""
        body = {"code": self.code, "email": ADMIN, "name": "Ada Lovelace", "password": PASSWORD}
        self.post(request, "setup", body)

    def post(self, request: APIRequestContext, path: str, body: Any) -> Any:
        address = f"{self.address}/team/api/{path}"
        response = request.post(address, data=body, headers={"origin": self.address})
        assert response.ok, response.text()
        return response.json()

    def add_project(self, request: APIRequestContext, name: str) -> None:
        self.post(request, "projects", {"organisation": "lab", "name": name})

    def write_runs(self, project: str) -> None:
        with sqlite3.connect(self.folder / "team.sqlite") as database:
            (project_id,) = database.execute("SELECT id FROM projects WHERE name = ?", (project,)).fetchone()
        for index, run in enumerate(RUNS):
            with SummaryWriter(self.folder / "projects" / project_id / "logs" / run) as writer:
                for step in range(STEPS):
                    writer.add_scalar("train/loss", 1 / (step + 1 + index), step)

    def invite(self, request: APIRequestContext, project: str, role: str) -> str:
        """Returns the link."""
        answer = self.post(request, f"projects/lab/{project}/invitations", {"role": role, "expires_days": 1})
        return str(answer["link"])

    def join(self, browser: Browser, link: str, *, email: str, name: str) -> BrowserContext:
        """Accepts an invitation as somebody new, who is then signed in."""
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        code = link.rsplit("/", 1)[1]
        body = {"email": email, "name": name, "password": PASSWORD}
        self.post(context.request, f"invitations/{code}/accept", body)
        return context

    def open(self, context: BrowserContext, path: str, logged: list[str]) -> Page:
        """A page that adds to `logged` what it writes to the console."""
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: logged.append(f"error: {error}"))

        def log(message: ConsoleMessage) -> None:
            if message.type != "verbose":
                logged.append(f"console: {message.text}")

        page.on("console", log)
        page.goto(self.address + path)
        return page


@contextmanager
def team_process(folder: Path) -> Iterator[TeamProcess]:
    subprocess.run([sys.executable, "-m", "seamark", "team", "init", str(folder)], check=True, capture_output=True)
    words = [sys.executable, "-m", "seamark", "team", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        address = announced_address(process.stdout, words)
        assert process.stdout is not None
        found = re.search(r"code: (\S+)", process.stdout.readline())
        assert found is not None
        yield TeamProcess(address.rstrip("/"), found[1], folder)
    finally:
        end_process(process)


def expect_chart(page: Page, tag: str) -> None:
    """A card has drawn its lines."""
    chart = page.get_by_role("article", name=tag).locator(".chart")
    expect(chart).to_have_attribute("data-drawn", re.compile("[1-9]"))
