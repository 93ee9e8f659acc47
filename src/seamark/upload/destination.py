"""Destination: which project of which team server runs are sent to, and with which token."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from seamark.format.user_dirs import user_config_dir
from seamark.upload.errors import SettingsError

SERVER_VARIABLE, TOKEN_VARIABLE, PROJECT_VARIABLE = "SEAMARK_SERVER", "SEAMARK_TOKEN", "SEAMARK_PROJECT"
TOKENS_FILE = "tokens.json"
PROJECT_PATTERN = re.compile(r"[a-z0-9_-]{1,64}/[a-z0-9_-]{1,64}")


class Destination(NamedTuple):
    server: str
    project: str  # organisation/name
    token: str

    @property
    def page(self) -> str:
        """Where people look at the project."""
        return f"{self.server}/p/{self.project}/"

    def __repr__(self) -> str:
        return f"Destination({self.server!r}, {self.project!r}, …)"  # without the token


def find_destination(server: str | None = None, project: str | None = None, *, needs_token: bool = True) -> Destination:
    """From the arguments, then the environment, then `seamark login`. Raises SettingsError.

    Without `needs_token` it may lack one, which is enough to note where a run is to be sent later.
    """
    address = check_server(server or os.environ.get(SERVER_VARIABLE) or only_server())
    wanted = project or os.environ.get(PROJECT_VARIABLE) or ""
    if not PROJECT_PATTERN.fullmatch(wanted):
        raise SettingsError(
            f"a project on a team server is organisation/name, got '{wanted}'; set {PROJECT_VARIABLE} or name it"
        )
    token = os.environ.get(TOKEN_VARIABLE) or read_tokens().get(address, "")
    if not token and needs_token:
        raise SettingsError(f"there is no token; set {TOKEN_VARIABLE}, or run seamark login {address}")
    if not token.isascii() or not token.isprintable():
        raise SettingsError(f"the token in {TOKEN_VARIABLE} has characters that no token has")
    return Destination(address, wanted, token)


def check_server(address: str) -> str:
    """Without a slash at its end. Raises SettingsError."""
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise SettingsError(f"want the address of a team server as in https://seamark.example.org, got '{address}'")
    return address.rstrip("/")


def only_server() -> str:
    """The server of `seamark login`, if there is exactly one."""
    known = list(read_tokens())
    if len(known) != 1:
        raise SettingsError(f"no server was named; set {SERVER_VARIABLE}, use --server, or run seamark login")
    return known[0]


def tokens_path() -> Path:
    return user_config_dir() / TOKENS_FILE


def read_tokens() -> dict[str, str]:
    """Server → token, as `seamark login` saved them."""
    try:
        found = json.loads(tokens_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def save_token(server: str, token: str) -> Path:
    """Only the user may read the file. Raises OSError."""
    path = tokens_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({**read_tokens(), server: token}, file, indent=1)
    new.replace(path)
    return path
