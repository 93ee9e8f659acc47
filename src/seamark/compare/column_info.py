"""A column as it is listed: its type, its range, its values where they are few, and what is odd about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from seamark.compare.columns import Column
from seamark.compare.flatten import Scalar


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """A column as it is listed. A metric is listed once, with its statistics."""

    id: str
    name: str
    source: str
    type: str
    runs: int
    mixed: bool = False
    low: float | None = None
    high: float | None = None
    values: list[tuple[Scalar, int]] | None = None
    stats: tuple[str, ...] = ()
    goal: str = ""  # of a metric: "min", "max", or "" where nobody says what is better


@dataclass(slots=True)
class ColumnPage:
    """Columns as they are listed, and how many of each source were left out."""

    columns: list[ColumnInfo] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def choose(
        self, source: str, names: Iterable[str], search: str, wanted: Collection[str], limit: int | None
    ) -> list[str]:
        """The names to list, in order. `wanted` are ids of columns, those of metrics with or without a statistic."""
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
    """A hyperparameter that changes its type between runs, in a sentence."""
    values = column.values[column.present].tolist()
    text = sum(isinstance(value, str) for value in values)
    flags = sum(isinstance(value, bool) for value in values)
    counts = {"a number": len(values) - text - flags, "text": text, "true or false": flags}
    said = " and ".join(f"{kind} in {runs}" for kind, runs in counts.items() if runs)
    return f"'{column.name}' is {said} of {len(values)} runs; it is shown as text, numbers first"
