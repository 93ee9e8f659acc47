"""Nodes of a GraphDef in the form of torch's writers."""

from __future__ import annotations

from collections.abc import Iterable

from seamark.format.messages import NodeDef, TensorShape


def make_node(
    name: str, op: str, inputs: Iterable[str] = (), *, attributes: str = "", shape: Iterable[int] | None = None
) -> NodeDef:
    node = NodeDef(name=name, op=op, input=inputs)
    node.attr["attr"].s = attributes.encode()
    if shape is not None:
        node.attr["_output_shapes"].list.shape.append(tensor_shape(shape))
    return node


def tensor_shape(sizes: Iterable[int]) -> TensorShape:
    return TensorShape(dim=[TensorShape.Dim(size=size) for size in sizes])
