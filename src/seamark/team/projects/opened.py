"""Opened projects: the store and the application of each project that somebody looks at."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool

from seamark.serve.app import Settings, create_app
from seamark.serve.live.live import Live
from seamark.serve.state.state import State
from seamark.store import LogRoot, RunStore
from seamark.team.database import Database
from seamark.team.projects.earlier_state import move_earlier_state
from seamark.team.projects.project import project_with_id
from seamark.team.projects.saved_state import ProjectStorage
from seamark.team.projects.stores import ProjectStores
from seamark.team.settings import TeamFolder

LOG = logging.getLogger(__name__)
# A project that nobody asked for this long is closed; its index makes the next opening fast.
IDLE_SECS = 600.0


class View(NamedTuple):
    """What an application shows: all runs of a project, or those of a shared link."""

    project_id: str
    share_id: str = ""


class OpenedProject:
    """A started store and its application. Created and closed on the event loop's thread."""

    def __init__(self, store: RunStore, app: Starlette, state: State) -> None:
        self.store = store
        self.app = app
        self.state = state
        self.used_at = time.monotonic()
        self.users = 0  # responses under way, among them the event streams of pages
        self._running = contextlib.AsyncExitStack()

    @property
    def live(self) -> Live:
        found: Live = self.app.state.live
        return found

    async def start(self) -> None:
        await run_in_threadpool(self.store.start)
        await self._running.enter_async_context(self.app.router.lifespan_context(self.app))

    async def close(self) -> None:
        await self._running.aclose()
        await run_in_threadpool(self.store.close)


class OpenedProjects:
    """Opens a project when it is first asked for."""

    def __init__(self, folder: TeamFolder, database: Database, stores: ProjectStores) -> None:
        self._folder = folder
        self._database = database
        self.stores = stores
        self._opened: dict[View, OpenedProject] = {}
        self._opening = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def use(self, view: View, create: Callable[[], OpenedProject] | None = None) -> AsyncIterator[OpenedProject]:
        """`create` opens what is not a whole project. It runs in a thread, and only if nobody else has opened it."""
        async with self._opening:
            opened = self._opened.get(view)
            if opened is None:
                opened = await run_in_threadpool(create or (lambda: self._create(view.project_id)))
                await opened.start()
                self._opened[view] = opened
        opened.users += 1
        try:
            yield opened
        finally:
            opened.users -= 1
            opened.used_at = time.monotonic()

    @contextlib.asynccontextmanager
    async def closed(self, project_id: str) -> AsyncIterator[None]:
        """Closes a project, and keeps it closed inside the block: nobody has its index open."""
        async with self._opening:
            await self.close_view(View(project_id))
            await run_in_threadpool(self.stores.pause, project_id)
            try:
                yield
            finally:
                self.stores.resume(project_id)

    @contextlib.asynccontextmanager
    async def opening_paused(self) -> AsyncIterator[list[View]]:
        """What is open; nothing else is opened inside the block."""
        async with self._opening:
            yield list(self._opened)

    def __len__(self) -> int:
        return len(self._opened)

    def find(self, view: View) -> OpenedProject | None:
        return self._opened.get(view)

    async def close_idle(self, now: float) -> None:
        idle = [view for view, each in self._opened.items() if not each.users and now - each.used_at > IDLE_SECS]
        for view in idle:
            await self._opened.pop(view).close()

    async def close_view(self, view: View) -> None:
        """After a share was revoked or a project deleted."""
        opened = self._opened.pop(view, None)
        if opened is not None:
            await opened.close()

    async def close(self) -> None:
        for opened in self._opened.values():
            await opened.close()
        self._opened.clear()

    def end_streams(self) -> None:
        """Ends the event streams of all pages, so that the server can stop."""
        for opened in self._opened.values():
            opened.live.close()

    def watched(self) -> dict[str, OpenedProject]:
        """The projects that pages are connected to, by id."""
        projects = {view.project_id: each for view, each in self._opened.items() if not view.share_id}
        return {project_id: each for project_id, each in projects.items() if each.live.audiences}

    def open_views(self) -> list[View]:
        return list(self._opened)

    def project_state(self, project_id: str) -> State:
        """The saved state of a project, which the caller closes."""
        storage = ProjectStorage(self._database, project_id)
        move_earlier_state(self._folder.state_dir(project_id), project_id, storage)
        return State(None, [self._log_root(project_id)], storage=storage)

    def _create(self, project_id: str) -> OpenedProject:
        roots = [self._log_root(project_id)]
        roots[0].path.mkdir(parents=True, exist_ok=True)
        store = self.stores.of_project(project_id, roots[0])
        return open_over(store, roots, self.project_state(project_id))

    def _log_root(self, project_id: str) -> LogRoot:
        """People see the name of the project instead of the server's folder."""
        project = self._database.read(lambda transaction: project_with_id(transaction, project_id))
        label = project.path if project is not None else "deleted project"
        return LogRoot("", self._folder.logs_dir(project_id), label=label)


def open_over(store: RunStore, roots: list[LogRoot], state: State) -> OpenedProject:
    # Hosts were checked in front of the team's application.
    settings = Settings(is_allowed_host=lambda _: True, team_root="/")
    return OpenedProject(store, create_app(store, roots=roots, state=state, settings=settings), state)
