"""Serve the runs of a log directory as a page in the browser.

This is what `seamark --logdir DIR` does. The page opens at once and fills while the runs are read.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from seamark.cli import tensorboard_flags
from seamark.cli.arguments import LOGDIR_HELP, add_folder
from seamark.cli.config import add_config
from seamark.cli.log_directory import index_dir_named
from seamark.serve import DEFAULT_PORT, ENDING_SECS
from seamark.store import LogRoot, Store, parse_logdir, parse_logdir_spec

SWITCH_SECS = 0.001


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("what to show")
    add_folder(which)
    which.add_argument("--logdir", metavar="DIR", help=LOGDIR_HELP)
    which.add_argument("--logdir_spec", metavar="NAME:DIR,…", help="several folders, each with a name for its runs")
    which.add_argument("--inspect", action="store_true", help="print what is in the log directory, and end")
    which.add_argument("--tag", metavar="TAG", help="with --inspect: only this tag")
    which.add_argument("--event_file", metavar="FILE", help="with --inspect: the folder of this file")
    which.add_argument("--version_tb", action="store_true", help="print the version, and end")
    add_server_arguments(parser)
    tensorboard_flags.add_arguments(parser)


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of every command that ends in a server."""
    where = parser.add_argument_group("where to serve")
    where.add_argument("--host", help="address to listen on (default: localhost, this machine only)")
    where.add_argument("--bind_all", action="store_true", help="listen on every network interface")
    where.add_argument(
        "--port",
        type=port_number,
        help=f"port to listen on; 0 takes any (default: {DEFAULT_PORT}, or the next free one)",
    )
    where.add_argument("--path_prefix", type=prefix, default="", metavar="/PATH", help="serve below this path")
    where.add_argument("--no_token", action="store_true", help="let everybody in who can reach the server")
    where.add_argument(
        "--allow_host",
        type=names,
        default=(),
        metavar="NAME,…",
        help="further names the server may be asked by (proxies)",
    )
    where.add_argument(
        "--allow_framing",
        type=origins,
        default=(),
        metavar="ORIGIN,…",
        help="pages that may show this one in a frame: origins, or local for every page of this machine (notebooks)",
    )
    where.add_argument(
        "--allow_delete", action="store_true", help="let pages move runs to the trash folder, or delete them for good"
    )
    where.add_argument("--open", action="store_true", help="open the page in a browser")
    where.add_argument("--window_title", default="", metavar="TITLE", help="title of the browser window")
    how = parser.add_argument_group("how to read")
    how.add_argument(
        "--reload_interval",
        type=float,
        default=5.0,
        metavar="SECS",
        help="how often to look where the file system reports no changes; 0: read once (default: 5)",
    )
    how.add_argument("--max_reload_threads", type=positive, metavar="N", help="threads that read (default: by cores)")
    how.add_argument(
        "--samples_per_plugin",
        type=samples,
        default={},
        metavar="PLUGIN=N,…",
        help="most points per series in answers to TensorBoard's routes; the page always gets all",
    )
    how.add_argument(
        "--index_dir", metavar="DIR", help="where to keep the index (default: the user's cache; none: in memory)"
    )
    how.add_argument(
        "--state_dir",
        metavar="DIR",
        help="where to keep names, notes and pins (default: the user's data; none: in memory)",
    )
    add_config(how)


def run(args: argparse.Namespace) -> int:
    if args.version_tb:
        from seamark import __version__

        print(__version__)
        return 0
    if args.inspect:
        return inspect(args)
    try:
        roots = roots_named(args.logdir, args.logdir_spec)
    except ValueError as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2
    for remark in tensorboard_flags.remarks(args):
        print(f"seamark: {remark}", file=sys.stderr)
    return show(roots, args)


def inspect(args: argparse.Namespace) -> int:
    """As `tensorboard --inspect`; the command `seamark inspect` can do more."""
    import re

    from seamark.cli import main

    logdir = args.logdir or (str(Path(args.event_file).parent) if args.event_file else "")
    if not logdir:
        print("seamark: --inspect needs --logdir or --event_file", file=sys.stderr)
        return 2
    return main(["inspect", "--logdir", logdir, *(["--tag", f"^{re.escape(args.tag)}$"] if args.tag else [])])


def show(roots: Sequence[LogRoot], args: argparse.Namespace, *, beside: Callable[[], None] | None = None) -> int:
    """Serves until Ctrl-C. `beside` is called once the address is printed."""
    # Threads that read files and answer requests need Python for moments only; they should not wait 5 ms for each.
    sys.setswitchinterval(SWITCH_SECS)
    # What is made until the address is told stays: looking for garbage among it is a sixth of a start.
    gc.disable()
    store = Store(
        roots,
        index_dir=index_dir_named(args.index_dir),
        reload_secs=args.reload_interval,
        workers=args.max_reload_threads,
    )
    store.start()
    try:
        # Only now: the server's modules take as long to load as a sweep takes to read, and the two go side by side.
        from seamark.cli.serving import serve_until_ended

        return serve_until_ended(store, roots, args, beside=beside)
    finally:
        store.close(patience_secs=ENDING_SECS)


def roots_named(logdir: str | None, logdir_spec: str | None) -> list[LogRoot]:
    if logdir and logdir_spec:
        raise ValueError("give --logdir or --logdir_spec, not both")
    if logdir:
        return parse_logdir(logdir)
    if logdir_spec:
        return parse_logdir_spec(logdir_spec)
    raise ValueError("no log directory given; say which: seamark runs, or seamark --logdir runs")


def port_number(text: str) -> int | None:
    """ "default" is TensorBoard's word for none."""
    if text == "default":
        return None
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, got '{text}'")
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
    from seamark.serve.security import framing  # only who asks for it pays for loading it

    try:
        framing(found)
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
