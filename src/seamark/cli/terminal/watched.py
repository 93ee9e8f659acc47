"""The runs that `seamark top` shows: filtered and sorted, with curves for those on the screen."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.cli.output.text import printable, width_of
from seamark.cli.terminal.frame import Choices, Facts, Row, layout
from seamark.compare import QueryError, RunTable, UnknownColumnError
from seamark.compare.columns.column import metric_id
from seamark.compare.objective.objective import choose_objective
from seamark.compare.settings import LIVE_STATUSES
from seamark.format.types import RunName, Tag
from seamark.store import RunStore

COLUMN_OF_SORT = {"started": "run:started", "name": "run:name", "status": "run:status", "step": "run:last_step"}


class Watched:
    def __init__(self, store: RunStore, state: Mapping[str, Mapping[str, Any]]) -> None:
        self._store = store
        self._table = RunTable(store, state)
        self._matched: NDArray[np.intp] = np.zeros(0, np.intp)
        self._metrics: list[str] = []
        self._metrics_as_of = -1

    def metrics(self) -> list[str]:
        if self._metrics_as_of != self._table.version:
            # Runs of a sweep share their tags, so each set is visited once.
            listed = {record.tags for record in self._table.records}
            self._metrics = sorted({tag for tags in listed for tag in tags})
            self._metrics_as_of = self._table.version
        return self._metrics

    def refresh(self, choices: Choices) -> Facts:
        """Refreshes the table and selects the runs to show. An invalid filter shows all runs and sets `problem`."""
        self._table.refresh()
        if not choices.metric:
            choices.metric = self._likely_metric()
        choices.problem = ""
        try:
            self._matched = self._table.select(choices.filter, self._sort_columns(choices)).rows
        except (QueryError, UnknownColumnError) as error:
            choices.problem = printable(str(error))
            self._matched = self._table.select("", self._sort_columns(choices)).rows
        if choices.sort == "updated":
            self._matched = self._by_update(choices)
        statuses = self._table.column("run:status").cells(self._matched)
        return Facts(
            total=len(self._table.records),
            matched=len(self._matched),
            live=sum(status in LIVE_STATUSES for status in statuses),
            loading=self._loading(),
            clock=time.strftime("%H:%M:%S"),
        )

    def rows(self, choices: Choices, count: int, width: int) -> list[Row]:
        """The visible rows, with curves as wide as the screen allows."""
        visible = self._matched[choices.first : choices.first + count]
        records = self._table.records
        names = [records[row].name for row in visible]
        longest = max((width_of(printable(name)) for name in names), default=3)
        spark_width = layout(width, longest)[2]
        curves = self._curves(visible, choices.metric, spark_width)
        cells = [self._cells(column, visible) for column in self._columns(choices.metric)]
        now = time.time()
        rows = []
        for at, name in enumerate(names):
            status, step, last, low, high = (column[at] for column in cells)
            wall = records[visible[at]].last_wall
            updated = None if wall is None else now - wall
            whole = None if step is None else int(step)
            rows.append(Row(name, status or "", whole, last, low, high, updated, curves.get(name, ())))
        return rows

    def _columns(self, metric: str) -> list[str]:
        return ["run:status", "run:last_step", *(f"metric:{metric}:{stat}" for stat in ("last", "min", "max"))]

    def _cells(self, column: str, visible: NDArray[np.intp]) -> list[Any]:
        try:
            return self._table.column(column).cells(visible)
        except UnknownColumnError:  # no run has logged it yet
            return [None] * len(visible)

    def _sort_columns(self, choices: Choices) -> list[str]:
        column = COLUMN_OF_SORT.get(choices.sort, f"metric:{choices.metric}:{choices.sort}")
        if choices.sort == "updated" or (column.startswith("metric:") and choices.metric not in self.metrics()):
            return []
        return [f"-{column}" if choices.is_reversed else column]

    def _by_update(self, choices: Choices) -> NDArray[np.intp]:
        """The matching runs, the most recently updated first."""
        records = self._table.records
        walls = [records[row].last_wall for row in self._matched]
        ages = np.array([np.inf if wall is None else -wall for wall in walls])
        order = np.argsort(ages, kind="stable")
        return self._matched[order[::-1] if choices.is_reversed else order]

    def _curves(self, visible: NDArray[np.intp], metric: str, width: int) -> dict[str, Sequence[float]]:
        if not width or not metric or not len(visible):
            return {}
        table = self._table.records
        records = [table[row] for row in visible]
        # The series of a merged run are stored under that run.
        sources: dict[Tag, dict[RunName, RunName]] = {}
        for record in records:
            run, tag = record.source_of(Tag(metric))
            sources.setdefault(tag, {})[run] = record.name
        found: dict[str, Sequence[float]] = {}
        for tag, rows in sources.items():
            columns = ("mean", "nan", "posinf", "neginf")
            window = self._store.scalars(list(rows), tag, max_points=width, columns=columns)
            values = np.where(window.nan + window.posinf + window.neginf > 0, np.nan, window.mean)
            found |= {rows[RunName(run)]: values[window.rows(run)].tolist() for run in window.runs}
        return found

    def _likely_metric(self) -> str:
        """The objective of the runs, else the first of the ranked metrics."""
        found = choose_objective(self._table, self._table.select().rows)
        if found.objective is not None and found.objective.id.startswith("metric:"):
            return metric_id(found.objective.id)[0]
        return found.ranked[0] if found.ranked else ""

    def _loading(self) -> str:
        progress = self._store.progress()
        if not progress.loading:
            return ""
        return f"reading {100 * progress.bytes_done // max(progress.bytes_total, 1)} %"
