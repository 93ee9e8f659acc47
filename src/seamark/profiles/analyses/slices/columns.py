"""Ends and tracks of some slices, without columns for all slices of a large trace."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.form import SliceIndices, Times, Trace


def ends_of(trace: Trace, slices: SliceIndices | slice | int) -> Times:
    return np.asarray(trace.start[slices] + trace.duration[slices])


def tracks_of(trace: Trace, slices: SliceIndices | int) -> NDArray[np.int32]:
    return np.asarray(trace.row_track[np.searchsorted(trace.row_start, slices, "right") - 1])
