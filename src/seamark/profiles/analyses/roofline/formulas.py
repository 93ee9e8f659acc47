"""FLOPs and bytes of torch's operators from the shapes of their inputs, as torch.utils.flop_counter counts them.

A multiplication and an addition are two FLOPs. Bytes are those of the inputs and the outputs, each moved once: what a
perfect cache would leave.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

Shape = list[int]
SIZES = {
    "double": 8, "float": 4, "c10::Half": 2, "c10::BFloat16": 2, "c10::Float8_e4m3fn": 1, "c10::Float8_e5m2": 1,
    "c10::complex<float>": 8, "long int": 8, "int": 4, "signed char": 1, "unsigned char": 1,
}  # fmt: skip
DEFAULT_SIZE = 4


class OperatorInputs(NamedTuple):
    shapes: Sequence[Any]
    types: Sequence[Any]
    values: Sequence[Any]  # texts of inputs that are no tensors

    def shape(self, at: int) -> Shape:
        """Raises ValueError if the input is no tensor."""
        shape = self.shapes[at]
        if not isinstance(shape, list) or not shape or not all(isinstance(size, int) for size in shape):
            raise ValueError("no tensor")
        return shape

    def size(self, at: int) -> int:
        """Bytes of an element."""
        return SIZES.get(str(self.types[at]), DEFAULT_SIZE) if at < len(self.types) else DEFAULT_SIZE

    def numbers(self, at: int) -> list[int]:
        """ "[1, 1]" as numbers. Raises ValueError."""
        try:
            return msgspec.json.decode(str(self.values[at]).encode(), type=list[int])
        except (IndexError, msgspec.DecodeError) as error:
            raise ValueError("no list of numbers") from error


class Cost(NamedTuple):
    flops: float  # of one call
    bytes: float


def cost_of(name: str, inputs: OperatorInputs) -> Cost | None:
    """None: not known, or the shapes do not fit."""
    try:
        return FORMULAS[name](inputs)
    except (KeyError, ValueError, IndexError):
        return None


def _product(first: int) -> Callable[[OperatorInputs], Cost]:
    """Of two matrices, or two batches of them; `first` is the position of the left one."""

    def cost(inputs: OperatorInputs) -> Cost:
        left, right = inputs.shape(first), inputs.shape(first + 1)
        *batch, rows, inner = left
        if right[-2:-1] != [inner] or len(left) != len(right):
            raise ValueError("shapes do not fit")
        outputs = math.prod(batch) * rows * right[-1]
        moved = math.prod(left) + math.prod(right) + outputs
        return Cost(2.0 * outputs * inner, float(moved * inputs.size(first)))

    return cost


def _convolution(inputs: OperatorInputs) -> Cost:
    """input, weight, bias, stride, padding, dilation, transposed, output padding, groups"""
    data, weight = inputs.shape(0), inputs.shape(1)
    stride, padding, dilation = (inputs.numbers(at) for at in (3, 4, 5))
    if str(inputs.values[6]).lower() in ("true", "1"):
        # Every element of the input meets the whole kernel.
        extent = inputs.numbers(7)
        space = [
            (size - 1) * _at(stride, at) - 2 * _at(padding, at) + _at(dilation, at) * (kernel - 1) + _at(extent, at) + 1
            for at, (size, kernel) in enumerate(zip(data[2:], weight[2:], strict=True))
        ]
        outputs = data[0] * weight[1] * int(str(inputs.values[8])) * math.prod(space)
        flops = 2.0 * math.prod(data) * math.prod(weight[1:])
    else:
        space = [
            (size + 2 * _at(padding, at) - _at(dilation, at) * (kernel - 1) - 1) // _at(stride, at) + 1
            for at, (size, kernel) in enumerate(zip(data[2:], weight[2:], strict=True))
        ]
        outputs = data[0] * weight[0] * math.prod(space)
        flops = 2.0 * outputs * math.prod(weight[1:])
    return Cost(flops, float((math.prod(data) + math.prod(weight) + outputs) * inputs.size(0)))


def _at(numbers: list[int], position: int) -> int:
    """One number stands for all dimensions."""
    return numbers[position] if len(numbers) > position else numbers[0]


def _convolution_backward(inputs: OperatorInputs) -> Cost:
    """gradient, input, weight, … output mask: each of the two gradients takes as many FLOPs as the convolution."""
    gradient, data, weight = (inputs.shape(at) for at in range(3))
    mask = str(inputs.values[-1]).lower().strip("[]").split(",")
    passes = sum(part.strip() in ("true", "1") for part in mask[:2])
    moved = math.prod(gradient) * passes + (math.prod(data) + math.prod(weight)) * passes
    transposed = str(inputs.values[7]).lower() in ("true", "1")
    outputs = math.prod(data) if transposed else math.prod(gradient)
    return Cost(2.0 * passes * outputs * math.prod(weight[1:]), float(moved * inputs.size(0)))


def _attention(inputs: OperatorInputs) -> Cost:
    """query, key, value as batch, heads, positions, features. A causal mask is not known, and counts as none."""
    query, key, value = (inputs.shape(at) for at in range(3))
    *outer, positions, features = query
    flops = 2.0 * math.prod(outer) * positions * key[-2] * (features + value[-1])
    moved = math.prod(query) + math.prod(key) + math.prod(value) + math.prod(outer) * positions * value[-1]
    return Cost(flops, float(moved * inputs.size(0)))


FORMULAS: dict[str, Callable[[OperatorInputs], Cost]] = {
    "aten::mm": _product(0),
    "aten::bmm": _product(0),
    "aten::addmm": _product(1),
    "aten::baddbmm": _product(1),
    "aten::convolution": _convolution,
    "aten::convolution_backward": _convolution_backward,
    "aten::_scaled_dot_product_flash_attention": _attention,
    "aten::_scaled_dot_product_efficient_attention": _attention,
    "aten::_scaled_dot_product_cudnn_attention": _attention,
    "aten::_scaled_dot_product_flash_attention_for_cpu": _attention,
}
