"""Serve the runs of a log directory as a page in the browser.

This is what `seamark --logdir DIR` does. The page opens at once and fills while the runs are read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from seamark.cli.log_directory import index_dir_named
from seamark.serve.security import is_loopback_name
from seamark.serve.server import DEFAULT_PORT, PortTakenError, serve_store
from seamark.store import LogRoot, Store, parse_logdir, parse_logdir_spec


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("what to show")
    which.add_argument(
        "--logdir", metavar="DIR", help="folder with event files, or several: a,b or name:path or a pattern"
    )
    which.add_argument("--logdir_spec", metavar="NAME:DIR,…", help="several folders, each with a name for its runs")
    add_server_arguments(parser)


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of every command that ends in a server."""
    where = parser.add_argument_group("where to serve")
    where.add_argument(
        "--host", default="localhost", help="address to listen on (default: localhost, this machine only)"
    )
    where.add_argument(
        "--port", type=int, help=f"port to listen on; 0 takes any (default: {DEFAULT_PORT}, or the next free one)"
    )
    how = parser.add_argument_group("how to read")
    how.add_argument(
        "--reload_interval",
        type=float,
        default=5.0,
        metavar="SECS",
        help="how often to look where the file system reports no changes",
    )
    how.add_argument(
        "--index_dir", metavar="DIR", help="where to keep the index (default: the user's cache; none: in memory)"
    )


def run(args: argparse.Namespace) -> int:
    try:
        roots = roots_named(args.logdir, args.logdir_spec)
    except ValueError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    return show(roots, args)


def show(roots: Sequence[LogRoot], args: argparse.Namespace, *, beside: Callable[[], None] | None = None) -> int:
    """Serves until Ctrl-C. `beside` is called once the address is printed."""
    store = Store(roots, index_dir=index_dir_named(args.index_dir), reload_secs=args.reload_interval)

    def announce(address: str) -> None:
        names = ", ".join(f"'{short(root.path)}'" for root in roots)
        print(f"Seamark shows {names} at {address}  (Ctrl-C ends it)", flush=True)
        if not is_loopback_name(args.host):
            print(f"Everybody who can reach {args.host} can read these runs; see --host.", file=sys.stderr)
        if beside is not None:
            beside()

    try:
        serve_store(store, roots=roots, host=args.host, port=args.port, announce=announce)
    except PortTakenError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    return 0


def roots_named(logdir: str | None, logdir_spec: str | None) -> list[LogRoot]:
    if logdir and logdir_spec:
        raise ValueError("give --logdir or --logdir_spec, not both")
    if logdir:
        return parse_logdir(logdir)
    if logdir_spec:
        return parse_logdir_spec(logdir_spec)
    raise ValueError("no log directory given; say which: seamark --logdir runs")


def short(path: Path) -> str:
    """Relative to the current folder when that is shorter to read."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
