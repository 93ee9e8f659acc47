"""Has a store that can do so compute what a table needs of metrics: which runs match, their order, values and ranges.

The table keeps everything else in memory and sends what a statement needs of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import Column, dense_ranks
from seamark.compare.query.evaluation import evaluate
from seamark.compare.query.expression import Query
from seamark.compare.query.lowering import Lowering, NoRows, metric_value
from seamark.compare.query.query_table import QueryTable
from seamark.compare.query.run_filter import NameFilter
from seamark.compare.record.record import Record
from seamark.format.types import RunName, Tag
from seamark.store.ask.table_request import (
    WHOLE_STATS,
    And,
    MetricColumn,
    MetricOrder,
    MetricValue,
    RowOrder,
    TableEngine,
    TableRequest,
    TableRows,
    TruthExpression,
    metrics_in,
)  # fmt: skip

Rows = NDArray[np.intp]


class RowsTable(QueryTable, Protocol):
    """RunTable implements it; this module does not import RunTable, which imports it."""

    @property
    def version(self) -> int: ...
    @property
    def records(self) -> Sequence[Record]: ...
    def prepare(self, column_ids: Iterable[str], *, tail: int = ...) -> None: ...
    def in_order(self, rows: Rows, sort: Sequence[str] = ..., *, tail: int = ...) -> Rows: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """What a selection was asked for, compiled."""

    query: Query | NameFilter | None
    sort: Sequence[str]
    tail: int

    @property
    def text(self) -> str:
        return "" if self.query is None else self.query.text if isinstance(self.query, Query) else self.query.pattern

    @property
    def is_lasting(self) -> bool:
        """Whether the same rows match later, as long as no run changes."""
        return not isinstance(self.query, Query) or "now" not in self.query.text

    @property
    def sorts_by_metric(self) -> bool:
        return any(key.removeprefix("-").startswith("metric:") for key in self.sort)


def select(engine: TableEngine, table: RowsTable, choice: Choice, keep: NDArray[np.bool_]) -> Rows | None:
    """The rows among `keep` that match; None if no metric is involved.

    Raises TooComplexError for what the engine cannot do.
    """
    numbers: Sequence[tuple[NDArray[np.float64], NDArray[np.bool_]]] = ()
    truths: Sequence[NDArray[np.uint8]] = ()
    parts: list[TruthExpression] = []
    if isinstance(choice.query, Query):
        evaluate(choice.query, NoRows(table), tail=choice.tail)
        lowering = Lowering(choice.query, table, tail=choice.tail)
        if not choice.sorts_by_metric and not lowering.uses_metric(choice.query.tree):
            return None
        with np.errstate(all="ignore"):
            mask, parts = lowering.conditions(choice.query.tree)
        keep, numbers, truths = keep & mask, lowering.numbers, lowering.truths
    elif not choice.sorts_by_metric:
        return None
    elif choice.query is not None:
        keep = keep & choice.query.matches(table)
    rows = table.in_order(np.flatnonzero(keep))
    ranks, order = sort_order(table, choice, rows)
    metrics = [one.metric for one in order if isinstance(one, MetricOrder)]
    request = TableRequest(
        rows=table_rows(table.records, rows, [*metrics_in(parts), *metrics]),
        condition=None if not parts else parts[0] if len(parts) == 1 else And(tuple(parts)),
        order=tuple(order),
        numbers=tuple((values[rows], present[rows]) for values, present in numbers),
        truths=tuple(values[rows] for values in truths),
        ranks=tuple(ranks),
    )
    return rows[engine.select(request)] if len(rows) else rows


def sort_order(
    table: QueryTable, choice: Choice, rows: Rows
) -> tuple[list[NDArray[np.uint32]], list[MetricOrder | RowOrder]]:
    ranks: list[NDArray[np.uint32]] = []
    order: list[MetricOrder | RowOrder] = []
    for key in choice.sort:
        column_id, descends = key.removeprefix("-"), key.startswith("-")
        if column_id.startswith("metric:") and table.known_names().has(column_id):
            order.append(MetricOrder(metric_value(column_id, tail=choice.tail), descends))
        else:
            ranks.append(dense_ranks(table.column(column_id, tail=choice.tail), rows, descending=descends))
            order.append(RowOrder(len(ranks) - 1))
    return ranks, order


def table_rows(records: Sequence[Record], rows: Rows, metrics: Iterable[MetricValue]) -> TableRows:
    """The runs of these rows; of merged ones, where the tags come from."""
    chosen = [records[row] for row in rows.tolist()]
    merged = [(at, record) for at, record in enumerate(chosen) if record.series_sources]
    sources: dict[Tag, dict[int, tuple[RunName, Tag]]] = {}
    for tag in dict.fromkeys(metric.tag for metric in metrics):
        found = {at: record.series_sources[tag] for at, record in merged if tag in record.series_sources}
        if found:
            sources[tag] = found
    return TableRows([record.name for record in chosen], sources)


def metric_column(column_id: str, metric: MetricValue, found: MetricColumn) -> Column:
    is_whole = metric.stat in WHOLE_STATS
    return Column(column_id, "number", found.values, found.present, is_whole=is_whole)
