"""What a model returned, as numbers or names of one form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.examples.predict.frames import Array

SCORE_KEYS = ("scores", "probabilities", "predictions")


class OutputError(ValueError):
    """Output that is no prediction. The message is a sentence for people."""


class Output(NamedTuple):
    """Scores as [rows] or [rows, classes]; or, as labels, positions in `classes`."""

    values: NDArray[np.float64] | NDArray[np.int32]
    classes: list[str] | None
    is_labels: bool = False


def normalized(output: Any, rows: int, classes: Sequence[Any] | None = None) -> Output:
    """Accepts arrays, tensors, lists, DataFrames, and {"scores": …, "classes": …}. `classes`: those of the model."""
    names = None if classes is None else [class_name(value) for value in classes]
    if isinstance(output, Mapping):
        output, names = _of_mapping(output, names)
    elif hasattr(output, "columns") and hasattr(output, "to_numpy"):
        names = [class_name(column) for column in output.columns] if output.shape[1] > 1 else names
    array = _as_array(output)
    if array.ndim == 0 or len(array) != rows:
        got = "a single value" if array.ndim == 0 else f"{len(array):,}"
        raise OutputError(f"the model returned {got} for {rows:,} rows, want one prediction for each row")
    while array.ndim > 1 and array.shape[-1] == 1:
        array = array[..., 0]
    if array.ndim > 2:
        raise OutputError(f"the model returned the shape {array.shape}, want ({rows},) or ({rows}, classes)")
    if array.dtype.kind in "OUS":
        return _labels(array)
    if array.ndim == 2 and names is not None and len(names) != array.shape[1]:
        raise OutputError(f"the model returned {array.shape[1]} scores for each row and has {len(names)} classes")
    return Output(array.astype(np.float64), names)


def class_name(value: Any) -> str:
    """As the truth is written: 1 for 1.0, true for True."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _of_mapping(output: Mapping[Any, Any], names: list[str] | None) -> tuple[Any, list[str] | None]:
    key = next((key for key in SCORE_KEYS if key in output), None)
    if key is None:
        raise OutputError(
            f"the model returned a dict without 'scores', it has {', '.join(map(str, output)) or 'no keys'}"
        )
    classes = output.get("classes")
    return output[key], names if classes is None else [class_name(value) for value in classes]


def _as_array(output: Any) -> Array:
    if hasattr(output, "detach"):  # a torch tensor with a gradient refuses to become an array
        output = output.detach().cpu()
        output = output.float() if str(output.dtype) == "torch.bfloat16" else output
    try:
        array = np.asarray(output)
    except ValueError:  # lists of different lengths
        raise OutputError("the model returned lists of different lengths, want as many scores for each row") from None
    if array.dtype.kind in "fiubUS":
        return array
    if array.dtype.kind == "O":
        return _of_objects(array)
    raise OutputError(f"the model returned {type(output).__name__} of {array.dtype}, want numbers or names")


def _of_objects(array: Array) -> Array:
    if array.ndim == 0:
        raise OutputError(
            f"the model returned {type(array.item()).__name__}, want an array with a prediction for each row"
        )
    if array.ndim == 1 and all(isinstance(value, str) for value in array):
        return array
    try:
        return array.astype(np.float64)  # None becomes NaN
    except (TypeError, ValueError):
        first = next((v for v in array.reshape(-1) if not isinstance(v, int | float)), None)
        raise OutputError(f"the model returned {type(first).__name__} as a prediction, want numbers or names") from None


def _labels(array: Array) -> Output:
    if array.ndim != 1:
        raise OutputError(f"the model returned names of the shape {array.shape}, want one name for each row")
    names, codes = np.unique(array.astype(str), return_inverse=True)
    return Output(codes.astype(np.int32), [str(name) for name in names], is_labels=True)
