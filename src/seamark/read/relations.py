"""Runs, hyperparameters and points as three Arrow tables that SQL can join. Points are not copied."""

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
    """A row per run: its name as `run`, and the fields that every run has. Times are timestamps in UTC."""
    pyarrow = library("pyarrow")
    fields = [info.id.partition(":")[2] for info in runs._library.table.columns() if info.source == "run"]
    frame = runs.query(archived="show").table(fields)
    table = frame.arrow()
    for name in TIMES:
        table = table.set_column(table.column_names.index(name), name, as_timestamps(pyarrow, frame[name]))
    return table.rename_columns(["run" if name == "name" else name for name in table.column_names])


def as_timestamps(pyarrow: Any, secs: NDArray[Any]) -> Any:
    """Null for what is absent, and for times that no calendar has."""
    given = secs.astype(np.float64)
    known = np.isfinite(given) & (np.abs(given) < MAX_SECS)
    micros = np.where(known, given * 1e6, 0).astype(np.int64)
    return pyarrow.array(micros, mask=~known).cast(pyarrow.timestamp("us"))


def params_table(runs: Runs) -> Any:
    """A row per run and hyperparameter: its value as text, and as a number where it is one; true is 1."""
    pyarrow = library("pyarrow")
    told = [(run.name, key, value) for run in runs.query(archived="show") for key, value in run.params.items()]
    numbers = [float(value) if isinstance(value, int | float) else None for _, _, value in told]
    return pyarrow.table(
        {
            "run": pyarrow.array([encodable(run) for run, _, _ in told], pyarrow.string()),
            "key": pyarrow.array([encodable(key) for _, key, _ in told], pyarrow.string()),
            "text": pyarrow.array([as_text(value) for _, _, value in told], pyarrow.string()),
            "number": pyarrow.array(numbers, pyarrow.float64()),
        }
    )


def as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and value == round(value, 6) else encodable(str(value))


def scalars_table(runs: Runs) -> Any:
    """Every point, in the pieces it lies in: steps, times and values are the store's own memory."""
    pyarrow = library("pyarrow")
    names, tags = runs.names, [Tag(tag) for tag in runs.tags()]
    places = {name: place for place, name in enumerate(names)}
    tag_places = {tag: place for place, tag in enumerate(tags)}
    name_texts = pyarrow.array([encodable(name) for name in names], pyarrow.string())
    tag_texts = pyarrow.array([encodable(tag) for tag in tags], pyarrow.string())

    def coded(place: int, length: int, texts: Any) -> Any:
        return pyarrow.DictionaryArray.from_arrays(np.full(length, place, np.int32), texts)

    columns: dict[str, list[Any]] = {"tag": [], "run": [], "step": [], "wall_time": [], "value": []}
    for batch in runs._store.scalar_batches(runs=names, tags=tags):
        columns["tag"].append(coded(tag_places[batch.tag], len(batch), tag_texts))
        columns["run"].append(coded(places[batch.run], len(batch), name_texts))
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
