"""Metadata: types, lengths, and the files that it is read from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.embeddings.form import EmbeddingError, Metadata
from seamark.embeddings.metadata import SourceColumn, Table, build
from seamark.embeddings.readers.labels import read_labels
from seamark.embeddings.search import find_rows


def read(path: Path, text: str, points: int) -> tuple[Metadata, list[str]]:
    path.write_text(text, encoding="utf-8", newline="")
    return build([read_labels(path, points)], points)


def texts(metadata: Metadata) -> dict[str, list[str]]:
    return {column.name: [column.text(row) for row in range(metadata.rows)] for column in metadata.columns}


@pytest.mark.parametrize(
    ("name", "text", "points", "columns"),
    [
        ("one column has no header", "a\nb\nc\n", 3, {"label": ["a", "b", "c"]}),
        ("unless it has one line more than points", "word\na\nb\nc\n", 3, {"word": ["a", "b", "c"]}),
        ("an empty line is a missing label", "a\n\nc\n", 3, {"label": ["a", "", "c"]}),
        ("other empty lines are skipped", "a\n\nc\n\n\n", 2, {"label": ["a", "c"]}),
        ("a line is empty as for JavaScript", "a\n\u0085\n\nc\n", 3, {"label": ["a", "\u0085", "c"]}),
        ("several columns have a header", "w\tn\na\t1\nb\t\n", 2, {"w": ["a", "b"], "n": ["1", ""]}),
        ("a short line", "w\tn\na\nb\t2\t3\n", 2, {"w": ["a", "b"], "n": ["", "2"]}),
        ("the same name twice", "w\tw\t\na\t1\tx\n", 1, {"w": ["a"], "w (2)": ["1"], "unnamed": ["x"]}),
        ("quotes and HTML stay", 'w\tn\n"a"\t<b>\n', 1, {"w": ['"a"'], "n": ["<b>"]}),
        ("Windows", "\ufeffw\tn\r\na\t1\r\n", 1, {"w": ["a"], "n": ["1"]}),
        ("empty", "", 1, {}),
    ],
)
def test_tsv(tmp_path: Path, name: str, text: str, points: int, columns: dict[str, list[str]]) -> None:
    metadata, problems = read(tmp_path / "m.tsv", text, points)
    assert (texts(metadata), problems) == (columns, [])


def test_csv_with_quotes_and_line_breaks(tmp_path: Path) -> None:
    metadata, problems = read(tmp_path / "m.csv", 'w,n\n"a, ""b""\nc",1\nd,2\n', 2)
    assert (texts(metadata), problems) == ({"w": ['a, "b"\nc', "d"], "n": ["1", "2"]}, [])


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"w": ["a", None], "n": [1, None], "is": [True, False]})
    pyarrow.parquet.write_table(table, tmp_path / "m.parquet")
    metadata, _ = build([read_labels(tmp_path / "m.parquet", 2)], 2)
    assert texts(metadata) == {"w": ["a", ""], "n": ["1", ""], "is": ["True", "False"]}


@pytest.mark.parametrize(
    ("lines", "points", "sentence"),
    [
        (4998, 5000, "the metadata has 4,998 rows for 5,000 points: the last 2 have no labels"),
        (1, 2, "the metadata has 1 row for 2 points: the last 1 has no labels"),
        (12, 10, "the metadata has 12 rows for 10 points: the last 2 are not used"),
    ],
)
def test_fewer_or_more_rows_than_points(tmp_path: Path, lines: int, points: int, sentence: str) -> None:
    metadata, problems = read(tmp_path / "m.tsv", "a\n" * lines, points)
    assert problems == [sentence]
    assert metadata.rows == points and metadata.columns[0].codes is not None
    assert len(metadata.columns[0].codes) == points


@pytest.mark.parametrize(
    ("values", "type"),
    [
        (["1", "", "-2.5e3", "nan"], "number"),
        (["1", "2", "x"], "text"),
        (["1", "0", "1", "", "0"], "category"),
        (["1", "0.5", "1", "0.5"], "number"),
        (["1", "2", "3", "3"], "number"),
        (["1e300", "1e300"], "number"),
        (["a", "b", "a", "b"], "category"),
        (["a", "b", "c", "a"], "text"),
        (["", "", ""], "category"),
    ],
)
def test_types(values: list[str], type: str) -> None:
    metadata, _ = build([Table([SourceColumn("x", values)], len(values))], len(values))
    assert metadata.columns[0].type == type


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "c", "", "d e"]), min_size=1, max_size=60))
def test_categories_are_ordered_by_their_number_and_keep_every_value(values: list[str]) -> None:
    metadata, _ = build([Table([SourceColumn("x", values)], len(values))], len(values))
    column = metadata.columns[0]
    assert [column.text(row) for row in range(len(values))] == values
    if column.type == "category":
        counts = [values.count(name) for name in column.names]
        assert counts == sorted(counts, reverse=True)


def test_a_category_of_numbers_has_both() -> None:
    metadata, _ = build([Table([SourceColumn("x", ["2", "7", "7", "", "2", "7"])], 6)], 6)
    (column,) = metadata.columns
    assert (column.type, column.names) == ("category", ["7", "2"])
    assert column.codes is not None and column.codes.tolist() == [1, 0, 0, -1, 1, 0]
    assert [column.text(row) for row in range(6)] == ["2", "7", "7", "", "2", "7"]


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "m.tsv").open("wb") as file:
        file.truncate(20 << 30)  # sparse
    with pytest.raises(EmbeddingError, match="too large"):
        read_labels(tmp_path / "m.tsv", 1)


def test_search_by_text_pattern_and_column() -> None:
    columns = [SourceColumn("w", ["Äpfel", "b.c", "", "bxc"]), SourceColumn("n", ["1", "2.5", "", "10"])]
    metadata, _ = build([Table(columns, 4)], 4)
    assert find_rows(metadata, "äP").tolist() == [0]
    assert find_rows(metadata, "b.c").tolist() == [1]
    assert find_rows(metadata, "b.c", is_regex=True).tolist() == [1, 3]
    assert find_rows(metadata, "1").tolist() == [0, 3]
    assert find_rows(metadata, "1", column="w").tolist() == []
    assert find_rows(metadata, "").tolist() == [0, 1, 3]
    for wrong in ({"column": "x"}, {"is_regex": True}):
        with pytest.raises(EmbeddingError):
            find_rows(metadata, "(", **wrong)  # type: ignore[arg-type]
