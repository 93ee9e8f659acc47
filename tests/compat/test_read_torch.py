"""Files from torch's SummaryWriter and from tensorboardX are read equal to TensorBoard's own reader."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.kinds.projector import config as projector

ReadEqual = Callable[[Path], set[str]]
RANDOM = np.random.default_rng(11)


@pytest.fixture(params=["torch.utils.tensorboard", "tensorboardX"])
def writer(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    module = pytest.importorskip(request.param)
    writer = module.SummaryWriter(str(tmp_path))
    yield writer
    writer.close()


def check(writer: Any, read_equal: ReadEqual, *kinds: str) -> None:
    folder = Path(writer.logdir if hasattr(writer, "logdir") else writer.log_dir)
    writer.close()
    assert read_equal(folder) == set(kinds)


def test_scalars(writer: Any, read_equal: ReadEqual) -> None:
    for step, number in enumerate([0.1, -3, np.nan, np.inf, 1e30]):
        writer.add_scalar("one", number, step)
        writer.add_scalars("group", {"a": number, "b": 2 * number}, step)
    check(writer, read_equal, "scalars")


def test_scalars_and_tensors_in_the_style_only_torch_has(tmp_path: Path, read_equal: ReadEqual) -> None:
    torch = pytest.importorskip("torch")
    writer = importlib.import_module("torch.utils.tensorboard").SummaryWriter(str(tmp_path))
    for step in range(3):
        writer.add_scalar("float", 0.1 * step, step, new_style=True)
        writer.add_scalar("double", np.float64(0.1 * step), step, new_style=True, double_precision=True)
        writer.add_tensor("tensor", torch.rand(2, 3), step)
    check(writer, read_equal, "scalars", "tensor")


@pytest.mark.parametrize("bins", ["tensorflow", "auto", 5])
def test_histograms(writer: Any, read_equal: ReadEqual, bins: Any) -> None:
    writer.add_histogram("normal", RANDOM.normal(size=1000), 1, bins=bins)
    writer.add_histogram("constant", np.full(10, 3.5), 2, bins=bins)
    writer.add_histogram("zero", np.zeros(10), 3, bins=bins)
    writer.add_histogram("wide", np.array([-1e30, 0, 1e30]), 4, bins=bins)
    check(writer, read_equal, "histograms")


def test_raw_histograms(writer: Any, read_equal: ReadEqual) -> None:
    writer.add_histogram_raw(
        "raw",
        min=0.5,
        max=2.5,
        num=3,
        sum=4.5,
        sum_squares=8.75,
        bucket_limits=[1.0, 2.0, 3.0],
        bucket_counts=[1, 1, 1],
    )
    check(writer, read_equal, "histograms")


def test_images(writer: Any, read_equal: ReadEqual) -> None:
    writer.add_image("chw", RANDOM.random((3, 5, 7)), 1)
    writer.add_image("hw", RANDOM.integers(0, 255, (5, 7)).astype(np.uint8), 2, dataformats="HW")
    boxes = np.array([[1, 1, 3, 3]])
    writer.add_image_with_boxes("boxes", RANDOM.random((3, 8, 8)), boxes, 2)
    writer.add_images("batch", RANDOM.random((4, 3, 5, 7)), 3)
    check(writer, read_equal, "images")


def test_audio(writer: Any, read_equal: ReadEqual) -> None:
    torch = pytest.importorskip("torch")
    shape = (1, -1)
    if "tensorboardX" in type(writer).__module__:
        pytest.importorskip("soundfile", reason="tensorboardX encodes audio with soundfile")
        shape = (-1, 1)
    writer.add_audio("sine", torch.sin(torch.linspace(0, 20, 500)).reshape(shape), 1, sample_rate=8000)
    check(writer, read_equal, "audio")


def test_text(writer: Any, read_equal: ReadEqual) -> None:
    writer.add_text("notes", "**bold** ü", 1)
    writer.add_text("notes", "", 2)
    check(writer, read_equal, "text")


def test_pr_curves(writer: Any, read_equal: ReadEqual) -> None:
    labels, predictions = RANDOM.integers(0, 2, 100), RANDOM.random(100).astype(np.float32)
    writer.add_pr_curve("curve", labels, predictions, 1)
    writer.add_pr_curve("weighted", labels, predictions, 2, num_thresholds=11, weights=RANDOM.random(100))
    counts = np.arange(5)
    writer.add_pr_curve_raw("raw", counts, counts, counts, counts, counts / 5, counts / 5, 3, num_thresholds=5)
    check(writer, read_equal, "pr_curves")


def test_meshes(writer: Any, read_equal: ReadEqual) -> None:
    torch = pytest.importorskip("torch")
    vertices = torch.rand(1, 6, 3)
    colors, faces = torch.randint(0, 255, (1, 6, 3)), torch.randint(0, 6, (1, 4, 3))
    writer.add_mesh("full", vertices, colors=colors, faces=faces, config_dict={"lights": []}, global_step=1)
    writer.add_mesh("cloud", vertices, global_step=2)
    check(writer, read_equal, "mesh")


def test_custom_scalars(writer: Any, read_equal: ReadEqual) -> None:
    writer.add_custom_scalars({"all": {"lines": ["Multiline", ["a", "b"]], "band": ["Margin", ["v", "l", "u"]]}})
    check(writer, read_equal, "custom_scalars")


def test_hparams(writer: Any, read_equal: ReadEqual) -> None:
    hparams = {"lr": 0.1, "bsize": 3, "opt": "adam", "flag": True}
    writer.add_hparams(hparams, {"hparam/accuracy": 0.5, "hparam/loss": 2.0})
    check(writer, read_equal, "hparams", "scalars")


def test_graphs(writer: Any, read_equal: ReadEqual) -> None:
    torch = pytest.importorskip("torch")
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
    writer.add_graph(model, torch.zeros(1, 4))
    check(writer, read_equal, "graphs", "graph_tagged_run_metadata")


def test_embeddings(writer: Any) -> None:
    torch = pytest.importorskip("torch")
    from google.protobuf import text_format
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    folder = Path(writer.logdir if hasattr(writer, "logdir") else writer.log_dir)
    writer.add_embedding(torch.rand(4, 3), metadata=list("abcd"), label_img=torch.rand(4, 3, 2, 2), global_step=5)
    writer.add_embedding(torch.rand(4, 3), tag="more")
    writer.close()
    data = (folder / projector.FILE_NAME).read_bytes()
    ours, theirs = projector.decode(data), text_format.Parse(data, ProjectorConfig())
    assert len(ours.embeddings) == 2
    assert text_format.Parse(projector.encode(ours), ProjectorConfig()) == theirs
    for embedding in ours.embeddings:
        assert projector.assets_inside(folder, embedding.tensor_path)
        assert (folder / embedding.tensor_path).is_file()
