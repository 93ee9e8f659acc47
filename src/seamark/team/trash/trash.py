"""Trash: deletes runs, restores them, and after the grace period removes everything that is known of them.

The row of a run says whether it is deleted; files are moved after the row was changed. What a crash interrupts is
finished by `settle`.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from seamark.store import LogRoot, Store
from seamark.store.index.compact import compact_index
from seamark.team.database import Database, Transaction
from seamark.team.ingest.ingest import Ingest
from seamark.team.projects.opened import OpenedProjects
from seamark.team.settings import TeamFolder
from seamark.team.sharing.opened_shares import OpenedShares
from seamark.team.trash.files import move_back, move_to_trash, size_of
from seamark.team.trash.rows import TrashedRun, forget_run, live_runs, mark_deleted, mark_restored, trashed_runs

LOG = logging.getLogger(__name__)
DAY_SECS = 86_400.0
# An index of a large project takes this long to find out which runs are gone.
INDEX_SECS = 600.0


class Trash:
    """Several processes may share the rows; each has files of its own (see `follow_others`)."""

    def __init__(
        self,
        folder: TeamFolder,
        database: Database,
        projects: OpenedProjects,
        shares: OpenedShares,
        ingest: Ingest,
        *,
        days: float,
    ) -> None:
        self._folder = folder
        self._database = database
        self._projects = projects
        self._shares = shares
        self._ingest = ingest
        self._settled: frozenset[tuple[str, str]] = frozenset()
        self.grace_secs = days * DAY_SECS

    # On any thread

    def delete(self, transaction: Transaction, project_id: str, names: Sequence[str], *, by: str, now: float) -> None:
        """Marks runs as deleted; call `settle` after the transaction."""
        for name in names:
            mark_deleted(transaction, project_id, name, by=by, now=now)

    def restore(self, transaction: Transaction, runs: Sequence[TrashedRun]) -> None:
        """Marks runs as restored; call `settle` after the transaction. Raises RequestError."""
        for run in runs:
            mark_restored(transaction, run)

    def settle(self, project_id: str) -> None:
        """Moves the files of a project to where its rows say they are."""
        self._ingest.change_files(lambda: self._move_files(project_id))
        self._shares.update_folders(project_id)
        self._projects.stores.runs_changed(project_id)

    def settle_all(self) -> None:
        for project_id in self._database.read(projects_with_trash):
            self.settle(project_id)

    def follow_others(self) -> None:
        """Moves and removes the files of runs that another process has deleted, restored or removed for good."""
        found = frozenset((run.project_id, run.id) for run in self._database.read(trashed_runs))
        if found == self._settled:
            return
        for project_id in dict.fromkeys(project_id for project_id, _ in found ^ self._settled):
            self.settle(project_id)
        self._settled = found

    def _move_files(self, project_id: str) -> None:
        logs, trash = self._folder.logs_dir(project_id), self._folder.trash_dir(project_id)
        live, deleted = self._database.read(
            lambda transaction: (live_runs(transaction, project_id), trashed_runs(transaction, project_id))
        )
        for name, run_id in live.items():
            if (trash / run_id).is_dir():
                move_back(logs, name, trash / run_id)
        known = {*live, *(run.name for run in deleted)}
        for run in deleted:
            if run.name not in live:
                move_to_trash(logs, run.name, trash / run.id, known_runs=known)
        for folder in trash.iterdir() if trash.is_dir() else ():
            if folder.name not in {run.id for run in deleted}:  # removed for good by another process
                shutil.rmtree(folder)
        sizes = [(size_of(trash / run.id), run.id) for run in deleted]

        def save_sizes(transaction: Transaction) -> None:
            for size, run_id in sizes:
                transaction.execute("UPDATE runs SET bytes = ? WHERE id = ?", size, run_id)

        self._database.write(save_sizes)

    # On the event loop

    async def purge_due(self, now: float) -> list[TrashedRun]:
        """Removes what was deleted longer ago than the grace period."""
        runs = await run_in_threadpool(self._database.read, trashed_runs)
        due = [run for run in runs if now - run.deleted_at >= self.grace_secs]
        await self.purge(due)
        return due

    async def purge(self, runs: Sequence[TrashedRun]) -> None:
        """Removes runs of the trash for good: files, rows, saved state, index and caches."""
        for project_id in dict.fromkeys(run.project_id for run in runs):
            chosen = [run for run in runs if run.project_id == project_id]
            async with self._projects.closed(project_id):
                ended = await run_in_threadpool(self._purge_closed, project_id, chosen)
            for share_id in ended:
                await self._shares.end(project_id, share_id)
        if runs:
            await run_in_threadpool(self._database.scrub)

    def _purge_closed(self, project_id: str, runs: Sequence[TrashedRun]) -> list[str]:
        self._ingest.change_files(lambda: self._remove_files(project_id, runs))
        live = self._database.read(lambda transaction: live_runs(transaction, project_id))
        gone = {run.name for run in runs} - live.keys()
        self._ingest.forget_runs(project_id, gone)
        with closing(self._projects.project_state(project_id)) as state:
            state.forget_runs(gone)
        self._clean_index(project_id)
        self._projects.stores.remove_runs(project_id, gone)

        def forget(transaction: Transaction) -> list[str]:
            return [share_id for run in runs for share_id in forget_run(transaction, run)]

        # The rows last: if anything before fails, the next attempt finds them.
        ended = self._database.write(forget)
        self._shares.update_folders(project_id)
        LOG.info("%d deleted runs were removed for good", len(runs))
        return ended

    def _remove_files(self, project_id: str, runs: Sequence[TrashedRun]) -> None:
        self._move_files(project_id)
        for run in runs:
            folder = self._folder.trash_dir(project_id) / run.id
            if folder.is_dir():
                shutil.rmtree(folder)

    def _clean_index(self, project_id: str) -> None:
        root, index = LogRoot("", self._folder.logs_dir(project_id)), self._folder.index_dir(project_id)
        root.path.mkdir(parents=True, exist_ok=True)
        with Store([root], index_dir=index, follow=False) as store:
            store.wait_loaded(INDEX_SECS)
        compact_index(index, Path(root.path))


def projects_with_trash(transaction: Transaction) -> list[str]:
    rows = transaction.rows("SELECT DISTINCT project_id FROM runs WHERE deleted_at IS NOT NULL")
    return [project_id for (project_id,) in rows]
