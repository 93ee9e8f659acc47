"""Requests about many rows: performance, worst slices, features, training."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from seamark.dashboards.whatif.wire.sets import ModelName, RowFilter, SetName, SetParameters, Threshold
from seamark.format.types import RunName
from seamark.plugin import RequestStruct


class PerformanceBody(SetParameters):
    """`slice_by`: none, one or two columns. Numbers are cut into `bins` of equal size."""

    model: ModelName = ""
    filter: RowFilter = field(default_factory=RowFilter)
    slice_by: Annotated[list[str], Meta(max_length=2)] = field(default_factory=list)
    bins: Annotated[int, Meta(ge=2, le=20)] = 4
    positive: str = ""  # of a multi-class model: this class against all others; "": the whole confusion matrix
    cost_ratio: Annotated[float, Meta(gt=0, le=1e9)] = 1.0  # of a false negative against a false positive
    threshold: Threshold = 0.5


class WorstSlicesBody(SetParameters):
    model: ModelName = ""
    filter: RowFilter = field(default_factory=RowFilter)
    columns: list[str] = field(default_factory=list)  # to cut by; empty: all features
    max_conditions: Annotated[int, Meta(ge=1, le=3)] = 3
    min_rows: Annotated[int, Meta(ge=1)] = 50
    max_p: Annotated[float, Meta(gt=0, le=1)] = 0.01
    count: Annotated[int, Meta(ge=1, le=200)] = 20
    threshold: Threshold = 0.5
    # One threshold for each slice of the performance tab, so that both count the same errors: the columns and bins of
    # those slices, and thresholds by their names. Rows of other slices have `threshold`.
    thresholds_by: str | list[str] = ""
    bins: Annotated[int, Meta(ge=2, le=20)] = 4
    thresholds: dict[str, float] = field(default_factory=dict)


class OtherSet(RequestStruct):
    run: RunName
    name: SetName
    step: int = -1


class FeaturesBody(SetParameters):
    """`other`: the set to compare with; or `other_filter`: other rows of the same set, such as split = "test"."""

    filter: RowFilter = field(default_factory=RowFilter)
    other: OtherSet | None = None
    other_filter: RowFilter | None = None


class TrainingBody(SetParameters):
    """Of a logged set: all its steps, whatever `step` is."""

    model: ModelName = ""
    filter: RowFilter = field(default_factory=RowFilter)
    slice_by: Annotated[list[str], Meta(max_length=2)] = field(default_factory=list)
    bins: Annotated[int, Meta(ge=2, le=20)] = 4
    threshold: Threshold = 0.5
    count: Annotated[int, Meta(ge=1, le=1000)] = 50
