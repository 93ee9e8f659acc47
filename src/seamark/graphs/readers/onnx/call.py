"""A node of an ONNX graph with what is known of its inputs, for the rules that compute shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import OnnxNode
from seamark.graphs.form import Shape, TensorType
from seamark.graphs.readers.onnx.values import attribute_value

Integers = NDArray[np.int64]
# What a rule may raise if a node is not as the rule expects it.
RULE_ERRORS = (IndexError, ValueError, OverflowError, ZeroDivisionError, TypeError)


class UnknownShapeError(ValueError):
    """The shape depends on something that is not known."""


class Call:
    """A node with what is known of its inputs."""

    def __init__(self, node: OnnxNode, types: Mapping[str, TensorType], values: Mapping[str, Integers]) -> None:
        self.node, self._types, self._values = node, types, values
        self.attributes = {one.name: attribute_value(one) for one in node.attribute if one.type != 4}

    def type(self, at: int) -> TensorType:
        name = self.node.input[at] if at < len(self.node.input) else ""
        return self._types.get(name, TensorType())

    def shape(self, at: int = 0) -> Shape:
        shape = self.type(at).shape
        if shape is None:
            raise UnknownShapeError
        return shape

    def values(self, at: int) -> Integers:
        name = self.node.input[at] if at < len(self.node.input) else ""
        if name not in self._values:
            raise UnknownShapeError
        return self._values[name]

    def has(self, at: int) -> bool:
        return at < len(self.node.input) and bool(self.node.input[at])

    def integer(self, name: str, default: int) -> int:
        value = self.attributes.get(name, default)
        if not isinstance(value, int):
            raise UnknownShapeError
        return value

    def integers(self, name: str, default: Iterable[int] | None = None) -> list[int]:
        value = self.attributes.get(name, default)
        if not isinstance(value, Iterable) or isinstance(value, str):
            raise UnknownShapeError
        return [int(one) for one in value]

    def axes(self, at: int) -> list[int] | None:
        """An attribute of older operator sets, an input of newer ones; None if neither is there."""
        if "axes" in self.attributes:
            return self.integers("axes")
        return [int(axis) for axis in self.values(at).reshape(-1)] if self.has(at) else None
