"""Backups: a tar file with the rows of the database and the files, made while the server runs, and restored anywhere.

The rows are JSON lines of one snapshot, the same for SQLite and PostgreSQL, so that a restore may change from one to
the other. The rows come first, then the journal, then the files: what the snapshot knows of is in what is copied
later. Files that grow meanwhile are copied as long as they were when it was their turn. Indexes are left out; they are
made again.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sqlite3
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import msgspec

from seamark.team.database import Database, Transaction
from seamark.team.database.migrations import table_names
from seamark.team.settings import TeamFolder, TeamSettings
from seamark.version import __version__

FORMAT = 1
MANIFEST, ROWS = "manifest.json", "database.jsonl"
PAGE = 5000
# Folders below the folder of the server, in the order in which they are copied.
FOLDERS = ("journal", "projects")
CACHES = ("index",)
SQLITE_HEADER = b"SQLite format 3\0"
SQLITE_COMPANIONS = ("-wal", "-shm", "-journal")


class BackupError(Exception):
    """The backup cannot be made or used; the message is for the user."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    seamark: str
    created_at: float
    migrations: list[str]
    settings: TeamSettings


class BackupReport(msgspec.Struct, frozen=True):
    rows: int
    files: int
    bytes: int


def make_backup(folder: TeamFolder, database: Database, target: Path) -> BackupReport:
    """Raises BackupError or DatabaseError. A failure leaves no file."""
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        with ExitStack() as stack:
            tar = stack.enter_context(opened_for_writing(unfinished, target.suffix == ".gz"))
            report = write_backup(folder, database, tar)
        unfinished.replace(target)
    except OSError as error:
        raise BackupError(f"the backup cannot be written ({error.strerror or error}): '{target}'") from None
    finally:
        unfinished.unlink(missing_ok=True)
    return report


def opened_for_writing(path: Path, is_compressed: bool) -> Any:
    # It holds hashes of passwords and everybody's runs.
    handle = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
    return ClosingTar(handle, is_compressed)


class ClosingTar:
    """A tar file that closes its own file as well, after it is on the disk."""

    def __init__(self, handle: IO[bytes], is_compressed: bool) -> None:
        self._handle = handle
        self._zip = gzip.GzipFile(fileobj=handle, mode="wb", compresslevel=3) if is_compressed else None

    def __enter__(self) -> tarfile.TarFile:
        self._tar = tarfile.open(fileobj=self._zip or self._handle, mode="w", format=tarfile.PAX_FORMAT)
        return self._tar

    def __exit__(self, *_: object) -> None:
        with closing(self._handle):
            self._tar.close()
            if self._zip is not None:
                self._zip.close()
            self._handle.flush()
            os.fsync(self._handle.fileno())


def write_backup(folder: TeamFolder, database: Database, tar: tarfile.TarFile) -> BackupReport:
    with tempfile.TemporaryFile() as rows:
        count, migrations = database.read(lambda transaction: dump(transaction, database.dialect, rows))
        manifest = Manifest(
            format=FORMAT,
            seamark=__version__,
            created_at=time.time(),
            migrations=migrations,
            settings=folder.read(),
        )
        add_bytes(tar, MANIFEST, msgspec.json.encode(manifest))
        size = rows.tell()
        rows.seek(0)
        tar.addfile(entry(ROWS, size), rows)
    files = total = 0
    for path in files_to_copy(folder.path):
        added = add_file(tar, path, path.relative_to(folder.path).as_posix())
        if added is not None:
            files, total = files + 1, total + added
    return BackupReport(count, files, total)


def dump(transaction: Transaction, dialect: str, target: IO[bytes]) -> tuple[int, list[str]]:
    """Writes the rows of all tables; the work of one transaction, which may be repeated."""
    target.seek(0)
    target.truncate()
    if dialect == "postgresql":
        transaction.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    migrations = [name for (name,) in transaction.rows("SELECT name FROM migrations ORDER BY name")]
    count = 0
    for table in table_names(migrations):
        for row in all_rows(transaction, table, dialect):
            target.write(json.dumps({"table": table, "row": row}).encode("ascii") + b"\n")
            count += 1
    return count, migrations


def all_rows(transaction: Transaction, table: str, dialect: str) -> Iterator[dict[str, Any]]:
    """In the order of their first columns: a row that another one of the same table names is older."""
    columns = column_names(transaction, table, dialect)
    order = ", ".join(str(index + 1) for index in range(min(2, len(columns))))
    offset = 0
    while True:
        page = transaction.rows(
            f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order} LIMIT {PAGE} OFFSET {offset}"
        )
        yield from (dict(zip(columns, row, strict=True)) for row in page)
        if len(page) < PAGE:
            return
        offset += PAGE


def column_names(transaction: Transaction, table: str, dialect: str) -> list[str]:
    if dialect == "sqlite":
        return [str(row[1]) for row in transaction.rows(f"PRAGMA table_info({table})")]
    rows = transaction.rows(
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_name = ? AND table_schema = current_schema() ORDER BY ordinal_position",
        table,
    )
    return [str(name) for (name,) in rows]


def files_to_copy(folder: Path) -> Iterator[Path]:
    for name in FOLDERS:
        for current, folders, files in os.walk(folder / name):
            folders[:] = sorted(each for each in folders if each not in CACHES or name != "projects")
            for file in sorted(files):
                if not file.endswith(SQLITE_COMPANIONS):
                    yield Path(current) / file


def add_file(tar: tarfile.TarFile, path: Path, name: str) -> int | None:
    """Returns its size; None if it is gone, or no plain file."""
    try:
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as source:
            if source.read(len(SQLITE_HEADER)) == SQLITE_HEADER:
                return add_sqlite(tar, path, name)
            size = os.fstat(source.fileno()).st_size
            source.seek(0)
            tar.addfile(entry(name, size, path.stat().st_mtime), ExactReader(source, size))
            return size
    except FileNotFoundError:  # deleted since it was listed
        return None


def add_sqlite(tar: tarfile.TarFile, path: Path, name: str) -> int:
    """A database that is in use, by SQLite's own backup."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy.sqlite"
        address = f"file:{quote(str(path.resolve()))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        size = copy.stat().st_size
        with copy.open("rb") as content:
            tar.addfile(entry(name, size, time.time()), content)
    return size


class ExactReader(io.RawIOBase):
    """As many bytes as announced, with zeros for those that were cut off meanwhile: the tar stays readable."""

    def __init__(self, source: IO[bytes], size: int) -> None:
        self._source = source
        self._left = size

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        found = self._source.read(wanted)
        self._left -= wanted
        return found.ljust(wanted, b"\0")


def add_bytes(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    tar.addfile(entry(name, len(content)), io.BytesIO(content))


def entry(name: str, size: int, modified_at: float = 0.0) -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.size, found.mtime, found.mode = size, modified_at, 0o600
    return found
