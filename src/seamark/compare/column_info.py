"""A column as it is listed: its type, its range, its values where they are few, and what is odd about it."""

from __future__ import annotations

from dataclasses import dataclass

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
    goal: str = ""  # of a metric: "min" or "max"


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
