"""One event file: reads what is new in it into stripes. The file is open only while it is read."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from seamark._core import FileReader, Scanner, Stripe
from seamark.store.discovery import Identity
from seamark.store.file_state import (
    EMPTY_STATE,
    FileState,
    Fingerprint,
    RecordProblem,
    SessionStart,
    is_same_content,
)
from seamark.store.series_table import EMPTY_TABLE, SeriesEntry, SeriesTable, series_table
from seamark.store.stripes import Part, merged, part_of

if TYPE_CHECKING:
    from seamark.store.index.chunk_file import ChunkFile
    from seamark.store.index.index import Index
    from seamark.store.run import Run

# So many that the rows being gathered stay in the processor's cache: a bigger stripe costs a third more to make.
STRIPE_ROWS = 1 << 17
MAX_PROBLEMS = 1000
MAX_SESSION_STARTS = 256  # as of the scanner in one go
# A file changed this shortly before it was read may change again without its time stamp moving.
RACY_NS = 50_000_000
# Not to wait at a pipe that took the place of the file since it was found.
OPEN_FLAGS = os.O_RDONLY | os.O_NONBLOCK

Ends = tuple[tuple[int, int], tuple[int, int]]  # of what was read: length and checksum of its beginning and its end


class Outcome(Enum):
    CAUGHT_UP = auto()
    MORE = auto()  # the budget is used up, there is more to read
    GONE = auto()
    UNREADABLE = auto()


@dataclass(slots=True)
class Visit:
    """What one look at the file brought."""

    outcome: Outcome
    was_reset: bool = False
    parts: list[Part] = field(default_factory=list)  # the new rows
    position: int = 0
    size: int = 0
    table: SeriesTable = EMPTY_TABLE  # of the ids in `parts`
    has_new_series: bool = False


class EventFile:
    """`state` is replaced as a whole, under `lock`: by the worker that reads, and by the committer.

    Only one worker visits a file at a time; the loader sees to that.
    """

    __slots__ = (
        "chunk", "generation", "index", "indexed_as", "is_dropped", "is_read", "lock", "name", "path",
        "progress_done", "progress_total", "retired", "run", "sealed", "state", "trouble",
    )  # fmt: skip

    def __init__(self, run: Run, name: str, path: str, *, state: FileState = EMPTY_STATE) -> None:
        self.run = run
        self.name = name
        self.path = path
        self.state = state
        self.lock = threading.Lock()
        self.generation = 0  # of its content: counts the times it was read anew
        self.trouble: str | None = None  # why it cannot be read
        self.is_read = False  # all that was there at the first look has been read
        self.progress_done = 0
        self.progress_total = 0
        self.index: Index | None = None
        self.indexed_as: str | None = None  # the path that the catalogue has it under
        self.chunk: ChunkFile | None = None  # where its persisted parts lie
        self.retired: list[ChunkFile] = []  # to be deleted once the catalogue no longer names them
        self.sealed = 0  # parts the committer is working on: not to be merged
        self.is_dropped = False  # no longer part of any run

    def visit(self, reader: FileReader, *, budget_bytes: int) -> Visit:
        """Reads up to about `budget_bytes` of what is new."""
        try:
            # Not open(): each of the calls that it makes may have to wait for another thread's turn with Python.
            file = os.open(self.path, OPEN_FLAGS)
            try:
                visit = self._read_new(file, reader, budget_bytes)
            finally:
                os.close(file)
        except FileNotFoundError:
            return Visit(Outcome.GONE)
        except OSError as error:
            self.trouble = error.strerror or type(error).__name__
            return Visit(Outcome.UNREADABLE)
        self.trouble = None
        return visit

    def forget(self, seed: tuple[SeriesEntry, ...] = ()) -> None:
        """Throws away what is known, so that the next visit reads the file from its beginning.

        It then takes the metadata of the tags in `seed` as known.
        """
        with self.lock:
            self.generation += 1
            self.sealed = 0
            self.state = FileState(table=series_table(seed), seeded=len(seed))
            if self.chunk is not None:
                self.retired.append(self.chunk)
                self.chunk = None

    def stripes(self, state: FileState) -> list[Stripe]:
        """Raises BrokenChunkError when the index has lost them; the caller forgets the file and has it read again."""
        try:
            return [part.stripe() for part in state.parts]
        except (OSError, ValueError) as error:
            raise BrokenChunkError(self, str(error)) from error

    def has_lost_parts(self) -> bool:
        """Whether a chunk file with rows of this file was cut short while they were in use."""
        return any(part.home is not None and part.home.is_lost for part in self.state.parts)

    def _read_new(self, file: int, reader: FileReader, budget_bytes: int) -> Visit:
        identity = Identity.of(os.fstat(file))
        visit = Visit(Outcome.CAUGHT_UP, size=identity.size)
        if not is_same_content(file, self.state, identity):
            self.forget()
            visit.was_reset = True
        with self.lock:
            generation, before = self.generation, self.state
        scanner = Scanner(list(before.table.entries), max_rows=STRIPE_ROWS)
        is_racy = 0 <= time.time_ns() - identity.mtime_ns < RACY_NS
        visit.position, has_more, stripes, ends = reader.read(
            file, scanner, before.consumed, identity.size, budget_bytes
        )
        visit.parts = [part_of(stripe) for stripe in stripes]
        if has_more:
            visit.outcome = Outcome.MORE
            identity = identity.unfinished()
        elif is_racy:
            identity = identity._replace(mtime_ns=0)
        state = _advanced(before, scanner, visit, identity, ends)
        if not self._publish(generation, state, visit.parts):
            return Visit(Outcome.MORE, was_reset=visit.was_reset, size=visit.size)
        visit.table = state.table
        visit.has_new_series = len(state.table) > len(before.table)
        return visit

    def _publish(self, generation: int, state: FileState, fresh: list[Part]) -> bool:
        """False if the file was forgotten meanwhile: then it is to be read anew."""
        with self.lock:
            if self.generation != generation:
                return False
            # The committer may have moved parts to disk since `state` was begun: the current ones count.
            parts = list(self.state.parts)
            kept = self.sealed
            while kept < len(parts) and not parts[kept].in_memory:
                kept += 1
            tail = merged([*parts[kept:], *fresh], max_rows=STRIPE_ROWS)
            self.state = replace(state, parts=(*parts[:kept], *tail))
            return True

    def seal(self) -> tuple[int, FileState]:
        """For the committer: the state to persist; its parts stay as they are until `unseal`."""
        with self.lock:
            self.sealed = len(self.state.parts)
            return self.generation, self.state

    def unseal(self, generation: int, sealed: FileState, parts: Sequence[Part], chunk: ChunkFile | None) -> bool:
        """Puts `parts` in the place of the sealed ones. False if the file was read anew meanwhile."""
        with self.lock:
            if self.generation != generation:
                return False
            self.state = replace(self.state, parts=(*parts, *self.state.parts[len(sealed.parts) :]))
            self.sealed = 0
            self.chunk = chunk
            return True


class BrokenChunkError(Exception):
    """The index no longer holds what the catalogue says it holds."""

    def __init__(self, file: EventFile, reason: str) -> None:
        super().__init__(f"{reason}: '{file.path}'")
        self.file = file
        self.reason = reason


def _advanced(before: FileState, scanner: Scanner, visit: Visit, identity: Identity, ends: Ends) -> FileState:
    """The state after a scan; its parts are still those of `before`."""
    # A corrupt end is looked at again on each visit: its problem replaces the earlier one.
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
    """How many rows each series has."""
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
    """Largest wall time of all rows."""
    walls = [before.last_wall, *(stripe.last_wall for stripe in stripes)]
    return max((wall for wall in walls if wall is not None and not math.isnan(wall)), default=None)
