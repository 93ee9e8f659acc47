"""Caches the columns of a table, and updates them row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby, repeat
from operator import attrgetter
from types import NoneType
from typing import Any

from seamark.compare.columns.column import Column, column_of, patched
from seamark.compare.columns.goals import StatedGoals, stated_goals, stated_or_named
from seamark.compare.record.flatten import Scalar
from seamark.compare.record.record import Record
from seamark.compare.settings import Goal
from seamark.store import gc_paused

PARAM = "param:"
# Fewer columns than this are built one by one.
FEW = 8
BLOCK_ROWS = 256
MAX_CHANGES = 500_000
MAX_METRICS = 2_000


def value_of(record: Record, source: str, name: str) -> Scalar | None:
    return (record.params if source == "param" else record.summary).get(name)


class ColumnCache:
    """Valid for one order of rows; rows may be appended. Not thread-safe: the owner holds a lock."""

    def __init__(self) -> None:
        self._fields: dict[str, Column] = {}
        self._given: dict[str, tuple[int, list[Any], Column]] = {}  # by id: changes included, raw values, column
        self._made: dict[tuple[str, int], Column] = {}
        self._changed: list[int] = []  # rows whose hyperparameters or series changed, in order
        self._keys: dict[str, Mapping[str, int]] = {}
        self._stated_goals: StatedGoals | None = None

    def forget_fields(self, names: Iterable[str]) -> None:
        for name in names:
            self._fields.pop(name, None)

    def note_changed(self, rows: Iterable[int]) -> None:
        self._changed += rows
        self._keys.clear()
        if len(self._changed) > MAX_CHANGES:  # a sweep that is watched for days
            self._changed.clear()
            self._given.clear()
        self._stated_goals = None

    def field(self, name: str, make: Callable[[], Column]) -> Column:
        if name not in self._fields:
            self._fields[name] = make()
        return self._fields[name]

    @gc_paused()
    def gather(self, column_ids: Iterable[str], rows: Sequence[Record]) -> None:
        """Builds many columns of hyperparameters at once, so that each record is visited once."""
        wanted = {
            column_id[len(PARAM) :]
            for column_id in column_ids
            if column_id.startswith(PARAM) and column_id not in self._given
        }
        if len(wanted) < FEW:
            return
        raw, types = transposed(rows, wanted)
        for name, values in raw.items():
            column_id = PARAM + name
            self._given[column_id] = len(self._changed), values, column_of(column_id, values, types=types[name])

    def given(self, column_id: str, rows: Sequence[Record]) -> Column:
        source, _, name = column_id.partition(":")
        known = self._given.get(column_id)
        if known is None:
            raw = [record.params.get(name) if source == "param" else record.summary.get(name) for record in rows]
            self._given[column_id] = len(self._changed), raw, column_of(column_id, raw)
            return self._given[column_id][2]
        seen, raw, column = known
        if seen < len(self._changed):
            fresh = {row: value_of(rows[row], source, name) for row in self._changed[seen:]}
            grown = len(rows) - len(raw)
            raw += [None] * grown
            changed = [row for row, now in fresh.items() if raw[row] is not now and raw[row] != now]
            for row in changed:
                raw[row] = fresh[row]
            if changed or grown:
                column = patched(column, raw, changed)
            self._given[column_id] = len(self._changed), raw, column
        return column

    def goal(self, tag: str, rows: Sequence[Record]) -> Goal | None:
        if self._stated_goals is None:
            self._stated_goals = stated_goals(rows)
        return stated_or_named(tag, self._stated_goals)

    def metric(self, column_id: str, tail: int, made: Column) -> Column:
        """The cached column, with its computed properties, if it has the same arrays as `made`."""
        before = self._made.get((column_id, tail))
        if before is None or before.values is not made.values:
            if len(self._made) >= MAX_METRICS:
                self._made.clear()
            before = self._made[column_id, tail] = made
        return before

    def keys(self, attribute: str, rows: Sequence[Record]) -> Mapping[str, int]:
        """The names in this attribute of the records, each with the number of runs. Runs of a sweep share them."""
        if attribute not in self._keys:
            shared = {id(names): names for record in rows for names in [getattr(record, attribute)]}
            counts: Counter[str] = Counter()
            for key, runs in Counter(id(getattr(record, attribute)) for record in rows).items():
                for name in shared[key]:
                    counts[name] += runs
            self._keys[attribute] = counts
        return self._keys[attribute]


def transposed(rows: Sequence[Record], names: AbstractSet[str]) -> tuple[dict[str, list[Any]], dict[str, set[type]]]:
    """The hyperparameters of these names, column by column, and the types in each column."""
    raw: dict[str, list[Any]] = {name: [] for name in names}
    types: dict[str, set[type]] = {name: set() for name in names}
    # Runs of a sweep have the same names in the same order. A block of rows fits into the processor's cache.
    for keys, group in groupby(rows, key=attrgetter("keys")):
        records = list(group)
        absent = names - set(keys)
        for start in range(0, len(records), BLOCK_ROWS):
            block = records[start : start + BLOCK_ROWS]
            for name, values in zip(keys, zip(*[record.params.values() for record in block], strict=True), strict=True):
                if name in raw:
                    raw[name].extend(values)
                    types[name].update(map(type, values))
        for name in absent:
            raw[name].extend(repeat(None, len(records)))
            types[name].add(NoneType)
    return raw, types
