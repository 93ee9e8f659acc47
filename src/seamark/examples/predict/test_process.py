"""Models in processes of their own: what they get, what they return, and what they can see."""

from __future__ import annotations

import ast
import gc
import json
import os
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.examples.form import ExampleSet
from seamark.examples.predict import pictures
from seamark.examples.predict.conftest import (
    ALL,
    LOGISTIC,
    ROWS,
    OpenModel,
    error_of,
    make_pictures,
    make_set,
    x_of,
)
from seamark.examples.predict.process_backend import Limits, ProcessBackend
from seamark.examples.predict.spec import parse_model

pytestmark = pytest.mark.timed


def test_rows_are_predicted_in_their_order_with_changed_values(open_model: OpenModel, examples: ExampleSet) -> None:
    model = open_model(LOGISTIC)
    expected = 1 / (1 + np.exp(-x_of(examples)))
    predictions = model.predict(ALL[::-1])
    assert (predictions.task, predictions.classes) == ("binary", ("0", "1"))
    np.testing.assert_allclose(predictions.scores, expected[::-1])
    changed = model.predict(np.array([7, 7, 2]), {"x": [0.0, None, 100.0]})
    assert changed.scores[0] == 0.5 and np.isnan(changed.scores[1]) and changed.scores[2] == 1.0
    assert model.row_ms is not None and model.row_ms > 0


SEES = """
    import json, math

    def predict(given):
        text = describe(given)
        open("seen.json", "w").write(json.dumps(text))
        return [0.5] * len(given if not isinstance(given, dict) else given["x"])

    def plain(values):
        return [None if v is None or v != v else v for v in values]
"""
FORMS = {
    "dataframe": "{c: [str(given[c].dtype), plain(given[c].tolist())] for c in given.columns}",
    "columns": "{c: [str(v.dtype), plain(v.tolist())] for c, v in given.items()}",
    "rows": "given",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_input_has_the_same_values(form: str, open_model: OpenModel, tmp_path: Path) -> None:
    model = open_model(
        textwrap.dedent(SEES) + f"\npredict.seamark_input = {form!r}\ndef describe(given): return {FORMS[form]}\n"
    )
    model.predict(np.array([3, 5, 0]), {"job": ["pilot", None, "nurse"], "x": [1.5, 2.0, -1.0]})
    seen = json.loads((tmp_path / "seen.json").read_text())
    values = (
        {name: [row[name] for row in seen] for name in seen[0]}
        if form == "rows"
        else {n: v[1] for n, v in seen.items()}
    )
    assert list(values) == ["x", "y", "is_new", "job"]  # the truth is not shown
    assert values["x"] == [1.5, 2.0, -1.0]
    assert values["job"] == ["pilot", None, "nurse"]
    assert values["y"][0] is None and values["is_new"][0] is False
    if form != "rows":
        assert [seen[name][0] for name in values] == ["float64", "float64", "bool", "object"]


def test_a_matrix_has_numbers_only(open_model: OpenModel, examples: ExampleSet) -> None:
    text = "def predict(matrix): return matrix[:, 0] > 0\npredict.seamark_input = 'matrix'"
    predictions = open_model(text, examples=make_set(has_names=False)).predict(ALL)
    np.testing.assert_array_equal(predictions.scores, x_of(examples) > 0)
    error = error_of(open_model(text))
    assert "takes a matrix of numbers, but the feature 'job' has names" in str(error)


@pytest.mark.parametrize("form", FORMS)
def test_pictures_are_the_bytes_of_their_files(form: str, open_model: OpenModel, tmp_path: Path) -> None:
    text = """
        def predict(given):
            images = [row["image"] for row in given] if isinstance(given, list) else given["image"]
            open("seen.txt", "w").write(repr([v if isinstance(v, bytes) else None for v in images]))
            return [len(v) if isinstance(v, bytes) else 0 for v in images]
    """
    examples, files = make_pictures()
    model = open_model(f"{textwrap.dedent(text)}\npredict.seamark_input = {form!r}", examples=examples)
    assert model.predict(np.arange(4)).scores.tolist() == [7, 0, 0, 9]
    assert ast.literal_eval((tmp_path / "seen.txt").read_text()) == [files["a.png"], None, None, files["d.png"]]
    changed = model.predict(np.array([0, 3]), {"image": ["d.png", None]})  # as attributions exchange values
    assert changed.scores.tolist() == [9, 0]
    matrix = open_model("def predict(m): return m[:, 0]\npredict.seamark_input = 'matrix'", examples=examples)
    assert "the feature 'image' has pictures" in str(error_of(matrix, np.arange(4)))


def test_pictures_that_are_too_large_are_a_sentence(open_model: OpenModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_PICTURES_BYTES", 10)
    model = open_model(LOGISTIC, examples=make_pictures()[0])
    assert "the pictures of 'image' have more than" in str(error_of(model, np.arange(4)))


def test_a_model_that_changes_its_input_changes_no_other_prediction(
    open_model: OpenModel, examples: ExampleSet
) -> None:
    model = open_model("def predict(df):\n    df['x'] += 1\n    df.drop(columns='y', inplace=True)\n    return df['x']")
    first, second = model.predict(ALL).scores, model.predict(ALL).scores
    np.testing.assert_allclose(first, x_of(examples) + 1)
    np.testing.assert_array_equal(first, second)


def test_what_a_model_prints_does_not_disturb_it(open_model: OpenModel) -> None:
    model = open_model("""
        import os, sys
        print("{}" * 100_000)
        os.write(1, b"\\x00\\xff" * 100_000)

        def predict(columns):
            print("predicting", file=sys.stderr)
            sys.stdout.close()
            return columns["x"] * 0
    """)
    assert (model.predict(ALL).scores == 0).all()


# What the process can see


def test_it_sees_no_secrets_and_no_open_files_of_the_server(
    open_model: OpenModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEAMARK_TOKEN", "s3cr3t")
    monkeypatch.setenv("TENSORBOARD_PROXY_URL", "http://s3cr3t")
    monkeypatch.setenv("MY_SETTING", "kept")
    text = """
        import json, os, subprocess

        def predict(columns):
            own = "/proc/self/fd"
            seen = {
                "environment": dict(os.environ),
                "files": [os.readlink(f"{own}/{fd}") for fd in os.listdir(own) if os.path.islink(f"{own}/{fd}")],
                "of_children": subprocess.run(["ls", "-l", own], capture_output=True, text=True).stdout,
                "folder": os.getcwd(),
                "session": os.getsid(0) == os.getpid(),
            }
            open("seen.json", "w").write(json.dumps(seen))
            return columns["x"] * 0

        predict.seamark_input = "columns"
    """
    with (tmp_path / "private.txt").open("w") as private:
        os.set_inheritable(private.fileno(), True)
        open_model(text).predict(ALL)
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert seen["environment"]["MY_SETTING"] == "kept"
    assert not [name for name in seen["environment"] if name.startswith(("SEAMARK", "TENSORBOARD"))]
    assert "s3cr3t" not in json.dumps(seen)
    assert [file for file in seen["files"] if not file.startswith(("pipe:", "/dev/null", "/proc/"))] == []
    assert len([file for file in seen["files"] if file.startswith("pipe:")]) == 5  # two of frames, lifeline, 1 and 2
    assert seen["of_children"].count("pipe:") == 2
    assert Path(seen["folder"]) == tmp_path.resolve() and seen["session"]


def test_no_descriptors_are_left(open_model: OpenModel) -> None:
    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    gc.collect()
    before = open_files()
    for _ in range(3):
        backend: Any = open_model(LOGISTIC)._backend
        backend.raw_scores(make_set(), ALL)
        backend._stop()
    assert open_files() == before


def test_an_importable_module_is_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: ExampleSet) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "scoring.py").write_text(textwrap.dedent(LOGISTIC))
    monkeypatch.chdir(tmp_path)
    backend = ProcessBackend(parse_model("package.scoring:predict"), Limits())
    try:
        assert backend.name == "scoring"
        assert len(backend.raw_scores(examples, ALL)) == ROWS
    finally:
        backend.close()
