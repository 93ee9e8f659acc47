"""Runs, hyperparameters and points as three Arrow tables for SQL. Points are not copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import Tag
from seamark.read.frame import encodable, library

if TYPE_CHECKING:
    from seamark.read.runs import Runs

TIMES = ("started", "ended")
MAX_SECS = 2e11  # beyond the year 8000


def runs_table(runs: Runs) -> Any:
    """A row per run: its name as `run`, and the run fields. Times are timestamps in UTC."""
    pyarrow = library("pyarrow")
    fields = [info.id.partition(":")[2] for info in runs.run_table.columns() if info.source == "run"]
    frame = runs.query(archived="show").table(fields)
    table = frame.arrow()
    for name in TIMES:
        table = table.set_column(table.column_names.index(name), name, as_timestamps(pyarrow, frame[name]))
    return table.rename_columns(["run" if name == "name" else name for name in table.column_names])


def as_timestamps(pyarrow: Any, secs: NDArray[Any]) -> Any:
    """Null for absent values and for times out of range."""
    given = secs.astype(np.float64)
    known = np.isfinite(given) & (np.abs(given) < MAX_SECS)
    micros = np.where(known, given * 1e6, 0).astype(np.int64)
    return pyarrow.array(micros, mask=~known).cast(pyarrow.timestamp("us"))


def params_table(runs: Runs) -> Any:
    """A row per run and hyperparameter: its value as text, and as a number if it is one; true is 1."""
    pyarrow = library("pyarrow")
    rows = [(run.name, key, value) for run in runs.query(archived="show") for key, value in run.params.items()]
    numbers = [float(value) if isinstance(value, int | float) else None for _, _, value in rows]
    return pyarrow.table(
        {
            "run": pyarrow.array([encodable(run) for run, _, _ in rows], pyarrow.string()),
            "key": pyarrow.array([encodable(key) for _, key, _ in rows], pyarrow.string()),
            "text": pyarrow.array([as_text(value) for _, _, value in rows], pyarrow.string()),
            "number": pyarrow.array(numbers, pyarrow.float64()),
        }
    )


def as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and value == round(value, 6) else encodable(str(value))


def scalars_table(runs: Runs) -> Any:
    """Every point, in the chunks of the store: steps, times and values share its memory."""
    pyarrow = library("pyarrow")
    names, tags = runs.names, [Tag(tag) for tag in runs.tags()]
    run_codes = {name: code for code, name in enumerate(names)}
    tag_codes = {tag: code for code, tag in enumerate(tags)}
    name_texts = pyarrow.array([encodable(name) for name in names], pyarrow.string())
    tag_texts = pyarrow.array([encodable(tag) for tag in tags], pyarrow.string())

    def coded(code: int, length: int, texts: Any) -> Any:
        return pyarrow.DictionaryArray.from_arrays(np.full(length, code, np.int32), texts)

    columns: dict[str, list[Any]] = {"tag": [], "run": [], "step": [], "wall_time": [], "value": []}
    for batch in runs.store.scalar_batches(runs=names, tags=tags):
        columns["tag"].append(coded(tag_codes[batch.tag], len(batch), tag_texts))
        columns["run"].append(coded(run_codes[batch.run], len(batch), name_texts))
        columns["step"].append(pyarrow.array(batch.steps))
        columns["wall_time"].append(pyarrow.array(batch.walls))
        columns["value"].append(pyarrow.array(batch.values))
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    types = {
        "tag": text,
        "run": text,
        "step": pyarrow.int64(),
        "wall_time": pyarrow.float64(),
        "value": pyarrow.float64(),
    }
    return pyarrow.table({name: pyarrow.chunked_array(chunks, types[name]) for name, chunks in columns.items()})
