"""Describes the series of runs, from the numbers that are stored with each."""

from __future__ import annotations

from collections.abc import Sequence

from seamark.clickhouse.client import Client
from seamark.clickhouse.live_catalogue import ShownRun
from seamark.clickhouse.rows import SCALARS
from seamark.clickhouse.series_numbers import Numbers, read_runs_series
from seamark.format.types import Tag
from seamark.store import SeriesInfo
from seamark.store.ask.series_info import described

_INFO_NUMBERS = (
    "points", "attempts", "first_step", "last_step", "first_wall", "last_wall", "last_value", "min_value", "max_value",
    "nan_count", "posinf_count", "neginf_count",
)  # fmt: skip


def read_series_infos(client: Client, runs: Sequence[ShownRun], kind: str | None) -> list[SeriesInfo]:
    """Returns the series of this kind, or all, by run and in order of appearance."""
    by_key = {run.row.run: run for run in runs if run.has_kind(kind)}
    found = read_runs_series(client, list(by_key), kind, _INFO_NUMBERS)
    return [_series_info(by_key[key], kind_name, tag, numbers) for key, kind_name, tag, numbers in found]


def _series_info(run: ShownRun, kind: str, tag: Tag, numbers: Numbers) -> SeriesInfo:
    metadata = dict(run.metadata_of(kind))[tag]
    plugin, display_name, description = described(metadata)
    values = {name.removesuffix("_count"): value for name, value in numbers.items() if name != "points"}
    if kind != SCALARS:
        values |= {"last_value": None, "min_value": None, "max_value": None}
    return SeriesInfo(
        run.row.name, tag, kind, plugin or kind, display_name, description, metadata, count=numbers["points"], **values
    )
