"""Columns: their ids, their types, their values over all runs, and what people may call them."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.compare.flatten import Scalar

STATS = ("last", "min", "max", "min_step", "max_step", "mean", "first", "count", "tail")
SOURCES = ("run", "param", "metric", "summary")
# The fields of a run, in the order they are listed in, with their types.
RUN_FIELDS: Mapping[str, str] = {
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
    """There is no such column; the message is a sentence that names what comes near."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class Column:
    """A value per run. Where `present` is False the value means nothing: 0, False, "" or ().

    Arrays by type: number, time, duration float64; bool bool; text objects of str; list objects of tuples. A text
    column that is `mixed` holds bools and numbers as they are among its texts, and None where there is nothing.
    """

    id: str
    type: str
    values: NDArray[Any]
    present: NDArray[np.bool_]
    mixed: bool = False
    is_whole: bool = False  # a number column of ints only

    @property
    def source(self) -> str:
        return self.id.partition(":")[0]

    @property
    def name(self) -> str:
        return self.id.partition(":")[2]

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """Sorts as people expect: numbers by size, text in natural order, numbers before text. Blanks are NaN."""
        return ranks_of(self)

    @cached_property
    def distinct(self) -> list[tuple[Scalar, int]] | None:
        """Values with their counts, when there are at most MAX_DISTINCT; None for lists, too."""
        if self.type == "list" or self.type in ("time", "duration"):
            return None
        rows = np.flatnonzero(self.present)
        # Most columns of many values show it in the first few; all others are counted in one go.
        if count_values(self.cells(rows[: 10 * MAX_DISTINCT])) is None:
            return None
        counted = count_values(self.cells(rows))
        return None if counted is None else sorted(counted, key=lambda item: (-item[1], natural(item[0])))

    def span(self, rows: NDArray[np.intp] | None = None) -> tuple[float | None, float | None]:
        """The least and greatest finite value, of these rows or of all."""
        if self.type not in NUMBERS:
            return None, None
        values = self._finite if rows is None else self._finite[rows]
        if not len(values):
            return None, None
        low = float(np.fmin.reduce(values))
        return (None, None) if low != low else (low, float(np.fmax.reduce(values)))

    @cached_property
    def _finite(self) -> NDArray[np.float64]:
        """NaN where there is nothing to count."""
        values: NDArray[np.float64] = np.where(self.present & np.isfinite(self.values), self.values, np.nan)
        return values

    def cells(self, rows: NDArray[np.intp]) -> list[Cell]:
        """As Python has them; None where there is nothing."""
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
    """Each value with its count, without NaN; None when they are more than MAX_DISTINCT."""
    kinds = set(map(type, values))
    found: list[tuple[Scalar, int]] = []
    for kind in kinds if len(kinds) > 1 and bool in kinds else [None]:  # True and 1 are the same to a dictionary
        counts = Counter(values if kind is None else [value for value in values if type(value) is kind])
        if float in kinds:
            counts = Counter({value: runs for value, runs in counts.items() if value == value})
        found += counts.items()
        if len(found) > MAX_DISTINCT:
            return None
    return found


def column_of(column_id: str, given: Sequence[Any]) -> Column:
    """A column of whatever runs have: its type is that of its values."""
    kinds = set(map(type, given))
    whole = given
    present = np.ones(len(given), bool)
    if type(None) in kinds:
        kinds.discard(type(None))
        present = np.array([value is not None for value in given], bool)
        blank: Any = False if kinds == {bool} else 0.0 if kinds and kinds <= {int, float} else ""
        whole = [blank if value is None else value for value in given]
    if kinds == {bool}:
        return Column(column_id, "bool", np.array(whole, bool), present)
    if kinds <= {int, float} and kinds:
        values = np.array(whole, float)
        return Column(column_id, "number", values, present, is_whole=is_whole(values))
    if kinds <= {str}:
        return Column(column_id, "text", objects(whole), present)
    return Column(column_id, "text", objects(given), present, mixed=True)


def patched(column: Column, given: Sequence[Any], places: Sequence[int]) -> Column:
    """The column with the values of these places, or of more rows than it had, taken from `given`."""
    fresh = [given[place] for place in places]
    kinds = {type(value) for value in fresh} - {type(None)}
    allowed: dict[str, set[type]] = {"bool": {bool}, "number": {int, float}, "text": {str}}
    if not kinds <= allowed[column.type] or column.mixed or not column.present.any():
        return column_of(column.id, given)
    blank: Any = {"bool": False, "number": 0.0, "text": ""}[column.type]
    values = np.full(len(given), blank, column.values.dtype)
    present = np.zeros(len(given), bool)
    values[: len(column.values)], present[: len(column.present)] = column.values, column.present
    for place, value in zip(places, fresh, strict=True):
        values[place], present[place] = (blank, False) if value is None else (value, True)
    whole = column.type == "number" and is_whole(values)
    return Column(column.id, column.type, values, present, is_whole=whole)


def is_whole(values: NDArray[np.float64]) -> bool:
    """Hyperparameters in event files are floats, whatever they were: a column of 32.0 and 64.0 was one of ints."""
    return bool(np.all(np.isfinite(values)) and np.all(values == np.floor(values)) and np.all(np.abs(values) < 2**53))


def typed_column(column_id: str, kind: str, given: Sequence[Any]) -> Column:
    """A column whose type is known, as those of run fields are."""
    present = np.array([value is not None for value in given], bool)
    if kind in NUMBERS:
        values: NDArray[Any] = np.array([0.0 if value is None else value for value in given], float)
    elif kind == "bool":
        values = np.array([bool(value) for value in given], bool)
    else:
        values = objects([(() if kind == "list" else "") if value is None else value for value in given])
    return Column(column_id, kind, values, present, is_whole=kind == "number")


def objects(values: Iterable[Any]) -> NDArray[Any]:
    """One object per row, also when the objects are sequences themselves."""
    return np.fromiter(values, object)


@lru_cache(maxsize=200_000, typed=True)
def natural(value: object) -> tuple[Any, ...]:
    """run2 before run10, and numbers before text."""
    if isinstance(value, bool):
        return (0, int(value))
    if isinstance(value, int | float):
        return (1, math.inf if value != value else value)
    parts = re.split(r"(\d+)", str(value).casefold())
    return (2, tuple(int(part[:300]) if at % 2 else part for at, part in enumerate(parts)), str(value))


def ranks_of(column: Column) -> NDArray[np.float64]:
    if column.type in NUMBERS or column.type == "bool":
        ranks = column.values.astype(float)
        ranks[~column.present] = np.nan
        return ranks
    values = [", ".join(value) if isinstance(value, tuple) else value for value in column.values.tolist()]
    distinct = sorted({value for value, there in zip(values, column.present, strict=True) if there}, key=natural)
    place = {value: float(at) for at, value in enumerate(distinct)}
    return np.array([place.get(v, np.nan) if p else np.nan for v, p in zip(values, column.present, strict=True)])


def sorted_rows(columns: Sequence[tuple[Column, bool]], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """By the first column, then by the next; True is descending. Blanks come last either way, equal rows stay."""
    keys: list[NDArray[np.float64]] = []
    for column, descending in reversed(columns):
        ranks = column.ranks[rows]
        keys.append(np.where(np.isnan(ranks), np.inf, -ranks if descending else ranks))
        keys.append(np.where(np.isnan(ranks), np.where(column.present[rows], 1.0, 2.0), 0.0))
    return rows[np.lexsort(keys)] if keys else rows


def metric_id(column_id: str) -> tuple[str, str]:
    """The tag and the statistic in "metric:<tag>:<stat>"; tags may hold colons."""
    tag, _, stat = column_id.removeprefix("metric:").rpartition(":")
    return tag, stat


@dataclass(frozen=True)
class Names:
    """What columns there are, for finding one by what a person calls it."""

    params: Mapping[str, Any]
    metrics: Mapping[str, Any]
    summary: Mapping[str, Any]

    def resolve(self, text: str) -> str:
        """The id of the column that a person means; an id stands for itself."""
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
        """The nearest names, as the end of a sentence."""
        source, _, name = text.partition(":")
        bare = name if source in SOURCES else text
        if source == "metric" and bare.rpartition(":")[0]:
            bare = bare.rpartition(":")[0]
        if len(bare) > MAX_HINT_CHARACTERS:
            return ""
        # The time it takes grows with the number of names, and with the square of their length.
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
