"""Hyperparameters: the plan of an experiment, and the start and end of each session, stored in the metadata."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np

from seamark.format import messages
from seamark.kinds.metadata import of_value
from seamark.kinds.payload import DecodeError, known, parse, parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_array

PLUGIN_NAME = "hparams"
EXPERIMENT_TAG = "_hparams_/experiment"
SESSION_START_TAG = "_hparams_/session_start_info"
SESSION_END_TAG = "_hparams_/session_end_info"

HParamValue = None | bool | float | str | list["HParamValue"] | dict[str, "HParamValue"]


class HParamType(IntEnum):
    UNSET = 0
    STRING = 1
    BOOL = 2
    FLOAT64 = 3


class DatasetType(IntEnum):
    UNKNOWN = 0
    TRAINING = 1
    VALIDATION = 2


class Status(IntEnum):
    UNKNOWN = 0
    SUCCESS = 1
    FAILURE = 2
    RUNNING = 3


@dataclass(frozen=True, slots=True)
class Interval:
    min_value: float
    max_value: float


@dataclass(frozen=True, slots=True)
class HParamInfo:
    name: str
    display_name: str = ""
    description: str = ""
    type: HParamType = HParamType.UNSET
    domain: tuple[HParamValue, ...] | Interval | None = None


@dataclass(frozen=True, slots=True)
class MetricInfo:
    tag: str
    group: str = ""
    display_name: str = ""
    description: str = ""
    dataset_type: DatasetType = DatasetType.UNKNOWN


@dataclass(frozen=True, slots=True)
class Experiment:
    hparams: tuple[HParamInfo, ...] = ()
    metrics: tuple[MetricInfo, ...] = ()
    name: str = ""
    description: str = ""
    user: str = ""
    time_created_secs: float = 0.0


@dataclass(frozen=True, slots=True)
class SessionStart:
    hparams: Mapping[str, HParamValue] = field(default_factory=dict)
    model_uri: str = ""
    monitor_url: str = ""
    group_name: str = ""
    start_time_secs: float = 0.0


@dataclass(frozen=True, slots=True)
class SessionEnd:
    status: Status
    end_time_secs: float = 0.0


def encode(info: Experiment | SessionStart | SessionEnd) -> messages.Summary.Value:
    data = messages.HParamsPluginData()
    match info:
        case Experiment():
            tag = EXPERIMENT_TAG
            data.experiment.CopyFrom(_experiment_message(info))
        case SessionStart():
            tag = SESSION_START_TAG
            data.session_start_info.CopyFrom(_start_message(info))
        case SessionEnd():
            tag = SESSION_END_TAG
            data.session_end_info.status = info.status
            data.session_end_info.end_time_secs = info.end_time_secs
    # The content is in the metadata; an empty tensor is the shortest valid one.
    empty = from_array(np.zeros(0, dtype=np.float32))
    return tensor_value(tag, empty, plugin_name=PLUGIN_NAME, content=data.SerializeToString())


def decode(data: bytes, metadata: bytes = b"") -> Experiment | SessionStart | SessionEnd:
    """`metadata` is the metadata of the tag's first value, for a value without its own."""
    series = of_value(parse_value(data, "hparams").metadata, metadata)
    if series.plugin_name != PLUGIN_NAME:
        raise DecodeError(f"hparams have no hparams metadata: got plugin {series.plugin_name!r}, want {PLUGIN_NAME!r}")
    content = parse(messages.HParamsPluginData, series.plugin_content, "hparams")
    if content.version != 0:
        raise DecodeError(f"hparams have an unknown version: got {content.version}, want 0")
    try:
        return _info(content)
    except UnicodeDecodeError as error:  # older protobuf runtimes let broken map keys through
        raise DecodeError(f"hparams have a name that is not UTF-8: {error}") from error


def to_python(value: messages.Value) -> HParamValue:
    match value.WhichOneof("kind"):
        case "number_value":
            return value.number_value
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
        case "list_value":
            return [to_python(item) for item in value.list_value.values]
        case "struct_value":
            return {key: to_python(item) for key, item in sorted(value.struct_value.fields.items())}
        case _:
            return None


def from_python(value: Any) -> messages.Value:
    """Numbers and booleans keep their type. Everything else becomes text, as in TensorBoard's writer."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return messages.Value(bool_value=value)
    if isinstance(value, int | float):
        return messages.Value(number_value=float(value))
    return messages.Value(string_value=str(value))


def _info(content: messages.HParamsPluginData) -> Experiment | SessionStart | SessionEnd:
    match content.WhichOneof("data"):
        case "experiment":
            return _experiment(content.experiment)
        case "session_start_info":
            return _start(content.session_start_info)
        case "session_end_info":
            end = content.session_end_info
            return SessionEnd(known(Status, end.status), end.end_time_secs)
        case _:
            raise DecodeError("hparams are empty: want an experiment, a session start or a session end")


def _experiment(message: messages.Experiment) -> Experiment:
    return Experiment(
        hparams=tuple(_hparam_info(info) for info in message.hparam_infos),
        metrics=tuple(_metric_info(info) for info in message.metric_infos),
        name=message.name,
        description=message.description,
        user=message.user,
        time_created_secs=message.time_created_secs,
    )


def _hparam_info(message: messages.HParamInfo) -> HParamInfo:
    domain: tuple[HParamValue, ...] | Interval | None = None
    match message.WhichOneof("domain"):
        case "domain_discrete":
            domain = tuple(to_python(value) for value in message.domain_discrete.values)
        case "domain_interval":
            domain = Interval(message.domain_interval.min_value, message.domain_interval.max_value)
    return HParamInfo(message.name, message.display_name, message.description, known(HParamType, message.type), domain)


def _metric_info(message: messages.MetricInfo) -> MetricInfo:
    return MetricInfo(
        tag=message.name.tag,
        group=message.name.group,
        display_name=message.display_name,
        description=message.description,
        dataset_type=known(DatasetType, message.dataset_type),
    )


def _start(message: messages.SessionStartInfo) -> SessionStart:
    return SessionStart(
        hparams={name: to_python(value) for name, value in sorted(message.hparams.items())},
        model_uri=message.model_uri,
        monitor_url=message.monitor_url,
        group_name=message.group_name,
        start_time_secs=message.start_time_secs,
    )


def _experiment_message(experiment: Experiment) -> messages.Experiment:
    return messages.Experiment(
        name=experiment.name,
        description=experiment.description,
        user=experiment.user,
        time_created_secs=experiment.time_created_secs,
        hparam_infos=[_hparam_info_message(info) for info in experiment.hparams],
        metric_infos=[
            messages.MetricInfo(
                name=messages.MetricName(group=info.group, tag=info.tag),
                display_name=info.display_name,
                description=info.description,
                dataset_type=info.dataset_type,
            )
            for info in experiment.metrics
        ],
    )


def _hparam_info_message(info: HParamInfo) -> messages.HParamInfo:
    message = messages.HParamInfo(
        name=info.name, display_name=info.display_name, description=info.description, type=info.type
    )
    match info.domain:
        case Interval(min_value, max_value):
            message.domain_interval.CopyFrom(messages.Interval(min_value=min_value, max_value=max_value))
        case tuple(values):
            message.domain_discrete.CopyFrom(_list_message(values))
    return message


def _list_message(values: Sequence[HParamValue]) -> messages.ListValue:
    return messages.ListValue(values=[from_python(value) for value in values])


def _start_message(start: SessionStart) -> messages.SessionStartInfo:
    message = messages.SessionStartInfo(
        model_uri=start.model_uri,
        monitor_url=start.monitor_url,
        group_name=start.group_name,
        start_time_secs=start.start_time_secs,
    )
    for name, value in start.hparams.items():
        message.hparams[name].CopyFrom(from_python(value))
    return message
