"""What the saved state needs of its storage: a file of the user (database.py), or the database of a team server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol, TypeVar

T = TypeVar("T")


class StateUnavailableError(Exception):
    """The saved state cannot be read or written now; the message says why."""


class InvalidStateError(ValueError):
    """Rows are not what this program writes: they count as damaged."""


class StateRows(Protocol):
    """The rows of one set of log directories, inside a transaction."""

    def document(self) -> tuple[object, object] | None:
        """Its version and its body."""

    def save_document(self, version: int, body: str) -> None: ...

    def positions(self) -> list[tuple[object, object]]:
        """Each run that was ever seen, and its position."""

    def add_positions(self, positions: Mapping[str, int]) -> None: ...

    def delete_positions(self, runs: Collection[str]) -> None: ...

    def text_sizes(self) -> list[tuple[str, int]]:
        """The id and the length of each saved text, the newest first."""

    def text(self, id: str) -> object | None: ...

    def save_text(self, id: str, saved_at: float, content: bytes) -> None:
        """Replaces an earlier one with this id."""

    def delete_texts(self, ids: Collection[str]) -> None: ...


class StateStorage(Protocol):
    """`State` calls one method at a time."""

    @property
    def problem(self) -> str:
        """Why nothing is saved, or what happened to a damaged file; "" if there is no problem."""

    def read(self, work: Callable[[StateRows], T]) -> T:
        """Raises StateUnavailableError. InvalidStateError of `work` counts as damage."""

    def write(self, work: Callable[[StateRows], T]) -> T:
        """The same in a transaction that no other process writes beside; an exception undoes its changes."""

    def close(self) -> None: ...
