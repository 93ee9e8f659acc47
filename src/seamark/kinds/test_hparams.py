"""Hyperparameters: experiment, session start and session end."""

import numpy as np
import pytest

from seamark.format.messages import HParamsPluginData, Summary, Value
from seamark.kinds import hparams, tensors
from seamark.kinds.hparams import (
    DatasetType,
    Experiment,
    HParamInfo,
    HParamType,
    Interval,
    MetricInfo,
    SessionEnd,
    SessionStart,
    Status,
)
from seamark.kinds.payload import DecodeError

PLAN = Experiment(
    hparams=(
        HParamInfo("lr", "learning rate", "**how fast**", HParamType.FLOAT64, Interval(1e-5, 1.0)),
        HParamInfo("opt", type=HParamType.STRING, domain=("adam", "sgd")),
        HParamInfo("bias", type=HParamType.BOOL, domain=(False, True)),
        HParamInfo("free"),
    ),
    metrics=(MetricInfo("acc", "eval", "accuracy", "of all", DatasetType.VALIDATION), MetricInfo("loss")),
    name="n",
    description="d",
    user="u",
    time_created_secs=12.5,
)


@pytest.mark.parametrize(
    "info",
    [
        PLAN,
        Experiment(),
        SessionStart({"lr": 0.5, "opt": "adam", "bias": True}, "uri", "url", "group", 3.5),
        SessionStart(),
        SessionEnd(Status.SUCCESS, 4.5),
    ],
)
def test_hparams_are_decoded_as_they_were_encoded(info: Experiment | SessionStart | SessionEnd) -> None:
    assert hparams.decode(hparams.encode(info).SerializeToString()) == info


def test_numpy_values_lists_and_objects_are_written_as_in_tensorboard() -> None:
    start = SessionStart({"a": np.float32(0.5), "b": np.bool_(True), "c": [1, 2], "d": None, "e": 3})  # type: ignore[dict-item]
    decoded = hparams.decode(hparams.encode(start).SerializeToString())
    assert isinstance(decoded, SessionStart)
    assert decoded.hparams == {"a": 0.5, "b": True, "c": "[1, 2]", "d": "None", "e": 3.0}


def test_lists_and_structs_of_other_writers_are_read() -> None:
    data = HParamsPluginData()
    sizes = data.session_start_info.hparams["sizes"].list_value.values
    sizes.add(number_value=1)
    sizes.add(bool_value=False)
    data.session_start_info.hparams["nested"].struct_value.fields["x"].CopyFrom(Value(string_value="y"))
    data.session_start_info.hparams["nothing"].null_value = 0
    value = tensors.encode("t", [0.0], plugin_name="hparams", content=data.SerializeToString())
    decoded = hparams.decode(value.SerializeToString())
    assert isinstance(decoded, SessionStart)
    assert decoded.hparams == {"sizes": [1.0, False], "nested": {"x": "y"}, "nothing": None}


def test_a_value_with_metadata_only_is_enough() -> None:
    metadata = hparams.encode(PLAN).metadata
    assert hparams.decode(Summary.Value(metadata=metadata).SerializeToString()) == PLAN
    assert hparams.decode(b"", metadata.SerializeToString()) == PLAN


def test_enum_numbers_of_newer_writers_are_unknown() -> None:
    data = HParamsPluginData()
    data.session_end_info.status = 99
    value = tensors.encode("t", [0.0], plugin_name="hparams", content=data.SerializeToString())
    assert hparams.decode(value.SerializeToString()) == SessionEnd(Status.UNKNOWN)


def test_invalid_hparams_are_errors() -> None:
    with pytest.raises(DecodeError, match="no hparams metadata"):
        hparams.decode(b"")
    empty = tensors.encode("t", [0.0], plugin_name="hparams")
    with pytest.raises(DecodeError, match="are empty"):
        hparams.decode(empty.SerializeToString())
    newer = HParamsPluginData(version=1).SerializeToString()
    with pytest.raises(DecodeError, match="got 1, want 0"):
        hparams.decode(tensors.encode("t", [0.0], plugin_name="hparams", content=newer).SerializeToString())
