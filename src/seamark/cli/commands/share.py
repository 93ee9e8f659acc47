"""Share runs of a team server by a link, which it prints.

Whoever has the link may look at these runs, and at nothing else.
"""

from __future__ import annotations

import argparse
import getpass
import re
import sys

from seamark.cli.arguments.log_directory import refuse
from seamark.cli.commands.push import add_destination
from seamark.upload.connection import Connection
from seamark.upload.destination import find_destination
from seamark.upload.errors import SettingsError, UploadError

DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0}
DURATION = re.compile(r"(\d+(?:\.\d+)?)([hdw])")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="*", metavar="RUN", help="exact names of runs on the server")
    add_destination(parser)
    parser.add_argument("--all", action="store_true", help="share every run of the project, also later ones")
    parser.add_argument("--expires", type=days, metavar="TIME", help="end the share after 12h, 7d or 4w")
    parser.add_argument("--public", action="store_true", help="list it on the server for everybody")
    parser.add_argument("--password", action="store_true", help="ask for a password that the link needs")
    parser.add_argument("--view", default="", metavar="'#…'", help="part of the page's address behind #, to open")
    parser.add_argument("--name", default="", metavar="TEXT", help="what people see it called")


def run(args: argparse.Namespace) -> int:
    if bool(args.runs) == args.all:
        return refuse("share", ValueError("want the names of runs, or --all"))
    try:
        connection = Connection(find_destination(args.server, args.project))
        wanted = {
            "name": args.name or ", ".join(args.runs)[:200],
            "runs": None if args.all else list(dict.fromkeys(args.runs)),
            "view": args.view,
            "is_public": args.public,
            "expires_days": args.expires,
            "password": ask_password() if args.password else None,
        }
        created = connection.post_json("shares", wanted)
    except (SettingsError, UploadError) as error:
        return refuse("share", error)
    print(created["link"])
    return 0


def days(text: str) -> float:
    """Raises ArgumentTypeError."""
    match = DURATION.fullmatch(text.strip())
    if match is None or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"want a time as in 12h, 7d or 4w, got '{text}'")
    return float(match[1]) * DAYS[match[2]]


def ask_password() -> str:
    """From the terminal without showing it; from a pipe its first line. Raises SettingsError."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass("Password for the link: ")
    if getpass.getpass("Again: ") != first:
        raise SettingsError("the two passwords differ")
    return first
