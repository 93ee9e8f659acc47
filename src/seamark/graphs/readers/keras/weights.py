"""The weights of a Keras layer, computed from its config: they are in HDF5, which is not read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import msgspec

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
# The attribute of a layer that lists its weights; no config has a key of two words.
WEIGHT_SHAPES = "weight shapes"


class LayerWeight(NamedTuple):
    name: str  # as Keras names it in logs: "kernel", "query/kernel"
    shape: Shape
    is_trainable: bool = True

    @property
    def size(self) -> int:
        return prod(self.shape)


Inputs = Sequence[Shape | None]


def layer_weights(class_name: str, config: Config, inputs: Inputs) -> list[LayerWeight] | None:
    """None if the layer has weights that are not known."""
    list_weights = _WEIGHTS.get(class_name)
    if list_weights is None:
        return []
    try:
        found = list(list_weights(config, inputs))
    except (UnknownError, OverflowError):
        return None
    return found if sum(weight.size for weight in found) <= MAX_ELEMENTS else None


def stored_weights(attributes: Mapping[str, Any]) -> list[LayerWeight]:
    """The weights that the reader put into the attributes of a layer."""
    try:
        return msgspec.convert(attributes.get(WEIGHT_SHAPES, []), list[LayerWeight])
    except msgspec.ValidationError:  # of a file that somebody else wrote
        return []


def _biased(config: Config, kernel: Shape, bias: Shape, above: str = "") -> Iterator[LayerWeight]:
    yield LayerWeight(f"{above}kernel", kernel)
    if is_set(config, "use_bias"):
        yield LayerWeight(f"{above}bias", bias)


def _dense(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    units = int_of(config, "units")
    return _biased(config, (size_at(input_at(inputs), -1), units), (units,))


def _window(config: Config, shape: Shape) -> list[int]:
    return ints_of(config, "kernel_size", len(shape) - 2)


def _conv(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    shape = input_at(inputs)
    channels, filters = size_at(shape, channel_axis(config)), int_of(config, "filters")
    channels //= max(1, int_of(config, "groups", 1))
    return _biased(config, (*_window(config, shape), channels, filters), (filters,))


def _transposed(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    shape = input_at(inputs)
    channels, filters = size_at(shape, channel_axis(config)), int_of(config, "filters")
    return _biased(config, (*_window(config, shape), filters, channels), (filters,))


def _depthwise(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    shape = input_at(inputs)
    channels, times = size_at(shape, channel_axis(config)), int_of(config, "depth_multiplier", 1)
    return _biased(config, (*_window(config, shape), channels, times), (channels * times,))


def _separable(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    shape = input_at(inputs)
    window, channels = _window(config, shape), size_at(shape, channel_axis(config))
    times, filters = int_of(config, "depth_multiplier", 1), int_of(config, "filters")
    yield LayerWeight("depthwise_kernel", (*window, channels, times))
    yield LayerWeight("pointwise_kernel", (*[1] * len(window), channels * times, filters))
    if is_set(config, "use_bias"):
        yield LayerWeight("bias", (filters,))


def _embedding(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    yield LayerWeight("embeddings", (int_of(config, "input_dim"), int_of(config, "output_dim")))


def _axes(config: Config, inputs: Inputs) -> Shape:
    """The sizes of the axes that a norm keeps apart."""
    axes = config.get("axis", -1)
    found = axes if isinstance(axes, list | tuple) else [axes]
    if not all(isinstance(axis, int) for axis in found):
        raise UnknownError
    return tuple(size_at(input_at(inputs), axis) for axis in found)


def _norm(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    shape, is_rms = _axes(config, inputs), is_set(config, "rms_scaling", False)
    if is_rms or is_set(config, "scale"):
        yield LayerWeight("gamma", shape)
    if not is_rms and is_set(config, "center"):
        yield LayerWeight("beta", shape)


def _rms_norm(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    yield LayerWeight("scale", _axes(config, inputs))


def _batch_norm(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    yield from _norm({**config, "rms_scaling": False}, inputs)
    for name in ("moving_mean", "moving_variance"):
        yield LayerWeight(name, _axes(config, inputs), is_trainable=False)


def _normalization(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    shape = _axes(config, inputs)
    for name, own in (("mean", shape), ("variance", shape), ("count", ())):
        yield LayerWeight(name, own, is_trainable=False)


def _recurrent(gates: int) -> Callable[[Config, Inputs], Iterator[LayerWeight]]:
    def weights(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
        units = int_of(config, "units")
        made = gates * units
        yield LayerWeight("kernel", (size_at(input_at(inputs), -1), made))
        yield LayerWeight("recurrent_kernel", (units, made))
        if is_set(config, "use_bias"):
            # A GRU that resets after the multiplication has a bias for the input and one for the state.
            is_double = gates == 3 and is_set(config, "reset_after")
            yield LayerWeight("bias", (2, made) if is_double else (made,))

    return weights


def _attention(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    query, value = input_at(inputs), input_at(inputs, min(1, len(inputs) - 1))
    key = input_at(inputs, 2) if len(inputs) > 2 else value
    heads, key_dim = int_of(config, "num_heads"), int_of(config, "key_dim")
    value_dim = int_of(config, "value_dim") if config.get("value_dim") is not None else key_dim
    out = shape_of(config.get("output_shape")) or (size_at(query, -1),)
    if min(out) < 0:
        raise UnknownError
    projections = [("query", query, key_dim), ("key", key, key_dim), ("value", value, value_dim)]
    if is_set(config, "use_gate", False):
        projections.append(("gate", query, value_dim))
    for name, shape, size in projections:
        yield from _biased(config, (size_at(shape, -1), heads, size), (heads, size), f"{name}/")
    yield from _biased(config, (heads, value_dim, *out), out, "attention_output/")


def _prelu(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    shape = list(input_at(inputs))
    shared = config.get("shared_axes") or []
    for axis in shared if isinstance(shared, list) else []:
        if isinstance(axis, int) and 0 < axis < len(shape):
            shape[axis] = 1
    yield LayerWeight("alpha", tuple(size_at(tuple(shape), axis) for axis in range(1, len(shape))))


def _wrapped(config: Config, inputs: Inputs, depth: int = 0) -> list[LayerWeight]:
    name, inner = inner_layer(config)
    if depth >= MAX_WRAPPERS or not name:
        raise UnknownError
    if name in WRAPPERS:
        return _wrapped(inner, inputs, depth + 1)
    found = layer_weights(name, inner, inputs)
    if found is None:
        raise UnknownError
    return found


def _bidirectional(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    own = _wrapped(config, inputs)
    for direction in ("forward", "backward"):
        yield from (weight._replace(name=f"{direction}/{weight.name}") for weight in own)


def _time_distributed(config: Config, inputs: Inputs) -> list[LayerWeight]:
    shape = input_at(inputs)
    return _wrapped(config, [(*shape[:1], *shape[2:])])


def _einsum_dense(config: Config, inputs: Inputs) -> Iterator[LayerWeight]:
    equation = einsum_of(config, input_at(inputs))
    bias = config.get("bias_axes")
    letters = {"kernel": equation.kernel, "bias": bias if isinstance(bias, str) else ""}
    if not equation.kernel or any(equation.sizes.get(letter, -1) < 0 for letter in "".join(letters.values())):
        raise UnknownError
    for name, axes in letters.items():
        if axes:
            yield LayerWeight(name, tuple(equation.sizes[letter] for letter in axes))


def _unknown(config: Config, inputs: Inputs) -> list[LayerWeight]:
    raise UnknownError


_WEIGHTS: dict[str, Callable[[Config, Inputs], Iterator[LayerWeight] | list[LayerWeight]]] = {
    "Dense": _dense,
    **dict.fromkeys(("Conv1D", "Conv2D", "Conv3D", "Convolution1D", "Convolution2D", "Convolution3D"), _conv),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"), _transposed),
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
