"""Multiply-adds of Keras layers, from their configs and the shapes around them."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from seamark.graphs.cost_rules import Call, Rule, UnknownShapeError, linear


def _number(call: Call, name: str, default: int | None = None) -> int:
    value = call.attributes.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise UnknownShapeError
    return value


def _kernel(call: Call) -> int:
    sizes = call.attributes.get("kernel_size")
    if isinstance(sizes, int):
        return prod([sizes] * (len(call.input(0)) - 2))
    if not isinstance(sizes, list) or not all(isinstance(size, int) for size in sizes):
        raise UnknownShapeError
    return prod(sizes)


def _channels(call: Call) -> int:
    shape = call.input(0)
    if len(shape) < 3:
        raise UnknownShapeError
    return shape[1] if call.attributes.get("data_format") == "channels_first" else shape[-1]


def _calls(call: Call) -> int:
    """A layer that is called several times is one node."""
    return _number(call, "calls", 1)


def dense(call: Call) -> float:
    return linear(call) * _calls(call)


def conv(call: Call) -> float:
    channels = _channels(call) // max(1, _number(call, "groups", 1))
    return float(prod(call.made()) * _kernel(call) * channels * _calls(call))


def depthwise(call: Call) -> float:
    return float(prod(call.made()) * _kernel(call) * _calls(call))


def separable(call: Call) -> float:
    channels, filters = _channels(call) * _number(call, "depth_multiplier", 1), _number(call, "filters")
    positions = prod(call.made()) // max(1, filters)
    return float(positions * channels * (_kernel(call) + filters) * _calls(call))


def transposed(call: Call) -> float:
    return float(prod(call.input(0)) * _kernel(call) * _number(call, "filters") * _calls(call))


def recurrent(gates: int) -> Rule:
    def count(call: Call) -> float:
        shape, units = call.input(0), _number(call, "units")
        return float(prod(shape[:-1]) * gates * units * (shape[-1] + units) * _calls(call))

    return Rule(count, has_attributes=True)


def multi_head_attention(call: Call) -> float:
    query = call.input(0)
    value = call.input(1) if len(call.inputs) > 1 else query
    heads, key_size = _number(call, "num_heads"), _number(call, "key_dim")
    value_size = _number(call, "value_dim", key_size)
    length, others = prod(query[:-1]), prod(value[:-1])
    projections = length * query[-1] * heads * key_size + others * value[-1] * heads * (key_size + value_size)
    products = length * value[-2] * heads * (key_size + value_size) if len(value) > 1 else 0
    out = call.output[-1] if call.output else query[-1]
    return float((projections + products + length * heads * value_size * out) * _calls(call))


KERAS_RULES: Mapping[str, Rule] = {
    "Dense": Rule(dense, has_attributes=True),
    **dict.fromkeys(("Conv1D", "Conv2D", "Conv3D"), Rule(conv, has_attributes=True)),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), Rule(depthwise, has_attributes=True)),
    **dict.fromkeys(("SeparableConv1D", "SeparableConv2D"), Rule(separable, has_attributes=True)),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"), Rule(transposed, has_attributes=True)),
    "SimpleRNN": recurrent(1),
    "LSTM": recurrent(4),
    "GRU": recurrent(3),
    "MultiHeadAttention": Rule(multi_head_attention, has_attributes=True),
}
