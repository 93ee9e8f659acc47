"""Points as Parquet with the columns tag, run, step, wall_time and value. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import IO, Any

import numpy as np

from seamark.store.ask.batches import ScalarBatch

# About 10 MB: large enough to compress well and to be read fast.
GROUP_ROWS = 1 << 18


class NoPyarrowError(RuntimeError):
    """pyarrow is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Parquet needs the package pyarrow, which is not installed; pip install 'seamark[parquet]' or use CSV"
        )


def load_pyarrow() -> ModuleType:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise NoPyarrowError from None
    module: ModuleType = pyarrow
    return module


def write_parquet(batches: Iterable[ScalarBatch], target: IO[bytes], *, with_attempt: bool = False) -> int:
    """Writes all batches to an open file and returns the number of points. Raises NoPyarrowError."""
    points = 0

    def counted() -> Iterator[ScalarBatch]:
        nonlocal points
        for batch in batches:
            points += len(batch)
            yield batch

    for chunk in parquet_chunks(counted(), with_attempt=with_attempt):
        target.write(chunk)
    return points


def parquet_chunks(batches: Iterable[ScalarBatch], *, with_attempt: bool = False) -> Iterator[bytes]:
    """Yields the file in chunks. Raises NoPyarrowError when called, not at the first chunk."""
    return _chunks(load_pyarrow(), batches, with_attempt)


def _chunks(pyarrow: ModuleType, batches: Iterable[ScalarBatch], with_attempt: bool) -> Iterator[bytes]:
    schema = _schema(pyarrow, with_attempt)
    sink = _Sink()
    # Without Arrow's own schema every reader gets names as plain text.
    with pyarrow.parquet.ParquetWriter(pyarrow.PythonFile(sink, mode="w"), schema, store_schema=False) as writer:
        yield sink.take()
        for group in _groups(batches):
            writer.write_table(_table(pyarrow, group, schema), row_group_size=GROUP_ROWS)
            yield sink.take()
    yield sink.take()


def _schema(pyarrow: ModuleType, with_attempt: bool) -> Any:
    name = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    columns = [("tag", name), ("run", name), ("step", pyarrow.int64())]
    columns += [("wall_time", pyarrow.float64()), ("value", pyarrow.float64())]
    return pyarrow.schema([*columns, ("attempt", pyarrow.uint32())] if with_attempt else columns)


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


def _table(pyarrow: ModuleType, group: list[ScalarBatch], schema: Any) -> Any:
    lengths = [len(batch) for batch in group]

    def named(names: list[str]) -> Any:
        positions = {name: position for position, name in enumerate(dict.fromkeys(names))}
        indices = np.repeat(np.array([positions[name] for name in names], np.int32), lengths)
        # Parquet cannot store invalid Unicode: such a name is escaped.
        texts = [name.encode(errors="backslashreplace").decode() for name in positions]
        return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(texts, pyarrow.string()))

    columns = {
        "tag": named([batch.tag for batch in group]),
        "run": named([batch.run for batch in group]),
        "step": np.concatenate([batch.steps for batch in group]),
        "wall_time": np.concatenate([batch.walls for batch in group]),
        "value": np.concatenate([batch.values for batch in group]),
        "attempt": np.repeat(np.array([batch.attempt for batch in group], np.uint32), lengths),
    }
    return pyarrow.table([columns[name] for name in schema.names], schema=schema)


class _Sink:
    """A file-like object that holds written data until it is taken."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def take(self) -> bytes:
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False
