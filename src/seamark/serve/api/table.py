"""/api/table: the runs as rows, with the columns of all of them; and completions for queries."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, ParamSpec, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType
from starlette.responses import Response

from seamark import compare
from seamark.compare.settings import ColumnSource, ColumnType, Goal
from seamark.format.types import RunName
from seamark.plugin import (
    Endpoint,
    NoParameters,
    ParsedRequest,
    RequestError,
    RequestStruct,
    ResponseStruct,
    etag_response,
    has_etag,
    json_bytes,
    json_safe,
)
from seamark.plugin.response import JSON
from seamark.serve.api.types import QUERY_ERROR, Cell, ComputedHere, Count, SelectionBody
from seamark.serve.run_tables import RunTables

if TYPE_CHECKING:
    from seamark.compare import Column, ColumnInfo, RunTable
    from seamark.compare.selections import Span

P = ParamSpec("P")
R = TypeVar("R")
MAX_COLUMNS = 10_000  # of each source
MAX_CELLS = 20_000_000  # of a response


class ColumnsParameters(RequestStruct):
    search: Annotated[str, Meta(description="Only columns whose names contain every word of it.")] = ""
    id: Annotated[
        tuple[str, ...], Meta(description="Columns to list however many there are; repeat it for several.")
    ] = ()


class ValueCount(ResponseStruct):
    value: float | bool | str
    runs: int


class ListedColumn(ResponseStruct, kw_only=True):
    id: str
    name: str
    source: ColumnSource
    type: ColumnType
    runs: int
    mixed: bool
    low: float | None
    high: float | None
    values: list[ValueCount] | None
    goal: Annotated[Goal | Literal[""], Meta(description="Of a metric; empty if unknown.")] | UnsetType = UNSET
    stats: tuple[str, ...] | UnsetType = UNSET


class ColumnsResponse(ResponseStruct):
    version: int
    runs: int
    columns: list[ListedColumn]
    left_out: dict[ColumnSource, int]
    merged_into: dict[RunName, RunName]
    inherits_params_from: dict[RunName, RunName]
    parts: Annotated[list[str], Meta(description="The names of these runs within their trials, the usual one first.")]
    problems: list[str]


class TableBody(SelectionBody, kw_only=True):
    sort: Annotated[tuple[str, ...] | None, Meta(description="Columns, with - before one that descends.")] = None
    columns: Annotated[tuple[str, ...] | None, Meta(description="Columns to send: ids, or names as in queries.")] = None
    start: Annotated[Count | None, Meta(description="The first row.")] = None
    stop: Annotated[Count | None, Meta(description="The row behind the last.")] = None


class TableColumn(ResponseStruct):
    id: str
    type: ColumnType
    values: list[Cell]
    low: float | None
    high: float | None


class TableResponse(ResponseStruct):
    version: int
    total: int
    matched: int
    start: int
    runs: list[RunName]
    columns: list[TableColumn]
    computed_here: ComputedHere | UnsetType = UNSET


class StatusesResponse(ResponseStruct):
    is_known: Annotated[bool, Meta(description="False until the table of runs has been built.")]
    statuses: dict[str, list[RunName]]


class CompleteBody(RequestStruct):
    query: str
    cursor: Annotated[Count | None, Meta(description="Position in the query. Default: its end.")] = None


class CompletionOption(ResponseStruct):
    text: str
    kind: str
    detail: str


class CompletionResponse(ResponseStruct):
    start: int = msgspec.field(name="from")
    stop: int = msgspec.field(name="to")
    options: list[CompletionOption]


def table_endpoints(tables: RunTables) -> list[Endpoint]:
    def columns(request: ParsedRequest[ColumnsParameters, None]) -> Annotated[Response, ColumnsResponse]:
        table = tables.current()
        search, ids = request.parameters.search, request.parameters.id
        with table.hold():
            digest = hashlib.blake2b(json_bytes([search, ids]), digest_size=6).hexdigest()
            etag = f'"{tables.etag_prefix}-columns-{table.version}-{digest}"'
            body = b"" if has_etag(request.http, etag) else json_bytes(column_list(table, search, ids))
        return etag_response(request.http, body, media_type=JSON, etag=etag)

    def statuses(_: ParsedRequest[NoParameters, None]) -> StatusesResponse:
        table = tables.current_if_cheap()
        return StatusesResponse(is_known=table is not None, statuses=table.statuses() if table is not None else {})

    @with_query_errors
    def window(request: ParsedRequest[NoParameters, TableBody]) -> TableResponse:
        return table_window(tables.current(), request.body)

    @with_query_errors
    def complete(request: ParsedRequest[NoParameters, CompleteBody]) -> CompletionResponse:
        return completion(tables.current(), request.body)

    return [
        Endpoint(
            path="/table/statuses",
            summary="The status of every run, as the table has it.",
            handler=statuses,
            has_etag=True,
            pool="table",
        ),
        Endpoint(
            path="/table/columns",
            summary="The columns of the table of runs, with their types and ranges.",
            handler=columns,
            pool="table",
        ),
        Endpoint(
            path="/table",
            method="POST",
            summary="Runs that match a query, in order, with the requested columns.",
            handler=window,
            errors={400: QUERY_ERROR},
            pool="table",
        ),
        Endpoint(
            path="/table/complete",
            method="POST",
            summary="What may come next in a query.",
            handler=complete,
            pool="table",
        ),
    ]


def with_query_errors(handler: Callable[P, R]) -> Callable[P, R]:
    """A handler whose errors have the position in the query."""

    @functools.wraps(handler)
    def handle(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return handler(*args, **kwargs)
        except compare.QueryError as error:
            details = {"at": error.at, "length": error.length}
            raise RequestError(error.message, code="invalid_parameter", details=details) from None
        except compare.UnknownColumnError as error:
            raise RequestError(str(error), code="invalid_parameter") from None

    return handle


def check_cells(rows: int, columns: int) -> None:
    """A short request may name one column very often. Raises RequestError."""
    if rows * columns > MAX_CELLS:
        sentence = f"{columns:,} columns of {rows:,} rows are more than {MAX_CELLS:,} cells: ask for fewer at a time"
        raise RequestError(sentence, code="invalid_parameter")


def column_list(table: RunTable, search: str = "", ids: Sequence[str] = ()) -> ColumnsResponse:
    """A run may log a million tags: the list of each source is bounded, and `search` finds the others."""
    from seamark.compare.trials.parts import part_names

    page = table.column_page(search=search, ids=ids, limit=MAX_COLUMNS)
    return ColumnsResponse(
        version=table.version,
        runs=len(table),
        columns=[listed_column(info) for info in page.columns],
        left_out=page.left_out,
        merged_into=table.merged_into,
        inherits_params_from=table.inherits_params_from,
        parts=part_names(table.inherits_params_from),
        problems=table.problems(),
    )


def listed_column(info: ColumnInfo) -> ListedColumn:
    return ListedColumn(
        id=info.id,
        name=info.name,
        source=info.source,
        type=info.type,
        runs=info.runs,
        mixed=info.mixed,
        low=info.low,
        high=info.high,
        values=None if info.values is None else [ValueCount(value=value, runs=runs) for value, runs in info.values],
        goal=info.goal if info.stats else UNSET,
        stats=info.stats or UNSET,
    )


def table_window(table: RunTable, body: TableBody) -> TableResponse:
    with table.hold():
        wanted = [table.resolve(name) for name in body.columns or ()]
        found = table.select(
            body.query, body.sort or (), runs=body.runs, archived=body.archived, tail=body.tail, shown=wanted
        )
        start = body.start or 0
        window = found.rows[start : body.stop]
        check_cells(len(window), len(wanted))
        columns = table.columns_at(wanted, window, tail=body.tail)
        return TableResponse(
            version=table.version,
            total=len(table),
            matched=len(found.rows),
            start=start,
            runs=table.names_of(window.tolist()),
            columns=list(map(table_column, columns, table.spans(wanted, found, tail=body.tail))),
            computed_here=found.computed_here or UNSET,
        )


def table_column(column: Column, span: Span) -> TableColumn:
    cells = column.cells(np.arange(len(column.values)))
    # Per column and not for the whole response: one NaN would make json_bytes look at every cell of every column.
    values = json_safe(cells) if has_non_finite(column) else cells
    return TableColumn(id=column.id, type=column.type, values=values, low=span[0], high=span[1])


def has_non_finite(column: Column) -> bool:
    return column.mixed or (column.values.dtype.kind == "f" and not np.isfinite(column.values).all())


def completion(table: RunTable, body: CompleteBody) -> CompletionResponse:
    found = compare.complete(table, body.query, len(body.query) if body.cursor is None else body.cursor)
    options = [CompletionOption(text=one.text, kind=one.kind, detail=one.detail) for one in found.options]
    return CompletionResponse(start=found.start, stop=found.stop, options=options)
