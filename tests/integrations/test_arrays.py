"""Arrays of the real JAX and TensorFlow, given to every method that takes arrays: logged as NumPy's are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seamark
from seamark import summary
from seamark.write.encode.arrays import as_array, as_number
from tests.integrations import written

jax = pytest.importorskip("jax", reason="run it with `make test-integrations`")
tf = pytest.importorskip("tensorflow", reason="run it with `make test-integrations`")

jnp = jax.numpy
LIBRARIES = {"jax": jnp.asarray, "tensorflow": tf.constant, "variable": tf.Variable}
PICTURE = np.random.default_rng(0).random((3, 16, 12)).astype(np.float32)
WEIGHTS = np.random.default_rng(1).normal(size=(300, 400)).astype(np.float32)  # large enough for memory of the pool

each_library = pytest.mark.parametrize("library", LIBRARIES)


def equal_points(ours: Path, with_numpy: Path) -> bool:
    def shown(folder: Path) -> list[Any]:
        return [(p.tag, p.step, p.plugin, np.asarray(p.value).tolist()) for p in written.points(folder)]

    assert shown(with_numpy) != []
    return shown(ours) == shown(with_numpy)


def log_everything(writer: seamark.SummaryWriter, make: Callable[[Any], Any]) -> None:
    writer.add_scalar("loss", make(np.float32(0.5)), make(np.int32(3)))
    writer.add_scalar("of one", make(np.array([0.25], np.float32)), 3)
    writer.add_scalars("both", {"a": make(np.float32(1)), "b": make(np.float32(2))}, 3, one_run=True)
    writer.add_histogram("weights", make(WEIGHTS), 3)
    writer.add_image("picture", make(PICTURE), 3)
    writer.add_images("pictures", make(PICTURE[None]), 3)
    writer.add_audio("tone", make(np.linspace(-1, 1, 200, dtype=np.float32)), 3, 8000)
    writer.add_video("film", make((PICTURE[None, None] * 255).astype(np.uint8)), 3)
    writer.add_tensor("raw", make(WEIGHTS[:2]), 3)
    writer.add_pr_curve("pr", make(np.array([0, 1, 1])), make(np.array([0.2, 0.7, 0.4], np.float32)), 3)
    writer.add_mesh("cloud", make(WEIGHTS[None, :, :3]), global_step=3)
    writer.add_embedding(make(WEIGHTS[:4]), global_step=3)


@each_library
def test_the_summary_writer_takes_them_all(library: str, tmp_path: Path) -> None:
    for name, make in (("theirs", LIBRARIES[library]), ("numpy", np.asarray)):
        with seamark.SummaryWriter(tmp_path / name) as writer:
            log_everything(writer, make)
    assert equal_points(tmp_path / "theirs", tmp_path / "numpy")
    [got, want] = [sorted((tmp_path / name).rglob("tensors.*"))[0].read_bytes() for name in ("theirs", "numpy")]
    assert got == want


def log_summaries(module: Any, folder: Path, make: Callable[[Any], Any]) -> None:
    with module.create_file_writer(str(folder)).as_default():
        module.scalar("loss", make(np.float32(0.5)), step=make(np.int64(3)))
        module.histogram("weights", make(WEIGHTS), step=3)
        module.image("picture", make(PICTURE.transpose(1, 2, 0)[None]), step=3)
        module.audio("tone", make(np.linspace(-1, 1, 200, dtype=np.float32).reshape(1, -1, 1)), 8000, step=3)
        module.write("raw", make(WEIGHTS[:2]), step=3)
        module.flush()


@each_library
def test_seamarks_summary_takes_them_all_and_says_what_tensorflows_says(library: str, tmp_path: Path) -> None:
    log_summaries(summary, tmp_path / "ours", LIBRARIES[library])
    log_summaries(tf.summary, tmp_path / "tensorflows", tf.constant)
    assert written.kinds(tmp_path / "ours") == written.kinds(tmp_path / "tensorflows")
    values = [{point.tag: point.value for point in written.points(tmp_path / name)} for name in ("ours", "tensorflows")]
    for tag in ("loss", "weights", "raw"):
        np.testing.assert_allclose(values[0][tag], values[1][tag], rtol=1e-5, err_msg=tag)


def test_texts_of_tensorflow(tmp_path: Path) -> None:
    words = ["plain", tf.constant("a <b> é"), tf.constant([["a", "b"], ["c", "d"]])]
    for name, module in (("ours", summary), ("tensorflows", tf.summary)):
        with module.create_file_writer(str(tmp_path / name)).as_default():
            for number, text in enumerate(words):
                module.text(f"text {number}", text, step=1)
            module.write("strings", tf.constant(["x", "é"]), step=1)
            module.flush()
    got, want = (
        [(point.tag, np.asarray(point.value).tolist()) for point in written.points(tmp_path / name)]
        for name in ("ours", "tensorflows")
    )
    assert got == want


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "int4", "int8", "bool"])
def test_types_that_numpy_does_not_have(dtype: str) -> None:
    made = [jnp.array([1, 0], dtype)]
    if hasattr(tf, dtype):
        made.append(tf.cast(tf.constant([1, 0]), dtype))
    for array in made:
        assert as_array(array).tolist() == [1, 0]
        assert as_array(array).dtype.isbuiltin == 1
        assert as_number(array[0]) == 1.0


def test_sparse_gradients_of_tensorflow_are_logged_as_the_dense_ones_they_stand_for() -> None:
    table = tf.Variable(np.ones((4, 2), np.float32))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [1, 1, 3]))
    gradient = tape.gradient(loss, table)
    assert isinstance(gradient, tf.IndexedSlices)
    assert as_array(gradient).tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]
    assert as_array(tf.sparse.from_dense([[0.0, 2.0], [3.0, 0.0]])).tolist() == [[0, 2], [3, 0]]


def test_what_the_caller_changes_or_deletes_after_the_call_is_not_in_the_file(tmp_path: Path) -> None:
    donated, variable = jnp.asarray(WEIGHTS), tf.Variable(WEIGHTS)
    with seamark.SummaryWriter(tmp_path) as writer:
        writer.add_tensor("donated", donated, 1)
        writer.add_tensor("variable", variable, 1)
        jax.jit(lambda array: array * 0, donate_argnums=0)(donated).block_until_ready()
        variable.assign(variable * 0)
    for point in written.points(tmp_path):
        np.testing.assert_array_equal(point.value, WEIGHTS, err_msg=point.tag)


@pytest.mark.parametrize(
    "compiled", [jax.jit, tf.function, tf.function(autograph=False)], ids=["jit", "graph", "plain"]
)
def test_a_value_that_is_only_traced_is_an_error_and_never_nothing(compiled: Any, tmp_path: Path) -> None:
    calls = (
        lambda writer, value: writer.add_scalar("loss", value, 1),
        lambda writer, value: writer.add_histogram("weights", value, 1),
        lambda writer, value: writer.add_scalar("loss", 0.5, value),
    )
    with seamark.SummaryWriter(tmp_path) as writer:
        for call in calls:

            def step(value: Any, call: Any = call) -> Any:
                call(writer, value)
                return value

            with pytest.raises((TypeError, NotImplementedError), match=r"(?i)trace|symbolic|tensor"):
                compiled(step)(np.int32(1))
    assert list(written.points(tmp_path)) == []


def test_within_compiled_code_a_callback_logs(tmp_path: Path) -> None:
    writer = seamark.SummaryWriter(tmp_path)

    @jax.jit
    def jax_step(value: Any) -> Any:
        jax.debug.callback(lambda seen: writer.add_scalar("jax", seen, 1), value)
        return value * 2

    @tf.function
    def tensorflow_step(value: Any) -> Any:
        tf.py_function(lambda seen: writer.add_scalar("tensorflow", seen, 1), [value], [])
        return value * 2

    jax_step(jnp.float32(0.5)).block_until_ready()
    jax.effects_barrier()
    tensorflow_step(tf.constant(0.25))
    writer.close()
    assert written.scalars(tmp_path) == {".": {"jax": [(1, 0.5)], "tensorflow": [(1, 0.25)]}}
