"""Runs grouped by the values of columns: seeds of one setting become one row with its spread."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns import NUMBERS, Cell, Column, metric_id
from seamark.compare.goals import goal_of_name
from seamark.compare.settings import DEFAULT_TAIL
from seamark.compare.statistics import SEED, Against, Summary, all_against, finite, summaries
from seamark.compare.table import RunTable

Key = tuple[Cell, ...]
MAX_GROUPS = 5000
INF = math.inf


class GroupError(ValueError):
    """Runs cannot be grouped like this; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Extreme:
    run: str
    value: float


@dataclass(frozen=True, slots=True)
class GroupMetric:
    summary: Summary
    best: Extreme | None
    worst: Extreme | None
    against: Against | None  # of groups other than the baseline, when there is one


@dataclass(frozen=True, slots=True)
class Group:
    key: Key
    runs: list[str]
    metrics: dict[str, GroupMetric]


@dataclass(frozen=True, slots=True)
class Grouped:
    groups: list[Group]
    problems: list[str]


@dataclass(frozen=True, slots=True)
class Measured:
    """What is to be grouped, taken out of a table; the statistics need it no more, and others may go on using it."""

    runs: list[str]
    by: list[list[Cell]]
    metrics: dict[str, NDArray[np.float64]]
    absent: dict[str, NDArray[np.bool_]]
    goals: dict[str, str]

    def grouped(self, *, baseline: Sequence[Cell] | None = None, seed: int = SEED) -> Grouped:
        return grouped(
            self.runs, self.by, self.metrics, absent=self.absent, goals=self.goals, baseline=baseline, seed=seed
        )


def measured(
    table: RunTable,
    rows: NDArray[np.intp],
    *,
    by: Sequence[str],
    metrics: Sequence[str],
    goals: Mapping[str, str] | None = None,
    tail: int = DEFAULT_TAIL,
) -> Measured:
    """Rows of the table, to be grouped by the columns `by`, and their columns `metrics`."""
    with table.hold():
        names = table.names
        columns = {column_id: numbers_of(table.column(column_id, tail=tail)) for column_id in metrics}
        return Measured(
            runs=[names[row] for row in rows.tolist()],
            by=[table.column(column_id, tail=tail).cells(rows) for column_id in by],
            metrics={column_id: column.values[rows].astype(np.float64) for column_id, column in columns.items()},
            absent={column_id: ~column.present[rows] for column_id, column in columns.items()},
            goals={column_id: goal_of_column(table, column_id) for column_id in metrics} | dict(goals or {}),
        )


def numbers_of(column: Column) -> Column:
    if column.type not in NUMBERS and column.type != "bool":
        raise GroupError(f"there are no statistics of '{column.id}', which is {column.type}; want a column of numbers")
    return column


def goal_of_column(table: RunTable, column_id: str) -> str:
    """ "min" or "max"; "max" also where nobody says what is better."""
    if column_id.startswith("metric:"):
        return table.goal(metric_id(column_id)[0]) or "max"
    return goal_of_name(column_id.partition(":")[2]) or "max"


def grouped(
    runs: Sequence[str],
    by: Sequence[Sequence[Cell]],
    metrics: Mapping[str, NDArray[np.float64]],
    *,
    goals: Mapping[str, str],
    baseline: Sequence[Cell] | None = None,
    absent: Mapping[str, NDArray[np.bool_]] | None = None,
    seed: int = SEED,
) -> Grouped:
    """`by` and `metrics` are columns as long as `runs`; where `absent`, a run has no such metric at all."""
    members = members_of(len(runs), by)
    metrics = {name: np.where(absent[name], np.nan, column) for name, column in metrics.items()} if absent else metrics
    problems = [sentence for name, column in metrics.items() if (sentence := unusable(name, column, absent))]
    keys = sorted(members, key=order_of)
    if len(keys) > MAX_GROUPS:
        problems.append(f"there are {len(keys):,} groups; the first {MAX_GROUPS:,} are told")
        keys = keys[:MAX_GROUPS]
    base = None
    if baseline is not None:
        base = members.get(tuple(map(comparable, baseline)))
        if base is None:
            raise GroupError(f"no group has the baseline's values {list(baseline)!r}"[:300])
    places = [np.array(members[key]) for key in keys]
    told = {name: metric_of(runs, column, places, goals[name], base, seed=seed) for name, column in metrics.items()}
    return Grouped(
        [
            Group(
                key=tuple(column[rows[0]] for column in by),
                runs=[runs[row] for row in rows],
                metrics={name: column[at] for name, column in told.items()},
            )
            for at, rows in enumerate(places)
        ],
        problems,
    )


def metric_of(
    runs: Sequence[str],
    column: NDArray[np.float64],
    places: Sequence[NDArray[np.int64]],
    goal: str,
    base: Sequence[int] | None,
    *,
    seed: int,
) -> list[GroupMetric]:
    usable = np.isfinite(column)
    values = [column[rows[usable[rows]]] for rows in places]
    compared: Sequence[Against | None] = [None] * len(values)
    if base is not None:
        compared = all_against(values, finite(column[list(base)]), seed=seed)
    found = []
    for rows, summary, difference in zip(places, summaries(values, seed=seed), compared, strict=True):
        best, worst = extremes(runs, column, rows, goal)
        is_baseline = base is not None and rows[0] == base[0]
        found.append(GroupMetric(summary, best, worst, None if is_baseline else difference))
    return found


def extremes(
    runs: Sequence[str], column: NDArray[np.float64], rows: NDArray[np.int64], goal: str
) -> tuple[Extreme | None, Extreme | None]:
    there = [(value, -at) for at, value in zip(rows.tolist(), column[rows].tolist(), strict=True) if abs(value) < INF]
    if not there:
        return None, None
    high = max(there)  # the first of equals
    low = min((value, at) for value, at in ((value, -at) for value, at in there))
    told = [Extreme(runs[low[1]], low[0]), Extreme(runs[-high[1]], high[0])]
    return (told[0], told[1]) if goal == "min" else (told[1], told[0])


def members_of(count: int, by: Sequence[Sequence[Cell]]) -> dict[tuple[object, ...], list[int]]:
    """Without columns to group by, all runs are one group."""
    members: dict[tuple[object, ...], list[int]] = {}
    columns = [[comparable(value) for value in column] for column in by]
    for row in range(count):
        members.setdefault(tuple(column[row] for column in columns), []).append(row)
    return members


def comparable(value: Cell) -> object:
    """1 and 1.0 are one key, True is another, and one NaN is like the other."""
    if isinstance(value, float) and math.isnan(value):
        return ("nan",)
    if isinstance(value, bool):
        return ("bool", value)
    return tuple(value) if isinstance(value, list) else value


def order_of(key: tuple[object, ...]) -> tuple[tuple[int, object], ...]:
    """Numbers by size, then text, lists and what is missing."""
    ranked: list[tuple[int, object]] = []
    for value in key:
        if isinstance(value, int | float):
            ranked.append((0, value))
        elif isinstance(value, str):
            ranked.append((2, value))
        elif value is None:
            ranked.append((4, 0))
        elif isinstance(value, tuple) and value[:1] == ("bool",):
            ranked.append((1, value[1]))
        else:
            ranked.append((3, str(value)))
    return tuple(ranked)


def unusable(name: str, column: NDArray[np.float64], absent: Mapping[str, NDArray[np.bool_]] | None) -> str:
    bad = ~np.isfinite(column)
    if absent is not None and name in absent:
        bad = bad & ~absent[name]
    count = int(bad.sum())
    if not count:
        return ""
    return f"{count} run{'' if count == 1 else 's'} with NaN or infinity left out of the statistics of '{called(name)}'"


def called(column_id: str) -> str:
    """As the page heads the column: the last value of a metric is called like the metric."""
    if not column_id.startswith("metric:"):
        return column_id.partition(":")[2] or column_id
    tag, number = metric_id(column_id)
    return tag if number == "last" else f"{tag} {number}"
