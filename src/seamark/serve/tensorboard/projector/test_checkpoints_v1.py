"""Embeddings in TensorFlow's older checkpoints, which are one file: whole, in slices, of several devices, damaged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.checkpoint_tensor import stored_matrix
from seamark.format.messages import DataType, SavedSliceMeta, SavedTensorSlices, Tensor
from seamark.kinds import DecodeError
from seamark.kinds.projector.checkpoint import embeddings_in
from seamark.kinds.projector.checkpoint_table import slice_key
from seamark.kinds.projector.stored_rows import read_stored
from seamark.serve.tensorboard.projector.conftest import Get
from seamark.serve.tensorboard.projector.test_checkpoints import (
    PARTS,
    SLICES,
    WEIGHTS,
    Extents,
    table_of,
    varint,
    whole_entry,
)

WHOLE: Extents = ((0, -1), (0, -1))
DOUBLES = np.arange(6, dtype="<f8").reshape(3, 2) / 7
HALVES = (np.arange(-6, 6, dtype="<f2") / 7).reshape(6, 2)
COUNTS = np.arange(-3, 3, dtype="<i4").reshape(3, 2)
TYPES = {
    "<f4": DataType.DT_FLOAT,
    "<f8": DataType.DT_DOUBLE,
    "<f2": DataType.DT_HALF,
    "<u2": DataType.DT_BFLOAT16,  # as its bits
    "<i4": DataType.DT_INT32,
}
SlicesOf = Mapping[str, Mapping[Extents, Any]]
TENSORS: SlicesOf = {
    "counts": {WHOLE: COUNTS},
    "doubles": {WHOLE: DOUBLES},
    "halves": {WHOLE: HALVES},
    "truncated": {WHOLE: (WEIGHTS.view("<u4") >> 16).astype("<u2")},
    "weights": {WHOLE: WEIGHTS},
}


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def slice_value(name: str, array: Any) -> bytes:
    """SavedTensorSlices with the name, an empty slice and the numbers, as TensorFlow writes them."""
    numbers = Tensor()
    if array.itemsize == 2:
        numbers.half_val.extend(array.ravel().view("<u2").tolist())
    else:
        column = {"<f4": numbers.float_val, "<f8": numbers.double_val, "<i4": numbers.int_val}[array.dtype.str]
        column.extend(array.ravel().tolist())
    return field(2, field(1, name.encode()) + field(2, b"") + field(3, numbers.SerializeToString()))


def write_file(file: Path, tensors: SlicesOf, shapes: Mapping[str, tuple[int, int]] | None = None) -> Path:
    header = SavedTensorSlices()
    values = {}
    for name, slices in tensors.items():
        first = next(iter(slices.values()))
        shape = (shapes or {}).get(name, first.shape)
        entry = whole_entry(shape, slices)
        header.meta.tensor.append(
            SavedSliceMeta(name=name, shape=entry.shape, type=TYPES[first.dtype.str], slice=entry.slices)
        )
        for extents, array in slices.items():
            values[slice_key(name.encode(), extents)] = slice_value(name, array)
    entries = [(b"", header.SerializeToString()), *sorted(values.items())]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(table_of(entries[:2], entries[2:]))
    (file.parent / "checkpoint").write_text(f'model_checkpoint_path: "{file.name}"\n')
    return file


def numbers_of(prefix: Path) -> dict[str, Any]:
    return {one.name: read_stored(one, max_bytes=1 << 20, max_rows=None) for one in embeddings_in(prefix)}


def test_the_tables_of_every_type_are_read(get: Get, logdir: Path) -> None:
    prefix = write_file(logdir / "a" / "model.ckpt-3", TENSORS)
    info = get("info", run="a").json()
    assert [(one["tensorName"], one["tensorShape"]) for one in info["embeddings"]] == [
        ("counts", [3, 2]),
        ("doubles", [3, 2]),
        ("halves", [6, 2]),
        ("truncated", [4, 3]),
        ("weights", [4, 3]),
    ]
    assert get("tensor", run="a", name="weights").content == WEIGHTS.tobytes()
    assert get("tensor", run="a", name="weights", num_rows="2").content == WEIGHTS[:2].tobytes()
    assert get("tensor", run="a", name="halves", num_rows="2").content == HALVES[:2].astype("<f4").tobytes()
    want = {
        "counts": COUNTS,
        "doubles": DOUBLES.astype("<f4"),
        "halves": HALVES,
        "truncated": (WEIGHTS.view("<u4") >> 16 << 16).view("<f4"),
        "weights": WEIGHTS,
    }
    opened = {one.name: stored_matrix(one) for one in embeddings_in(prefix)}
    for name, numbers in numbers_of(prefix).items():
        np.testing.assert_array_equal(numbers, want[name], name)
        np.testing.assert_array_equal(np.concatenate(list(opened[name].blocks())), want[name], name)


def test_a_message_with_too_few_numbers_for_its_shape_is_left_out(tmp_path: Path) -> None:
    prefix = write_file(tmp_path / "model", {"halves": {WHOLE: HALVES}}, {"halves": (1_000_000, 100_000)})
    assert embeddings_in(prefix) == []


def test_a_partitioned_variable_is_put_together_also_from_several_files(tmp_path: Path) -> None:
    shapes = {"parts": PARTS.shape}
    whole = write_file(tmp_path / "model", {"parts": SLICES}, shapes)
    np.testing.assert_array_equal(numbers_of(whole)["parts"], PARTS)
    for at, (extents, array) in enumerate(SLICES.items()):
        write_file(tmp_path / f"model-{at:05d}-of-00003", {"parts": {extents: array}}, shapes)
    prefix = tmp_path / "model-?????-of-00003"
    np.testing.assert_array_equal(numbers_of(prefix)["parts"], PARTS)
    write_file(tmp_path / "model-00001-of-00003", TENSORS)
    assert set(numbers_of(prefix)) == set(TENSORS), "a slice is missing"
    with pytest.raises(DecodeError, match="too many files"):
        embeddings_in(tmp_path / "model-?????-of-99999")


def test_a_link_out_of_the_log_directory_is_not_followed(get: Get, logdir: Path) -> None:
    outside = write_file(logdir.parent / "secret" / "model", TENSORS)
    (logdir / "a" / "model").symlink_to(outside)
    (logdir / "a" / "checkpoint").write_text('model_checkpoint_path: "model"\n')
    assert get("runs").json() == []


def test_damage_is_an_error_or_changes_no_number(tmp_path: Path) -> None:
    prefix = write_file(tmp_path / "model", TENSORS)
    whole, want = prefix.read_bytes(), numbers_of(prefix)
    damaged = [whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :] for at in range(len(whole))]
    for at, data in enumerate([*damaged, *(whole[:end] for end in range(len(whole)))]):
        prefix.write_bytes(data)
        try:
            for name, numbers in numbers_of(prefix).items():
                np.testing.assert_array_equal(numbers, want[name], f"byte {at}")
            for tensor in embeddings_in(prefix):
                stored_matrix(tensor)
        except (DecodeError, EmbeddingError):
            continue
