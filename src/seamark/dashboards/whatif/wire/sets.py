"""Which sets there are, what a set has, its rows and columns."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from seamark.examples.results.result import Condition
from seamark.examples.schema import Role, Schema
from seamark.format.types import RunName
from seamark.plugin import RequestStruct, ResponseStruct
from seamark.plugin.parameters import RunParameter
from seamark.tables.column import ColumnType

SetName = Annotated[str, Meta(description="`file:PATH`, `logged:NAME` or `upload:ID`, from /sets.")]
ModelName = Annotated[str, Meta(description="The name of a model, from /info; empty: the first one.")]
Row = Annotated[int, Meta(ge=0)]
Rows = Annotated[list[Row], Meta(max_length=10_000_000)]
Threshold = float


class SetEntry(ResponseStruct):
    run: RunName
    name: str
    title: str
    steps: list[int]  # at which predictions were logged; empty for a file


class SetsResponse(ResponseStruct):
    sets: list[SetEntry]
    more: bool
    can_predict: bool  # whether the server may run models
    problems: list[str]


class SetParameters(RequestStruct):
    """`step`: of a logged set, the step whose predictions are meant; -1: the last."""

    run: RunParameter
    name: SetName
    step: int = -1


class ColumnEntry(ResponseStruct):
    name: str
    type: ColumnType
    role: Role
    model: str
    predicted_class: str
    distinct: int  # names that it has; 0 for numbers
    minimum: float | None
    maximum: float | None
    names: list[str]  # of a category: all; of others: none
    is_whole: bool  # a number column of whole numbers only


class ModelEntry(ResponseStruct):
    """`source`: where the predictions come from: "columns", "process", "http" or "logged"."""

    name: str
    source: Literal["columns", "process", "http", "logged"]
    can_predict: bool  # whether it can predict changed rows
    classes: list[str]
    row_ms: float | None  # the time of one row, as measured
    error: str
    traceback: str
    progress: float = 1.0  # the share of the rows that it has predicted so far
    note: str = ""  # how scores were made, and rows without one


class InfoResponse(ResponseStruct):
    rows: int
    content_id: str
    task: Literal["binary", "multiclass", "regression", "ranking"]
    target: str
    positive: str
    classes: list[str]
    columns: list[ColumnEntry]
    models: list[ModelEntry]
    steps: list[int]
    can_predict: bool
    schema_path: str  # where corrections are saved, relative to the run; "" if nowhere
    problems: list[str]


class SchemaBody(SetParameters, kw_only=True):
    """`schema` None removes the corrections. Columns that it does not name are inferred; an empty target is none."""

    schema: Schema | None


class RowFilter(RequestStruct):
    """The rows that match a query and all conditions; empty: all rows."""

    query: str = ""
    conditions: Annotated[list[Condition], Meta(max_length=32)] = field(default_factory=list)


class ColumnParameters(SetParameters):
    """`column` is the name of a column, or one that is computed:

    `=score`, `=predicted`, `=error`, `=correct` of `model`; `=difference` of the scores of `model` and `model2`;
    `=distance` from `row`; `=score:CLASS` of a multi-class model.
    """

    column: str = ""
    model: ModelName = ""
    model2: ModelName = ""
    row: Row = 0
    threshold: Threshold = 0.5


class FilterBody(SetParameters):
    filter: RowFilter = field(default_factory=RowFilter)
    model: ModelName = ""
    threshold: Threshold = 0.5


class RowsBody(SetParameters):
    """`columns` empty: all."""

    rows: Annotated[list[Row], Meta(max_length=10_000)] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    model: ModelName = ""
    threshold: Threshold = 0.5


class RowsResponse(ResponseStruct):
    """`values[i]` is the row `rows[i]`, in the order of `columns`."""

    rows: list[int]
    columns: list[str]
    values: list[list[float | bool | str | None]]


class PictureParameters(SetParameters):
    column: str = ""
    row: Row = 0


class ExportBody(FilterBody):
    """The rows of the filter with the predictions of `model`; `rows` empty: all that match."""

    rows: Rows = field(default_factory=list)
    format: Literal["csv", "parquet", "jsonl"] = "csv"


class UploadParameters(RequestStruct):
    name: Annotated[str, Meta(description="The name of the file.")]


class UploadResponse(ResponseStruct):
    run: RunName
    name: str
