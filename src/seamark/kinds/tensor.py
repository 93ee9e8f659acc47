"""Converts tensor messages to NumPy arrays and back, for every dtype in event files."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamark.format.messages import DataType, Summary, Tensor, TensorShape
from seamark.kinds.payload import DecodeError, read_varint

# A few bytes may claim any shape, because missing elements repeat the last one. Their number is limited before anything
# is allocated. The elements in the payload are not limited.
MAX_REPEATED_NUMBERS = 1_000_000
# For kinds whose whole series is decoded for one response: histograms, curves, lists of images and texts.
MAX_REPEATED_IN_SERIES = 1_000
MAX_REPEATED_BYTES = 1024 * 1024  # of strings, which callers may copy
# An empty string takes 2 bytes in the payload and 100 in memory.
MAX_STRINGS = 1_000_000
# With a dimension of 0 the other sizes take no bytes, but callers may iterate over them.
MAX_EMPTY_ROWS = 1_000_000
_MAX_RANK = 32
_REF_OFFSET = 100  # TensorFlow's reference dtypes have the same elements and numbers higher by 100

_PLAIN: dict[int, tuple[str, str]] = {  # dtype: (numpy's little-endian dtype, the field of single values)
    DataType.DT_FLOAT: ("<f4", "float_val"),
    DataType.DT_DOUBLE: ("<f8", "double_val"),
    DataType.DT_INT32: ("<i4", "int_val"),
    DataType.DT_UINT8: ("<u1", "int_val"),
    DataType.DT_INT16: ("<i2", "int_val"),
    DataType.DT_INT8: ("<i1", "int_val"),
    DataType.DT_INT64: ("<i8", "int64_val"),
    DataType.DT_BOOL: ("?", "bool_val"),
    DataType.DT_QINT8: ("<i1", "int_val"),
    DataType.DT_QUINT8: ("<u1", "int_val"),
    DataType.DT_QINT32: ("<i4", "int_val"),
    DataType.DT_QINT16: ("<i2", "int_val"),
    DataType.DT_QUINT16: ("<u2", "int_val"),
    DataType.DT_UINT16: ("<u2", "int_val"),
    DataType.DT_UINT32: ("<u4", "uint32_val"),
    DataType.DT_UINT64: ("<u8", "uint64_val"),
}
_COMPLEX: dict[int, tuple[str, str]] = {
    DataType.DT_COMPLEX64: ("<c8", "scomplex_val"),
    DataType.DT_COMPLEX128: ("<c16", "dcomplex_val"),
}
_FLOAT8 = (DataType.DT_FLOAT8_E5M2, DataType.DT_FLOAT8_E4M3FN)
_NUMPY_TO_DTYPE: dict[str, int] = {
    "float16": DataType.DT_HALF,
    "float32": DataType.DT_FLOAT,
    "float64": DataType.DT_DOUBLE,
    "int8": DataType.DT_INT8,
    "int16": DataType.DT_INT16,
    "int32": DataType.DT_INT32,
    "int64": DataType.DT_INT64,
    "uint8": DataType.DT_UINT8,
    "uint16": DataType.DT_UINT16,
    "uint32": DataType.DT_UINT32,
    "uint64": DataType.DT_UINT64,
    "bool": DataType.DT_BOOL,
    "complex64": DataType.DT_COMPLEX64,
    "complex128": DataType.DT_COMPLEX128,
}
# The dtypes TensorFlow's own writers put into tensor_content; the others go value by value.
_AS_CONTENT = {"float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"}


def to_array(tensor: Tensor, *, max_repeated: int = MAX_REPEATED_NUMBERS) -> NDArray[Any]:
    """The tensor's elements: strings as an object array of bytes, bfloat16 and float8 as float32. May be read-only."""
    dtype = tensor.dtype - _REF_OFFSET if tensor.dtype > _REF_OFFSET else tensor.dtype
    shape = _shape_of(tensor)
    elements = _elements(tensor, dtype, math.prod(shape))
    return _fill(elements, shape, max_repeated)


def tensor_of(value: Summary.Value, what: str) -> Tensor:
    """The value's tensor, or a DecodeError naming what stands there instead."""
    if not value.HasField("tensor"):
        raise DecodeError(f"{what} has no tensor: got {value.WhichOneof('value') or 'no value'}, want tensor")
    return value.tensor


def strings_of(value: Summary.Value, what: str) -> NDArray[np.object_]:
    """The value's string tensor, as an object array of bytes."""
    tensor = tensor_of(value, what)
    if tensor.dtype % _REF_OFFSET != DataType.DT_STRING:
        raise DecodeError(f"{what} is not a string tensor: got dtype {dtype_name(tensor.dtype)}, want DT_STRING")
    return to_array(tensor)


def numbers_of(value: Summary.Value, what: str) -> NDArray[np.float64]:
    """The value's tensor of real numbers, as float64. May be read-only."""
    array = to_array(tensor_of(value, what), max_repeated=MAX_REPEATED_IN_SERIES)
    if array.dtype.kind not in "fiub":
        raise DecodeError(f"{what} is not made of real numbers: got {array.dtype}, want float or int")
    return array.astype(np.float64, copy=False)


def from_array(values: ArrayLike, *, shape: Sequence[int] | None = None) -> Tensor:
    """A tensor of these elements, with the same bytes TensorFlow's writers give."""
    array = np.asarray(values)
    if array.dtype.kind in "OSU":
        return from_strings(array.ravel().tolist(), shape=array.shape if shape is None else shape)
    name = array.dtype.newbyteorder("=").name
    if name not in _NUMPY_TO_DTYPE:
        raise TypeError(f"no tensor dtype for numpy's {array.dtype}; want one of {', '.join(_NUMPY_TO_DTYPE)}")
    tensor = Tensor(dtype=_NUMPY_TO_DTYPE[name], tensor_shape=_shape_message(array.shape if shape is None else shape))
    flat = np.ascontiguousarray(array).ravel()
    flat = flat.astype(flat.dtype.newbyteorder("<"), copy=False)
    if name in _AS_CONTENT and flat.size > 1:
        tensor.tensor_content = flat.tobytes()
    elif name == "float16":
        tensor.half_val.extend(flat.view("<u2").tolist())
    elif flat.dtype.kind == "c":
        field = _COMPLEX[tensor.dtype][1]
        getattr(tensor, field).extend(flat.view(flat.real.dtype).tolist())
    else:
        getattr(tensor, _PLAIN[tensor.dtype][1]).extend(flat.tolist())
    return tensor


def from_strings(values: Iterable[str | bytes], *, shape: Sequence[int]) -> Tensor:
    """A string tensor of the elements in row-major order."""
    encoded = [value.encode() if isinstance(value, str) else bytes(value) for value in values]
    if len(encoded) != math.prod(shape):
        raise ValueError(f"{len(encoded)} strings do not fill shape {tuple(shape)}")
    return Tensor(dtype=DataType.DT_STRING, tensor_shape=_shape_message(shape), string_val=encoded)


def dtype_name(dtype: int) -> str:
    """DT_FLOAT for 1, and so on; the number when it has no name here."""
    return DataType.Name(dtype) if dtype in DataType.values() else str(dtype)


def _shape_message(shape: Sequence[int]) -> TensorShape:
    return TensorShape(dim=[TensorShape.Dim(size=int(size)) for size in shape])


def _shape_of(tensor: Tensor) -> tuple[int, ...]:
    shape = tuple(dim.size for dim in tensor.tensor_shape.dim)
    if len(shape) > _MAX_RANK:
        raise DecodeError(f"tensor has too many dimensions: got {len(shape)}, want at most {_MAX_RANK}")
    if any(size < 0 for size in shape):
        raise DecodeError(f"tensor has an open dimension: got shape {list(shape)}, want sizes of 0 or more")
    if 0 in shape and math.prod(size for size in shape if size) > MAX_EMPTY_ROWS:
        raise DecodeError(
            f"tensor has an impossible shape: got {list(shape)} without elements, "
            f"want sizes of at most {MAX_EMPTY_ROWS:,} together"
        )
    return shape


def _elements(tensor: Tensor, dtype: int, count: int) -> NDArray[Any]:
    """The elements in the payload, as a flat array. The caller repeats the last one for missing elements."""
    content = tensor.tensor_content
    if dtype in _PLAIN:
        numpy_dtype, field = _PLAIN[dtype]
        if content:
            flags_or_numbers = _from_content(content, "<u1" if numpy_dtype == "?" else numpy_dtype, count)
            return flags_or_numbers != 0 if numpy_dtype == "?" else flags_or_numbers
        return _from_values(getattr(tensor, field), numpy_dtype)
    if dtype in (DataType.DT_HALF, DataType.DT_BFLOAT16):
        bits = _from_content(content, "<u2", count) if content else _from_values(tensor.half_val, "<u2")
        return bits.view(np.float16) if dtype == DataType.DT_HALF else _float32_from_bfloat16(bits)
    if dtype in _COMPLEX:
        numpy_dtype, field = _COMPLEX[dtype]
        return (
            _from_content(content, numpy_dtype, count) if content else _from_pairs(getattr(tensor, field), numpy_dtype)
        )
    if dtype == DataType.DT_STRING:
        _check_string_count(count if content else len(tensor.string_val))
        return _object_array(_split_strings(content, count) if content else list(tensor.string_val))
    if dtype in _FLOAT8:
        table = _E5M2 if dtype == DataType.DT_FLOAT8_E5M2 else _E4M3FN
        codes = _from_content(content, "<u1", count) if content else np.frombuffer(tensor.float8_val, "<u1")
        return np.take(table, codes)
    raise DecodeError(f"tensor has a dtype without numbers or strings: got {dtype_name(tensor.dtype)}")


def _from_content(content: bytes, dtype: str, count: int) -> NDArray[Any]:
    want = count * np.dtype(dtype).itemsize
    if len(content) != want:
        raise DecodeError(f"tensor content does not fit its shape: got {len(content)} bytes, want {want}")
    array = np.frombuffer(content, dtype)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _from_values(values: Sequence[Any], dtype: str) -> NDArray[Any]:
    native = np.dtype(dtype).newbyteorder("=")
    # Small integers are stored as int32: read them as int64 and truncate, as C does.
    wide = np.dtype(np.int64) if native.kind in "iu" and native.itemsize < 8 else native
    return np.array(values, dtype=wide).astype(native, copy=False)


def _from_pairs(values: Sequence[float], dtype: str) -> NDArray[Any]:
    if len(values) % 2:
        raise DecodeError(f"complex tensor has half a number: got {len(values)} values, want an even count")
    native = np.dtype(dtype).newbyteorder("=")
    parts = np.array(values, dtype=np.float32 if native.itemsize == 8 else np.float64)
    return parts.view(native)


def _object_array(strings: list[bytes]) -> NDArray[np.object_]:
    array = np.empty(len(strings), dtype=object)
    array[:] = strings
    return array


def _check_string_count(count: int) -> None:
    if count > MAX_STRINGS:
        raise DecodeError(f"tensor holds too many strings: got {count:,}, want at most {MAX_STRINGS:,}")


def _split_strings(content: bytes, count: int) -> list[bytes]:
    """Strings packed by TensorFlow's C++ code: all lengths as varints, then all bytes."""
    if count > len(content):  # the length of each string takes at least a byte
        raise DecodeError(f"packed strings end early: got {len(content)} bytes for {count} strings")
    lengths, at = [], 0
    for _ in range(count):
        length, at = read_varint(content, at, "packed strings")
        lengths.append(length)
    if at + sum(lengths) != len(content):
        raise DecodeError(f"packed strings do not fit: got {len(content)} bytes, want {at + sum(lengths)}")
    strings = []
    for length in lengths:
        strings.append(content[at : at + length])
        at += length
    return strings


def _fill(elements: NDArray[Any], shape: tuple[int, ...], max_repeated: int) -> NDArray[Any]:
    count = math.prod(shape)
    if elements.size > count:
        raise DecodeError(f"tensor holds more than its shape: got {elements.size} elements, want {count}")
    if elements.size < count:
        elements = _with_last_repeated(elements, count, max_repeated)
    try:
        return elements.reshape(shape)
    except (ValueError, OverflowError) as error:
        raise DecodeError(f"tensor has an impossible shape: got {list(shape)}") from error


def _with_last_repeated(elements: NDArray[Any], count: int, limit: int) -> NDArray[Any]:
    is_strings = elements.dtype == object
    last: Any = elements[-1] if elements.size else b"" if is_strings else 0
    missing = count - elements.size
    if is_strings:
        limit = min(MAX_REPEATED_IN_SERIES, MAX_REPEATED_BYTES // max(1, len(last)))
    if missing > limit:
        raise DecodeError(
            f"tensor holds less than its shape: got {elements.size:,} elements, want {count:,}; "
            f"the last one is repeated at most {limit:,} times"
        )
    whole = np.full(count, last, dtype=elements.dtype)
    whole[: elements.size] = elements
    return whole


def _float32_from_bfloat16(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _e4m3fn_table() -> NDArray[np.float32]:
    """One sign bit, four of exponent (bias 7), three of fraction; no infinities, all ones is NaN."""
    codes = np.arange(256)
    exponent, fraction = (codes >> 3) & 15, (codes & 7) / 8
    magnitude = np.where(exponent == 0, fraction * 2.0**-6, (1 + fraction) * 2.0 ** (exponent - 7))
    magnitude[(codes & 0x7F) == 0x7F] = np.nan
    return np.where(codes & 0x80, -magnitude, magnitude).astype(np.float32)


_E4M3FN = _e4m3fn_table()
# E5M2 is the upper byte of a half.
_E5M2 = (np.arange(256, dtype=np.uint16) << 8).view(np.float16).astype(np.float32)
