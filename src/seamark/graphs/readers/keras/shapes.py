"""The shape of a Keras layer's output, computed from its config and the shapes of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from seamark.graphs.form import UNKNOWN_SIZE, Shape
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
from seamark.graphs.tensors import known_shape


def output_shape(class_name: str, config: Config, inputs: Sequence[Shape | None]) -> Shape | None:
    make = _SHAPES.get(class_name)
    if make is None and class_name not in SAME_SHAPE:
        return None
    try:
        shape = make(config, inputs) if make else input_at(inputs)
    except (UnknownError, OverflowError, IndexError):
        return None
    return known_shape(shape)


def _spatial(config: Config, shape: Shape) -> tuple[int, list[int]]:
    """Where the spatial sizes start, and the sizes."""
    start = 2 if config.get("data_format") == "channels_first" else 1
    return start, list(shape[start : start + len(shape) - 2])


def _with_spatial(config: Config, shape: Shape, spatial: Sequence[int], channels: int) -> Shape:
    is_first = config.get("data_format") == "channels_first"
    return (shape[0], channels, *spatial) if is_first else (shape[0], *spatial, channels)


def _windows(config: Config, shape: Shape, kernel_name: str) -> list[int]:
    """The number of positions of a kernel along each spatial axis."""
    rank = len(shape) - 2
    kernel = ints_of(config, kernel_name, rank)
    has_strides = config.get("strides") is not None
    strides = ints_of(config, "strides", rank) if has_strides else kernel if kernel_name == "pool_size" else [1] * rank
    dilation = ints_of(config, "dilation_rate", rank, 1)
    found = []
    for size, window, stride, gap in zip(_spatial(config, shape)[1], kernel, strides, dilation, strict=True):
        if size == UNKNOWN_SIZE:
            found.append(UNKNOWN_SIZE)
        elif config.get("padding", "valid") == "valid":
            found.append(max(0, (size - (window - 1) * gap - 1) // stride + 1))
        else:
            found.append(-(-size // stride))
    return found


def _conv_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    return _with_spatial(config, shape, _windows(config, shape, "kernel_size"), int_of(config, "filters"))


def _depthwise_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    channels = size_at(shape, channel_axis(config)) * int_of(config, "depth_multiplier", 1)
    return _with_spatial(config, shape, _windows(config, shape, "kernel_size"), channels)


def _transposed_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    rank = len(shape) - 2
    kernel, strides = ints_of(config, "kernel_size", rank), ints_of(config, "strides", rank, 1)
    sizes = []
    for size, window, stride in zip(_spatial(config, shape)[1], kernel, strides, strict=True):
        more = max(window - stride, 0) if config.get("padding", "valid") == "valid" else 0
        sizes.append(UNKNOWN_SIZE if size == UNKNOWN_SIZE else size * stride + more)
    return _with_spatial(config, shape, sizes, int_of(config, "filters"))


def _pool_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    return _with_spatial(config, shape, _windows(config, shape, "pool_size"), shape[channel_axis(config)])


def _global_pool_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    channels = shape[channel_axis(config)]
    if is_set(config, "keepdims", False):
        return _with_spatial(config, shape, [1] * (len(shape) - 2), channels)
    return (shape[0], channels)


def _dense_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    return (*input_at(inputs)[:-1], int_of(config, "units"))


def _embedding_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    return (*input_at(inputs), int_of(config, "output_dim"))


def _einsum_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    equation = einsum_of(config, shape)
    # An ellipsis stands for all axes before the first letter.
    before = shape[: len(shape) - 1] if "..." in str(config.get("equation")) and len(equation.output) == 1 else ()
    return (*before, *(equation.sizes.get(letter, UNKNOWN_SIZE) for letter in equation.output))


def _flatten_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    return (shape[0], UNKNOWN_SIZE if UNKNOWN_SIZE in shape[1:] else prod(shape[1:]))


def _reshape_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    target = shape_of(config.get("target_shape"))
    if target is None:
        raise UnknownError
    if target.count(UNKNOWN_SIZE) == 1 and UNKNOWN_SIZE not in shape[1:]:
        rest = prod(size for size in target if size != UNKNOWN_SIZE)
        missing = prod(shape[1:]) // rest if rest else UNKNOWN_SIZE
        target = tuple(missing if size == UNKNOWN_SIZE else size for size in target)
    return (shape[0], *target)


def _permute_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape, dims = input_at(inputs), shape_of(config.get("dims"))
    if dims is None or any(not 0 < axis < len(shape) for axis in dims):
        raise UnknownError
    return (shape[0], *(shape[axis] for axis in dims))


def _repeat_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    return (shape[0], int_of(config, "n"), *shape[1:])


def _recurrent_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape, units = input_at(inputs), int_of(config, "units")
    return (*shape[:-1], units) if is_set(config, "return_sequences", False) else (shape[0], units)


def _bidirectional_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    name, inner = inner_layer(config)
    shape = output_shape(name, inner, inputs) if name not in WRAPPERS else None
    if shape is None:
        raise UnknownError
    return (*shape[:-1], 2 * shape[-1]) if config.get("merge_mode") == "concat" else shape


def _time_distributed_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    name, inner = inner_layer(config)
    made = output_shape(name, inner, [(*shape[:1], *shape[2:])]) if name not in WRAPPERS else None
    if made is None:
        raise UnknownError
    return (shape[0], shape[1], *made[1:])


def _concatenated_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    axis = config.get("axis", -1)
    first = list(input_at(inputs))
    if not isinstance(axis, int) or not -len(first) <= axis < len(first):
        raise UnknownError
    sizes = [input_at(inputs, at)[axis] for at in range(len(inputs))]
    first[axis] = UNKNOWN_SIZE if UNKNOWN_SIZE in sizes else sum(sizes)
    return tuple(first)


def _scaled_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = input_at(inputs)
    factors = ints_of(config, "size", len(shape) - 2)
    sizes = zip(_spatial(config, shape)[1], factors, strict=True)
    spatial = [size if size == UNKNOWN_SIZE else size * factor for size, factor in sizes]
    return _with_spatial(config, shape, spatial, shape[channel_axis(config)])


def _padded_shape(name: str, sign: int) -> Callable[[Config, Sequence[Shape | None]], Shape]:
    def make(config: Config, inputs: Sequence[Shape | None]) -> Shape:
        shape = input_at(inputs)
        pads = config.get(name)
        pairs = [pads] if isinstance(pads, list) and len(shape) == 3 else pads
        if not isinstance(pairs, list) or len(pairs) != len(shape) - 2:
            raise UnknownError
        spatial = []
        for size, pair in zip(_spatial(config, shape)[1], pairs, strict=True):
            if not isinstance(pair, list) or not all(isinstance(one, int) for one in pair):
                raise UnknownError
            spatial.append(size if size == UNKNOWN_SIZE else max(0, size + sign * sum(pair)))
        return _with_spatial(config, shape, spatial, shape[channel_axis(config)])

    return make


def _input_layer_shape(config: Config, inputs: Sequence[Shape | None]) -> Shape:
    shape = shape_of(config.get("batch_shape") or config.get("batch_input_shape"))
    if shape is None:
        raise UnknownError
    return shape


SAME_SHAPE = frozenset({
    "Activation", "ReLU", "LeakyReLU", "PReLU", "ELU", "Softmax", "ThresholdedReLU", "Dropout", "SpatialDropout1D",
    "SpatialDropout2D", "SpatialDropout3D", "GaussianDropout", "GaussianNoise", "AlphaDropout", "BatchNormalization",
    "LayerNormalization", "GroupNormalization", "RMSNormalization", "UnitNormalization", "Normalization", "Rescaling",
    "Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "MultiHeadAttention", "Masking", "Identity",
    "ActivityRegularization", "Attention", "AdditiveAttention",
})  # fmt: skip
_SHAPES: dict[str, Callable[[Config, Sequence[Shape | None]], Shape]] = {
    "InputLayer": _input_layer_shape,
    "Dense": _dense_shape,
    **dict.fromkeys(("Conv1D", "Conv2D", "Conv3D", "SeparableConv1D", "SeparableConv2D"), _conv_shape),
    **dict.fromkeys(("Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"), _transposed_shape),
    **dict.fromkeys(("DepthwiseConv1D", "DepthwiseConv2D"), _depthwise_shape),
    **{f"{name}Pooling{rank}D": _pool_shape for name in ("Max", "Average") for rank in (1, 2, 3)},
    **{f"Global{name}Pooling{rank}D": _global_pool_shape for name in ("Max", "Average") for rank in (1, 2, 3)},
    "Embedding": _embedding_shape,
    "EinsumDense": _einsum_shape,
    "Flatten": _flatten_shape,
    "Reshape": _reshape_shape,
    "Permute": _permute_shape,
    "RepeatVector": _repeat_shape,
    **dict.fromkeys(("SimpleRNN", "LSTM", "GRU", "CuDNNLSTM", "CuDNNGRU"), _recurrent_shape),
    "Bidirectional": _bidirectional_shape,
    "TimeDistributed": _time_distributed_shape,
    "Concatenate": _concatenated_shape,
    **{f"UpSampling{rank}D": _scaled_shape for rank in (1, 2, 3)},
    **{f"ZeroPadding{rank}D": _padded_shape("padding", 1) for rank in (1, 2, 3)},
    **{f"Cropping{rank}D": _padded_shape("cropping", -1) for rank in (1, 2, 3)},
}
