"""Every scalar point of a store, batch by batch: for tables that hold more than fits into memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seamark.format.types import RunName, Tag
from seamark.store.series_info import SCALARS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from seamark.store.store import Attempts, Store

BATCH_ROWS = 1 << 16
EVERYTHING = re.compile("")


@dataclass(frozen=True, slots=True)
class ScalarBatch:
    """Neighbouring points of one series, in the order in which they were logged."""

    run: RunName
    tag: Tag
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)


def scalar_batches(
    store: Store,
    *,
    runs: re.Pattern[str] = EVERYTHING,
    tags: re.Pattern[str] = EVERYTHING,
    attempts: Attempts = "all",
) -> Iterator[ScalarBatch]:
    """Run by run in the order of the list of runs, tag by tag; of each series every point."""
    listed = store.tags(SCALARS)
    for info in store.runs():
        if not runs.search(info.name):
            continue
        for tag in listed.get(info.name, {}).get(SCALARS, []):
            if tags.search(tag):
                window = store.scalars(info.name, tag, attempts=attempts, columns=["step", "wall", "last"])
                for start in range(0, len(window.step), BATCH_ROWS):
                    rows = slice(start, start + BATCH_ROWS)
                    yield ScalarBatch(info.name, tag, window.step[rows], window.wall[rows], window.last[rows])
