"""Readers: the numbers of each format compared with what was written, and files that are damaged."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.readers import csv_files, files, text
from seamark.embeddings.readers.checkpoint_tensor import raw_matrix

MATRIX = np.random.default_rng(1).normal(size=(300, 5))
SAFE_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I8": "<i1", "I64": "<i8", "U8": "<u1"}


def numbers(path: Path, array: str = "") -> FloatMatrix:
    return np.concatenate(list(files.open_matrix(path, array).blocks()))


def write_safetensors(path: Path, tensors: dict[str, tuple[str, list[int], bytes]]) -> None:
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, shape, content) in tensors.items():
        offsets = [len(data), len(data) + len(content)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}  # type: ignore[assignment]
        data += content
    encoded = json.dumps(header).encode()
    path.write_bytes(len(encoded).to_bytes(8, "little") + encoded + data)


@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<f8", "<f2", "<i8", "u1", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_and_npz_of_any_type(tmp_path: Path, dtype: str, order: str) -> None:
    matrix = np.array(MATRIX * 20, dtype, order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "x.npy", matrix)
    np.savez_compressed(tmp_path / "x.npz", one=matrix, flat=matrix[0], words=np.array(["a"]))
    expected = matrix.astype("<f4")
    np.testing.assert_array_equal(numbers(tmp_path / "x.npy"), expected)
    assert files.arrays_in(tmp_path / "x.npz") == ["one"]
    np.testing.assert_array_equal(numbers(tmp_path / "x.npz", "one"), expected)
    is_mapped = files.open_matrix(tmp_path / "x.npy").mapped is not None
    assert is_mapped == (dtype == "<f4" and order == "C")


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([[print]]), allow_pickle=True)
    np.savez(tmp_path / "x.npz", x=np.array([[print]]))
    with pytest.raises(EmbeddingError, match="has no numbers but object"):
        numbers(tmp_path / "x.npy")
    assert files.arrays_in(tmp_path / "x.npz") == []
    with pytest.raises(EmbeddingError, match="has no numbers but object"):
        numbers(tmp_path / "x.npz", "x")


@pytest.mark.parametrize("dtype", SAFE_TYPES)
def test_safetensors(tmp_path: Path, dtype: str) -> None:
    matrix = (MATRIX * 20).astype(SAFE_TYPES[dtype])
    bias = ("F32", [5], MATRIX[0].astype("<f4").tobytes())
    write_safetensors(tmp_path / "x.safetensors", {"b": bias, "w": (dtype, [300, 5], matrix.tobytes())})
    assert files.arrays_in(tmp_path / "x.safetensors") == ["w"]
    np.testing.assert_array_equal(numbers(tmp_path / "x.safetensors", "w"), matrix.astype("<f4"))


def test_bfloat16(tmp_path: Path) -> None:
    rounded = (MATRIX.astype("<f4").view("<u4") >> 16).astype("<u2")
    write_safetensors(tmp_path / "x.safetensors", {"w": ("BF16", [300, 5], rounded.tobytes())})
    matrix = files.open_matrix(tmp_path / "x.safetensors", "w")
    assert matrix.dtype == "bfloat16"
    np.testing.assert_array_equal(np.concatenate(list(matrix.blocks())), (rounded.astype("<u4") << 16).view("<f4"))


@pytest.mark.parametrize(
    ("shape", "offsets", "sentence"),
    [
        ([300, 5], [0, 5999], "does not fit its shape"),
        ([300, 5], [10, 6010], "cut off"),
        ([300, 5], [-6000, 0], "does not fit its shape"),
        ([1 << 40, 1 << 40], [0, 1 << 82], "too many numbers in a row"),
        ([0, 5], [0, 0], "is empty"),
        ([300, 5, 1], [0, 6000], "has 3 dimensions"),
    ],
)
def test_damaged_safetensors(tmp_path: Path, shape: list[int], offsets: list[int], sentence: str) -> None:
    header = json.dumps({"w": {"dtype": "F32", "shape": shape, "data_offsets": offsets}}).encode()
    (tmp_path / "x.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(6000))
    with pytest.raises(EmbeddingError, match=sentence):
        numbers(tmp_path / "x.safetensors", "w")


@settings(deadline=None)
@given(arrays(np.float32, st.tuples(st.integers(1, 30), st.integers(1, 8)), elements=st.floats(width=32)))
def test_text_gives_back_every_float(matrix: FloatMatrix) -> None:
    lines = "\n".join("\t".join(map(str, row)) for row in matrix.tolist())
    np.testing.assert_array_equal(text.parse_lines(lines.encode(), 1, 0), matrix)


def test_long_texts_are_parsed_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK_BYTES", 1000)
    lines = ["\t".join(map(str, row)) for row in MATRIX.tolist()]
    (tmp_path / "x.tsv").write_text("\r\n".join(lines))
    np.testing.assert_array_equal(numbers(tmp_path / "x.tsv"), MATRIX.astype("<f4"))
    lines[250] += "\t1"
    (tmp_path / "x.tsv").write_text("\n".join(lines))
    with pytest.raises(EmbeddingError, match="line 251 has 6 numbers, the lines before it have 5"):
        numbers(tmp_path / "x.tsv")
    lines[150] = "1\t2\t3\t<b>\t5"
    (tmp_path / "x.tsv").write_text("\n".join(lines))
    with pytest.raises(EmbeddingError, match="line 151 has '<b>', want a number"):
        numbers(tmp_path / "x.tsv")


def test_a_line_without_end_is_no_text(tmp_path: Path) -> None:
    with (tmp_path / "x.tsv").open("wb") as file:
        file.truncate(1 << 30)  # sparse
    with pytest.raises(EmbeddingError, match="line 1 is too long"):
        numbers(tmp_path / "x.tsv")


def test_raw_floats_need_their_shape(tmp_path: Path) -> None:
    (tmp_path / "x.bytes").write_bytes(MATRIX.astype("<f4").tobytes())
    np.testing.assert_array_equal(raw_matrix(tmp_path / "x.bytes", (300, 5)).mapped, MATRIX.astype("<f4"))
    with pytest.raises(EmbeddingError, match="the file has 6,000 bytes, its shape"):
        raw_matrix(tmp_path / "x.bytes", (301, 5))


def rows_as_csv(names: str, separator: str = ",") -> str:
    lines = [separator.join([*map(repr, row), f'"word {at}"']) for at, row in enumerate(MATRIX.tolist())]
    return "\n".join(([names] if names else []) + lines)


@pytest.mark.parametrize(
    ("content", "names", "has_header"),
    [
        (rows_as_csv("a,b,c,d,e,word"), ["word"], True),
        (rows_as_csv("x0,x1,x2,x3,x4,word"), ["word"], True),
        (rows_as_csv(""), ["column 5"], False),
        (rows_as_csv("a;b;c;d;e;word", ";"), ["word"], True),
        (rows_as_csv("0,1,2,3,4,word"), ["word"], True),
    ],
)
def test_csv(tmp_path: Path, content: str, names: list[str], has_header: bool) -> None:
    (tmp_path / "x.csv").write_text(content)
    np.testing.assert_array_equal(numbers(tmp_path / "x.csv"), MATRIX.astype("<f4"))
    table = files.own_metadata(tmp_path / "x.csv")
    assert ([column.name for column in table.columns], table.rows) == (names, 300)
    assert list(table.columns[0].values[:2]) == ["word 0", "word 1"]
    assert csv_files.read_layout(tmp_path / "x.csv").has_header == has_header


def test_csv_with_numbered_columns_keeps_other_numbers_as_metadata(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("label,pixel0,pixel1,pixel2\n7,0,1,2\n3,,4,5\n")
    np.testing.assert_array_equal(numbers(tmp_path / "x.csv"), [[0, 1, 2], [np.nan, 4, 5]])
    assert [column.name for column in files.own_metadata(tmp_path / "x.csv").columns] == ["label"]


def test_a_word_among_the_numbers_of_a_csv_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("x0,x1,x2\n" + "1,2,3\n" * 200 + "1,oops,3\n")
    with pytest.raises(EmbeddingError, match="row 202 has 'oops' in the column 'x1', want a number"):
        numbers(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        ("step,loss,lr\n1,2,3\n", False),
        ("epoch,step,train_loss,val_loss,acc\n0,1,,2,3\n", False),
        ("x0,x1,x2\n1,2,3\n", True),
        ("1,2,3\n4,5,6\n", True),
        (",".join(f"m{chr(97 + at)}" for at in range(20)) + "\n" + ",".join("1" * 20) + "\n", True),
        ("", False),
        ("a,b\nx,y\n", False),
    ],
)
def test_logs_in_csv_are_not_listed(tmp_path: Path, content: str, is_one: bool) -> None:
    (tmp_path / "x.csv").write_text(content)
    assert files.is_probably_one(tmp_path / "x.csv") == is_one


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow"])
@pytest.mark.parametrize("form", ["list", "fixed", "columns"])
def test_parquet_and_arrow(tmp_path: Path, suffix: str, form: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    feather, parquet = pytest.importorskip("pyarrow.feather"), pytest.importorskip("pyarrow.parquet")
    words = [f"w{at}" for at in range(300)]
    if form == "columns":
        table = pyarrow.table({"w": words, **{f"x{at}": MATRIX[:, at] for at in range(5)}})
    else:
        type = pyarrow.list_(pyarrow.float64(), 5 if form == "fixed" else -1)
        table = pyarrow.table({"w": words, "v": pyarrow.array(MATRIX.tolist(), type)})
    path = tmp_path / f"x.{suffix}"
    if suffix == "parquet":
        parquet.write_table(table, path, row_group_size=70)
    elif suffix == "feather":
        feather.write_feather(table, path, chunksize=70)
    else:
        with pyarrow.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=70)
    np.testing.assert_array_equal(numbers(path), MATRIX.astype("<f4"))
    found = files.own_metadata(path)
    assert [column.name for column in found.columns] == ["w"] and list(found.columns[0].values) == words
    assert files.is_probably_one(path)


def test_parquet_with_missing_and_ragged_lists(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"v": [[1.0, 2.0], None, [3.0, 4.0]]}), tmp_path / "x.parquet")
    np.testing.assert_array_equal(numbers(tmp_path / "x.parquet"), [[1, 2], [np.nan, np.nan], [3, 4]])
    parquet.write_table(pyarrow.table({"v": [[1.0, 2.0], None, [3.0]]}), tmp_path / "y.parquet")
    with pytest.raises(EmbeddingError, match="row 2 has 1 numbers, the rows before it have 2"):
        numbers(tmp_path / "y.parquet")
    parquet.write_table(
        pyarrow.table({"v": pyarrow.array([[]] * 3, pyarrow.list_(pyarrow.float32()))}), tmp_path / "z.parquet"
    )
    with pytest.raises(EmbeddingError, match="row 0 has a list without numbers"):
        numbers(tmp_path / "z.parquet")


def test_metadata_of_arrow_with_a_full_dictionary_and_impossible_times(tmp_path: Path) -> None:
    pyarrow, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
    names = [f"name {at}" for at in range(128)]
    codes = pyarrow.array([127, None, 0], pyarrow.int8())
    table = pyarrow.table({"v": [[1.0], [2.0], [3.0]], "name": pyarrow.DictionaryArray.from_arrays(codes, names)})
    feather.write_feather(table, tmp_path / "x.feather")
    (column,) = files.own_metadata(tmp_path / "x.feather").columns
    assert list(column.values) == ["name 127", "", "name 0"]
    times = pyarrow.array([1 << 62] * 3, pyarrow.timestamp("us"))
    feather.write_feather(pyarrow.table({"v": [[1.0], [2.0], [3.0]], "time": times}), tmp_path / "y.feather")
    with pytest.raises(EmbeddingError, match="a time in it is out of range"):
        files.own_metadata(tmp_path / "y.feather")


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_sentence_or_numbers(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp()
    for suffix in files.SUFFIXES:
        path = folder / f"any{suffix}"
        path.write_bytes(data)
        try:
            for array in files.arrays_in(path):
                numbers(path, array)
        except (EmbeddingError, ValueError) as error:
            assert isinstance(error, EmbeddingError) or "need at least one array" in str(error)
        with suppress(EmbeddingError):
            files.is_probably_one(path)


def test_texts_that_are_not_utf8_are_a_sentence(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    header = b'{"\xb9":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}'
    (tmp_path / "a.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(EmbeddingError, match="this is not a safetensors file"):
        files.arrays_in(tmp_path / "a.safetensors")
    damaged = tmp_path / "b.parquet"
    names = pyarrow.array([b"one", b"\xfe\xff"]).cast(pyarrow.string(), safe=False)
    parquet.write_table(pyarrow.table({"v": [[1.0, 2.0], [3.0, 4.0]], "name": names}), damaged)
    with pytest.raises(EmbeddingError, match="not UTF-8"):
        files.own_metadata(damaged)
