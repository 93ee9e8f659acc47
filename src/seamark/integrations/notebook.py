"""Seamark in a notebook: `%load_ext seamark`, then `%seamark --logdir runs` shows the page in the cell.

The page comes from a server of its own, found again or started; see docs/notebooks.md.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import Any

from seamark.integrations import notebook_page, notebook_servers
from seamark.integrations.notebook_page import HEIGHT, has_flag
from seamark.integrations.notebook_servers import Server, ServerError

USAGE = """%seamark --logdir DIR [flags]   shows the runs in DIR; every flag of `seamark serve`, and --height PIXELS
%seamark list                   the servers that are running
%seamark stop [PORT | all]      stops one of them, the only one, or all"""


def load_ipython_extension(ipython: Any) -> None:
    """Called by `%load_ext seamark`."""
    ipython.register_magic_function(magic, magic_kind="line", magic_name="seamark")


def unload_ipython_extension(ipython: Any) -> None:
    ipython.magics_manager.magics["line"].pop("seamark", None)


def magic(line: str) -> None:
    """%seamark --logdir DIR shows the runs in DIR. %seamark list, %seamark stop."""
    words = shlex.split(line)
    try:
        if not words or words[0] in ("-h", "--help", "help"):
            print(USAGE)
        elif words[0] == "list":
            print_servers()
        elif words[0] == "stop":
            stop(words[1] if len(words) > 1 else "")
        else:
            height, flags = taken_height(words[1:] if words[0] == "serve" else words)
            display(start(flags), height=height)
    except (ServerError, ValueError) as error:
        print(str(error), file=sys.stderr)


def start(flags: str | Sequence[str]) -> Server:
    """Returns the server for these flags; starts one if none is running. As the last line of a cell, it shows its page.

    `flags` as on the command line: "--logdir runs".
    """
    words = shlex.split(flags) if isinstance(flags, str) else [str(flag) for flag in flags]
    return notebook_servers.started(words, added=notebook_page.surroundings(words))


def display(server: Server | None = None, *, height: int = HEIGHT) -> None:
    """Shows a server's page in the cell; without one, that of the only running server."""
    notebook_page.show(chosen("") if server is None else server, height=height)


def list_servers() -> tuple[Server, ...]:
    """The running servers of this user's notebooks, by port."""
    return tuple(notebook_servers.running())


def stop(which: Server | str | int = "") -> None:
    """Stops a server, given as a Server or a port; without an argument the only one; "all" stops all."""
    if which == "all":
        for server in list_servers():
            notebook_servers.stop(server)
    else:
        notebook_servers.stop(which if isinstance(which, Server) else chosen(str(which)))


def print_servers() -> None:
    servers = list_servers()
    for server in servers:
        print(f"port {server.port}  {server.logdir}  {server.address}  (process {server.pid})")
    if not servers:
        print("no server is running; %seamark --logdir runs starts one")


def chosen(port: str) -> Server:
    servers = list_servers()
    found = [server for server in servers if not port or str(server.port) == port]
    if len(found) == 1:
        return found[0]
    ports = ", ".join(str(server.port) for server in servers)
    if not servers:
        raise ServerError("no server is running; %seamark --logdir runs starts one")
    raise ServerError(f"name the server by its port: there are {ports}" + (f", not {port}" if port else ""))


def taken_height(words: Sequence[str]) -> tuple[int, Sequence[str]]:
    """Splits off --height, which is for the cell; all other flags are for the server."""
    text = notebook_servers.value_of(words, "--height")
    if not has_flag(words, "--height"):
        return HEIGHT, words
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"--height is a number of pixels, got '{text}'")
    at = next(at for at, word in enumerate(words) if word.split("=")[0] == "--height")
    return int(text), [*words[:at], *words[at + (1 if "=" in words[at] else 2) :]]


# Defined last, because it hides the built-in type.
list = list_servers
