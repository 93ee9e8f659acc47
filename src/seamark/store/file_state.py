"""What is known of one event file at one moment, and how to tell that the file is still the one it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from seamark import _core
from seamark.store.discovery import Identity
from seamark.store.series_table import EMPTY_TABLE, SeriesEntry, SeriesTable
from seamark.store.stripes import Part

UNREAD = Identity(0, 0, -1, 0)


class Fingerprint(NamedTuple):
    """Checksum of up to 4 KiB of what was read."""

    length: int
    crc: int


NO_FINGERPRINT = Fingerprint(0, 0)


class RecordProblem(NamedTuple):
    """A damaged record as the scanner reports it; `code` is one of the core's PROBLEM_*."""

    code: int
    offset: int
    length: int
    got: int
    want: int


class SessionStart(NamedTuple):
    """A SessionLog that says START: the program began, or began again, at this step."""

    step: int
    wall: float
    offset: int  # of its content: payloads before it lie at smaller ones
    rows: Mapping[int, int]  # scalar rows of each series before it; a series without any is left out


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class FileState:
    """Immutable: a reader who holds one sees a whole file, whatever happens meanwhile.

    `identity` is UNREAD until everything the file had at the last look is in `parts`.
    """

    identity: Identity = UNREAD
    consumed: int = 0
    head: Fingerprint = NO_FINGERPRINT  # of the first bytes
    tail: Fingerprint = NO_FINGERPRINT  # of the last bytes before `consumed`
    table: SeriesTable = EMPTY_TABLE
    seeded: int = 0  # so many first entries of the table come from earlier files of the run (see inherit.py)
    parts: tuple[Part, ...] = ()
    problems: tuple[RecordProblem, ...] = ()
    problem_count: int = 0
    first_wall: float | None = None  # of the first event, of whatever kind
    last_wall: float | None = None
    session_starts: tuple[SessionStart, ...] = ()

    @property
    def seed(self) -> tuple[SeriesEntry, ...]:
        return self.table.entries[: self.seeded]

    @property
    def scalar_rows(self) -> int:
        return sum(part.scalar_rows for part in self.parts)

    @property
    def payload_rows(self) -> int:
        return sum(part.payload_rows for part in self.parts)


EMPTY_STATE = FileState()


def is_same_content(file: int, state: FileState, now: Identity) -> bool:
    """Whether the file still begins with what was read from it: not replaced, cut short or rewritten in place."""
    if state.consumed == 0:
        return True
    seen = state.identity
    if seen.ino and (seen.dev, seen.ino) != (now.dev, now.ino):
        return False
    return now.size >= state.consumed and _core.ends_of(file, state.consumed) == (state.head, state.tail)
