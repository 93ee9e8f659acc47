"""ProjectClient: the client of ClickHouse for one project of a team server."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from seamark.clickhouse.address import Address, Host
from seamark.clickhouse.client import Client, QueryError, Tables
from seamark.clickhouse.native import Column
from seamark.clickhouse.parameters import Value
from seamark.store import StoreUnavailableError

LOG = logging.getLogger(__name__)
LOG_SECS = 60.0
AWAY = (
    "the database of the points cannot be used at the moment; uploads are stored, and the page shows them when it is "
    "back"
)
T = TypeVar("T")


class EndedError(Exception):
    """The ingestion ends; nothing more is written."""


class ClientLog:
    """Logs why the database cannot be used: once in a while, and not for every project and request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._log_again_at = 0.0

    def problem(self, error: Exception) -> None:
        with self._lock:
            if time.monotonic() < self._log_again_at:
                return
            self._log_again_at = time.monotonic() + LOG_SECS
        LOG.error("%s", error)


class ProjectClient:
    """Shares the connections of `client`. Errors do not name hosts: visitors see them. The log does."""

    def __init__(
        self, client: Client, project_id: str, log: ClientLog, *, is_ending: Callable[[], bool] = lambda: False
    ) -> None:
        self._client = client
        self._log = log
        self._is_ending = is_ending
        self.address = project_address(client.address, project_id)

    @property
    def version(self) -> tuple[int, ...]:
        return self._checked(lambda: self._client.version)

    def execute(self, sql: str, *, host: Host | None = None) -> None:
        self._checked(lambda: self._client.execute(sql, host=host))

    def select(self, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        return self._checked(lambda: self._client.select(sql, names, **parameters))

    def select_from(self, tables: Tables, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        return self._checked(lambda: self._client.select_from(tables, sql, names, **parameters))

    def insert(self, table: str, columns: Mapping[str, Column]) -> None:
        self._checked(lambda: self._client.insert(table, columns))

    def close(self) -> None:
        """The connections are those of all projects."""

    def _checked(self, act: Callable[[], T]) -> T:
        if self._is_ending():
            raise EndedError
        try:
            return act()
        except (StoreUnavailableError, QueryError) as error:
            self._log.problem(error)
            raise StoreUnavailableError(AWAY) from error


def project_address(address: Address, project_id: str) -> Address:
    """A project of the address, if it has one, is that of the server: several may use one database."""
    return msgspec.structs.replace(
        address, project=f"{address.project}/{project_id}" if address.project else project_id
    )
