"""OpenedShares: the applications of shares that somebody looks at, and the end of those that are revoked or expire."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import time
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool

from seamark.store import LogRoot
from seamark.team.database import Database, Transaction
from seamark.team.projects.opened import OpenedProject, OpenedProjects, View, open_over
from seamark.team.projects.project import project_with_id
from seamark.team.projects.stores import SHARE_RELOAD_SECS
from seamark.team.settings import TeamFolder
from seamark.team.sharing.shared_state import SharedState
from seamark.team.sharing.shares import ShareRow, share_with_id
from seamark.team.sharing.view_folder import synchronize

LOG = logging.getLogger(__name__)
# How soon an opened share shows a new file of its runs, and ends if another process revoked it.
SYNCHRONIZE_SECS = SHARE_RELOAD_SECS
# What visitors see in place of the server's folder. The project may be nobody else's business.
LABEL = "shared"


class OpenedShares:
    """Its methods are called on the event loop, those in the second part on any thread."""

    def __init__(self, folder: TeamFolder, database: Database, projects: OpenedProjects) -> None:
        self._folder = folder
        self._database = database
        self._projects = projects
        self._ends: dict[str, asyncio.Event] = {}
        self._states: dict[str, SharedState] = {}

    @contextlib.asynccontextmanager
    async def use(self, share: ShareRow) -> AsyncIterator[OpenedProject]:
        runs = share.runs
        if runs is None:  # nothing to hide: the application of the project itself
            async with self._projects.use(View(share.project_id)) as opened:
                yield opened
            return
        async with self._projects.use(View(share.project_id, share.id), lambda: self._open(share, runs)) as opened:
            yield opened

    def end_of(self, share: ShareRow) -> asyncio.Event:
        """Set when the share is revoked."""
        return self._ends.setdefault(share.id, asyncio.Event())

    async def end(self, project_id: str, share_id: str) -> None:
        """Ends every response of a share, also its event streams, and removes its folder."""
        event = self._ends.pop(share_id, None)
        if event is not None:
            event.set()
        await self._projects.close_view(View(project_id, share_id))
        self._states.pop(share_id, None)
        await run_in_threadpool(self._remove_folder, project_id, share_id)

    async def synchronize_all(self, now: float) -> None:
        """Brings the folders of opened shares up to date, and ends what is no longer open."""
        for share_id in {*self._ends, *(view.share_id for view in self._projects.open_views() if view.share_id)}:
            await self._synchronize(share_id, now)

    async def remove_closed(self) -> None:
        """Removes the folders of shares that nobody looks at: links would keep files that others have removed."""
        async with self._projects.opening_paused() as views:
            await run_in_threadpool(self._remove_folders_but, {view.share_id for view in views})

    async def _synchronize(self, share_id: str, now: float) -> None:
        share = await run_in_threadpool(self._find, share_id)
        if share is None or not share.is_open_at(now):
            views = [view.project_id for view in self._projects.open_views() if view.share_id == share_id]
            await self.end(share.project_id if share is not None else "".join(views[:1]), share_id)
            return
        if self._projects.find(View(share.project_id, share.id)) is None:
            self._states.pop(share_id, None)  # closed, since nobody looked at it
            return
        await run_in_threadpool(self._update, share)

    # On any thread

    def update_folders(self, project_id: str) -> None:
        """After runs were deleted: their files must not stay in the folder of a share."""
        folder = self._folder.shares_dir(project_id)
        for path in folder.iterdir() if folder.is_dir() else ():
            share = self._find(path.name)
            if share is None or share.runs is None or not share.is_open_at(time.time()):
                shutil.rmtree(path, ignore_errors=True)
            else:
                self._update(share)

    def _open(self, share: ShareRow, runs: tuple[str, ...]) -> OpenedProject:
        folder = self._folder.share_dir(share.project_id, share.id)
        self._update(share)
        roots = [LogRoot("", folder, label=LABEL)]
        store = self._projects.stores.of_share(share.project_id, roots[0], runs)
        state = SharedState(self._projects.project_state(share.project_id), roots, runs=runs)
        state.show_pins_of(lambda: {tag for kinds in store.tags().values() for tags in kinds.values() for tag in tags})
        self._states[share.id] = state
        return open_over(store, roots, state)

    def _update(self, share: ShareRow) -> None:
        logs, view = self._folder.logs_dir(share.project_id), self._folder.share_dir(share.project_id, share.id)
        try:
            synchronize(logs, view, share.runs or (), known_runs=self._known_runs(share.project_id))
            state = self._states.get(share.id)
            if state is not None:
                state.announce_changes()
        except OSError as error:
            LOG.warning("the runs of a share cannot be brought up to date (%s): '%s'", error, view)

    def _remove_folders_but(self, share_ids: set[str]) -> None:
        for folder in self._folder.all_share_dirs():
            if folder.name not in share_ids:
                shutil.rmtree(folder, ignore_errors=True)

    def _remove_folder(self, project_id: str, share_id: str) -> None:
        if project_id:
            shutil.rmtree(self._folder.share_dir(project_id, share_id), ignore_errors=True)

    def _find(self, share_id: str) -> ShareRow | None:
        """None for a share of a deleted project, too."""

        def find(transaction: Transaction) -> ShareRow | None:
            share = share_with_id(transaction, share_id)
            is_there = share is not None and project_with_id(transaction, share.project_id) is not None
            return share if is_there else None

        return self._database.read(find)

    def _known_runs(self, project_id: str) -> list[str]:
        def names(transaction: Transaction) -> list[str]:
            rows = transaction.rows("SELECT name FROM runs WHERE project_id = ? AND deleted_at IS NULL", project_id)
            return [name for (name,) in rows]

        return self._database.read(names)
