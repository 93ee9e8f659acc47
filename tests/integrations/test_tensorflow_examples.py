"""TFRecord files as TensorFlow writes them, read without TensorFlow: the same values and pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark.examples.infer import infer_schema
from seamark.examples.readers.sources import read_source
from seamark.tables.column import Table, TableError

tf = pytest.importorskip("tensorflow")
ROWS = 1000


def feature(value: object) -> tf.train.Feature:
    items = value if isinstance(value, list) else [value]
    if isinstance(items[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=items))
    if isinstance(items[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=items))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=items))


def example(**values: object) -> bytes:
    features = {name: feature(value) for name, value in values.items() if value is not None}
    data: bytes = tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()
    return data


def write(path: Path, records: list[bytes], compression: str = "") -> Path:
    with tf.io.TFRecordWriter(str(path), options=compression) as writer:
        for record in records:
            writer.write(record)
    return path


def values(table: Table, name: str) -> list[object]:
    column = table.by_name[name]
    return [column.value(row) for row in range(len(column))]


@pytest.mark.parametrize(("name", "compression"), [("a.tfrecord", ""), ("a.tfrecords.gz", "GZIP")])
def test_values_are_those_that_were_written(tmp_path: Path, name: str, compression: str) -> None:
    rng = np.random.default_rng(0)
    ages = rng.integers(-(2**40), 2**40, ROWS).tolist()
    pay = rng.normal(size=ROWS).astype(np.float32).tolist()
    jobs = [f"Köchin {row % 7} <b>" for row in range(ROWS)]
    gaps = [float(row) if row % 3 else None for row in range(ROWS)]
    records = [
        example(age=ages[row], pay=pay[row], job=jobs[row].encode(), gap=gaps[row], pair=[row, row + 1])
        for row in range(ROWS)
    ]
    table = read_source(write(tmp_path / name, records, compression))
    assert values(table, "age") == ages and values(table, "pay") == pay and values(table, "job") == jobs
    assert values(table, "gap") == gaps and values(table, "pair")[5] == "[5, 6]" and not table.problems


def test_pictures_and_labels_make_a_set(tmp_path: Path) -> None:
    pictures = [tf.io.encode_jpeg(np.full((8, 8, 3), shade, np.uint8)).numpy() for shade in (0, 120, 250)]
    labels = [b"dark", b"grey", b"light"]
    records = [example(image=picture, label=label) for picture, label in zip(pictures, labels, strict=True)]
    table = read_source(write(tmp_path / "shades.tfrecord", records))
    schema = infer_schema(table)
    assert (schema.target, schema.task) == ("label", "multiclass")
    assert table.by_name["image"].type == "image" and table.read_picture is not None
    assert [table.read_picture(str(name)) for name in values(table, "image")] == pictures


def test_records_that_are_no_examples_are_a_sentence(tmp_path: Path) -> None:
    """A file of tensors, as tf.data saves them."""
    records = [tf.io.serialize_tensor(tf.constant([row, row])).numpy() for row in range(3)]
    with pytest.raises(TableError, match=r"tf\.Example"):
        read_source(write(tmp_path / "tensors.tfrecord", records))
