"""A set of examples, and models as files, for the tests of models."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.examples.form import ExampleSet, PredictError
from seamark.examples.infer import infer_schema
from seamark.examples.predict.live_model import LiveModel
from seamark.examples.predict.process_backend import Limits, ProcessBackend
from seamark.examples.predict.spec import parse_model
from seamark.tables.build import column_of_names
from seamark.tables.column import Column, Rows, Table

ROWS = 200
ALL = np.arange(ROWS, dtype=np.int64)
JOBS = ("nurse", "clerk", "baker")
OpenModel = Callable[..., LiveModel]
LOGISTIC = """
    import numpy as np

    def predict(columns):
        return 1 / (1 + np.exp(-columns["x"]))

    predict.seamark_input = "columns"
"""
HANGS = """
    import os, subprocess, time

    def predict(columns):
        if os.path.exists("hang"):
            child = subprocess.Popen(["sleep", "1000"])
            open("child.tmp", "w").write(str(child.pid))
            os.rename("child.tmp", "child")
            {hang}
        return columns["x"] * 0

    predict.seamark_input = "columns"
"""


def make_set(truth: Column | None = None, *, has_names: bool = True, content_id: str = "test") -> ExampleSet:
    """Two numbers with missing values, a boolean and names; the truth is 1 where `x` is positive."""
    random = np.random.default_rng(0)
    x = random.normal(size=ROWS)
    y = random.uniform(0, 10, ROWS)
    y[3] = np.nan
    columns = [Column("x", "number", numbers=x), Column("y", "number", numbers=y)]
    columns.append(Column("is_new", "boolean", numbers=(y > 5).astype(float)))
    if has_names:
        names: list[str | None] = [JOBS[row % 3] for row in range(ROWS)]
        names[5] = None
        columns.append(column_of_names("job", names))
    columns.append(truth or Column("label", "number", numbers=(x > 0).astype(float)))
    table = Table(ROWS, tuple(columns))
    return ExampleSet(table, infer_schema(table), content_id=content_id)


def make_pictures() -> tuple[ExampleSet, dict[str, bytes]]:
    """Four rows with pictures: the second has none, that of the third cannot be read."""
    files = {"a.png": b"\x89PNG a\0", "d.png": b"\x89PNG dd\0\0"}
    image = column_of_names("image", ["a.png", None, "gone.png", "d.png"], "image")
    table = Table(4, (image, Column("x", "number", numbers=np.arange(4.0))), read_picture=files.__getitem__)
    return ExampleSet(table, infer_schema(table), "pictures", read_picture=table.read_picture), files


@pytest.fixture
def examples() -> ExampleSet:
    return make_set()


@pytest.fixture
def open_model(tmp_path: Path, examples: ExampleSet) -> Iterator[OpenModel]:
    """Opens `predict` of a Python file with this text; ends its process after the test."""
    opened: list[ProcessBackend] = []

    def open_text(
        text: str, *, limits: Limits | None = None, examples: ExampleSet = examples, name: str = "predict"
    ) -> LiveModel:
        path = tmp_path / "model.py"
        path.write_text(textwrap.dedent(text))
        opened.append(ProcessBackend(parse_model(f"{path}:{name}"), limits or Limits(timeout_secs=60)))
        return LiveModel(opened[-1], examples)

    yield open_text
    for backend in opened:
        backend.close()


def x_of(examples: ExampleSet) -> Any:
    return examples.table.by_name["x"].numbers


def error_of(model: LiveModel, rows: Rows = ALL) -> PredictError:
    with pytest.raises(PredictError) as caught:
        model.predict(rows)
    return caught.value


def pid_of(model: LiveModel) -> int:
    return int(model._backend._process.pid)  # type: ignore[attr-defined]


def wait_until(condition: Callable[[], bool], secs: float = 30.0) -> None:
    deadline = time.monotonic() + secs
    while not condition():
        assert time.monotonic() < deadline, "the condition was not met"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
