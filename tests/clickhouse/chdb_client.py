"""chdb runs today's engine of ClickHouse inside this process: a client with the interface of HttpClient."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seamark.clickhouse.address import Address, Host
from seamark.clickhouse.client import Tables
from seamark.clickhouse.native import Column, decode_blocks, encode_block, structure
from seamark.clickhouse.parameters import Value, bound_all, with_literals, with_sets

# A process has one session, whose database and parameters are those of the last statement, whichever client sent it.
_SESSION_LOCK = threading.Lock()


class ChdbClient:
    """As HttpClient, with the engine in this process. Parameters are bound by the engine."""

    def __init__(self, session: Any, folder: Path, database: str) -> None:
        self.address = Address((Host("chdb", 1),), database, "", False, "", "")
        self._session = session
        self._folder = folder

    @property
    def version(self) -> tuple[int, ...]:
        return (26, 9, 2)

    def execute(self, sql: str, *, host: Host | None = None) -> None:
        with _SESSION_LOCK:
            self._session.query(sql)

    def select(self, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        with _SESSION_LOCK:
            return self._select(sql, names, parameters)

    def select_from(self, tables: Tables, sql: str, names: Sequence[str], **parameters: Value) -> dict[str, Any]:
        """chdb has no external tables: they are made for the statement and dropped."""
        with _SESSION_LOCK:
            for name, columns in tables.items():
                self._session.query(f"DROP TABLE IF EXISTS {self.address.database}.{name}")
                self._session.query(
                    f"CREATE TABLE {self.address.database}.{name} ({structure(columns)}) ENGINE = Memory"
                )
                self._insert(name, columns)
            return self._select(sql, names, parameters)

    def _select(self, sql: str, names: Sequence[str], parameters: Mapping[str, Value]) -> dict[str, Any]:
        sql = with_sets(sql, parameters)
        self._session.query(f"USE {self.address.database}")
        try:
            found = self._session.query(sql, "Native", params=bound_all(sql, parameters))
        except TypeError:  # a version without parameters
            found = self._session.query(with_literals(sql, parameters), "Native")
        return decode_blocks(bytes(found.bytes()), names)

    def insert(self, table: str, columns: Mapping[str, Column]) -> None:
        with _SESSION_LOCK:
            self._insert(table, columns)

    def _insert(self, table: str, columns: Mapping[str, Column]) -> None:
        path = self._folder / "block.native"
        path.write_bytes(encode_block(columns))
        names = ", ".join(columns)
        self._session.query(
            f"INSERT INTO {self.address.database}.{table} ({names}) "
            f"SELECT {names} FROM file('{path}', 'Native', '{structure(columns)}')"
        )

    def close(self) -> None:
        pass
