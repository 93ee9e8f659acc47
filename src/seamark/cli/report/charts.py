"""The curves of a report: every point if they fit the budget, else downsampled as on the page."""

from __future__ import annotations

import base64
import itertools
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.cli.output.number_format import counted, size
from seamark.format.types import RunName, Tag
from seamark.plugin.columns import compacted, encode_columns
from seamark.store import RunStore, ScalarWindow

# Rows per curve: all (0), then fewer and fewer until the charts fit the budget.
WIDTHS = (0, 2000, 1000, 500, 250, 120, 60, 30)
# A lower bound for the compressed size of a point, for a quick check whether all points can fit.
MIN_BYTES_PER_POINT = 1.5
COLUMNS = ("step_last", "wall", "wall_last", "mean", "min", "max", "count", "nan", "posinf", "neginf")
ATTEMPT_COLUMNS = ("attempt", "replaced")
PER_RUN = ("offsets", "began")
MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class Chart:
    """One tag: its counts, and its columns as text."""

    tag: str
    runs: int
    points: int
    rows: int
    text: str


@dataclass(frozen=True, slots=True)
class Charts:
    charts: list[Chart]
    remarks: list[str]  # sentences for the reader


def charts_of(store: RunStore, runs: Sequence[RunName], tags: Sequence[Tag], *, budget_bytes: int) -> Charts:
    """As many rows per curve as the budget allows. If even the fewest do not fit, the last tags are left out."""
    points = points_of(store, runs, tags)
    for width in WIDTHS:
        if width == 0 and points * MIN_BYTES_PER_POINT > budget_bytes:
            continue
        charts = fitting(store, runs, tags, width, budget_bytes)
        if len(charts) == len(tags):
            return Charts(charts, [downsampled_remark(width, points, budget_bytes)] if width else [])
    left_out = [str(tag) for tag in tags[len(charts) :]]
    return Charts(charts, [downsampled_remark(width, points, budget_bytes), left_out_remark(left_out)])


def fitting(
    store: RunStore, runs: Sequence[RunName], tags: Sequence[Tag], width: int, budget_bytes: int
) -> list[Chart]:
    """The charts before the first that exceeds the budget."""
    charts: list[Chart] = []
    for tag in tags:
        chart = chart_of(
            store.scalars(runs, tag, max_points=width, attempts="marked", columns=(*COLUMNS, *ATTEMPT_COLUMNS))
        )
        budget_bytes -= len(chart.text)
        if budget_bytes < 0:
            break
        charts.append(chart)
    return charts


def chart_of(window: ScalarWindow) -> Chart:
    columns, shared = compacted(columns_of(window), per_run=PER_RUN)
    block = encode_columns({"tag": window.tag, "runs": window.runs}, columns, shared=shared)
    text = base64.b64encode(zlib.compress(block, 6)).decode("ascii")
    return Chart(window.tag, len(window.runs), int(window.points.sum()), len(window.mean), text)


def columns_of(window: ScalarWindow) -> dict[str, NDArray[Any]]:
    """The columns that the page of the report reads: times since each run's first point; no empty columns."""
    offsets = window.offsets.astype(np.uint32)
    lengths = offsets[1:] - offsets[:-1]
    # What a restart replaced comes first, though it may have begun later.
    began = np.array([window.wall[start:end].min(initial=np.inf) for start, end in itertools.pairwise(offsets)])
    began[lengths == 0] = 0
    columns: dict[str, NDArray[Any]] = {"offsets": offsets, "began": began, "step_last": window.step_last}
    columns["relative"] = window.wall_last - np.repeat(began, lengths)
    columns["mean"] = window.mean
    if (window.count > 1).any():
        columns |= {"min": window.min, "max": window.max, "count": window.count}
    if window.attempt is not None and window.replaced is not None and window.replaced.any():
        columns |= {"attempt": window.attempt, "replaced": window.replaced}
    for name in ("nan", "posinf", "neginf"):
        column: NDArray[np.uint32] = getattr(window, name)
        if column.any():
            columns[name] = column
    return columns


def points_of(store: RunStore, runs: Sequence[RunName], tags: Sequence[Tag]) -> int:
    return sum(
        int(store.scalars(runs, tag, max_points=1, attempts="marked", columns=("count",)).total.sum()) for tag in tags
    )


def downsampled_remark(width: int, points: int, budget_bytes: int) -> str:
    return (
        f"The charts show {counted(points, 'point')}, which do not fit into {size(budget_bytes)} (--max_mb): "
        f"each curve is downsampled to at most {counted(width, 'row')}, which keep the lowest, the highest and "
        "the mean of the points behind them."
    )


def left_out_remark(tags: list[str]) -> str:
    named = ", ".join(tags[:MAX_NAMED]) + (", …" if len(tags) > MAX_NAMED else "")
    return f"{counted(len(tags), 'chart')} still did not fit and {'is' if len(tags) == 1 else 'are'} left out: {named}."
