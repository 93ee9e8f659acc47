"""A team server for tests of uploads: in a thread, or as a process that can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from seamark.serve import ENDING_SECS
from seamark.serve.http.hosts import host_check
from seamark.serve.server import ListenOptions, listen, make_url
from seamark.team.accounts.passwords import Passwords
from seamark.team.app import create_team_app
from seamark.team.serving import TeamServer, open_team
from seamark.team.settings import TeamFolder
from seamark.team.team import Team
from tools.browser import announced_address
from tools.in_process_team import CHEAP
from tools.team_folder import Tokens, create_team

JOIN_SECS = 60


@dataclass
class Served:
    url: str
    team: Team
    tokens: Tokens
    folder: TeamFolder

    @property
    def logs(self) -> Path:
        return self.folder.logs_dir(self.tokens.project_id)


@contextmanager
def served_team(path: Path, tokens: Tokens | None = None, *, port: int = 0) -> Iterator[Served]:
    """Serves a team in a thread; creates it if there are no `tokens` of an earlier one."""
    tokens = tokens or create_team(path)
    team = open_team(path, passwords=Passwords(CHEAP))
    listening = listen("localhost", port)
    app = create_team_app(team, is_allowed_host=host_check("localhost", has_token=True))
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=ENDING_SECS)
    server = TeamServer(config, team)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    try:
        yield Served(make_url(listening, ListenOptions(port=port)).rstrip("/"), team, tokens, TeamFolder(path))
    finally:
        team.projects.end_streams()
        server.should_exit = True
        thread.join(JOIN_SECS)
        listening.close()
        team.database.close()
        assert not thread.is_alive(), f"the server did not end within {JOIN_SECS} s"


class ServerProcess:
    """`seamark team serve` as a process on a port of its own."""

    def __init__(self, path: Path, port: int = 0, **options: object) -> None:
        command = [sys.executable, "-m", "seamark", "team", "serve", str(path), "--port", str(port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]
        self.url = announced_address(self._process.stdout, command).rstrip("/")
        self.pid = self._process.pid
        # Any response: the address is printed before the journal is replayed.
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(f"{self.url}/team/api/projects", timeout=JOIN_SECS).close()

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait(JOIN_SECS)
