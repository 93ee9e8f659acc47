"""How many weights a Keras layer has, computed from its config: the weights are in HDF5, which is not read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

from seamark.graphs.form import Shape
from seamark.graphs.readers.keras.config import (
    WRAPPERS,
    Config,
    UnknownError,
    channel_axis,
    einsum_of,
    inner_layer,
    input_at,
    int_of,
    ints_of,
    is_set,
    shape_of,
    size_at,
)
from seamark.graphs.tensors import MAX_ELEMENTS

MAX_WRAPPERS = 8


class WeightCount(NamedTuple):
    total: int = 0
    trainable: int = 0


def weight_count(class_name: str, config: Config, inputs: Sequence[Shape | None]) -> WeightCount | None:
    """None if the layer has weights whose number is not known."""
    count = _WEIGHTS.get(class_name)
    if count is None:
        return WeightCount()
    try:
        found = count(config, inputs)
    except (UnknownError, OverflowError):
        return None
    is_possible = 0 <= found.trainable <= found.total <= MAX_ELEMENTS
    return found if is_possible else None


def _all(count: int) -> WeightCount:
    return WeightCount(count, count)


def _bias(config: Config, count: int) -> int:
    return count if is_set(config, "use_bias") else 0


def _dense(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    units = int_of(config, "units")
    return _all(size_at(input_at(inputs), -1) * units + _bias(config, units))


def _conv(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    shape = input_at(inputs)
    kernel = prod(ints_of(config, "kernel_size", len(shape) - 2))
    channels, filters = size_at(shape, channel_axis(config)), int_of(config, "filters")
    return _all(kernel * (channels // max(1, int_of(config, "groups", 1))) * filters + _bias(config, filters))


def _depthwise(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    shape = input_at(inputs)
    channels = size_at(shape, channel_axis(config)) * int_of(config, "depth_multiplier", 1)
    return _all(prod(ints_of(config, "kernel_size", len(shape) - 2)) * channels + _bias(config, channels))


def _separable(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    shape = input_at(inputs)
    channels = size_at(shape, channel_axis(config)) * int_of(config, "depth_multiplier", 1)
    filters = int_of(config, "filters")
    kernel = prod(ints_of(config, "kernel_size", len(shape) - 2))
    return _all(kernel * channels + channels * filters + _bias(config, filters))


def _embedding(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    return _all(int_of(config, "input_dim") * int_of(config, "output_dim"))


def _axes_size(config: Config, inputs: Sequence[Shape | None], default: int = -1) -> int:
    axes = config.get("axis", default)
    found = axes if isinstance(axes, list | tuple) else [axes]
    if not all(isinstance(axis, int) for axis in found):
        raise UnknownError
    return prod(size_at(input_at(inputs), axis) for axis in found)


def _norm(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    weights = is_set(config, "scale") + is_set(config, "center")
    if is_set(config, "rms_scaling", False):
        weights = 1
    return _all(weights * _axes_size(config, inputs))


def _rms_norm(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    return _all(_axes_size(config, inputs))


def _batch_norm(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    size = _axes_size(config, inputs)
    trainable = (is_set(config, "scale") + is_set(config, "center")) * size
    return WeightCount(trainable + 2 * size, trainable)


def _normalization(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    return WeightCount(2 * _axes_size(config, inputs) + 1, 0)


def _recurrent(gates: int) -> Callable[[Config, Sequence[Shape | None]], WeightCount]:
    def count(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
        units = int_of(config, "units")
        # A GRU that resets after the multiplication has a bias for the input and one for the state.
        biases = 2 if gates == 3 and is_set(config, "reset_after") else 1
        return _all(gates * (units * (size_at(input_at(inputs), -1) + units) + _bias(config, biases * units)))

    return count


def _attention(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    query, value = input_at(inputs), input_at(inputs, min(1, len(inputs) - 1))
    key = input_at(inputs, 2) if len(inputs) > 2 else value
    heads, key_dim = int_of(config, "num_heads"), int_of(config, "key_dim")
    value_dim = int_of(config, "value_dim") if config.get("value_dim") is not None else key_dim
    out = shape_of(config.get("output_shape"))
    out_size = prod(out) if out else size_at(query, -1)
    projections = [
        (size_at(query, -1), heads * key_dim),
        (size_at(key, -1), heads * key_dim),
        (size_at(value, -1), heads * value_dim),
        (heads * value_dim, out_size),
    ]
    if is_set(config, "use_gate", False):
        projections.append((size_at(query, -1), heads * value_dim))
    return _all(sum(size * made + _bias(config, made) for size, made in projections))


def _prelu(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    shape = list(input_at(inputs))
    shared = config.get("shared_axes") or []
    for axis in shared if isinstance(shared, list) else []:
        if isinstance(axis, int) and 0 < axis < len(shape):
            shape[axis] = 1
    return _all(prod(size_at(tuple(shape), axis) for axis in range(1, len(shape))))


def _wrapped(config: Config, inputs: Sequence[Shape | None], depth: int = 0) -> WeightCount:
    name, inner = inner_layer(config)
    if depth >= MAX_WRAPPERS or not name:
        raise UnknownError
    if name in WRAPPERS:
        return _wrapped(inner, inputs, depth + 1)
    found = weight_count(name, inner, inputs)
    if found is None:
        raise UnknownError
    return found


def _bidirectional(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    one = _wrapped(config, inputs)
    return WeightCount(2 * one.total, 2 * one.trainable)


def _time_distributed(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    shape = input_at(inputs)
    return _wrapped(config, [(*shape[:1], *shape[2:])])


def _einsum_dense(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    equation = einsum_of(config, input_at(inputs))
    bias = config.get("bias_axes")
    weights = [equation.kernel, bias if isinstance(bias, str) else ""]
    if not equation.kernel or any(equation.sizes.get(letter, -1) < 0 for letter in "".join(weights)):
        raise UnknownError
    return _all(sum(prod(equation.sizes[letter] for letter in letters) for letters in weights if letters))


def _unknown(config: Config, inputs: Sequence[Shape | None]) -> WeightCount:
    raise UnknownError


_WEIGHTS: dict[str, Callable[[Config, Sequence[Shape | None]], WeightCount]] = {
    "Dense": _dense,
    **dict.fromkeys(("Conv1D", "Conv2D", "Conv3D", "Convolution1D", "Convolution2D", "Convolution3D"), _conv),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"), _conv),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), _depthwise),
    **dict.fromkeys(("SeparableConv1D", "SeparableConv2D"), _separable),
    "Embedding": _embedding,
    **dict.fromkeys(("LayerNormalization", "GroupNormalization"), _norm),
    "RMSNormalization": _rms_norm,
    "BatchNormalization": _batch_norm,
    "Normalization": _normalization,
    **dict.fromkeys(("SimpleRNN",), _recurrent(1)),
    **dict.fromkeys(("LSTM", "CuDNNLSTM"), _recurrent(4)),
    **dict.fromkeys(("GRU", "CuDNNGRU"), _recurrent(3)),
    "MultiHeadAttention": _attention,
    "PReLU": _prelu,
    "EinsumDense": _einsum_dense,
    "Bidirectional": _bidirectional,
    "TimeDistributed": _time_distributed,
    # Layers with weights that a config does not tell.
    **dict.fromkeys(("RNN", "SpectralNormalization", "GroupQueryAttention"), _unknown),
    **dict.fromkeys(("ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D", "LocallyConnected1D", "LocallyConnected2D"), _unknown),
}
