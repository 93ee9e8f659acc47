"""The log directory and the index of commands, and their error messages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from seamark.cli.output.text import printable
from seamark.clickhouse.address import is_address
from seamark.store import LogRoot, default_index_dir, parse_logdir

NEEDS_FILES = "this command needs event files; name the log directory that was ingested, not the database"


def check_folder(logdir: str) -> None:
    """ValueError with one sentence for the address of a database."""
    if is_address(logdir):
        raise ValueError(NEEDS_FILES)


def folder(text: str) -> Path:
    """The type of an argument that names a folder."""
    if is_address(text):
        raise argparse.ArgumentTypeError(NEEDS_FILES)
    return Path(text)


def existing_roots(logdir: str) -> list[LogRoot]:
    """The folders that --logdir names. ValueError with one sentence if one of them is not a folder."""
    check_folder(logdir)
    roots = parse_logdir(logdir)
    for root in roots:
        if not root.path.exists():
            raise ValueError(f"no such log directory: '{root.path}'")
        if not root.path.is_dir():
            raise ValueError(
                f"a log directory must be a folder, got a file (seamark verify takes files): '{root.path}'"
            )
    return roots


def index_dir_named(text: str | None) -> Path | None:
    """The folder that --index_dir names. Without the flag the user's cache directory; None for "none"."""
    if text is None:
        return default_index_dir()
    return None if text == "none" else Path(text)


def add_index_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--index_dir",
        metavar="DIR",
        help="folder of the index (default: the one in your cache directory, if it exists)",
    )


def index_dir_if_there(text: str | None, roots: list[LogRoot]) -> Path | None:
    """As in `seamark.open`: without --index_dir an existing index is used, and none is created."""
    from seamark.read.opening import chosen_index

    return chosen_index(roots, "auto" if text is None else None if text == "none" else text)


def refuse(command: str, reason: Exception) -> int:
    """Prints one sentence about the error. Returns the exit code for wrong arguments."""
    if isinstance(reason, BrokenPipeError):
        raise reason  # the reader closed the pipe, which is not an error
    if isinstance(reason, OSError) and reason.strerror:
        reason = ValueError(f"{reason.strerror}: '{reason.filename}'")
    print(f"seamark {command}: {printable(str(reason))}", file=sys.stderr)
    return 2
