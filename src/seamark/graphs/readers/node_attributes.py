"""Attributes of a NodeDef as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seamark.format.messages import AttrValue, DataType, NameAttrList, Tensor, TensorShape
from seamark.graphs.attributes import AttributeValue, Large
from seamark.graphs.form import UNKNOWN_SIZE, Shape
from seamark.kinds.payload import DecodeError
from seamark.kinds.tensor import to_array

# A larger value is not stored: nobody reads it, and constants can fill the memory.
MAX_VALUE_BYTES = 1024
REF_OFFSET = 100  # the reference types of TensorFlow 1 have the same elements
_NAMES = {"DT_FLOAT": "float32", "DT_DOUBLE": "float64", "DT_HALF": "float16"}


def dtype_name(number: int) -> str:
    """The name that NumPy uses: "float32" for DT_FLOAT and DT_FLOAT_REF; "" if there is none."""
    number = number - REF_OFFSET if number > REF_OFFSET else number
    if number <= 0 or number not in DataType.values():
        return ""
    name = DataType.Name(number)
    return _NAMES.get(name, name.removeprefix("DT_").lower())


def shape_of(message: TensorShape) -> Shape | None:
    if message.unknown_rank:
        return None
    return tuple(max(dim.size, UNKNOWN_SIZE) for dim in message.dim)


def shape_text(shape: Shape | None) -> str:
    if shape is None:
        return "unknown"
    return "×".join("?" if size == UNKNOWN_SIZE else str(size) for size in shape) or "scalar"


def plain_values(attributes: Mapping[str, AttrValue]) -> dict[str, AttributeValue]:
    return {name: plain_value(attributes[name]) for name in sorted(attributes)}


def plain_value(value: AttrValue) -> AttributeValue:
    """The value as a string, number, bool, list or `Large`."""
    which = value.WhichOneof("value")
    if which is None:
        return None
    size = value.ByteSize()
    if which == "list":
        return _plain_list(value.list) if size <= MAX_VALUE_BYTES else Large("list", size)
    content = getattr(value, which)
    if size > MAX_VALUE_BYTES:
        return Large(tensor_text(content) if which == "tensor" else which, size)
    return _plain(which, content)


def tensor_text(tensor: Tensor) -> str:
    return f"{dtype_name(tensor.dtype)} tensor, shape {shape_text(shape_of(tensor.tensor_shape))}"


def _plain_list(values: AttrValue.ListValue) -> list[AttributeValue]:
    fields = ("s", "i", "f", "b", "type", "shape", "tensor", "func")
    return [_plain(field, item) for field in fields for item in getattr(values, field)]


def _plain(which: str, content: Any) -> AttributeValue:
    match which:
        case "s":
            return content.decode(errors="replace")
        case "type":
            return dtype_name(content)
        case "shape":
            return shape_text(shape_of(content))
        case "tensor":
            return _plain_tensor(content)
        case "func":
            return _function_name(content)
        case _:
            return content


def _plain_tensor(tensor: Tensor) -> AttributeValue:
    try:
        array = to_array(tensor, max_repeated=MAX_VALUE_BYTES)
    except DecodeError:
        return tensor_text(tensor)
    if array.dtype == object:
        return _decoded(array.tolist())
    return array.tolist()


def _decoded(strings: Any) -> AttributeValue:
    if isinstance(strings, list):
        return [_decoded(item) for item in strings]
    return strings.decode(errors="replace")


def _function_name(function: NameAttrList) -> str:
    return function.name
