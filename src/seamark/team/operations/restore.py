"""Restores a backup into a new folder, and into SQLite or an empty PostgreSQL database."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from seamark.team.database import DatabaseError, Transaction
from seamark.team.database.migrations import all_migrations, migrate, table_names
from seamark.team.database.opening import connect
from seamark.team.operations.backup import FOLDERS, FORMAT, MANIFEST, ROWS, BackupError, Manifest
from seamark.team.settings import TeamFolder, TeamSettings


def restore_backup(
    source: Path, folder: TeamFolder, *, database: str | None, storage: str | None, points: str | None = None
) -> Manifest:
    """Into a new folder. `database` and `storage` replace those of the backup.

    The server that was backed up may still ingest into its database of points: `points` has to be given again.

    Raises BackupError, NoTeamError and DatabaseError.
    """
    try:
        with tarfile.open(source) as tar:
            members = iter(tar)
            manifest = read_manifest(tar, next(members, None))
            given = {"database": database, "storage": storage, "points": points or ""}
            changes = {name: value for name, value in given.items() if value is not None}
            settings = msgspec.structs.replace(manifest.settings, **changes)
            folder.create(settings)
            try:
                restore_rows(tar, next(members, None), folder, settings, manifest.migrations)
                for member in members:
                    extract(tar, member, folder.path)
            except BaseException:
                shutil.rmtree(folder.path, ignore_errors=True)
                raise
    except (tarfile.TarError, EOFError, OSError) as error:
        raise BackupError(f"the backup cannot be read ({error}): '{source}'") from None
    return manifest


def read_manifest(tar: tarfile.TarFile, member: tarfile.TarInfo | None) -> Manifest:
    content = tar.extractfile(member) if member is not None and member.name == MANIFEST else None
    if content is None:
        raise BackupError("this file is not a backup of a team server")
    try:
        manifest = msgspec.json.decode(content.read(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise BackupError(f"the backup's manifest cannot be read: {error}") from None
    unknown = sorted(set(manifest.migrations) - set(all_migrations()))
    if manifest.format > FORMAT or unknown:
        raise BackupError(
            f"this backup was made by a later version of Seamark ({manifest.seamark}); "
            "upgrade with pip install -U seamark"
        )
    return manifest


def restore_rows(
    tar: tarfile.TarFile,
    member: tarfile.TarInfo | None,
    folder: TeamFolder,
    settings: TeamSettings,
    migrations: list[str],
) -> None:
    content = tar.extractfile(member) if member is not None and member.name == ROWS else None
    if content is None:
        raise BackupError("the backup has no rows of the database")
    database = connect(folder, settings)
    try:
        # The tables as they were, then the rows, then what was changed since: as an upgrade would do it.
        migrate(database, only=migrations)
        database.write(lambda transaction: insert_rows(transaction, content, set(table_names(migrations))))
        migrate(database)
    finally:
        database.close()


def insert_rows(transaction: Transaction, source: IO[bytes], tables: set[str]) -> None:
    source.seek(0)
    if transaction.row("SELECT 1 FROM users"):
        raise DatabaseError("the database holds a team server already; want an empty one")
    for table in tables:
        transaction.execute(f"DELETE FROM {table}")  # what a migration inserted is in the backup, too
    for line in source:
        found = json.loads(line)
        table, row = found["table"], found["row"]
        if table not in tables or not all(name.isidentifier() for name in row):
            raise BackupError(f"the backup has rows of an unknown table '{table}'")
        marks = ", ".join("?" * len(row))
        transaction.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", *row.values())


def extract(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Only plain files below the known folders."""
    path = PurePosixPath(member.name)
    if not member.isfile() or path.parts[0] not in FOLDERS or ".." in path.parts or path.is_absolute():
        raise BackupError(f"the backup has an entry that does not belong there: '{member.name}'")
    content = tar.extractfile(member)
    assert content is not None
    target = folder / path
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with target.open("wb") as copy:
        shutil.copyfileobj(content, copy)
    os.utime(target, (member.mtime, member.mtime))
