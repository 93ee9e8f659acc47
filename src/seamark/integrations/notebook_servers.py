"""Servers that notebooks start: processes of their own, noted in the user's runtime directory to be found again."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

START_SECS = 60.0
STOP_SECS = 5.0
ANSWER_SECS = 3.0
LOOK_SECS = 0.05
ADDRESS = re.compile(r"http://\S+")
# Not to be passed on: what a notebook's proxy calls a port is not where the server listens.
PROXY_ADDRESS = "TENSORBOARD_PROXY_URL"

# Processes this kernel has started: one that has ended stays in the system's table until it is asked about.
_children: dict[int, subprocess.Popen[bytes]] = {}


class ServerError(RuntimeError):
    """A server could not be started or found; the message is one sentence for the user."""


@dataclass(frozen=True)
class Server:
    """A running server, and the flags it was started with."""

    pid: int
    port: int
    path_prefix: str
    logdir: str
    flags: tuple[str, ...]
    folder: str  # relative paths in the flags begin here
    host: str = "127.0.0.1"
    token: str = ""

    @property
    def address(self) -> str:
        """For a browser on this machine."""
        name = "localhost" if self.host == "127.0.0.1" else self.host
        return f"http://{name}:{self.port}{self.path_prefix}/" + (f"?token={self.token}" if self.token else "")

    def is_answering(self) -> bool:
        """Whether this very server answers, and not somebody who has taken its port since."""
        return answer_of(self) is not None

    def _ipython_display_(self) -> None:
        from seamark.integrations.notebook import display

        display(self)


def started(flags: Sequence[str], *, added: Sequence[str] = ()) -> Server:
    """A server with these flags: one that is running, or a new one. `added` flags do not tell servers apart."""
    given = tuple(flags)
    for server in running():
        if (server.logdir, same_part(server.flags)) == (logdir_of(given), same_part(given)):
            return server
    return launch(given, added)


def running() -> list[Server]:
    """Every server that a notebook of this user has started and that still answers. Forgets those that have ended."""
    found = []
    for path, server in _noted():
        if not _is_alive(server.pid):
            _forget(path)
        elif server.is_answering():
            found.append(server)
    return sorted(found, key=lambda server: server.port)


def stop(server: Server) -> None:
    """Ends a server and waits until it is gone."""
    if server.is_answering():
        with suppress(ProcessLookupError):
            os.kill(server.pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECS
    while _is_alive(server.pid) and server.is_answering() and time.monotonic() < deadline:
        time.sleep(LOOK_SECS)
    child = _children.get(server.pid)
    if child is not None:
        with suppress(subprocess.TimeoutExpired):
            child.wait(STOP_SECS)
    _forget(_note_path(server.pid))


def launch(flags: tuple[str, ...], added: Sequence[str]) -> Server:
    words = [*flags, *added, *([] if has_flag(flags, "--port") else ["--port", "0"])]
    folder = runtime_dir()
    log = folder / f"starting-{os.getpid()}-{time.monotonic_ns()}.log"
    environment = {name: value for name, value in os.environ.items() if name != PROXY_ADDRESS}
    # A session of its own: interrupting a cell must not end the server.
    apart: dict[str, Any] = {"start_new_session": True} if os.name != "nt" else {"creationflags": 0x00000208}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "seamark", "serve", *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment,
            **apart,
        )
    _children[process.pid] = process
    try:
        address = _announced(process, log)
    except BaseException:
        process.kill()
        process.wait()
        log.unlink(missing_ok=True)
        raise
    server = _server_at(address, process.pid, flags)
    log.replace(folder / f"server-{process.pid}.log")
    beside = folder / f"server-{process.pid}.unfinished"
    beside.write_text(json.dumps(asdict(server)), encoding="utf-8")
    beside.replace(_note_path(process.pid))
    return server


def _announced(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_SECS
    while True:
        is_over = process.poll() is not None
        text = log.read_text(encoding="utf-8", errors="replace")
        found = ADDRESS.search(text)
        if found and text.endswith("\n"):
            return found[0]
        if is_over:
            said = text.strip().splitlines()
            raise ServerError(said[-1] if said else f"the server ended with code {process.returncode}")
        if time.monotonic() > deadline:
            raise ServerError(f"the server has not said where it is within {START_SECS:.0f} s")
        time.sleep(LOOK_SECS)


def _server_at(address: str, pid: int, flags: tuple[str, ...]) -> Server:
    parts = urlsplit(address)
    host = value_of(flags, "--host") or "localhost"
    is_here = has_flag(flags, "--bind_all") or host in ("localhost", "0.0.0.0", "::")
    return Server(
        pid=pid,
        port=parts.port or 0,
        path_prefix=parts.path.rstrip("/"),
        logdir=logdir_of(flags),
        flags=flags,
        folder=str(Path.cwd()),
        host="127.0.0.1" if is_here else host,
        token=parse_qs(parts.query).get("token", [""])[0],
    )


def answer_of(server: Server) -> dict[str, Any] | None:
    address = f"http://{server.host}:{server.port}{server.path_prefix}/api/progress"
    request = Request(address, headers={"Authorization": f"Bearer {server.token}"} if server.token else {})
    try:
        # Not through a proxy, whatever the environment says: it is on this machine.
        with build_opener(ProxyHandler({})).open(request, timeout=ANSWER_SECS) as answer:
            found = json.load(answer)
    except (URLError, OSError, ValueError):
        return None
    return found if isinstance(found, dict) and "roots" in found else None


# Flags


def has_flag(flags: Sequence[str], name: str) -> bool:
    return any(flag == name or flag.startswith(f"{name}=") for flag in flags)


def value_of(flags: Sequence[str], name: str) -> str:
    """What a flag was given, as `--flag value` or `--flag=value`; "" when it was not."""
    for at, flag in enumerate(flags):
        if flag == name and at + 1 < len(flags):
            return flags[at + 1]
        if flag.startswith(f"{name}="):
            return flag.partition("=")[2]
    return ""


def logdir_of(flags: Sequence[str]) -> str:
    """Which runs are meant; of a plain folder, wherever the kernel works, its whole path."""
    text = value_of(flags, "--logdir") or value_of(flags, "--logdir_spec")
    is_plain = text and not any(mark in text for mark in ",:*?[")
    return str(Path(text).expanduser().resolve()) if is_plain else f"{Path.cwd()} {text}"


def same_part(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags without the log directory, which may be spelled in several ways."""
    rest: list[str] = []
    words = iter(flags)
    for flag in words:
        if flag == "--logdir":
            next(words, None)
        elif not flag.startswith("--logdir="):
            rest.append(flag)
    return tuple(rest)


# Notes


def runtime_dir() -> Path:
    """A folder that only this user can look into: notes hold the tokens of servers."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    folder = Path(base) / "seamark" if base and Path(base).is_dir() else Path(tempfile.gettempdir()) / f"seamark-{user}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if hasattr(os, "getuid"):
        about = folder.lstat()
        if folder.is_symlink() or about.st_uid != os.getuid() or about.st_mode & 0o077:
            raise ServerError(f"this folder is open to others, remove it or set XDG_RUNTIME_DIR: '{folder}'")
    return folder


def _note_path(pid: int) -> Path:
    return runtime_dir() / f"server-{pid}.json"


def _noted() -> Iterator[tuple[Path, Server]]:
    for path in sorted(runtime_dir().glob("server-*.json")):
        try:
            server = Server(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            continue  # another version's, or half a file
        yield path, replace(server, flags=tuple(server.flags))


def _forget(path: Path) -> None:
    for gone in (path, path.with_suffix(".log")):
        gone.unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    child = _children.get(pid)
    if child is not None:
        return child.poll() is None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
