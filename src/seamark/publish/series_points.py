"""Every point of a series as a block that the page computes windows from (web/src/data/site/series/series_points.ts).

The columns are in order of arrival. Steps with equal distances are in the header. Wall times are stored as the
differences of their bit patterns, which are small numbers, and all columns byte by byte: first the lowest bytes of all
points, then the next. A compressor then finds what repeats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.plugin.columns import encode_columns
from seamark.store import MarkedPoints

MAX_EXACT_STEP = 2**53


def encode_points(points: MarkedPoints) -> bytes:
    header: dict[str, object] = {"count": len(points.steps)}
    columns: dict[str, NDArray[Any]] = {}
    if (strides := equal_strides(points.steps)) is not None:
        header["steps"] = strides
    else:
        columns["step"] = byte_planes(differences(points.steps))
    columns["wall"] = byte_planes(differences(points.walls.view(np.int64)))
    header["narrow"] = is_narrow(points.values)
    columns["value"] = byte_planes(points.values.astype(np.float32) if header["narrow"] else points.values)
    header["spans"] = spans_of(points)
    return encode_columns(header, columns)


def equal_strides(steps: NDArray[np.int64]) -> dict[str, int] | None:
    """The first step and the distance between two, if all have the same."""
    strides = np.diff(steps)
    if not len(steps) or not (strides == (strides[0] if len(strides) else 0)).all() or not is_exact(steps):
        return None
    return {"first": int(steps[0]), "stride": int(strides[0]) if len(strides) else 0}


def is_narrow(values: NDArray[np.float64]) -> bool:
    """Whether float32 has the same numbers, bit by bit."""
    with np.errstate(over="ignore"):  # a value too large for float32 is not equal to its infinity
        narrow = values.astype(np.float32)
    return bool((narrow.astype(np.float64).view(np.int64) == values.view(np.int64)).all())


def is_exact(steps: NDArray[np.int64]) -> bool:
    return bool((np.abs(steps) < MAX_EXACT_STEP).all())


def differences(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first word, and then each minus the one before, modulo 2^64."""
    return np.diff(words, prepend=np.zeros(1, np.int64))


def byte_planes(column: NDArray[Any]) -> NDArray[np.uint8]:
    little = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))
    planes = little.view(np.uint8).reshape(-1, little.dtype.itemsize)
    return np.ascontiguousarray(planes.T).reshape(-1)


def spans_of(points: MarkedPoints) -> list[list[int]]:
    """[first row, attempt, whether a restart replaced it] of each stretch of rows that are alike."""
    if not len(points.steps):
        return []
    marks = points.attempt.astype(np.int64) * 2 + points.is_replaced
    starts = [0, *(np.flatnonzero(np.diff(marks)) + 1).tolist()]
    return [[start, int(points.attempt[start]), int(points.is_replaced[start])] for start in starts]
