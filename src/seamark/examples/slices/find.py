"""Finds the worst slices of a model."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from seamark.examples.form import ExamplesError, ExampleSet, ScoredSet
from seamark.examples.results.slices import WorstSlicesResult
from seamark.examples.slices.literals import literals_of
from seamark.examples.slices.report import Report, SearchOptions
from seamark.examples.slices.search import Search
from seamark.examples.slicing.conditions import column_named
from seamark.tables.column import Column, Numbers, Rows


def find_worst_slices(
    scored: ScoredSet, rows: Rows, options: SearchOptions, *, threshold: float | Numbers = 0.5
) -> WorstSlicesResult:
    """`threshold` of a binary model: one, or one for each row of the set."""
    began = time.perf_counter()
    is_binary = scored.task != "regression"
    values = row_errors(scored, threshold)[rows]
    known = np.isfinite(values)
    kept, values = rows[known], values[known]
    found = [literals_of(column.take(kept)) for column in _columns(scored.examples, options.columns)]
    columns = [literals for literals in found if literals is not None]
    search = Search(values, columns, options.min_rows, options.max_conditions, is_binary)
    search.run()
    slices = Report(search, options).slices()
    return WorstSlicesResult(
        overall=float(values.mean()) if len(values) else None,
        metric="error" if is_binary else "mean absolute error",
        slices=tuple(slices),
        tried=search.tried,
        min_rows=options.min_rows,
        max_p=options.max_p,
        correction="Holm",
        took_ms=1000 * (time.perf_counter() - began),
        notes=tuple(_notes(search, len(rows) - len(values))),
    )


def row_errors(scored: ScoredSet, threshold: float | Numbers) -> Numbers:
    """1 for a wrong class, or the absolute error; NaN without a truth or a score."""
    if scored.task == "ranking":
        raise ExamplesError("worst slices need classes or numbers: a ranking has no error for each row")
    if scored.truth_numbers is None:
        raise ExamplesError("the set has no truth: choose the column that has it")
    with np.errstate(invalid="ignore", over="ignore"):  # the difference of two infinities
        return np.abs(scored.errors(threshold))


def _columns(examples: ExampleSet, names: Sequence[str]) -> list[Column]:
    if names:
        return [column_named(examples.table, name) for name in dict.fromkeys(names)]
    return [column for column in examples.features if column.type not in ("text", "image")]


def _notes(search: Search, left_out: int) -> list[str]:
    notes = [f"{left_out:,} rows without a truth or a prediction are left out."] if left_out else []
    if search.unpaired:
        notes.append(f"{search.unpaired:,} of {len(search.columns):,} columns are not paired, to bound the time.")
    return notes
