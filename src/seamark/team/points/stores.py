"""ClickHouseStores: pages of projects and shares on the points in ClickHouse."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection

from seamark.clickhouse.address import parse_address
from seamark.clickhouse.client import SERVE_TIMEOUT_SECS, HttpClient
from seamark.clickhouse.live_catalogue import RunScope
from seamark.clickhouse.removal import remove_all_of
from seamark.clickhouse.store import ClickHouseStore
from seamark.format.types import RunName
from seamark.store import LogRoot, RunStore
from seamark.team.database import Database, DatabaseError
from seamark.team.points.ingestion import Ingestion
from seamark.team.points.lease import DatabaseLease, SoleLease
from seamark.team.points.project_client import ClientLog, ProjectClient
from seamark.team.points.project_ingestion import ProjectIngestion
from seamark.team.projects.stores import as_run_names
from seamark.team.settings import TeamFolder
from seamark.team.trash.rows import deleted_names, live_runs

LEASE = "points"


class ClickHouseStores:
    """`has_peers`: whether other processes serve the same projects. Raises AddressError."""

    def __init__(self, folder: TeamFolder, database: Database, address: str, *, has_peers: bool) -> None:
        self._folder, self._database, self._has_peers = folder, database, has_peers
        self._client = HttpClient(parse_address(address), timeout_secs=SERVE_TIMEOUT_SECS)
        self._log = ClientLog()
        self._ingestion = Ingestion(
            database, DatabaseLease(database, LEASE) if has_peers else SoleLease(), self._open_ingestion
        )
        self._lock = threading.Lock()
        self._opened: dict[str, weakref.WeakSet[ClickHouseStore]] = {}

    def start(self) -> None:
        self._ingestion.start()

    def close(self) -> None:
        self._ingestion.close()
        self._client.close()

    def of_project(self, project_id: str, root: LogRoot) -> RunStore:
        return self._open(project_id, root, None)

    def of_share(self, project_id: str, root: LogRoot, runs: Collection[str]) -> RunStore:
        return self._open(project_id, root, as_run_names(runs))

    def files_written(self, project_id: str) -> None:
        self._ingestion.files_changed(project_id)

    def runs_changed(self, project_id: str) -> None:
        self._ingestion.files_changed(project_id)
        for store in self._stores_of(project_id):
            store.hide()

    def pause(self, project_id: str) -> None:
        self._ingestion.pause(project_id)

    def resume(self, project_id: str) -> None:
        self._ingestion.resume(project_id)

    def remove_project(self, project_id: str) -> None:
        self._ingestion.pause(project_id)  # for ever: it is deleted
        remove_all_of(ProjectClient(self._client, project_id, self._log), None)

    def remove_runs(self, project_id: str, runs: Collection[str]) -> None:
        remove_all_of(ProjectClient(self._client, project_id, self._log), as_run_names(runs))

    def _open(self, project_id: str, root: LogRoot, only: frozenset[RunName] | None) -> ClickHouseStore:
        scope = RunScope(only=only, hidden=HiddenRuns(self._database, project_id).names, root=root)
        store = ClickHouseStore(ProjectClient(self._client, project_id, self._log), scope=scope)
        with self._lock:
            self._opened.setdefault(project_id, weakref.WeakSet()).add(store)
        self._ingestion.files_changed(project_id)
        return store

    def _open_ingestion(self, project_id: str) -> ProjectIngestion:
        return ProjectIngestion(
            self._folder,
            self._client,
            self._log,
            project_id,
            removable=lambda missing: self._removable(project_id, missing),
            on_ingested=self._show_ingested,
        )

    def _removable(self, project_id: str, missing: set[RunName]) -> set[RunName]:
        """Without those that another process has stored, and whose files are not here yet."""
        if not missing or not self._has_peers:
            return missing
        try:
            return missing - self._database.read(lambda transaction: live_runs(transaction, project_id)).keys()
        except DatabaseError:
            return set()  # the next time

    def _show_ingested(self, project_id: str) -> None:
        for store in self._stores_of(project_id):
            store.wake()
        self._ingestion.look_now()

    def _stores_of(self, project_id: str) -> list[ClickHouseStore]:
        with self._lock:
            return list(self._opened.get(project_id, ()))


class HiddenRuns:
    """The runs that are in the trash. They are hidden at once, whenever their points are removed."""

    def __init__(self, database: Database, project_id: str) -> None:
        self._database = database
        self._project_id = project_id
        self._known: frozenset[RunName] = frozenset()

    def names(self) -> frozenset[RunName]:
        """As they were before, while the database of the server is away."""
        try:
            found = self._database.read(lambda transaction: deleted_names(transaction, self._project_id))
            self._known = as_run_names(found)
        except DatabaseError:
            pass
        return self._known
