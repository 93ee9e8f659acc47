"""Ask runs, their hyperparameters and every scalar point with SQL; needs DuckDB."""

from __future__ import annotations

import argparse
import re
from typing import Any

from seamark.cli import log_directory, runs_of, sheet
from seamark.cli.sheet import Sheet, SheetColumn
from seamark.read import Runs
from seamark.read.frame import MissingLibraryError, library
from seamark.read.relations import params_table, runs_table, scalars_table
from seamark.store.parquet import NoPyarrowError

NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|UINTEGER|DOUBLE|FLOAT|REAL|NUMBER|DECIMAL.*")
TABLES = {"runs": runs_table, "params": params_table, "scalars": scalars_table}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sql",
        metavar="SELECT",
        help="over runs (run, status, started, …), params (run, key, text, number) and scalars (tag, run, step, "
        "wall_time, value)",
    )
    runs_of.add_arguments(parser)
    sheet.add_format(parser)


def run(args: argparse.Namespace) -> int:
    try:
        duckdb = library("duckdb")
        library("pyarrow")
        sheet.check_output(args)
        with runs_of.opened(args) as runs:
            runs_of.tell_problems(runs, "sql")
            try:
                found = answer(duckdb, runs, args.sql, args.format)
            except duckdb.Error as error:
                raise ValueError(str(error).strip()) from error
        sheet.write_sheet(found, args)
    except (ValueError, OSError, NoPyarrowError, MissingLibraryError) as error:
        return log_directory.refuse("sql", error)
    return 0


def answer(duckdb: Any, runs: Runs, sql: str, form: str) -> Sheet:
    connection = duckdb.connect()
    try:
        for name, make in TABLES.items():
            if re.search(rf"\b{name}\b", sql, re.IGNORECASE):  # what is not asked is not laid out
                connection.register(name, make(runs))
        # A query may be pasted from anywhere: it sees these tables, and no file, network, extension or variable of
        # this program.
        for setting in ("python_enable_replacements", "enable_external_access", "autoinstall_known_extensions"):
            connection.execute(f"SET {setting} = false")
        connection.execute("SET lock_configuration = true")
        result = connection.execute(sql)
        told = result.description or ()
        names, types = unique([column[0] for column in told]), [kind_of(column[1]) for column in told]
        if form == "parquet":
            # DuckDB 2 calls it otherwise.
            fetch = getattr(result, "to_arrow_table", None) or result.fetch_arrow_table
            typed = fetch().rename_columns(names)
            return Sheet([], arrow=lambda: typed)
        rows = result.fetchall() if told else []
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        return Sheet([SheetColumn(*column) for column in zip(names, types, columns, strict=True)])
    finally:
        connection.close()


def kind_of(duck_type: Any) -> str:
    return "number" if NUMBER.fullmatch(str(duck_type).upper()) else "text"


def unique(names: list[str]) -> list[str]:
    """Two columns may be called alike in SQL, but not in a file."""
    seen: dict[str, int] = {}
    told = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        told.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return told
