"""Queries, the run table and diffs in Python."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import seamark
from seamark.compare import QueryError, UnknownColumnError
from seamark.format.run_record import SCHEMA
from seamark.read.frame import Frame
from seamark.store.test_support import append, curve, file_start, scalar_bytes

START = 1_700_000_000.0


def make_run(logdir: Path, name: str, points: list[tuple[int, float]], config: dict[str, object] | None = None) -> None:
    append(logdir / name / "events.out.tfevents.1", file_start() + scalar_bytes("val/loss", points))
    if config is not None:
        record = {"schema": SCHEMA, "version": 1, "id": name, "name": name, "status": "finished", "config": config}
        record |= {"started_at": START, "ended_at": START + 60, "tags": ["a", "b"], "notes": f"of {name}"}
        (logdir / name / "run.json").write_text(json.dumps(record))


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    make_run(tmp_path, "good", curve(0, 10, scale=0.0625), {"optim": {"lr": 0.01}, "model": "resnet", "seed": 1})
    make_run(tmp_path, "bad", [(0, 5.0), (1, math.nan)], {"optim": {"lr": 0.1}, "model": 18, "amp": True})
    make_run(tmp_path, "bare", [(0, 2.0)])
    return tmp_path


def test_a_query_returns_runs(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        found = runs.query('metric["val/loss"].min < 3', sort="-val/loss.max")
        assert found.names == ["bare", "good"]
        assert found.query("lr < 1").names == ["good"]
        assert found.scalars("val/loss").rows == 11
        assert runs.query("ba").names == ["bad", "bare"]
        assert runs.query("/^b.d$/").names == ["bad"]
        assert runs.query(sort=["lr"]).names[-1] == "bare"


def test_an_invalid_query_raises_with_the_position(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        with pytest.raises(QueryError) as caught:
            runs.query("lr < 0.1 and")
        assert caught.value.at >= 0
        with pytest.raises(UnknownColumnError, match="lrr"):
            runs.query(sort="lrr")


def test_the_table_has_a_row_per_run_and_short_column_names(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        table = runs.query(sort="name").table(["name", "lr", "val/loss.min", "val/loss", "seed"])
        assert table.columns == ["name", "lr", "val/loss.min", "val/loss", "seed"]
        assert table["name"].tolist() == ["bad", "bare", "good"]
        np.testing.assert_array_equal(table["lr"], [0.1, math.nan, 0.01])
        np.testing.assert_array_equal(table["val/loss.min"], [5.0, 2.0, 0.0])
        np.testing.assert_array_equal(table["val/loss"], [math.nan, 2.0, 0.5625])


def test_the_table_has_all_columns_by_default(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        table = runs.table()
        for name in ("name", "status", "duration", "tags", "notes", "optim.lr", "model", "amp", "val/loss.last"):
            assert name in table.columns
        assert "commit" not in table.columns
        assert table["model"].tolist() == [18, None, "resnet"]


def test_the_table_converts_to_every_library(logdir: Path) -> None:
    pytest.importorskip("pandas"), pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    with seamark.open(logdir, index_dir=None) as runs:
        wanted = runs.query(sort="name")
        frame = wanted.pandas()
        assert frame.set_index("name").loc["good", "optim.lr"] == 0.01
        frame.loc[0, "optim.lr"] = 7.0  # a copy: it can be changed
        assert wanted.polars(["lr"])["lr"].to_list() == [0.1, None, 0.01]
        assert wanted.arrow(["lr", "tags"]).to_pydict() == {
            "lr": [0.1, None, 0.01],
            "tags": [["a", "b"], None, ["a", "b"]],
        }
        assert wanted.arrow(["val/loss"]).to_pydict()["val/loss"][1:] == [2.0, 0.5625]


def test_params_and_status_of_one_run(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        good = runs["good"]
        assert good.params == {"optim.lr": 0.01, "model": "resnet", "seed": 1}
        assert good.status == "finished" and good.record is not None and good.record.notes == "of good"
        assert runs["bare"].params == {} and runs["bare"].record is None


def test_diff_lists_the_differences(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        found = runs[["good", "bad"]].diff()
        config = next(section for section in found.changed() if section.name == "config")
        assert {row.key: row.values for row in config.rows} == {
            "optim.lr": [0.01, 0.1], "model": ["resnet", 18], "seed": [1, None], "amp": [None, True],
        }  # fmt: skip
        (metric,) = found.metrics
        assert metric.tag == "val/loss" and metric.best == [0.0, 5.0]
        with pytest.raises(ValueError, match="at least two runs, got 1"):
            runs["good"].diff()


def test_the_saved_state_is_in_the_table(logdir: Path) -> None:
    state = {"bare": {"tags": ["kept"], "label": "The bare one"}, "bad": {"archived": True}}
    with seamark.open(logdir, index_dir=None, state=state) as runs:
        assert runs.query('tag("kept")').names == ["bare"]
        assert runs.query().names == ["bare", "good"]
        assert runs.query(archived="only").names == ["bad"]


def test_hundreds_of_columns_fit_in_one_frame(tmp_path: Path) -> None:
    make_run(tmp_path, "a", [(0, 1.0)], {f"k.{i}": i for i in range(500)} | {"name": "shadow", "ключ": "значение"})
    with seamark.open(tmp_path, index_dir=None) as runs:
        table: Frame = runs.table()
        assert len(table.columns) > 500
        assert table["name"].tolist() == ["a"] and table["param:name"].tolist() == ["shadow"]
        assert table["ключ"].tolist() == ["значение"]
