"""Serve the runs of a log directory as a page in the browser.

`seamark --logdir DIR` is short for it. The page opens at once and fills while the runs are read.
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from seamark.cli.arguments import models, tensorboard_flags
from seamark.cli.arguments.config_file import add_config
from seamark.cli.arguments.log_directory import index_dir_named
from seamark.cli.arguments.parser import LOGDIR_HELP, add_folder
from seamark.cli.opened_page import OpenedPage
from seamark.clickhouse.address import is_address, parse_address
from seamark.serve import DEFAULT_PORT, ENDING_SECS
from seamark.store import LogRoot, Store, parse_logdir, parse_logdir_spec

SWITCH_SECS = 0.001


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("what to show")
    add_folder(which)
    which.add_argument("--logdir", metavar="DIR", help=LOGDIR_HELP)
    which.add_argument("--logdir_spec", metavar="NAME:DIR,…", help="several folders, each with a name for its runs")
    which.add_argument(
        "--store", metavar="clickhouse://…", help="show the runs of a ClickHouse database instead of a log directory"
    )
    which.add_argument("--inspect", action="store_true", help="print what is in the log directory and exit")
    which.add_argument("--tag", metavar="TAG", help="with --inspect: only this tag")
    which.add_argument("--event_file", metavar="FILE", help="with --inspect: the folder of this file")
    which.add_argument("--version_tb", action="store_true", help="print the version and exit")
    add_server_arguments(parser)
    tensorboard_flags.add_arguments(parser)


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of every command that starts a server."""
    where = parser.add_argument_group("where to serve")
    where.add_argument("--host", help="address to listen on (default: localhost, this machine only)")
    where.add_argument("--bind_all", action="store_true", help="listen on every network interface")
    where.add_argument(
        "--port",
        type=port_number,
        help=f"port to listen on; 0 takes any (default: {DEFAULT_PORT}, or the next free one)",
    )
    where.add_argument("--path_prefix", type=prefix, default="", metavar="/PATH", help="serve under this path")
    where.add_argument("--no_token", action="store_true", help="let in everybody who can reach the server")
    where.add_argument(
        "--allow_host",
        type=names,
        default=(),
        metavar="NAME,…",
        help="further host names that requests may use (proxies)",
    )
    where.add_argument(
        "--allow_framing",
        type=origins,
        default=(),
        metavar="ORIGIN,…",
        help="origins whose pages may show this one in a frame; local: every page of this machine (notebooks)",
    )
    where.add_argument(
        "--allow_delete", action="store_true", help="let pages move runs to the trash folder, or delete them for good"
    )
    models.add_allow_predict(where, "--allow_predict", "let pages run this model, or call this address")
    models.add_limits(where)
    where.add_argument(
        "--reload_dashboards",
        action="store_true",
        help="load the view of a package's dashboard again when its file changes, while you develop it",
    )
    where.add_argument("--open", action="store_true", help="open the page in a browser")
    where.add_argument("--window_title", default="", metavar="TITLE", help="title of the browser window")
    how = parser.add_argument_group("how to read")
    how.add_argument(
        "--reload_interval",
        type=float,
        default=5.0,
        metavar="SECS",
        help="how often to look for changes where the file system does not report them; 0: read once (default: 5)",
    )
    how.add_argument(
        "--max_reload_threads",
        type=positive,
        metavar="N",
        help="number of threads that read (default: by the number of cores)",
    )
    how.add_argument(
        "--samples_per_plugin",
        type=samples,
        default={},
        metavar="PLUGIN=N,…",
        help="maximum number of points per series in TensorBoard's routes; the page always gets all",
    )
    how.add_argument(
        "--index_dir",
        metavar="DIR",
        help="folder of the index (default: in the user's cache directory; none: in memory)",
    )
    how.add_argument(
        "--state_dir",
        metavar="DIR",
        help="folder of names, notes and pins (default: in the user's data directory; none: in memory)",
    )
    add_config(how)


def run(args: argparse.Namespace) -> int:
    if args.version_tb:
        from seamark.version import __version__

        print(__version__)
        return 0
    if args.inspect:
        return inspect(args)
    try:
        if args.store or is_address(args.logdir or ""):
            return show_database(args)
        roots = roots_named(args.logdir, args.logdir_spec)
    except ValueError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    for remark in tensorboard_flags.remarks(args):
        print(f"seamark: {remark}", file=sys.stderr)
    return show(roots, args)


def show_database(args: argparse.Namespace) -> int:
    """Serves the runs of a ClickHouse database until Ctrl-C. ValueError for an address that cannot be used."""
    from seamark.cli.serving import serve_until_ended
    from seamark.clickhouse.store import open_store

    if args.logdir_spec or (args.store and args.logdir):
        raise ValueError("give --store or a log directory, not both")
    address = parse_address(args.store or args.logdir)
    with open_store(address) as store:
        return serve_until_ended(store, (), args, beside=None, address=str(address))


def inspect(args: argparse.Namespace) -> int:
    """As `tensorboard --inspect`; the command `seamark inspect` can do more."""
    from seamark.cli.arguments.patterns import pattern  # here: serving starts without
    from seamark.cli.commands import inspect as inspect_command

    logdir = args.logdir or (str(Path(args.event_file).parent) if args.event_file else "")
    if not logdir:
        print("seamark: --inspect needs --logdir or --event_file", file=sys.stderr)
        return 2
    tag = pattern(f"^{re.escape(args.tag)}$" if args.tag else "")
    return inspect_command.run(argparse.Namespace(logdir=logdir, run=pattern(""), tag=tag, json=False))


def show(
    roots: Sequence[LogRoot],
    args: argparse.Namespace,
    *,
    beside: Callable[[], None] | None = None,
    page: OpenedPage | None = None,
) -> int:
    """Serves until Ctrl-C. `beside` is called once the address, which is that of `page`, is printed."""
    # Threads that read files and answer requests need the GIL only briefly; waiting 5 ms for it each time is too long.
    sys.setswitchinterval(SWITCH_SECS)
    # Objects made before the address is printed stay alive; collecting garbage among them takes a sixth of the start.
    gc.disable()
    store = Store(
        roots,
        index_dir=index_dir_named(args.index_dir),
        reload_secs=args.reload_interval,
        workers=args.max_reload_threads,
    )
    store.start()
    try:
        # Imported while the store reads: importing the server takes as long as reading a sweep.
        from seamark.cli.serving import serve_until_ended

        return serve_until_ended(store, roots, args, beside=beside, page=page)
    finally:
        store.close(index_timeout_secs=ENDING_SECS)


def roots_named(logdir: str | None, logdir_spec: str | None) -> list[LogRoot]:
    if logdir and logdir_spec:
        raise ValueError("give --logdir or --logdir_spec, not both")
    if logdir:
        return parse_logdir(logdir)
    if logdir_spec:
        return parse_logdir_spec(logdir_spec)
    raise ValueError("no log directory given: seamark runs, or seamark --logdir runs")


def port_number(text: str) -> int | None:
    """TensorBoard's "default" means none."""
    if text == "default":
        return None
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"want a port from 0 to 65535, got '{text}'")
    return int(text)


def positive(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"want a whole number of 1 or more, got '{text}'")
    return int(text)


def prefix(text: str) -> str:
    """ "/a/b" from "a/b/", "/a/b" and so on."""
    trimmed = text.strip("/")
    return f"/{trimmed}" if trimmed else ""


def names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def origins(text: str) -> tuple[str, ...]:
    found = names(text)
    from seamark.serve.http.security import frame_policy  # loaded only for this flag

    try:
        frame_policy(found)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return found


def samples(text: str) -> dict[str, int]:
    """{"scalars": 500} from "scalars=500"."""
    found = {}
    for part in text.split(","):
        if not part.strip():
            continue
        plugin, equals, count = part.strip().partition("=")
        if not equals or not count.isdecimal():
            raise argparse.ArgumentTypeError(f"want plugin=number, as in scalars=500,images=0; got '{part}'")
        found[plugin] = int(count)
    return found
