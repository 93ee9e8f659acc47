"""Rows of CSV in plain Python: any quoting and rows of any length. Slower than pyarrow's, which wants equal rows."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.tables.build import MAX_EXACT, NO_VALUES, column_of_codes
from seamark.tables.column import Column, TableError
from seamark.tables.limits import MAX_CELL_CHARACTERS, check_cells

CHUNK_ROWS = 4096

csv.field_size_limit(MAX_CELL_CHARACTERS)


class CsvHeader(NamedTuple):
    names: list[str]
    is_row: bool  # whether the first line has values, not names


def csv_rows(data: bytes, separator: str) -> Iterator[list[str]]:
    """Rows with at least one cell. Raises TableError."""
    stream = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace", newline="")
    # A quote inside of a cell is no error, but one that is never closed would make one cell of all that follows.
    is_strict = data.count(b'"') % 2 == 1
    reader = csv.reader((line.replace("\0", "") for line in stream), delimiter=separator, strict=is_strict)
    try:
        yield from filter(None, reader)
    except csv.Error as error:
        raise TableError(f"line {reader.line_num:,} is not CSV: {error}") from error


def header_row(data: bytes, separator: str) -> list[str]:
    first = next(csv_rows(data, separator), None)
    if first is None:
        raise TableError("the file is empty")
    return first


def read_rows(data: bytes, separator: str, header: CsvHeader) -> tuple[list[Column], list[str]]:
    """The columns, and sentences about rows of another length."""
    builders = [ColumnBuilder(name) for name in header.names]
    lengths = RowLengths(len(builders))
    fill(builders, range(len(builders)), lengths.counted(body(data, separator, header)), len(builders))
    again = [at for at, builder in enumerate(builders) if builder.is_incomplete]
    if again:
        for at in again:
            builders[at] = ColumnBuilder(header.names[at], is_text=True)
        fill(builders, again, body(data, separator, header), len(builders))
    return [builder.column() for builder in builders], lengths.problems()


def body(data: bytes, separator: str, header: CsvHeader) -> Iterator[list[str]]:
    return islice(csv_rows(data, separator), 0 if header.is_row else 1, None)


def fill(builders: list[ColumnBuilder], chosen: Sequence[int], rows: Iterable[list[str]], width: int) -> None:
    iterator, count = iter(rows), 0
    while chunk := list(islice(iterator, CHUNK_ROWS)):
        count += len(chunk)
        check_cells(count, width)
        columns = list(zip_longest(*chunk, fillvalue=""))
        missing = ("",) * len(chunk)
        for at in chosen:
            builders[at].add(columns[at] if at < len(columns) else missing)


class RowLengths:
    """Counts the rows that have another number of cells than the header."""

    def __init__(self, width: int) -> None:
        self._width, self._short, self._long = width, 0, 0

    def counted(self, rows: Iterable[list[str]]) -> Iterator[list[str]]:
        for row in rows:
            if len(row) < self._width:
                self._short += 1
            elif len(row) > self._width:
                self._long += 1
                row = row[: self._width]
            yield row

    def problems(self) -> list[str]:
        found = []
        if self._short:
            found.append(f"{count_rows(self._short)} fewer cells than the header: the others are missing")
        if self._long:
            found.append(f"{count_rows(self._long)} more cells than the header: they are left out")
        return found


def count_rows(count: int) -> str:
    return f"{count:,} row{'s have' if count > 1 else ' has'}"


class ColumnBuilder:
    """Numbers, chunk by chunk, until a cell is something else; then codes of texts."""

    def __init__(self, name: str, *, is_text: bool = False) -> None:
        self._name, self._is_text = name, is_text
        self._numbers: list[NDArray[np.float64]] = []
        self._codes: list[NDArray[np.int32]] = []
        self._code_of: dict[str, int] = {}
        self.is_incomplete = False  # earlier chunks were numbers: they must be read again as texts

    def add(self, cells: Sequence[str]) -> None:
        if self.is_incomplete:
            return
        if not self._is_text:
            numbers = parse_numbers(cells)
            if numbers is not None:
                self._numbers.append(numbers)
                return
            self._is_text, self.is_incomplete = True, bool(self._numbers)
            if self.is_incomplete:
                return
        code_of = self._code_of
        codes = [code_of.setdefault(cell, len(code_of)) for cell in cells]
        self._codes.append(np.array(codes, np.int32))

    def column(self) -> Column:
        if self._is_text:
            return column_of_codes(self._name, np.concatenate(self._codes), list(self._code_of))
        numbers = np.concatenate(self._numbers) if self._numbers else np.empty(0)
        return Column(self._name, "number", numbers=numbers)


def parse_numbers(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """None if a cell is neither a number nor missing, or if its text has to be judged: it may be a long key."""
    try:
        numbers = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        try:
            numbers = np.array([math.nan if is_missing(cell) else float(cell) for cell in cells], np.float64)
        except ValueError:
            return None
    if "_" in "".join(cells) or bool((np.abs(numbers) >= MAX_EXACT).any()):
        return None
    return numbers


def is_missing(cell: str) -> bool:
    return not cell or cell.strip().lower() in NO_VALUES
