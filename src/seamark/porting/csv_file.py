"""CSV: one column per tag (wide), or one row per point (long). Cells are separated by ',', ';' or tabs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from seamark.porting.rows import Columns, Table, files_named
from seamark.porting.source import OnBytes, Progress, SourceError, SourceRun, shifted

SUFFIXES = (".csv", ".tsv")
PROGRESS_ROWS = 5000


def runs(path: Path, columns: Columns, progress: Progress) -> Iterator[SourceRun]:
    files = files_named(path, SUFFIXES)
    done, total = 0, sum(file.stat().st_size for file in files)
    for file in files:
        yield from table_of(file, columns, shifted(progress, done, total)).finished()
        done += file.stat().st_size
        progress(done, total)


def table_of(path: Path, columns: Columns, on_bytes: OnBytes) -> Table:
    csv.field_size_limit(1 << 24)
    try:
        with path.open("rb") as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=delimiter_of(path))
            header = next(reader, [])
            if not any(header):
                raise SourceError(f"the first line names no columns: '{path}'")
            if len(set(header)) != len(header):
                twice = next(name for name in header if header.count(name) > 1)
                raise SourceError(f"the column '{twice}' is there twice: '{path}'")
            table = Table("csv", path, columns.found_in(header, path))
            for at, row in enumerate(reader):
                if len(row) > len(header):
                    raise SourceError(
                        f"a row has more cells than the first line names: got {len(row)}, want {len(header)}, "
                        f"in line {reader.line_num}: '{path}'"
                    )
                if row:
                    table.add(dict(zip(header, row, strict=False)), reader.line_num)
                if at % PROGRESS_ROWS == 0:
                    on_bytes(raw.tell())
            return table
    except UnicodeDecodeError:
        raise SourceError(f"this is not text in UTF-8: '{path}'") from None
    except csv.Error as error:
        raise SourceError(f"this is not CSV: {error}: '{path}'") from None
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror}): '{path}'") from None


def delimiter_of(path: Path) -> str:
    """The most frequent separator of the first line."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = file.readline()
    return max(",;\t", key=first.count)
