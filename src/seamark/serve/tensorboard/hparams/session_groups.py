"""Sessions with their metrics, in groups with the same hyperparameters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from seamark.compare.record.hparams_events import Logged
from seamark.format.types import RunName, Tag
from seamark.kinds.hparams import HParamValue, Status, to_python
from seamark.kinds.payload import known
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.hparams.request import Aggregation, Metric, SessionGroupsRequest
from seamark.store import LastValue


@dataclass(frozen=True)
class Measurement:
    metric: Metric
    value: float
    step: int
    wall: float


@dataclass(frozen=True)
class Session:
    name: str
    start_secs: float
    model_uri: str
    monitor_url: str
    measured: tuple[Measurement, ...]
    end_secs: float = 0.0
    status: Status = Status.UNKNOWN


@dataclass(frozen=True)
class SessionGroup:
    name: str
    monitor_url: str
    hparams: dict[str, HParamValue]
    sessions: tuple[Session, ...] = ()
    measured: tuple[Measurement, ...] = field(default=())

    def value_of(self, metric: Metric) -> float | None:
        return next((one.value for one in self.measured if one.metric == metric), None)


def session_groups(
    catalogue: Catalogue, found: Logged, metrics: Sequence[Metric], request: SessionGroupsRequest
) -> list[SessionGroup]:
    """In order of names. The sessions of a group have the same group name."""
    values = last_values(catalogue, found.starts, metrics) if request.include_metrics else {}
    groups: dict[str, SessionGroup] = {}
    for run, start in found.starts.items():
        end = found.ends.get(run)
        session = Session(
            name=run,
            start_secs=start.start_time_secs,
            model_uri=start.model_uri,
            monitor_url=start.monitor_url,
            measured=tuple(measurements(run, metrics, values)),
            end_secs=end.end_time_secs if end is not None else 0.0,
            status=known(Status, end.status) if end is not None else Status.UNKNOWN,
        )
        if session.status not in request.allowed_statuses:
            continue
        name = start.group_name or run
        # The hyperparameters of the first session are those of the group.
        group = groups.get(name) or SessionGroup(name, start.monitor_url, finite(start.hparams.items()))
        groups[name] = replace(group, sessions=(*group.sessions, session))
    return [
        replace(group, measured=aggregated(group.sessions, request.aggregation, request.aggregation_metric))
        for _, group in sorted(groups.items())
    ]


def metric_run(session: str, metric: Metric) -> str:
    return f"{session}/{metric.group}" if metric.group else session


def last_values(
    catalogue: Catalogue, sessions: Iterable[str], metrics: Sequence[Metric]
) -> dict[tuple[str, str], LastValue]:
    """The last point of every metric of every session, by run and tag."""
    known = catalogue.scalar_tables.all()
    runs_of: dict[str, list[RunName]] = {}
    for session in sessions:
        for metric in metrics:
            run = metric_run(session, metric)
            if run in known and metric.tag in known[run].metadata:
                runs_of.setdefault(metric.tag, []).append(RunName(run))
    return {
        (run, tag): value
        for tag, runs in runs_of.items()
        for run, value in catalogue.store.tensorboard_last_values(runs, Tag(tag)).items()
    }


def measurements(
    session: str, metrics: Sequence[Metric], values: dict[tuple[str, str], LastValue]
) -> Iterable[Measurement]:
    """Without the metrics that the session does not have."""
    for metric in metrics:
        last = values.get((metric_run(session, metric), metric.tag))
        if last is not None:
            yield Measurement(metric, last.value, last.step, last.wall)


def finite(hparams: Iterable[tuple[str, object]]) -> dict[str, HParamValue]:
    """Without NaN and infinities, which no filter and no order can handle."""
    values = {name: to_python(value) for name, value in hparams}  # type: ignore[arg-type]
    return {name: value for name, value in values.items() if not isinstance(value, float) or math.isfinite(value)}


def aggregated(sessions: Sequence[Session], how: Aggregation, by: Metric) -> tuple[Measurement, ...]:
    """Averages, or the metrics of the session with the least, median or greatest value of one metric."""
    if how in (Aggregation.UNSET, Aggregation.AVG):
        return averages(sessions)
    having = [
        (one.value, session) for session in sessions for one in session.measured if one.metric == by
    ]  # at most one each
    if not having:
        return ()
    match how:
        case Aggregation.MEDIAN:
            chosen = sorted(having, key=lambda pair: pair[0])[(len(having) - 1) // 2]
        case Aggregation.MIN:
            chosen = min(having, key=lambda pair: pair[0])
        case _:
            chosen = max(having, key=lambda pair: pair[0])
    return chosen[1].measured


def averages(sessions: Sequence[Session]) -> tuple[Measurement, ...]:
    by_metric: dict[Metric, list[Measurement]] = {}
    for session in sessions:
        for one in session.measured:
            by_metric.setdefault(one.metric, []).append(one)
    return tuple(
        Measurement(
            metric,
            value=sum(one.value for one in several) / len(several),
            step=sum(one.step for one in several) // len(several),
            wall=sum(one.wall for one in several) / len(several),
        )
        for metric, several in by_metric.items()
    )
