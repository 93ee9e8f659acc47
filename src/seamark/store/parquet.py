"""Scalar points as a Parquet file: run, tag, step, wall_time, value. pyarrow is the optional extra `parquet`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from seamark.store.scalar_rows import ScalarBatch

# A row group per so many rows: few enough to stay small in memory, many enough to compress.
GROUP_ROWS = 1 << 20
MISSING = "Parquet needs pyarrow: pip install 'seamark[parquet]'"


class ParquetMissingError(ImportError):
    """pyarrow is not there; the message says what to install."""


def write_parquet(batches: Iterable[ScalarBatch], target: Path | IO[bytes]) -> int:
    """Writes all batches into a file or a stream, and returns the number of rows. Memory stays at one row group."""
    pyarrow, parquet = _pyarrow()
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    schema = pyarrow.schema(
        [
            ("run", text),
            ("tag", text),
            ("step", pyarrow.int64()),
            ("wall_time", pyarrow.float64()),
            ("value", pyarrow.float64()),
        ]
    )
    rows = 0
    where = str(target) if isinstance(target, Path) else target
    with parquet.ParquetWriter(where, schema, compression="zstd") as writer:
        for group in _groups(batches):
            columns = [
                _repeated(pyarrow, [batch.run for batch in group], group),
                _repeated(pyarrow, [batch.tag for batch in group], group),
                pyarrow.chunked_array([batch.steps for batch in group], pyarrow.int64()),
                pyarrow.chunked_array([batch.walls for batch in group], pyarrow.float64()),
                pyarrow.chunked_array([batch.values for batch in group], pyarrow.float64()),
            ]
            table = pyarrow.table([column.combine_chunks() for column in columns], schema=schema)
            writer.write_table(table)
            rows += len(table)
    return rows


def _groups(batches: Iterable[ScalarBatch]) -> Iterator[list[ScalarBatch]]:
    group: list[ScalarBatch] = []
    rows = 0
    for batch in batches:
        group.append(batch)
        rows += len(batch)
        if rows >= GROUP_ROWS:
            yield group
            group, rows = [], 0
    if group:
        yield group


def _repeated(pyarrow: Any, names: list[str], group: list[ScalarBatch]) -> Any:
    """A column of names, one entry per row, as a dictionary: each name is held once."""
    import numpy as np

    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    index = np.repeat([codes[name] for name in names], [len(batch) for batch in group]).astype(np.int32)
    # Half a surrogate pair can stand in a folder's name, but not in Parquet.
    whole = [name.encode("utf-8", "replace").decode() for name in codes]
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(index), pyarrow.array(whole, pyarrow.string()))
    return pyarrow.chunked_array([column])


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise ParquetMissingError(MISSING) from error
