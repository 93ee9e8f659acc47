"""CSV and TSV files."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from seamark.tables.build import NO_VALUES, parse_number
from seamark.tables.column import Column, Table, TableError
from seamark.tables.limits import check_columns
from seamark.tables.names import distinct_names
from seamark.tables.readers.arrow_open import has_pyarrow
from seamark.tables.readers.compressed import format_suffix, read_bytes
from seamark.tables.readers.csv_rows import CsvHeader, header_row, read_rows

SEPARATORS = ",;\t|"
QUOTED = re.compile(r'"[^"]*"')
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A shorter text is read before pyarrow is loaded.
MIN_ARROW_BYTES = 1 << 20


def read_csv(path: Path) -> Table:
    table = parse_csv(read_bytes(path), separator="\t" if format_suffix(path) == ".tsv" else "")
    if not table.rows:
        raise TableError(f"the table has no rows: '{path.name}'")
    return table


def parse_csv(data: bytes, separator: str = "") -> Table:
    """Without a separator, the one that the first line has most of."""
    data = as_utf8(data)
    separator = separator or separator_of(data)
    header, problems = read_header(data, separator)
    if len(data) >= MIN_ARROW_BYTES and has_pyarrow():
        from seamark.tables.readers.csv_arrow import read_with_arrow

        columns = read_with_arrow(data, separator, header)
        if columns is not None:
            return _table(columns, problems)
    columns, more = read_rows(data, separator, header)
    return _table(columns, [*problems, *more])


def _table(columns: list[Column], problems: list[str]) -> Table:
    return Table(len(columns[0]) if columns else 0, tuple(columns), tuple(problems))


def as_utf8(data: bytes) -> bytes:
    """Without a byte order mark. Excel writes UTF-16 as "Unicode text"."""
    if data.startswith(UTF16_MARKS):
        return data.decode("utf-16", errors="replace").encode()
    return data.removeprefix(codecs.BOM_UTF8)


def separator_of(data: bytes) -> str:
    first = data.lstrip(b"\r\n").partition(b"\n")[0].decode(errors="replace")
    unquoted = QUOTED.sub("", first)
    return max(SEPARATORS, key=unquoted.count)


def read_header(data: bytes, separator: str) -> tuple[CsvHeader, list[str]]:
    first = header_row(data, separator)
    check_columns(len(first))
    if not is_header(first):
        sentence = "the first line has numbers only, so the columns have no names: add a line with them"
        return CsvHeader([f"column {at + 1}" for at in range(len(first))], is_row=True), [sentence]
    problems = []
    names = distinct_names(first)
    unnamed = sum(not name.strip() for name in first)
    repeated = len(first) - unnamed - len({name.strip() for name in first if name.strip()})
    if unnamed:
        problems.append(f"{unnamed:,} column{'s have' if unnamed > 1 else ' has'} no name")
    if repeated:
        problems.append(f"{repeated:,} column{'s have' if repeated > 1 else ' has'} the name of another")
    return CsvHeader(names, is_row=False), problems


def is_header(first: list[str]) -> bool:
    """Words, or the numbers of the columns, as pandas writes them."""
    cells = [cell for cell in first if cell.strip().lower() not in NO_VALUES]
    if not cells or any(parse_number(cell) is None for cell in cells):
        return True
    return len(cells) > 1 and cells in ([str(at + start) for at in range(len(cells))] for start in (0, 1))
