"""PostgreSQL: a pool of connections, for a team server of more than one process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from psycopg import sql as text

from seamark.team.database.database import ConflictError, DatabaseError, Row, Transaction

MAX_IDLE = 8
MAX_ATTEMPTS = 3
T = TypeVar("T")


class PostgresTransaction:
    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def execute(self, sql: str, *parameters: Any) -> int:
        try:
            return self._run(sql, parameters).rowcount
        except psycopg.errors.UniqueViolation as error:
            raise ConflictError(str(error)) from None

    def rows(self, sql: str, *parameters: Any) -> list[Row]:
        return self._run(sql, parameters).fetchall()

    def row(self, sql: str, *parameters: Any) -> Row | None:
        return self._run(sql, parameters).fetchone()

    def _run(self, sql: str, parameters: tuple[Any, ...]) -> psycopg.Cursor[Row]:
        # The statements are constants of this program: only parameters come from outside.
        return self._connection.execute(text.SQL(sql.replace("?", "%s")), parameters or None)


class PostgresDatabase:
    dialect = "postgresql"

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._idle: list[psycopg.Connection[Row]] = []

    def read(self, work: Callable[[Transaction], T]) -> T:
        return self.write(work)

    def write(self, work: Callable[[Transaction], T]) -> T:
        for attempt in range(MAX_ATTEMPTS):
            try:
                return self._attempt(work)
            except (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected):
                if attempt + 1 == MAX_ATTEMPTS:
                    raise DatabaseError("the database is busy; retry later") from None
            except psycopg.Error as error:
                reason = " ".join(str(error).split())
                raise DatabaseError(f"the database of the team server cannot be used: {reason}") from None
        raise AssertionError("unreachable")

    def scrub(self) -> None:
        """PostgreSQL reuses the space of deleted rows by itself."""

    def close(self) -> None:
        with self._lock:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    def _attempt(self, work: Callable[[Transaction], T]) -> T:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = psycopg.connect(self._address, connect_timeout=5)
        try:
            with connection.transaction():
                result = work(PostgresTransaction(connection))
        except BaseException:
            # A conflict leaves the connection usable, a lost server does not: a new one costs a millisecond.
            connection.close()
            raise
        with self._lock:
            if len(self._idle) < MAX_IDLE:
                self._idle.append(connection)
                return result
        connection.close()
        return result
