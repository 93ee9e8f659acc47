"""Tables of runs, computed by ClickHouse: which runs match, in which order, their values and the ranges of these.

A statement joins an external table, which is sent with it and has a row for each run, with the statistics of `series`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from seamark.clickhouse.client import Client, StatementTooLongError
from seamark.clickhouse.live_catalogue import ShownRun
from seamark.clickhouse.native import Column
from seamark.clickhouse.parameters import Value
from seamark.clickhouse.rows import SCALARS
from seamark.clickhouse.table_sql import ExpressionWriter, SqlNumber
from seamark.format.types import RunName, Tag
from seamark.store.ask.table_request import (
    WHOLE_STATS,
    MetricColumn,
    MetricOrder,
    MetricValue,
    TableRequest,
    TableRows,
    TooComplexError,
    metrics_in,
)

ROWS = "table_rows"  # the external table
# Each adds two aggregates for every row of `series` that is read, and to the length of the statement.
MAX_METRICS = 16
Keys = NDArray[np.uint64]


class Source(Struct, frozen=True):
    """What a statement selects from: the external table joined with the statistics."""

    sql: str
    metrics: Mapping[MetricValue, SqlNumber]
    columns: dict[str, Column]
    parameters: dict[str, Value]


class ClickHouseTableEngine:
    """Any thread may call it. `runs` returns the runs that are shown."""

    def __init__(self, client: Client, runs: Callable[[], Mapping[RunName, ShownRun]]) -> None:
        self._client = client
        self._runs = runs

    def select(self, request: TableRequest) -> NDArray[np.intp]:
        sorted_by = [one.metric for one in request.order if isinstance(one, MetricOrder)]
        source = self._source(request.rows, [*metrics_in([request.condition]), *sorted_by])
        writer = ExpressionWriter(source.metrics)
        condition = "" if request.condition is None else f" WHERE {writer.condition(request.condition)}"
        keys = [key for order in request.order for key in writer.order_keys(order)]
        sql = f"SELECT row FROM {source.sql}{condition} ORDER BY {', '.join([*keys, 'row'])}"
        source.columns.update(own_columns(request))
        found = self._answer(sql, ["row"], source, writer.parameters)
        return np.asarray(found["row"]).astype(np.intp)

    def values(self, rows: TableRows, metrics: Sequence[MetricValue]) -> list[MetricColumn]:
        found: list[MetricColumn] = []
        for chosen in chunks(metrics) if rows.runs else ():
            source = self._source(rows, chosen)
            numbers = [source.metrics[metric] for metric in chosen]
            cells = [f"{number.value} AS v{at}" for at, number in enumerate(numbers)]
            present = [f"toUInt8({conditions(number)}) AS h{at}" for at, number in enumerate(numbers)]
            names = [f"{letter}{at}" for letter in "vh" for at in range(len(chosen))]
            sql = f"SELECT row, {', '.join([*cells, *present])} FROM {source.sql} ORDER BY row"
            columns = self._answer(sql, ["row", *names], source, {})
            for at in range(len(chosen)):
                is_there = columns[f"h{at}"].astype(bool)
                found.append(MetricColumn(np.where(is_there, columns[f"v{at}"], np.nan), is_there))
        return found or [MetricColumn(np.zeros(0), np.zeros(0, bool)) for _ in metrics]

    def spans(self, rows: TableRows, metrics: Sequence[MetricValue]) -> list[tuple[float | None, float | None]]:
        found: list[tuple[float | None, float | None]] = []
        for chosen in chunks(metrics) if rows.runs else ():
            source = self._source(rows, chosen)
            parts = []
            for at, number in enumerate(source.metrics[metric] for metric in chosen):
                is_finite = f"({conditions(number)}) AND isFinite({number.value})"
                parts.append(
                    f"minIf({number.value}, {is_finite}) AS low{at}, maxIf({number.value}, {is_finite}) AS high{at}, "
                    f"countIf({is_finite}) AS n{at}"
                )
            names = [f"{name}{at}" for name in ("low", "high", "n") for at in range(len(chosen))]
            columns = self._answer(f"SELECT {', '.join(parts)} FROM {source.sql}", names, source, {})
            for at in range(len(chosen)):
                has_any = bool(columns[f"n{at}"].sum())
                bounds = float(columns[f"low{at}"][0]), float(columns[f"high{at}"][0])
                found.append(bounds if has_any else (None, None))
        return found or [(None, None)] * len(metrics)

    def _answer(
        self, sql: str, names: Sequence[str], source: Source, parameters: Mapping[str, Value]
    ) -> dict[str, NDArray[np.float64]]:
        try:
            return self._client.select_from({ROWS: source.columns}, sql, names, **source.parameters, **parameters)
        except StatementTooLongError as error:
            raise TooComplexError("cannot evaluate a query this long") from error

    def _source(self, rows: TableRows, metrics: Iterable[MetricValue]) -> Source:
        """Joins the rows with the statistics of these metrics: one subquery for all that have the same keys."""
        wanted = list(dict.fromkeys(metrics))
        variants = key_variants(rows, [metric.tag for metric in wanted], self._runs())
        columns: dict[str, Column] = {"row": np.arange(len(rows.runs), dtype=np.uint32)}
        parameters: dict[str, Value] = {"kind": SCALARS}
        joins: dict[str, Statistics] = {}
        numbers: dict[MetricValue, SqlNumber] = {}
        for metric in wanted:
            parts = []
            for source_tag, keys in variants[metric.tag]:
                name = next((known for known, column in columns.items() if column is keys), f"k{len(joins)}")
                columns[name] = keys
                join = joins.setdefault(name, Statistics(name))
                parts.append(join.add(source_tag, metric.stat, parameters))
            numbers[metric] = either(parts, is_whole=metric.stat in WHOLE_STATS)
        sql = f"(SELECT * FROM {ROWS})"
        for join in joins.values():
            joined = f"{sql} AS l_{join.key} ANY LEFT JOIN ({join.sql()}) AS s_{join.key} USING ({join.key})"
            sql = f"(SELECT * FROM {joined})"
        return Source(sql, numbers, columns, parameters)


class Statistics:
    """The subquery of statistics by run, for the runs of one column of keys."""

    def __init__(self, key: str) -> None:
        self.key = key
        self._tags: dict[Tag, str] = {}  # the parameter of each tag
        self._selected: dict[str, str] = {}  # expressions by name

    def add(self, tag: Tag, stat: str, parameters: dict[str, Value]) -> SqlNumber:
        if tag not in self._tags:
            self._tags[tag] = f"g{len(parameters)}"
            parameters[self._tags[tag]] = tag
        parameter = self._tags[tag]
        test = f"tag = {{{parameter}:String}}"
        # Of rows that were written again and not merged yet, the newest.
        count, value = f"n_{self.key}_{parameter}", f"m_{self.key}_{parameter}_{stat}"
        self._selected[count] = f"argMaxIf(digest_count, version, {test})"
        self._selected[value] = f"argMaxIf(toFloat64(digest_{stat}), version, {test})"
        return SqlNumber(value, frozenset({f"{count} > 0"}))

    def sql(self) -> str:
        selected = ", ".join(f"{expression} AS {name}" for name, expression in self._selected.items())
        tags = ", ".join(f"{{{parameter}:String}}" for parameter in self._tags.values())
        return (
            f"SELECT run AS {self.key}, {selected} FROM series WHERE kind = {{kind:String}} AND tag IN ({tags}) "
            f"AND run GLOBAL IN (SELECT {self.key} FROM {ROWS}) GROUP BY run"
        )


def key_variants(
    rows: TableRows, tags: Iterable[Tag], runs: Mapping[RunName, ShownRun]
) -> dict[Tag, list[tuple[Tag, Keys]]]:
    """Returns for each tag where its values come from: a tag in the database, and the key of the run for each row.

    A row has key 0 where it takes no value from there. Equal columns of keys are one object.
    """
    known: dict[bytes, Keys] = {}

    def keys_of(names: Sequence[RunName | None]) -> Keys:
        found = np.array([0 if name is None or name not in runs else runs[name].row.run for name in names], np.uint64)
        return known.setdefault(found.tobytes(), found)

    own = keys_of(rows.runs)
    variants: dict[Tag, list[tuple[Tag, Keys]]] = {}
    for tag in dict.fromkeys(tags):
        elsewhere = rows.sources.get(tag, {})
        if not elsewhere:
            variants[tag] = [(tag, own)]
            continue
        plain = [None if at in elsewhere else run for at, run in enumerate(rows.runs)]
        variants[tag] = [(tag, keys_of(plain))]
        for source_tag in dict.fromkeys(source for _, source in elsewhere.values()):
            chosen: list[RunName | None] = [None] * len(rows.runs)
            for at, (run, source) in elsewhere.items():
                if source == source_tag:
                    chosen[at] = run
            variants[tag].append((source_tag, keys_of(chosen)))
    return variants


def either(parts: Sequence[SqlNumber], *, is_whole: bool) -> SqlNumber:
    """Returns the one that is present: a row takes a metric from one run."""
    value, present = parts[-1].value, parts[-1].present
    for part in parts[-2::-1]:
        value = f"if({' AND '.join(part.present)}, {part.value}, {value})"
        present = frozenset({" OR ".join([*part.present, *present])})
    return SqlNumber(value, present | {f"NOT isNaN({value})"} if is_whole else present)


def conditions(number: SqlNumber) -> str:
    return " AND ".join(f"({one})" for one in sorted(number.present))


def own_columns(request: TableRequest) -> dict[str, Column]:
    """Returns the table's own columns that the statement refers to."""
    columns: dict[str, Column] = {}
    for at, (values, present) in enumerate(request.numbers):
        columns |= {f"x{at}": values.astype(np.float64), f"p{at}": present.astype(np.uint8)}
    columns |= {f"t{at}": values for at, values in enumerate(request.truths)}
    columns |= {f"r{at}": ranks for at, ranks in enumerate(request.ranks)}
    return columns


def chunks(metrics: Sequence[MetricValue]) -> list[Sequence[MetricValue]]:
    return [metrics[start : start + MAX_METRICS] for start in range(0, len(metrics), MAX_METRICS)]
