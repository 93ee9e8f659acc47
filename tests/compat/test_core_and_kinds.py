"""The core reads scalar tensors itself; the number must be the one the kinds read from the same bytes."""

from pathlib import Path
from typing import Any

import numpy as np

from seamark.format.messages import DataType, Summary, Tensor, TensorShape
from seamark.kinds import metadata, scalar
from seamark.kinds.tensor import from_array

PLAIN = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]
NUMBERS = [0, 1, -1, 0.1, 3.75, 200, 65504, 2**31, 2**53 + 1, 2**63, np.nan, np.inf, -np.inf]


def scalar_tensor(dtype: int, **fields: Any) -> Tensor:
    return Tensor(dtype=dtype, tensor_shape=TensorShape(), **fields)


def every_tensor() -> list[Tensor]:
    found = [scalar_tensor(dtype) for dtype in (DataType.DT_FLOAT, DataType.DT_INT64, DataType.DT_BOOL)]
    with np.errstate(all="ignore"):
        for array in (np.array(number).astype(dtype) for number in NUMBERS for dtype in PLAIN):
            for shape in ([], [1], [1, 1]):
                by_value = from_array(array, shape=shape)
                by_content = Tensor(dtype=by_value.dtype, tensor_shape=by_value.tensor_shape)
                by_content.tensor_content = array.tobytes()
                found += [by_value, by_content]
    for bits in (0x0000, 0x0001, 0x3F80, 0x4049, 0x7F80, 0x7FC0, 0x8000, 0xBF80, 0xFF80):
        for dtype in (DataType.DT_BFLOAT16, DataType.DT_HALF):
            found.append(scalar_tensor(dtype, half_val=[bits]))
            found.append(scalar_tensor(dtype, tensor_content=bits.to_bytes(2, "little")))
    for code in range(256):
        for dtype in (DataType.DT_FLOAT8_E5M2, DataType.DT_FLOAT8_E4M3FN):
            found.append(scalar_tensor(dtype, float8_val=bytes([code])))
            found.append(scalar_tensor(dtype, tensor_content=bytes([code])))
    return found


def test_every_dtype_in_every_form(our_writer: Any, ours_of: Any, tmp_path: Path) -> None:
    described = metadata.encode("scalars")
    values = [Summary.Value(tag="s", metadata=described, tensor=tensor) for tensor in every_tensor()]
    for step, value in enumerate(values):
        our_writer.values(value, step=step)
    (series,) = ours_of(tmp_path)
    assert series.kind == "scalars"
    assert series.steps.tolist() == list(range(len(values)))
    want = np.array([scalar.decode(value.SerializeToString()).value for value in values])
    np.testing.assert_array_equal(series.values, want)
