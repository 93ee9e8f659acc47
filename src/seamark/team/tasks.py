"""BackgroundTasks: what a team server does at intervals."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool

from seamark.team.ingest.stale_files import remove_unknown_projects
from seamark.team.projects.deletion import purge_deleted_projects
from seamark.team.sharing.opened_shares import SYNCHRONIZE_SECS
from seamark.team.team import Team

LOG = logging.getLogger(__name__)
IDLE_CHECK_SECS = 60.0
NOTIFY_SECS = 10.0
ANNOUNCE_SECS = 1.0
PURGE_SECS = 3600.0
# A project's rules are applied once a day.
RETENTION_CHECK_SECS = 3600.0
# With an object storage: how soon a process removes what another one has deleted, and bytes that nothing needs.
FOLLOW_SECS = 5.0
COLLECT_SECS = 3600.0


class BackgroundTasks:
    """Runs each task again and again; one that fails is logged and runs at its next turn."""

    def __init__(self, team: Team) -> None:
        self._team = team
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._every(IDLE_CHECK_SECS, "close idle projects", self._close_idle)
        self._every(PURGE_SECS, "empty the trash", self._purge)
        self._every(RETENTION_CHECK_SECS, "apply retention rules", self._apply_retention)
        self._every(NOTIFY_SECS, "notify", self._notify)
        self._every(ANNOUNCE_SECS, "announce changes to pages", self._team.announcer.announce)
        self._every(SYNCHRONIZE_SECS, "synchronize shares", self._synchronize_shares)
        if self._team.ingest.objects is not None:
            self._every(FOLLOW_SECS, "follow other processes", self._follow_others)
            self._every(COLLECT_SECS, "remove unused objects", self._collect)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _every(self, secs: float, name: str, work: Callable[[], Awaitable[None]]) -> None:
        async def repeat() -> None:
            while True:
                await asyncio.sleep(secs)
                try:
                    await work()
                except Exception:
                    LOG.exception("the background task failed: %s", name)

        self._tasks.append(asyncio.create_task(repeat(), name=name))

    async def _close_idle(self) -> None:
        await self._team.projects.close_idle(time.monotonic())
        await self._team.shares.remove_closed()

    async def _purge(self) -> None:
        team = self._team
        await run_in_threadpool(
            purge_deleted_projects,
            team.database,
            team.folder,
            team.clock(),
            stores=team.projects.stores,
            forget_objects=team.ingest.forget_runs,
        )
        if team.ingest.objects is not None:
            await run_in_threadpool(remove_unknown_projects, team.folder, team.database)
        await run_in_threadpool(self._team.trash.settle_all)
        await self._team.trash.purge_due(self._team.clock())

    async def _apply_retention(self) -> None:
        await run_in_threadpool(self._team.retention.apply_due, self._team.clock())

    async def _notify(self) -> None:
        await self._team.evaluation.evaluate(self._team.clock())
        await run_in_threadpool(self._team.delivery.send_waiting, self._team.clock())

    async def _follow_others(self) -> None:
        await run_in_threadpool(self._team.trash.follow_others)

    async def _collect(self) -> None:
        objects = self._team.ingest.objects
        if objects is not None:
            await run_in_threadpool(objects.collect)
            await run_in_threadpool(objects.sweep)

    async def _synchronize_shares(self) -> None:
        await self._team.shares.synchronize_all(self._team.clock())
