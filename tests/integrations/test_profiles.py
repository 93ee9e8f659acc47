"""Real profiles of JAX, Keras and TensorFlow on a CPU: their steps, parts and operators as Seamark reads them."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="run it with `make test-integrations`")
keras = pytest.importorskip("keras", reason="run it with `make test-integrations`")
tf = pytest.importorskip("tensorflow", reason="run it with `make test-integrations`")

import seamark
from seamark import cli
from seamark.integrations.keras import SeamarkCallback
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.roofline import find_roofline
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.captures.find import find_captures
from seamark.profiles.profile import Profile
from seamark.profiles.report import report_of
from seamark.profiles.results import Overview

SIDE = 64


@jax.jit
def multiply(matrix: Any) -> Any:
    return jax.numpy.tanh(matrix @ matrix)


@tf.function
def multiply_graph(matrix: Any) -> Any:
    return tf.tanh(tf.matmul(matrix, matrix))


def only_profile(folder: Path) -> Profile:
    (capture,), _ = find_captures(folder)
    (host,) = capture.hosts
    return ProfileOpener(None).open(folder / host.path)


def checked_overview(profile: Profile) -> Overview:
    """What holds for every profile: parts that sum to their step, and no analysis or rule that fails."""
    overview = profile.get(find_overview)
    assert [sum(step.breakdown.values()) for step in overview.steps] == [step.duration_ns for step in overview.steps]
    report_of([("", profile)], 0)
    return overview


def numbers(overview: Overview) -> list[int | None]:
    return [step.number for step in overview.steps]


def operator_names(profile: Profile) -> set[str]:
    return {row.name for row in profile.get(find_operators).rows}


def test_a_block_is_profiled_with_jax(tmp_path: Path) -> None:
    matrix = multiply(jax.numpy.ones((SIDE, SIDE))).block_until_ready()
    with seamark.profile(tmp_path, backend="jax", warmup=1) as recording:
        for step in range(4):
            if step:
                recording.step()
            multiply(matrix).block_until_ready()
    profile = only_profile(tmp_path)
    overview = checked_overview(profile)
    assert (overview.source, numbers(overview)) == ("root", [1, 2, 3])
    assert all(step.breakdown["host_compute"] > 0 for step in overview.steps)
    assert operator_names(profile)


def test_jax_traces_have_the_numbers_of_step_trace_annotations(tmp_path: Path) -> None:
    matrix = multiply(jax.numpy.ones((SIDE, SIDE))).block_until_ready()
    with jax.profiler.trace(str(tmp_path)):
        for step in range(7, 11):
            with jax.profiler.StepTraceAnnotation("train", step_num=step):
                multiply(matrix).block_until_ready()
    profile = only_profile(tmp_path)
    overview = checked_overview(profile)
    assert (overview.source, numbers(overview)) == ("root", [7, 8, 9, 10])
    assert operator_names(profile)


def test_flops_of_jax_on_a_cpu_are_those_of_xla(tmp_path: Path) -> None:
    """A layer, a convolution and their gradients; XLA counts other instructions in slightly other ways."""

    def loss(weights: Any, kernel: Any, data: Any, images: Any) -> Any:
        convolved = jax.lax.conv_general_dilated(images, kernel, (1, 1), "VALID")
        return (jax.numpy.tanh(data @ weights) ** 2).mean() + jax.nn.relu(convolved).sum()

    step = jax.jit(jax.grad(loss, argnums=(0, 1)))
    inputs = [jax.numpy.ones(sizes) for sizes in ((256, 512), (8, 3, 3, 3), (128, 256), (4, 3, 24, 24))]
    jax.block_until_ready(step(*inputs))
    with jax.profiler.trace(str(tmp_path)):
        for _ in range(3):
            jax.block_until_ready(step(*inputs))
    rows = only_profile(tmp_path).get(find_roofline).rows
    expected = step.lower(*inputs).compile().cost_analysis()["flops"]
    assert sum(row.flops for row in rows) / 3 == pytest.approx(expected, rel=0.02)


def test_annotations_as_keras_writes_them_with_jax_are_steps(tmp_path: Path) -> None:
    matrix = multiply(jax.numpy.ones((SIDE, SIDE))).block_until_ready()
    with jax.profiler.trace(str(tmp_path)):
        for batch in range(1, 5):
            with jax.profiler.TraceAnnotation(f"Profiled batch {batch}"):
                multiply(matrix).block_until_ready()
    overview = checked_overview(only_profile(tmp_path))
    assert (overview.source, numbers(overview)) == ("trace_context", [1, 2, 3, 4])


def fit(callback: Any) -> None:
    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(8, name="hidden"), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.linspace(-1, 1, 96, dtype="float32").reshape(32, 3)
    model.fit(x, x.sum(axis=1, keepdims=True), epochs=1, batch_size=4, verbose=0, callbacks=[callback])


def test_keras_profiles_the_given_batches(tmp_path: Path) -> None:
    fit(SeamarkCallback(tmp_path, profile_batch=(2, 5), write_graph=False))
    profile = only_profile(tmp_path)
    overview = checked_overview(profile)
    assert overview.source == ("profiler_step" if keras.backend.backend() == "torch" else "root")
    assert numbers(overview) == [2, 3, 4, 5]
    assert operator_names(profile)


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="Keras profiles JAX from Python 3.12 on, torch never"
)
def test_batches_that_keras_profiles_itself_are_steps(tmp_path: Path) -> None:
    fit(keras.callbacks.TensorBoard(str(tmp_path), profile_batch=(2, 5), write_graph=False))
    profile = only_profile(tmp_path)
    overview = checked_overview(profile)
    assert overview.source == "step_num"
    assert numbers(overview) == [1, 2, 3, 4], "Keras counts from 1 in profile_batch, and from 0 in the trace"
    assert operator_names(profile)


def test_tensorflow_profiles_have_their_steps_and_operators(tmp_path: Path) -> None:
    matrix = multiply_graph(tf.ones((SIDE, SIDE)))
    tf.profiler.experimental.start(str(tmp_path))
    for step in range(3, 7):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            multiply_graph(matrix)
    tf.profiler.experimental.stop()
    profile = only_profile(tmp_path)
    overview = checked_overview(profile)
    assert (overview.source, numbers(overview)) == ("root", [3, 4, 5, 6])
    assert any("MatMul" in name for name in operator_names(profile))


def test_a_block_is_profiled_with_tensorflow(tmp_path: Path) -> None:
    matrix = multiply_graph(tf.ones((SIDE, SIDE)))
    with seamark.profile(tmp_path, backend="tensorflow") as recording:
        for step in range(3):
            if step:
                recording.step()
            multiply_graph(matrix)
    profile = only_profile(tmp_path)
    assert numbers(checked_overview(profile)) == [0, 1, 2]
    assert any("MatMul" in name for name in operator_names(profile))


SERVER = """
import sys
import jax

jax.profiler.start_server(int(sys.argv[1]))
multiply = jax.jit(lambda matrix: jax.numpy.tanh(matrix @ matrix))
matrix = multiply(jax.numpy.ones((64, 64))).block_until_ready()
print("ready", flush=True)
step = 0
while True:
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        multiply(matrix).block_until_ready()
    step += 1
"""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of the profiler server of a training that goes on until the test ends."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVER, str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        yield f"localhost:{port}"
    finally:
        process.kill()
        process.wait()


def test_a_running_program_is_captured(server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["profile", "capture", server, "--logdir", str(tmp_path), "--duration_ms", "200"]) == 0
    assert capsys.readouterr().out.startswith("wrote ")
    profile = only_profile(tmp_path)
    overview = checked_overview(profile)
    found = numbers(overview)
    assert (
        overview.source == "root"
        and len(found) > 2
        and found == list(range(found[0] or 0, (found[0] or 0) + len(found)))
    )
    assert operator_names(profile)
