"""Bodies and responses of /api/diff, /api/groups, /api/objective and /api/importance."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from seamark.compare.settings import Goal, State
from seamark.plugin import RequestStruct, ResponseStruct
from seamark.serve.api.types import Cell, ComputedHere, SelectionBody, TrialsBody, Value

MAX_DIFF_RUNS = 20
MAX_COLUMNS = 50
ColumnIds = Annotated[tuple[str, ...], Meta(max_length=MAX_COLUMNS)]


class DiffBody(RequestStruct):
    runs: Annotated[
        tuple[str, ...], Meta(min_length=2, max_length=MAX_DIFF_RUNS, description="The first is the baseline.")
    ]
    tags: Annotated[tuple[str, ...] | None, Meta(description="Default: the scalars that most of the runs have.")] = None


class DiffRow(ResponseStruct):
    key: str
    values: list[Cell]
    state: State


class DiffSection(ResponseStruct):
    name: str
    rows: list[DiffRow]


class Divergence(ResponseStruct):
    run: str
    step: int
    level: float | None
    rule: str


class DiffMetric(ResponseStruct):
    tag: str
    goal: Goal
    is_result: bool
    final: list[Value | None]
    final_step: list[int | None]
    best: list[Value | None]
    best_step: list[int | None]
    divergence: Divergence | None
    divergences: list[Divergence | None]
    note: str


class DiffResponse(ResponseStruct):
    runs: list[str]
    sections: list[DiffSection]
    metrics: list[DiffMetric]
    tags_left_out: int
    git_diffs: list[str | None]
    problems: list[str]


class GroupsBody(SelectionBody, kw_only=True):
    by: Annotated[ColumnIds, Meta(description="The columns whose values make a group.")] = ()
    metrics: Annotated[ColumnIds, Meta(description="The columns to summarise.")] = ()
    baseline: Annotated[
        tuple[Cell, ...] | None,
        Meta(description="The group that the others are compared with: a value for each column of `by`."),
    ] = None
    goal: Annotated[dict[str, Goal] | None, Meta(description="Whether less or more of a column is better.")] = None


class Extreme(ResponseStruct):
    run: str
    value: Value


class Comparison(ResponseStruct):
    difference: Value | None
    welch_p: Value | None
    bootstrap_low: Value | None
    bootstrap_high: Value | None
    caveat: str


class GroupMetric(ResponseStruct):
    n: int
    mean: Value | None
    std: Value | None
    median: Value | None
    iqm: Value | None
    low: Value | None
    high: Value | None
    best: Extreme | None
    worst: Extreme | None
    against: Comparison | UnsetType = UNSET


class Group(ResponseStruct):
    key: list[Cell]
    runs: list[str]
    metrics: dict[str, GroupMetric]


class GroupsResponse(ResponseStruct):
    by: list[str]
    groups: list[Group]
    problems: list[str]
    computed_here: ComputedHere | UnsetType = UNSET


class ObjectiveCandidate(ResponseStruct):
    id: str
    goal: Literal["min", "max", ""]
    part: str


class ObjectiveResponse(ResponseStruct):
    objective: ObjectiveCandidate | None
    candidates: list[ObjectiveCandidate]
    reason: str
    ranked: list[str]


class ImportanceBody(TrialsBody, kw_only=True):
    target: Annotated[str, Meta(description="A column of numbers.")]
    goal: Annotated[Goal | None, Meta(description="Whether less or more of it is better.")] = None
    params: Annotated[tuple[str, ...] | None, Meta(description="Default: all hyperparameters that vary.")] = None


class Importance(ResponseStruct):
    id: str
    importance: Value
    deviation: Value
    where: str


class Effect(ResponseStruct):
    id: str
    type: Literal["number", "text", "bool"]
    x: list[Cell]
    mean: list[Value]
    low: list[Value | None]
    high: list[Value | None]
    n: list[int]


class ImportanceResponse(ResponseStruct):
    method: str
    n: int
    needed: int
    explained: Value | None
    importances: list[Importance]
    effects: list[Effect]
    problem: str | UnsetType = UNSET
