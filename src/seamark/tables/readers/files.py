"""Tables in files, by the ending of their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from seamark.format.budget import reading
from seamark.tables.column import Table, TableError
from seamark.tables.readers import arrow_files, arrow_open, csv_files, json_files, numpy_files
from seamark.tables.readers.compressed import GZIP_SUFFIX, format_suffix

TEXT_READERS: Mapping[str, Callable[[Path], Table]] = {
    ".csv": csv_files.read_csv,
    ".tsv": csv_files.read_csv,
    ".json": json_files.read_json,
    ".jsonl": json_files.read_json,
    ".ndjson": json_files.read_json,
}
BINARY_READERS: Mapping[str, Callable[[Path], Table]] = {
    ".npy": numpy_files.read_npy,
    ".npz": numpy_files.read_npz,
    **dict.fromkeys(arrow_open.SUFFIXES, arrow_files.read_arrow),
}
SUFFIXES = (*TEXT_READERS, *(f"{suffix}{GZIP_SUFFIX}" for suffix in TEXT_READERS), *BINARY_READERS)


def read_table(path: Path) -> Table:
    """Raises TableError and OSError."""
    suffix = format_suffix(path)
    is_packed = path.suffix.lower() == GZIP_SUFFIX
    reader = TEXT_READERS.get(suffix) or (None if is_packed else BINARY_READERS.get(suffix))
    if reader is None:
        raise TableError(f"this file is no table: got '{path.name}', want one of {', '.join(SUFFIXES)}")
    try:
        with reading(path, TableError):
            return reader(path)
    except MemoryError:
        raise TableError("the table is too large for the memory of this machine") from None
