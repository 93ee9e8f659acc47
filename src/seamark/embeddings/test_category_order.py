"""Which colour the values of categories get."""

from __future__ import annotations

from seamark.embeddings.category_order import style_positions
from seamark.embeddings.form import MetadataColumn
from seamark.embeddings.metadata import SourceColumn, Table, build


def columns(**values: list[str]) -> dict[str, MetadataColumn]:
    rows = len(next(iter(values.values())))
    table = Table([SourceColumn(name, texts) for name, texts in values.items()], rows)
    return {column.name: column for column in build([table], rows)[0].columns}


def styles(found: dict[str, MetadataColumn], name: str) -> dict[str, int]:
    column = found[name]
    return dict(zip(column.names, style_positions(list(found.values()), column), strict=True))


def test_a_value_has_one_style_in_labels_and_predictions_of_any_step() -> None:
    found = columns(animal=["cat"] * 4 + ["dog"] * 2, predicted=["dog"] * 4 + ["bird"] * 2, part=["train", "test"] * 3)
    assert styles(found, "animal") == {"cat": 1, "dog": 2}
    assert styles(found, "predicted") == {"dog": 2, "bird": 0}
    assert styles(found, "part") == {"train": 1, "test": 0}


def test_numbers_of_classes_have_their_own_style_whatever_is_predicted() -> None:
    early, late = columns(predicted=["9"] * 4 + ["3"] * 2), columns(predicted=["3"] * 4 + ["0", "0"])
    assert (styles(early, "predicted")["3"], styles(late, "predicted")["3"]) == (3, 3)


def test_a_value_has_one_style_in_steps_that_predict_different_values() -> None:
    early, late = columns(predicted=["cat"] * 4), columns(predicted=["dog"] * 2 + ["bird"] * 2)
    both = [early["predicted"], late["predicted"]]
    assert style_positions(both, early["predicted"]) == [1]
    assert dict(zip(late["predicted"].names, style_positions(both, late["predicted"]), strict=True)) == {
        "bird": 0,
        "dog": 2,
    }
    # A step that is not among those that were looked at adds its values behind theirs.
    other = columns(predicted=["ant", "ant", "cat", "cat"])["predicted"]
    assert dict(zip(other.names, style_positions(both, other), strict=True)) == {"ant": 3, "cat": 1}


def test_of_too_many_values_the_most_frequent_have_a_colour() -> None:
    names = [f"class {number}" for number in range(40)]
    found = columns(label=[name for number, name in enumerate(names) for _ in range(2 + number)])
    assert styles(found, "label")["class 39"] == 0
    assert sorted(styles(found, "label").values()) == list(range(40))
