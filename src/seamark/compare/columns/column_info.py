"""Describes columns for the column list: type, range, and the values if there are few."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from seamark.compare.columns.column import Column
from seamark.compare.record.flatten import Scalar
from seamark.compare.settings import ColumnSource, ColumnType, Goal


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """An entry of the column list. A metric has one entry, with all its statistics."""

    id: str
    name: str
    source: ColumnSource
    type: ColumnType
    runs: int
    mixed: bool = False
    low: float | None = None
    high: float | None = None
    values: list[tuple[Scalar, int]] | None = None
    stats: tuple[str, ...] = ()
    goal: Goal | Literal[""] = ""  # of a metric


@dataclass(slots=True)
class ColumnPage:
    """Listed columns, and how many of each source were left out."""

    columns: list[ColumnInfo] = field(default_factory=list)
    left_out: dict[ColumnSource, int] = field(default_factory=dict)

    def choose(
        self, source: ColumnSource, names: Iterable[str], search: str, wanted: Collection[str], limit: int | None
    ) -> list[str]:
        """The names to list, in order. Ids in `wanted` are listed beyond the limit, metrics with or without a stat."""
        words = search.casefold().split()
        found = [name for name in names if all(word in name.casefold() for word in words)] if words else list(names)
        found.sort()
        if limit is None or len(found) <= limit:
            return found
        bare = {text for one in wanted for text in (one, one.rpartition(":")[0])} if source == "metric" else wanted
        listed = found[:limit] + [name for name in found[limit:] if bare and f"{source}:{name}" in bare]
        if len(found) > len(listed):
            self.left_out[source] = len(found) - len(listed)
        return listed


def column_info(column: Column) -> ColumnInfo:
    low, high = column.span()
    return ColumnInfo(
        column.id, column.name, column.source, column.type, int(column.present.sum()), column.mixed, low, high,
        column.distinct,
    )  # fmt: skip


def mixed_problem(column: Column) -> str:
    """A sentence about a hyperparameter whose type differs between runs."""
    values = column.values[column.present].tolist()
    text = sum(isinstance(value, str) for value in values)
    flags = sum(isinstance(value, bool) for value in values)
    counts = {"a number": len(values) - text - flags, "text": text, "true or false": flags}
    parts = " and ".join(f"{type_name} in {runs}" for type_name, runs in counts.items() if runs)
    return f"'{column.name}' is {parts} of {len(values)} runs; it is shown as text, numbers first"
