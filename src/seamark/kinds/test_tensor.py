"""Tensors of every dtype, with elements in every field."""

from typing import Any

import numpy as np
import pytest

from seamark.format.messages import DataType, Tensor, TensorShape
from seamark.kinds.payload import DecodeError
from seamark.kinds.tensor import from_array, from_strings, to_array


def tensor(dtype: int, shape: list[int], **fields: Any) -> Tensor:
    return Tensor(dtype=dtype, tensor_shape=TensorShape(dim=[TensorShape.Dim(size=n) for n in shape]), **fields)


NUMERIC = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16"]


@pytest.mark.parametrize("shape", [(), (1,), (0,), (0, 3), (2, 3), (1, 1, 1)])
@pytest.mark.parametrize("dtype", NUMERIC)
def test_every_numeric_dtype_is_decoded_as_it_was_encoded(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.arange(int(np.prod(shape))) % 2 * 5).reshape(shape).astype(dtype)
    again = to_array(Tensor.FromString(from_array(array).SerializeToString()))
    assert again.dtype == array.dtype
    np.testing.assert_array_equal(again, array)


def test_big_endian_arrays_are_written_little_endian() -> None:
    np.testing.assert_array_equal(to_array(from_array(np.arange(4, dtype=">i4"))), np.arange(4))


@pytest.mark.parametrize(
    ("dtype", "field", "values", "want"),
    [
        (DataType.DT_FLOAT, "float_val", [1.5, -2.0], [1.5, -2.0]),
        (DataType.DT_DOUBLE, "double_val", [0.1, 1e300], [0.1, 1e300]),
        (DataType.DT_INT8, "int_val", [-1, 127], [-1, 127]),
        (DataType.DT_UINT8, "int_val", [255, 0], [255, 0]),
        (DataType.DT_INT64, "int64_val", [-(2**63), 2**63 - 1], [-(2**63), 2**63 - 1]),
        (DataType.DT_UINT32, "uint32_val", [2**32 - 1, 0], [2**32 - 1, 0]),
        (DataType.DT_UINT64, "uint64_val", [2**64 - 1, 0], [2**64 - 1, 0]),
        (DataType.DT_BOOL, "bool_val", [True, False], [True, False]),
        (DataType.DT_HALF, "half_val", [0x3C00, 0xC000], [1.0, -2.0]),
        (DataType.DT_BFLOAT16, "half_val", [0x3F80, 0xC000], [1.0, -2.0]),
        (DataType.DT_COMPLEX64, "scomplex_val", [1, 2, 3, 4], [1 + 2j, 3 + 4j]),
        (DataType.DT_COMPLEX128, "dcomplex_val", [1, 2, 3, 4], [1 + 2j, 3 + 4j]),
        (DataType.DT_FLOAT8_E5M2, "float8_val", b"\x3c\xfc", [1.0, -np.inf]),
        (DataType.DT_FLOAT8_E4M3FN, "float8_val", b"\x38\x7e", [1.0, 448.0]),
        (DataType.DT_STRING, "string_val", [b"a\0", b""], [b"a\0", b""]),
    ],
)
def test_single_values_are_read_from_the_field_of_their_dtype(dtype: int, field: str, values: Any, want: Any) -> None:
    assert to_array(tensor(dtype, [2], **{field: values})).tolist() == want


def test_missing_elements_repeat_the_last_one() -> None:
    assert to_array(tensor(DataType.DT_FLOAT, [4], float_val=[1.0, 2.0])).tolist() == [1, 2, 2, 2]
    assert to_array(tensor(DataType.DT_INT32, [2, 2], int_val=[7])).tolist() == [[7, 7], [7, 7]]
    assert to_array(tensor(DataType.DT_COMPLEX64, [2], scomplex_val=[1, 2])).tolist() == [1 + 2j, 1 + 2j]
    assert to_array(tensor(DataType.DT_STRING, [3], string_val=[b"x"])).tolist() == [b"x", b"x", b"x"]


def test_without_elements_a_tensor_is_zero() -> None:
    assert to_array(tensor(DataType.DT_FLOAT, [])).item() == 0.0
    assert to_array(tensor(DataType.DT_STRING, [2])).tolist() == [b"", b""]


def test_bfloat16_content_becomes_float32() -> None:
    array = to_array(tensor(DataType.DT_BFLOAT16, [2], tensor_content=b"\x80\x3f\x00\x40"))
    assert array.dtype == np.float32
    assert array.tolist() == [1.0, 2.0]


def test_float8_e4m3fn_has_nan_and_subnormals() -> None:
    array = to_array(tensor(DataType.DT_FLOAT8_E4M3FN, [3], tensor_content=b"\x7f\x01\x81"))
    assert np.isnan(array[0])
    assert array[1:].tolist() == [2**-9, -(2**-9)]


def test_bytes_other_than_one_are_true() -> None:
    assert to_array(tensor(DataType.DT_BOOL, [3], tensor_content=b"\x00\x01\x02")).tolist() == [False, True, True]


def test_strings_packed_into_content_are_split() -> None:
    packed = b"\x03\x00\x02" + b"abc" + b"" + b"de"
    assert to_array(tensor(DataType.DT_STRING, [3], tensor_content=packed)).tolist() == [b"abc", b"", b"de"]
    with pytest.raises(DecodeError, match="do not fit"):
        to_array(tensor(DataType.DT_STRING, [3], tensor_content=packed[:-1]))


def test_reference_dtypes_are_their_base_dtypes() -> None:
    assert to_array(tensor(101, [], float_val=[2.5])).item() == 2.5


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (tensor(DataType.DT_FLOAT, [2], tensor_content=b"\0" * 7), "got 7 bytes, want 8"),
        (tensor(DataType.DT_FLOAT, [1], float_val=[1, 2]), "got 2 elements, want 1"),
        (tensor(DataType.DT_FLOAT, [2**62, 2**62], float_val=[1]), "is repeated at most 1,000,000 times"),
        (tensor(DataType.DT_STRING, [1 << 27], string_val=[b"x"]), "is repeated at most 1,000 times"),
        (tensor(DataType.DT_STRING, [1000], string_val=[b"x" * 1_000_000]), "is repeated at most 1 times"),
        (tensor(DataType.DT_FLOAT, [0, 2**62, 2**62]), "impossible shape"),
        (tensor(DataType.DT_STRING, [2**40, 0]), "impossible shape"),
        (tensor(DataType.DT_STRING, [1_000_001], tensor_content=b"\0" * 1_000_001), "too many strings"),
        (tensor(DataType.DT_FLOAT, [-1], float_val=[1]), "open dimension"),
        (tensor(DataType.DT_FLOAT, [1] * 33, float_val=[1]), "too many dimensions"),
        (tensor(DataType.DT_COMPLEX64, [1], scomplex_val=[1]), "half a number"),
        (tensor(DataType.DT_RESOURCE, []), "DT_RESOURCE"),
        (tensor(0, []), "DT_INVALID"),
        (tensor(77, []), "got 77"),
        (tensor(DataType.DT_STRING, [2], tensor_content=b"\xff"), "end early"),
        (tensor(DataType.DT_STRING, [1], tensor_content=b"\xff"), "broken length"),
    ],
)
def test_invalid_tensors_are_errors(broken: Tensor, reason: str) -> None:
    with pytest.raises(DecodeError, match=reason):
        to_array(broken)


def test_strings_must_fill_their_shape() -> None:
    with pytest.raises(ValueError, match="do not fill"):
        from_strings(["a"], shape=[2])


def test_unsupported_dtypes_are_rejected() -> None:
    with pytest.raises(TypeError, match="datetime64"):
        from_array(np.zeros(1, dtype="M8[s]"))
