"""Nodes of a GraphDef, their attributes and their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seamark.format.messages import AttrValue, DataType, NodeDef, TensorShape

MAX_ATTRIBUTE_BYTES = 1024
_MAX_INT = 2**63
_FLOAT_TYPES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}


@dataclass(frozen=True)
class OutputType:
    """What one output of a node is. `sizes` is None where it is no array; a size that is not a number is -1."""

    sizes: Sequence[Any] | None
    dtype: str = ""


def make_node(
    name: str, op: str, inputs: Iterable[str] = (), *, attributes: str = "", shape: Iterable[int] | None = None
) -> NodeDef:
    """A node in the form of torch's writers."""
    node = NodeDef(name=name, op=op, input=inputs)
    node.attr["attr"].s = attributes.encode()
    if shape is not None:
        node.attr["_output_shapes"].list.shape.append(tensor_shape(shape))
    return node


def make_typed_node(
    name: str,
    op: str,
    inputs: Iterable[str] = (),
    *,
    outputs: Iterable[OutputType] = (),
    attributes: Mapping[str, Any] | None = None,
) -> NodeDef:
    """A node with the shape and type of each output, and one attribute per argument."""
    node = NodeDef(name=name, op=op, input=inputs)
    for output in outputs:
        node.attr["_output_shapes"].list.shape.append(_output_shape(output))
        node.attr["_output_types"].list.type.append(data_type(output.dtype))
    for key, value in (attributes or {}).items():
        if value is not None and value != "":
            node.attr[key].CopyFrom(_attribute(value))
    return node


def tensor_shape(sizes: Iterable[int]) -> TensorShape:
    return TensorShape(dim=[TensorShape.Dim(size=size) for size in sizes])


def data_type(name: str) -> int:
    """The number of a dtype by its name in torch and NumPy; DT_INVALID for one that TensorFlow does not have."""
    key = f"DT_{_FLOAT_TYPES.get(name, name.upper())}"
    return DataType.Value(key) if key in DataType.keys() else DataType.DT_INVALID  # noqa: SIM118


class NodeNames:
    """Makes names unique, and safe as paths whose segments are split at slashes."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def add(self, scope: str, own: str) -> str:
        base = name = f"{scope}/{segment(own)}" if scope else segment(own)
        number = 0
        while name in self._used:
            number += 1
            name = f"{base}_{number}"
        self._used.add(name)
        return name


def segment(text: str) -> str:
    """`text` as one part of a name: a slash separates groups, and what follows a colon is the number of an output."""
    return text.replace("/", "_").replace(":", "_") or "_"


def _output_shape(output: OutputType) -> TensorShape:
    if output.sizes is None:
        return TensorShape(unknown_rank=True)
    return tensor_shape(size if type(size) is int else -1 for size in output.sizes)


def _attribute(value: Any) -> AttrValue:
    if isinstance(value, bool):
        return AttrValue(b=value)
    if isinstance(value, int) and -_MAX_INT <= value < _MAX_INT:
        return AttrValue(i=value)
    if isinstance(value, float):
        return AttrValue(f=value)
    if isinstance(value, (list, tuple)) and 0 < len(value) <= MAX_ATTRIBUTE_BYTES // 8:
        found = _list_attribute(value)
        if found is not None:
            return found
    return AttrValue(s=_short_bytes(str(value)))


def _list_attribute(values: Sequence[Any]) -> AttrValue | None:
    """A list of numbers of one type; None for any other list, which becomes text."""
    if all(type(value) is bool for value in values):
        return AttrValue(list=AttrValue.ListValue(b=values))
    if all(type(value) is int and -_MAX_INT <= value < _MAX_INT for value in values):
        return AttrValue(list=AttrValue.ListValue(i=values))
    if all(type(value) is float for value in values):
        return AttrValue(list=AttrValue.ListValue(f=values))
    return None


def _short_bytes(text: str) -> bytes:
    data = text[:MAX_ATTRIBUTE_BYTES].encode(errors="replace")
    if len(data) <= MAX_ATTRIBUTE_BYTES and len(text) <= MAX_ATTRIBUTE_BYTES:
        return data
    end = "…".encode()
    return data[: MAX_ATTRIBUTE_BYTES - len(end)].decode(errors="ignore").encode() + end
