"""Find runs with an expression, and print their hyperparameters and metrics as a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from seamark.cli.arguments import log_directory, open_runs
from seamark.cli.arguments.run_source import source_named
from seamark.cli.output import table_output
from seamark.cli.output.table_output import TableOutput
from seamark.cli.output.text import printable
from seamark.cli.output.text_table import OutputColumn
from seamark.compare import DEFAULT_TAIL, QueryError, RunTable, UnknownColumnError
from seamark.read.frame import Frame, MissingLibraryError
from seamark.read.table import cells_of, every_column, short_names, telling_columns
from seamark.store import NoPyarrowError

# How many columns fit a terminal, if none are named.
SHOWN_PARAMS, SHOWN_METRICS = 6, 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query_word",
        nargs="?",
        default="",
        metavar="EXPR",
        help="""like 'lr < 0.01 and metric["val/loss"].min < 0.3', a /regex/, or part of a name (default: all runs)""",
    )
    open_runs.add_arguments(parser)
    parser.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="NAME,…",
        help="columns to print, like lr,val/loss.min,run:host",
    )
    parser.add_argument(
        "--sort",
        action="append",
        default=[],
        metavar="NAME,…",
        help="columns to sort by; a minus, as in --sort=-val/acc, sorts from the highest down",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="maximum number of runs")
    parser.add_argument(
        "--archived", choices=("hide", "show", "only"), default="hide", help="archived runs (default: hide)"
    )
    parser.add_argument(
        "--tail",
        type=int,
        default=DEFAULT_TAIL,
        metavar="N",
        help=f"number of points that NAME.tail averages (default: {DEFAULT_TAIL})",
    )
    table_output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    try:
        table_output.check_output(args)
        with open_runs.opened(args) as runs:
            open_runs.print_problems(runs, "query")
            found = answer(runs.run_table, args)
            is_empty = not len(runs)
        table_output.write_table(found, args)
        if not found.columns[0].values:
            reason = f"no runs in '{source_named(args.logdir).name}'" if is_empty else "no run matches"
            print(f"seamark query: {printable(reason)}", file=sys.stderr)
    except (QueryError, UnknownColumnError) as error:
        return open_runs.refuse_query("query", args.query_word, error)
    except (ValueError, OSError, NoPyarrowError, MissingLibraryError) as error:
        return log_directory.refuse("query", error)
    return 0


def answer(table: RunTable, args: argparse.Namespace) -> TableOutput:
    sort = [sort_column(table, name) for name in names(args.sort)]
    rows = table.select(args.query_word, sort, archived=args.archived, tail=args.tail).rows
    if args.limit is not None:
        rows = rows[: max(args.limit, 0)]
    labels = list(dict.fromkeys(names(args.columns)))
    ids = [table.resolve(label) for label in labels]
    if labels and "run:name" not in ids:
        labels, ids = ["name", *labels], ["run:name", *ids]
    if not labels:
        ids = (
            telling_columns(table, rows, params=SHOWN_PARAMS, metrics=SHOWN_METRICS)
            if args.format == "table"
            else every_column(table, rows)
        )
        labels = short_names(ids)
    columns = [table.column(column, tail=args.tail) for column in ids]
    named = dict(zip(labels, columns, strict=True))
    return TableOutput(
        [OutputColumn(label, column.type, column.cells(rows)) for label, column in named.items()],
        arrow=lambda: Frame({label: cells_of(column, rows) for label, column in named.items()}).arrow(),
    )


def sort_column(table: RunTable, name: str) -> str:
    return f"-{table.resolve(name[1:])}" if name.startswith("-") else table.resolve(name)


def names(given: Sequence[str]) -> Iterator[str]:
    return (name.strip() for text in given for name in text.split(",") if name.strip())
