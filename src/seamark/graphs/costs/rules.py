"""How many multiply-adds an operation takes, from the shapes of its inputs and outputs and from its attributes.

A rule returns None if the shapes do not tell. Operations without a rule, such as element-wise ones, count as 0, as
they do in torchinfo and in torch's own counter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from seamark.graphs.attributes import AttributeValue
from seamark.graphs.form import Shape

_FIRST_AXES = re.compile(r"\(\(\(([\d, ]*)\)")  # the first operand's contracted axes in "(((1,), (0,)), ((), ()))"
_KERNEL_OUTPUTS = re.compile(r"rhs_spec=\((\d{1,2}),")


@dataclass(frozen=True, slots=True)
class Call:
    """A node's shapes. None for a shape of which more than the first size is unknown."""

    inputs: Sequence[Shape | None]
    output: Shape | None
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)

    def input(self, at: int) -> Shape:
        """Raises UnknownShapeError if the input does not exist, or its shape is not known."""
        shape = self.inputs[at] if at < len(self.inputs) else None
        if shape is None:
            raise UnknownShapeError
        return shape

    def made(self) -> Shape:
        if self.output is None:
            raise UnknownShapeError
        return self.output


class UnknownShapeError(Exception):
    """The number of multiply-adds depends on a shape that is not known."""


@dataclass(frozen=True, slots=True)
class Rule:
    count: Callable[[Call], float]
    has_attributes: bool = False  # whether it reads the node's attributes
    has_all_inputs: bool = False  # whether it needs more than the first four inputs


def linear(call: Call) -> float:
    """ "…K, NK → …N": the weight is not needed."""
    shape = call.input(0)
    if call.output is not None:
        return float(prod(call.output) * shape[-1]) if shape else 0.0
    return float(prod(shape) * call.input(1)[0])


def product_at(first: int) -> Callable[[Call], float]:
    """A matrix product of the inputs `first` and `first` + 1, either of which may be transposed."""

    def count(call: Call) -> float:
        left, right = call.input(first), call.inputs[first + 1] if first + 1 < len(call.inputs) else None
        if len(left) < 2:
            return float(prod(call.made()) * prod(left)) if left else 0.0
        out = call.output
        if out is None:
            if right is None or len(right) < 2:
                raise UnknownShapeError
            # Without the output's shape, neither operand is taken as transposed.
            return float(prod(left) * right[-1] * max(1, prod(right[:-2]) // max(1, prod(left[:-2]))))
        # The last two sizes of the left operand are the rows of the output and the contracted axis.
        is_vector = right is not None and len(right) == 1
        rows = out[-1] if is_vector or len(out) < 2 else out[-2]
        return float(prod(out) * (left[-1] * left[-2] // max(1, rows)))

    return count


def conv(call: Call) -> float:
    """torch and ONNX: the weight is [outputs, inputs / groups, *kernel]; transposed [inputs, outputs / groups, …]."""
    weight = call.input(1)
    given = call.attributes.get("transposed")
    if not isinstance(given, bool):
        out = call.made()
        given = len(out) > 1 and len(weight) > 1 and out[1] != weight[0]
    return transposed_conv(call) if given else float(prod(call.made()) * prod(weight[1:]))


def transposed_conv(call: Call) -> float:
    return float(prod(call.input(0)) * prod(call.input(1)[1:]))


def tensorflow_conv(call: Call) -> float:
    """The weight is [*kernel, inputs, outputs]."""
    return float(prod(call.made()) * prod(call.input(1)[:-1]))


def tensorflow_depthwise(call: Call) -> float:
    """The weight is [*kernel, channels, multiplier]."""
    return float(prod(call.made()) * prod(call.input(1)[:-2]))


def tensorflow_conv_gradient(call: Call) -> float:
    """Conv2DBackpropInput: sizes, weight [*kernel, outputs, inputs], gradient."""
    return float(prod(call.input(2)) * prod(call.input(1)[:-1]))


def attention(call: Call) -> float:
    """Query times keys, then the weights times values."""
    query, key = call.input(0), call.input(1)
    value = call.inputs[2] if len(call.inputs) > 2 and call.inputs[2] else key
    if min(len(query), len(key), len(value)) < 2:
        raise UnknownShapeError
    return float(prod(query[:-1]) * key[-2] * (query[-1] + value[-1]))


def einsum(call: Call) -> float:
    """Two operands: the product of the sizes of all letters."""
    equation = call.attributes.get("equation")
    if not isinstance(equation, str) or len(equation) > 200:
        raise UnknownShapeError
    operands = equation.replace(" ", "").partition("->")[0].split(",")
    if len(operands) != 2 or "." in equation:
        raise UnknownShapeError
    sizes: dict[str, int] = {}
    for at, letters in enumerate(operands):
        shape = call.input(at)
        if len(shape) != len(letters):
            raise UnknownShapeError
        sizes.update(zip(letters, shape, strict=True))
    return float(prod(sizes.values()))


def dot_general(call: Call) -> float:
    """JAX: the output times the axes of the first operand that are contracted."""
    match = _FIRST_AXES.match(str(call.attributes.get("dimension_numbers", "")))
    if match is None:
        raise UnknownShapeError
    shape = call.input(0)
    axes = [int(axis) for axis in re.findall(r"\d{1,3}", match[1])]
    if any(axis >= len(shape) for axis in axes):
        raise UnknownShapeError
    return float(prod(call.made()) * prod(shape[axis] for axis in axes))


def jax_conv(call: Call) -> float:
    match = _KERNEL_OUTPUTS.search(str(call.attributes.get("dimension_numbers", "")))
    weight = call.input(1)
    axis = int(match[1]) if match else len(weight)
    if axis >= len(weight) or weight[axis] == 0:
        raise UnknownShapeError
    return float(prod(call.made()) * (prod(weight) // weight[axis]))


def torch_recurrent(call: Call) -> float:
    """Every weight matrix once for each element of the sequence. The hidden states are the inputs of rank 3."""
    weights = [shape for shape in call.inputs[1:] if shape is not None and len(shape) == 2]
    if not weights:
        raise UnknownShapeError
    return float(prod(call.input(0)[:-1]) * sum(prod(shape) for shape in weights))


def onnx_recurrent(call: Call) -> float:
    """X [steps, batch, size], W and R [directions, gates, size]."""
    return float(prod(call.input(0)[:2]) * (prod(call.input(1)) + prod(call.input(2))))


TORCH_RULES: Mapping[str, Rule] = {
    "linear": Rule(linear),
    **dict.fromkeys(("mm", "bmm", "matmul", "mv"), Rule(product_at(0))),
    **dict.fromkeys(("addmm", "baddbmm", "addmv"), Rule(product_at(1))),
    **dict.fromkeys(("convolution", "_convolution"), Rule(conv, has_attributes=True)),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d"), Rule(conv)),
    **dict.fromkeys(("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"), Rule(transposed_conv)),
    "scaled_dot_product_attention": Rule(attention),
    **dict.fromkeys(
        (f"_scaled_dot_product_{name}" for name in (
            "flash_attention", "efficient_attention", "cudnn_attention", "flash_attention_for_cpu", "attention_math",
        )),
        Rule(attention),
    ),
    "einsum": Rule(einsum, has_attributes=True),
    **dict.fromkeys(("lstm", "gru", "rnn_tanh", "rnn_relu"), Rule(torch_recurrent, has_all_inputs=True)),
}  # fmt: skip
ONNX_RULES: Mapping[str, Rule] = {
    **dict.fromkeys(("MatMul", "Gemm", "MatMulInteger"), Rule(product_at(0))),
    **dict.fromkeys(("Conv", "ConvInteger"), Rule(conv)),
    "ConvTranspose": Rule(transposed_conv),
    "Attention": Rule(attention),
    "Einsum": Rule(einsum, has_attributes=True),
    **dict.fromkeys(("LSTM", "GRU", "RNN"), Rule(onnx_recurrent)),
}
OTHER_RULES: Mapping[str, Rule] = {
    # TensorFlow, whose names end in the version: BatchMatMulV2.
    **dict.fromkeys(("MatMul", "BatchMatMul", "_FusedMatMul"), Rule(product_at(0))),
    **dict.fromkeys(("Conv2D", "Conv3D", "_FusedConv2D"), Rule(tensorflow_conv)),
    "DepthwiseConv2dNative": Rule(tensorflow_depthwise),
    **dict.fromkeys(("Conv2DBackpropInput", "Conv3DBackpropInput"), Rule(tensorflow_conv_gradient)),
    "Einsum": Rule(einsum, has_attributes=True),
    # JAX
    "dot_general": Rule(dot_general, has_attributes=True),
    "conv_general_dilated": Rule(jax_conv, has_attributes=True),
}
