"""Which rows of a table match, and the values of these: computed here, or by the store's engine if it has one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import Column
from seamark.compare.pushdown import Choice, Rows, RowsTable, metric_column, select, table_rows
from seamark.compare.query.lowering import metric_value
from seamark.compare.query.run_filter import select_rows
from seamark.store.ask.table_request import MetricValue, TableEngine, TooComplexError

Span = tuple[float | None, float | None]
MAX_SELECTIONS = 16  # a page that scrolls asks for the same rows again


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The rows that match, in order. `computed_here` says why the store's engine did not choose them, if it has one."""

    rows: Rows
    computed_here: str = ""
    spans: dict[tuple[str, int], Span] = field(default_factory=dict)  # of metrics, as far as they were asked for


class TableSelector:
    """Not thread-safe: the table holds a lock."""

    def __init__(self, table: RowsTable, engine: TableEngine | None) -> None:
        self._table = table
        self._engine = engine
        self._cache: OrderedDict[tuple[Any, ...], Selection] = OrderedDict()

    def select(self, choice: Choice, keep: NDArray[np.bool_]) -> Selection:
        """The rows among `keep` that match."""
        if self._engine is None or not choice.is_lasting:
            return self._select(choice, keep)
        key = (self._table.version, choice.text, choice.sort, choice.tail, keep.tobytes())
        if key not in self._cache:
            self._cache[key] = self._select(choice, keep)
            while len(self._cache) > MAX_SELECTIONS:
                self._cache.popitem(last=False)
        return self._cache[key]

    def _select(self, choice: Choice, keep: NDArray[np.bool_]) -> Selection:
        computed_here = ""
        if self._engine is not None:
            try:
                found = select(self._engine, self._table, choice, keep)
            except TooComplexError as error:
                computed_here = f"This server computed the table from all runs: the database {error}."
            else:
                if found is not None:
                    return Selection(found)
        if choice.query is not None:
            keep = keep & select_rows(choice.query, self._table, tail=choice.tail)
        return Selection(self._table.in_order(np.flatnonzero(keep), choice.sort, tail=choice.tail), computed_here)

    def prepare(self, column_ids: Sequence[str], *, tail: int) -> dict[str, MetricValue]:
        """Makes the columns that are computed here, many at once. Returns those that the store's engine computes."""
        pushed = self._pushed(column_ids, tail)
        self._table.prepare([one for one in column_ids if one not in pushed], tail=tail)
        return pushed

    def columns_at(self, column_ids: Sequence[str], rows: Rows, *, tail: int) -> list[Column]:
        pushed = self.prepare(column_ids, tail=tail)
        found: dict[str, Column] = {}
        if pushed and self._engine is not None:
            metrics = list(pushed.values())
            values = self._engine.values(table_rows(self._table.records, rows, metrics), metrics)
            for (column_id, metric), one in zip(pushed.items(), values, strict=True):
                found[column_id] = metric_column(column_id, metric, one)
        return [found[one] if one in found else self._table.column(one, tail=tail).at(rows) for one in column_ids]

    def spans(self, column_ids: Sequence[str], selection: Selection, *, tail: int) -> list[Span]:
        known = selection.spans
        wanted = {one: metric for one, metric in self._pushed(column_ids, tail).items() if (one, tail) not in known}
        if wanted and self._engine is not None:
            metrics = list(wanted.values())
            found = self._engine.spans(table_rows(self._table.records, selection.rows, metrics), metrics)
            known.update({(one, tail): span for one, span in zip(wanted, found, strict=True)})
        return [
            known[one, tail] if (one, tail) in known else self._table.column(one, tail=tail).span(selection.rows)
            for one in column_ids
        ]

    def _pushed(self, column_ids: Iterable[str], tail: int) -> dict[str, MetricValue]:
        """The columns that the store's engine computes."""
        found: dict[str, MetricValue] = {}
        names = self._table.known_names()
        for column_id in column_ids if self._engine is not None else ():
            if column_id.startswith("metric:") and names.has(column_id):
                with suppress(TooComplexError):
                    found[column_id] = metric_value(column_id, tail=tail)
        return found
