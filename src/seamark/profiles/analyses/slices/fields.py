"""Fields of some instants or slices: one value for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.form import SliceField, SliceIndices, Trace


def values_of(fields: Mapping[str, SliceField], indices: SliceIndices, *names: str) -> NDArray[Any] | None:
    """The first field that some of them have; 0 where one is missing."""
    for name in names:
        field = fields.get(name)
        if field is None or not len(field.indices) or not len(indices):
            continue
        at = np.minimum(np.searchsorted(field.indices, indices), len(field.indices) - 1)
        found = field.indices[at] == indices
        if found.any():
            return np.where(found, field.values[at], 0)
    return None


def with_names(trace: Trace, column: NDArray[np.uint32], *names: str) -> SliceIndices:
    """The positions in a column of names that have one of the texts."""
    ids = [index for index, entry in enumerate(trace.names) if entry.text in names]
    return np.flatnonzero(np.isin(column, ids)) if ids else np.empty(0, np.int64)
