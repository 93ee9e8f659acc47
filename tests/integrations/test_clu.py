"""CLU's own SummaryWriter, which needs TensorFlow, and ours log the same data."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.integrations import documented, written

metric_writers = pytest.importorskip("clu.metric_writers", reason="run it with `make test-integrations`")
jax = pytest.importorskip("jax")

from seamark.integrations.clu import SeamarkWriter


def tell(writer: Any) -> None:
    rng = np.random.default_rng(0)
    for step in range(3):
        writer.write_scalars(step, {"loss": jax.numpy.float32(1 / (step + 1)), "nan": float("nan"), "é": 2})
    writer.write_images(3, {"one": rng.random((4, 5, 3)), "several": jax.numpy.zeros((4, 4, 5, 1))})
    writer.write_texts(3, {"note": "<b>text</b>"})
    writer.write_histograms(3, {"weights": jax.numpy.arange(20.0), "few": np.ones(3)}, num_buckets={"weights": 5})
    writer.write_audios(3, {"tone": (rng.random((2, 100, 1)) * 2 - 1).astype("float32")}, sample_rate=8000)
    writer.write_summaries(3, {"raw": np.arange(6.0).reshape(2, 3)})
    writer.flush()


def test_everything_is_written_as_clus_own_writer_does(tmp_path: Path) -> None:
    for name, kind in (("ours", SeamarkWriter), ("theirs", metric_writers.SummaryWriter)):
        writer = kind(str(tmp_path / name))
        tell(writer)
        writer.close()
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    written.assert_same_scalars(ours, theirs)
    assert written.kinds(ours) == written.kinds(theirs)
    for tag in ("weights", "few", "raw"):
        got, want = ([point.value for point in written.points(folder) if point.tag == tag] for folder in (ours, theirs))
        np.testing.assert_allclose(got, want, rtol=1e-6, err_msg=tag)
    assert written.texts(ours) == written.texts(theirs)


def test_hyperparameters_have_clus_names(tmp_path: Path) -> None:
    given = {"rate": 0.1, "model": {"layers": [8, 4], "name": "mlp"}, "nothing": None}
    for name, kind in (("ours", SeamarkWriter), ("theirs", metric_writers.SummaryWriter)):
        writer = kind(str(tmp_path / name))
        writer.write_hparams(given)
        writer.close()
    assert written.hparams(tmp_path / "ours") == written.hparams(tmp_path / "theirs")


def test_videos_are_written_too(tmp_path: Path) -> None:
    writer = SeamarkWriter(tmp_path)
    writer.write_videos(1, {"film": np.zeros((2, 8, 8, 3), np.uint8)})
    writer.close()
    assert written.kinds(tmp_path) == {(".", "film"): ("images", [1])}


def test_a_run_is_one_event_file(tmp_path: Path) -> None:
    writer = SeamarkWriter(tmp_path)
    writer.write_hparams({"rate": 0.1})
    writer.write_scalars(1, {"loss": 0.5})
    writer.write_videos(1, {"film": np.zeros((2, 8, 8, 3), np.uint8)})
    writer.write_hparams({"rate": 0.1})
    writer.close()
    assert len(list(tmp_path.iterdir())) == 1
    assert written.session_starts(tmp_path) == ["."]
    assert set(written.tags(tmp_path)["."]) > {"loss", "film"}


WITHOUT_TENSORFLOW = """
import sys
sys.modules["tensorflow"] = None  # as if it was not installed
from seamark.integrations.clu import SeamarkWriter, _MetricWriter
writer = SeamarkWriter("run")
writer.write_hparams({"rate": 0.1})
writer.write_scalars(1, {"loss": 0.5})
writer.close()
assert _MetricWriter.__name__ == "MetricWriter"
"""


@pytest.mark.timed
@pytest.mark.timeout(600)
def test_tensorflow_is_not_needed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_TENSORFLOW]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert written.scalars(tmp_path) == {"run": {"loss": [(1, 0.5)]}}
    assert written.hparams(tmp_path) == {"run": {"rate": 0.1}}


def test_it_is_a_metric_writer_among_others(tmp_path: Path) -> None:
    many = metric_writers.MultiWriter([SeamarkWriter(tmp_path), metric_writers.LoggingWriter()])
    many.write_scalars(1, {"loss": 0.5})
    many.close()
    later = metric_writers.AsyncWriter(SeamarkWriter(tmp_path / "later"))
    later.write_scalars(2, {"loss": 0.25})
    later.close()
    assert written.scalars(tmp_path) == {".": {"loss": [(1, 0.5)]}, "later": {"loss": [(2, 0.25)]}}


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documented.run("CLU")
    assert written.scalars(tmp_path)["runs/first"] == {"loss": [(1, 0.5)]}
