"""Save the token of a team server, for seamark push, pull and init.

The token is asked for, or read from stdin, so that it is in no list of processes and no history. It is saved in your
configuration directory, readable only by you.
"""

from __future__ import annotations

import argparse
import getpass
import sys

from seamark.cli.arguments.log_directory import refuse
from seamark.upload.destination import check_server, save_token
from seamark.upload.errors import SettingsError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("server", metavar="URL", help="address of the team server, as in https://seamark.example.org")


def run(args: argparse.Namespace) -> int:
    try:
        server = check_server(args.server)
        token = getpass.getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline()
        token = token.strip()
        if not token:
            raise SettingsError(
                "no token was given; create one on the page of the server, under Your settings › Personal tokens"
            )
        path = save_token(server, token)
    except (SettingsError, OSError) as error:
        return refuse("login", error)
    except (EOFError, KeyboardInterrupt):
        return 130
    print(f"The token for {server} is saved: '{path}'")
    return 0
