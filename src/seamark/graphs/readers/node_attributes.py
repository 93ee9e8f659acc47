"""Attributes of a NodeDef as plain values."""

from __future__ import annotations

from typing import Any

import numpy as np
from google.protobuf.message import DecodeError as ProtobufError

from seamark.format.messages import AttrValue, DataType, OmittedAttribute, StoredAttributes, Tensor, TensorShape
from seamark.graphs.attributes import DECODERS, AttributeValue, Large
from seamark.graphs.form import Shape
from seamark.graphs.tensors import known_shape
from seamark.graphs.texts import shape_text
from seamark.kinds.payload import DecodeError
from seamark.kinds.tensor import to_array

ENCODING = "node_def"
# A few bytes may claim any number of elements; more of them are not listed.
MAX_REPEATED = 1024
# How many numbers of a tensor that is not stored are listed.
MAX_LISTED_NUMBERS = 8
NUMBER_DTYPES = frozenset(
    {"float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
)
# Numbers of fields in AttrValue.
_LIST, _STRING, _TENSOR = 1, 2, 8
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
    return None if message.unknown_rank else known_shape(dim.size for dim in message.dim)


def decode_attributes(data: bytes) -> dict[str, AttributeValue]:
    """From a StoredAttributes, as the core writes it."""
    try:
        stored = StoredAttributes.FromString(data)
    except ProtobufError:
        return {"unreadable": f"the attributes are malformed or nested too deeply ({len(data):,} bytes)"}
    values = {name: plain_value(value) for name, value in stored.attr.items()}
    for omitted in stored.omitted:
        values[omitted.name] = Large(_omitted_text(omitted), omitted.size_bytes)
    return dict(sorted(values.items()))


DECODERS[ENCODING] = decode_attributes


def _omitted_text(omitted: OmittedAttribute) -> str:
    if omitted.form == _STRING:
        return f"{omitted.head.decode(errors='ignore')}…"
    if omitted.form != _TENSOR:
        return "list" if omitted.form == _LIST else "value"
    dtype = dtype_name(omitted.dtype)
    text = f"{dtype} tensor, shape {shape_text(shape_of(omitted.shape)) or 'unknown'}"
    numbers = _first_numbers(omitted.head, dtype)
    return f"{text}: {numbers}, …" if numbers else text


def _first_numbers(head: bytes, dtype: str) -> str:
    if dtype not in NUMBER_DTYPES:
        return ""
    item_bytes = np.dtype(dtype).itemsize
    numbers = np.frombuffer(head[: len(head) // item_bytes * item_bytes], dtype)[:MAX_LISTED_NUMBERS]
    return ", ".join(f"{number:.4g}" for number in numbers.tolist())


def plain_value(value: AttrValue) -> AttributeValue:
    """The value as a string, a number, a bool or a list of them."""
    which = value.WhichOneof("value")
    if which is None:
        return None
    return _plain_list(value.list) if which == "list" else _plain(which, getattr(value, which))


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
            return shape_text(shape_of(content)) or "unknown"
        case "tensor":
            return _plain_tensor(content)
        case "func":
            return content.name
        case _:
            return content


def _plain_tensor(tensor: Tensor) -> AttributeValue:
    try:
        array = to_array(tensor, max_repeated=MAX_REPEATED)
    except DecodeError:
        return tensor_text(tensor)
    if array.dtype == object:
        return _decoded(array.tolist())
    return array.tolist()


def _decoded(strings: Any) -> AttributeValue:
    if isinstance(strings, list):
        return [_decoded(item) for item in strings]
    return strings.decode(errors="replace")
