"""Values of a Keras layer's config, which may be anything, and the shapes of its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from seamark.graphs.form import Shape
from seamark.graphs.tensors import MAX_ELEMENTS, known_shape

Config = Mapping[str, Any]
WRAPPERS = frozenset({"Bidirectional", "TimeDistributed", "SpectralNormalization"})


def layer_config(layer: Config) -> Config:
    config = layer.get("config")
    return config if isinstance(config, dict) else {}


def shape_of(value: Any) -> Shape | None:
    """From [null, 28, 28, 1]."""
    if not isinstance(value, list | tuple) or not all(size is None or isinstance(size, int) for size in value):
        return None
    return known_shape(value)


def inner_layer(config: Config) -> tuple[str, Config]:
    """The layer that a wrapper wraps."""
    layer = config.get("layer")
    if not isinstance(layer, dict) or not isinstance(layer.get("class_name"), str):
        return "", {}
    return layer["class_name"], layer_config(layer)


class UnknownError(Exception):
    """A size or a number that is not known."""


def input_at(inputs: Sequence[Shape | None], at: int = 0) -> Shape:
    shape = inputs[at] if at < len(inputs) else None
    if shape is None:
        raise UnknownError
    return shape


def size_at(shape: Shape, axis: int) -> int:
    if not -len(shape) <= axis < len(shape) or shape[axis] < 0:
        raise UnknownError
    return shape[axis]


def int_of(config: Config, name: str, default: int | None = None) -> int:
    value = config.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_ELEMENTS:
        raise UnknownError
    return value


def ints_of(config: Config, name: str, rank: int, default: int | None = None) -> list[int]:
    value = config.get(name, default)
    found = value if isinstance(value, list | tuple) else [value] * rank
    if len(found) != rank or not all(isinstance(one, int) and 0 < one <= MAX_ELEMENTS for one in found):
        raise UnknownError
    return list(found)


def is_set(config: Config, name: str, default: bool = True) -> bool:
    return bool(config.get(name, default))


def channel_axis(config: Config) -> int:
    return 1 if config.get("data_format") == "channels_first" else -1


class Einsum(NamedTuple):
    kernel: str  # the letters of the weight
    output: str
    sizes: Mapping[str, int]  # by letter


def einsum_of(config: Config, shape: Shape) -> Einsum:
    """The equation of an EinsumDense: the kernel's sizes are those of the letters in the input and the output."""
    equation, made = config.get("equation"), shape_of(config.get("output_shape"))
    if not isinstance(equation, str) or len(equation) > 200:
        raise UnknownError
    operands, _, output = equation.replace(" ", "").replace("...", "").partition("->")
    first, _, kernel = operands.partition(",")
    sizes = dict(zip(reversed(first), reversed(shape), strict=False))
    given = (int_of(config, "output_shape"),) if made is None else made
    sizes.update({letter: size for letter, size in zip(reversed(output), reversed(given), strict=False) if size >= 0})
    return Einsum(kernel, output, sizes)
