"""TFRecord files of tf.Example, and folders of images."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark._core import frame
from seamark.examples.form import ExamplesError
from seamark.examples.infer import infer_schema
from seamark.examples.readers.picture_folder import PictureFolder
from seamark.examples.readers.sources import read_source
from seamark.kinds.image import png
from seamark.tables.column import Table, TableError

PICTURE = png(np.zeros((2, 3, 3), np.uint8))


def values(table: Table, name: str) -> list[object]:
    column = table.by_name[name]
    return [column.value(row) for row in range(len(column))]


def field(number: int, data: bytes) -> bytes:
    """A length-delimited field of protobuf, for lengths below 2**14."""
    size = bytes([len(data)]) if len(data) < 128 else bytes([len(data) & 0x7F | 0x80, len(data) >> 7])
    return bytes([number << 3 | 2]) + size + data


def example(**features: list[bytes] | list[float] | list[int]) -> bytes:
    """A tf.Example, encoded by hand: the reader must not be tested with its own messages."""
    entries = b""
    for name, items in features.items():
        if items and isinstance(items[0], bytes):
            value = field(1, b"".join(field(1, item) for item in items))  # type: ignore[arg-type]
        elif items and isinstance(items[0], float):
            value = field(2, field(1, struct.pack(f"<{len(items)}f", *items)))
        else:
            value = field(3, b"".join(bytes([1 << 3, int(item)]) for item in items))  # unpacked, as old writers do
        entries += field(1, field(1, name.encode()) + field(2, value))
    return field(1, entries)


def write(path: Path, *examples: bytes) -> Path:
    data = b"".join(map(frame, examples))
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["x.tfrecord", "x.tfrecords", "x.tfrecord.gz"])
def test_tf_examples(tmp_path: Path, name: str) -> None:
    path = write(
        tmp_path / name,
        example(age=[39], pay=[0.5], job=[b"clerk"], tags=[b"a", b"b"], vector=[0.0] * 20, image=[PICTURE]),
        example(age=[40], job=[b"\xff<b>"], tags=[], image=[PICTURE], late=[1]),
    )
    table = read_source(path)
    assert values(table, "age") == [39.0, 40.0] and values(table, "pay") == [0.5, None]
    assert values(table, "job") == ["clerk", "\ufffd<b>"] and values(table, "tags") == ['["a", "b"]', None]
    assert values(table, "late") == [None, 1.0]
    assert table.problems == ("the feature 'vector' is left out: it has lists of up to 20 values",)
    assert table.by_name["image"].type == "image" and table.read_picture is not None
    assert table.read_picture(str(values(table, "image")[1])) == PICTURE


def test_damaged_tf_records(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tfrecord", example(a=[1]), example(a=[2]), example(a=[3]))
    data = path.read_bytes()
    path.write_bytes(data[:-3])
    table = read_source(path)
    assert values(table, "a") == [1.0, 2.0]
    assert table.problems == ("record 3 is cut off: the 2 records before it are read",)
    path.write_bytes(data[:20])
    with pytest.raises(TableError, match="record 1 is cut off"):
        read_source(path)
    flipped = bytearray(data)
    flipped[len(data) // 3 + 14] ^= 1
    path.write_bytes(flipped)
    with pytest.raises(TableError, match="record 2 is damaged: its checksum is wrong"):
        read_source(path)
    path.write_bytes(b"not a record at all, but long enough")
    with pytest.raises(TableError, match="this may not be a TFRecord file"):
        read_source(path)
    write(path, b"\xff\xff\xff")
    with pytest.raises(TableError, match=r"record 1 is no tf\.Example"):
        read_source(path)
    path.write_bytes(b"")
    with pytest.raises(TableError, match=r"no tf\.Example with features"):
        read_source(path)


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=60))
def test_any_record_is_a_table_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = write(tmp_path_factory.getbasetemp() / "any.tfrecord", data)
    try:
        assert read_source(path).rows == 1
    except TableError as error:
        assert str(error)


def pictures(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(PICTURE)
    return folder


def test_classes_by_subfolder(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "x.examples", "cat/1.png", "cat/2.PNG", "dog/1.jpg", ".hidden/1.png", "cat/.h.png")
    (folder / "notes.txt").write_text("no picture")
    table = read_source(folder)
    assert values(table, "image") == ["cat/1.png", "cat/2.PNG", "dog/1.jpg"]
    assert values(table, "label") == ["cat", "cat", "dog"]
    schema = infer_schema(table)
    assert (schema.target, schema.task) == ("label", "binary")
    assert table.read_picture is not None and table.read_picture("cat/1.png") == PICTURE


@pytest.mark.parametrize("name", ["labels.csv", "metadata.jsonl"])
def test_a_table_in_the_folder_names_the_files(tmp_path: Path, name: str) -> None:
    folder = pictures(tmp_path / "x.examples", "1.png", "2.png")
    rows = [{"file": "1.png", "label": "a"}, {"file": "2.png", "label": "b"}, {"file": "../3.png", "label": "b"}]
    lines = ["file,label", *(f"{row['file']},{row['label']}" for row in rows)]
    (folder / name).write_text("\n".join(lines if name.endswith("csv") else map(json.dumps, rows)))
    (folder / "a.csv").write_text("step,loss\n1,2\n")
    pictures(tmp_path, "3.png")
    table = read_source(folder)
    assert table.by_name["file"].type == "image" and table.rows == 3 and table.read_picture is not None
    assert table.read_picture("2.png") == PICTURE
    with pytest.raises(ExamplesError, match="there is no picture"):
        table.read_picture("../3.png")


def test_a_table_beside_pictures(tmp_path: Path) -> None:
    pictures(tmp_path, "pictures/1.png", "pictures/2.png")
    (tmp_path / "examples.csv").write_text("image,label\npictures/1.png,a\npictures/2.png,b\n")
    table = read_source(tmp_path / "examples.csv")
    assert table.by_name["image"].type == "image"


@pytest.mark.parametrize(
    "name", ["../out.png", "/etc/passwd", "link.png", ".secret.png", "a\0.png", "notes.svg", "sub"]
)
def test_a_path_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    pictures(tmp_path, "out.png", "in/.secret.png", "in/fine.png")
    (tmp_path / "in" / "link.png").symlink_to(tmp_path / "out.png")
    (tmp_path / "in" / "notes.svg").write_text("<svg onload=alert(1)>")
    folder = PictureFolder(tmp_path / "in")
    assert folder.read("fine.png") == PICTURE
    with pytest.raises(ExamplesError, match="there is no picture"):
        folder.read(name)
    assert list(folder.paths()) == ["fine.png"]


def test_a_folder_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="the folder has no pictures"):
        read_source(tmp_path)
