"""Columns of a table that were asked for, brought up to date row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from seamark.compare.columns import Column, column_of, patched
from seamark.compare.flatten import Scalar
from seamark.compare.goals import StatedGoals, stated_goals, stated_or_named
from seamark.compare.record import Record
from seamark.store.collector import collector_paused

PARAM = "param:"
# Below so many columns each is looked for by itself.
FEW = 8
MAX_CHANGES = 500_000
MAX_METRICS = 2_000


def value_of(record: Record, source: str, name: str) -> Scalar | None:
    return (record.params if source == "param" else record.summary).get(name)


class ColumnCache:
    """For one order of rows; more may come at the end. Not for several threads at once: its owner has a lock."""

    def __init__(self) -> None:
        self._fields: dict[str, Column] = {}
        self._given: dict[str, tuple[int, list[Any], Column]] = {}  # by id: as of which change, raw values, column
        self._made: dict[tuple[str, int], Column] = {}
        self._changed: list[int] = []  # places whose hyperparameters or series changed, in order
        self._keys: dict[str, Mapping[str, int]] = {}
        self._stated_goals: StatedGoals | None = None

    def forget_fields(self, names: Iterable[str]) -> None:
        for name in names:
            self._fields.pop(name, None)

    def note_changed(self, places: Iterable[int]) -> None:
        self._changed += places
        self._keys.clear()
        if len(self._changed) > MAX_CHANGES:  # a sweep that is watched for days
            self._changed.clear()
            self._given.clear()
        self._stated_goals = None

    def field(self, name: str, make: Callable[[], Column]) -> Column:
        if name not in self._fields:
            self._fields[name] = make()
        return self._fields[name]

    @collector_paused()
    def gather(self, column_ids: Iterable[str], rows: Sequence[Record]) -> None:
        """Many columns of hyperparameters at once: thousands of dictionaries are gone through once."""
        raw: dict[str, list[Any]] = {
            column_id[len(PARAM) :]: [None] * len(rows)
            for column_id in column_ids
            if column_id.startswith(PARAM) and column_id not in self._given
        }
        if len(raw) < FEW:
            return
        alike: dict[int, list[int]] = {}  # runs of a sweep have the same names in the same order
        for place, record in enumerate(rows):
            alike.setdefault(id(record.keys), []).append(place)
        for places in alike.values():
            columns = zip(*[rows[place].params.values() for place in places], strict=True)
            for name, found in zip(rows[places[0]].keys, columns, strict=True):
                if name not in raw:
                    continue
                if len(places) == len(rows):
                    raw[name] = list(found)
                else:
                    for place, value in zip(places, found, strict=True):
                        raw[name][place] = value
        for name, values in raw.items():
            self._given[PARAM + name] = len(self._changed), values, column_of(PARAM + name, values)

    def given(self, column_id: str, rows: Sequence[Record]) -> Column:
        source, _, name = column_id.partition(":")
        known = self._given.get(column_id)
        if known is None:
            raw = [record.params.get(name) if source == "param" else record.summary.get(name) for record in rows]
            self._given[column_id] = len(self._changed), raw, column_of(column_id, raw)
            return self._given[column_id][2]
        seen, raw, column = known
        if seen < len(self._changed):
            fresh = {place: value_of(rows[place], source, name) for place in self._changed[seen:]}
            grown = len(rows) - len(raw)
            raw += [None] * grown
            places = [place for place, now in fresh.items() if raw[place] is not now and raw[place] != now]
            for place in places:
                raw[place] = fresh[place]
            if places or grown:
                column = patched(column, raw, places)
            self._given[column_id] = len(self._changed), raw, column
        return column

    def goal(self, tag: str, rows: Sequence[Record]) -> str | None:
        if self._stated_goals is None:
            self._stated_goals = stated_goals(rows)
        return stated_or_named(tag, self._stated_goals)

    def metric(self, column_id: str, tail: int, made: Column) -> Column:
        """The column made before, with what was worked out from it, when it holds the same arrays."""
        before = self._made.get((column_id, tail))
        if before is None or before.values is not made.values:
            if len(self._made) >= MAX_METRICS:
                self._made.clear()
            before = self._made[column_id, tail] = made
        return before

    def keys(self, what: str, rows: Sequence[Record]) -> Mapping[str, int]:
        """The names that any run has, each with the number of runs. Runs of a sweep have the same names."""
        if what not in self._keys:
            shared = {id(names): names for record in rows for names in [getattr(record, what)]}
            counts: Counter[str] = Counter()
            for key, runs in Counter(id(getattr(record, what)) for record in rows).items():
                for name in shared[key]:
                    counts[name] += runs
            self._keys[what] = counts
        return self._keys[what]
