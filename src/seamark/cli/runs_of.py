"""Runs as commands that ask about them open them: with the index that is there, and with what people noted."""

from __future__ import annotations

import argparse
import sys

from seamark.cli import log_directory, notes_of_state
from seamark.cli.arguments import add_logdir
from seamark.cli.terminal.text import printable
from seamark.read import Runs
from seamark.read import open as open_runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_logdir(parser)
    log_directory.add_index_dir(parser)
    notes_of_state.add_state_dir(parser)


def opened(args: argparse.Namespace) -> Runs:
    """Raises ValueError with a sentence when the log directory cannot be read."""
    roots = log_directory.existing_roots(args.logdir)
    index_dir = "auto" if args.index_dir is None else None if args.index_dir == "none" else args.index_dir
    return open_runs(args.logdir, index_dir=index_dir, state=notes_of_state.read(args.state_dir, roots))


def tell_problems(runs: Runs, command: str) -> None:
    """On stderr, in one line: they matter, but not as much as what was asked for."""
    problems = runs.problems
    if problems:
        more = f" (and {len(problems) - 1:,} more: seamark inspect lists them)" if len(problems) > 1 else ""
        print(f"seamark {command}: {printable(problems[0].message)}{more}", file=sys.stderr)


def refuse_query(command: str, query: str, error: Exception) -> int:
    """The sentence, and below it the query with a mark under what is wrong."""
    from seamark.compare import QueryError

    log_directory.refuse(command, error)
    if isinstance(error, QueryError) and "\n" not in query:
        print(f"  {printable(query)}\n  {' ' * error.at}{'^' * max(error.length, 1)}", file=sys.stderr)
    return 2
