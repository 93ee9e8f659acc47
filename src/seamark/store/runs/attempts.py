"""Decides which points of a run a restart replaced, for scalars and payloads alike.

A restart is certain in two cases only; docs/attempts.md explains them. Other steps that go back replace nothing.

1. A SessionLog with START at a step: it replaced earlier points with this step or a greater one.
2. A later file of the same writer begins at an earlier step than an earlier file reached and reaches at least as far,
   judged by the series that both have: in each series it replaced the points from its own first step on.

The steps of system metrics are seconds: they are ignored in both cases, and no START replaces them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct, field

from seamark.format.types import SYSTEM_PREFIX, Tag
from seamark.store.discover.file_name import writer_of
from seamark.store.read.event_file import EventFile
from seamark.store.read.file_state import FileState, SessionStart
from seamark.store.read.series_table import PayloadKey
from seamark.store.runs.portions import Portion, lowest, payload_rows_of, with_replaced_steps
from seamark.store.runs.step_ranges import StepRange, highest_before, joined, ranges_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.store.runs.payload_rows import PayloadRows

# Each file is compared with each other; a run with more files than this is not the result of restarts.
MAX_COMPARED_FILES = 200
MAX_STARTS = 1000  # the latest ones of a run


class Span(NamedTuple):
    """Rows of one series in one file from `row` on: their attempt, and the first replaced step."""

    file: int
    row: int
    attempt: int
    replaced_from: int | None


class _File(Struct):
    """One file of the run. Owned by the thread that creates the RunAttempts."""

    position: int
    file: EventFile
    state: FileState
    began: float
    ended: float
    replaced_by: list[_File] = field(default_factory=list)  # files that resumed before its end
    portions: list[Portion] = field(default_factory=list)


class RunAttempts:
    """The attempts of a run; immutable. `is_plain`: there was no restart, so every point counts."""

    def __init__(self, files: Sequence[EventFile], states: Sequence[FileState]) -> None:
        self.is_plain = True
        self._files: list[_File] = []
        has_starts = any(state.session_starts for state in states)
        if not has_starts and sum(state.last_wall is not None for state in states) < 2:
            return  # nearly all runs: no stripe needs to be opened
        self._files = [_described(*item) for item in enumerate(zip(files, states, strict=True))]
        _find_resumed(self._files)
        self.is_plain = not _number(self._files)

    def scalar_spans(self, tag: Tag) -> list[Span]:
        """Returns the spans of a series; none if there was no restart."""
        if self.is_plain:
            return []
        spans = []
        for one in self._files:
            series = one.state.table.scalar_ids.get(tag)
            if series is None:
                continue
            resumed = _first_step(_scalar_steps(later, tag) for later in one.replaced_by)
            for portion in one.portions:
                restarted = None if tag.startswith(SYSTEM_PREFIX) else portion.replaced_from
                row = portion.first_scalar_row(series)
                spans.append(Span(one.position, row, portion.attempt, lowest(resumed, restarted)))
        return spans

    def of_payloads(self, key: PayloadKey, rows: PayloadRows) -> PayloadAttempts:
        """Returns the attempt of every row of a payload series."""
        attempt = np.zeros(len(rows.steps), np.uint32)
        is_replaced = np.zeros(len(rows.steps), np.bool_)
        for one in [] if self.is_plain else self._files:
            resumed = _first_step(_payload_steps(later, key) for later in one.replaced_by)
            for portion, own in payload_rows_of(one.portions, rows):
                attempt[own] = portion.attempt
                bound = lowest(resumed, portion.replaced_from)
                if bound is not None:
                    is_replaced[own] = rows.steps[own] >= bound
        return PayloadAttempts(attempt, is_replaced)


class PayloadAttempts(Struct, frozen=True):
    """For each row of a payload series its attempt, and whether a restart replaced it."""

    attempt: NDArray[np.uint32]
    is_replaced: NDArray[np.bool_]

    def select(self, steps: NDArray[np.int64], attempts: str) -> tuple[NDArray[np.intp], int]:
        """Returns the rows to show, and how many of the last ones a restart replaced.

        "all": in order of arrival. "latest": those that count, in order of step. "marked": also the rest of an earlier
        attempt that had gone further, of several attempts the newest at each step.
        """
        if attempts not in ("latest", "all", "marked"):
            raise ValueError(f"unknown attempts: got {attempts!r}, want latest, all or marked")
        if attempts == "all":
            return np.arange(len(steps)), 0
        counted = np.flatnonzero(~self.is_replaced)
        counted = counted[np.argsort(steps[counted], kind="stable")]
        if attempts == "latest" or not self.is_replaced.any():
            return counted, 0
        rest = np.flatnonzero(self.is_replaced & (steps > steps[counted[-1]] if counted.size else True))
        rest = rest[np.lexsort((self.attempt[rest], steps[rest]))]
        is_newest = np.append(steps[rest[1:]] != steps[rest[:-1]], np.ones(min(1, rest.size), np.bool_))
        rest = rest[is_newest]
        return np.concatenate([counted, rest]), rest.size


def wants_all(attempts: str) -> bool:
    if attempts not in ("latest", "all"):
        raise ValueError(f"unknown attempts: got {attempts!r}, want latest or all")
    return attempts == "all"


def _described(position: int, item: tuple[EventFile, FileState]) -> _File:
    file, state = item
    began = state.first_wall if state.first_wall is not None else math.nan
    ended = state.last_wall if state.last_wall is not None else math.nan
    # The caller of the writer sets the time of an event: it may be before that of the file's first event.
    return _File(position, file, state, min(began, ended), ended)


def _find_resumed(files: Sequence[_File]) -> None:
    """Applies the second rule: fills `replaced_by`."""
    alone = _alone(files) if len(files) <= MAX_COMPARED_FILES else []
    for at, later in enumerate(alone):
        for earlier in alone[:at]:
            if _resumes(later, earlier):
                earlier.replaced_by.append(later)


def _resumes(later: _File, earlier: _File) -> bool:
    if not later.began > earlier.ended or writer_of(later.file.name).writer != writer_of(earlier.file.name).writer:
        return False
    ranges = _shared_ranges(earlier, later)
    if ranges is None:
        return False
    before, after = ranges
    return after.min < before.max <= after.max


def _shared_ranges(earlier: _File, later: _File) -> tuple[StepRange, StepRange] | None:
    """Returns the step ranges of the series that both files have: of scalars, or of payloads without any."""
    before, after = ranges_of(earlier.file, earlier.state), ranges_of(later.file, later.state)
    own, other = earlier.state.table, later.state.table
    scalars = [(own.scalar_ids[tag], other.scalar_ids[tag]) for tag in own.scalar_ids.keys() & other.scalar_ids.keys()
               if not tag.startswith(SYSTEM_PREFIX)]  # fmt: skip
    payloads = [(a, b) for key in own.payload_ids.keys() & other.payload_ids.keys()
                for a in own.payload_ids[key] for b in other.payload_ids[key]]  # fmt: skip
    for pairs in (scalars, payloads):
        known = [(before[a], after[b]) for a, b in pairs if a in before and b in after]
        if known:
            return joined(a for a, _ in known), joined(b for _, b in known)
    return None


def _alone(files: Sequence[_File]) -> list[_File]:
    """Returns the files during whose time no other process wrote to the run, in order of time.

    A process that wrote before and after a file began shows that the run was not restarted in between: a data loader's
    workers start and end while the main program goes on.
    """
    timed = sorted((one for one in files if math.isfinite(one.began)), key=lambda one: (one.began, one.position))
    shared: set[int] = set()
    active: list[_File] = []  # files that had not ended when this one began
    for one in timed:
        active = [other for other in active if other.ended >= one.began]
        overlapping = [other.position for other in active if _process(other) != _process(one)]
        if overlapping:
            shared |= {one.position, *overlapping}
        active.append(one)
    return [one for one in timed if one.position not in shared]


def _process(one: _File) -> object:
    writer = writer_of(one.file.name)
    return (writer.writer, writer.process) if writer.process is not None else one.position


def _starts_after(files: Sequence[_File]) -> list[list[tuple[int, SessionStart]]]:
    """Returns for each file the STARTs of other files after its last event, with their file, by time."""
    starts = [(one.position, start) for one in files for start in one.state.session_starts if math.isfinite(start.wall)]
    starts = sorted(starts, key=lambda item: item[1].wall)[-MAX_STARTS:]
    walls = [start.wall for _, start in starts]
    found = []
    for one in files:
        later = starts[bisect_left(walls, one.ended) :] if math.isfinite(one.ended) else []
        # Equal times come from a coarse clock: the order of the files decides.
        found.append([(at, s) for at, s in later if at > one.position or (at < one.position and s.wall > one.ended)])
    return found


def _number(files: Sequence[_File]) -> bool:
    """Splits every file into portions and numbers their attempts from 0. Returns whether there are several attempts."""
    resuming = {later.position for one in files for later in one.replaced_by}
    bounds, replacing = _bounds_by_later_starts(files)
    attempt = -1
    for one in files:
        starts = one.state.session_starts
        starts_attempt = any((one.position, start.offset) in replacing for start in starts[:1])
        attempt += attempt < 0 or one.position in resuming or starts_attempt
        portions = [Portion(one.position, None, attempt)]
        # The first START of a file is the program's start; points written just before it are no earlier attempt.
        own = starts[1:]
        reached = highest_before(one.file, one.state, own, skipped=_system_ids(one) if own else ())
        for start, highest in zip(own, reached, strict=True):
            if (one.position, start.offset) in replacing or (highest is not None and highest >= start.step):
                attempt += 1
            portions.append(Portion(one.position, start, attempt))
        one.portions = with_replaced_steps(portions, bounds[one.position])
    return attempt > 0


def _bounds_by_later_starts(files: Sequence[_File]) -> tuple[list[int | None], set[tuple[int, int]]]:
    """Returns the lowest step of each file that a START in another file replaced, and the file and offset of the
    STARTs that replaced something."""
    bounds: list[int | None] = []
    replacing: set[tuple[int, int]] = set()
    for one, starts in zip(files, _starts_after(files), strict=True):
        reach, bound = _reach(one) if starts else None, None
        for position, start in starts:
            if reach is not None and reach >= start.step:
                replacing.add((position, start.offset))
                bound, reach = start.step, start.step - 1
        bounds.append(bound)
    return bounds, replacing


def _reach(one: _File) -> int | None:
    skipped = _system_ids(one)
    return max((r.max for series, r in ranges_of(one.file, one.state).items() if series not in skipped), default=None)


def _system_ids(one: _File) -> set[int]:
    return {series for tag, series in one.state.table.scalar_ids.items() if tag.startswith(SYSTEM_PREFIX)}


def _scalar_steps(one: _File, tag: Tag) -> StepRange | None:
    series = one.state.table.scalar_ids.get(tag)
    return None if series is None else ranges_of(one.file, one.state).get(series)


def _payload_steps(one: _File, key: PayloadKey) -> StepRange | None:
    ranges = ranges_of(one.file, one.state)
    known = [ranges[series] for series in one.state.table.payload_ids.get(key, ()) if series in ranges]
    return joined(known) if known else None


def _first_step(ranges: Iterable[StepRange | None]) -> int | None:
    return min((found.min for found in ranges if found is not None), default=None)
