"""Shows a server's page in a notebook's cell, wherever the notebook itself is shown."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

HEIGHT = 800
# Not passed to the server: the notebook's proxy port is not the port it listens on.
PROXY_ADDRESS = "TENSORBOARD_PROXY_URL"
# The origins of pages that embed a cell's output, if they are not on this machine.
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


class PageServer(Protocol):
    @property
    def port(self) -> int: ...
    @property
    def path_prefix(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def address(self) -> str: ...


def show(server: PageServer, *, height: int = HEIGHT) -> None:
    page = import_module("IPython.display")
    if is_colab():
        path = f"{server.path_prefix}/" + (f"?token={server.token}" if server.token else "")
        script = COLAB_SCRIPT % {"port": server.port, "path": json.dumps(path), "height": int(height)}
        page.display(page.Javascript(script))
    else:
        page.display(page.IFrame(page_address(server), width="100%", height=int(height)))


def surroundings(words: Sequence[str]) -> Sequence[str]:
    """The flags that allow the page to be embedded here, unless the user sets them."""
    framing: tuple[str, ...] = ("local",)
    hosts: tuple[str, ...] = ()
    if is_colab():
        framing, hosts = COLAB_PAGES, ("*",)
    elif "VSCODE_PID" in os.environ or "VSCODE_CWD" in os.environ:
        framing = ("local", *VSCODE_PAGES)
    elif "JUPYTERHUB_SERVICE_PREFIX" in os.environ:
        # Browsers connect through the hub, whose name is unknown here; they cannot reach this machine's loopback.
        hosts = ("*",)
    elif proxied_base() is not None:
        hosts = (socket.gethostname(), urlsplit(str(jupyter_server().get("url", ""))).hostname or "")
    added = [] if has_flag(words, "--allow_framing") else ["--allow_framing", ",".join(framing)]
    named = ",".join(filter(None, hosts))
    return added if not named or has_flag(words, "--allow_host") else [*added, "--allow_host", named]


def page_address(server: PageServer) -> str:
    """The address for the browser: through a proxy if there is one, otherwise on this machine."""
    path = f"{server.path_prefix}/" + (f"?token={server.token}" if server.token else "")
    proxy = os.environ.get(PROXY_ADDRESS, "")
    if proxy:
        return proxy.replace("%PORT%", str(server.port)).rstrip("/") + path
    base = os.environ.get("JUPYTERHUB_SERVICE_PREFIX") or proxied_base()
    return f"{base.rstrip('/')}/proxy/{server.port}{path}" if base else server.address


def proxied_base() -> str | None:
    """The base URL of a remote Jupyter server with jupyter-server-proxy, or None."""
    about = jupyter_server()
    is_local = str(about.get("hostname", "localhost")) in ("localhost", "127.0.0.1", "::1")
    if is_local or find_spec("jupyter_server_proxy") is None:
        return None
    return str(about.get("base_url") or "/")


def jupyter_server() -> dict[str, Any]:
    """The description of the Jupyter server that started this kernel; empty if there is none."""
    try:
        folder = Path(import_module("jupyter_core.paths").jupyter_runtime_dir())
        found = json.loads((folder / f"jpserver-{os.environ['JPY_PARENT_PID']}.json").read_text(encoding="utf-8"))
    except (ImportError, KeyError, OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_colab() -> bool:
    return "google.colab" in sys.modules


def has_flag(flags: Sequence[str], name: str) -> bool:
    return any(flag == name or flag.startswith(f"{name}=") for flag in flags)
