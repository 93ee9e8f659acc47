"""Sets and their rows: lists, columns, values, filters, pictures, corrections and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark.dashboards.whatif.answers.computed import ColumnContext, find_column
from seamark.dashboards.whatif.answers.export import MEDIA_TYPES, export_csv, export_jsonl, export_parquet
from seamark.dashboards.whatif.answers.filters import filtered_rows
from seamark.dashboards.whatif.library import ExampleLibrary
from seamark.dashboards.whatif.models import ModelLibrary
from seamark.dashboards.whatif.wire import sets as wire
from seamark.examples.form import ExampleSet
from seamark.examples.schema import ColumnSchema
from seamark.kinds.image import sniff
from seamark.plugin import RequestError, not_found
from seamark.plugin.columns import encode_columns
from seamark.tables.column import Column, Rows, TableError

# The names of a longer text column are not sent with it: the page requests those of the rows that it shows.
MAX_SENT_NAMES = 10_000
MAX_PICTURE_BYTES = 64 << 20


def sets(library: ExampleLibrary, models: ModelLibrary) -> wire.SetsResponse:
    listings, more = library.listings()
    return wire.SetsResponse([wire.SetEntry(*listing) for listing in listings], more, models.can_predict, [])


def info(library: ExampleLibrary, models: ModelLibrary, parameters: wire.SetParameters) -> wire.InfoResponse:
    examples = library.open(parameters)
    schema = examples.schema
    entries = models.entries(examples)
    return wire.InfoResponse(
        rows=examples.rows,
        content_id=examples.content_id,
        task=schema.task,
        target=schema.target,
        positive=schema.positive,
        classes=entries[0].classes if entries else [],
        columns=[column_entry(examples.table.by_name[c.name], c) for c in schema.columns],
        models=entries,
        steps=library.steps(parameters),
        can_predict=models.can_predict,
        schema_path=library.schema_path(parameters),
        problems=[*examples.table.problems, *examples.problems],
    )


def column_entry(column: Column, schema: ColumnSchema) -> wire.ColumnEntry:
    numbers = column.numbers[column.present] if column.numbers is not None else np.empty(0)
    finite = numbers[np.isfinite(numbers)]
    return wire.ColumnEntry(
        name=column.name,
        type=column.type,
        role=schema.role,
        model=schema.model,
        predicted_class=schema.predicted_class,
        distinct=len(column.names),
        minimum=float(finite.min()) if finite.size else None,
        maximum=float(finite.max()) if finite.size else None,
        names=list(column.names) if column.type == "category" else [],
        is_whole=bool(finite.size) and bool((finite == np.floor(finite)).all()),
    )


def correct_schema(library: ExampleLibrary, models: ModelLibrary, body: wire.SchemaBody) -> wire.InfoResponse:
    library.save_schema(body, body.schema)
    return info(library, models, body)


def column(examples: ExampleSet, models: ModelLibrary, parameters: wire.ColumnParameters) -> bytes:
    """Numbers as float32 in `values`; names as codes in `values` with `names` in the header."""
    context = ColumnContext(examples, models, parameters.model, parameters.model2, parameters.row, parameters.threshold)
    found = find_column(context, parameters.column)
    if found.numbers is not None:
        with np.errstate(over="ignore"):
            return encode_columns({"type": found.type}, {"values": found.numbers.astype(np.float32)})
    assert found.codes is not None
    names = list(found.names) if found.type == "category" or len(found.names) <= MAX_SENT_NAMES else []
    return encode_columns({"type": found.type, "names": names}, {"values": found.codes})


def values(examples: ExampleSet, models: ModelLibrary, body: wire.RowsBody) -> wire.RowsResponse:
    names = body.columns or [column.name for column in examples.table.columns]
    context = ColumnContext(examples, models, body.model, threshold=body.threshold)
    columns = [find_column(context, name) for name in names]
    check_rows(examples, body.rows)
    return wire.RowsResponse(body.rows, names, [[column.value(row) for column in columns] for row in body.rows])


def check_rows(examples: ExampleSet, rows: list[int]) -> Rows:
    found = np.array(rows, np.int64)
    if len(found) and int(found.max()) >= examples.rows:
        raise not_found(f"there is no row {int(found.max()):,}: the set has {examples.rows:,} rows")
    return found


def matching(examples: ExampleSet, models: ModelLibrary, body: wire.FilterBody) -> bytes:
    """The rows that match, as the column `rows`."""
    rows = filtered_rows(examples, models, body.filter, model=body.model, threshold=body.threshold)
    return encode_columns({"total": examples.rows}, {"rows": rows.astype(np.uint32)})


def picture(examples: ExampleSet, parameters: wire.PictureParameters) -> tuple[bytes, str]:
    """The bytes and the media type, which they are judged by: never the name."""
    found = examples.table.by_name.get(parameters.column)
    if found is None or found.type != "image" or examples.read_picture is None:
        raise not_found(f"the set has no pictures in a column '{parameters.column}'")
    check_rows(examples, [parameters.row])
    name = found.value(parameters.row)
    if name is None:
        raise not_found(f"row {parameters.row:,} has no picture")
    try:
        data = examples.read_picture(str(name))
    except (TableError, KeyError) as error:
        raise not_found(f"the picture cannot be read: {error}") from error
    media_type = sniff(data)
    if not media_type.startswith("image/") or len(data) > MAX_PICTURE_BYTES:
        raise RequestError("this is no picture: want PNG, JPEG, GIF, WebP or BMP", code="undecodable")
    return data, media_type


def export(examples: ExampleSet, models: ModelLibrary, body: wire.ExportBody) -> tuple[bytes, str]:
    """A file and its media type."""
    context = ColumnContext(examples, models, body.model, threshold=body.threshold)
    rows = check_rows(examples, body.rows)
    if not body.rows:
        rows = filtered_rows(examples, models, body.filter, model=body.model, threshold=body.threshold)
    columns = [*examples.table.columns, *_prediction_columns(context)]
    write = {"csv": export_csv, "parquet": export_parquet, "jsonl": export_jsonl}[body.format]
    return write(columns, rows), MEDIA_TYPES[body.format]


def _prediction_columns(context: ColumnContext) -> list[Column]:
    """None if the set has neither predictions nor a model."""
    if not context.models.entries(context.examples):
        return []
    return [find_column(context, name) for name in ("=score", "=predicted", "=error")]


def upload(library: ExampleLibrary, parameters: wire.UploadParameters, file: Path) -> wire.UploadResponse:
    return wire.UploadResponse(*library.add_upload(parameters.name, file))
