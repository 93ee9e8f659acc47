"""The trials of a selection of runs: which runs stand for them, the means over their seeds, filters and order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import NUMBERS, Column, sorted_rows
from seamark.compare.run_table import RunTable
from seamark.compare.settings import DEFAULT_TAIL
from seamark.compare.trials.conditions import Condition, matching
from seamark.compare.trials.parts import stand_ins
from seamark.format.run_record import WITHOUT_RESULT
from seamark.format.types import RunName

Rows = NDArray[np.intp]
STATUS = "run:status"
# Columns of trials that are several runs: the standard deviation, and the number of NaN and infinities left out.
STD, LEFT_OUT = "std:", "left_out:"


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """`part` is the child run that stands for a trial with several; without it each run is a trial of its own.

    Runs that agree in the columns `group_by` are one trial; None groups nothing. `where` has conditions by column; a
    trial has to match them in every column.
    """

    part: str = ""
    group_by: Sequence[str] | None = None
    where: Mapping[str, Sequence[Condition]] = field(default_factory=dict)
    results_first: bool = False  # pruned, failed and crashed trials last


@dataclass(frozen=True, slots=True)
class TrialRequest:
    """Which runs, as in RunTable.select, and what their trials are."""

    query: str = ""
    runs: Sequence[str] | None = None
    archived: str = "hide"
    sort: Sequence[str] = ()
    tail: int = DEFAULT_TAIL
    shown: Sequence[str] = ()  # columns that are needed afterwards
    options: TrialOptions = TrialOptions()


class Trials:
    """Some rows of a table as trials, in the order of their first rows. The caller holds the table's lock."""

    def __init__(self, table: RunTable, rows: Rows, *, group_by: Sequence[str] | None, tail: int) -> None:
        self._table, self._rows, self._tail = table, rows, tail
        self._by = frozenset(group_by or ())
        self._columns: dict[str, Column] = {}
        self._members = None if group_by is None else self._grouped(group_by)

    def __len__(self) -> int:
        return len(self._rows) if self._members is None else len(self._members)

    @property
    def is_grouped(self) -> bool:
        return self._members is not None

    def rows_of(self, trials: Rows) -> Rows:
        """The table's rows of these trials."""
        if self._members is None:
            return self._rows[trials]
        members = [self._members[trial] for trial in trials.tolist()]
        return np.concatenate(members) if members else np.zeros(0, np.intp)

    def runs_of(self, trials: Rows) -> list[list[RunName]]:
        """The runs of each of these trials."""
        if self._members is None:
            return [[name] for name in self._table.names_of(self._rows[trials].tolist())]
        return [self._table.names_of(self._members[trial].tolist()) for trial in trials.tolist()]

    def columns_at(self, column_ids: Sequence[str], trials: Rows) -> list[Column]:
        if self._members is None:
            return self._table.columns_at(column_ids, self._rows[trials], tail=self._tail)
        self.prepare(column_ids)
        return [self.column(column_id).at(trials) for column_id in column_ids]

    def prepare(self, column_ids: Iterable[str]) -> None:
        """Makes many columns at once, which costs less than one by one."""
        wanted = dict.fromkeys(one for one in map(of_runs, column_ids) if one not in self._columns)
        found = self._table.columns_at(list(wanted), self._rows, tail=self._tail)
        self._columns.update(zip(wanted, found, strict=True))

    def column(self, column_id: str) -> Column:
        """A value for each trial: of several runs the mean, or the value that all of them have."""
        source = of_runs(column_id)
        self.prepare([source])
        column = self._columns[source]
        if self._members is None:
            return column
        if column.type not in NUMBERS or source in self._by:
            return blank(column_id, len(self)) if source != column_id else self._agreed(column)
        return self._summary(column, column_id)

    def _grouped(self, group_by: Sequence[str]) -> list[Rows]:
        self._trial_of = self._firsts = np.zeros(0, np.intp)
        if not len(self._rows):
            return []
        self.prepare(group_by)
        codes = [self._codes(column_id) for column_id in group_by] or [np.zeros(len(self._rows), np.intp)]
        _, firsts, groups = np.unique(np.stack(codes, axis=1), axis=0, return_index=True, return_inverse=True)
        # By their first rows, as runs started.
        places = np.empty(len(firsts), np.intp)
        places[np.argsort(firsts)] = np.arange(len(firsts))
        self._trial_of, self._firsts = places[groups.reshape(-1)], np.sort(firsts)
        rows = self._rows[np.argsort(self._trial_of, kind="stable")]
        return np.split(rows, np.cumsum(np.bincount(self._trial_of))[:-1])

    def _codes(self, column_id: str) -> NDArray[np.intp]:
        """Equal where the values of runs are equal. The column of the whole table has them computed already."""
        return self._table.column(column_id, tail=self._tail).categories[0][self._rows]

    def _agreed(self, column: Column) -> Column:
        codes = self._codes(column.id)
        differs = codes != codes[self._firsts][self._trial_of]
        agrees = np.bincount(self._trial_of[differs], minlength=len(self)) == 0
        values, present = column.values[self._firsts], column.present[self._firsts] & agrees
        return Column(column.id, column.type, values, present, column.mixed, column.is_whole)

    def _summary(self, column: Column, column_id: str) -> Column:
        """NaN and infinities are left out of the mean. A trial that has nothing else is NaN."""
        usable = column.present & np.isfinite(column.values)
        given, used = self._counts(column.present), self._counts(usable)
        if column_id.startswith(LEFT_OUT):
            return Column(column_id, "number", (given - used).astype(float), given > 0, is_whole=True)
        trials, values = self._trial_of[usable], column.values[usable]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.bincount(trials, weights=values, minlength=len(self)) / used
            if column_id == column.id:
                return Column(column_id, column.type, np.where(used > 0, means, np.nan), given > 0)
            squares = np.bincount(trials, weights=(values - means[trials]) ** 2, minlength=len(self))
            deviations = np.sqrt(squares / (used - 1))
        return Column(column_id, column.type, np.where(used > 1, deviations, 0.0), used > 1)

    def _counts(self, rows: NDArray[np.bool_]) -> NDArray[np.intp]:
        return np.bincount(self._trial_of[rows], minlength=len(self))


def of_runs(column_id: str) -> str:
    """The column of runs that a column of trials is computed from."""
    return column_id.removeprefix(STD).removeprefix(LEFT_OUT)


def blank(column_id: str, count: int) -> Column:
    return Column(column_id, "number", np.zeros(count), np.zeros(count, bool))


@dataclass(frozen=True, slots=True)
class TrialSelection:
    """The trials that match, in order: `order` are indices in `trials`."""

    trials: Trials
    order: Rows
    total: int  # without the query and the filters
    computed_here: str = ""


def select_trials(table: RunTable, request: TrialRequest) -> TrialSelection:
    with table.hold():
        options = request.options
        is_grouped = options.group_by is not None
        found = table.select(
            request.query, () if is_grouped else request.sort, runs=request.runs, archived=request.archived,
            tail=request.tail, shown=[of_runs(one) for one in request.shown],
        )  # fmt: skip
        rows = found.rows[standing(table, found.rows, options.part)]
        trials = Trials(table, rows, group_by=options.group_by, tail=request.tail)
        kept = np.ones(len(trials), bool)
        trials.prepare(options.where)
        for column_id, conditions in options.where.items():
            kept &= matching(trials.column(column_id), conditions)
        order = np.flatnonzero(kept)
        if is_grouped and request.sort:
            keys = [(trials.column(key.removeprefix("-")), key.startswith("-")) for key in request.sort]
            order = sorted_rows(keys, order)
        if options.results_first:
            statuses = trials.column(STATUS)
            is_out = np.isin(statuses.values[order].astype(str), list(WITHOUT_RESULT)) & statuses.present[order]
            order = np.concatenate([order[~is_out], order[is_out]])
        total = int(standing(table, np.arange(len(table)), options.part).sum())
        return TrialSelection(trials, order, total, found.computed_here)


def standing(table: RunTable, rows: Rows, part: str) -> NDArray[np.bool_]:
    trial_of = table.inherits_params_from if part else {}
    if not trial_of:
        return np.ones(len(rows), bool)
    return stand_ins(table.names_of(rows.tolist()), trial_of, part)
