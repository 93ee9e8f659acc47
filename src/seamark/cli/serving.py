"""Runs the server for a started store: chooses where to listen, prints the URL, serves until Ctrl-C."""

from __future__ import annotations

import argparse
import gc
import os
import secrets
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from seamark.cli.arguments.run_source import database_root
from seamark.cli.opened_page import OpenedPage
from seamark.plugin import ModelOptions
from seamark.serve.app import Settings
from seamark.serve.server import ListenOptions, PortError, serve_store
from seamark.serve.state.state import State, default_state_dir
from seamark.store import LogRoot, RunStore


def serve_until_ended(
    store: RunStore,
    roots: Sequence[LogRoot],
    args: argparse.Namespace,
    *,
    beside: Callable[[], None] | None,
    page: OpenedPage | None = None,
    address: str = "",
) -> int:
    """`address` names a store that has no log directories."""
    try:
        options = listen_options(args)
    except ValueError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    state = State(state_dir_named(args.state_dir), roots or [database_root(address)])
    settings = Settings(
        path_prefix=args.path_prefix,
        window_title=args.window_title,
        samples_per_plugin=args.samples_per_plugin,
        framed_by=args.allow_framing,
        allow_delete=args.allow_delete,
        model_options=ModelOptions(
            allowed=tuple(args.allow_predict),
            timeout_secs=args.predict_timeout_secs,
            memory_mb=args.predict_memory_mb,
            truth=getattr(args, "truth", ""),
            positive=getattr(args, "positive", ""),
        ),
        reload_dashboards=args.reload_dashboards,
    )

    def announce(url: str) -> None:
        gc.freeze()  # the objects so far are not collected again
        gc.enable()
        sources = [root.address or short(root.path) for root in roots] or [address]
        names = page.title if page else ", ".join(f"'{source}'" for source in sources)
        forwarding = ssh_command(os.environ, port_in(url)) if options.is_local else ""
        # A notebook's proxy has an address of its own.
        url = os.environ.get("TENSORBOARD_PROXY_URL", "").replace("%PORT%", port_in(url)) or url
        url += f"#{page.fragment}" if page else ""
        settings_from = f"settings: {args.config_file}; " if args.config_file else ""
        print(f"Seamark shows {names} at {url}  ({settings_from}Ctrl-C stops it)", flush=True)
        if forwarding:
            print(f"To open it on your own machine, run there: {forwarding}", flush=True)
        if not options.is_local and options.token is None:
            print(
                f"Everybody who can reach {options.host} can read these runs and change their notes.", file=sys.stderr
            )
            if args.allow_delete:
                print("With --allow_delete they can delete them, too.", file=sys.stderr)
            if args.allow_predict:
                print("With --allow_predict they can run these models.", file=sys.stderr)
        if args.open:
            open_browser(url)
        if beside is not None:
            beside()

    try:
        serve_store(store, roots=roots, state=state, options=options, settings=settings, announce=announce)
    except PortError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    return 0


def listen_options(args: argparse.Namespace) -> ListenOptions:
    if args.host and args.bind_all:
        raise ValueError("give --host or --bind_all, not both")
    options = ListenOptions(
        host="::" if args.bind_all else args.host or "localhost", port=args.port, allowed_hosts=args.allow_host
    )
    if args.reload_dashboards and not options.is_local:
        raise ValueError("--reload_dashboards is for this machine only; leave out --host and --bind_all")
    if options.is_local or args.no_token:
        return options
    return ListenOptions(
        host=options.host, port=options.port, allowed_hosts=options.allowed_hosts, token=secrets.token_urlsafe(18)
    )


def state_dir_named(text: str | None) -> Path | None:
    if text is None:
        return default_state_dir()
    return None if text == "none" else Path(text)


def ssh_command(environment: Mapping[str, str], port: str) -> str:
    """Forwards the port to the machine from which somebody has signed in by ssh; "" if nobody has."""
    parts = environment.get("SSH_CONNECTION", "").split()
    # A notebook's proxy leads to the page without.
    if len(parts) != 4 or environment.get("TENSORBOARD_PROXY_URL"):
        return ""
    *_, server, ssh_port = parts
    user = environment.get("USER") or environment.get("LOGNAME")
    other_port = "" if ssh_port == "22" else f" -p {shlex.quote(ssh_port)}"
    target = shlex.quote(f"{user}@{server}" if user else server)
    return f"ssh{other_port} -L {port}:localhost:{port} {target}"


def open_browser(address: str) -> None:
    """In a thread: on some systems the call waits for the browser."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()


def port_in(address: str) -> str:
    from urllib.parse import urlsplit

    return str(urlsplit(address).port)


def short(path: Path) -> str:
    """Relative to the current folder if the path is below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
