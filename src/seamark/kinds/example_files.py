"""The files of logged examples in a run's folder: the features once, the predictions for each step.

    logged_examples/NAME/set.json         the name of the set
    logged_examples/NAME/DIGEST.table     the columns; DIGEST is the hash of their values
    logged_examples/NAME/STEP.scores      the predictions of one step, and the table that they are of

Tables and scores are archives of NumPy arrays without objects. They have their own endings, because other readers take
a matrix in an .npz file of a run for an embedding.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.format.npz import ArrayError, read_arrays, write_arrays
from seamark.kinds.payload import DecodeError

FOLDER, SET_FILE = "logged_examples", "set.json"
TABLE_SUFFIX, SCORES_SUFFIX = ".table", ".scores"
SCORES_NAME = re.compile(r"(-?\d{1,19})\.scores")
DIGEST = re.compile(r"[0-9a-f]{32}")
MAX_BYTES = 2 << 30
HEADER = "header"


class SetFile(msgspec.Struct, frozen=True):
    name: str
    version: int = 1


@dataclass(frozen=True, eq=False)
class ExampleColumn:
    """Numbers or booleans; or codes of names, -1 if it is missing; or pictures, one behind the other."""

    name: str
    numbers: NDArray[Any] | None = None
    codes: NDArray[np.int32] | None = None
    names: tuple[str, ...] = ()
    offsets: NDArray[np.int64] | None = None  # of pictures: one more than rows
    pictures: NDArray[np.uint8] | None = None


@dataclass(frozen=True, eq=False)
class ExampleTable:
    columns: tuple[ExampleColumn, ...]
    rows: int
    truth: str = ""  # the column with the truth


@dataclass(frozen=True, eq=False)
class ModelScores:
    scores: NDArray[np.float64]  # [rows], or [rows, classes]
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ExampleScores:
    table: str  # the digest of the table
    models: Mapping[str, ModelScores]


class _Column(msgspec.Struct, frozen=True):
    name: str
    names: tuple[str, ...] = ()


class _TableHeader(msgspec.Struct, frozen=True):
    columns: tuple[_Column, ...]
    rows: int
    truth: str = ""
    version: int = 1


class _ScoresHeader(msgspec.Struct, frozen=True):
    table: str
    models: tuple[_Column, ...]
    version: int = 1


def encode_table(table: ExampleTable) -> bytes:
    return _packed(_table_arrays(table))


def table_digest(table: ExampleTable) -> str:
    """Depends only on the values."""
    digest = hashlib.blake2b(digest_size=16)
    for name, array in _table_arrays(table).items():
        digest.update(f"{name} {array.dtype.str} {array.shape}\0".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _table_arrays(table: ExampleTable) -> dict[str, NDArray[Any]]:
    header = _TableHeader(tuple(_Column(c.name, c.names) for c in table.columns), table.rows, table.truth)
    arrays = {HEADER: _header_array(header)}
    for index, column in enumerate(table.columns):
        for part in ("numbers", "codes", "offsets", "pictures"):
            array = getattr(column, part)
            if array is not None:
                arrays[f"{index}.{part}"] = array
    return arrays


def decode_table(data: bytes) -> ExampleTable:
    """Raises DecodeError."""
    arrays = _unpacked(data)
    header = _header(arrays, _TableHeader)
    columns = []
    for index, entry in enumerate(header.columns):
        parts = {p: arrays.get(f"{index}.{p}") for p in ("numbers", "codes", "offsets", "pictures")}
        column = ExampleColumn(entry.name, names=entry.names, **parts)
        _check_column(column, header.rows)
        columns.append(column)
    return ExampleTable(tuple(columns), header.rows, header.truth)


def encode_scores(scores: ExampleScores) -> bytes:
    header = _ScoresHeader(scores.table, tuple(_Column(name, m.classes) for name, m in scores.models.items()))
    arrays: dict[str, NDArray[Any]] = {HEADER: _header_array(header)}
    arrays |= {str(index): model.scores for index, model in enumerate(scores.models.values())}
    return _packed(arrays)


def decode_scores(data: bytes) -> ExampleScores:
    """Raises DecodeError."""
    arrays = _unpacked(data)
    header = _header(arrays, _ScoresHeader)
    if not DIGEST.fullmatch(header.table):
        raise DecodeError("the predictions do not name their examples")
    models = {}
    for index, entry in enumerate(header.models):
        found = arrays.get(str(index))
        if found is None or found.dtype.kind not in "fiub" or found.ndim not in (1, 2):
            raise DecodeError(f"the predictions of '{entry.name}' are damaged")
        if found.ndim == 2 and len(entry.names) != found.shape[1]:
            raise DecodeError(
                f"the predictions of '{entry.name}' have {found.shape[1]} classes, {len(entry.names)} names"
            )
        models[entry.name] = ModelScores(found.astype(np.float64), entry.names)
    return ExampleScores(header.table, models)


def steps_of(names: Iterable[str]) -> list[int]:
    """The steps of the files in the folder of a set, in ascending order."""
    return sorted(int(match[1]) for name in names if (match := SCORES_NAME.fullmatch(name)))


def _check_column(column: ExampleColumn, rows: int) -> None:
    what = f"the column '{column.name}' is damaged"
    if column.numbers is not None:
        is_right = column.numbers.dtype.kind in "fiub" and column.numbers.shape == (rows,)
    elif column.codes is not None:
        codes = column.codes
        is_right = codes.dtype == np.int32 and codes.shape == (rows,)
        is_right = is_right and (not rows or (int(codes.min()) >= -1 and int(codes.max()) < len(column.names)))
    elif column.offsets is not None and column.pictures is not None:
        offsets, data = column.offsets, column.pictures
        is_right = offsets.dtype == np.int64 and offsets.shape == (rows + 1,) and data.dtype == np.uint8
        is_right = is_right and offsets[0] == 0 and offsets[-1] == data.size and bool(np.all(np.diff(offsets) >= 0))
    else:
        is_right = False
    if not is_right:
        raise DecodeError(what)


def _header_array(header: msgspec.Struct) -> NDArray[Any]:
    return np.frombuffer(msgspec.json.encode(header), np.uint8)


def _header(arrays: Mapping[str, NDArray[Any]], type: type[Any]) -> Any:
    if HEADER not in arrays:
        raise DecodeError("this is no file of logged examples")
    try:
        return msgspec.json.decode(arrays[HEADER].tobytes(), type=type)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DecodeError(f"the header of logged examples is damaged: {error}") from error


def _packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    stream = io.BytesIO()
    write_arrays(stream, arrays, compress=True)
    return stream.getvalue()


def _unpacked(data: bytes) -> dict[str, NDArray[Any]]:
    try:
        return read_arrays(data, MAX_BYTES)
    except ArrayError as error:
        raise DecodeError(f"logged examples cannot be read: {error}") from error
