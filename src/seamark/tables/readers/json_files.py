"""JSON lines, arrays of objects, and objects of arrays. Nested objects become columns with dots in their names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from seamark.tables.build import column_of_values
from seamark.tables.column import Table, TableError
from seamark.tables.limits import check_cells, check_columns
from seamark.tables.readers.compressed import format_suffix, read_bytes
from seamark.tables.readers.csv_files import as_utf8

LINES_SUFFIXES = (".jsonl", ".ndjson")
MAX_DEPTH = 16
ParsedRow = dict[str, Any]


def read_json(path: Path) -> Table:
    data = as_utf8(read_bytes(path))
    is_lines = format_suffix(path) in LINES_SUFFIXES
    rows, problems = read_lines(data) if is_lines else read_document(data)
    return table_of_rows(rows, problems)


def read_lines(data: bytes) -> tuple[list[ParsedRow], list[str]]:
    """One object on each line. A last line without end is a file that is still written: it is left out."""
    rows: list[ParsedRow] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = decode(line)
        except TableError as error:
            if number == len(lines) and rows:
                return rows, ["the last line is incomplete: it is left out"]
            raise TableError(f"line {number:,} is not JSON: {error}") from error
        if not isinstance(value, dict):
            raise TableError(f"line {number:,} is no object: want {{'name': value, …}} on each line")
        rows.append(value)
    return rows, []


def read_document(data: bytes) -> tuple[list[ParsedRow], list[str]]:
    try:
        content = decode(data)
    except TableError as error:
        try:  # several objects, as in JSON lines
            return read_lines(data)
        except TableError:
            raise TableError(f"the file is not JSON: {error}") from error
    if isinstance(content, dict):
        return rows_of_columns(content), []
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise TableError("the file has no table: want an array of objects, or an object of arrays")
    return content, []


def rows_of_columns(content: Mapping[str, Any]) -> list[ParsedRow]:
    lengths = {len(values) if isinstance(values, list) else -1 for values in content.values()}
    if lengths == {-1} or not lengths:
        return [dict(content)]
    if len(lengths) != 1:
        raise TableError("the file has no table: the arrays of its object have different lengths")
    return [dict(zip(content, row, strict=True)) for row in zip(*content.values(), strict=True)]


def decode(data: bytes) -> Any:
    """Also with NaN and Infinity, as Python writes them."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return json.loads(data)
    except RecursionError:
        raise TableError("it is nested too deeply") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise TableError(str(error)) from error


def table_of_rows(rows: list[ParsedRow], problems: list[str]) -> Table:
    if not rows:
        raise TableError("the table has no rows")
    if any(isinstance(value, dict) for row in rows for value in row.values()):
        rows = [flattened(row) for row in rows]
    names: dict[str, None] = {}
    for row in rows:
        if not row.keys() <= names.keys():
            names.update(dict.fromkeys(row))
            check_columns(len(names))
    check_cells(len(rows), len(names))
    columns = tuple(column_of_values(name, [row.get(name) for row in rows]) for name in names)
    if not columns:
        raise TableError("the table has no columns")
    return Table(len(rows), columns, tuple(problems))


def flattened(row: Mapping[str, Any], prefix: str = "", depth: int = 0) -> ParsedRow:
    """`{"a": {"b": 1}}` as `{"a.b": 1}`. Deeper objects stay values."""
    found: ParsedRow = {}
    for name, value in row.items():
        if isinstance(value, dict) and value and depth < MAX_DEPTH:
            found.update(flattened(value, f"{prefix}{name}.", depth + 1))
        else:
            found[f"{prefix}{name}"] = value
    return found
