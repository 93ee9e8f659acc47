"""Ingestion: keeps the points of all projects in ClickHouse equal to the uploaded files.

One process of a team server does it. It opens a project when files arrive, and all of them one after the other when it
begins and from time to time: what happened while the server or ClickHouse was away is caught up from the files.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from seamark.team.database import Database, DatabaseError
from seamark.team.points.lease import RENEW_SECS, Lease
from seamark.team.points.project_ingestion import ProjectIngestion
from seamark.team.projects.project import all_projects

LOG = logging.getLogger(__name__)
# A project without uploads for this long is closed; its index makes the next opening fast.
IDLE_SECS = 600.0
CATCH_UP_SECS = 600.0
# How many projects are opened at a time to catch up. Those with uploads do not wait.
MAX_CATCHING_UP = 2


class Ingestion:
    """Any thread may call any method."""

    def __init__(self, database: Database, lease: Lease, open_project: Callable[[str], ProjectIngestion]) -> None:
        self._database, self._lease, self._open = database, lease, open_project
        self._lock = threading.Lock()
        self._opened: dict[str, ProjectIngestion] = {}
        self._closing: list[ProjectIngestion] = []
        self._wanted: dict[str, float] = {}  # projects with changed files, and when they changed
        self._paused: set[str] = set()
        self._to_catch_up: deque[str] = deque()
        self._catch_up_at = 0.0
        self._is_holder = False
        self._is_ending = False
        self._changed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="seamark-team-ingestion", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._is_ending = True
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join()

    def files_changed(self, project_id: str) -> None:
        """Cheap: called for every piece that is uploaded."""
        self._wanted[project_id] = time.monotonic()
        if project_id not in self._opened:
            self._changed.set()

    def look_now(self) -> None:
        """Opens the next project without waiting for the next look."""
        self._changed.set()

    def pause(self, project_id: str) -> None:
        """Until `resume` the project is not open, nor its index."""
        with self._lock:
            self._paused.add(project_id)
            self._begin_closing([each for each in self._opened.values() if each.project_id == project_id])
            closing = [each for each in self._closing if each.project_id == project_id]
        for each in closing:
            each.join()

    def resume(self, project_id: str) -> None:
        self._paused.discard(project_id)
        self.files_changed(project_id)

    def _run(self) -> None:
        while not self._is_ending:
            self._changed.clear()
            try:
                self._look()
            except DatabaseError as error:
                LOG.warning("ingesting waits for the database of the server: %s", error)
            except Exception:
                LOG.exception("ingesting failed; it is tried again")
            self._changed.wait(RENEW_SECS)
        self._close_all()
        for each in self._closing:
            each.join()
        self._lease.release()

    def _look(self) -> None:
        """Once every few seconds, and when a project has to be opened."""
        if not self._lease.hold():
            self._is_holder = False
            self._close_all()
            return
        now = time.monotonic()
        if not self._is_holder or now >= self._catch_up_at:
            self._is_holder = True
            self._catch_up_at = now + CATCH_UP_SECS
            projects = self._database.read(all_projects)
            self._to_catch_up = deque(project.id for project in projects)
        self._close_unused(now)
        self._open_wanted(now)

    def _open_wanted(self, now: float) -> None:
        recent = [project for project, at in list(self._wanted.items()) if now - at < IDLE_SECS]
        for project_id in recent:
            self._ensure_open(project_id)
        catching_up = [each for each in self._opened.values() if not each.is_current]
        for _ in range(MAX_CATCHING_UP - len(catching_up)):
            if self._to_catch_up:
                self._ensure_open(self._to_catch_up.popleft())

    def _ensure_open(self, project_id: str) -> None:
        with self._lock:
            self._closing = [each for each in self._closing if each.is_alive]
            # Two at a time would be in each other's way in the index.
            busy = {each.project_id for each in self._closing} | self._opened.keys() | self._paused
            if project_id not in busy:
                opened = self._opened[project_id] = self._open(project_id)
                opened.start()

    def _close_unused(self, now: float) -> None:
        """Projects that are caught up and get no uploads, and those that failed."""
        with self._lock:
            self._begin_closing(
                [each for each in self._opened.values() if not each.is_alive or self._is_idle(each, now)]
            )

    def _is_idle(self, opened: ProjectIngestion, now: float) -> bool:
        return opened.is_current and now - self._wanted.get(opened.project_id, float("-inf")) > IDLE_SECS

    def _close_all(self) -> None:
        with self._lock:
            self._begin_closing(list(self._opened.values()))

    def _begin_closing(self, chosen: list[ProjectIngestion]) -> None:
        """Does not wait: the lease has to be renewed meanwhile."""
        for each in chosen:
            each.end()
            del self._opened[each.project_id]
            self._closing.append(each)
