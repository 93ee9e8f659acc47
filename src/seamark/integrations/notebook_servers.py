"""Server processes that notebooks start. Each has a file in the user's runtime directory, so that it is found again."""

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

from seamark.integrations import notebook_page
from seamark.integrations.notebook_page import PROXY_ADDRESS, has_flag

START_SECS = 60.0
STOP_SECS = 5.0
ANSWER_SECS = 3.0
LOOK_SECS = 0.05
ADDRESS = re.compile(r"http://\S+")

# Processes that this kernel has started; an ended one stays a zombie until it is waited for.
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
    folder: str  # relative paths in the flags start here
    host: str = "127.0.0.1"
    token: str = ""

    @property
    def address(self) -> str:
        """The address for a browser on this machine."""
        name = "localhost" if self.host == "127.0.0.1" else self.host
        return f"http://{name}:{self.port}{self.path_prefix}/" + (f"?token={self.token}" if self.token else "")

    def is_answering(self) -> bool:
        """True if this server responds, and not another one that has got its port since."""
        return answer_of(self) is not None

    def _ipython_display_(self) -> None:
        notebook_page.show(self)


def started(flags: Sequence[str], *, added: Sequence[str] = ()) -> Server:
    """Returns a running server with these flags, or starts one. `added` flags are not compared."""
    given = tuple(flags)
    for server in running():
        if (server.logdir, same_part(server.flags)) == (logdir_of(given), same_part(given)):
            return server
    return launch(given, added)


def running() -> list[Server]:
    """All running servers of this user's notebooks. Removes the files of those that have ended."""
    found = []
    for path, server in _noted():
        if not _is_alive(server.pid):
            _forget(path)
        elif server.is_answering():
            found.append(server)
    return sorted(found, key=lambda server: server.port)


def stop(server: Server) -> None:
    """Stops a server and waits until it has ended."""
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
    # In a new session: interrupting a cell must not stop the server.
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "seamark", "serve", *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
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
            lines = text.strip().splitlines()
            raise ServerError(lines[-1] if lines else f"the server ended with code {process.returncode}")
        if time.monotonic() > deadline:
            raise ServerError(f"the server did not start within {START_SECS:.0f} s")
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
        # Never through a proxy: the server is on this machine.
        with build_opener(ProxyHandler({})).open(request, timeout=ANSWER_SECS) as answer:
            found = json.load(answer)
    except (URLError, OSError, ValueError):
        return None
    return found if isinstance(found, dict) and "roots" in found else None


# Flags


def value_of(flags: Sequence[str], name: str) -> str:
    """The value of `--flag value` or `--flag=value`; "" without one."""
    for at, flag in enumerate(flags):
        if flag == name and at + 1 < len(flags):
            return flags[at + 1]
        if flag.startswith(f"{name}="):
            return flag.partition("=")[2]
    return ""


def logdir_of(flags: Sequence[str]) -> str:
    """The log directory; a plain folder as an absolute path."""
    text = value_of(flags, "--logdir") or value_of(flags, "--logdir_spec")
    is_plain = text and not any(mark in text for mark in ",:*?[")
    return str(Path(text).expanduser().resolve()) if is_plain else f"{Path.cwd()} {text}"


def same_part(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags without the log directory, which can be written in several ways."""
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
    """A folder that only this user can read: the files contain the tokens of servers."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = (
        Path(base) / "seamark"
        if base and Path(base).is_dir()
        else Path(tempfile.gettempdir()) / f"seamark-{os.getuid()}"
    )
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
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
            continue  # of another version, or incomplete
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
