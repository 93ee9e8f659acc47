"""The hyperparameters and metrics of an experiment: as a run describes them, or inferred from its sessions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from seamark.compare.record.hparams_events import Logged, logged
from seamark.format import messages
from seamark.kinds.hparams import (
    DatasetType,
    HParamType,
    HParamValue,
    Interval,
    to_python,
)
from seamark.kinds.payload import known
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.hparams.request import Metric


@dataclass(frozen=True)
class HParam:
    name: str
    display_name: str = ""
    description: str = ""
    type: HParamType = HParamType.UNSET
    domain: tuple[HParamValue, ...] | Interval | None = None
    differs: bool = False


@dataclass(frozen=True)
class MetricColumn:
    name: Metric
    display_name: str = ""
    description: str = ""
    dataset_type: DatasetType = DatasetType.UNKNOWN


@dataclass(frozen=True)
class Experiment:
    hparams: tuple[HParam, ...] = ()
    metrics: tuple[MetricColumn, ...] = ()
    name: str = ""
    description: str = ""
    user: str = ""
    time_created_secs: float = 0.0


def logged_in(catalogue: Catalogue) -> Logged:
    """Everything that runs logged about hyperparameters, in order of run names."""
    series = sorted(catalogue.series("hparams").items())
    return logged((info.run, info.tag, info.metadata) for _, by_tag in series for info in by_tag.values())


def experiment_of(catalogue: Catalogue, found: Logged, *, include_metrics: bool, hparams_limit: int = 0) -> Experiment:
    """The first experiment that a run describes, else one inferred from the sessions."""
    if found.experiments:
        experiment = described(found.experiments[0], include_metrics=include_metrics)
    else:
        hparams = hparams_of(start.hparams for start in found.starts.values())
        metrics = metrics_of(catalogue, found.starts) if hparams and include_metrics else ()
        experiment = Experiment(hparams, metrics)
    # Hyperparameters that differ come first, so that a limit leaves out the least interesting.
    ordered = sorted(experiment.hparams, key=lambda hparam: (not hparam.differs, hparam.name))
    limited = tuple(ordered[: hparams_limit or None])
    return Experiment(
        limited,
        experiment.metrics,
        experiment.name,
        experiment.description,
        experiment.user,
        experiment.time_created_secs,
    )


def described(message: messages.Experiment, *, include_metrics: bool) -> Experiment:
    metrics = [
        MetricColumn(
            Metric(info.name.group, info.name.tag),
            info.display_name,
            info.description,
            known(DatasetType, info.dataset_type),
        )
        for info in message.metric_infos
    ]
    return Experiment(
        tuple(described_hparam(info) for info in message.hparam_infos),
        tuple(metrics) if include_metrics else (),
        message.name,
        message.description,
        message.user,
        message.time_created_secs,
    )


def described_hparam(info: messages.HParamInfo) -> HParam:
    domain: tuple[HParamValue, ...] | Interval | None = None
    match info.WhichOneof("domain"):
        case "domain_discrete":
            domain = tuple(to_python(value) for value in info.domain_discrete.values)
        case "domain_interval":
            domain = Interval(info.domain_interval.min_value, info.domain_interval.max_value)
    return HParam(info.name, info.display_name, info.description, known(HParamType, info.type), domain, info.differs)


def hparams_of(sessions: Iterable[Mapping[str, messages.Value]]) -> tuple[HParam, ...]:
    values: dict[str, list[HParamValue]] = {}
    for hparams in sessions:
        for name, value in hparams.items():
            values.setdefault(name, []).append(to_python(value))
    found = (hparam_of(name, given) for name, given in values.items())
    return tuple(hparam for hparam in found if hparam is not None)


def hparam_of(name: str, values: list[HParamValue]) -> HParam | None:
    """The type is that of the values, or text if they have several. None without a value of a known type."""
    typed = [value for value in values if isinstance(value, bool | float | str)]
    if not typed:
        return None
    types = {type_of(value) for value in typed}
    hparam_type = types.pop() if len(types) == 1 else HParamType.STRING
    if hparam_type is HParamType.FLOAT64:
        numbers = [float(value) for value in typed if isinstance(value, float)]
        domain = Interval(min(numbers), max(numbers)) if not any(map(math.isnan, numbers)) else Interval(*span(numbers))
        return HParam(name, type=hparam_type, domain=domain, differs=len(set(numbers)) > 1)
    distinct: set[HParamValue] = {value for value in typed if isinstance(value, bool)}
    if hparam_type is HParamType.STRING:
        distinct = {as_text(value) for value in typed if not isinstance(value, float) or math.isfinite(value)}
    domain_values = tuple(sorted(distinct, key=str))
    return HParam(name, type=hparam_type, domain=domain_values, differs=len(distinct) > 1)


def span(numbers: list[float]) -> tuple[float, float]:
    """The least and the greatest number, without NaN."""
    ordered = [number for number in numbers if not math.isnan(number)] or [math.nan]
    return min(ordered), max(ordered)


def type_of(value: bool | float | str) -> HParamType:
    if isinstance(value, bool):
        return HParamType.BOOL
    return HParamType.FLOAT64 if isinstance(value, float) else HParamType.STRING


def as_text(value: bool | float | str) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def metrics_of(catalogue: Catalogue, sessions: Iterable[str]) -> tuple[MetricColumn, ...]:
    """Every scalar of a session or of a run in a sub-folder, which belongs to the nearest session above it."""
    session_runs = frozenset(sessions)
    names: set[tuple[str, str]] = set()
    for run, table in catalogue.scalar_tables.all().items():
        session = session_above(session_runs, run)
        if session is not None:
            group = run[len(session) + 1 :]
            names.update((tag, group) for tag in table.metadata)
    return tuple(MetricColumn(Metric(group, tag)) for tag, group in sorted(names))


def session_above(sessions: frozenset[str], run: str) -> str | None:
    while run not in sessions:
        run, slash, _ = run.rpartition("/")
        if not slash:
            return None
    return run
