"""Embeddings in checkpoints of the real TensorFlow, compared with its own reader, number by number."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.embeddings.readers.checkpoint_tensor import stored_id, stored_matrix
from seamark.embeddings.vector_cache import VectorCache
from seamark.kinds.projector.checkpoint import embeddings_in, newest_checkpoint
from seamark.kinds.projector.stored_rows import read_rows, read_stored

tf = pytest.importorskip("tensorflow", reason="run it with `make test-integrations`")

FLOATS = ("float32", "float64", "float16", "bfloat16")
WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool")
# An older saver rejects the other types.
IN_OLDER_SAVERS = ("float32", "float64", "float16", "int8", "int16", "int32", "int64", "uint8", "bool")
# Not among the embeddings: they have no order on an axis.
LEFT_OUT = ("complex64",)


def values(dtype: str, shape: tuple[int, int] = (7, 5)) -> Any:
    numbers = np.random.default_rng(len(dtype)).normal(0, 50, shape)
    return tf.cast(np.abs(numbers) if dtype.startswith("u") else numbers, dtype)


def in_tensorflow(prefix: str) -> dict[str, Any]:
    """The two-dimensional tensors as TensorFlow reads them."""
    reader = tf.train.load_checkpoint(prefix)
    names = [name for name, shape in reader.get_variable_to_shape_map().items() if len(shape) == 2]
    return {name: reader.get_tensor(name) for name in names if ".OPTIMIZER_SLOT" not in name}


def compare(prefix: str, cache_dir: Path) -> set[str]:
    """Compares every tensor, whole, in parts, and as the Projector opens it. Returns the names."""
    want = in_tensorflow(prefix)
    want = {name: one for name, one in want.items() if one.dtype.kind != "c"}
    found = {tensor.name: tensor for tensor in embeddings_in(Path(prefix))}
    assert found.keys() == want.keys()
    cache = VectorCache(cache_dir)
    for name, tensor in found.items():
        expected = want[name].astype(np.float32)
        assert tensor.shape == expected.shape, name
        np.testing.assert_array_equal(read_stored(tensor, max_bytes=1 << 30, max_rows=None), expected, name)
        middle = slice(tensor.shape[0] // 3, tensor.shape[0] // 3 + max(1, tensor.shape[0] // 2))
        np.testing.assert_array_equal(read_rows(tensor, middle.start, middle.stop), expected[middle], name)
        opened = cache.get(tensor.parts[0].file, stored_id(tensor), partial(stored_matrix, tensor))
        np.testing.assert_array_equal(opened.values, expected, name)
    return set(found)


def test_variables_of_a_graph_of_tensorflow_1(tmp_path: Path) -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        for dtype in (*FLOATS, *WHOLE, *LEFT_OUT):
            v1.get_variable(dtype, initializer=values(dtype))
        v1.get_variable("by_rows", shape=(110, 4), partitioner=v1.fixed_size_partitioner(3))
        v1.get_variable("by_columns", shape=(6, 90), partitioner=v1.fixed_size_partitioner(4, axis=1))
        v1.get_variable("scope/doubles", shape=(9, 2), dtype=tf.float64, partitioner=v1.fixed_size_partitioner(2))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            prefix = v1.train.Saver().save(session, str(tmp_path / "model.ckpt"), global_step=3)
    names = compare(prefix, tmp_path)
    assert names == {*FLOATS, *WHOLE, "by_rows", "by_columns", "scope/doubles"}
    assert Path(newest_checkpoint(tmp_path)).name == "model.ckpt-3"


def test_a_sharded_saver_of_tensorflow_1(tmp_path: Path) -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        for number in range(3):
            with v1.device(f"/cpu:{number}"):
                v1.get_variable(f"on_{number}", initializer=values("float64", (50, 8)))
        with v1.Session(config=v1.ConfigProto(device_count={"CPU": 3})) as session:
            session.run(v1.global_variables_initializer())
            prefix = v1.train.Saver(sharded=True).save(session, str(tmp_path / "model.ckpt"))
    assert len(list(tmp_path.glob("*.data-*-of-00003"))) == 3
    assert compare(prefix, tmp_path) == {"on_0", "on_1", "on_2"}


def test_the_one_file_of_an_older_saver(tmp_path: Path) -> None:
    """Compared with the session: TensorFlow's own reader reads no partitioned variable of this form."""
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        made = {dtype: v1.get_variable(dtype, initializer=values(dtype)) for dtype in IN_OLDER_SAVERS}
        by_rows, by_columns = v1.fixed_size_partitioner(3), v1.fixed_size_partitioner(4, axis=1)
        made["by_rows"] = v1.get_variable("by_rows", shape=(110, 4), partitioner=by_rows)
        made["by_columns"] = v1.get_variable("by_columns", shape=(6, 90), partitioner=by_columns)
        made["large"] = v1.get_variable("large", shape=(30_000, 64))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            saver = v1.train.Saver(write_version=v1.train.SaverDef.V1)
            prefix = saver.save(session, str(tmp_path / "model.ckpt"), global_step=3)
            want = session.run({name: tf.convert_to_tensor(variable) for name, variable in made.items()})
    found = {tensor.name: tensor for tensor in embeddings_in(Path(prefix))}
    assert found.keys() == want.keys()
    for name, tensor in found.items():
        expected = want[name].astype(np.float32)
        np.testing.assert_array_equal(read_stored(tensor, max_bytes=1 << 30, max_rows=None), expected, name)
        opened = VectorCache(tmp_path).get(tensor.parts[0].file, stored_id(tensor), partial(stored_matrix, tensor))
        np.testing.assert_array_equal(opened.values, expected, name)


def test_an_older_saver_of_several_devices(tmp_path: Path) -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        for number in range(3):
            with v1.device(f"/cpu:{number}"):
                v1.get_variable(f"on_{number}", initializer=values("float64", (50, 8)))
        with v1.Session(config=v1.ConfigProto(device_count={"CPU": 3})) as session:
            session.run(v1.global_variables_initializer())
            saver = v1.train.Saver(sharded=True, write_version=v1.train.SaverDef.V1)
            prefix = saver.save(session, str(tmp_path / "model.ckpt"))
    assert Path(newest_checkpoint(tmp_path)).name == Path(prefix).name == "model.ckpt-?????-of-00003"
    assert compare(prefix, tmp_path) == {"on_0", "on_1", "on_2"}


@pytest.fixture
def objects() -> Any:
    """Objects as tf.train.Checkpoint saves them: a module, a list, and a Keras model with its optimizer's slots."""
    module = tf.Module()
    for dtype in (*FLOATS, *WHOLE, *LEFT_OUT):
        setattr(module, dtype, tf.Variable(values(dtype)))
    module.table = tf.Variable(values("float32", (3000, 16)))
    module.halves = tf.Variable(values("bfloat16", (2000, 16)))
    module.layers = [tf.Variable(values("float32", (3, 3))), tf.Variable(tf.zeros([3]))]
    model = tf.keras.Sequential([tf.keras.layers.Embedding(20, 4), tf.keras.layers.Dense(3)])
    model.compile("adam", "mse")
    model.fit(np.zeros((2, 2), int), np.zeros((2, 2, 3)), verbose=0)
    return tf.train.Checkpoint(module=module, model=model, optimizer=model.optimizer, step=tf.Variable(1))


def test_objects_of_tensorflow_2(objects: Any, tmp_path: Path) -> None:
    prefix = objects.save(str(tmp_path / "ckpt"))
    assert "module/table/.ATTRIBUTES/VARIABLE_VALUE" in compare(prefix, tmp_path)
    assert (20, 4) in {tensor.shape for tensor in embeddings_in(Path(prefix))}
    assert Path(newest_checkpoint(tmp_path)).name == "ckpt-1"


def test_tensors_that_tensorflow_2_splits_over_files(objects: Any, tmp_path: Path) -> None:
    policy = tf.train.experimental.MaxShardSizePolicy(20_000)
    options = tf.train.CheckpointOptions(experimental_sharding_callback=policy)
    prefix = objects.write(str(tmp_path / "ckpt"), options=options)
    assert len(list(tmp_path.glob("ckpt.data-*"))) > 5
    table = next(one for one in embeddings_in(Path(prefix)) if "table" in one.name)
    assert len({part.file for part in table.parts}) > 5
    compare(prefix, tmp_path)
