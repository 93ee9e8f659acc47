"""Every point of a store as batches, and the same points in a Parquet file."""

from __future__ import annotations

import io
import math
import re
from pathlib import Path

import numpy as np
import pytest

from seamark.store import scalar_rows
from seamark.store.parquet import write_parquet
from seamark.store.scalar_rows import scalar_batches
from seamark.store.test_support import START_WALL, append, file_start, loaded, scalar_bytes, write_run


def test_batches_hold_every_point_of_every_attempt_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalar_rows, "BATCH_ROWS", 3)
    append(
        tmp_path / "a" / "events.out.tfevents.1",
        file_start() + scalar_bytes("loss", [(0, 1.0), (1, math.nan), (5, 2.0), (1, 3.0)]),
    )
    write_run(tmp_path / "b", steps=1, tag="accuracy")
    with loaded(tmp_path) as store:
        batches = list(scalar_batches(store))
        assert [(batch.run, batch.tag, batch.steps.tolist()) for batch in batches] == [
            ("a", "loss", [0, 1, 5]),
            ("a", "loss", [1]),
            ("b", "accuracy", [0]),
        ]
        assert batches[0].walls.tolist() == [START_WALL, START_WALL + 1, START_WALL + 5]
        np.testing.assert_array_equal(batches[0].values, [1.0, math.nan, 2.0])
        assert [batch.tag for batch in scalar_batches(store, tags=re.compile("acc"))] == ["accuracy"]
        assert [batch.run for batch in scalar_batches(store, runs=re.compile("^b"))] == ["b"]
        assert [batch.steps.tolist() for batch in scalar_batches(store, runs=re.compile("a"), attempts="latest")] == [
            [0, 1]
        ]


def test_a_parquet_file_holds_the_same(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    write_run(tmp_path / "logs" / "a", steps=4)
    write_run(tmp_path / "logs" / "<b> ☃", steps=2, tag="accuracy")
    with loaded(tmp_path / "logs") as store:
        assert write_parquet(scalar_batches(store), tmp_path / "points.parquet") == 6
        stream = io.BytesIO()
        assert write_parquet(scalar_batches(store), stream) == 6
        assert write_parquet(iter([]), tmp_path / "empty.parquet") == 0
    table = pyarrow.parquet.read_table(tmp_path / "points.parquet")
    assert table.column_names == ["run", "tag", "step", "wall_time", "value"]
    rows = sorted(table.to_pylist(), key=lambda row: (row["run"], row["step"]))
    assert [(row["run"], row["tag"], row["step"], row["value"]) for row in rows] == [
        ("<b> ☃", "accuracy", 0, 0.0),
        ("<b> ☃", "accuracy", 1, 1.0),
        *[("a", "loss", step, float(step)) for step in range(4)],
    ]
    assert rows[-1]["wall_time"] == START_WALL + 3
    assert pyarrow.parquet.read_table(io.BytesIO(stream.getvalue())).equals(table)
    assert pyarrow.parquet.read_table(tmp_path / "empty.parquet").num_rows == 0
