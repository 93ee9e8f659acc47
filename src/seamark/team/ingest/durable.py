"""Durable: what makes accepted pieces safe before they are acknowledged: a journal on disk, or object storage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from seamark.team.ingest.entry import Entry


class Durable(Protocol):
    """One thread uses it; `drop` may be called by another one."""

    @property
    def length(self) -> int:
        """How many bytes a restart would replay."""

    @property
    def follow_secs(self) -> float | None:
        """How often to look for what other processes stored; None if there are none."""

    def replay(self) -> Iterator[list[Entry]]:
        """What may be missing in the files after a restart, in order."""

    def follow(self) -> None:
        """Writes what other processes stored to the files. Raises OSError or DatabaseError."""

    def exclusively(self, work: Callable[[], None]) -> None:
        """Runs `work` while no other process stores anything. What it appended is durable afterwards, or undone."""

    def append(self, entries: Sequence[Entry]) -> None:
        """To be called inside of `exclusively`. Raises OSError, and then has none of the entries."""

    def replace(self, project_id: str, run: str, file: str, content: Path) -> None:
        """The file gets this content, which is on disk. To be called inside of `exclusively`, with an empty journal."""

    def undo(self) -> None:
        """Removes what the last `append` added."""

    def rotate(self) -> int:
        """A position: what is durable until now is before it."""

    def drop(self, position: int) -> None:
        """Everything before this position is in the files, on disk."""

    def close(self) -> None: ...
