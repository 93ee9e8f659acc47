"""Types that several requests and responses have in common."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from seamark.compare.settings import DEFAULT_TAIL
from seamark.plugin import ErrorCase, RequestStruct
from seamark.plugin.parameters import MAX_INTEGER
from seamark.plugin.response import ErrorResponse

# JSON has no NaN and no infinities.
Value = float | Literal["NaN", "Infinity", "-Infinity"]
# A cell of the table of runs; NaN and infinities are text.
Cell = float | bool | str | list[str] | None
ComputedHere = Annotated[str, Meta(description="Why the server, not the database of the runs, computed this.")]
Count = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]

NO_SUCH_SERIES = ErrorCase("There is no such run, tag or payload.")
NO_SUCH_RUN = ErrorCase("There is no such run or file.")
UNDECODABLE = ErrorCase("What the run logged cannot be read.")


class QueryErrorResponse(ErrorResponse, kw_only=True):
    """An error in a query has its position in the query, in characters; other errors have none."""

    at: int | UnsetType = UNSET
    length: int | UnsetType = UNSET


QUERY_ERROR = ErrorCase("A parameter is wrong, or the query cannot be read.", QueryErrorResponse)


class SelectionBody(RequestStruct, kw_only=True):
    """Which runs. The base of every body that selects runs."""

    query: Annotated[str, Meta(description="Text, a pattern or an expression.")] = ""
    runs: Annotated[tuple[str, ...] | None, Meta(description="Only these runs. Default: all.")] = None
    archived: Annotated[Literal["hide", "show", "only"], Meta(description="What to do with archived runs.")] = "hide"
    tail: Annotated[int, Meta(ge=1, le=1_000_000, description="How many last points `tail` is the mean of.")] = (
        DEFAULT_TAIL
    )


# As in seamark.compare.trials.conditions.
Condition = Annotated[
    tuple[float, float] | str | None,
    Meta(description='A range, a word, or null for a missing value; "NaN" also for infinities.'),
]
MAX_GROUP_COLUMNS = 400


class TrialsBody(SelectionBody, kw_only=True):
    """Which trials. The base of every body that selects trials."""

    part: Annotated[str, Meta(description="The child run that stands for a trial. Default: each run is one.")] = ""
    group_by: Annotated[
        Annotated[tuple[str, ...], Meta(max_length=MAX_GROUP_COLUMNS)] | None,
        Meta(description="Runs that agree in these columns are one trial, with the means of its runs. Default: none."),
    ] = None
    where: Annotated[
        dict[str, tuple[Condition, ...]],
        Meta(description="Conditions by column; a trial matches one of each column."),
    ] = msgspec.field(default_factory=dict)
