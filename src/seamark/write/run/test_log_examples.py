"""run.log_examples: the files that it writes, and that training goes on whatever it gets."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch
from PIL import Image

import seamark
from seamark.kinds import example_files as layout
from seamark.kinds.image import png, sniff
from seamark.kinds.payload import DecodeError
from seamark.write.run.test_support import begin
from seamark.write.test_support import logged_warnings

COLUMNS = {"age": [20, 30, 40], "sex": ["f", "m", None], "label": ["no", "yes", "yes"]}
PICTURE = png(np.zeros((2, 3, 3), np.uint8))


def files_in(folder: Path, name: str = "examples") -> tuple[layout.ExampleTable, dict[int, layout.ExampleScores]]:
    home = folder / layout.FOLDER / name
    (table,) = home.glob(f"*{layout.TABLE_SUFFIX}")
    steps = layout.steps_of(path.name for path in home.iterdir())
    scores = {step: layout.decode_scores((home / f"{step}{layout.SCORES_SUFFIX}").read_bytes()) for step in steps}
    assert all(one.table == table.stem for one in scores.values())
    return layout.decode_table(table.read_bytes()), scores


def log_one(
    table: Any, predictions: Any = None, **options: Any
) -> tuple[layout.ExampleTable, dict[int, layout.ExampleScores]]:
    run = begin()
    run.log_examples(table, predictions, **options)
    run.finish()
    return files_in(run.dir)


def values(table: layout.ExampleTable, name: str) -> list[Any]:
    column = next(column for column in table.columns if column.name == name)
    if column.numbers is not None:
        return list(column.numbers.tolist())
    assert column.codes is not None
    return [None if code < 0 else column.names[code] for code in column.codes.tolist()]


@pytest.mark.parametrize(
    "table",
    [
        COLUMNS,
        [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)],
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"sex": "category", "label": "string"}),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        {**COLUMNS, "age": torch.tensor([20, 30, 40]), "label": np.array(["no", "yes", "yes"])},
    ],
    ids=["dict", "rows", "pandas", "pandas types", "polars", "arrow", "tensors"],
)
def test_every_form_of_a_table(table: Any) -> None:
    found, scores = log_one(table, [0.1, 0.6, 0.7], truth="label")
    assert (found.rows, found.truth) == (3, "label")
    assert values(found, "age") == [20, 30, 40] and values(found, "sex") == ["f", "m", None]
    assert values(found, "label") == ["no", "yes", "yes"]
    np.testing.assert_array_equal(scores[0].models["predictions"].scores, [0.1, 0.6, 0.7])


def test_every_type_of_a_value() -> None:
    found, _ = log_one(
        {
            "mixed": [1, "a", None],
            "float": [0.5, None, float("nan")],
            "flag": [True, False, True],
            "some flags": [True, None, False],
            "key": [2**60 + 1, 2**60 + 2, 2**60 + 3],
            "day": np.array(["2024-01-01", "NaT", "2025-01-01"], "M8[D]"),
            "when": [datetime.date(2024, 1, 1), None, None],
            "matrix": np.arange(6).reshape(3, 2),
            "image": [Image.new("RGB", (2, 2)), None, Image.new("L", (3, 3))],
            "pixels": np.zeros((3, 4, 5, 3), np.uint8),
            "encoded": [PICTURE, b"", PICTURE],
            "lone \udcff": ["\udcff", "b", "c"],
        }
    )
    assert values(found, "mixed") == ["1", "a", None] and np.isnan(values(found, "float")[1:]).all()
    assert values(found, "flag") == [True, False, True] and values(found, "some flags") == ["true", None, "false"]
    assert values(found, "key")[0] == str(2**60 + 1) and values(found, "day") == ["2024-01-01", None, "2025-01-01"]
    assert values(found, "matrix 1") == [1, 3, 5] and values(found, "when") == ["2024-01-01", None, None]
    for name, lacking in (("image", 1), ("pixels", None)):
        column = next(column for column in found.columns if column.name == name)
        assert column.offsets is not None and column.pictures is not None
        lengths = np.diff(column.offsets)
        assert [row for row in range(3) if not lengths[row]] == ([] if lacking is None else [lacking])
        assert sniff(column.pictures.tobytes()) == "image/png"


def test_the_features_are_written_once() -> None:
    run = begin()
    for step in range(5):
        run.log_examples(COLUMNS, np.full(3, step / 10), step=step, name="val/<1>", truth=[0, 1, 1])
    run.finish()
    table, scores = files_in(run.dir, "val%2f<1>")
    assert list(scores) == [0, 1, 2, 3, 4] and table.truth == "truth" and values(table, "truth") == [0, 1, 1]
    assert scores[3].models["predictions"].scores.tolist() == [0.3] * 3


def test_several_models_and_classes() -> None:
    matrix = np.array([[0.1, 0.9], [0.4, 0.6], [0.3, 0.7]])
    _, scores = log_one(COLUMNS, {"a": matrix, "b": torch.tensor([1.0, 2.0, 3.0]), "c": matrix[:, :1]}, truth="label")
    models = scores[0].models
    assert models["a"].classes == ("no", "yes") and models["b"].classes == () and models["c"].scores.shape == (3,)
    _, scores = log_one(COLUMNS, matrix, classes=["x", "y"])
    assert scores[0].models["predictions"].classes == ("x", "y")
    _, scores = log_one(COLUMNS, np.zeros((3, 4)), truth="label")
    assert scores[0].models["predictions"].classes == ("0", "1", "2", "3")


def test_the_caller_may_change_its_arrays() -> None:
    run = begin()
    ages, scores = np.array([20, 30, 40]), np.array([0.1, 0.2, 0.3])
    run.log_examples({"age": ages}, scores)
    ages[:], scores[:] = 0, 0
    run.finish()
    table, found = files_in(run.dir)
    assert values(table, "age") == [20, 30, 40] and found[0].models["predictions"].scores.tolist() == [0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        ((3,), {}, "got int"),
        (({},), {}, "at least one column"),
        (({"a": []},), {}, "at least one row"),
        (({"a": [1], "b": [1, 2]},), {}, "got 2 of 'b', want 1"),
        (({"a": "text"},), {}, "got str for 'a'"),
        ((COLUMNS, [0.1]), {}, r"got \[1\], want \[3\]"),
        ((COLUMNS, ["a", "b", "c"]), {}, "predictions are numbers"),
        ((COLUMNS, np.zeros((3, 2, 2))), {}, "wrong shape"),
        ((COLUMNS,), {"truth": "nope"}, "got 'nope', want one of age, sex, label"),
        ((COLUMNS,), {"name": ""}, "needs a name"),
        ((COLUMNS,), {"step": "ten"}, "invalid literal"),
    ],
)  # fmt: skip
def test_wrong_arguments_warn_once_and_training_goes_on(
    arguments: tuple[Any, ...], options: dict[str, Any], sentence: str
) -> None:
    run = begin()
    with logged_warnings(sentence) as warnings:
        for _ in range(3):
            run.log_examples(*arguments, **options)
        run.finish()
    assert len(warnings) == 1
    assert not (run.dir / layout.FOLDER).exists()


def test_a_folder_that_cannot_be_made_is_a_warning() -> None:
    run = begin()
    (run.dir / layout.FOLDER).write_text("in the way")
    with logged_warnings(layout.FOLDER) as warnings:
        run.log_examples(COLUMNS)
        run.log({"loss": 1.0})
        run.finish()
    assert len(warnings) == 1 and run.status == "finished"


def test_the_module_function_and_a_disabled_run() -> None:
    run = begin()
    seamark.log_examples(COLUMNS, [1, 2, 3], step=7)
    run.finish()
    assert list(files_in(run.dir)[1]) == [7]
    run.log_examples(COLUMNS)  # over: nothing happens
    assert list(files_in(run.dir)[1]) == [7]


def test_damaged_files_are_a_sentence() -> None:
    table = layout.ExampleTable((layout.ExampleColumn("a", numbers=np.arange(3)),), 3)
    data = layout.encode_table(table)
    assert layout.table_digest(table) == layout.table_digest(layout.decode_table(data))
    bad_codes = layout.ExampleColumn("c", codes=np.array([0, 5, -1], np.int32), names=("x",))
    scores = layout.encode_scores(layout.ExampleScores("0" * 32, {"m": layout.ModelScores(np.zeros(3))}))
    for broken in (
        data[:-30],
        b"",
        scores,
        layout.encode_table(layout.ExampleTable(table.columns, 4)),
        layout.encode_table(layout.ExampleTable((bad_codes,), 3)),
    ):
        with pytest.raises(DecodeError):
            layout.decode_table(broken)
    for broken in (data, scores[:40], layout.encode_scores(layout.ExampleScores("../../etc", {}))):
        with pytest.raises(DecodeError):
            layout.decode_scores(broken)


def test_a_large_set_is_written_when_the_run_ends() -> None:
    columns = {f"f{at}": np.random.default_rng(at).normal(size=100_000) for at in range(20)}
    run = begin()
    run.log_examples(columns, np.zeros(100_000))
    run.finish()
    assert files_in(run.dir)[0].rows == 100_000
