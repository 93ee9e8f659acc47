"""Groups runs by column values: the seeds of one setting become one row with statistics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import NUMBERS, Cell, Column, comparable, metric_id
from seamark.compare.columns.goals import goal_of_name
from seamark.compare.groups.statistics import SEED, BaselineDelta, Summary, compare_all_to_baseline, finite, summaries
from seamark.compare.run_table import RunTable
from seamark.compare.settings import DEFAULT_TAIL

Key = tuple[Cell, ...]
MAX_GROUPS = 5000
INF = math.inf


# Where the store has an engine that chooses the rows.
COMPUTED_HERE = (
    "This server computed the statistics of the groups: their intervals are drawn from the values of all runs."
)


class GroupError(ValueError):
    """Runs cannot be grouped by these columns; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Extreme:
    run: str
    value: float


@dataclass(frozen=True, slots=True)
class GroupMetric:
    summary: Summary
    best: Extreme | None
    worst: Extreme | None
    against: BaselineDelta | None  # None for the baseline itself, or if there is no baseline


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
    """The values to group, copied from a table, so that the statistics need not hold the table's lock."""

    runs: list[str]
    by: list[list[Cell]]
    metrics: dict[str, NDArray[np.float64]]
    absent: dict[str, NDArray[np.bool_]]
    goals: dict[str, str]
    computed_here: str = ""  # why the store's engine did not compute the statistics, if it has one

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
    """Copies the columns `by` and `metrics` of these rows out of the table."""
    with table.hold():
        found = {column.id: column for column in table.columns_at([*metrics, *by], rows, tail=tail)}
        columns = {column_id: numbers_of(found[column_id]) for column_id in metrics}
        return Measured(
            runs=[*table.names_of(rows.tolist())],
            by=[found[column_id].cells(np.arange(len(rows))) for column_id in by],
            metrics={column_id: column.values.astype(np.float64) for column_id, column in columns.items()},
            absent={column_id: ~column.present for column_id, column in columns.items()},
            goals={column_id: goal_of_column(table, column_id) for column_id in metrics} | dict(goals or {}),
            computed_here=COMPUTED_HERE if table.store.table_engine is not None else "",
        )


def numbers_of(column: Column) -> Column:
    if column.type not in NUMBERS and column.type != "bool":
        raise GroupError(
            f"cannot compute statistics of '{column.id}', which is {column.type}; want a column of numbers"
        )
    return column


def goal_of_column(table: RunTable, column_id: str) -> str:
    """ "min" or "max". Defaults to "max"."""
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
    """Groups runs. All columns are as long as `runs`; `absent` marks the runs that never logged a metric."""
    members = members_of(len(runs), by)
    metrics = {name: np.where(absent[name], np.nan, column) for name, column in metrics.items()} if absent else metrics
    problems = [sentence for name, column in metrics.items() if (sentence := unusable(name, column, absent))]
    keys = sorted(members, key=order_of)
    if len(keys) > MAX_GROUPS:
        problems.append(f"there are {len(keys):,} groups; only the first {MAX_GROUPS:,} are listed")
        keys = keys[:MAX_GROUPS]
    base = None
    if baseline is not None:
        base = members.get(tuple(map(comparable, baseline)))
        if base is None:
            raise GroupError(f"no group has the baseline's values {list(baseline)!r}"[:300])
    group_rows = [np.array(members[key]) for key in keys]
    by_metric = {
        name: metric_of(runs, column, group_rows, goals[name], base, seed=seed) for name, column in metrics.items()
    }
    return Grouped(
        [
            Group(
                key=tuple(column[rows[0]] for column in by),
                runs=[runs[row] for row in rows],
                metrics={name: column[at] for name, column in by_metric.items()},
            )
            for at, rows in enumerate(group_rows)
        ],
        problems,
    )


def metric_of(
    runs: Sequence[str],
    column: NDArray[np.float64],
    group_rows: Sequence[NDArray[np.int64]],
    goal: str,
    base: Sequence[int] | None,
    *,
    seed: int,
) -> list[GroupMetric]:
    usable = np.isfinite(column)
    values = [column[rows[usable[rows]]] for rows in group_rows]
    compared: Sequence[BaselineDelta | None] = [None] * len(values)
    if base is not None:
        compared = compare_all_to_baseline(values, finite(column[list(base)]), seed=seed)
    found = []
    for rows, summary, difference in zip(group_rows, summaries(values, seed=seed), compared, strict=True):
        best, worst = extremes(runs, column, rows, goal)
        is_baseline = base is not None and rows[0] == base[0]
        found.append(GroupMetric(summary, best, worst, None if is_baseline else difference))
    return found


def extremes(
    runs: Sequence[str], column: NDArray[np.float64], rows: NDArray[np.int64], goal: str
) -> tuple[Extreme | None, Extreme | None]:
    candidates = [
        (value, -at) for at, value in zip(rows.tolist(), column[rows].tolist(), strict=True) if abs(value) < INF
    ]
    if not candidates:
        return None, None
    high = max(candidates)  # the first of equal values
    low = min((value, at) for value, at in ((value, -at) for value, at in candidates))
    lowest, highest = Extreme(runs[low[1]], low[0]), Extreme(runs[-high[1]], high[0])
    return (lowest, highest) if goal == "min" else (highest, lowest)


def members_of(count: int, by: Sequence[Sequence[Cell]]) -> dict[tuple[object, ...], list[int]]:
    """Row numbers by key. Without columns to group by, all runs form one group."""
    members: dict[tuple[object, ...], list[int]] = {}
    columns = [[comparable(value) for value in column] for column in by]
    for row in range(count):
        members.setdefault(tuple(column[row] for column in columns), []).append(row)
    return members


def order_of(key: tuple[object, ...]) -> tuple[tuple[int, object], ...]:
    """The sort key: numbers by size, then booleans, text, lists, and missing values last."""
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
    return (
        f"{count} run{'' if count == 1 else 's'} with NaN or infinity left out of the statistics of '{title_of(name)}'"
    )


def title_of(column_id: str) -> str:
    """The column's title on the page: for the last value of a metric, the tag alone."""
    if not column_id.startswith("metric:"):
        return column_id.partition(":")[2] or column_id
    tag, stat = metric_id(column_id)
    return tag if stat == "last" else f"{tag} {stat}"
