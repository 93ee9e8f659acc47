"""What the numbers and names that a model returned mean for a set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from seamark.examples.form import ExampleSet, PredictError
from seamark.examples.infer import infer_schema
from seamark.examples.predict.interpret import Expected, expected_of
from seamark.examples.predict.outputs import normalized
from seamark.examples.predict.raw import RawScores
from seamark.tables.build import column_of_names
from seamark.tables.column import Column, Table

NAMES = ["cat", "dog", "bird", "dog"]
POSITIVE = ["no", "yes", "no", "no"]


def set_with(truth: Column | None) -> ExampleSet:
    columns = (Column("x", "number", numbers=np.arange(4.0)), *([truth] if truth else []))
    table = Table(4, columns)
    return ExampleSet(table, infer_schema(table), content_id="")


def raw(output: Any, classes: list[Any] | None = None, *, is_classifier: bool | None = None) -> RawScores:
    found = normalized(output, 4, classes)
    return RawScores(found.values.astype(float), tuple(found.classes or ()), found.is_labels, is_classifier)


NONE = set_with(None)
ANIMALS = set_with(column_of_names("label", NAMES, "category"))
YES_NO = set_with(column_of_names("label", POSITIVE, "category"))
PRICE = set_with(Column("label", "number", numbers=np.array([1.5, 2, 3, 9])))
FLAGS = set_with(Column("label", "boolean", numbers=np.array([1.0, 0, 1, 1])))
COLUMN = [0.1, 0.2, 0.3, 0.4]
PAIRS = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]]
TRIPLES = np.eye(3)[[0, 1, 2, 0]]


@pytest.mark.parametrize(
    "examples, output, task, classes, scores",
    [
        (YES_NO, raw(COLUMN), "binary", ("no", "yes"), COLUMN),
        (YES_NO, raw([[p] for p in COLUMN]), "binary", ("no", "yes"), COLUMN),
        (YES_NO, raw(PAIRS), "binary", ("no", "yes"), COLUMN),
        (YES_NO, raw(PAIRS, ["yes", "no"]), "binary", ("no", "yes"), [0.9, 0.8, 0.7, 0.6]),
        (YES_NO, raw(["yes", "no", "no", "yes"]), "binary", ("no", "yes"), [1, 0, 0, 1]),
        (FLAGS, raw(PAIRS, [np.False_, np.True_]), "binary", ("false", "true"), COLUMN),
        (PRICE, raw([1, 2, 3, None]), "regression", (), [1, 2, 3, np.nan]),
        (PRICE, raw([1, 2, 3, np.inf]), "regression", (), [1, 2, 3, np.nan]),
        (ANIMALS, raw(TRIPLES), "multiclass", ("bird", "cat", "dog"), TRIPLES),
        (ANIMALS, raw(TRIPLES, [0, 1, 2]), "multiclass", ("bird", "cat", "dog"), TRIPLES),
        (ANIMALS, raw({"scores": TRIPLES, "classes": NAMES[:3]}), "multiclass", ("cat", "dog", "bird"), TRIPLES),
        (ANIMALS, raw(["bird", "cat", "dog", "bird"]), "multiclass", ("bird", "cat", "dog"), TRIPLES),
        (NONE, raw(COLUMN), "binary", ("0", "1"), COLUMN),
        (NONE, raw(COLUMN, is_classifier=False), "regression", (), COLUMN),
        (NONE, raw([1, 2, 3, 4]), "regression", (), [1, 2, 3, 4]),
        (NONE, raw(PAIRS), "binary", ("0", "1"), COLUMN),
        (NONE, raw(TRIPLES, ["a", "b", "c"]), "multiclass", ("a", "b", "c"), TRIPLES),
    ],
)
def test_the_task_and_the_classes(
    examples: ExampleSet, output: RawScores, task: str, classes: tuple[str, ...], scores: Any
) -> None:
    predictions = expected_of(examples, output).predictions(output)
    assert (predictions.task, predictions.classes) == (task, classes)
    np.testing.assert_array_equal(predictions.scores, scores)


@pytest.mark.parametrize(
    "examples, output, sentence",
    [
        (PRICE, raw(TRIPLES), "returned 3 numbers for each row, want one, because the task of the set is regression"),
        (PRICE, raw(NAMES), "returned names like 'bird', but the task of the set is regression, want numbers"),
        (ANIMALS, raw(PAIRS), "returned 2 scores for each row, but the truth has 3 classes"),
        (ANIMALS, raw(COLUMN), "predicted the class '0.1', want one of bird, cat, dog"),
        (YES_NO, raw(TRIPLES), "returned 3 scores for each row, but the truth has 2 classes"),
    ],
)
def test_what_does_not_fit_is_one_sentence(examples: ExampleSet, output: RawScores, sentence: str) -> None:
    with pytest.raises(PredictError, match=sentence):
        expected_of(examples, output).predictions(output)


def test_later_rows_are_read_as_the_first_ones() -> None:
    expected = Expected("multiclass", ("a", "b", "c"))
    with pytest.raises(PredictError, match="returned 2 scores for each row, and 3 before"):
        expected.predictions(raw(PAIRS))


def test_data_frames_name_the_classes() -> None:
    pandas = pytest.importorskip("pandas")
    found = normalized(pandas.DataFrame(PAIRS, columns=["no", "yes"]), 4)
    assert found.classes == ["no", "yes"] and found.values.shape == (4, 2)
    assert normalized(pandas.Series(NAMES), 4).is_labels
    assert normalized(pandas.DataFrame({"score": COLUMN}), 4).values.shape == (4,)
