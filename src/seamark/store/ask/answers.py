"""The result types of queries: plain values, columns as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from seamark._core import OPTIONAL_WINDOW_COLUMNS, WINDOW_COLUMNS
from seamark.format.types import RunName, Tag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Axis = Literal["step", "relative", "wall"]
Attempts = Literal["latest", "all"]
MarkedAttempts = Literal["latest", "all", "marked"]


class UnknownSeriesError(KeyError):
    """The run does not exist, or does not have the series."""

    def __str__(self) -> str:
        return str(self.args[0])


class SeriesInfo(Struct, frozen=True):
    """One series of one run. Values are None for payloads."""

    run: RunName
    tag: Tag
    kind: str
    plugin: str
    display_name: str
    description: str
    metadata: bytes
    count: int  # all points, of all attempts
    attempts: int
    first_step: int  # the smallest; this and all below are of the points that no restart replaced
    last_step: int  # the greatest
    first_wall: float
    last_wall: float
    last_value: float | None = None
    min_value: float | None = None  # over finite values; NaN if there are none
    max_value: float | None = None
    nan: int = 0
    posinf: int = 0
    neginf: int = 0


class ScalarWindow(Struct, frozen=True):
    """One tag of one or many runs: the rows of `runs[i]` are `offsets[i]:offsets[i + 1]` of every column.

    A row is one point (count 1) or one bucket of neighbouring points. Columns that were not requested are empty.
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
    total: NDArray[np.uint64]  # per run: points of the requested attempts
    stored: NDArray[np.uint64]  # per run: all points
    weight: NDArray[np.float64] | None = None  # per run: of the moving average, from one point to the next
    smoothed: NDArray[np.float64] | None = None
    attempt: NDArray[np.uint32] | None = None
    replaced: NDArray[np.uint32] | None = None  # 1: a restart replaced these points

    def rows(self, run: RunName) -> slice:
        """Returns the rows of one run."""
        i = self.runs.index(run)
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))


# The columns of a ScalarWindow with a value per row; the optional ones are None if there is nothing to tell.
ROW_COLUMNS = (*WINDOW_COLUMNS, *OPTIONAL_WINDOW_COLUMNS)


class ScalarPoints(Struct, frozen=True):
    """Points of one series in order of arrival."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)


class LastValue(Struct, frozen=True):
    """The point of a series with the greatest step, the last written among equals."""

    step: int
    wall: float
    value: float


class Digests(Struct, frozen=True):
    """Statistics of one tag, a row per run that has it, over the points that no restart replaced, in order of step.

    Extremes and means are over finite values; NaN if there are none.
    """

    runs: list[RunName]
    count: NDArray[np.uint64]
    first: NDArray[np.float64]
    last: NDArray[np.float64]
    min: NDArray[np.float64]
    max: NDArray[np.float64]
    mean: NDArray[np.float64]
    tail: NDArray[np.float64]  # the mean of the last points
    min_step: NDArray[np.float64]  # of the first minimum
    max_step: NDArray[np.float64]
    last_step: NDArray[np.float64]


class PayloadList(Struct, frozen=True):
    """The payloads of one series. `index` is the argument of `Store.payload`; it does not depend on `attempts`."""

    index: NDArray[np.int64]
    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    lengths: NDArray[np.uint64]
    attempt: NDArray[np.uint32]
    replaced: int = 0  # so many at the end were replaced by a restart; only with attempts="marked"

    def __len__(self) -> int:
        return len(self.index)


class HistogramSeries(Struct, frozen=True):
    """Histograms of one series; `histograms[i]` is the decoded histogram at `steps[i]`.

    One that cannot be decoded is None, and `problems` has the reason by position.
    """

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    histograms: list[Any]
    problems: dict[int, str]
    points: int  # histograms inside the window
    total: int  # histograms of the requested attempts
    began: float  # wall time of the first
    replaced: int = 0  # so many at the end were replaced by a restart; only with attempts="marked"
