"""Logged examples as tables: the columns of a run's files, with the predictions of one step as columns behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from seamark.examples.prediction_names import PredictionName
from seamark.kinds.example_files import ExampleColumn, ExampleScores, ExampleTable
from seamark.tables.build import named_column, number_column
from seamark.tables.column import Column, Numbers, Table, TableError
from seamark.tables.names import distinct_names
from seamark.tables.pictures import Pictures

DEFAULT_MODEL = "predictions"


class ScoredTable(NamedTuple):
    table: Table
    predictions: dict[str, PredictionName]  # by column


def table_of_logged(logged: ExampleTable) -> Table:
    pictures = Pictures()
    names = distinct_names(column.name for column in logged.columns)
    columns = tuple(_column(name, c, pictures) for name, c in zip(names, logged.columns, strict=True))
    return Table(logged.rows, columns, read_picture=pictures.read if pictures else None)


def _column(name: str, logged: ExampleColumn, pictures: Pictures) -> Column:
    if logged.numbers is not None:
        return number_column(name, logged.numbers)
    if logged.codes is not None:
        return named_column(name, logged.codes, logged.names)
    assert logged.offsets is not None and logged.pictures is not None
    data = logged.pictures.tobytes()
    spans = zip(logged.offsets[:-1].tolist(), logged.offsets[1:].tolist(), strict=True)
    return pictures.column(name, [data[start:end] for start, end in spans])


def with_scores(table: Table, scores: ExampleScores) -> ScoredTable:
    """Raises TableError if the predictions are of another number of examples."""
    columns = list(table.columns)
    predictions: dict[str, PredictionName] = {}
    used = {column.name for column in columns}
    for name, numbers, prediction in _score_columns(scores):
        if len(numbers) != table.rows:
            raise TableError(f"'{prediction.model}' has predictions of {len(numbers):,} of {table.rows:,} examples")
        unused = distinct_names([*used, name])[-1]
        used.add(unused)
        predictions[unused] = prediction
        columns.append(Column(unused, "number", numbers=numbers))
    return ScoredTable(Table(table.rows, tuple(columns), table.problems, table.read_picture), predictions)


def _score_columns(scores: ExampleScores) -> Iterator[tuple[str, Numbers, PredictionName]]:
    for model, found in scores.models.items():
        prefix, name = ("", "") if model == DEFAULT_MODEL else (f"{model}/", model)
        if found.scores.ndim == 1:
            yield f"{prefix}score", found.scores, PredictionName(name, "")
            continue
        for index, predicted in enumerate(found.classes):
            column = np.ascontiguousarray(found.scores[:, index])
            yield f"{prefix}p_{predicted}", column, PredictionName(name, predicted)
