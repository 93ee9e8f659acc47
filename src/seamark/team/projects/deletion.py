"""Deletes projects: at once from sight, after a grace period from the disk."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from contextlib import suppress

from seamark.store import StoreUnavailableError
from seamark.team.database import Database, Transaction
from seamark.team.projects.project import Project
from seamark.team.projects.stores import ProjectStores
from seamark.team.settings import TeamFolder

LOG = logging.getLogger(__name__)
GRACE_SECS = 7 * 24 * 3600.0
# Removes all runs of a project from the object storage. Raises OSError.
ForgetObjects = Callable[[str], None]


def delete_project(transaction: Transaction, project: Project, now: float) -> float:
    """Returns when it will be gone for good. Its name is free at once."""
    transaction.execute(
        "UPDATE projects SET deleted_at = ?, is_public = 0, name = ? WHERE id = ?",
        now,
        f"{project.name} deleted {project.id}",  # no project can have a name with spaces
        project.id,
    )
    return now + GRACE_SECS


def purge_deleted_projects(
    database: Database, folder: TeamFolder, now: float, *, stores: ProjectStores, forget_objects: ForgetObjects
) -> list[str]:
    """Deletes the files, objects, points and rows of projects whose grace period is over. Returns their ids."""
    rows = database.read(
        lambda transaction: transaction.rows("SELECT id FROM projects WHERE deleted_at < ?", now - GRACE_SECS)
    )
    return [project_id for (project_id,) in rows if purge(database, folder, project_id, stores, forget_objects)]


def purge(
    database: Database, folder: TeamFolder, project_id: str, stores: ProjectStores, forget_objects: ForgetObjects
) -> bool:
    # The row last: after a failure it is still there, and the next round tries again.
    try:
        stores.remove_project(project_id)
        with suppress(FileNotFoundError):
            shutil.rmtree(folder.project_dir(project_id))
        forget_objects(project_id)
    except (OSError, StoreUnavailableError) as error:
        LOG.warning("a deleted project cannot be removed (%s): '%s'", error, folder.project_dir(project_id))
        return False
    database.write(lambda transaction: transaction.execute("DELETE FROM projects WHERE id = ?", project_id))
    return True
