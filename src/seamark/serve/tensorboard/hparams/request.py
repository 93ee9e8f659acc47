"""What a client asks for, as JSON: names in either spelling protobuf allows, enums by name or by number."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple, TypeVar

from seamark.kinds.hparams import HParamValue, Interval, Status
from seamark.serve.tensorboard.question import Question, RefusalError

E = TypeVar("E", bound=IntEnum)


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


def experiment_request(question: Question) -> ExperimentRequest:
    given = Fields(body_of(question))
    given.skip("experimentName")
    request = ExperimentRequest(
        include_metrics=given.flag("includeMetrics", default=True), hparams_limit=given.number("hparamsLimit")
    )
    given.done()
    return request


def session_groups_request(question: Question) -> SessionGroupsRequest:
    given = Fields(body_of(question))
    given.skip("experimentName")
    request = SessionGroupsRequest(
        allowed_statuses=frozenset(given.enums("allowedStatuses", Status, "STATUS_")),
        columns=tuple(column_of(column) for column in given.items("colParams")),
        aggregation=given.enum("aggregationType", Aggregation, "AGGREGATION_"),
        aggregation_metric=given.metric("aggregationMetric") or NO_METRIC,
        start_index=given.number("startIndex", is_signed=True),
        slice_size=given.number("sliceSize", is_signed=True),
        include_metrics=given.flag("includeMetrics", default=True),
    )
    given.done()
    return request


def metric_evals_request(question: Question) -> MetricEvalsRequest:
    given = Fields(body_of(question))
    given.skip("experimentName")
    request = MetricEvalsRequest(given.text("sessionName") or "", given.metric("metricName") or NO_METRIC)
    given.done()
    return request


def column_of(content: Any) -> Column:
    given = Fields(content)
    discrete = given.take("filterDiscrete")
    if discrete is not None and not isinstance(discrete, list):
        raise RefusalError("the field 'filterDiscrete' of a column is not a list")
    include = given.take("includeInResult")
    column = Column(
        metric=given.metric("metric"),
        hparam=given.text("hparam"),
        order=given.enum("order", Order, "ORDER_"),
        missing_values_first=given.flag("missingValuesFirst"),
        regexp=given.text("filterRegexp"),
        interval=given.interval("filterInterval"),
        discrete=None if discrete is None else tuple(discrete),
        exclude_missing_values=given.flag("excludeMissingValues"),
        include_in_result=None if include is None else bool(include),
    )
    given.done()
    if (column.metric is None) == (column.hparam is None):
        raise RefusalError("a column is either a metric or an hparam: set one of the two")
    return column


def body_of(question: Question) -> Any:
    text: str | bytes | None = question.body if question.method == "POST" else question.optional("request")
    if not text:
        raise RefusalError("the request is missing: a JSON object in the body or in the parameter 'request'")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RefusalError("the request is not JSON") from error


class Fields:
    """The fields of a JSON object, each taken once; what is left over was misspelt."""

    def __init__(self, content: Any) -> None:
        if not isinstance(content, dict):
            raise RefusalError(f"the request is not a JSON object where one is wanted: got {type(content).__name__}")
        self._left = {camel(name): value for name, value in content.items()}

    def take(self, name: str) -> Any:
        return self._left.pop(name, None)

    def skip(self, name: str) -> None:
        self._left.pop(name, None)

    def done(self) -> None:
        if self._left:
            raise RefusalError(f"the request has an unknown field: '{min(self._left)}'")

    def text(self, name: str) -> str | None:
        value = self.take(name)
        if value is None or isinstance(value, str):
            return value
        raise RefusalError(f"the field '{name}' is not a text")

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self.take(name)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        raise RefusalError(f"the field '{name}' is not true or false")

    def number(self, name: str, *, is_signed: bool = False) -> int:
        value = self.take(name)
        text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
        if value is None:
            return 0
        digits = text.removeprefix("-") if is_signed else text
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 10):
            raise RefusalError(f"the field '{name}' is not a whole number{'' if is_signed else ' of 0 or more'}")
        return int(text)

    def items(self, name: str) -> Iterable[Any]:
        value = self.take(name)
        if value is None or isinstance(value, list):
            return value or []
        raise RefusalError(f"the field '{name}' is not a list")

    def enum(self, name: str, enum: type[E], prefix: str) -> E:
        value = self.take(name)
        return enum(0) if value is None else member(name, value, enum, prefix)

    def enums(self, name: str, enum: type[E], prefix: str) -> list[E]:
        return [member(name, value, enum, prefix) for value in self.items(name)]

    def metric(self, name: str) -> Metric | None:
        value = self.take(name)
        if value is None:
            return None
        given = Fields(value)
        metric = Metric(given.text("group") or "", given.text("tag") or "")
        given.done()
        return metric

    def interval(self, name: str) -> Interval | None:
        value = self.take(name)
        if value is None:
            return None
        given = Fields(value)
        interval = Interval(double(given.take("minValue")), double(given.take("maxValue")))
        given.done()
        return interval


def member(field: str, value: Any, enum: type[E], prefix: str) -> E:
    by_name: Mapping[str, E] = enum.__members__
    if isinstance(value, str) and value.removeprefix(prefix) in by_name:
        return by_name[value.removeprefix(prefix)]
    if isinstance(value, int) and value in by_name.values():
        return enum(value)
    names = ", ".join(prefix + name for name in by_name)
    raise RefusalError(f"the field '{field}' is one of {names}")


def double(value: Any) -> float:
    """A number, or one of the three that JSON has no digits for."""
    if value is None:
        return 0.0
    named = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str) and value in named:
        return named[value]
    raise RefusalError("an end of an interval is not a number")


def camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)
