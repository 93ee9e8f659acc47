"""/api/trials: the trials of runs, as rows of a table; /api/trials/columns: as columns for pictures of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from msgspec import UNSET, Meta, UnsetType
from numpy.typing import NDArray
from starlette.responses import Response

from seamark.format.types import RunName
from seamark.plugin import NO_STORE, Endpoint, NoParameters, ParsedRequest, ResponseStruct, json_safe
from seamark.plugin.columns import MEDIA_TYPE, encode_columns
from seamark.serve.api.table import TableColumn, check_cells, table_column, with_query_errors
from seamark.serve.api.types import QUERY_ERROR, ComputedHere, Count, TrialsBody
from seamark.serve.run_tables import RunTables

if TYPE_CHECKING:
    from seamark.compare import RunTable
    from seamark.compare.columns.column import Column
    from seamark.compare.trials.trials import TrialSelection

# The state of a value in a column of numbers.
VALUE, MISSING, NON_FINITE = 0, 1, 2


class TrialRowsBody(TrialsBody, kw_only=True):
    sort: Annotated[tuple[str, ...], Meta(description="Columns, with - before one that descends.")] = ()
    results_first: Annotated[bool, Meta(description="Pruned, failed and crashed trials last.")] = False
    columns: Annotated[
        tuple[str, ...],
        Meta(description="Ids of columns. Of grouped runs also std:<id> and left_out:<id>."),
    ] = ()
    start: Annotated[Count, Meta(description="The first trial.")] = 0
    stop: Annotated[Count | None, Meta(description="The trial behind the last.")] = None


class TrialsResponse(ResponseStruct):
    version: int
    total: int
    matched: int
    start: int
    runs: Annotated[list[RunName], Meta(description="The first run of each trial.")]
    columns: list[TableColumn]
    computed_here: ComputedHere | UnsetType = UNSET


class TrialColumnsBody(TrialsBody, kw_only=True):
    columns: Annotated[tuple[str, ...], Meta(description="Ids of columns.")] = ()


def trial_endpoints(tables: RunTables) -> list[Endpoint]:
    @with_query_errors
    def trials(request: ParsedRequest[NoParameters, TrialRowsBody]) -> TrialsResponse:
        return trial_window(tables.current(), request.body)

    @with_query_errors
    def columns(request: ParsedRequest[NoParameters, TrialColumnsBody]) -> Response:
        return columns_response(tables.current(), request.body)

    return [
        Endpoint(
            path="/trials",
            method="POST",
            summary="Trials that match, in order, with the requested columns.",
            handler=trials,
            errors={400: QUERY_ERROR},
            pool="table",
        ),
        Endpoint(
            path="/trials/columns",
            method="POST",
            summary="Columns of all trials that match, as numbers.",
            handler=columns,
            media_type=MEDIA_TYPE,
            errors={400: QUERY_ERROR},
            pool="table",
        ),
    ]


def selected_trials(
    table: RunTable, body: TrialsBody, *, sort: Sequence[str] = (), results_first: bool = False
) -> TrialSelection:
    from seamark.compare.trials.trials import TrialOptions, TrialRequest, select_trials

    options = TrialOptions(body.part, body.group_by, body.where, results_first)
    shown = tuple(dict.fromkeys(getattr(body, "columns", ())))
    return select_trials(table, TrialRequest(body.query, body.runs, body.archived, sort, body.tail, shown, options))


def trial_window(table: RunTable, body: TrialRowsBody) -> TrialsResponse:
    with table.hold():
        found = selected_trials(table, body, sort=body.sort, results_first=body.results_first)
        window = slice(body.start, body.stop)
        check_cells(len(found.order), len(body.columns))
        columns = found.trials.columns_at(body.columns, found.order)
        return TrialsResponse(
            version=table.version,
            total=found.total,
            matched=len(found.order),
            start=body.start,
            runs=[runs[0] for runs in found.trials.runs_of(found.order[window])],
            columns=[table_column(column.at(np.arange(len(found.order))[window]), column.span()) for column in columns],
            computed_here=found.computed_here or UNSET,
        )


def columns_response(table: RunTable, body: TrialColumnsBody) -> Response:
    """Column i is `number<i>` and `state<i>`. The numbers of text and of booleans are indices of its categories."""
    with table.hold():
        found = selected_trials(table, body)
        trials, version = found.trials, table.version
        check_cells(len(found.order), len(body.columns))
        columns = trials.columns_at(body.columns, found.order)
        runs = trials.runs_of(found.order)
    entries: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for at, column in enumerate(columns):
        numbers, states, categories = as_numbers(column)
        entries.append({"id": column.id, "type": column.type, "categories": categories})
        arrays |= {f"number{at}": numbers, f"state{at}": states}
    header: dict[str, Any] = {
        "version": version,
        "total": found.total,
        "runs": runs if trials.is_grouped else [one for (one,) in runs],
        "values": entries,
    }
    if found.computed_here:
        header["computed_here"] = found.computed_here
    return Response(encode_columns(header, arrays), media_type=MEDIA_TYPE, headers=dict(NO_STORE))


def as_numbers(column: Column) -> tuple[NDArray[np.float64], NDArray[np.uint8], list[Any] | None]:
    """The numbers, NaN where there is no finite value; the states of the values; the categories of text."""
    from seamark.compare.columns.column import NUMBERS

    if column.type not in NUMBERS:
        codes, cells = column.categories
        missing = codes < 0
        states = np.where(missing, MISSING, VALUE).astype(np.uint8)
        return np.where(missing, np.nan, codes.astype(float)), states, json_safe(cells)
    finite = column.present & np.isfinite(column.values)
    states = np.where(finite, VALUE, np.where(column.present, NON_FINITE, MISSING)).astype(np.uint8)
    return np.where(finite, column.values, np.nan), states, None
