"""Run SQL over runs, hyperparameters and every scalar point; needs DuckDB."""

from __future__ import annotations

import argparse
import re
from typing import Any

from seamark.cli.arguments import log_directory, open_runs
from seamark.cli.output import table_output
from seamark.cli.output.table_output import TableOutput
from seamark.cli.output.text_table import OutputColumn
from seamark.read import Runs
from seamark.read.frame import MissingLibraryError, library
from seamark.read.relations import params_table, runs_table, scalars_table
from seamark.store import NoPyarrowError

NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|UINTEGER|DOUBLE|FLOAT|REAL|NUMBER|DECIMAL.*")
TABLES = {"runs": runs_table, "params": params_table, "scalars": scalars_table}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sql",
        metavar="SELECT",
        help="over runs (run, status, started, …), params (run, key, text, number) and scalars (tag, run, step, "
        "wall_time, value)",
    )
    open_runs.add_arguments(parser)
    table_output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    try:
        duckdb = library("duckdb")
        library("pyarrow")
        table_output.check_output(args)
        with open_runs.opened(args) as runs:
            open_runs.print_problems(runs, "sql")
            try:
                found = answer(duckdb, runs, args.sql, args.format)
            except duckdb.Error as error:
                raise ValueError(str(error).strip()) from error
        table_output.write_table(found, args)
    except (ValueError, OSError, NoPyarrowError, MissingLibraryError) as error:
        return log_directory.refuse("sql", error)
    return 0


def answer(duckdb: Any, runs: Runs, sql: str, form: str) -> TableOutput:
    connection = duckdb.connect()
    try:
        for name, make in TABLES.items():
            if re.search(rf"\b{name}\b", sql, re.IGNORECASE):  # tables that the query does not use are not built
                connection.register(name, make(runs))
        # A query may be pasted from anywhere: it may use these tables, but no files, network, extensions or
        # variables of this program.
        for setting in ("python_enable_replacements", "enable_external_access", "autoinstall_known_extensions"):
            connection.execute(f"SET {setting} = false")
        connection.execute("SET lock_configuration = true")
        result = connection.execute(sql)
        description = result.description or ()
        names, types = unique([column[0] for column in description]), [column_type(column[1]) for column in description]
        if form == "parquet":
            # Renamed in DuckDB 2.
            fetch = getattr(result, "to_arrow_table", None) or result.fetch_arrow_table
            typed = fetch().rename_columns(names)
            return TableOutput([], arrow=lambda: typed)
        rows = result.fetchall() if description else []
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        return TableOutput([OutputColumn(*column) for column in zip(names, types, columns, strict=True)])
    finally:
        connection.close()


def column_type(duck_type: Any) -> str:
    return "number" if NUMBER.fullmatch(str(duck_type).upper()) else "text"


def unique(names: list[str]) -> list[str]:
    """SQL allows two columns of the same name, files do not."""
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return distinct
