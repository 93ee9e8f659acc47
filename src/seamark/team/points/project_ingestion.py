"""ProjectIngestion: copies the points of one project to ClickHouse, and goes on while files are uploaded."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from seamark.clickhouse.client import Client
from seamark.clickhouse.following import ingest_changes
from seamark.clickhouse.ingest import Counts
from seamark.format.types import RunName
from seamark.store import LogRoot, Store
from seamark.team.points.project_client import ClientLog, EndedError, ProjectClient
from seamark.team.settings import TeamFolder

LOG = logging.getLogger(__name__)
JOIN_SECS = 10.0
LOAD_LOOK_SECS = 0.2


class ProjectIngestion:
    """Has a thread, and an embedded store that reads the files into the index of the project."""

    def __init__(
        self,
        folder: TeamFolder,
        client: Client,
        log: ClientLog,
        project_id: str,
        *,
        removable: Callable[[set[RunName]], set[RunName]],
        on_ingested: Callable[[str], None],
    ) -> None:
        """`removable` returns which of the runs that the database has and the files have not may be removed."""
        self.project_id = project_id
        self.is_current = False  # whether the database has had everything that the files have
        self._removable = removable
        self._on_ingested = on_ingested
        self._ending = threading.Event()
        self._changes = -1
        self._client = ProjectClient(client, project_id, log, is_ending=self._ending.is_set)
        logs = folder.logs_dir(project_id)
        logs.mkdir(parents=True, exist_ok=True)
        self._store = Store([LogRoot("", logs)], index_dir=folder.index_dir(project_id))
        self._thread = threading.Thread(target=self._run, name="seamark-team-points", daemon=True)

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Returns at once; `join` waits."""
        self._ending.set()

    def join(self) -> None:
        self._thread.join(JOIN_SECS)

    def _run(self) -> None:
        try:
            with self._store as store:
                while not store.wait_loaded(LOAD_LOOK_SECS):
                    if self._ending.is_set():
                        return
                ingest_changes(
                    self._client,
                    store,
                    is_ending=self._ending.is_set,
                    on_pass=self._note_pass,
                    removable=self._removable,
                )
        except EndedError:
            pass
        except Exception:
            LOG.exception("the points of a project are not ingested; it is tried again: '%s'", self.project_id)

    def _note_pass(self, counts: Counts) -> None:
        self.is_current = True
        if counts.changes != self._changes:
            self._changes = counts.changes
            self._on_ingested(self.project_id)
