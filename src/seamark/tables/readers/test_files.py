"""Parquet, Arrow, JSON and NumPy as tables, and files that are damaged or too large."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.format import npz
from seamark.kinds.image import png, sniff
from seamark.tables import limits
from seamark.tables.column import Column, Table, TableError
from seamark.tables.readers.files import SUFFIXES, read_table

PICTURE = png(np.zeros((2, 3, 3), np.uint8))


def values(table: Table, name: str) -> list[object]:
    column = table.by_name[name]
    return [column.value(row) for row in range(len(column))]


def types(table: Table) -> dict[str, str]:
    return {column.name: column.type for column in table.columns}


# Arrow


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow"])
def test_every_type_of_arrow(tmp_path: Path, suffix: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    table = pyarrow.table(
        {
            "whole": pyarrow.array([1, None, 3], pyarrow.int32()),
            "key": [2**60 + 1, 2**60 + 2, 2**60 + 3],
            "float": pyarrow.array([0.5, None, float("nan")], pyarrow.float32()),
            "flag": [True, None, False],
            "word": pyarrow.array(["a", "b", None]).dictionary_encode(),
            "text": ["x", "", "z"],
            "day": [datetime.date(2024, 1, 2), None, datetime.date(2024, 1, 3)],
            "decimal": pyarrow.array([1, 2, 3], pyarrow.decimal128(10, 2)),
            "none": pyarrow.nulls(3),
            "list": [[1, 2], None, []],
            "picture": [
                {"bytes": PICTURE, "path": "p"},
                {"bytes": None, "path": None},
                {"bytes": PICTURE, "path": "q"},
            ],
        }
    )
    path = tmp_path / f"x.{suffix}"
    if suffix == "parquet":
        parquet.write_table(table, path, row_group_size=2)
    elif suffix == "feather":
        feather.write_feather(table, path, chunksize=2)
    else:
        with pyarrow.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table)
    found = read_table(path)
    assert values(found, "whole") == [1.0, None, 3.0]
    assert values(found, "key")[0] == str(2**60 + 1)
    assert values(found, "float") == [0.5, None, None]
    assert values(found, "flag") == [True, None, False] and types(found)["flag"] == "boolean"
    assert values(found, "word") == ["a", "b", None]
    assert values(found, "text") == ["x", None, "z"]
    assert values(found, "day") == ["2024-01-02", None, "2024-01-03"]
    assert values(found, "decimal") == [1.0, 2.0, 3.0]
    assert values(found, "none") == [None, None, None]
    assert values(found, "list") == ["[1, 2]", None, "[]"]
    assert types(found)["picture.bytes"] == "image"
    name = values(found, "picture.bytes")[0]
    assert found.read_picture is not None and found.read_picture(str(name)) == PICTURE


def test_a_data_frame_of_pandas_and_polars(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"a": [1, 2], "b": pandas.Categorical(["x", "y"]), "when": pandas.to_datetime(["2024", "2025"])}
    )
    frame.index = ["r", "s"]
    frame.to_parquet(tmp_path / "x.parquet")
    found = read_table(tmp_path / "x.parquet")
    assert values(found, "b") == ["x", "y"] and values(found, "index") == ["r", "s"]
    assert str(values(found, "when")[0]).startswith("2024-01-01")


def test_damaged_arrow_files(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    whole = tmp_path / "x.parquet"
    parquet.write_table(pyarrow.table({"a": list(range(1000))}), whole)
    for suffix in ("parquet", "arrow", "feather"):
        path = tmp_path / f"cut.{suffix}"
        path.write_bytes(whole.read_bytes()[:-50])
        with pytest.raises(TableError, match="the file cannot be read"):
            read_table(path)
    parquet.write_table(pyarrow.table({"a": []}), whole)
    with pytest.raises(TableError, match="has no rows"):
        read_table(whole)


def test_without_pyarrow_the_sentence_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TableError, match=r"seamark\[parquet\]"):
        read_table(tmp_path / "x.parquet")


# JSON


def test_json_lines_with_nested_objects(tmp_path: Path) -> None:
    rows = [{"a": 1, "n": {"x": True, "y": {"z": "s"}}, "l": [1, 2]}, {"a": None, "late": "<b>"}]
    text = "\n".join(map(json.dumps, rows)) + "\n\n"
    (tmp_path / "x.jsonl").write_text(text)
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    for name in ("x.jsonl", "x.jsonl.gz"):
        table = read_table(tmp_path / name)
        assert [column.name for column in table.columns] == ["a", "n.x", "n.y.z", "l", "late"]
        assert values(table, "n.x") == [True, None] and values(table, "l") == ["[1, 2]", None]
        assert values(table, "late") == [None, "<b>"]


@pytest.mark.parametrize(
    "text", ['[{"a": 1}, {"a": NaN}]', '{"a": [1, NaN]}', '{"a": 1}\n{"a": null}\n', '\ufeff[{"a": 1.0}, {}]']
)
def test_json_documents(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    assert values(read_table(tmp_path / "x.json"), "a") == [1.0, None]


def test_strings_of_json_stay_names_and_large_numbers_exact(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(
        f'[{{"zip": "01234", "key": {2**60 + 1}}}, {{"zip": "99999", "key": {2**60 + 2}}}]'
    )
    table = read_table(tmp_path / "x.json")
    assert values(table, "zip") == ["01234", "99999"] and values(table, "key") == [str(2**60 + 1), str(2**60 + 2)]


def test_a_line_that_is_still_written_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{"a": 2}\n{"a": ')
    table = read_table(tmp_path / "x.jsonl")
    assert table.rows == 2 and table.problems == ("the last line is incomplete: it is left out",)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("x.jsonl", '{"a": 1}\n{oops}\n{"a": 1}\n', "line 2 is not JSON"),
        ("x.jsonl", "[1, 2]\n", "line 1 is no object"),
        ("x.json", "[1, 2]", "has no table"),
        ("x.json", '{"a": [1], "b": [1, 2]}', "different lengths"),
        ("x.json", "[]", "has no rows"),
        ("x.json", "[{}]", "has no columns"),
        ("x.json", "[" * 100_000, "not JSON"),
        ("x.json", '[{"a": 1', "not JSON"),
    ],
)
def test_json_that_is_no_table(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(TableError, match=sentence):
        read_table(tmp_path / name)


def test_too_many_columns_of_json(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps([{f"c{at}": 1 for at in range(limits.MAX_COLUMNS + 1)}]))
    with pytest.raises(TableError, match="too many columns"):
        read_table(tmp_path / "x.json")


# NumPy


def test_structured_arrays_and_matrices(tmp_path: Path) -> None:
    array = np.array([(1, 0.5, "a", True), (2, np.nan, "", False)], "i4,f4,U3,?")
    array.dtype.names = ("n", "f", "s", "b")
    np.save(tmp_path / "x.npy", array)
    table = read_table(tmp_path / "x.npy")
    assert types(table) == {"n": "number", "f": "number", "s": "category", "b": "boolean"}
    assert values(table, "s") == ["a", None] and values(table, "f") == [0.5, None]
    np.save(tmp_path / "m.npy", np.asfortranarray(np.arange(6).reshape(3, 2)))
    assert values(read_table(tmp_path / "m.npy"), "column 1") == [1.0, 3.0, 5.0]


def test_archives(tmp_path: Path) -> None:
    pixels = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(3, 4, 5)
    np.savez_compressed(
        tmp_path / "x.npz", x=np.arange(6).reshape(3, 2), y=np.array([b"a", b"b", b"a"]), image=pixels,
        mean=np.array(2.0), other=np.arange(7), when=np.array(["2024-01-01", "NaT", "2025"], "M8[D]"),
    )  # fmt: skip
    table = read_table(tmp_path / "x.npz")
    assert types(table)["image"] == "image" and values(table, "x 1") == [1.0, 3.0, 5.0]
    assert values(table, "y") == ["a", "b", "a"] and values(table, "when") == ["2024-01-01", None, "2025-01-01"]
    assert table.problems == (
        "the array 'mean' is left out: it has one value, the others have 3",
        "the array 'other' is left out: it has 7 values, the others have 3",
    )
    assert table.read_picture is not None
    assert sniff(table.read_picture("image/1")) == "image/png"


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([print, 1]), allow_pickle=True)
    np.savez(tmp_path / "x.npz", x=np.array([print, 1]))
    for name in ("x.npy", "x.npz"):
        with pytest.raises(TableError, match="has objects, which are not read"):
            read_table(tmp_path / name)


def header_of(shape: tuple[int, ...], dtype: str = "<f8") -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": dtype, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def test_bombs_and_cut_arrays(tmp_path: Path) -> None:
    (tmp_path / "x.npy").write_bytes(header_of((1 << 40,)) + bytes(80))
    with pytest.raises(TableError, match="too large"):
        read_table(tmp_path / "x.npy")
    (tmp_path / "x.npy").write_bytes(header_of((11,)) + bytes(80))
    with pytest.raises(TableError, match="cut off: it has 80 bytes, want 88"):
        read_table(tmp_path / "x.npy")
    with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a", "b", "c"):
            archive.writestr(f"{name}.npy", header_of((1 << 17,)) + bytes(1 << 20))
    data = (tmp_path / "x.npz").read_bytes()
    assert len(data) < 20_000
    with pytest.raises(npz.ArrayError, match="the array 'c' is too large"):
        npz.read_arrays(data, (2 << 20) + 1000)
    (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
    with pytest.raises(TableError, match=r"not a \.npz archive"):
        read_table(tmp_path / "cut.npz")


def test_arrays_survive_the_archive() -> None:
    arrays = {"a/b": np.arange(5, dtype="<i4"), "ü": np.array([[0.5, np.nan]])}
    stream = io.BytesIO()
    npz.write_arrays(stream, arrays, compress=True)
    found = npz.read_arrays(stream.getvalue(), 1000)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    for suffix in SUFFIXES:
        path = folder / f"any{suffix}"
        path.write_bytes(data)
        try:
            table = read_table(path)
        except TableError as error:
            assert str(error)
        else:
            assert all(isinstance(column, Column) and len(column) == table.rows for column in table.columns)
