"""The column format, byte by byte."""

from __future__ import annotations

import numpy as np
import pytest

from seamark.plugin.columns import compacted, decode_columns, encode_columns


def test_columns_survive_encoding_and_decoding() -> None:
    columns = {
        "step": np.array([-1, 2**62], np.int64),
        "mean": np.array([np.nan, np.inf, 0.5]),
        "count": np.array([1, 2, 2**32 - 1], np.uint32),
        "offsets": np.array([0, 2**63], np.uint64),
        "empty": np.array([], np.float64),
    }
    header, got = decode_columns(encode_columns({"tag": "lösš/<b>"}, columns))
    assert header == {"tag": "lösš/<b>"}
    assert list(got) == list(columns)
    for name, column in columns.items():
        np.testing.assert_array_equal(got[name], column)


def test_every_column_starts_on_a_multiple_of_eight_bytes() -> None:
    odd = np.array([7], np.uint32)
    for tag in ("", "a", "ab", "abcdefg"):
        block = encode_columns({"tag": tag}, {"a": odd, "b": odd, "c": np.array([1.0])})
        size = int.from_bytes(block[8:12], "little")
        assert size % 8 == 0
        assert len(block) == 16 + size + 8 + 8 + 8
        assert block[16 + size :][:4] == b"\x07\0\0\0"
        assert block[-8:] == b"\0\0\0\0\0\0\xf0?"


def test_slices_and_big_endian_arrays_are_converted() -> None:
    block = encode_columns({}, {"a": np.arange(6.0)[::2], "b": np.array([1, 2], ">i8")})
    _, got = decode_columns(block)
    assert got["a"].tolist() == [0.0, 2.0, 4.0]
    assert got["b"].tolist() == [1, 2]


def test_an_unknown_type_is_an_error() -> None:
    with pytest.raises(TypeError, match="column 'half'"):
        encode_columns({}, {"half": np.zeros(2, np.float16)})


def test_other_bytes_are_an_error() -> None:
    with pytest.raises(ValueError, match="not a block of columns"):
        decode_columns(b"<!doctype html>")


def test_compact_columns_are_narrow_and_shared() -> None:
    offsets = np.array([0, 3, 5, 5], np.uint64)
    columns = {
        "offsets": offsets,
        "step": np.array([0, 1, 2, 0, 1], np.int64),
        "wall": np.array([1.7e9, 1.7e9 + 1, 1.7e9 + 2, 1.7e9, 1.7e9 + 5]),
        "mean": np.array([0.1, np.nan, np.inf, 0.5, -1.0]),
        "count": np.array([1, 300, 1, 1, 1], np.uint32),
        "huge": np.array([2**40, 1, 2, 3, 4], np.int64),
    }
    compact, shared = compacted(columns, per_run=["offsets"])
    assert shared == {"step"}
    assert {name: column.dtype.str for name, column in compact.items()} == {
        "offsets": "<u8",
        "step": "<i4",
        "wall": "<f8",
        "mean": "<f4",
        "count": "<u2",
        "huge": "<i8",
    }
    assert compact["step"].tolist() == [0, 1, 2]
    _, read = decode_columns(encode_columns({}, compact, shared=shared))
    assert read["step"].tolist() == columns["step"].tolist()
    assert read["mean"] == pytest.approx(columns["mean"], nan_ok=True)


def test_compacting_empty_columns() -> None:
    columns = {"offsets": np.array([0], np.uint64), "mean": np.array([])}
    compact, shared = compacted(columns, per_run=["offsets"])
    assert (compact["mean"].size, shared) == (0, set())
