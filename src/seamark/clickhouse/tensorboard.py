"""Points and payloads as TensorBoard's Python backend keeps them, in its order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seamark.clickhouse.client import Client
from seamark.clickhouse.live_catalogue import ShownRun
from seamark.clickhouse.points import pull_points
from seamark.clickhouse.rows import SCALARS
from seamark.clickhouse.series_numbers import read_tag
from seamark.format.types import RunName, Tag
from seamark.store import LastValue, PayloadList, ScalarPoints
from seamark.store.ask.tensorboard_order import kept_positions

_NO_POINTS = (np.empty(0, np.int64), np.empty(0), np.empty(0))
_LAST = ("points", "is_regular", "attempts", "last_step", "last_point_wall", "last_value")


def read_scalars(client: Client, tag: Tag, runs: Sequence[ShownRun]) -> dict[RunName, ScalarPoints]:
    ranges = {run.row.run: run.tensorboard_ranges(SCALARS, tag) for run in runs}
    found = pull_points(client, tag, list(ranges))
    answer = {}
    for run in runs:
        rows = found.get(run.row.run)
        steps, walls, values = _NO_POINTS if rows is None else (rows.steps, rows.walls, rows.values)
        kept = kept_positions(ranges[run.row.run], steps)
        answer[run.row.name] = ScalarPoints(steps[kept], walls[kept], values[kept])
    return answer


def read_last_values(client: Client, tag: Tag, runs: Sequence[ShownRun]) -> dict[RunName, LastValue]:
    """Of a series in order and without restarts, the last point is stored with it; of others the points are read."""
    plain = [run for run in runs if not run.tensorboard_ranges(SCALARS, tag)]
    numbers = read_tag(client, SCALARS, tag, [run.row.run for run in plain], _LAST)
    in_order = {key for key, one in numbers.items() if one["is_regular"] and one["attempts"] <= 1 and one["points"]}
    others = read_scalars(client, tag, [run for run in runs if run.row.run not in in_order])
    answer = {}
    for run in runs:
        if run.row.run in in_order:
            one = numbers[run.row.run]
            answer[run.row.name] = LastValue(*(one[name] for name in _LAST[3:]))
        elif len(points := others[run.row.name]):
            last = int(points.steps[-1]), float(points.walls[-1]), float(points.values[-1])
            answer[run.row.name] = LastValue(*last)
    return answer


def kept_payloads(run: ShownRun, tag: Tag, kind: str, every: PayloadList) -> PayloadList:
    """Returns what TensorBoard keeps of all payloads, `every` in order of arrival."""
    kept = kept_positions(run.tensorboard_ranges(kind, tag), every.steps)
    attempt = np.zeros(len(kept), np.uint32)
    return PayloadList(every.index[kept], every.steps[kept], every.walls[kept], every.lengths[kept], attempt)
