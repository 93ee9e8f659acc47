"""/api/table: the runs as rows, with columns for everything that any of them has."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from starlette.responses import Response

from seamark import compare
from seamark.serve import table_schemas as schemas
from seamark.serve.answers import BadRequestError, as_json, has_already, json_bytes, json_safe, tagged
from seamark.serve.endpoint import TEXT, Asked, Endpoint, Parameter, array_of, in_thread
from seamark.serve.series_query import json_object, read_body
from seamark.serve.table_body import TableAsked, check_known, table_asked, text, whole
from seamark.serve.tables import Tables

if TYPE_CHECKING:
    from seamark.compare import Column, ColumnInfo, RunTable

JSON = "application/json"
MAX_COLUMNS = 10_000  # of each source


def table_endpoints(tables: Tables) -> list[Endpoint]:
    def columns(asked: Asked) -> Response:
        table = tables.current()
        search, ids = str(asked.values.get("search", "")), list(asked.values.get("id", ()))
        with table.hold():
            chosen = hashlib.blake2b(json_bytes([search, ids]), digest_size=6).hexdigest()
            etag = f'"{tables.mark}-columns-{table.version}-{chosen}"'
            body = b"" if has_already(asked.request, etag) else json_bytes(column_list(table, search, ids))
        return tagged(asked.request, body, media_type=JSON, etag=etag)

    return [
        Endpoint(
            path="/table/columns",
            answer=columns,
            needs_table=True,
            parameters=(
                Parameter("search", "Only columns whose names hold every word of it.", TEXT),
                Parameter("id", "Columns to list however many there are; repeat it for several.", array_of(TEXT)),
            ),
            schema=schemas.TABLE_COLUMNS,
            summary="The columns of the table of runs, with their types and ranges.",
        ),
        Endpoint(
            path="/table",
            method="POST",
            stream=asked_in_thread(lambda given: table_window(tables.current(), table_asked(given))),
            body=schemas.TABLE_BODY,
            schema=schemas.TABLE,
            error=schemas.QUERY_ERROR,
            summary="Runs that match a query, in order, with the columns asked for.",
        ),
        Endpoint(
            path="/table/complete",
            method="POST",
            stream=asked_in_thread(lambda given: completion(tables.current(), given)),
            body=schemas.COMPLETE_BODY,
            schema=schemas.COMPLETION,
            summary="What may come next in a query.",
        ),
    ]


def asked_in_thread(answer: Callable[[dict[str, Any]], object]) -> Callable[[Asked], Awaitable[Response]]:
    """Reads the body as JSON and answers off the event loop; an error in a query says where it is."""

    def respond(body: bytes) -> Response:
        try:
            return as_json(answer(json_object(body)))
        except compare.QueryError as error:
            return as_json({"error": error.message, "at": error.at, "length": error.length}, status_code=400)
        except compare.UnknownColumnError as error:
            raise BadRequestError(str(error)) from None

    async def stream(asked: Asked) -> Response:
        return await in_thread(respond, await read_body(asked.request), needs_table=True)

    return stream


def column_list(table: RunTable, search: str = "", ids: Sequence[str] = ()) -> dict[str, object]:
    """A run may log a million tags: of each source so many are listed, and the others are found by `search`."""
    page = table.column_page(search=search, ids=ids, limit=MAX_COLUMNS)
    return {
        "version": table.version,
        "runs": len(table),
        "columns": [column_json(info) for info in page.columns],
        "left_out": page.left_out,
        "folded": table.folded,
        "heirs": table.heirs,
        "problems": table.problems(),
    }


def column_json(info: ColumnInfo) -> dict[str, object]:
    shown: dict[str, object] = {
        "id": info.id,
        "name": info.name,
        "source": info.source,
        "type": info.type,
        "runs": info.runs,
        "mixed": info.mixed,
        "low": info.low,
        "high": info.high,
        "values": None if info.values is None else [{"value": value, "runs": runs} for value, runs in info.values],
    }
    if info.stats:
        shown["stats"] = info.stats
        shown["goal"] = info.goal
    return shown


def table_window(table: RunTable, asked: TableAsked) -> dict[str, object]:
    with table.hold():
        return table_part(table, asked)


def table_part(table: RunTable, asked: TableAsked) -> dict[str, object]:
    chosen = asked.selection
    table.prepare(asked.columns, tail=chosen.tail)
    rows = table.select(chosen.query, asked.sort, runs=chosen.runs, archived=chosen.archived, tail=chosen.tail)
    window = rows[asked.start : asked.stop]
    columns = []
    for column_id in asked.columns:
        column = table.column(column_id, tail=chosen.tail)
        low, high = column.span(rows)
        # Here and not in the whole answer: one NaN would have every cell of every column looked at.
        values = json_safe(column.cells(window)) if has_unjson_safe(column, window) else column.cells(window)
        columns.append({"id": column_id, "type": column.type, "values": values, "low": low, "high": high})
    return {
        "version": table.version,
        "total": len(table),
        "matched": len(rows),
        "start": asked.start,
        "runs": table.names_of(window.tolist()),
        "columns": columns,
    }


def completion(table: RunTable, given: dict[str, Any]) -> dict[str, object]:
    check_known(given, ("query", "cursor"))
    query = text(given, "query")
    found = compare.complete(table, query, whole(given, "cursor", len(query)) or 0)
    options = [{"text": option.text, "kind": option.kind, "detail": option.detail} for option in found.options]
    return {"from": found.start, "to": found.stop, "options": options}


def has_unjson_safe(column: Column, rows: NDArray[np.intp]) -> bool:
    """NaN or infinities, which JSON has no numbers for."""
    return column.mixed or (column.values.dtype.kind == "f" and not np.isfinite(column.values[rows]).all())
