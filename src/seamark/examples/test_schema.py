"""Schemas: inferred, corrected, saved and applied."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from seamark.examples.form import ExamplesError, ScoredSet
from seamark.examples.infer import infer_schema
from seamark.examples.predict.columns_model import stored_models, stored_predictions
from seamark.examples.schema import ColumnSchema, Schema
from seamark.examples.schema_apply import check_schema, open_examples
from seamark.examples.schema_file import load_schema, save_schema, schema_path
from seamark.tables.build import column_of_texts
from seamark.tables.column import Table


def by_names(columns: dict[str, str]) -> Table:
    found = [column_of_texts(name, texts.split()) for name, texts in columns.items()]
    return Table(len(found[0]), tuple(found))


@pytest.mark.parametrize(
    ("columns", "task", "target", "positive"),
    [
        ({"x": "1 2 3 4", "label": "0 1 0 1"}, "binary", "label", "1"),
        ({"x": "1 2 3 4", "label": "-1 1 1 -1"}, "binary", "label", "1"),
        ({"x": "1 2 3 4", "Label": "true false true false"}, "binary", "Label", "true"),
        ({"x": "1 2 3 4", "class": "yes-it-is no yes-it-is no"}, "binary", "class", "no"),
        ({"x": "1 2 3 4", "target": "no no no yes"}, "binary", "target", "true"),
        ({"x": "1 2 3 4", "target": "ham ham spam spam"}, "binary", "target", "spam"),
        # The class with higher scores, whatever its name.
        ({"score": ".9 .8 .1 .2", "y": "good good spam spam"}, "binary", "y", "good"),
        ({"x": "1 2 3 4 5 6", "y_true": "a b c a b c"}, "multiclass", "y_true", ""),
        ({"x": "1 2 3 4 5 6", "target": "0 1 2 0 1 2"}, "multiclass", "target", ""),
        ({"prediction": "0.5 1.2 2.2 0 1 2", "target": "0 1 2 0 1 2"}, "regression", "target", ""),
        ({"x": "1 2 3 4", "target": "0.5 1 2 7"}, "regression", "target", ""),
        ({"x": "1 2 3 4", "target": "1 200 35 7"}, "regression", "target", ""),
        ({"qid": "1 1 2 2", "relevance": "0 3 1 2"}, "ranking", "relevance", ""),
        ({"x": "1 2 3 4", "score": ".1 .9 .5 .4"}, "binary", "", "1"),
        ({"x": "1 2 3 4", "prediction": "10 20 3.5 4"}, "regression", "", ""),
        ({"p_a": ".1 .2 .3", "p_b": ".2 .3 .4", "p_c": ".7 .5 .3"}, "multiclass", "", ""),
    ],
)  # fmt: skip
def test_task_target_and_positive(columns: dict[str, str], task: str, target: str, positive: str) -> None:
    schema = infer_schema(by_names(columns))
    assert (schema.task, schema.target, schema.positive) == (task, target, positive)


def test_roles() -> None:
    schema = infer_schema(
        by_names(
            {
                "id": "1 2", "customer_id": "7 8", "shop_id": "7 7", "split": "train test", "sample_weight": "1 2",
                "fold": "a b", "credit_score": "600 700", "y": "0 1", "y_pred": "0.4 0.6",
            }
        )
    )  # fmt: skip
    assert {c.name: c.role for c in schema.columns} == {
        "id": "id", "customer_id": "id", "shop_id": "feature", "split": "split", "sample_weight": "weight",
        "fold": "split", "credit_score": "feature", "y": "truth", "y_pred": "prediction",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "models"),
    [
        (["score"], {"score": ("", "")}),
        (["score:small", "score:large"], {"score:small": ("small", ""), "score:large": ("large", "")}),
        (["prob_cat", "prob_dog", "prob_kg"], {"prob_cat": ("", "cat"), "prob_dog": ("", "dog")}),
        (["m1/p_cat", "m1/p_dog", "m2/p_cat"], {"m1/p_cat": ("m1", "cat"), "m1/p_dog": ("m1", "dog"), "m2/p_cat": ("m2", "cat")}),
        (["v1/score", "v2/prediction"], {"v1/score": ("v1", ""), "v2/prediction": ("v2", "")}),
        (["score:big:CAT"], {"score:big:CAT": ("big", "cat")}),
        (["prob:dog"], {"prob:dog": ("", "dog")}),
        (["tree_pred", "prediction_forest"], {"tree_pred": ("tree", ""), "prediction_forest": ("forest", "")}),
        (["credit_score", "p_value", "score_math", "path"], {}),
    ],
)  # fmt: skip
def test_prediction_columns(names: list[str], models: dict[str, tuple[str, str]]) -> None:
    columns = {"label": "cat dog cat bird", **dict.fromkeys(names, ".1 .2 .3 .4")}
    schema = infer_schema(by_names(columns))
    assert {c.name: (c.model, c.predicted_class) for c in schema.columns if c.role == "prediction"} == models


def test_whole_numbers_of_classes_become_names() -> None:
    examples = open_examples(by_names({"y_pred": "0 1 2 2 2 1", "target": "0 1 2 0 1 2"}))
    assert examples.truth is not None and examples.truth.type == "category"
    predictions = stored_predictions(examples, stored_models(examples)[0])
    assert sorted(predictions.classes) == ["0", "1", "2"]
    np.testing.assert_array_equal(ScoredSet(examples, predictions).errors(), [0, 0, 0, 1, 1, 1])


def test_one_column_for_each_class() -> None:
    columns = {"p_no": ".9 .2 .6 .1", "p_yes-it-is": ".1 .8 .4 .9", "label": "no yes-it-is no yes-it-is"}
    examples = open_examples(by_names(columns))
    saved = replace(examples.schema, positive="yes-it-is")
    predictions = stored_predictions(open_examples(by_names(columns), saved), "predictions")
    np.testing.assert_array_equal(predictions.scores, [0.1, 0.8, 0.4, 0.9])
    other = stored_predictions(open_examples(by_names(columns), replace(saved, positive="no")), "predictions")
    np.testing.assert_array_equal(other.scores, [0.9, 0.2, 0.6, 0.1])


def test_corrections_change_types_and_say_what_does_not_fit() -> None:
    source = by_names({"zip": "1 2 1 2", "size": "3 4 big 5", "label": "0 1 0 1"})
    before = open_examples(source)
    columns = (
        ColumnSchema(name="zip", type="category", role="group"),
        ColumnSchema(name="size", type="number"),
        ColumnSchema(name="gone", type="number"),
    )
    after = open_examples(source, Schema(columns=columns, task="binary", target="label", positive="0"))
    assert after.table.by_name["zip"].names == ("1", "2") and after.schema.names_of("group") == ["zip"]
    assert after.table.by_name["size"].value(2) is None
    assert after.schema.positive == "0" and after.schema.names_of("truth") == ["label"]
    assert after.problems == (
        "the saved schema names columns that the file does not have: 'gone'",
        "1 value is missing now in 'size': got 'big', want a number",
    )
    assert before.content_id != after.content_id == open_examples(source, Schema(
        columns=columns, task="binary", target="label", positive="0")).content_id  # fmt: skip


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"target": "nope"}, "the set has no column 'nope' for the truth"),
        ({"positive": "9"}, "the positive class is no value of 'label': got '9'"),
        ({"task": "regression", "target": "kind"}, "the truth of a regression task is a number: 'kind' is category"),
        ({"task": "multiclass", "target": "x"}, "'x' has no classes"),
        ({"columns": (ColumnSchema(name="z", type="number"),)}, "the set has no column 'z'"),
        ({"columns": (ColumnSchema(name="x", type="image"),)}, "has no pictures"),
        ({"columns": (ColumnSchema(name="x", type="text"),) * 2}, "names a column twice"),
    ],
)
def test_corrections_that_cannot_be(change: dict[str, object], sentence: str) -> None:
    source = by_names({"x": "1.5 2 3 4", "kind": "a b a b", "label": "0 1 0 1"})
    with pytest.raises(ExamplesError, match=sentence):
        check_schema(replace(infer_schema(source), **change), source)


def test_the_schema_is_saved_beside_the_data(tmp_path: Path) -> None:
    assert schema_path(tmp_path / "a.examples.csv.gz").name == "a.examples.schema.json"
    (tmp_path / "pets.examples").mkdir()
    assert schema_path(tmp_path / "pets.examples").name == "pets.examples.schema.json"
    path = schema_path(tmp_path / "a.csv")
    schema = infer_schema(by_names({"x": "1 2", "label": "0 1"}))
    assert load_schema(path) == (None, "")
    save_schema(path, schema)
    assert load_schema(path) == (schema, "") and [file.name for file in tmp_path.glob("*.tmp")] == []
    path.write_text('{"columns": [{"name": "x", "type": "colour"}]}')
    found, problem = load_schema(path)
    assert found is None and problem.startswith("the saved schema is not used: Invalid enum value 'colour'")
    save_schema(path, None)
    assert not path.exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ExamplesError, match="the schema cannot be saved beside the data"):
        save_schema(tmp_path / "file" / "a.schema.json", infer_schema(by_names({"x": "1 2"})))
