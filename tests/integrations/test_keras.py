"""Keras's own TensorBoard callback and ours beside each other in one fit, on the backend that KERAS_BACKEND names."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.integrations import documented, imported, written

keras = pytest.importorskip("keras", reason="run it with `make test-integrations`")

from seamark import summary
from seamark.integrations import autolog
from seamark.integrations.keras import SeamarkCallback
from seamark.integrations.keras_profile import batch_range

# Whatever differs between two stop watches.
OF_CLOCK = ("steps_per_second",)


def data() -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(-1, 1, 48, dtype="float32").reshape(16, 3)
    return x, x.sum(axis=1, keepdims=True)


def compiled(*layers: Any) -> Any:
    keras.utils.set_random_seed(0)
    model = keras.Sequential(
        layers or [keras.Input((3,)), keras.layers.Dense(2, name="hidden"), keras.layers.Dense(1, name="out")]
    )
    model.compile("sgd", "mse", metrics=["mae"])
    return model


def fit(model: Any, *callbacks: Any, **options: Any) -> None:
    x, y = data()
    model.fit(x, y, epochs=2, batch_size=4, validation_data=(x, y), verbose=0, callbacks=list(callbacks), **options)


def beside(folder: Path, model: Any = None, **options: Any) -> tuple[Path, Path]:
    """Both callbacks with the same arguments in the same fit, so that both see the same numbers."""
    pytest.importorskip("tensorflow", reason="Keras's own callback needs TensorFlow on every backend")
    ours, theirs = folder / "ours", folder / "theirs"
    fit(model or compiled(), SeamarkCallback(ours, **options), keras.callbacks.TensorBoard(str(theirs), **options))
    return ours, theirs


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"update_freq": "batch"},
        {"update_freq": 2},
        {"update_freq": 1, "write_steps_per_second": True},
        {"write_steps_per_second": True},
    ],
)
def test_curves_are_those_of_the_tensorboard_callback(tmp_path: Path, options: dict[str, Any]) -> None:
    ours, theirs = beside(tmp_path, write_graph=False, **options)
    written.assert_same_scalars(ours, theirs, of_clock=OF_CLOCK)
    assert set(written.scalars(ours)) == {"train", "validation"}
    assert {"epoch_loss", "epoch_mae", "epoch_learning_rate"} <= set(written.scalars(ours)["train"])
    assert {"epoch_loss", "evaluation_loss_vs_iterations"} <= set(written.scalars(ours)["validation"])


def test_an_epoch_that_ends_between_two_recorded_batches_is_not_lost(tmp_path: Path) -> None:
    # Keras's own callback leaves out the epoch's values when its last batch is none of every third.
    ours, theirs = beside(tmp_path, write_graph=False, update_freq=3)
    got, want = written.scalars(ours), written.scalars(theirs)
    for run, series in want.items():
        assert all(got[run][tag] == points for tag, points in series.items())
    assert [step for step, _ in got["train"]["batch_loss"]] == [3, 6]
    assert [step for step, _ in got["train"]["epoch_loss"]] == [0, 1]


def test_weights_are_the_same_histograms_and_images(tmp_path: Path) -> None:
    shapes = [
        keras.Input((8, 8, 1)),
        keras.layers.Conv2D(2, 3, name="conv"),
        keras.layers.Flatten(),
        keras.layers.Dense(3, name="out"),
    ]
    model = compiled(*shapes)
    pytest.importorskip("tensorflow")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    options = {"histogram_freq": 1, "write_images": True, "write_graph": False}
    both = [SeamarkCallback(ours, **options), keras.callbacks.TensorBoard(str(theirs), **options)]
    model.fit(np.ones((4, 8, 8, 1)), np.ones((4, 3)), epochs=2, verbose=0, callbacks=both)
    assert written.kinds(ours) == written.kinds(theirs)
    wanted = {
        (point.tag, point.step): point.value
        for point in written.points(theirs)
        if point.plugin in ("histograms", "images")
    }
    found = {
        (point.tag, point.step): point.value
        for point in written.points(ours)
        if point.plugin in ("histograms", "images")
    }
    assert wanted.keys() == found.keys()
    for key, value in wanted.items():
        if key[0].endswith("histogram"):
            np.testing.assert_allclose(found[key], value, rtol=1e-5, atol=1e-6, err_msg=str(key))
        else:
            assert [pixels(one) for one in found[key][2:]] == [pixels(one) for one in value[2:]], key


def pixels(png: bytes) -> list[Any]:
    import io

    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png))).tolist()


def test_the_graph_of_layers_is_the_same(tmp_path: Path) -> None:
    ours, theirs = beside(tmp_path)
    models = []
    for folder in (ours, theirs):
        (point,) = [point for point in written.points(folder) if point.plugin == "graph_keras_model"]
        models.append((point.run, point.tag, point.step, json.loads(np.asarray(point.value).item())))
    assert models[0] == models[1]
    assert written.graph_runs(ours) == written.graph_runs(theirs)


def test_tensorflow_is_not_loaded_for_another_backend(tmp_path: Path) -> None:
    import subprocess

    program = f"""
import sys, keras, numpy as np
from seamark.integrations.keras import SeamarkCallback
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((4, 3)), np.ones((4, 1)), verbose=0, callbacks=[SeamarkCallback({str(tmp_path)!r}, histogram_freq=1, update_freq=1)])
print(any(name.split(".")[0] == "tensorboard" for name in sys.modules), "tensorflow.python" in sys.modules)
"""
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=dict(os.environ)
    ).stdout
    if keras.backend.backend() == "torch":
        assert output.split()[0] == "False"
    assert "epoch_loss" in written.scalars(tmp_path)["train"]


def test_evaluating_alone_writes_the_validation_run(tmp_path: Path) -> None:
    model = compiled()
    fit(model)
    x, y = data()
    model.evaluate(x, y, verbose=0, callbacks=[SeamarkCallback(tmp_path, write_graph=False)])
    assert written.scalars(tmp_path)["validation"]["evaluation_loss_vs_iterations"][0][0] == 8


def test_what_the_model_logs_itself_goes_to_the_run_of_the_phase(tmp_path: Path) -> None:
    class Logging(keras.callbacks.Callback):
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            summary.scalar("mine", 1.0)

        def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
            summary.scalar("mine", 2.0)

    fit(compiled(), SeamarkCallback(tmp_path, update_freq=2, write_graph=False), Logging())
    series = written.scalars(tmp_path)
    assert series["train"]["mine"] == [(2, 1.0), (4, 1.0), (6, 1.0), (8, 1.0)]
    assert series["validation"]["mine"] == [(2, 2.0), (4, 2.0), (6, 2.0), (8, 2.0)]
    # Afterwards nothing is a default writer any more.
    assert summary.scalar("late", 1.0, step=0) is False


def test_embeddings_are_written_as_the_projector_reads_them(tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_text("zero\none\ntwo\nthree\n", encoding="utf-8")
    model = compiled(
        keras.Input((2,), dtype="int32"),
        keras.layers.Embedding(4, 3, name="words"),
        keras.layers.Flatten(),
        keras.layers.Dense(1),
    )
    ours = SeamarkCallback(tmp_path, embeddings_freq=1, embeddings_metadata={"words": "words.tsv"})
    model.fit(np.zeros((4, 2), "int32"), np.zeros((4, 1)), epochs=1, verbose=0, callbacks=[ours])
    config = (tmp_path / "train" / "projector_config.pbtxt").read_text()
    assert 'tensor_name: "words:' in config
    (vectors,) = (tmp_path / "train").rglob("tensors.tsv")
    assert len(vectors.read_text().splitlines()) == 4
    with pytest.raises(ValueError, match="got \\['sentences'\\], want some of \\['words'\\]"):
        SeamarkCallback(tmp_path, embeddings_freq=1, embeddings_metadata={"sentences": "x"}).set_model(model)


@pytest.mark.filterwarnings("ignore:.*profil.*")
def test_some_batches_are_profiled(tmp_path: Path) -> None:
    fit(compiled(), SeamarkCallback(tmp_path, profile_batch=(2, 3), write_graph=False))
    assert [
        path
        for path in (tmp_path / "train").rglob("*")
        if "trace" in path.name or path.suffix in (".pb", ".json", ".gz")
    ]
    assert "epoch_loss" in written.scalars(tmp_path)["train"]


@pytest.mark.parametrize(
    ("given", "want"), [(0, (0, 0)), (2, (2, 2)), ("3", (3, 3)), ("2,5", (2, 5)), ((1, 4), (1, 4))]
)
def test_batches_to_profile_are_given_in_all_ways_of_keras(given: Any, want: tuple[int, int]) -> None:
    assert batch_range(given) == want


@pytest.mark.parametrize("given", [-1, "x", (5, 2), (1, 2, 3), None])
def test_batches_that_make_no_sense_are_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="profile_batch must be"):
        batch_range(given)


def test_a_loss_that_is_not_a_number_is_logged_as_such(tmp_path: Path) -> None:
    x, y = data()
    compiled().fit(x * np.nan, y, verbose=0, callbacks=[SeamarkCallback(tmp_path)])
    assert np.isnan(written.scalars(tmp_path)["train"]["epoch_loss"][0][1])


def test_autolog_logs_each_fit_once(tmp_path: Path) -> None:
    autolog.autolog(tmp_path / "auto", only=["keras"])
    try:
        fit(compiled())
        fit(compiled(), SeamarkCallback(tmp_path / "mine"))
    finally:
        autolog.autolog(disable=True)
    fit(compiled())
    runs = written.scalars(tmp_path / "auto")
    assert sorted(run.split("/")[1] for run in runs) == ["train", "validation"]
    assert "fit" not in vars(keras.Model)


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("keras", "import keras", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    x, y = data()
    documented.run("Keras", model=compiled(), x=x, y=y)
    assert len(written.scalars(tmp_path)["runs/first/validation"]["epoch_loss"]) == 2
