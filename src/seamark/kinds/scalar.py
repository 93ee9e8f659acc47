"""Scalars: one number per step."""

from dataclasses import dataclass

import numpy as np

from seamark.format.messages import ScalarPluginData, Summary
from seamark.kinds.payload import DecodeError, parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_array, numbers_of

PLUGIN_NAME = "scalars"


@dataclass(frozen=True, slots=True)
class Scalar:
    value: float


def encode(
    tag: str, value: float, *, double: bool = False, display_name: str = "", description: str = ""
) -> Summary.Value:
    """Encodes a float32 tensor, as TensorBoard's writers do, or float64 with `double`."""
    tensor = from_array(np.asarray(value, dtype=np.float64 if double else np.float32))
    return tensor_value(
        tag,
        tensor,
        plugin_name=PLUGIN_NAME,
        content=ScalarPluginData().SerializeToString(),
        display_name=display_name,
        description=description,
    )


def decode(data: bytes) -> Scalar:
    value = parse_value(data, "scalar")
    if value.WhichOneof("value") == "simple_value":
        return Scalar(value.simple_value)
    numbers = numbers_of(value, "scalar")
    if numbers.size != 1:
        raise DecodeError(f"scalar is not one number: got shape {list(numbers.shape)}, want one element")
    return Scalar(float(numbers.item()))
