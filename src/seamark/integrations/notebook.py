"""Seamark in a notebook: `%load_ext seamark`, then `%seamark --logdir runs` shows the page in the cell.

The page comes from a server of its own, found again or started; see docs/notebooks.md.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from seamark.integrations import notebook_servers
from seamark.integrations.notebook_servers import PROXY_ADDRESS, Server, ServerError, has_flag

HEIGHT = 800
USAGE = """%seamark --logdir DIR [flags]   shows the runs in DIR; every flag of `seamark serve`, and --height PIXELS
%seamark list                   the servers that are running
%seamark stop [PORT | all]      ends one of them, the only one, or all"""
# The pages around a cell's output, where they are not on this machine.
COLAB_PAGES = ("https://colab.research.google.com", "https://*.googleusercontent.com")
VSCODE_PAGES = ("vscode-webview:", "vscode-file:", "https://*.vscode-cdn.net")
COLAB_SCRIPT = """
(async () => {
  const address = await google.colab.kernel.proxyPort(%(port)s, {cache: true});
  const frame = document.createElement("iframe");
  frame.src = new URL(%(path)s, address).href;
  frame.width = "100%%";
  frame.height = %(height)s;
  frame.style.border = "0";
  document.querySelector("#output-area").appendChild(frame);
})();
"""


def load_ipython_extension(ipython: Any) -> None:
    """What `%load_ext seamark` calls."""
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
    """The server for these flags, running already or started now. As the last line of a cell it shows its page.

    `flags` as on the command line: "--logdir runs".
    """
    words = shlex.split(flags) if isinstance(flags, str) else [str(flag) for flag in flags]
    return notebook_servers.started(words, added=surroundings(words))


def display(server: Server | None = None, *, height: int = HEIGHT) -> None:
    """Shows a server's page in the cell; without one, that of the only server that is running."""
    shown = chosen("") if server is None else server
    show = import_module("IPython.display")
    if is_colab():
        path = f"{shown.path_prefix}/" + (f"?token={shown.token}" if shown.token else "")
        script = COLAB_SCRIPT % {"port": shown.port, "path": json.dumps(path), "height": int(height)}
        show.display(show.Javascript(script))
    else:
        show.display(show.IFrame(page_address(shown), width="100%", height=int(height)))


def list_servers() -> tuple[Server, ...]:
    """The servers that notebooks of this user have started and that still answer, by port."""
    return tuple(notebook_servers.running())


def stop(which: Server | str | int = "") -> None:
    """Ends a server, given as such or by its port; without one the only one there is; "all" ends them all."""
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
    raise ServerError(f"say which server by its port: there are {ports}" + (f", not {port}" if port else ""))


def taken_height(words: Sequence[str]) -> tuple[int, Sequence[str]]:
    """--height is the cell's, everything else the server's."""
    text = notebook_servers.value_of(words, "--height")
    if not has_flag(words, "--height"):
        return HEIGHT, words
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"--height is a number of pixels, got '{text}'")
    at = next(at for at, word in enumerate(words) if word.split("=")[0] == "--height")
    return int(text), [*words[:at], *words[at + (1 if "=" in words[at] else 2) :]]


# Where the notebook is shown


def surroundings(words: Sequence[str]) -> Sequence[str]:
    """Flags that let the page be shown around here, unless the user says something else."""
    framing: tuple[str, ...] = ("local",)
    hosts: tuple[str, ...] = ()
    if is_colab():
        framing, hosts = COLAB_PAGES, ("*",)
    elif "VSCODE_PID" in os.environ or "VSCODE_CWD" in os.environ:
        framing = ("local", *VSCODE_PAGES)
    elif "JUPYTERHUB_SERVICE_PREFIX" in os.environ:
        # Browsers come through the hub, whose name is not known here; they cannot reach this machine's loopback.
        hosts = ("*",)
    elif proxied_base() is not None:
        hosts = (socket.gethostname(), urlsplit(str(jupyter_server().get("url", ""))).hostname or "")
    added = [] if has_flag(words, "--allow_framing") else ["--allow_framing", ",".join(framing)]
    named = ",".join(filter(None, hosts))
    return added if not named or has_flag(words, "--allow_host") else [*added, "--allow_host", named]


def page_address(server: Server) -> str:
    """Where the browser finds the server: through a proxy where there is one, else on its own machine."""
    path = f"{server.path_prefix}/" + (f"?token={server.token}" if server.token else "")
    proxy = os.environ.get(PROXY_ADDRESS, "")
    if proxy:
        return proxy.replace("%PORT%", str(server.port)).rstrip("/") + path
    base = os.environ.get("JUPYTERHUB_SERVICE_PREFIX") or proxied_base()
    return f"{base.rstrip('/')}/proxy/{server.port}{path}" if base else server.address


def proxied_base() -> str | None:
    """The base of a Jupyter server that is asked over the network and has jupyter-server-proxy beside it."""
    about = jupyter_server()
    is_local = str(about.get("hostname", "localhost")) in ("localhost", "127.0.0.1", "::1")
    if is_local or find_spec("jupyter_server_proxy") is None:
        return None
    return str(about.get("base_url") or "/")


def jupyter_server() -> dict[str, Any]:
    """What the Jupyter server that started this kernel says about itself; empty where there is none."""
    try:
        folder = Path(import_module("jupyter_core.paths").jupyter_runtime_dir())
        found = json.loads((folder / f"jpserver-{os.environ['JPY_PARENT_PID']}.json").read_text(encoding="utf-8"))
    except (ImportError, KeyError, OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_colab() -> bool:
    return "google.colab" in sys.modules


# Named last: the functions above would otherwise take it for the type.
list = list_servers
