"""Which points of a run a restart replaced. Decided here, once for a run, for scalars and payloads alike.

A restart is certain in two cases only; docs/attempts.md explains them. Everything else that makes steps go back leaves
every point where it is.

1. A SessionLog says START at a step: what was written before it with this step or a greater one was replaced.
2. A later file of the same writer begins at an earlier step than an earlier file reached, and gets at least as far, as
   far as the series go that both have: of each of them it replaced what lies at or behind its own first step.

The steps of system metrics are seconds: they say nothing about either, and no START replaces them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seamark.format.run_record import SYSTEM_PREFIX
from seamark.format.types import Tag
from seamark.store.event_file import EventFile
from seamark.store.file_name import writer_of
from seamark.store.file_state import FileState, SessionStart
from seamark.store.series_table import PayloadKey
from seamark.store.step_ranges import StepRange, highest_before, joined, ranges_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.store.payload_rows import PayloadRows

# Comparing each file with each: more of them in one run were not written by a program that was restarted.
MAX_COMPARED_FILES = 200
MAX_STARTS = 1000  # of a run, the latest ones


class Span(NamedTuple):
    """Rows of one series in one file, from `row` on: their attempt, and the step from which on they were replaced."""

    file: int
    row: int
    attempt: int
    replaced_from: int | None


@dataclass(frozen=True, slots=True)
class _Portion:
    """The events of a file up to the next START in it."""

    attempt: int
    start: SessionStart | None  # the one it begins with; None for the beginning of the file
    replaced_from: int | None  # by a START


@dataclass(slots=True)
class _File:
    """What the decision needs to know of one file."""

    position: int
    file: EventFile
    state: FileState
    began: float
    ended: float
    replaced_by: list[_File] = field(default_factory=list)  # files that resumed before its end
    portions: tuple[_Portion, ...] = ()


class RunAttempts:
    """The attempts of a run. `is_plain`: there was no restart, every point counts."""

    def __init__(self, files: Sequence[EventFile], states: Sequence[FileState]) -> None:
        self.is_plain = True
        self._files: list[_File] = []
        has_starts = any(state.session_starts for state in states)
        if not has_starts and sum(state.last_wall is not None for state in states) < 2:
            return  # nearly all runs: not even a stripe is opened for them
        self._files = [_described(*item) for item in enumerate(zip(files, states, strict=True))]
        _find_resumed(self._files)
        self.is_plain = not _number(self._files)

    def scalar_spans(self, tag: Tag) -> list[Span]:
        """Empty if there was no restart."""
        if self.is_plain:
            return []
        spans = []
        for one in self._files:
            series = one.state.table.scalar_ids.get(tag)
            if series is None:
                continue
            resumed = _first_step(_scalar_steps(later, tag) for later in one.replaced_by)
            for portion in one.portions:
                row = portion.start.rows.get(series, 0) if portion.start is not None else 0
                started = None if tag.startswith(SYSTEM_PREFIX) else portion.replaced_from
                spans.append(Span(one.position, row, portion.attempt, _least(resumed, started)))
        return spans

    def of_payloads(self, key: PayloadKey, rows: PayloadRows) -> PayloadAttempts:
        """The same for every row of a payload series."""
        attempt = np.zeros(len(rows.steps), np.uint32)
        is_replaced = np.zeros(len(rows.steps), np.bool_)
        for one in [] if self.is_plain else self._files:
            first, end = np.searchsorted(rows.file, (one.position, one.position + 1)).tolist()
            if first == end:
                continue
            resumed = _first_step(_payload_steps(later, key) for later in one.replaced_by)
            for portion in one.portions:
                row = first
                if portion.start is not None:
                    row += int(np.searchsorted(rows.offsets[first:end], portion.start.offset))
                attempt[row:end] = portion.attempt
                bound = _least(resumed, portion.replaced_from)
                is_replaced[row:end] = False if bound is None else rows.steps[row:end] >= bound
        return PayloadAttempts(attempt, is_replaced)


@dataclass(frozen=True, slots=True)
class PayloadAttempts:
    """Of each row of a payload series its attempt, and whether a restart replaced it."""

    attempt: NDArray[np.uint32]
    is_replaced: NDArray[np.bool_]

    def shown(self, steps: NDArray[np.int64], attempts: str) -> NDArray[np.intp]:
        """Positions of the payloads to show: every one as it came, or those that count in order of step."""
        if wants_all(attempts):
            return np.arange(len(steps))
        counted = np.flatnonzero(~self.is_replaced)
        return counted[np.argsort(steps[counted], kind="stable")]


def wants_all(attempts: str) -> bool:
    if attempts not in ("latest", "all"):
        raise ValueError(f"unknown attempts: got {attempts!r}, want latest or all")
    return attempts == "all"


def _described(position: int, item: tuple[EventFile, FileState]) -> _File:
    file, state = item
    began = state.first_wall if state.first_wall is not None else math.nan
    ended = state.last_wall if state.last_wall is not None else math.nan
    # An event may be dated before the file's first one: its time is what the caller says it is.
    return _File(position, file, state, min(began, ended), ended)


def _find_resumed(files: Sequence[_File]) -> None:
    """The second rule: which file replaced a part of which."""
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
    """The steps of the series that both files have, in each of them: scalars, or payloads where there are none."""
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
    """Files during whose time no other process wrote to the run, in order of time.

    A process that was alive before and after a file began shows that the run was not restarted in between: workers of a
    loader come and go while the main program goes on.
    """
    timed = sorted((one for one in files if math.isfinite(one.began)), key=lambda one: (one.began, one.position))
    shared: set[int] = set()
    active: list[_File] = []  # those that had not ended when this one began
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
    """Of each file the STARTs in others that came after its last event, with their file, by time."""
    starts = [(one.position, start) for one in files for start in one.state.session_starts if math.isfinite(start.wall)]
    starts = sorted(starts, key=lambda item: item[1].wall)[-MAX_STARTS:]
    walls = [start.wall for _, start in starts]
    found = []
    for one in files:
        later = starts[bisect_left(walls, one.ended) :] if math.isfinite(one.ended) else []
        # Of the same instant: a writer without a clock that is fine enough. Then the order of the files says it.
        found.append([(at, s) for at, s in later if at > one.position or (at < one.position and s.wall > one.ended)])
    return found


def _number(files: Sequence[_File]) -> bool:
    """Gives every portion of every file its attempt, from 0. Whether there is more than one."""
    resuming = {later.position for one in files for later in one.replaced_by}
    replacing: set[tuple[int, int]] = set()  # file and offset of the STARTs that replaced something
    bounds: list[int | None] = []
    for one, starts in zip(files, _starts_after(files), strict=True):
        reach, bound = _reach(one) if starts else None, None
        for position, start in starts:
            if reach is not None and reach >= start.step:
                replacing.add((position, start.offset))
                bound, reach = start.step, start.step - 1
        bounds.append(bound)
    attempt = -1
    for one in files:
        # The first START of a file says how the program began; what it wrote a moment before is no earlier attempt.
        own = one.state.session_starts[1:]
        reached = highest_before(one.file, one.state, own, skipped=_system_ids(one) if own else ())
        first = {(one.position, start.offset) for start in one.state.session_starts[:1]}
        attempt += attempt < 0 or one.position in resuming or bool(first & replacing)
        portions: list[tuple[int, SessionStart | None]] = [(attempt, None)]
        for start, highest in zip(own, reached, strict=True):
            if (one.position, start.offset) in replacing or (highest is not None and highest >= start.step):
                attempt += 1
            portions.append((attempt, start))
        one.portions = _bounded(portions, bounds[one.position])
    return attempt > 0


def _bounded(portions: Sequence[tuple[int, SessionStart | None]], bound: int | None) -> tuple[_Portion, ...]:
    """From the last to the first: every START replaces what is before it."""
    found: list[_Portion] = []
    for attempt, start in reversed(portions):
        found.append(_Portion(attempt, start, bound))
        bound = _least(bound, start.step if start is not None else None)
    return tuple(reversed(found))


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


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)
