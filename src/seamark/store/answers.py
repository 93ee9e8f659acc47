"""What the store answers with: plain values, columns as numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamark.format.types import RunName, Tag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class UnknownSeriesError(KeyError):
    """There is no such run, or it has no such series."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One run in the list of runs."""

    name: RunName
    path: Path
    first_wall: float | None
    last_wall: float | None
    files: int
    bytes: int
    series: int
    points: int  # scalar points, of all attempts
    payloads: int


@dataclass(frozen=True, slots=True)
class SeriesInfo:
    """One series of one run. Values are None for series of payloads."""

    run: RunName
    tag: Tag
    kind: str
    plugin: str
    display_name: str
    description: str
    metadata: bytes
    count: int  # of all points
    attempts: int
    first_step: int  # the smallest; this and all below of the points that count: a restart did not replace them
    last_step: int  # the greatest
    first_wall: float
    last_wall: float
    last_value: float | None = None
    min_value: float | None = None  # over finite values; NaN if there are none
    max_value: float | None = None
    nan: int = 0
    posinf: int = 0
    neginf: int = 0


@dataclass(frozen=True, slots=True)
class ScalarWindow:
    """One tag of one or many runs: the rows of `runs[i]` are `offsets[i]:offsets[i + 1]` of every column.

    A row is one point (count 1) or one bucket of neighbouring points. Columns that were not asked for are empty.
    """

    tag: Tag
    axis: str
    runs: list[RunName]
    offsets: NDArray[np.uint64]
    step: NDArray[np.int64]
    step_last: NDArray[np.int64]
    wall: NDArray[np.float64]
    wall_last: NDArray[np.float64]
    first: NDArray[np.float64]
    last: NDArray[np.float64]
    min: NDArray[np.float64]
    max: NDArray[np.float64]
    mean: NDArray[np.float64]
    count: NDArray[np.uint32]
    nan: NDArray[np.uint32]
    posinf: NDArray[np.uint32]
    neginf: NDArray[np.uint32]
    points: NDArray[np.uint64]  # per run: points inside the window
    total: NDArray[np.uint64]  # per run: points of the attempts asked for
    stored: NDArray[np.uint64]  # per run: every point there is
    smoothed: NDArray[np.float64] | None = None
    attempt: NDArray[np.uint32] | None = None
    replaced: NDArray[np.uint32] | None = None  # 1: a restart replaced these points

    def rows(self, run: RunName) -> slice:
        """The rows of one run."""
        i = self.runs.index(run)
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))


ROW_COLUMNS = (
    "step", "step_last", "wall", "wall_last", "first", "last", "min", "max", "mean", "count", "nan", "posinf", "neginf",
    "smoothed", "attempt", "replaced",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScalarPoints:
    """Points of one series in order of arrival."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)


@dataclass(frozen=True, slots=True)
class LastValue:
    """The point of a series with the greatest step, the latest written among equals."""

    step: int
    wall: float
    value: float


@dataclass(frozen=True, slots=True)
class Digests:
    """One tag of many runs, a row per run with points of it: of those that count, in order of step.

    Extremes and means are of finite values, else NaN.
    """

    runs: list[RunName]
    count: NDArray[np.uint64]
    first: NDArray[np.float64]
    last: NDArray[np.float64]
    min: NDArray[np.float64]
    max: NDArray[np.float64]
    mean: NDArray[np.float64]
    tail: NDArray[np.float64]  # the mean of the last points
    min_step: NDArray[np.float64]  # where the minimum came first
    max_step: NDArray[np.float64]
    last_step: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PayloadList:
    """The payloads of one series. `index` is what `Store.payload` takes; it does not depend on `attempts`."""

    index: NDArray[np.int64]
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    lengths: NDArray[np.uint64]
    attempt: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.index)


@dataclass(frozen=True, slots=True)
class HistogramSeries:
    """Histograms of one series; `histograms[i]` is what the kind decodes for `steps[i]`.

    One that cannot be read does not hide the others: it is None, and `problems` says why, by position.
    """

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    histograms: list[Any]
    problems: dict[int, str]
    points: int  # histograms inside the window
    total: int  # histograms of the attempts asked for
    began: float  # wall time of the first


@dataclass(frozen=True, slots=True)
class ScalarRows:
    """New points of one series, in order of arrival.

    `start` points of the series come before them (as `ScalarWindow.stored` counts): who holds more has asked meanwhile
    and skips what it has.
    """

    start: int
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Delta:
    """What changed since the last one a subscriber took.

    `runs_reset` says: what you hold of these runs is stale, ask again. It covers replaced files, loads too big to
    carry along, and points that do not belong at the end of their series.
    """

    version: int
    runs_added: frozenset[RunName] = frozenset()
    runs_removed: frozenset[RunName] = frozenset()
    runs_reset: frozenset[RunName] = frozenset()
    appended: Mapping[RunName, Mapping[Tag, ScalarRows]] = field(default_factory=dict)
    payloads: Mapping[RunName, Mapping[tuple[str, Tag], int]] = field(default_factory=dict)  # (kind, tag) → new ones
