"""Opens the runs for commands: with the existing index, and with names, notes and tags from the page."""

from __future__ import annotations

import argparse
import sys

from seamark import read
from seamark.cli.arguments import log_directory, state_notes
from seamark.cli.arguments.parser import add_logdir
from seamark.cli.arguments.run_source import source_named
from seamark.cli.output.text import printable
from seamark.read import Runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_logdir(parser)
    log_directory.add_index_dir(parser)
    state_notes.add_state_dir(parser)


def opened(args: argparse.Namespace) -> Runs:
    """ValueError with one sentence if the log directory cannot be read."""
    state = state_notes.read(args.state_dir, source_named(args.logdir).roots)
    index_dir = "auto" if args.index_dir is None else None if args.index_dir == "none" else args.index_dir
    return read.open(args.logdir, index_dir=index_dir, state=state)


def print_problems(runs: Runs, command: str) -> None:
    """Prints the first problem on stderr, and how many more there are."""
    problems = runs.problems
    if problems:
        more = f" (and {len(problems) - 1:,} more: seamark inspect lists them)" if len(problems) > 1 else ""
        print(f"seamark {command}: {printable(problems[0].message)}{more}", file=sys.stderr)


def refuse_query(command: str, query: str, error: Exception) -> int:
    """Prints the error, and below it the query with the wrong part underlined."""
    from seamark.compare import QueryError

    log_directory.refuse(command, error)
    if isinstance(error, QueryError) and "\n" not in query:
        print(f"  {printable(query)}\n  {' ' * error.at}{'^' * max(error.length, 1)}", file=sys.stderr)
    return 2
