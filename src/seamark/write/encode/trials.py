"""Encodes hyperparameters and metrics as the three values of a finished session, as torch's writer does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamark.format.messages import Summary
from seamark.kinds import hparams
from seamark.kinds.hparams import Experiment, HParamInfo, HParamType, MetricInfo, SessionEnd, SessionStart, Status
from seamark.write.encode.arrays import as_number


def encode(
    parameters: Mapping[str, Any], metrics: Mapping[str, Any], domains: Mapping[str, Sequence[Any]]
) -> list[Summary.Value]:
    if not isinstance(parameters, Mapping) or not isinstance(metrics, Mapping):
        raise TypeError("hparam_dict and metric_dict must be dictionaries")
    # None means an unused parameter, which is left out as in torch.
    plain = {name: _hparam(name, value) for name, value in parameters.items() if value is not None}
    _check_domains(domains, plain)
    infos = tuple(
        HParamInfo(name, type=_type_of(value), domain=tuple(domains[name]) if name in domains else None)
        for name, value in plain.items()
    )
    experiment = Experiment(infos, tuple(MetricInfo(tag) for tag in metrics))
    return [hparams.encode(info) for info in (experiment, SessionStart(plain), SessionEnd(Status.SUCCESS))]


def _hparam(name: str, value: Any) -> bool | float | str:
    if isinstance(value, bool | int | float | str):
        return value
    try:
        if isinstance(value, list | tuple):
            raise TypeError
        if type(value).__name__ == "bool_":  # NumPy's
            return bool(value)
        return as_number(value)
    except TypeError as error:
        raise ValueError(
            f"a hyperparameter must be a bool, a number or a string: got {type(value).__name__} for {name!r}"
        ) from error


def _type_of(value: bool | float | str) -> HParamType:
    if isinstance(value, bool):
        return HParamType.BOOL
    return HParamType.STRING if isinstance(value, str) else HParamType.FLOAT64


def _check_domains(domains: Mapping[str, Sequence[Any]], plain: Mapping[str, bool | float | str]) -> None:
    for name, values in domains.items():
        if name not in plain or not isinstance(values, list | tuple):
            raise TypeError(f"hparam_domain_discrete[{name!r}] must be a list, and {name!r} a hyperparameter")
        for value in values:
            if not isinstance(value, type(plain[name])):
                raise TypeError(
                    f"hparam_domain_discrete[{name!r}] must hold values of the hyperparameter's own type: "
                    f"got {type(value).__name__}, want {type(plain[name]).__name__}"
                )
