"""Requests of the hparams routes: protobuf messages as JSON, where names and enums have several spellings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from seamark.kinds.hparams import HParamValue, Interval, Status
from seamark.plugin import RequestError, RequestStruct
from seamark.plugin.request import convert

E = TypeVar("E", bound=IntEnum)
S = TypeVar("S", bound=msgspec.Struct)
EnumValue = str | int


class Order(IntEnum):
    UNSPECIFIED = 0
    ASC = 1
    DESC = 2


class Aggregation(IntEnum):
    UNSET = 0
    AVG = 1
    MEDIAN = 2
    MIN = 3
    MAX = 4


class Metric(NamedTuple):
    """A scalar of a session; `group` is the sub-folder of the session's run, "" for the run itself."""

    group: str
    tag: str


NO_METRIC = Metric("", "")


@dataclass(frozen=True)
class Column:
    """What to do with one column: exactly one of `metric` and `hparam` is set, and at most one filter."""

    metric: Metric | None = None
    hparam: str | None = None
    order: Order = Order.UNSPECIFIED
    missing_values_first: bool = False
    regexp: str | None = None
    interval: Interval | None = None
    discrete: tuple[HParamValue, ...] | None = None
    exclude_missing_values: bool = False
    include_in_result: bool | None = None


@dataclass(frozen=True)
class ExperimentRequest:
    include_metrics: bool = True
    hparams_limit: int = 0


@dataclass(frozen=True)
class SessionGroupsRequest:
    allowed_statuses: frozenset[Status] = frozenset()
    columns: tuple[Column, ...] = ()
    aggregation: Aggregation = Aggregation.UNSET
    aggregation_metric: Metric = NO_METRIC
    start_index: int = 0
    slice_size: int = 0
    include_metrics: bool = True


@dataclass(frozen=True)
class MetricEvalsRequest:
    session_name: str
    metric: Metric


class MetricName(RequestStruct):
    group: str = ""
    tag: str = ""

    def to_metric(self) -> Metric:
        return Metric(self.group, self.tag)


class IntervalBody(RequestStruct, rename="camel"):
    """ "Infinity", "-Infinity" and "NaN" are allowed, too."""

    min_value: float = 0.0
    max_value: float = 0.0


class ColumnBody(RequestStruct, rename="camel"):
    metric: MetricName | None = None
    hparam: str | None = None
    order: EnumValue = 0
    missing_values_first: bool = False
    filter_regexp: str | None = None
    filter_interval: IntervalBody | None = None
    filter_discrete: list[Any] | None = None
    exclude_missing_values: bool = False
    include_in_result: bool | None = None

    def to_column(self) -> Column:
        if (self.metric is None) == (self.hparam is None):
            raise RequestError("a column is either a metric or an hparam: set one of the two", code="invalid_parameter")
        interval = self.filter_interval
        return Column(
            metric=None if self.metric is None else self.metric.to_metric(),
            hparam=self.hparam,
            order=enum_member("order", self.order, Order, "ORDER_"),
            missing_values_first=self.missing_values_first,
            regexp=self.filter_regexp,
            interval=None if interval is None else Interval(interval.min_value, interval.max_value),
            discrete=None if self.filter_discrete is None else tuple(self.filter_discrete),
            exclude_missing_values=self.exclude_missing_values,
            include_in_result=self.include_in_result,
        )


class ExperimentBody(RequestStruct, rename="camel"):
    experiment_name: Any = None
    include_metrics: bool = True
    hparams_limit: Annotated[int, Meta(ge=0)] = 0


class SessionGroupsBody(RequestStruct, rename="camel"):
    experiment_name: Any = None
    allowed_statuses: tuple[EnumValue, ...] = ()
    col_params: tuple[ColumnBody, ...] = ()
    aggregation_type: EnumValue = 0
    aggregation_metric: MetricName | None = None
    start_index: int = 0
    slice_size: int = 0
    include_metrics: bool = True


class MetricEvalsBody(RequestStruct, rename="camel"):
    experiment_name: Any = None
    session_name: str = ""
    metric_name: MetricName | None = None


def parse_experiment_request(text: str | bytes) -> ExperimentRequest:
    body = parse_message(ExperimentBody, text)
    return ExperimentRequest(include_metrics=body.include_metrics, hparams_limit=body.hparams_limit)


def parse_session_groups_request(text: str | bytes) -> SessionGroupsRequest:
    body = parse_message(SessionGroupsBody, text)
    statuses = (enum_member("allowedStatuses", value, Status, "STATUS_") for value in body.allowed_statuses)
    return SessionGroupsRequest(
        allowed_statuses=frozenset(statuses),
        columns=tuple(column.to_column() for column in body.col_params),
        aggregation=enum_member("aggregationType", body.aggregation_type, Aggregation, "AGGREGATION_"),
        aggregation_metric=NO_METRIC if body.aggregation_metric is None else body.aggregation_metric.to_metric(),
        start_index=body.start_index,
        slice_size=body.slice_size,
        include_metrics=body.include_metrics,
    )


def parse_metric_evals_request(text: str | bytes) -> MetricEvalsRequest:
    body = parse_message(MetricEvalsBody, text)
    return MetricEvalsRequest(
        body.session_name, NO_METRIC if body.metric_name is None else body.metric_name.to_metric()
    )


def parse_message(struct: type[S], text: str | bytes) -> S:
    """The JSON of a protobuf message as a struct. Numbers may be strings; null means the default."""
    if not text:
        message = "missing parameter 'request': want a JSON object there, or in the body"
        raise RequestError(message, code="missing_parameter")
    try:
        content = json.loads(text)
        if not isinstance(content, dict):
            raise RequestError("the request must be a JSON object", code="invalid_body")
        return convert(struct, normalise(content), strict=False)
    except RecursionError:
        raise RequestError("the request is nested too deeply", code="invalid_body") from None
    except ValueError as error:
        raise RequestError(f"the request is not JSON: {error}", code="invalid_body") from None


def normalise(value: Any) -> Any:
    """Names in camel case, without fields that are null."""
    if isinstance(value, dict):
        return {to_camel_case(name): normalise(entry) for name, entry in value.items() if entry is not None}
    return [normalise(entry) for entry in value] if isinstance(value, list) else value


def to_camel_case(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


def enum_member(field: str, value: EnumValue, enum: type[E], prefix: str) -> E:
    by_name: Mapping[str, E] = enum.__members__
    if isinstance(value, str) and value.removeprefix(prefix) in by_name:
        return by_name[value.removeprefix(prefix)]
    if isinstance(value, int) and value in by_name.values():
        return enum(value)
    names = ", ".join(prefix + name for name in by_name)
    raise RequestError(f"{field} must be one of {names}, got {value!r}", code="invalid_parameter")
