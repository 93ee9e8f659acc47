"""Positions of a series' payloads in the event files of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seamark._core import Stripe

if TYPE_CHECKING:
    from numpy.typing import NDArray


class PayloadRows(NamedTuple):
    """One row per payload of a series; `file` is a position in the run's ordered files."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    offsets: NDArray[np.uint64]
    lengths: NDArray[np.uint64]
    file: NDArray[np.int64]


def joined(files: Sequence[PayloadRows]) -> PayloadRows | None:
    """Returns the rows of all files, one after the other."""
    if len(files) < 2:
        return files[0] if files else None
    return PayloadRows(*(np.concatenate(columns) for columns in zip(*files, strict=True)))


def rows_of(stripes: list[Stripe], ids: tuple[int, ...], file_position: int) -> PayloadRows:
    """Returns the rows of one file. Several ids are several forms of one tag, ordered by their offset in the file."""
    slices = []
    for stripe in stripes:
        series, starts, counts = stripe.payload_groups()
        for series_id in ids:
            at = int(np.searchsorted(series, series_id))
            if at < len(series) and series[at] == series_id:
                rows = slice(int(starts[at]), int(starts[at] + counts[at]))
                slices.append([column[rows] for column in stripe.payloads()])
    if not slices:
        empty = np.empty(0, np.uint64)
        return PayloadRows(empty.astype(np.int64), empty.astype(np.float64), empty, empty, empty.astype(np.int64))
    steps, walls, offsets, lengths = (np.concatenate(columns) for columns in zip(*slices, strict=True))
    if len(ids) > 1:
        order = np.argsort(offsets, kind="stable")
        steps, walls, offsets, lengths = steps[order], walls[order], offsets[order], lengths[order]
    return PayloadRows(steps, walls, offsets, lengths, np.full(len(steps), file_position, np.int64))
