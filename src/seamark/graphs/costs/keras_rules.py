"""Multiply-adds of Keras layers, from their configs and the shapes around them."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from seamark.graphs.costs.rules import Call, Rule, UnknownShapeError, attention, linear

GATES = {"SimpleRNN": 1, "LSTM": 4, "GRU": 3}


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


def recurrent(call: Call, gates: int, units: int) -> float:
    shape = call.input(0)
    return float(prod(shape[:-1]) * gates * units * (shape[-1] + units) * _calls(call))


def recurrent_rule(gates: int) -> Rule:
    return Rule(lambda call: recurrent(call, gates, _number(call, "units")), has_attributes=True)


def bidirectional(call: Call) -> float:
    gates = GATES.get(str(call.attributes.get("layer")))
    if gates is None:
        raise UnknownShapeError
    return 2 * recurrent(call, gates, _number(call, "layer units"))


def time_distributed(call: Call) -> float:
    if call.attributes.get("layer") != "Dense":
        raise UnknownShapeError
    return dense(call)


def einsum_dense(call: Call) -> float:
    """The product of the sizes of all letters, which are in the input or in the output."""
    equation = call.attributes.get("equation")
    if not isinstance(equation, str) or "." in equation or len(equation) > 200:
        raise UnknownShapeError
    operands, _, output = equation.replace(" ", "").partition("->")
    first, _, kernel = operands.partition(",")
    shapes = {first: call.input(0), output: call.made()}
    if any(len(letters) != len(shape) for letters, shape in shapes.items()):
        raise UnknownShapeError
    sizes = {letter: size for letters, shape in shapes.items() for letter, size in zip(letters, shape, strict=True)}
    if any(letter not in sizes for letter in kernel):
        raise UnknownShapeError
    return float(prod(sizes.values()) * _calls(call))


def unknown(call: Call) -> float:
    raise UnknownShapeError


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
    **{name: recurrent_rule(gates) for name, gates in GATES.items()},
    "Bidirectional": Rule(bidirectional, has_attributes=True),
    "TimeDistributed": Rule(time_distributed, has_attributes=True),
    "EinsumDense": Rule(einsum_dense, has_attributes=True),
    "Attention": Rule(attention),
    **dict.fromkeys(("RNN", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D", "GroupQueryAttention"), Rule(unknown)),
    "MultiHeadAttention": Rule(multi_head_attention, has_attributes=True),
}
