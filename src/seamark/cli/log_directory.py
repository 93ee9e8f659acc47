"""What the commands that read a log directory share: the check, the index, and how they fail."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from seamark.cli.terminal.text import printable
from seamark.store import LogRoot, default_index_dir, parse_logdir


def existing_roots(logdir: str) -> list[LogRoot]:
    """The folders that --logdir names; raises ValueError with one sentence when one of them cannot be read."""
    roots = parse_logdir(logdir)
    for root in roots:
        if not root.path.exists():
            raise ValueError(f"no such log directory: '{root.path}'")
        if not root.path.is_dir():
            raise ValueError(
                f"a log directory must be a folder, this is a file (seamark verify takes files): '{root.path}'"
            )
    return roots


def index_dir_named(text: str | None) -> Path | None:
    """The folder that --index_dir names: the user's cache directory when not given, None for "none"."""
    if text is None:
        return default_index_dir()
    return None if text == "none" else Path(text)


def add_index_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--index_dir", metavar="DIR", help="folder of the index (default: the one in your cache directory, if there)"
    )


def index_dir_if_there(text: str | None, roots: list[LogRoot]) -> Path | None:
    """As `seamark.open` has it: without --index_dir an index that exists is used, and none is made."""
    from seamark.read.opening import chosen_index

    return chosen_index(roots, "auto" if text is None else None if text == "none" else text)


def refuse(command: str, reason: Exception) -> int:
    """Says in one sentence why a command did nothing; the exit code for wrong arguments."""
    if isinstance(reason, BrokenPipeError):
        raise reason  # the reader of a pipe has seen enough: no failure of the command
    if isinstance(reason, OSError) and reason.strerror:
        reason = ValueError(f"{reason.strerror}: '{reason.filename}'")
    print(f"seamark {command}: {printable(str(reason))}", file=sys.stderr)
    return 2
