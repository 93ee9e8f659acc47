"""The state of one event file: everything that was read, and checks that the file is still the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from seamark import _core
from seamark.store.discover.walk import Identity
from seamark.store.read.series_table import EMPTY_TABLE, SeriesEntry, SeriesTable
from seamark.store.read.stripes import Part

UNREAD = Identity(0, 0, -1, 0)


class Fingerprint(NamedTuple):
    """Length and checksum of up to 4 KiB that were read."""

    length: int
    crc: int


NO_FINGERPRINT = Fingerprint(0, 0)


class RecordProblem(NamedTuple):
    """A damaged record; `code` is one of the core's PROBLEM_* constants."""

    code: int
    offset: int
    length: int
    got: int
    want: int


class SessionStart(NamedTuple):
    """A SessionLog with START: the program started, or restarted, at this step."""

    step: int
    wall: float
    offset: int  # of its content in the file: earlier payloads have smaller offsets
    rows: Mapping[int, int]  # scalar rows of each series before it; series without rows are left out


class FileState(Struct, frozen=True, eq=False, weakref=True):
    """Immutable, so that queries see a consistent file while it is being read.

    `identity` is UNREAD until `parts` has everything that the file had at the last visit.
    """

    identity: Identity = UNREAD
    consumed: int = 0
    head: Fingerprint = NO_FINGERPRINT  # of the first bytes
    tail: Fingerprint = NO_FINGERPRINT  # of the last bytes before `consumed`
    table: SeriesTable = EMPTY_TABLE
    seeded: int = 0  # number of first table entries that come from earlier files of the run (see inherit.py)
    parts: tuple[Part, ...] = ()
    problems: tuple[RecordProblem, ...] = ()
    problem_count: int = 0
    first_wall: float | None = None  # of the first event of any type
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
    """Whether the file still begins with the bytes that were read: not replaced, truncated or rewritten in place."""
    if state.consumed == 0:
        return True
    seen = state.identity
    if seen.ino and (seen.dev, seen.ino) != (now.dev, now.ino):
        return False
    return now.size >= state.consumed and _core.fingerprint_file(file, state.consumed) == (state.head, state.tail)
