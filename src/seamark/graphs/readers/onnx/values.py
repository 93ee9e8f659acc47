"""Types, attributes and small tensors of ONNX, as the form has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from seamark.format.messages import OnnxAttribute, OnnxEntry, OnnxTensor, OnnxType, OnnxValueInfo
from seamark.graphs.attributes import AttributeValue, Large
from seamark.graphs.form import TensorType
from seamark.graphs.levels.hierarchy import DTYPE_BYTES
from seamark.graphs.tensors import element_count, known_shape
from seamark.graphs.texts import shape_text

# A constant with more elements is described, not shown.
MAX_SHOWN_ELEMENTS = 64
MAX_LISTED = 4096
MAX_CONTAINER_DEPTH = 8

# ONNX's numbers of dtypes.
DTYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "string", 9: "bool",
    10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
    17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2", 20: "float8_e5m2fnuz", 21: "uint4", 22: "int4",
    23: "float4_e2m1fn", 24: "float8_e8m0fnu", 25: "uint2", 26: "int2", 27: "float6_e2m3fn", 28: "float6_e3m2fn",
}  # fmt: skip
_NUMPY_DTYPES = frozenset(DTYPES[number] for number in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13))


def value_type(info: OnnxValueInfo) -> TensorType:
    return _type(info.type, 0)


def _type(type: OnnxType, depth: int) -> TensorType:
    which = type.WhichOneof("value")
    if which == "tensor_type" or which == "sparse_tensor_type":
        tensor = type.tensor_type if which == "tensor_type" else type.sparse_tensor_type
        dtype = DTYPES.get(tensor.elem_type, "")
        if not tensor.HasField("shape"):
            return TensorType(dtype)
        sizes = (dim.dim_value if dim.WhichOneof("value") == "dim_value" else None for dim in tensor.shape.dim)
        return TensorType(dtype, known_shape(sizes))
    if which is None or depth >= MAX_CONTAINER_DEPTH:
        return TensorType()
    inner = type.sequence_type if which == "sequence_type" else type.optional_type
    # Of a sequence, only the dtype of its elements is known: their shapes differ.
    return TensorType(_type(inner.elem_type, depth + 1).dtype)


def tensor_type(tensor: OnnxTensor) -> TensorType:
    return TensorType(DTYPES.get(tensor.data_type, ""), known_shape(tensor.dims))


def external_file(tensor: OnnxTensor) -> str:
    """The file that holds the data, which is not opened; "" if the data is in the model."""
    return entries(tensor.external_data).get("location", "")


def entries(found: Iterable[OnnxEntry]) -> dict[str, str]:
    return {entry.key: entry.value for entry in found}


def attribute_value(attribute: OnnxAttribute) -> AttributeValue:
    """None for graphs, which become groups."""
    if attribute.ref_attr_name:
        return f"the attribute '{attribute.ref_attr_name}' of the call"
    match attribute.type:
        case 1:
            return attribute.f
        case 2:
            return attribute.i
        case 3:
            return _text(attribute.s)
        case 4:
            return tensor_value(attribute.t)
        case 6:
            return _short_list(attribute.floats, "floats")
        case 7:
            return _short_list(attribute.ints, "ints")
        case 8:
            return [_text(one) for one in attribute.strings[:MAX_LISTED]]
        case 9:
            return f"{len(attribute.tensors):,} tensors"
    return None


def _short_list(values: Sequence[float], name: str) -> AttributeValue:
    # As Python's objects, millions of numbers take several times the memory.
    return list(values) if len(values) <= MAX_LISTED else Large(text=f"{len(values):,} {name}", bytes=4 * len(values))


def tensor_value(tensor: OnnxTensor) -> AttributeValue:
    """The elements of a small tensor, or what it is."""
    dtype, shape = tensor_type(tensor)
    count = element_count(shape)
    values = _elements(tensor, dtype) if count is not None and count <= MAX_SHOWN_ELEMENTS else None
    if values is not None and len(values) == count:
        return values[0] if shape == () else values
    text = f"{dtype or 'unknown'} tensor, shape {shape_text(shape) or 'unknown'}"
    if external_file(tensor):
        text += f", in the file '{external_file(tensor)[:200]}'"
    return Large(text=text, bytes=int((count or 0) * DTYPE_BYTES.get(dtype, 0)))


def _elements(tensor: OnnxTensor, dtype: str) -> list[AttributeValue] | None:
    if len(tensor.raw_data) > MAX_SHOWN_ELEMENTS * 8:
        return None
    if tensor.raw_data:
        if dtype not in _NUMPY_DTYPES or len(tensor.raw_data) % np.dtype(dtype).itemsize:
            return None
        values: list[AttributeValue] = np.frombuffer(tensor.raw_data, np.dtype(dtype).newbyteorder("<")).tolist()
        return values
    if tensor.string_data:
        return [_text(one) for one in tensor.string_data[:MAX_SHOWN_ELEMENTS]]
    for data in (tensor.float_data, tensor.int64_data, tensor.double_data, tensor.uint64_data):
        if len(data):
            return list(data[:MAX_SHOWN_ELEMENTS])
    # 16-bit floats are stored here as their bits.
    return None if "float" in dtype else list(tensor.int32_data[:MAX_SHOWN_ELEMENTS])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
