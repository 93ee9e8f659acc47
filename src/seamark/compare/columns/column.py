"""Columns: ids, types, values over all runs, and resolving names."""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from seamark.compare.record.flatten import Scalar
from seamark.compare.settings import ColumnSource, ColumnType
from seamark.format.name_order import name_key

STATS = ("last", "min", "max", "min_step", "max_step", "mean", "first", "count", "tail")
SOURCES = ("run", "param", "metric", "summary")
# The fields of a run, in the order they are listed in, with their types.
RUN_FIELDS: Mapping[str, ColumnType] = {
    "name": "text", "label": "text", "path": "text", "project": "text", "group": "text", "job_type": "text",
    "status": "text", "started": "time", "ended": "time", "duration": "duration", "host": "text", "commit": "text",
    "branch": "text", "dirty": "bool", "command": "text", "tags": "list", "notes": "text", "star": "bool",
    "archived": "bool", "last_step": "number", "points": "number", "python": "text", "gpu": "text",
}  # fmt: skip
MAX_DISTINCT = 30
MAX_HINT_NAMES = 10_000
MAX_HINT_CHARACTERS = 200
NUMBERS = ("number", "time", "duration")
Cell = Scalar | list[str] | None


class UnknownColumnError(KeyError):
    """There is no such column; the message is a sentence that suggests similar names."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class Column:
    """A value per run. Where `present` is False, the value is a placeholder: 0, False, "" or ().

    Arrays by type: float64 for number, time and duration; bool for bool; objects of str for text; objects of tuples for
    list. A `mixed` text column also contains bools and numbers, and None for absent values.
    """

    id: str
    type: ColumnType
    values: NDArray[Any]
    present: NDArray[np.bool_]
    mixed: bool = False
    is_whole: bool = False  # a number column of ints only

    @property
    def source(self) -> ColumnSource:
        return cast(ColumnSource, self.id.partition(":")[0])

    @property
    def name(self) -> str:
        return self.id.partition(":")[2]

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """Sort keys: numbers by size, text in natural order, numbers before text. NaN where the value is absent."""
        return ranks_of(self)

    @cached_property
    def distinct(self) -> list[tuple[Scalar, int]] | None:
        """Values with their counts; None for more than MAX_DISTINCT values, and for lists, times and durations."""
        if self.type == "list" or self.type in ("time", "duration"):
            return None
        rows = np.flatnonzero(self.present)
        # The first few rows of a column with many values usually exceed the limit already.
        if count_values(self.cells(rows[: 10 * MAX_DISTINCT])) is None:
            return None
        counted = count_values(self.cells(rows))
        return None if counted is None else sorted(counted, key=lambda item: (-item[1], natural(item[0])))

    @cached_property
    def categories(self) -> tuple[NDArray[np.intp], list[Cell]]:
        """For each row the index of its value, -1 where it is absent, in the sorted distinct values; and these."""
        keys = [
            comparable(value) if there else None
            for value, there in zip(self.values.tolist(), self.present.tolist(), strict=True)
        ]
        distinct = {key: row for row, key in enumerate(keys) if key is not None}
        values = dict(zip(distinct, self.cells(np.fromiter(distinct.values(), np.intp, len(distinct))), strict=True))
        ordered = sorted(distinct, key=lambda key: natural(text_of_list(values[key])))
        index = {key: at for at, key in enumerate(ordered)}
        codes = np.fromiter((-1 if key is None else index[key] for key in keys), np.intp, len(keys))
        return codes, [values[key] for key in ordered]

    def span(self, rows: NDArray[np.intp] | None = None) -> tuple[float | None, float | None]:
        """The minimum and maximum finite value, of these rows or of all."""
        if self.type not in NUMBERS:
            return None, None
        values = self._finite if rows is None else self._finite[rows]
        if not len(values):
            return None, None
        low = float(np.fmin.reduce(values))
        return (None, None) if low != low else (low, float(np.fmax.reduce(values)))

    @cached_property
    def _finite(self) -> NDArray[np.float64]:
        """The values, with NaN for absent and non-finite ones."""
        values: NDArray[np.float64] = np.where(self.present & np.isfinite(self.values), self.values, np.nan)
        return values

    def at(self, rows: NDArray[np.intp]) -> Column:
        """The column of these rows only."""
        return replace(self, values=self.values[rows], present=self.present[rows])

    def cells(self, rows: NDArray[np.intp]) -> list[Cell]:
        """The values as Python objects; None where absent."""
        values: list[Any] = self.values[rows].tolist()
        there = self.present[rows]
        present: list[bool] = there.tolist()
        if self.type == "list":
            values = [list(value) for value in values]
        elif self.is_whole:
            return [int(value) if there else None for value, there in zip(values, present, strict=True)]
        if there.all():
            return values
        return [value if there else None for value, there in zip(values, present, strict=True)]


def count_values(values: Sequence[Any]) -> list[tuple[Scalar, int]] | None:
    """Each value except NaN with its count; None for more than MAX_DISTINCT values."""
    types = set(map(type, values))
    found: list[tuple[Scalar, int]] = []
    for one in types if len(types) > 1 and bool in types else [None]:  # True and 1 are the same key of a dictionary
        counts = Counter(values if one is None else [value for value in values if type(value) is one])
        if float in types:
            counts = Counter({value: runs for value, runs in counts.items() if value == value})
        found += counts.items()
        if len(found) > MAX_DISTINCT:
            return None
    return found


def column_of(column_id: str, given: Sequence[Any], *, types: Iterable[type] | None = None) -> Column:
    """A column whose type follows from its values. `types` are the types of the values, if the caller knows them."""
    found = set(map(type, given) if types is None else types)
    whole = given
    present = np.ones(len(given), bool)
    if type(None) in found:
        found.discard(type(None))
        present = np.array([value is not None for value in given], bool)
        blank: Any = False if found == {bool} else 0.0 if found and found <= {int, float} else ""
        whole = [blank if value is None else value for value in given]
    if found == {bool}:
        return Column(column_id, "bool", np.array(whole, bool), present)
    if found <= {int, float} and found:
        values = np.array(whole, float)
        return Column(column_id, "number", values, present, is_whole=is_whole(values))
    if found <= {str}:
        return Column(column_id, "text", objects(whole), present)
    return Column(column_id, "text", objects(given), present, mixed=True)


def patched(column: Column, given: Sequence[Any], rows: Sequence[int]) -> Column:
    """The column with the values of these rows replaced by those in `given`, which may have more rows."""
    fresh = [given[row] for row in rows]
    types = {type(value) for value in fresh} - {type(None)}
    allowed: dict[str, set[type]] = {"bool": {bool}, "number": {int, float}, "text": {str}}
    if not types <= allowed[column.type] or column.mixed or not column.present.any():
        return column_of(column.id, given)
    blank: Any = {"bool": False, "number": 0.0, "text": ""}[column.type]
    values = np.full(len(given), blank, column.values.dtype)
    present = np.zeros(len(given), bool)
    values[: len(column.values)], present[: len(column.present)] = column.values, column.present
    for row, value in zip(rows, fresh, strict=True):
        values[row], present[row] = (blank, False) if value is None else (value, True)
    whole = column.type == "number" and is_whole(values)
    return Column(column.id, column.type, values, present, is_whole=whole)


def is_whole(values: NDArray[np.float64]) -> bool:
    """Whether all values are integers. Event files store ints as floats: 32.0 and 64.0 were logged as 32 and 64."""
    return bool(np.all(np.isfinite(values)) and np.all(values == np.floor(values)) and np.all(np.abs(values) < 2**53))


def typed_column(column_id: str, column_type: ColumnType, given: Sequence[Any]) -> Column:
    """A column of a known type, such as a run field."""
    present = np.array([value is not None for value in given], bool)
    if column_type in NUMBERS:
        values: NDArray[Any] = np.array([0.0 if value is None else value for value in given], float)
    elif column_type == "bool":
        values = np.array([bool(value) for value in given], bool)
    else:
        values = objects([(() if column_type == "list" else "") if value is None else value for value in given])
    return Column(column_id, column_type, values, present, is_whole=column_type == "number")


def objects(values: Iterable[Any]) -> NDArray[Any]:
    """An array with one object per row, even if the objects are sequences."""
    return np.fromiter(values, object)


@lru_cache(maxsize=200_000, typed=True)
def natural(value: object) -> tuple[Any, ...]:
    """A sort key: numbers before text, and text in the order of names."""
    if isinstance(value, bool):
        return (0, int(value))
    if isinstance(value, int | float):
        return (1, math.inf if value != value else value)
    return (2, name_key(str(value)), str(value))


def ranks_of(column: Column) -> NDArray[np.float64]:
    if column.type in NUMBERS or column.type == "bool":
        ranks = column.values.astype(float)
        ranks[~column.present] = np.nan
        return ranks
    codes, _ = column.categories
    return np.where(codes < 0, np.nan, codes.astype(float))


def text_of_list(value: Cell) -> Scalar | None:
    return ", ".join(value) if isinstance(value, list) else value


def comparable(value: object) -> Hashable:
    """The key of a value: 1 and 1.0 are equal, True differs from 1, and all NaN are equal."""
    if isinstance(value, float) and math.isnan(value):
        return ("nan",)
    if isinstance(value, bool):
        return ("bool", value)
    return tuple(value) if isinstance(value, list) else value


def sorted_rows(columns: Sequence[tuple[Column, bool]], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """A stable sort by the first column, then the next; True means descending. Absent values always come last."""
    keys: list[NDArray[np.float64]] = []
    for column, descending in reversed(columns):
        keys += sort_keys(column, rows, descending=descending)
    return rows[np.lexsort(keys)] if keys else rows


def sort_keys(
    column: Column, rows: NDArray[np.intp], *, descending: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lesser and the greater key: NaN come after numbers, absent values last, whether it descends or not."""
    ranks = column.ranks[rows]
    values = np.where(np.isnan(ranks), np.inf, -ranks if descending else ranks)
    return values, np.where(np.isnan(ranks), np.where(column.present[rows], 1.0, 2.0), 0.0)


def dense_ranks(column: Column, rows: NDArray[np.intp], *, descending: bool) -> NDArray[np.uint32]:
    """The order of these rows as whole numbers; equal values have equal numbers."""
    values, last = sort_keys(column, rows, descending=descending)
    order = np.lexsort((values, last))
    values, last = values[order], last[order]
    ranks = np.zeros(len(order), np.uint32)
    ranks[order[1:]] = np.cumsum((values[1:] != values[:-1]) | (last[1:] != last[:-1]))
    return ranks


def metric_id(column_id: str) -> tuple[str, str]:
    """The tag and the statistic in "metric:<tag>:<stat>"; tags may contain colons."""
    tag, _, stat = column_id.removeprefix("metric:").rpartition(":")
    return tag, stat


@dataclass(frozen=True)
class Names:
    """The names of all columns, to resolve what a user typed."""

    params: Mapping[str, Any]
    metrics: Mapping[str, Any]
    summary: Mapping[str, Any]

    def resolve(self, text: str) -> str:
        """The id of the column with this name or id."""
        found = self._exact(text) or self._as_metric(text) or self._by_suffix(text)
        if found is None:
            raise UnknownColumnError(f"there is no column '{text}'{self.hint(text)}")
        return found

    def has(self, column_id: str) -> bool:
        source, _, name = column_id.partition(":")
        if source == "metric":
            tag, stat = metric_id(column_id)
            return stat in STATS and tag in self.metrics
        return name in {"run": RUN_FIELDS, "param": self.params, "summary": self.summary}.get(source, ())

    def hint(self, text: str) -> str:
        """The most similar names, as the end of a sentence."""
        source, _, name = text.partition(":")
        bare = name if source in SOURCES else text
        if source == "metric" and bare.rpartition(":")[0]:
            bare = bare.rpartition(":")[0]
        if len(bare) > MAX_HINT_CHARACTERS:
            return ""
        # The time grows with the number of names and the square of their length.
        every = islice(chain(RUN_FIELDS, self.params, self.summary, self.metrics), MAX_HINT_NAMES)
        known = [name for name in every if len(name) <= MAX_HINT_CHARACTERS]
        low = {name.casefold(): name for name in known}
        near = [low[name] for name in difflib.get_close_matches(bare.casefold(), low, n=3, cutoff=0.6)]
        near = near or [name for name in known if bare and bare.casefold() in name.casefold()][:3]
        return f"; did you mean {' or '.join(repr(name) for name in near)}?" if near else ""

    def _exact(self, text: str) -> str | None:
        if self.has(text):
            return text
        for source, names in (("run", RUN_FIELDS), ("param", self.params)):
            if text in names:
                return f"{source}:{text}"
        return None

    def _as_metric(self, text: str) -> str | None:
        text = text.removeprefix("metric:")
        if text in self.metrics:
            return f"metric:{text}:last"
        for mark in (".", ":"):
            tag, _, stat = text.rpartition(mark)
            if stat in STATS and tag in self.metrics:
                return f"metric:{tag}:{stat}"
        return f"summary:{text}" if text in self.summary else None

    def _by_suffix(self, text: str) -> str | None:
        ending = f".{text}"
        found = [name for name in self.params if name.endswith(ending)]
        if len(found) > 1:
            several = ", ".join(repr(name) for name in found[:5])
            raise UnknownColumnError(f"'{text}' may be any of {several}: write the whole name")
        return f"param:{found[0]}" if found else None
