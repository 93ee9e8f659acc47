"""Prints a table as text, CSV, JSON or Parquet."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from seamark.cli.output.output_file import check_not_there, open_output
from seamark.cli.output.text_table import OutputColumn, text_lines
from seamark.format.numbers import format_float, json_safe
from seamark.store import escape_formula, load_pyarrow

FORMATS = ("table", "csv", "json", "parquet")


@dataclass(frozen=True, slots=True)
class TableOutput:
    columns: list[OutputColumn]
    arrow: Callable[[], Any] | None = None  # the same as an Arrow table, for Parquet


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default="table", help="output format (default: table)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="output file (default: -, stdout)")


def check_output(args: argparse.Namespace) -> None:
    """Called before reading. ValueError if the output cannot be written."""
    if args.format == "parquet":
        load_pyarrow()
        if args.output == "-":
            raise ValueError("Parquet needs a file, as in -o table.parquet")
    check_not_there(args.output)


def write_table(table: TableOutput, args: argparse.Namespace) -> None:
    with open_output(args.output) as out:
        write_to(out, table, args.format)


def write_to(out: IO[bytes], table: TableOutput, form: str) -> None:
    if form == "parquet":
        assert table.arrow is not None
        load_pyarrow().parquet.write_table(table.arrow(), out)
    elif form == "csv":
        out.write(as_csv(table).encode(errors="backslashreplace"))
    elif form == "json":
        out.write((as_json(table) + "\n").encode())
    else:
        for line in text_lines(table.columns, is_terminal=out.isatty()):
            out.write((line + "\n").encode(errors="backslashreplace"))


def as_csv(table: TableOutput) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([escape_formula(column.name) for column in table.columns])
    writer.writerows(zip(*(map(_csv_cell, column.values) for column in table.columns), strict=True))
    return text.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, float):
        return format_float(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return escape_formula(value)
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | tuple | dict) else value


def as_json(table: TableOutput) -> str:
    """A list of objects. NaN and infinities are strings, as everywhere in Seamark."""
    names = [column.name for column in table.columns]
    rows = zip(*(column.values for column in table.columns), strict=True)
    plain = [{name: json_safe(value) for name, value in zip(names, row, strict=True)} for row in rows]
    return json.dumps(plain, indent=1, default=str, allow_nan=False)
