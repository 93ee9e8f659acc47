"""Shapes that an ONNX file does not state, computed from those it does. torch's older exporter states almost none.

Only common operators have a rule; behind others, shapes stay unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from math import prod

from seamark.format.messages import OnnxNode, OnnxTensor
from seamark.graphs.form import UNKNOWN_SIZE, Shape, TensorType
from seamark.graphs.readers.onnx.call import RULE_ERRORS, Call, Integers, UnknownShapeError
from seamark.graphs.readers.onnx.integers import add_constant, add_value
from seamark.graphs.readers.onnx.values import DTYPES, tensor_type
from seamark.graphs.tensors import known_shape


def infer_types(
    nodes: Sequence[OnnxNode], initializers: Iterable[OnnxTensor], types: MutableMapping[str, TensorType]
) -> None:
    """Adds the types of the nodes' outputs to `types`."""
    if all(name in types for node in nodes for name in node.output if name):
        return
    known: dict[str, TensorType] = dict(types)
    values: dict[str, Integers] = {}
    for tensor in initializers:
        known[tensor.name] = tensor_type(tensor)
        add_constant(values, tensor.name, tensor)
    for node in nodes:
        call = Call(node, known, values)
        add_value(values, call)
        made = _types_made(call)
        for name, type in zip(node.output, made, strict=False):
            stated = types.get(name, TensorType())
            known[name] = TensorType(stated.dtype or type.dtype, type.shape if stated.shape is None else stated.shape)
            types[name] = known[name]


def _types_made(call: Call) -> list[TensorType]:
    node = call.node
    if node.op_type == "Constant":
        return [tensor_type(one.t) for one in node.attribute if one.name == "value" and one.type == 4]
    rule = RULES.get(node.op_type) if node.domain in ("", "ai.onnx") else None
    dtype = _dtype(call)
    try:
        shapes = rule(call) if rule else []
    except RULE_ERRORS:
        shapes = []
    return [TensorType(dtype, known_shape(shape)) for shape in shapes]


def _dtype(call: Call) -> str:
    op = call.node.op_type
    if op == "Cast":
        return DTYPES.get(call.integer("to", 0), "") if isinstance(call.attributes.get("to"), int) else ""
    if op in ("Shape", "Size", "ArgMax", "ArgMin"):
        return "int64"
    if op in COMPARISONS:
        return "bool"
    return call.type(1 if op == "Where" else 0).dtype


def _same(call: Call) -> list[Shape]:
    return [call.shape()]


def broadcast(shapes: Sequence[Shape]) -> Shape:
    rank = max(map(len, shapes), default=0)
    found = [1] * rank
    for shape in shapes:
        for at, size in enumerate(shape, start=rank - len(shape)):
            if found[at] == 1:
                found[at] = size
            elif size not in (1, UNKNOWN_SIZE, found[at]):
                if found[at] != UNKNOWN_SIZE:
                    raise UnknownShapeError
                found[at] = size
    return tuple(found)


def _broadcast(call: Call) -> list[Shape]:
    return [broadcast([call.shape(at) for at in range(len(call.node.input))])]


def _product(call: Call) -> list[Shape]:
    left, right = call.shape(0), call.shape(1)
    rows = left[-2:-1] if len(left) > 1 else ()
    columns = right[-1:] if len(right) > 1 else ()
    return [(*broadcast([left[:-2], right[:-2]]), *rows, *columns)]


def _gemm(call: Call) -> list[Shape]:
    left, right = call.shape(0), call.shape(1)
    return [(left[1 if call.integer("transA", 0) else 0], right[0 if call.integer("transB", 0) else 1])]


def _windows(call: Call, shape: Shape, kernel: Sequence[int]) -> list[int]:
    """The number of positions of a kernel along each spatial axis."""
    rank = len(shape) - 2
    strides, dilations = call.integers("strides", [1] * rank), call.integers("dilations", [1] * rank)
    pads = call.integers("pads", [0] * (2 * rank))
    auto_pad, is_ceil = call.attributes.get("auto_pad", "NOTSET"), bool(call.integer("ceil_mode", 0))
    found = []
    for axis, size in enumerate(shape[2:]):
        window = (kernel[axis] - 1) * dilations[axis] + 1
        if size == UNKNOWN_SIZE:
            found.append(UNKNOWN_SIZE)
        elif auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            found.append(-(-size // strides[axis]))
        else:
            room = size + pads[axis] + pads[axis + rank] - window
            found.append((-(-room // strides[axis]) if is_ceil else room // strides[axis]) + 1)
    return found


def _conv(call: Call) -> list[Shape]:
    shape, weight = call.shape(0), call.shape(1)
    return [(shape[0], weight[0], *_windows(call, shape, weight[2:]))]


def _pool(call: Call) -> list[Shape]:
    shape = call.shape()
    return [(*shape[:2], *_windows(call, shape, call.integers("kernel_shape")))]


def _transposed_conv(call: Call) -> list[Shape]:
    shape, weight = call.shape(0), call.shape(1)
    rank = len(shape) - 2
    strides, dilations = call.integers("strides", [1] * rank), call.integers("dilations", [1] * rank)
    pads, more = call.integers("pads", [0] * (2 * rank)), call.integers("output_padding", [0] * rank)
    sizes = []
    for axis, size in enumerate(shape[2:]):
        window = (weight[2 + axis] - 1) * dilations[axis] + 1
        made = strides[axis] * (size - 1) + more[axis] + window - pads[axis] - pads[axis + rank]
        sizes.append(UNKNOWN_SIZE if size == UNKNOWN_SIZE else made)
    return [(shape[0], weight[1] * call.integer("group", 1), *sizes)]


def _global_pool(call: Call) -> list[Shape]:
    shape = call.shape()
    return [(*shape[:2], *[1] * (len(shape) - 2))]


def _gather(call: Call) -> list[Shape]:
    data, indices = call.shape(0), call.shape(1)
    axis = call.integer("axis", 0) % len(data)
    return [(*data[:axis], *indices, *data[axis + 1 :])]


def _transpose(call: Call) -> list[Shape]:
    shape = call.shape()
    return [tuple(shape[axis] for axis in call.integers("perm", range(len(shape))[::-1]))]


def _reshape(call: Call) -> list[Shape]:
    shape, target = call.type(0).shape, [int(size) for size in call.values(1).reshape(-1)]
    if shape is not None and not call.integer("allowzero", 0):
        target = [shape[at] if size == 0 else size for at, size in enumerate(target)]
    if target.count(-1) == 1 and shape is not None and UNKNOWN_SIZE not in shape:
        rest = prod(size for size in target if size != -1)
        target = [prod(shape) // rest if size == -1 else size for size in target]
    return [tuple(target)]


def _recurrent(call: Call) -> list[Shape]:
    """All outputs of a recurrent layer, then the last state, and of an LSTM the last cell."""
    shape, directions = call.shape(0), call.shape(2)[0]
    hidden = call.integer("hidden_size", call.shape(2)[-1])
    is_batch_first = bool(call.integer("layout", 0))
    length, batch = (shape[1], shape[0]) if is_batch_first else (shape[0], shape[1])
    state = (batch, directions, hidden) if is_batch_first else (directions, batch, hidden)
    outputs = (batch, length, directions, hidden) if is_batch_first else (length, directions, batch, hidden)
    return [outputs, state, state]


def _flatten(call: Call) -> list[Shape]:
    shape = call.shape()
    axis = call.integer("axis", 1)
    parts = (shape[:axis], shape[axis:])
    return [tuple(UNKNOWN_SIZE if UNKNOWN_SIZE in part else prod(part) for part in parts)]


def _concat(call: Call) -> list[Shape]:
    shapes = [call.shape(at) for at in range(len(call.node.input))]
    axis = call.integer("axis", 0) % len(shapes[0])
    sizes = [shape[axis] for shape in shapes]
    total = UNKNOWN_SIZE if UNKNOWN_SIZE in sizes else sum(sizes)
    return [(*shapes[0][:axis], total, *shapes[0][axis + 1 :])]


def _squeeze(call: Call) -> list[Shape]:
    shape, axes = call.shape(), call.axes(1)
    if axes is None:
        return [tuple(size for size in shape if size != 1)]
    removed = {axis % len(shape) for axis in axes}
    return [tuple(size for at, size in enumerate(shape) if at not in removed)]


def _unsqueeze(call: Call) -> list[Shape]:
    shape, axes = call.shape(), call.axes(1) or []
    rank = len(shape) + len(axes)
    added = {axis % rank for axis in axes}
    sizes = iter(shape)
    return [tuple(1 if at in added else next(sizes) for at in range(rank))]


def _split(call: Call) -> list[Shape]:
    shape, count = call.shape(), len(call.node.output)
    axis = call.integer("axis", 0) % len(shape)
    if "split" in call.attributes:
        sizes = call.integers("split")
    elif call.has(1):
        sizes = [int(size) for size in call.values(1).reshape(-1)]
    else:
        part = -(-shape[axis] // count)
        sizes = [part] * (count - 1) + [shape[axis] - part * (count - 1)]
    return [(*shape[:axis], size, *shape[axis + 1 :]) for size in sizes]


def _slice(call: Call) -> list[Shape]:
    shape = list(call.shape())
    if call.has(1):
        starts, ends = call.values(1).reshape(-1).tolist(), call.values(2).reshape(-1).tolist()
        axes = call.values(3).reshape(-1).tolist() if call.has(3) else list(range(len(starts)))
        steps = call.values(4).reshape(-1).tolist() if call.has(4) else [1] * len(starts)
    else:
        starts, ends = call.integers("starts"), call.integers("ends")
        axes, steps = call.integers("axes", range(len(starts))), [1] * len(starts)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        if shape[axis] != UNKNOWN_SIZE:
            shape[axis] = len(range(*slice(start, end, step).indices(shape[axis])))
    return [tuple(shape)]


def _reduce(call: Call) -> list[Shape]:
    shape, axes = call.shape(), call.axes(1)
    removed = {axis % len(shape) for axis in axes} if axes else set(range(len(shape)))
    if call.integer("keepdims", 1):
        return [tuple(1 if at in removed else size for at, size in enumerate(shape))]
    return [tuple(size for at, size in enumerate(shape) if at not in removed)]


def _expand(call: Call) -> list[Shape]:
    return [broadcast([call.shape(), tuple(int(size) for size in call.values(1).reshape(-1))])]


COMPARISONS = frozenset({
    "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "And", "Or", "Xor", "Not", "IsNaN",
})  # fmt: skip
_UNARY = (
    "Identity", "Cast", "Relu", "LeakyRelu", "PRelu", "Elu", "Selu", "Gelu", "Sigmoid", "HardSigmoid", "HardSwish",
    "Tanh", "Erf", "Exp", "Log", "Sqrt", "Reciprocal", "Neg", "Abs", "Floor", "Ceil", "Round", "Sin", "Cos", "Not",
    "IsNaN", "Clip", "Softmax", "LogSoftmax", "Softplus", "Mish", "Dropout", "BatchNormalization", "Trilu", "Sign",
    "LayerNormalization", "InstanceNormalization", "GroupNormalization", "RMSNormalization", "LRN", "CumSum",
)  # fmt: skip
_BINARY = (
    "Add", "Sub", "Mul", "Div", "Pow", "Mod", "Max", "Min", "Sum", "Mean", "Where", "Equal", "Less", "Greater",
    "LessOrEqual", "GreaterOrEqual", "And", "Or", "Xor",
)  # fmt: skip
RULES: Mapping[str, Callable[[Call], list[Shape]]] = {
    **dict.fromkeys(_UNARY, _same),
    **dict.fromkeys(_BINARY, _broadcast),
    "MatMul": _product,
    "Gemm": _gemm,
    "Conv": _conv,
    "ConvTranspose": _transposed_conv,
    **dict.fromkeys(("MaxPool", "AveragePool", "LpPool"), _pool),
    **dict.fromkeys(("GlobalAveragePool", "GlobalMaxPool"), _global_pool),
    "Gather": _gather,
    "Transpose": _transpose,
    "Reshape": _reshape,
    "Flatten": _flatten,
    "Concat": _concat,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Split": _split,
    "Slice": _slice,
    "Expand": _expand,
    "Shape": lambda call: [(len(call.shape()),)],
    **dict.fromkeys(("LSTM", "GRU", "RNN"), _recurrent),
    **{f"Reduce{name}": _reduce for name in ("Mean", "Sum", "Max", "Min", "Prod", "L2", "SumSquare", "LogSumExp")},
}
