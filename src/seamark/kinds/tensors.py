"""Tensors of unknown plugins."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamark.format.messages import Summary
from seamark.kinds.metadata import of_value
from seamark.kinds.payload import parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_array, to_array


@dataclass(frozen=True, slots=True, eq=False)
class RawTensor:
    array: NDArray[Any] | None  # None for an empty value
    plugin_name: str
    plugin_content: bytes


def encode(
    tag: str,
    array: ArrayLike,
    *,
    plugin_name: str = "",
    content: bytes = b"",
    display_name: str = "",
    description: str = "",
) -> Summary.Value:
    return tensor_value(
        tag,
        from_array(array),
        plugin_name=plugin_name,
        content=content,
        display_name=display_name,
        description=description,
    )


def decode(data: bytes, metadata: bytes = b"") -> RawTensor:
    """`metadata` is the metadata of the tag's first value, for a value without its own."""
    value = parse_value(data, "tensor")
    series = of_value(value.metadata, metadata)
    return RawTensor(_array(value), series.plugin_name, series.plugin_content)


def _array(value: Summary.Value) -> NDArray[Any] | None:
    match value.WhichOneof("value"):
        case "tensor":
            return to_array(value.tensor)
        case "simple_value":
            return np.asarray(value.simple_value, dtype=np.float32)
        case "obsolete_old_style_histogram":
            return np.array(value.obsolete_old_style_histogram, dtype=object)
        case _:
            return None
