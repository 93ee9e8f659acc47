"""One event file: reads its new records into stripes. The file is open only while it is read."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from msgspec import Struct, field

from seamark._core import FileReader, Scanner, Stripe
from seamark.store.discover.run_folder import RunFolder
from seamark.store.discover.walk import Identity
from seamark.store.read.file_content import STRIPE_ROWS, FileContent
from seamark.store.read.file_state import (
    FileState,
    Fingerprint,
    RecordProblem,
    SessionStart,
    is_same_content,
)
from seamark.store.read.series_table import EMPTY_TABLE, SeriesTable, series_table
from seamark.store.read.stripes import Part, part_of

MAX_PROBLEMS = 1000
MAX_SESSION_STARTS = 256  # the scanner has the same limit for one scan
# A file that was changed this shortly before it was read may change again within the same modification time.
RACY_NS = 50_000_000
# A file that was rewritten in place is read once more after this time: what is read while it is being overwritten may
# have new bytes at both ends and old ones between them.
REREAD_SECS = 1.0
# O_NONBLOCK: a pipe that has replaced the file must not block the worker.
OPEN_FLAGS = os.O_RDONLY | os.O_NONBLOCK

Ends = tuple[tuple[int, int], tuple[int, int]]  # length and checksum of the first and the last bytes read


class Outcome(Enum):
    CAUGHT_UP = auto()
    MORE = auto()  # the budget is used up, there is more to read
    GONE = auto()
    UNREADABLE = auto()


class Visit(Struct):
    """The result of reading the new part of a file."""

    outcome: Outcome
    was_reset: bool = False
    parts: list[Part] = field(default_factory=list)  # the new rows
    position: int = 0
    size: int = 0
    table: SeriesTable = EMPTY_TABLE  # of the series ids in `parts`
    has_new_series: bool = False


class FileLocation(NamedTuple):
    """Where a file lies; a renamed file gets a new one."""

    run: RunFolder
    name: str
    path: str


class FileProgress(Struct):
    """How much of a file was read. Owned by the loader, which changes it under its lock."""

    is_read: bool = False  # everything that was there at the first visit was read
    done_bytes: int = 0
    total_bytes: int = 0


class ReadFailure(Struct, frozen=True):
    """Why a file could not be read. `is_internal`: because of a defect of Seamark."""

    reason: str
    is_internal: bool = False


class EventFile:
    """The follower thread owns `location` and `is_removed`; the loader owns `progress`; the worker that visits the file
    owns `failure` and `_reread_at`; `content` is shared under its own lock. The index has a state of its own for each
    file.

    The loader lets only one worker visit a file at a time.
    """

    __slots__ = ("_reread_at", "content", "failure", "is_removed", "location", "progress")

    def __init__(self, run: RunFolder, name: str) -> None:
        self.location = FileLocation(run, name, run.file_path(name))
        self.is_removed = False  # no longer part of any run
        self.content = FileContent()
        self.progress = FileProgress()
        self.failure: ReadFailure | None = None
        self._reread_at: float | None = None  # by time.monotonic, after a rewrite in place

    @property
    def run(self) -> RunFolder:
        return self.location.run

    @property
    def name(self) -> str:
        return self.location.name

    @property
    def path(self) -> str:
        return self.location.path

    @property
    def shown_path(self) -> str:
        """What people know the file by."""
        return self.run.shown_file_path(self.name)

    @property
    def state(self) -> FileState:
        return self.content.state

    def move(self, run: RunFolder, name: str) -> None:
        self.location = FileLocation(run, name, run.file_path(name))

    def visit(self, reader: FileReader, *, budget_bytes: int) -> Visit:
        """Reads up to about `budget_bytes` of new data."""
        try:
            if self.state.consumed == 0 and self._reread_at is None and self.run.fetch is None:
                visit = self._read_unread(reader, budget_bytes)
            else:
                visit = self._read_known(reader, budget_bytes)
        except FileNotFoundError:
            return Visit(Outcome.GONE)
        except OSError as error:
            self.failure = ReadFailure(error.strerror or type(error).__name__)
            return Visit(Outcome.UNREADABLE)
        self.failure = None
        return visit

    def stripes(self, state: FileState) -> list[Stripe]:
        """Raises BrokenChunkError when the index has lost them; the caller then has the file reread."""
        try:
            return [part.stripe() for part in state.parts]
        except (OSError, ValueError) as error:
            raise BrokenChunkError(self, str(error)) from error

    def has_lost_parts(self) -> bool:
        """Whether a chunk file with rows of this file was truncated while they were in use."""
        return any(part.home is not None and part.home.is_truncated for part in self.state.parts)

    def _read_unread(self, reader: FileReader, budget_bytes: int) -> Visit:
        """Reads a file from its start in one call of the core: each further call may wait for the GIL."""
        generation, before = self.content.snapshot()
        scanner = Scanner(list(before.table.entries), max_rows=STRIPE_ROWS)
        began_ns = time.time_ns()
        status, position, has_more, stripes, ends = reader.open_and_read(self.path, scanner, budget_bytes)
        identity = Identity(*status)
        is_racy = began_ns - identity.mtime_ns < RACY_NS and identity.mtime_ns <= time.time_ns()
        visit = Visit(Outcome.MORE if has_more else Outcome.CAUGHT_UP, position=position, size=identity.size)
        visit.parts = [part_of(stripe) for stripe in stripes]
        return self._published(visit, generation, before, scanner, identity, ends, is_racy=is_racy)

    def _read_known(self, reader: FileReader, budget_bytes: int) -> Visit:
        """Reads what was appended, or the whole file if it is no longer the same."""
        # os.open instead of open(): each call that open() makes may wait for the GIL.
        file = os.open(self.path, OPEN_FLAGS)
        try:
            identity = Identity.of(os.fstat(file))
            was_reset = self._must_reread(file, identity)
            if was_reset:
                self.content.forget()
            generation, before = self.content.snapshot()
            scanner = Scanner(list(before.table.entries), max_rows=STRIPE_ROWS)
            is_racy = 0 <= time.time_ns() - identity.mtime_ns < RACY_NS
            with self.run.fetched(self.path, before.consumed, identity.size):
                position, has_more, stripes, ends = reader.read(
                    file, scanner, before.consumed, identity.size, budget_bytes
                )
        finally:
            os.close(file)
        outcome = Outcome.MORE if has_more else Outcome.CAUGHT_UP
        visit = Visit(outcome, was_reset=was_reset, position=position, size=identity.size)
        visit.parts = [part_of(stripe) for stripe in stripes]
        return self._published(visit, generation, before, scanner, identity, ends, is_racy=is_racy)

    def _published(
        self,
        visit: Visit,
        generation: int,
        before: FileState,
        scanner: Scanner,
        identity: Identity,
        ends: Ends,
        *,
        is_racy: bool,
    ) -> Visit:
        """Publishes what a visit read. Returns the visit, or an empty one if the content was discarded meanwhile."""
        if visit.outcome is Outcome.MORE:
            identity = identity.unfinished()
        elif is_racy or self._reread_at is not None:
            identity = identity._replace(mtime_ns=0)
        state = _advanced(before, scanner, visit, identity, ends)
        if not self.content.publish(generation, state, visit.parts):
            return Visit(Outcome.MORE, was_reset=visit.was_reset, size=visit.size)
        visit.table = state.table
        visit.has_new_series = len(state.table) > len(before.table)
        return visit

    def _must_reread(self, file: int, identity: Identity) -> bool:
        if not is_same_content(file, self.state, identity):
            was_rewritten = self.state.identity.ino == identity.ino and identity.size >= self.state.consumed
            self._reread_at = time.monotonic() + REREAD_SECS if was_rewritten else None
            return True
        if self._reread_at is not None and time.monotonic() >= self._reread_at:
            self._reread_at = None
            return True
        return False


class BrokenChunkError(Exception):
    """The index no longer holds the rows that its catalogue lists."""

    def __init__(self, file: EventFile, reason: str) -> None:
        super().__init__(f"{reason}: '{file.shown_path}'")
        self.file = file
        self.reason = reason


def _advanced(before: FileState, scanner: Scanner, visit: Visit, identity: Identity, ends: Ends) -> FileState:
    """Returns the state after a scan; its parts are still those of `before`."""
    # A corrupt tail is scanned again at each visit: its problem replaces the earlier one.
    known = [problem for problem in before.problems if problem.offset < before.consumed]
    fresh = [RecordProblem(*problem) for problem in scanner.take_problems()]
    known_count = before.problem_count - (len(before.problems) - len(known))
    table = before.table
    if scanner.series_count > len(table):
        table = series_table((*table.entries, *scanner.series(len(table))))
    head, tail = before.head, before.tail
    if visit.position > before.consumed:
        head, tail = (Fingerprint(*end) for end in ends)
    return FileState(
        identity=identity,
        consumed=visit.position,
        head=head,
        tail=tail,
        table=table,
        seeded=before.seeded,
        parts=before.parts,
        problems=tuple((known + fresh)[:MAX_PROBLEMS]),
        problem_count=known_count + scanner.problem_count,
        first_wall=_first_wall(before, scanner),
        last_wall=_last_wall(before, [part.stripe() for part in visit.parts]),
        session_starts=_session_starts(before, scanner),
    )


def _session_starts(before: FileState, scanner: Scanner) -> tuple[SessionStart, ...]:
    fresh = [SessionStart(*start) for start in scanner.session_starts()]
    if not fresh:
        return before.session_starts
    known = _scalar_rows(before)
    fresh = [start._replace(rows=_added(known, start.rows)) for start in fresh]
    return (*before.session_starts, *fresh)[:MAX_SESSION_STARTS]


def _scalar_rows(state: FileState) -> dict[int, int]:
    """Returns the number of scalar rows of each series."""
    rows: dict[int, int] = {}
    for part in state.parts:
        series, _, counts = part.stripe().scalar_groups()
        rows = _added(rows, dict(zip(series.tolist(), counts.tolist(), strict=True)))
    return rows


def _added(a: Mapping[int, int], b: Mapping[int, int]) -> dict[int, int]:
    return {series: a.get(series, 0) + b.get(series, 0) for series in sorted(a.keys() | b.keys())}


def _first_wall(before: FileState, scanner: Scanner) -> float | None:
    if before.first_wall is not None or math.isnan(scanner.first_wall):
        return before.first_wall
    return scanner.first_wall


def _last_wall(before: FileState, stripes: list[Stripe]) -> float | None:
    """Returns the largest wall time of all rows."""
    walls = [before.last_wall, *(stripe.last_wall for stripe in stripes)]
    return max((wall for wall in walls if wall is not None and not math.isnan(wall)), default=None)
