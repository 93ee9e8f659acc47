"""The table of runs: a row per run, a column for everything that any of them has."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns import (
    RUN_FIELDS,
    STATS,
    Column,
    Names,
    UnknownColumnError,
    column_of,
    metric_id,
    sorted_rows,
    typed_column,
)
from seamark.compare.expression import NameFilter, Query, compile_query
from seamark.compare.flatten import Scalar
from seamark.compare.goals import goal_of
from seamark.compare.metrics import DEFAULT_TAIL, Metrics
from seamark.compare.records import Record, Records
from seamark.compare.run_fields import FIELDS
from seamark.format.types import RunName, Tag
from seamark.store import Store

NO_NOTES: Mapping[str, Any] = {}
STATUS_SECS = 1.0


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """A column as it is listed. A metric is listed once, with its statistics."""

    id: str
    name: str
    source: str
    type: str
    runs: int
    mixed: bool = False
    low: float | None = None
    high: float | None = None
    values: list[tuple[Scalar, int]] | None = None
    stats: tuple[str, ...] = ()
    goal: str = ""  # of a metric: "min" or "max"


class RunTable:
    """Rows have stable places until runs come or go; `names[i]` and row i of every column belong together.

    `state` is what people noted, by run: label, star, note, tags, archived. Call `refresh` to see what is new; it
    costs what has changed. Safe to use from several threads.
    """

    def __init__(
        self,
        store: Store,
        state: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self._clock = clock
        self._lock = threading.RLock()
        self._records = Records(store)
        self._metrics = Metrics(store)
        self._state: Mapping[str, Mapping[str, Any]] = state if state is not None else {}
        self._rows: list[Record] = []
        self._place: dict[RunName, int] = {}
        self._revisions = np.zeros(0, np.int64)
        self._columns = _Columns()
        self._version = 0
        self._status_at = -1.0
        self._status_texts: list[str] = []
        self.refresh()

    def refresh(self, state: Mapping[str, Mapping[str, Any]] | None = None, *, look: bool = False) -> int:
        """Follows the store, the files and the state; returns the version, which grows when anything has changed."""
        with self._lock:
            changes = self._records.refresh(look=look)
            if changes.rows:
                self._lay_out()
            elif changes:
                for name in changes.params | changes.others:
                    place = self._place[name]
                    self._rows[place] = self._records.by_name[name]
                    self._revisions[place] += 1
                self._columns.forget_fields(state_only=False)
                self._columns.note_changed([self._place[name] for name in changes.params])
            if state is not None and state != self._state:
                self._state = state
                self._columns.forget_fields(state_only=True)
                self._version += 1
            if self._look_at_status() or changes:
                self._version += 1
            return self._version

    def hold(self) -> AbstractContextManager[object]:
        """Inside it no other thread's refresh changes the rows: for who asks several things about the same ones."""
        return self._lock

    @property
    def version(self) -> int:
        return self._version

    @property
    def names(self) -> list[RunName]:
        return [record.name for record in self._rows]

    @property
    def records(self) -> Sequence[Record]:
        """What the rows were made of, in their order."""
        return tuple(self._rows)

    @property
    def folded(self) -> dict[RunName, RunName]:
        """Runs that have no row of their own, with the run whose row holds what they say."""
        return dict(self._records.folded)

    def place_of(self, run: RunName) -> int | None:
        """The row of a run; a folded one lies in the row of the run it was folded into."""
        return self._place.get(self._records.folded.get(run, run))

    def problems(self) -> list[str]:
        """Sentences: files that cannot be read, columns of numbers and text."""
        with self._lock:
            found = self._records.problems()
            for key in self._keys("params"):
                column = self.column(f"param:{key}")
                if column.mixed:
                    found.append(_mixed_problem(column))
            return found

    def columns(self) -> list[ColumnInfo]:
        """Every column there is: fields of runs, then hyperparameters, metrics and summary values, by name."""
        with self._lock:
            ids = [f"run:{name}" for name in RUN_FIELDS]
            ids += [f"param:{key}" for key in sorted(self._keys("params"))]
            infos = [column_info(self.column(column_id)) for column_id in ids]
            for tag, runs in sorted(self._keys("tags").items()):
                goal = self.goal(tag)
                infos.append(ColumnInfo(f"metric:{tag}", tag, "metric", "number", runs, stats=STATS, goal=goal))
            infos += [column_info(self.column(f"summary:{key}")) for key in sorted(self._keys("summary"))]
            return infos

    def column(self, column_id: str, *, tail: int = DEFAULT_TAIL) -> Column:
        """One column over all rows. UnknownColumnError names the nearest when there is none of that id."""
        with self._lock:
            source, _, name = column_id.partition(":")
            if source == "metric":
                tag, stat = metric_id(column_id)
                if stat in STATS and tag in self._keys("tags"):
                    return self._metric(column_id, Tag(tag), stat, tail)
            elif source == "run" and name in RUN_FIELDS:
                return self._columns.field(name, lambda: self._field(name))
            elif source in ("param", "summary") and name in self._keys("params" if source == "param" else source):
                return self._columns.given(column_id, self._rows)
            raise UnknownColumnError(f"there is no column '{column_id}'{self._names().hint(column_id)}")

    def resolve(self, text: str) -> str:
        """The id of the column that a person means by "lr", "val/loss.min" or an id."""
        with self._lock:
            return self._names().resolve(text)

    def goal(self, tag: str) -> str:
        """Whether "min" or "max" of a metric is the best."""
        with self._lock:
            return self._columns.goal(tag, self._rows)

    def known_names(self) -> Names:
        """The names of all columns, for completion and for messages."""
        with self._lock:
            return self._names()

    def select(
        self,
        query: str | Query | NameFilter = "",
        sort: Sequence[str] = (),
        *,
        runs: Iterable[str] | None = None,
        archived: str = "hide",
        tail: int = DEFAULT_TAIL,
    ) -> NDArray[np.intp]:
        """The rows that match, in order: by the columns of `sort` ("-" before an id turns it round), else by start.

        QueryError points at what is wrong in the query.
        """
        with self._lock:
            keep = self._archive_mask(archived)
            if runs is not None:
                chosen = np.zeros(len(self._rows), bool)
                chosen[[at for at in map(self.place_of, map(RunName, runs)) if at is not None]] = True
                keep &= chosen
            compiled = compile_query(query) if isinstance(query, str) else query
            if compiled is not None:
                keep &= compiled.matches(self, tail=tail)
            rows = np.flatnonzero(keep)
            keys = [(self.column(key.removeprefix("-"), tail=tail), key.startswith("-")) for key in sort]
            return sorted_rows([*keys, (self.column("run:started"), False), (self.column("run:name"), False)], rows)

    def now(self) -> float:
        return self._clock()

    # How it is kept

    def _lay_out(self) -> None:
        self._rows = list(self._records.by_name.values())
        self._place = {record.name: place for place, record in enumerate(self._rows)}
        self._revisions = np.zeros(len(self._rows), np.int64)
        self._columns = _Columns()
        self._metrics.forget()
        self._status_at = -1.0

    def _look_at_status(self) -> bool:
        """Whether any status is another one than before: it changes with time, and with nothing else happening."""
        now = self._clock()
        if 0 <= now - self._status_at < STATUS_SECS and len(self._status_texts) == len(self._rows):
            return False
        texts = [record.status(now) for record in self._rows]
        self._status_at = now
        if texts == self._status_texts:
            return False
        self._status_texts = texts
        self._columns.forget_field("status")
        return True

    def _field(self, name: str) -> Column:
        kind = RUN_FIELDS[name]
        if name == "status":
            given: list[Any] = self._status_texts
        elif name == "last_step":
            given = self._last_steps()
        else:
            make = FIELDS[name]
            given = [make(record, self._state.get(record.name, NO_NOTES)) for record in self._rows]
        return typed_column(f"run:{name}", kind, given)

    def _last_steps(self) -> list[float | None]:
        best = np.array(
            [
                r.record.last_step if r.record is not None and r.record.last_step is not None else np.nan
                for r in self._rows
            ],
            float,
        )
        for tag in self._keys("tags"):
            digest = self._metrics.digest(Tag(tag), DEFAULT_TAIL, self._rows, self._revisions)
            best = np.fmax(best, digest.fields["last_step"])
        return [None if value != value else value for value in best.tolist()]

    def _metric(self, column_id: str, tag: Tag, stat: str, tail: int) -> Column:
        digest = self._metrics.digest(tag, tail if stat == "tail" else DEFAULT_TAIL, self._rows, self._revisions)
        is_whole = stat in ("min_step", "max_step", "count")
        present = digest.present & ~np.isnan(digest.fields[stat]) if is_whole else digest.present
        return self._columns.metric(
            column_id, tail, Column(column_id, "number", digest.fields[stat], present, is_whole=is_whole)
        )

    def _archive_mask(self, archived: str) -> NDArray[np.bool_]:
        if archived not in ("hide", "show", "only"):
            raise ValueError(f"archived is one of hide, show, only, got {archived!r}")
        mask: NDArray[np.bool_] = self.column("run:archived").values
        return ~mask if archived == "hide" else mask.copy() if archived == "only" else np.ones(len(mask), bool)

    def _keys(self, what: str) -> Mapping[str, int]:
        return self._columns.keys(what, self._rows)

    def _names(self) -> Names:
        return Names(self._keys("params"), self._keys("tags"), self._keys("summary"))


class _Columns:
    """Columns that were asked for, brought up to date row by row."""

    def __init__(self) -> None:
        self._fields: dict[str, Column] = {}
        self._given: dict[str, tuple[int, list[Any], Column]] = {}  # by id: as of which change, raw values, column
        self._made: dict[tuple[str, int], Column] = {}
        self._changed: list[int] = []  # places whose hyperparameters or series changed, in order
        self._keys: dict[str, Mapping[str, int]] = {}
        self._goal_rows: list[Record] | None = None

    def forget_fields(self, *, state_only: bool) -> None:
        self._goal_rows = self._goal_rows if state_only else None
        for name in STATE_FIELDS if state_only else [name for name in self._fields if name not in KEPT_FIELDS]:
            self._fields.pop(name, None)

    def forget_field(self, name: str) -> None:
        self._fields.pop(name, None)

    def note_changed(self, places: Iterable[int]) -> None:
        before = len(self._changed)
        self._changed += places
        if len(self._changed) != before:
            self._keys.clear()

    def field(self, name: str, make: Callable[[], Column]) -> Column:
        if name not in self._fields:
            self._fields[name] = make()
        return self._fields[name]

    def given(self, column_id: str, rows: Sequence[Record]) -> Column:
        source, _, name = column_id.partition(":")

        def value(record: Record) -> Scalar | None:
            return (record.params if source == "param" else record.summary).get(name)

        known = self._given.get(column_id)
        if known is None:
            raw = [value(record) for record in rows]
            self._given[column_id] = len(self._changed), raw, column_of(column_id, raw)
            return self._given[column_id][2]
        seen, raw, column = known
        if seen < len(self._changed):
            fresh = {place: value(rows[place]) for place in self._changed[seen:]}
            if any(raw[place] is not now and raw[place] != now for place, now in fresh.items()):
                raw = [fresh.get(place, before) if place in fresh else before for place, before in enumerate(raw)]
                column = column_of(column_id, raw)
            self._given[column_id] = len(self._changed), raw, column
        return column

    def goal(self, tag: str, rows: Sequence[Record]) -> str:
        if self._goal_rows is None:
            self._goal_rows = [record for record in rows if record.record is not None and record.record.metrics]
        return goal_of(tag, self._goal_rows)

    def metric(self, column_id: str, tail: int, made: Column) -> Column:
        """The column made before, with what was worked out from it, when it holds the same arrays."""
        before = self._made.get((column_id, tail))
        if before is None or before.values is not made.values:
            before = self._made[column_id, tail] = made
        return before

    def keys(self, what: str, rows: Sequence[Record]) -> Mapping[str, int]:
        """The names that any run has, each with the number of runs. Runs of a sweep have the same names."""
        if what not in self._keys:
            layouts = Counter(tuple(getattr(record, what)) for record in rows)
            counts: Counter[str] = Counter()
            for names, runs in layouts.items():
                for name in names:
                    counts[name] += runs
            self._keys[what] = counts
        return self._keys[what]


STATE_FIELDS = ("label", "tags", "notes", "star", "archived")
# Of these a run's growing changes nothing.
KEPT_FIELDS = ("name", "path")


def column_info(column: Column) -> ColumnInfo:
    low, high = column.span()
    return ColumnInfo(
        column.id, column.name, column.source, column.type, int(column.present.sum()), column.mixed, low, high,
        column.distinct,
    )  # fmt: skip


def _mixed_problem(column: Column) -> str:
    values = column.values[column.present].tolist()
    text = sum(isinstance(value, str) for value in values)
    return (
        f"{column.name} is text in {text} of {len(values)} runs and a number or a flag in the others; "
        "it is shown as text, numbers first"
    )
