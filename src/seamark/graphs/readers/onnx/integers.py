"""Follows small vectors of integers through an ONNX graph: exporters compute the shapes of reshapes with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

import numpy as np

from seamark.format.messages import OnnxTensor
from seamark.graphs.form import UNKNOWN_SIZE
from seamark.graphs.readers.onnx.call import RULE_ERRORS, Call, Integers, UnknownShapeError
from seamark.graphs.readers.onnx.values import DTYPES, tensor_type, tensor_value

# Longer vectors are no shapes.
MAX_VALUES = 64


def may_be_sizes(tensor: OnnxTensor) -> bool:
    shape = tensor_type(tensor).shape
    is_short = shape is not None and len(shape) <= 1 and prod(shape) <= MAX_VALUES
    return is_short and DTYPES.get(tensor.data_type) in ("int64", "int32")


def add_constant(values: dict[str, Integers], name: str, tensor: OnnxTensor) -> None:
    if may_be_sizes(tensor):
        found = tensor_value(tensor)
        if isinstance(found, int | list):
            values[name] = np.array(found, np.int64)


def add_value(values: dict[str, Integers], call: Call) -> None:
    node = call.node
    if not node.output or node.domain not in ("", "ai.onnx"):
        return
    if node.op_type == "Constant":
        for attribute in node.attribute:
            if attribute.name == "value":
                add_constant(values, node.output[0], attribute.t)
        return
    rule = VALUES.get(node.op_type)
    if rule is None:
        return
    try:
        found = rule(call)
    except RULE_ERRORS:
        return
    if found.size <= MAX_VALUES and found.ndim <= 1:
        values[node.output[0]] = found


def _shape_values(call: Call) -> Integers:
    shape = call.shape()
    if UNKNOWN_SIZE in shape:
        raise UnknownShapeError
    start, end = call.integer("start", 0), call.integer("end", len(shape))
    return np.array(shape[start:end], np.int64)


def _gathered_values(call: Call) -> Integers:
    return np.take(call.values(0), call.values(1))


def _sliced_values(call: Call) -> Integers:
    start, end = int(call.values(1).reshape(-1)[0]), int(call.values(2).reshape(-1)[0])
    step = int(call.values(4).reshape(-1)[0]) if call.has(4) else 1
    return call.values(0)[start:end:step]


def _divided(a: Integers, b: Integers) -> Integers:
    found: Integers = np.trunc(a / b).astype(np.int64)
    return found


def _of_two(combine: Callable[[Integers, Integers], Integers]) -> Callable[[Call], Integers]:
    return lambda call: combine(call.values(0), call.values(1))


VALUES: Mapping[str, Callable[[Call], Integers]] = {
    "Shape": _shape_values,
    "Gather": _gathered_values,
    "Slice": _sliced_values,
    "Concat": lambda call: np.concatenate([call.values(at).reshape(-1) for at in range(len(call.node.input))]),
    "Add": _of_two(np.add),
    "Sub": _of_two(np.subtract),
    "Mul": _of_two(np.multiply),
    "Div": _of_two(_divided),
    **dict.fromkeys(("Identity", "Cast"), lambda call: call.values(0)),
    **dict.fromkeys(("Unsqueeze", "Reshape"), lambda call: call.values(0).reshape(-1)),
    "Squeeze": lambda call: call.values(0).reshape(()),
}
