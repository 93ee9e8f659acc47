"""ExamplesContent: checked copies of what log_examples got, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.kinds.example_files import ModelScores
from seamark.write.encode.arrays import as_copy

DEFAULT_MODEL = "predictions"
TRUTH = "truth"
# A guess for what a Python value takes; the queue counts bytes.
VALUE_BYTES = 32
Values = NDArray[Any] | list[Any]


@dataclass(frozen=True)
class ExamplesContent:
    columns: dict[str, Values]
    rows: int
    truth: str
    models: dict[str, ModelScores]

    @property
    def nbytes(self) -> int:
        scores = sum(model.scores.nbytes for model in self.models.values())
        columns = self.columns.values()
        return scores + sum(v.nbytes if isinstance(v, np.ndarray) else VALUE_BYTES * len(v) for v in columns)


def of_log_examples(table: Any, predictions: Any, truth: Any, classes: Sequence[Any] | None) -> ExamplesContent:
    """Raises ValueError or TypeError for arguments that do not fit."""
    columns = {str(name): _copied(values, name) for name, values in _columns(table).items()}
    if not columns:
        raise ValueError("examples have at least one column: got none")
    name = truth if isinstance(truth, str) else ""
    if truth is not None and not isinstance(truth, str):
        name = TRUTH
        columns[name] = _copied(truth, name)
    elif name and name not in columns:
        raise ValueError(
            f"the truth is an array or a column of the table: got '{name}', want one of {_listed(columns)}"
        )
    rows = len(next(iter(columns.values())))
    for column, values in columns.items():
        if len(values) != rows:
            got = f"got {len(values)} of '{column}', want {rows}"
            raise ValueError(f"every column has one value for each example: {got}")
    if not rows:
        raise ValueError("examples have at least one row: got none")
    known = [str(one) for one in classes] if classes is not None else _class_names(columns.get(name))
    by_model = predictions if isinstance(predictions, Mapping) else {DEFAULT_MODEL: predictions}
    models = {str(m): _scores(str(m), values, rows, known) for m, values in by_model.items() if values is not None}
    return ExamplesContent(columns, rows, name, models)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(list(names)[:10])


def _columns(table: Any) -> Mapping[Any, Any]:
    if isinstance(table, Mapping):
        return table
    if hasattr(table, "column_names") and hasattr(table, "num_rows"):  # pyarrow
        return {name: table.column(at).to_pylist() for at, name in enumerate(table.column_names)}
    if hasattr(table, "get_columns"):  # Polars
        return {column.name: _polars_values(column) for column in table.get_columns()}
    if hasattr(table, "itertuples"):  # pandas
        return {name: table[name].to_numpy() for name in table.columns}
    array = table if hasattr(table, "shape") else None
    if array is not None and len(array.shape) == 2:
        return {"column": table}
    if isinstance(table, Sequence) and table and all(isinstance(row, Mapping) for row in table):
        names = dict.fromkeys(name for row in table for name in row)
        return {name: [row.get(name) for row in table] for name in names}
    raise TypeError(
        "examples are a dict of columns, a list of dicts, a matrix, or a table of pandas, Polars or Arrow: "
        f"got {type(table).__name__}"
    )


def _polars_values(column: Any) -> Any:
    return column.to_list() if column.null_count() or not column.dtype.is_numeric() else column.to_numpy()


def _copied(values: Any, name: Any) -> Values:
    if hasattr(values, "shape") and hasattr(values, "dtype"):
        array = as_copy(values)
        if array.ndim == 0:
            raise ValueError(f"a column has one value for each example: got one value for '{name}'")
        return list(array) if array.dtype == object else array
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"a column is a list or an array: got {type(values).__name__} for '{name}'")
    return list(values)


def _class_names(truth: Values | None) -> list[str]:
    """The classes of a truth, sorted as scikit-learn sorts them."""
    if truth is None:
        return []
    given = truth.tolist() if isinstance(truth, np.ndarray) else truth
    found = {value for value in given if value is not None and value == value}
    try:
        ordered = sorted(found)
    except TypeError:
        ordered = sorted(found, key=str)
    return [_class_name(value) for value in ordered]


def _class_name(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _scores(model: str, values: Any, rows: int, classes: Sequence[str]) -> ModelScores:
    scores = as_copy(values)
    if scores.dtype.kind not in "biuf":
        raise TypeError(f"predictions are numbers: got {scores.dtype} from '{model}'; add predicted names as a column")
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim not in (1, 2) or len(scores) != rows:
        raise ValueError(f"'{model}' has the wrong shape: got {list(scores.shape)}, want [{rows}] or [{rows}, classes]")
    numbers = scores.astype(np.float64)
    if numbers.ndim == 1:
        return ModelScores(numbers)
    count = numbers.shape[1]
    names = classes if len(classes) == count else [str(index) for index in range(count)]
    return ModelScores(numbers, tuple(names))
