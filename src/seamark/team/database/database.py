"""What the team server asks of a database. The SQL is what SQLite and PostgreSQL share, with ? for parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Row = tuple[Any, ...]


class DatabaseError(Exception):
    """The database cannot be used now; the message says why."""


class ConflictError(Exception):
    """A row that must be unique exists already."""


class Transaction(Protocol):
    """All or nothing: an exception undoes every change."""

    def execute(self, sql: str, *parameters: Any) -> int:
        """Returns how many rows were changed. Raises ConflictError."""

    def rows(self, sql: str, *parameters: Any) -> list[Row]: ...

    def row(self, sql: str, *parameters: Any) -> Row | None:
        """The first row."""


class Database(Protocol):
    """Any thread may call any method."""

    @property
    def dialect(self) -> str:
        """ "sqlite" or "postgresql"."""

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Raises DatabaseError."""

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Raises DatabaseError. `work` may be called again after a conflict with another transaction."""

    def scrub(self) -> None:
        """Removes what was deleted from the files as well, as far as the database does not do so itself."""

    def close(self) -> None: ...
