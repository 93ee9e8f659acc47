"""Statistics and last values of one tag over many runs, from the numbers that are stored with each series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.clickhouse.client import Client
from seamark.clickhouse.points import CURRENT_SQL, PLACED
from seamark.clickhouse.rows import SCALARS, STORED_TAIL, name_hash
from seamark.clickhouse.series_numbers import read_tag
from seamark.format.types import RunName, Tag
from seamark.store import Digests, LastValue

KEYS = "wanted_keys"  # an external table: the keys of many runs
_FIELDS = ("count", "first", "last", "min", "max", "mean", "tail", "min_step", "max_step", "last_step")


def read_digests(client: Client, tag: Tag, runs: Mapping[int, RunName], *, tail: int) -> Digests:
    keys = np.fromiter(runs, np.uint64, len(runs))
    columns = _newest(client, tag, keys)
    columns = {name: column[columns["count"] > 0] for name, column in columns.items()}
    # In the order of the given runs.
    is_there = np.isin(keys, columns["run"])
    chosen = np.searchsorted(columns["run"], keys[is_there])
    found: dict[str, NDArray[Any]] = {
        name: columns[name][chosen].astype(np.uint64 if name == "count" else np.float64) for name in _FIELDS
    }
    present = keys[is_there].tolist()
    if tail != STORED_TAIL:
        long = keys[is_there][found["count"] > tail].tolist()
        tails = dict(zip(present, found["mean"].tolist(), strict=True)) | _tails(client, tag, long, tail)
        found["tail"] = np.array([tails[key] for key in present], float)
    return Digests(runs=[runs[key] for key in present], **found)


def _newest(client: Client, tag: Tag, keys: NDArray[np.uint64]) -> dict[str, NDArray[Any]]:
    """Returns the statistics of one tag by run; of rows that were written again and not merged yet, the newest."""
    selected = ", ".join(f"digest_{name} AS {name}" for name in _FIELDS)
    names = ("run", "version", *_FIELDS)
    if not len(keys):
        return {name: np.empty(0) for name in names}
    columns = client.select_from(
        {KEYS: {"key": keys}},
        f"SELECT run, version, {selected} FROM series WHERE kind = {{kind:String}} AND tag = {{tag:String}} "
        f"AND run GLOBAL IN (SELECT key FROM {KEYS})",
        names,
        kind=SCALARS,
        tag=tag,
    )
    order = np.lexsort((columns["version"], columns["run"]))
    run = columns["run"][order]
    newest = order[np.append(run[1:] != run[:-1], np.ones(min(1, len(run)), bool))]
    return {name: columns[name][newest] for name in names}


def read_last_values(client: Client, tag: Tag, runs: Mapping[int, RunName]) -> dict[RunName, LastValue]:
    names = ("digest_count", "last_step", "last_point_wall", "last_value")
    numbers = read_tag(client, SCALARS, tag, list(runs), names)
    return {
        runs[key]: LastValue(*(numbers[key][name] for name in names[1:]))
        for key in runs
        if key in numbers and numbers[key]["digest_count"] > 0
    }


def _tails(client: Client, tag: Tag, keys: Sequence[int], points: int) -> dict[int, float]:
    """Returns the mean of the finite ones among the last points in order of step."""
    if not keys:
        return {}
    last = (
        f"SELECT run, value FROM {PLACED} AND {CURRENT_SQL} "
        f"ORDER BY run, step DESC, position DESC, place DESC LIMIT {int(points)} BY run"
    )
    found = client.select(
        "SELECT run, if(countIf(isFinite(value)) = 0, nan, sumIf(value, isFinite(value)) / countIf(isFinite(value))) "
        f"AS tail FROM ({last}) GROUP BY run",
        ("run", "tail"),
        keys=keys,
        tag=name_hash(tag),
    )
    return dict(zip(found["run"].tolist(), found["tail"].tolist(), strict=True))


def read_max_steps(client: Client, runs: Mapping[int, RunName], *, skipped_prefix: str) -> dict[RunName, int]:
    """Returns the greatest scalar step of each run. Within one key a step is never taken back."""
    if not runs:
        return {}
    found = client.select_from(
        {KEYS: {"key": np.fromiter(runs, np.uint64, len(runs))}},
        "SELECT run, max(max_step) AS step FROM series WHERE kind = {kind:String} AND points > 0 "
        f"AND NOT startsWith(tag, {{prefix:String}}) AND run GLOBAL IN (SELECT key FROM {KEYS}) GROUP BY run",
        ("run", "step"),
        kind=SCALARS,
        prefix=skipped_prefix,
    )
    steps = dict(zip(found["run"].tolist(), found["step"].tolist(), strict=True))
    return {name: int(steps[key]) for key, name in runs.items() if key in steps}
