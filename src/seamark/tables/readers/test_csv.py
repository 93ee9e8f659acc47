"""CSV and TSV of every dialect, and files that are none."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.tables import limits
from seamark.tables.column import Column, Table, TableError
from seamark.tables.readers import compressed, csv_files, csv_rows
from seamark.tables.readers.csv_arrow import read_with_arrow
from seamark.tables.readers.files import read_table


def parse(text: str | bytes, separator: str = "") -> Table:
    return csv_files.parse_csv(text.encode() if isinstance(text, str) else text, separator)


def values(column: Column) -> list[object]:
    return [column.value(row) for row in range(len(column))]


def test_types_of_columns() -> None:
    table = parse(
        "n,missing,flag,kind,words,key,mixed,comma\n"
        '1,,true,a,"one, two",12345678901234567890,1,"1,5"\n'
        '2.5,NaN,no,b,"say ""hi""",12345678901234567891,x,"2,5"\n'
        '1e400,3,,a,"two\nlines",12345678901234567892,3,"3,5"\n'
        "-inf,n/a,YES,b,<b>4</b>,12345678901234567893,4,4\n"
    )
    assert {column.name: column.type for column in table.columns} == {
        "n": "number", "missing": "number", "flag": "boolean", "kind": "category", "words": "text", "key": "text",
        "mixed": "text", "comma": "text",
    }  # fmt: skip
    assert values(table.by_name["n"]) == [1.0, 2.5, np.inf, -np.inf]
    assert values(table.by_name["missing"]) == [None, None, 3.0, None]
    assert values(table.by_name["flag"]) == [True, False, None, True]
    assert values(table.by_name["words"]) == ["one, two", 'say "hi"', "two\nlines", "<b>4</b>"]
    assert values(table.by_name["key"])[0] == "12345678901234567890"
    assert values(table.by_name["mixed"]) == ["1", "x", "3", "4"]


def test_the_names_of_a_category_come_by_count() -> None:
    column = parse("k\na\nb\nb\nb\na\nc\nc\nc\nc\n").columns[0]
    assert column.type == "category" and column.names == ("c", "b", "a")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a;b\n1,5;2\n", ["a", "b"]),
        ("a\tb\n1\t2\n", ["a", "b"]),
        ("a|b\n1|2\n", ["a", "b"]),
        ('"x;y;z",b\n1,2\n', ["x;y;z", "b"]),
        ("\ufeffa,b\r\n1,2\r\n", ["a", "b"]),
        ("\n\na,b\n1,2\n", ["a", "b"]),
        ("0,1\n5,6\n", ["0", "1"]),
        ("alone\n1\n", ["alone"]),
    ],
)
def test_separators_and_headers(text: str, names: list[str]) -> None:
    table = parse(text)
    assert [column.name for column in table.columns] == names and table.rows == 1 and not table.problems


def test_utf16_of_a_spreadsheet() -> None:
    table = parse("name\tage\nÄnne\t3\n".encode("utf-16"))
    assert values(table.by_name["name"]) == ["Änne"] and values(table.by_name["age"]) == [3.0]


def test_names_that_are_empty_or_repeated() -> None:
    table = parse("a,,a,\n1,2,3,4\n")
    assert [column.name for column in table.columns] == ["a", "unnamed", "a (2)", "unnamed (2)"]
    assert table.problems == ("2 columns have no name", "1 column has the name of another")


def test_a_file_without_header() -> None:
    table = parse("1.5,2\n3,4\n")
    assert [column.name for column in table.columns] == ["column 1", "column 2"] and table.rows == 2
    assert "add a line with them" in table.problems[0]


def test_ragged_rows() -> None:
    table = parse("a,b,c\n1\n1,2,3,4,5\n1,2,3\n\n4,5\n")
    assert values(table.by_name["b"]) == [None, 2.0, 2.0, 5.0]
    assert table.problems == (
        "2 rows have fewer cells than the header: the others are missing",
        "1 row has more cells than the header: they are left out",
    )


def test_a_word_far_below_makes_the_column_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "CHUNK_ROWS", 3)
    lines = [f"{at}.0,{at}" for at in range(10)]
    table = parse("a,b\n" + "\n".join(lines) + "\nlast,10\n")
    assert values(table.by_name["a"])[:2] == ["0.0", "1.0"] and table.by_name["a"].type == "text"
    assert values(table.by_name["b"]) == [float(at) for at in range(11)]


def test_underscores_are_no_numbers() -> None:
    assert values(parse("a\n1_000\n2\n").columns[0]) == ["1_000", "2"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "the file is empty"),
        (b"a,b\n", "the table has no rows"),
        (b'a,b\n"1,2\n3,4\n', "line 3 is not CSV"),
        (b",".join(b"c%d" % at for at in range(1_000_000)) + b"\n1\n", "too many columns: got 1,000,000"),
        (b"a\n" + b'"' + b"x" * (17 << 20) + b'"\n', "line 2 is not CSV: field larger than field limit"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, data: bytes, sentence: str) -> None:
    (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(TableError, match=sentence):
        read_table(tmp_path / "x.csv")


def test_too_many_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_CELLS", 10)
    with pytest.raises(TableError, match="6 rows of 2 columns, want at most 10 cells"):
        parse("a,b\n" + "1,2\n" * 6)


def test_bytes_that_are_no_text() -> None:
    assert values(parse(b"a,b\n\xff\xfe\x00,1\n").by_name["b"]) == [1.0]


def test_gzip(tmp_path: Path) -> None:
    data = b"a,b\n1,x\n"
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(data[:5]) + gzip.compress(data[5:]))  # two members
    assert values(read_table(tmp_path / "x.csv.gz").by_name["b"]) == ["x"]
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress(data * 1000)[:-20])
    with pytest.raises(TableError, match="cut off"):
        read_table(tmp_path / "cut.csv.gz")
    (tmp_path / "bad.csv.gz").write_bytes(gzip.compress(data)[:10] + b"\xff" * 30)
    with pytest.raises(TableError, match="the file is damaged"):
        read_table(tmp_path / "bad.csv.gz")


def test_a_decompression_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(bytes(64 << 20))
    with pytest.raises(TableError, match="more than 1,048,576 bytes when decompressed"):
        compressed.decompressed(bomb, 1 << 20)


CELLS = st.one_of(
    st.sampled_from(["", "1", "-2.5", "nan", "true", "a", 'q"q', "x,y", "1e400", " 3", "1_0", "12345678901234567890"]),
    st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"]), max_size=5),
)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8))
def test_both_readers_agree(rows: list[tuple[str, ...]]) -> None:
    pytest.importorskip("pyarrow")
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    data = ("a,b,c\n" + "\n".join(lines) + "\n").encode()
    header = csv_rows.CsvHeader(["a", "b", "c"], is_row=False)
    fast = read_with_arrow(data, ",", header)
    slow, _ = csv_rows.read_rows(data, ",", header)
    assert fast is not None
    for left, right in zip(fast, slow, strict=True):
        assert (left.type, left.names) == (right.type, right.names)
        assert values(left) == values(right)


def test_a_large_file_takes_the_fast_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(csv_files, "MIN_ARROW_BYTES", 0)
    monkeypatch.setattr(csv_files, "read_rows", None)
    table = parse('a,"b\nc"\n1,x\n2,y\n')
    assert [column.name for column in table.columns] == ["a", "b\nc"] and values(table.columns[0]) == [1.0, 2.0]


@settings(deadline=None, max_examples=80)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_table_or_a_sentence(data: bytes) -> None:
    try:
        table = parse(data)
    except TableError as error:
        assert str(error)
    else:
        assert all(len(column) == table.rows for column in table.columns)
