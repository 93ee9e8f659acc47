"""The rows of a filter: those that match its query and all of its conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from seamark.compare.query.row_query import RowQueryError, matching_rows
from seamark.dashboards.whatif.answers.computed import QUERY_NAMES, ColumnContext, find_column
from seamark.dashboards.whatif.models import ModelLibrary
from seamark.dashboards.whatif.wire.sets import RowFilter
from seamark.examples.form import ExamplesError, ExampleSet
from seamark.examples.slicing.conditions import meets
from seamark.plugin import RequestError
from seamark.tables.column import Column, Rows

TRUTH, ROW = "truth", "row"


def filtered_rows(
    examples: ExampleSet, models: ModelLibrary, filter: RowFilter, *, model: str = "", threshold: float = 0.5
) -> Rows:
    """The rows in ascending order. Raises RequestError."""
    context = ColumnContext(examples, models, model, threshold=threshold)
    mask = np.ones(context.examples.rows, bool)
    for condition in filter.conditions:
        try:
            mask &= meets(find_column(context, condition.column), condition)
        except ExamplesError as error:
            raise RequestError(str(error), code="invalid_body") from error
    if filter.query.strip():
        found = np.zeros(len(mask), bool)
        found[query_rows(context, filter.query)] = True
        mask &= found
    return np.flatnonzero(mask)


def query_rows(context: ColumnContext, query: str) -> Rows:
    try:
        return matching_rows(QueryColumns(context), context.examples.rows, query, what="the set")
    except RowQueryError as error:
        details = {"at": error.at, "length": error.length}
        raise RequestError(str(error), code="invalid_parameter", details=details) from error


class QueryColumns(Mapping[str, Column]):
    """The columns of a set, and those that are computed, when a query names them."""

    def __init__(self, context: ColumnContext) -> None:
        self._context = context
        self._table = context.examples.table.by_name
        extra = [ROW, *([TRUTH] if context.examples.truth is not None else []), *QUERY_NAMES]
        self._names = [*self._table, *(name for name in extra if name not in self._table)]
        self._known = frozenset(self._names)

    def __getitem__(self, name: str) -> Column:
        if name in self._table:
            return self._table[name]
        if name == ROW:
            return Column(ROW, "number", numbers=np.arange(self._context.examples.rows, dtype=np.float64))
        if name == TRUTH and self._context.examples.truth is not None:
            return self._context.examples.truth
        return find_column(self._context, QUERY_NAMES[name])

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
