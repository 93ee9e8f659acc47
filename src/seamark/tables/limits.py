"""Limits of tables, so that a file from a stranger cannot exhaust the memory."""

from __future__ import annotations

from seamark.format.budget import check_fits
from seamark.tables.column import TableError

MAX_FILE_BYTES = 2 << 30  # also after it is decompressed
MAX_COLUMNS = 10_000
MAX_CELLS = 200_000_000  # as float64 they take 1.6 GB
CELL_BYTES = 4  # of a name; a number takes twice as much
MAX_CELL_CHARACTERS = 16 << 20  # csv's own limit is 128 KB
MAX_PICTURE_BYTES = 1 << 30  # of all pictures that a table has in memory


def check_columns(columns: int, error: type[ValueError] = TableError) -> None:
    if columns > MAX_COLUMNS:
        raise error(f"the table has too many columns: got {columns:,}, want at most {MAX_COLUMNS:,}")


def check_cells(rows: int, columns: int) -> None:
    check_columns(columns)
    if rows * columns > MAX_CELLS:
        raise TableError(
            f"the table is too large: it has {rows:,} rows of {columns:,} columns, want at most {MAX_CELLS:,} cells"
        )
    check_fits(CELL_BYTES * rows * columns)
