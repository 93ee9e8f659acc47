"""The run table: a row per run, a column for everything that any run has."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import (
    RUN_FIELDS,
    STATS,
    Column,
    Names,
    UnknownColumnError,
    metric_id,
    sorted_rows,
    typed_column,
)  # fmt: skip
from seamark.compare.columns.column_cache import ColumnCache
from seamark.compare.columns.column_info import ColumnInfo, ColumnPage, column_info, mixed_problem
from seamark.compare.columns.metric_digests import Metrics
from seamark.compare.columns.run_fields import FIELDS, GROWING_FIELDS, NO_NOTES, STATE_FIELDS
from seamark.compare.pushdown import Choice
from seamark.compare.query.expression import Query
from seamark.compare.query.run_filter import NameFilter, compile_query
from seamark.compare.record.record import PlannedMetric, Record, last_steps
from seamark.compare.record.records import Changes, Records, stale_runs
from seamark.compare.selections import Selection, Span, TableSelector
from seamark.compare.settings import DEFAULT_TAIL, Goal
from seamark.format.types import RunName, Tag
from seamark.store import RunStore, gc_paused

KEYS = {"param": "keys", "summary": "summary_keys"}
STATUS_SECS = 1.0


class RunTable:
    """`names[i]` and row i of every column belong together; rows keep their index until runs are removed.

    `state` holds what people saved for each run: label, star, note, tags, archived. `refresh` brings the table up to
    date; it costs what has changed. `records` may have been read ahead. Thread-safe.
    """

    def __init__(
        self,
        store: RunStore,
        state: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        records: Records | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self._clock = clock
        self._lock = threading.RLock()
        self._records = records if records is not None else Records(store)
        self._metrics = Metrics(store)
        self._state: Mapping[str, Mapping[str, Any]] = state if state is not None else {}
        self._rows: list[Record] = []
        self._place: dict[RunName, int] = {}
        self._revisions = np.zeros(0, np.int64)
        self._name_places = np.zeros(0, np.int64)  # the place of each row in the order of names
        self._columns = ColumnCache()
        self._selector = TableSelector(self, store.table_engine)
        self._version = 0
        self._status_at = -1.0
        self._status_texts: list[str] = []
        self.refresh()

    def refresh(self, state: Mapping[str, Mapping[str, Any]] | None = None, *, look: bool | None = None) -> int:
        """Brings the table up to date. Returns the version, which grows with every change.

        Files of runs without new events are checked every LOOK_ALL_SECS; `look` True checks them now, False never.
        """
        with self._lock:
            changes = self._records.refresh(look=look)
            if changes.removed:
                self._lay_out()
            elif changes:
                self._patch(changes)
            if state is not None and state is not self._state and state != self._state:
                self._state = state
                self._columns.forget_fields(STATE_FIELDS)
                self._version += 1
            if self._look_at_status() or changes:
                self._version += 1
            return self._version

    def look(self) -> None:
        """Checks the files of all runs, while others use the table. The next refresh reads those that changed."""
        with self._lock:
            watched = self._records.watched()
        stale = stale_runs(watched)
        with self._lock:
            self._records.note_stale(stale)

    def cache_files(self) -> None:
        """Keeps the run.json files that were parsed in the index, for the next process, while others use the table."""
        with self._lock:
            uncached = self._records.take_uncached()
        self._records.cache_files(uncached)

    def statuses(self) -> dict[str, list[RunName]]:
        """The runs of each status; a merged run has that of its row."""
        with self._lock:
            found: dict[str, list[RunName]] = {}
            for record, status in zip(self._rows, self._status_texts, strict=True):
                found.setdefault(status, []).extend((record.name, *record.merged_runs))
            return found

    def hold(self) -> AbstractContextManager[object]:
        """A lock: no other thread's refresh changes the rows while it is held."""
        return self._lock

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def version(self) -> int:
        return self._version

    @property
    def names(self) -> list[RunName]:
        return [record.name for record in self._rows]

    def names_of(self, rows: Iterable[int]) -> list[RunName]:
        return [self._rows[row].name for row in rows]

    @property
    def records(self) -> Sequence[Record]:
        """The record of each row."""
        return tuple(self._rows)

    @property
    def merged_into(self) -> dict[RunName, RunName]:
        """Runs without a row of their own, and the run whose row they are part of."""
        return dict(self._records.merged_into)

    @property
    def inherits_params_from(self) -> dict[RunName, RunName]:
        """Runs that have the hyperparameters of a run above them: parts of one trial, as Keras writes them."""
        return {
            record.name: record.inherits_params_from for record in self._rows if record.inherits_params_from is not None
        }

    def plan_of(self, record: Record) -> tuple[PlannedMetric, ...]:
        """The metrics that hparams_config or add_hparams announced for a run."""
        with self._lock:
            return self._records.plan_of(record)

    def place_of(self, run: RunName) -> int | None:
        """The row of a run; a merged run has the row of the run it was merged into."""
        return self._place.get(self._records.merged_into.get(run, run))

    def problems(self) -> list[str]:
        """Sentences about files that cannot be read and columns that mix numbers and text."""
        with self._lock:
            found = self._records.problems()
            for key in sorted(self._keys("keys")):
                column = self.column(f"param:{key}")
                if column.mixed:
                    found.append(mixed_problem(column))
            return found

    def columns(self) -> list[ColumnInfo]:
        """All columns: fields of runs, then hyperparameters, metrics and summary values, each by name."""
        return self.column_page().columns

    def column_page(self, *, search: str = "", ids: Iterable[str] = (), limit: int | None = None) -> ColumnPage:
        """Columns whose names contain every word of `search`, at most `limit` of each source, and those of `ids`."""
        with self._lock:
            page = ColumnPage()
            wanted = frozenset(ids)
            params = page.choose("param", self._keys("keys"), search, wanted, limit)
            tags = page.choose("metric", self._keys("tags"), search, wanted, limit)
            summary = page.choose("summary", self._keys("summary_keys"), search, wanted, limit)
            given = [*(f"run:{name}" for name in RUN_FIELDS), *(f"param:{key}" for key in params)]
            self.prepare(given)
            page.columns += [column_info(self.column(column_id)) for column_id in given]
            runs_of = self._keys("tags")
            page.columns += [
                ColumnInfo(
                    f"metric:{tag}", tag, "metric", "number", runs_of[tag], stats=STATS, goal=self.goal(tag) or ""
                )
                for tag in tags
            ]
            page.columns += [column_info(self.column(f"summary:{key}")) for key in summary]
            return page

    def given_ids(self) -> list[str]:
        """The ids of fields of runs, then of hyperparameters."""
        with self._lock:
            return [*(f"run:{name}" for name in RUN_FIELDS), *(f"param:{key}" for key in sorted(self._keys("keys")))]

    def prepare(self, column_ids: Iterable[str], *, tail: int = DEFAULT_TAIL) -> None:
        """Makes many columns at once, which costs less than one by one. Unknown ids are ignored."""
        with self._lock, gc_paused():
            ids = list(column_ids)
            params, tags = self._keys("keys"), self._keys("tags")
            self._columns.gather([i for i in ids if i.removeprefix("param:") in params], self._rows)
            wanted = [metric_id(i) for i in ids if i.startswith("metric:")]
            for of_tail, length in ((False, DEFAULT_TAIL), (True, tail)):
                chosen = [Tag(tag) for tag, stat in wanted if tag in tags and (stat == "tail") == of_tail]
                self._metrics.prepare(chosen, length, self._rows, self._revisions)

    def column(self, column_id: str, *, tail: int = DEFAULT_TAIL) -> Column:
        """One column over all rows. UnknownColumnError suggests similar names."""
        with self._lock:
            source, _, name = column_id.partition(":")
            if source == "metric":
                tag, stat = metric_id(column_id)
                if stat in STATS and tag in self._keys("tags"):
                    return self._metric(column_id, Tag(tag), stat, tail)
            elif source == "run" and name in RUN_FIELDS:
                return self._columns.field(name, lambda: self._field(name))
            elif source in KEYS and name in self._keys(KEYS[source]):
                return self._columns.given(column_id, self._rows)
            raise UnknownColumnError(f"there is no column '{column_id}'{self._names().hint(column_id)}")

    def resolve(self, text: str) -> str:
        """The id of the column that "lr", "val/loss.min" or an id stands for."""
        with self._lock:
            return self._names().resolve(text)

    def goal(self, tag: str) -> Goal | None:
        """Whether the "min" or the "max" of a metric is best; None if unknown."""
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
        shown: Sequence[str] = (),
    ) -> Selection:
        """The matching rows, sorted by the columns of `sort` ("-" before an id reverses), else by start.

        `shown` are columns that the caller needs afterwards: made at once with those of the query, they cost less.
        QueryError says where the query is wrong. `computed_here` says why a store's engine did not choose the rows.
        """
        with self._lock:
            keep = self._archive_mask(archived)
            if runs is not None:
                chosen = np.zeros(len(self._rows), bool)
                chosen[[at for at in map(self.place_of, map(RunName, runs)) if at is not None]] = True
                keep &= chosen
            choice = Choice(compile_query(query) if isinstance(query, str) else query, tuple(sort), tail)
            self._selector.prepare(shown, tail=tail)
            return self._selector.select(choice, keep)

    def in_order(
        self, rows: NDArray[np.intp], sort: Sequence[str] = (), *, tail: int = DEFAULT_TAIL
    ) -> NDArray[np.intp]:
        """These rows, sorted by the columns of `sort`, then by start."""
        keys = [(self.column(key.removeprefix("-"), tail=tail), key.startswith("-")) for key in sort]
        # Ties are sorted by name, so that the order is the same in every process.
        by_name = rows[np.argsort(self._name_places[rows], kind="stable")]
        return sorted_rows([*keys, (self.column("run:started"), False)], by_name)

    def columns_at(
        self, column_ids: Sequence[str], rows: NDArray[np.intp], *, tail: int = DEFAULT_TAIL
    ) -> list[Column]:
        """The columns of these rows only: a store with an engine is asked for no other rows."""
        with self._lock:
            return self._selector.columns_at(column_ids, rows, tail=tail)

    def spans(self, column_ids: Sequence[str], selection: Selection, *, tail: int = DEFAULT_TAIL) -> list[Span]:
        """The minimum and maximum finite value of each column in the selected rows."""
        with self._lock:
            return self._selector.spans(column_ids, selection, tail=tail)

    def now(self) -> float:
        return self._clock()

    # Keeping it up to date

    def _lay_out(self) -> None:
        self._rows = list(self._records.by_name.values())
        self._place = {record.name: place for place, record in enumerate(self._rows)}
        self._revisions = np.zeros(len(self._rows), np.int64)
        self._columns = ColumnCache()
        self._metrics.forget()
        self._place_names()

    def _patch(self, changes: Changes) -> None:
        for name in changes.added:
            self._place[name] = len(self._rows)
            self._rows.append(self._records.by_name[name])
        if changes.added:
            self._revisions = np.append(self._revisions, np.zeros(len(changes.added), np.int64))
            self._place_names()
        for name in (*changes.remade, *changes.grown):
            place = self._place[name]
            self._rows[place] = self._records.by_name[name]
            self._revisions[place] += 1
            if place < len(self._status_texts):
                self._status_texts[place] = self._rows[place].status(self._clock())
        if changes.added or changes.remade:
            self._columns.note_changed([self._place[name] for name in (*changes.added, *changes.remade)])
            self._columns.forget_fields(list(RUN_FIELDS))
        else:
            self._columns.forget_fields(GROWING_FIELDS)

    def _place_names(self) -> None:
        order = sorted(range(len(self._rows)), key=lambda at: self._rows[at].name)
        self._name_places = np.empty(len(order), np.int64)
        self._name_places[order] = np.arange(len(order))
        self._status_at = -1.0

    def _look_at_status(self) -> bool:
        """Whether any status has changed: it changes with time alone."""
        now = self._clock()
        if 0 <= now - self._status_at < STATUS_SECS and len(self._status_texts) == len(self._rows):
            return False
        texts = [record.status(now) for record in self._rows]
        self._status_at = now
        if texts == self._status_texts:
            return False
        self._status_texts = texts
        self._columns.forget_fields(["status"])
        return True

    def _field(self, name: str) -> Column:
        column_type = RUN_FIELDS[name]
        if name == "status":
            given: list[Any] = list(self._status_texts)
        elif name == "last_step":
            given = list(last_steps(self.store, self._rows))
        else:
            make = FIELDS[name]
            given = [make(record, self._state.get(record.name, NO_NOTES)) for record in self._rows]
        return typed_column(f"run:{name}", column_type, given)

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
        return Names(self._keys("keys"), self._keys("tags"), self._keys("summary_keys"))
