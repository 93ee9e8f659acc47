"""Tests of batches of points, and of CSV and Parquet made of them."""

from __future__ import annotations

import csv
import io
import itertools
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from seamark.format.types import RunName, Tag
from seamark.store import ScalarBatch, Store
from seamark.store.ask.batches import Piece, batches_of
from seamark.store.ask.csv_text import csv_chunks
from seamark.store.ask.parquet import GROUP_ROWS, NoPyarrowError, parquet_chunks, write_parquet
from seamark.store.test_support import (
    ACCURACY,
    EVENTS,
    LOSS,
    A,
    B,
    append,
    curve,
    file_start,
    loaded,
    scalar_bytes,
    session_start,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Run a restarts twice, within a file and with a new file; b has a tag of its own and non-finite values."""
    append(tmp_path / "a" / EVENTS, file_start() + session_start(0) + scalar_bytes(LOSS, curve(0, 10)))
    append(tmp_path / "a" / EVENTS, session_start(6) + scalar_bytes(LOSS, curve(6, 12, scale=2)))
    append(tmp_path / "a" / f"{EVENTS}.later", session_start(8) + scalar_bytes(LOSS, curve(8, 20, scale=3)))
    odd = [(0, float("nan")), (1, float("inf")), (2, float("-inf")), (3, 0.1)]
    append(tmp_path / "b" / EVENTS, file_start() + scalar_bytes(LOSS, odd) + scalar_bytes(ACCURACY, curve(0, 3)))
    with loaded(tmp_path) as store:
        yield store


def points(batches: Iterator[ScalarBatch], run: str, tag: str) -> list[tuple[int, float, float]]:
    wanted = [batch for batch in batches if (batch.run, batch.tag) == (run, tag)]
    return [point for batch in wanted for point in zip(batch.steps, batch.walls, batch.values, strict=True)]


@pytest.mark.parametrize("attempts", ["latest", "all"])
def test_batches_contain_the_points_of_one_window(store: Store, attempts: str) -> None:
    for run, tag in ((A, LOSS), (B, LOSS), (B, ACCURACY)):
        whole = store.scalars(run, tag, attempts=attempts)
        want = np.column_stack([whole.step, whole.wall, whole.first])
        got = points(store.scalar_batches(attempts=attempts), run, tag)
        np.testing.assert_array_equal(np.array(got, float), want)


def test_a_batch_belongs_to_one_attempt(store: Store) -> None:
    found = [(batch.attempt, batch.steps.tolist()) for batch in store.scalar_batches(runs=[A], attempts="all")]
    assert found == [(0, [*range(10)]), (1, [*range(6, 12)]), (2, [*range(8, 20)])]
    latest = [(batch.attempt, batch.steps.tolist()) for batch in store.scalar_batches(runs=[A])]
    assert latest == [(0, [*range(6)]), (1, [6, 7]), (2, [*range(8, 20)])]


def test_unknown_runs_and_tags_are_left_out(store: Store) -> None:
    def chosen(**filters: list[str]) -> list[tuple[str, str]]:
        return list(dict.fromkeys((batch.tag, batch.run) for batch in store.scalar_batches(**filters)))  # type: ignore[arg-type]

    assert chosen() == [(ACCURACY, B), (LOSS, A), (LOSS, B)]
    assert chosen(tags=[LOSS], runs=[B, "gone"]) == [(LOSS, B)]
    assert chosen(tags=["gone"]) == chosen(tags=[]) == chosen(runs=[]) == []
    with pytest.raises(ValueError, match="want latest or all"):
        list(store.scalar_batches(attempts="some"))  # type: ignore[arg-type]


def test_a_long_series_is_split_into_batches() -> None:
    steps = np.arange(10)
    pieces = [Piece(0, steps, steps + 0.5, steps * 2.0), Piece(0, steps + 10, steps + 0.5, steps * 3.0)]
    found = list(batches_of(A, LOSS, pieces, max_rows=4))
    assert [len(batch) for batch in found] == [4, 4, 2, 4, 4, 2]
    assert np.concatenate([batch.steps for batch in found]).tolist() == [*range(20)]
    assert {batch.attempt for batch in found} == {0}


def test_csv_has_every_digit_and_quotes_text(store: Store) -> None:
    text = b"".join(csv_chunks(store.scalar_batches(runs=[B], tags=[LOSS]))).decode()
    assert text.splitlines()[0] == "tag,run,step,wall_time,value"
    assert [line.rsplit(",", 1)[1] for line in text.splitlines()[1:]] == [
        "NaN", "Infinity", "-Infinity", repr(float(np.float32(0.1)))]  # fmt: skip
    hostile = batch_of(4, tag='a "b", c\r\n', run="\ud800 \U0001f600 =1+1")
    rows = list(csv.reader(io.StringIO(b"".join(csv_chunks([hostile], with_attempt=True)).decode(), newline="")))
    assert rows[0][-1] == "attempt"
    assert rows[1] == ['a "b", c\r\n', "\\ud800 \U0001f600 =1+1", "0", "0.5", "0.0", "0"]
    assert len(rows) == 5


def batch_of(rows: int, *, tag: str = LOSS, run: str = A) -> ScalarBatch:
    steps = np.arange(rows)
    return ScalarBatch(RunName(run), Tag(tag), 0, steps, steps + 0.5, np.sin(steps))


def test_downloads_that_wait_for_their_reader_hold_little_memory() -> None:
    rows = np.arange(8192)
    batch = ScalarBatch(A, LOSS, 0, rows, rows + 0.123456789, rows + 0.123456789)
    tracemalloc.start()
    try:
        downloads = [csv_chunks([batch]) for _ in range(10)]
        largest = max(len(chunk) for download in downloads for chunk in itertools.islice(download, 2))
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < 0.5 * len(downloads) * largest  # a chunk belongs to whoever sends it


def test_parquet_contains_the_same_points(store: Store) -> None:
    from pyarrow import parquet

    file = io.BytesIO()
    assert write_parquet(store.scalar_batches(attempts="all"), file, with_attempt=True) == 28 + 4 + 3
    table = parquet.read_table(file)
    assert [str(kind) for kind in table.schema.types] == ["string", "string", "int64", "double", "double", "uint32"]
    want = [
        (batch.tag, batch.run, int(step), float(wall), batch.attempt)
        for batch in store.scalar_batches(attempts="all")
        for step, wall in zip(batch.steps, batch.walls, strict=True)
    ]
    rows = table.to_pylist()
    assert [(row["tag"], row["run"], row["step"], row["wall_time"], row["attempt"]) for row in rows] == want
    values = np.concatenate([batch.values for batch in store.scalar_batches(attempts="all")])
    np.testing.assert_array_equal(table["value"].to_numpy(), values)


def test_parquet_is_written_in_row_groups() -> None:
    from pyarrow import parquet

    taken = 0

    def source() -> Iterator[ScalarBatch]:
        nonlocal taken
        for _ in range(9):
            taken += 1
            yield batch_of(GROUP_ROWS // 4, run="\ud800")

    chunks = parquet_chunks(source())
    assert next(chunks) == b"PAR1"
    first = next(chunks)
    assert taken == 4, "no more is read than the first group needs"
    table = parquet.ParquetFile(io.BytesIO(b"PAR1" + first + b"".join(chunks)))
    assert [table.metadata.row_group(group).num_rows for group in range(3)] == [GROUP_ROWS, GROUP_ROWS, GROUP_ROWS // 4]
    assert table.read_row_group(2)["run"][0].as_py() == "\\ud800"


def test_no_points_make_a_valid_file() -> None:
    from pyarrow import parquet

    assert parquet.read_table(io.BytesIO(b"".join(parquet_chunks([])))).num_rows == 0
    assert b"".join(csv_chunks([])) == b"tag,run,step,wall_time,value\r\n"


def test_without_pyarrow_the_error_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NoPyarrowError, match=r"pip install 'seamark\[parquet\]'"):
        parquet_chunks([])
