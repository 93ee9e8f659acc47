"""Removes files of a process's own folder that belong to nothing any more, because another process deleted it."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from seamark.team.database import Database, Transaction
from seamark.team.projects.run_files import ROOT_RUN, has_event_files
from seamark.team.settings import TeamFolder

LOG = logging.getLogger(__name__)


def remove_stale_files(folder: TeamFolder, database: Database) -> None:
    """Only for a server with an object storage, before it starts: runs may have been removed while it was stopped.

    Raises OSError or DatabaseError.
    """
    remove_unknown_projects(folder, database)
    for project_dir in folder.project_dirs():
        remove_unknown_runs(folder, project_dir.name, database)


def remove_unknown_projects(folder: TeamFolder, database: Database) -> None:
    """The folders of projects that another process has removed for good. Raises OSError or DatabaseError."""
    # Listed first: a project gets its row before its folder.
    found = folder.project_dirs()
    known = database.read(lambda transaction: {str(id) for (id,) in transaction.rows("SELECT id FROM projects")})
    for project_dir in found:
        if project_dir.name not in known:
            shutil.rmtree(project_dir)


def remove_unknown_runs(folder: TeamFolder, project_id: str, database: Database) -> None:
    names, ids = database.read(lambda transaction: known_runs(transaction, project_id))
    logs, trash = folder.logs_dir(project_id), folder.trash_dir(project_id)
    for inside, _, files in os.walk(logs):
        if files and run_of(logs, Path(inside), names) not in names:
            LOG.info("files of a deleted run are removed: '%s'", inside)
            for name in files:
                Path(inside, name).unlink()
    for deleted in trash.iterdir() if trash.is_dir() else ():
        if deleted.name not in ids:
            shutil.rmtree(deleted)


def run_of(logs: Path, folder: Path, names: Collection[str]) -> str:
    """The run that the files in a folder belong to: the nearest one above them."""
    relative = PurePosixPath(folder.relative_to(logs))
    for above in (relative, *relative.parents):
        if str(above) in names or has_event_files(logs / above):
            return str(above)
    return ROOT_RUN


def known_runs(transaction: Transaction, project_id: str) -> tuple[set[str], set[str]]:
    """Names and ids, also of those in the trash."""
    rows = transaction.rows("SELECT name, id FROM runs WHERE project_id = ?", project_id)
    return {str(name) for name, _ in rows}, {str(run_id) for _, run_id in rows}
