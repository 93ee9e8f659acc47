"""Requests about one point. An edited point is a row of the set with `edits`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from seamark.dashboards.whatif.wire.sets import ModelName, Row, RowFilter, SetParameters, Threshold
from seamark.plugin import RequestStruct, ResponseStruct

Edits = dict[str, float | bool | str | None]  # by feature


class PointBody(SetParameters):
    model: ModelName = ""
    row: Row = 0
    edits: Edits = field(default_factory=dict)
    threshold: Threshold = 0.5


class EditedRow(RequestStruct):
    row: Row
    edits: Edits = field(default_factory=dict)


class PredictBody(SetParameters):
    model: ModelName = ""
    points: Annotated[list[EditedRow], Meta(min_length=1, max_length=1000)] = field(default_factory=list)
    threshold: Threshold = 0.5


class DistanceBody(RequestStruct):
    """How the distance of two rows is measured."""

    norm: Literal["l1", "l2"] = "l1"
    standardize: bool = True
    features: list[str] = field(default_factory=list)  # only these; empty: all


class CounterfactualBody(PointBody):
    """Classes: a row with another predicted class. With `min_difference`: one whose score differs by at least that.

    `fixed`: features that must be equal, because a person cannot change them.
    """

    distance: DistanceBody = field(default_factory=DistanceBody)
    fixed: list[str] = field(default_factory=list)
    min_difference: Annotated[float, Meta(ge=0)] = 0.0
    filter: RowFilter = field(default_factory=RowFilter)


class NeighboursBody(PointBody):
    distance: DistanceBody = field(default_factory=DistanceBody)
    count: Annotated[int, Meta(ge=1, le=1000)] = 5
    filter: RowFilter = field(default_factory=RowFilter)


class DependenceBody(PointBody):
    """The same body again returns how far it has come. `rows` 0: only the point."""

    feature: str = ""
    feature2: str = ""
    class_name: str = ""  # of a multi-class model: whose score; "": the class predicted for the point
    rows: Annotated[int, Meta(ge=0, le=10_000)] = 200  # a random sample with a fixed seed
    grid: Annotated[int, Meta(ge=2, le=200)] = 20
    filter: RowFilter = field(default_factory=RowFilter)


class AttributionsBody(PointBody):
    """The same body again returns how far it has come."""

    method: Literal["shapley", "permutation"] = "shapley"
    class_name: str = ""
    samples: Annotated[int, Meta(ge=1, le=100_000)] = 200
    background: Annotated[int, Meta(ge=1, le=100_000)] = 1000  # rows that values are drawn from
    filter: RowFilter = field(default_factory=RowFilter)


class StopBody(RequestStruct):
    key: str


class StopResponse(ResponseStruct):
    was_running: bool
