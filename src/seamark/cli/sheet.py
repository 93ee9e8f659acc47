"""A table as commands print it: for people in a terminal, or as CSV, JSON or Parquet for programs."""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from seamark.cli.terminal.text import fitted, printable, width_of
from seamark.store.csv_text import not_a_formula, word
from seamark.store.parquet import load_pyarrow

FORMATS = ("table", "csv", "json", "parquet")
MAX_CELL = 48


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """`type` as the table of runs has it: number, text, bool, time, duration or list."""

    name: str
    type: str
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Sheet:
    columns: list[SheetColumn]
    arrow: Callable[[], Any] | None = None  # the same with its types, for files that keep them


def add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default="table", help="how to print it (default: table)")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="where to (default: -, the terminal or pipe)"
    )


def check_output(args: argparse.Namespace) -> None:
    """Before anything is read: raises ValueError for what cannot be written."""
    if args.format == "parquet":
        load_pyarrow()
        if args.output == "-":
            raise ValueError("Parquet needs a file; say which with -o table.parquet")
    if args.output != "-" and Path(args.output).exists():
        raise ValueError(f"this file is there already, and nothing is overwritten: '{args.output}'")


def write_sheet(sheet: Sheet, args: argparse.Namespace) -> None:
    from seamark.cli.export import opened

    with opened(args.output) as out:
        write_to(out, sheet, args.format)


def write_to(out: IO[bytes], sheet: Sheet, form: str) -> None:
    if form == "parquet":
        assert sheet.arrow is not None
        load_pyarrow().parquet.write_table(sheet.arrow(), out)
    elif form == "csv":
        out.write(as_csv(sheet).encode(errors="backslashreplace"))
    elif form == "json":
        out.write((as_json(sheet) + "\n").encode())
    else:
        for line in as_text(sheet):
            out.write((line + "\n").encode(errors="backslashreplace"))


def as_csv(sheet: Sheet) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([not_a_formula(column.name) for column in sheet.columns])
    writer.writerows(zip(*(map(_csv_cell, column.values) for column in sheet.columns), strict=True))
    return text.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, float):
        return word(value) if not math.isfinite(value) else repr(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return not_a_formula(value)
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | tuple | dict) else value


def as_json(sheet: Sheet) -> str:
    """A list of objects; numbers JSON cannot hold are words, as everywhere in Seamark."""
    names = [column.name for column in sheet.columns]
    rows = zip(*(column.values for column in sheet.columns), strict=True)
    plain = [{name: json_value(value) for name, value in zip(names, row, strict=True)} for row in rows]
    return json.dumps(plain, indent=1, default=str, allow_nan=False)


def json_value(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return word(value)
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    return value


def as_text(sheet: Sheet, *, max_cell: int = MAX_CELL) -> Iterator[str]:
    """Columns as wide as their widest cell, up to a width; numbers stand right-aligned."""
    cells = [[shown(value, column.type) for value in column.values] for column in sheet.columns]
    widths = [
        min(max(map(width_of, [printable(column.name), *texts])), max_cell)
        for column, texts in zip(sheet.columns, cells, strict=True)
    ]
    rights = [column.type in ("number", "duration") for column in sheet.columns]

    def line(texts: Sequence[str]) -> str:
        parts = (fitted(text, width, right=right) for text, width, right in zip(texts, widths, rights, strict=True))
        return "  ".join(parts).rstrip()

    yield line([column.name for column in sheet.columns])
    for row in zip(*cells, strict=True):
        yield line(row)


def shown(value: Any, kind: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return printable(", ".join(map(str, value)))
    if isinstance(value, int | float) and kind == "time":
        return time_shown(value)
    if isinstance(value, int | float) and kind == "duration":
        return duration_shown(value)
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else word(value)
    return printable(str(value))


def time_shown(secs: float) -> str:
    try:
        return datetime.fromtimestamp(secs).isoformat(sep=" ", timespec="minutes")
    except (ValueError, OverflowError, OSError):
        return f"{secs:g} s"  # a made-up time is still worth showing


def duration_shown(secs: float) -> str:
    if not math.isfinite(secs):
        return word(secs)
    minutes, hours, days = int(secs // 60), int(secs // 3600), int(secs // 86400)
    if days:
        return f"{days} d {hours % 24:02} h"
    if hours:
        return f"{hours} h {minutes % 60:02} m"
    return f"{minutes} m {int(secs) % 60:02} s" if minutes else f"{secs:.3g} s"
