"""Launch parameters of kernels: grid and block, registers, shared memory, occupancy."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.slices.argument_values import find_launch_shapes
from seamark.profiles.form import SliceIndices, Trace
from seamark.profiles.profile import Profile


class LaunchParameters(NamedTuple):
    """One entry for each of some slices; NaN: the trace does not say it."""

    shape: NDArray[np.int64]  # position in shapes
    shapes: list[tuple[str, str]]  # grid and block: ("4, 106, 1", "128, 1, 1"), or empty texts
    registers: NDArray[np.float64]
    shared_memory: NDArray[np.float64]
    occupancy: NDArray[np.float64]  # percent
    blocks_per_sm: NDArray[np.float64]


def find_launch_parameters(profile: Profile, slices: SliceIndices) -> LaunchParameters:
    """Raises OSError, ProfileError."""
    trace = profile.trace
    shape, texts = find_launch_shapes(profile, slices)
    return LaunchParameters(
        shape=shape,
        shapes=[grid_and_block(text) for text in texts],
        registers=field_of(trace, "registers per thread", slices),
        shared_memory=field_of(trace, "shared memory", slices),
        occupancy=field_of(trace, "est. achieved occupancy %", slices),
        blocks_per_sm=field_of(trace, "blocks per SM", slices),
    )


def grid_and_block(json: bytes) -> tuple[str, str]:
    if not json:
        return "", ""
    grid, block = msgspec.json.decode(json)
    return size_text(grid), size_text(block)


def size_text(size: Any) -> str:
    """[4, 106, 1] as "4, 106, 1"."""
    if isinstance(size, list):
        return ", ".join(str(part) for part in size)
    return "" if size is None else str(size)


def field_of(trace: Trace, name: str, slices: SliceIndices) -> NDArray[np.float64]:
    """A number of each slice; NaN for those without."""
    indices, values = trace.field(name)
    if not len(indices):
        return np.full(len(slices), np.nan)
    at = np.minimum(np.searchsorted(indices, slices), len(indices) - 1)
    return np.where(indices[at] == slices, values[at].astype(np.float64), np.nan)
