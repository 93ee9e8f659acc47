"""torch's writer, tensorboardX's and ours get the same calls; TensorBoard's reader must find the same in all three."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from tensorboard.backend.event_processing import event_file_loader
from tensorboard.compat.proto import graph_pb2
from tensorboard.plugins.hparams import plugin_data_pb2 as hparams_pb2
from tensorboard.util import tensor_util

import seamark

RANDOM = np.random.default_rng(11)
WALL = 1700000000.25
Call = Callable[[Any], object]


def torch_writer(folder: Path) -> Any:
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(folder))


def tensorboardx_writer(folder: Path) -> Any:
    from tensorboardX import SummaryWriter

    return SummaryWriter(str(folder))


PEERS = {"torch": torch_writer, "tensorboardX": tensorboardx_writer}


def events_below(folder: Path) -> dict[str, list[Any]]:
    """All events of all runs, by the run's place below the folder."""
    found: dict[str, list[Any]] = {}
    for path in sorted(folder.rglob("*tfevents*")):
        run = path.parent.relative_to(folder).as_posix()
        events = list(event_file_loader.EventFileLoader(str(path)).Load())
        found.setdefault(run, []).extend(event for event in events if not event.file_version)
    return found


def written(make: Callable[[Path], Any], folder: Path, call: Call) -> dict[str, list[Any]]:
    writer = make(folder)
    call(writer)
    writer.close()
    return events_below(folder)


def both(tmp_path: Path, peer: str, call: Call) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    theirs = written(PEERS[peer], tmp_path / "theirs", call)
    return written(seamark.SummaryWriter, tmp_path / "ours", call), theirs


def assert_alike(ours: dict[str, list[Any]], theirs: dict[str, list[Any]], *, clock: bool = True) -> None:
    assert ours.keys() == theirs.keys()
    for run in ours:
        assert len(ours[run]) == len(theirs[run])
        for one, other in zip(ours[run], theirs[run], strict=True):
            assert one.step == other.step
            assert not clock or one.wall_time == other.wall_time
            assert len(one.summary.value) == len(other.summary.value)
            for mine, want in zip(one.summary.value, other.summary.value, strict=True):
                assert_same_value(mine, want)


def assert_same_value(ours: Any, theirs: Any) -> None:
    assert ours.tag == theirs.tag
    plugin = theirs.metadata.plugin_data.plugin_name
    assert ours.metadata.plugin_data.plugin_name == plugin
    assert ours.metadata.display_name == theirs.metadata.display_name
    assert ours.metadata.summary_description == theirs.metadata.summary_description
    assert ours.metadata.data_class == theirs.metadata.data_class
    if plugin != "hparams":  # which has no values, only metadata
        assert ours.metadata.plugin_data.content == theirs.metadata.plugin_data.content
        assert_same_array(plugin, tensor_util.make_ndarray(ours.tensor), tensor_util.make_ndarray(theirs.tensor))


def assert_same_array(plugin: str, ours: Any, theirs: Any) -> None:
    assert ours.shape == theirs.shape
    if plugin == "images":
        assert ours[:2].tolist() == theirs[:2].tolist()
        for mine, want in zip(ours[2:], theirs[2:], strict=True):
            np.testing.assert_array_equal(pixels(mine), pixels(want))
    elif ours.dtype == object:
        assert ours.tolist() == theirs.tolist()
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def pixels(encoded: bytes) -> Any:
    return np.asarray(Image.open(io.BytesIO(encoded)))


def scores(count: int = 100) -> tuple[Any, Any]:
    generator = np.random.default_rng(1)
    return generator.integers(2, size=count), generator.random(count)


def floats(*shape: int) -> Any:
    return np.random.default_rng(shape).random(shape)


def bytes_(*shape: int) -> Any:
    return np.random.default_rng(shape).integers(0, 256, shape).astype(np.uint8)


CASES: dict[str, Call] = {
    "scalar": lambda w: w.add_scalar("a/b", 0.1, 3, WALL),
    "scalar without step": lambda w: w.add_scalar("a", 2, walltime=WALL),
    "scalar beyond float32": lambda w: [w.add_scalar("a", v, 1, WALL) for v in (1e300, float("nan"), -float("inf"))],
    "scalar from numpy": lambda w: [
        w.add_scalar("a", v, 1, WALL) for v in (np.float32(0.5), np.array([2]), np.array([[3.0]]), np.bool_(True))
    ],
    "scalar from torch": lambda w: [
        w.add_scalar("a", torch.tensor(0.1, requires_grad=True), 1, WALL),
        w.add_scalar("a", torch.tensor([7]), 2, WALL),
        w.add_scalar("a", torch.tensor(0.5, dtype=torch.bfloat16), 3, WALL),
    ],
    "scalar with steps of other types": lambda w: [
        w.add_scalar("a", 1, step, WALL) for step in (np.int64(4), 5.0, torch.tensor(6), -1, 2**40, True)
    ],
    "scalars": lambda w: w.add_scalars("main/tag", {"x": 0.5, "y": np.float32(2)}, 4, WALL),
    "histogram of normal numbers": lambda w: w.add_histogram("h", RANDOM_NORMAL, 3, walltime=WALL),
    "histogram of float32": lambda w: w.add_histogram("h", torch.tensor(RANDOM_NORMAL).float(), 3, walltime=WALL),
    "histogram of ints": lambda w: w.add_histogram("h", np.arange(-50, 50).reshape(10, 10), 1, walltime=WALL),
    "histogram of one value": lambda w: w.add_histogram("h", np.full(5, 2.5), walltime=WALL),
    "histogram of zeros": lambda w: w.add_histogram("h", np.zeros(7), walltime=WALL),
    "histogram with bins": lambda w: [
        w.add_histogram("h", RANDOM_NORMAL, 1, bins, WALL) for bins in (10, "auto", "fd", [-1, 0, 0.5, 1])
    ],
    "histogram with max_bins": lambda w: [
        w.add_histogram("h", RANDOM_NORMAL, 1, walltime=WALL, max_bins=max_bins) for max_bins in (5, 100, 10_000)
    ],
    "histogram beyond the edges": lambda w: w.add_histogram("h", np.array([-1e30, 1.0, 1e19, 1e30]), walltime=WALL),
    "histogram raw": lambda w: w.add_histogram_raw("h", 0, 2, 5, 6, 10, [0.5, 1, 2], [1, 3, 1], 7, WALL),
    "image": lambda w: w.add_image("i", floats(3, 5, 7), 2, WALL),
    "image of bytes": lambda w: w.add_image("i", bytes_(3, 5, 7), 2, WALL),
    "image of one channel": lambda w: w.add_image("i", torch.tensor(floats(1, 5, 7)), 2, WALL),
    "image HWC": lambda w: w.add_image("i", floats(5, 7, 3), 2, WALL, dataformats="HWC"),
    "image hw": lambda w: w.add_image("i", bytes_(5, 7), 2, WALL, dataformats="hw"),
    "image WH": lambda w: w.add_image("i", floats(5, 7), 2, WALL, dataformats="WH"),
    "image RGBA": lambda w: w.add_image("i", floats(4, 5, 7), 2, WALL),
    "image out of range": lambda w: w.add_image("i", floats(3, 5, 7) * 4 - 2, 2, WALL),
    "image of bool": lambda w: w.add_image("i", floats(3, 5, 7) > 0.5, 2, WALL),
    "images": lambda w: [w.add_images("i", floats(n, 3, 4, 6), n, WALL) for n in (1, 2, 8, 11)],
    "images NHWC of one channel": lambda w: w.add_images("i", bytes_(9, 4, 6, 1), 1, WALL, dataformats="NHWC"),
    "image with boxes": lambda w: w.add_image_with_boxes(
        "b", floats(3, 60, 80), np.array([[5, 5, 30.5, 40], [20, 10, 70, 50]]), 1, WALL
    ),
    "image with labelled boxes": lambda w: w.add_image_with_boxes(
        "b", torch.tensor(bytes_(3, 60, 80)), torch.tensor([[5.0, 5, 60, 40]]), 1, WALL, labels=["cat"]
    ),
    "text": lambda w: w.add_text("t", "**bold** & <script>", 4, WALL),
    "text with umlauts": lambda w: w.add_text("größe", "naïve 🚀", 4, WALL),
    "pr curve": lambda w: w.add_pr_curve("p", *scores(), 3, walltime=WALL),
    "pr curve with weights": lambda w: w.add_pr_curve("p", *scores(), 3, 50, floats(100), WALL),
    "pr curve raw": lambda w: w.add_pr_curve_raw("p", *(floats(6, 127) * 10), 3, walltime=WALL),
    "mesh": lambda w: w.add_mesh(
        "m",
        torch.tensor(floats(1, 4, 3)),
        colors=torch.tensor([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [1, 2, 3]]]),
        faces=torch.tensor([[[0, 2, 3], [0, 3, 1]]]),
        config_dict={"material": {"cls": "PointsMaterial"}},
        global_step=2,
        walltime=WALL,
    ),
    "mesh of points alone": lambda w: w.add_mesh("m", torch.tensor(floats(2, 4, 3)), global_step=2, walltime=WALL),
}
RANDOM_NORMAL = RANDOM.normal(size=1000)
CLOCKLESS: dict[str, Call] = {
    "custom scalars": lambda w: w.add_custom_scalars(
        {"one": {"a": ["Multiline", ["x", "y"]], "b": ["Margin", ["v", "lo", "hi"]]}, "two": {"c": ["Multiline", []]}}
    ),
    "multiline": lambda w: w.add_custom_scalars_multilinechart(["x", "y"]),
    "margin": lambda w: w.add_custom_scalars_marginchart(["x", "y", "z"], category="c", title="t"),
}


# Where the two peers part, ours follows torch's.
TENSORBOARDX_ALONE = {
    "scalars": "the runs are main/tag/x, not main_tag_x",
    "scalar from torch": "bfloat16 is refused",
    "image out of range": "what is too bright wraps around to dark",
    "mesh": "the parts are called m_1, m_2, m_3",
    "mesh of points alone": "the parts are called m_1, m_2, m_3",
}


@pytest.mark.parametrize(
    "name, peer",
    [(name, peer) for name in CASES for peer in PEERS if peer == "torch" or name not in TENSORBOARDX_ALONE],
)
def test_the_same_call_is_the_same_event(name: str, peer: str, tmp_path: Path, read_equal: Any) -> None:
    assert_alike(*both(tmp_path, peer, CASES[name]))
    assert read_equal(tmp_path / "ours")


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", CLOCKLESS)
def test_layouts(name: str, peer: str, tmp_path: Path, read_equal: Any) -> None:
    assert_alike(*both(tmp_path, peer, CLOCKLESS[name]), clock=False)
    assert read_equal(tmp_path / "ours") == {"custom_scalars"}


@pytest.mark.parametrize("samples", [floats(500) * 2 - 1, torch.tensor(floats(1, 500)), floats(500, 1) * 3 - 1.5])
def test_audio_is_torchs_byte_for_byte(samples: Any, tmp_path: Path, read_equal: Any) -> None:
    call: Call = lambda w: w.add_audio("a", samples, 3, sample_rate=8000, walltime=WALL)  # noqa: E731
    assert_alike(*both(tmp_path, "torch", call))
    assert read_equal(tmp_path / "ours") == {"audio"}


@pytest.mark.parametrize(
    "styles", [{"new_style": True}, {"new_style": True, "double_precision": True}, {"double_precision": True}]
)
def test_scalars_in_torchs_new_style(styles: Any, tmp_path: Path, read_equal: Any) -> None:
    assert_alike(*both(tmp_path, "torch", lambda w: w.add_scalar("a", 0.1, 3, WALL, **styles)))
    assert read_equal(tmp_path / "ours") == {"scalars"}


def test_scalars_with_a_name_and_a_description_as_in_tensorboardx(tmp_path: Path) -> None:
    described = {"display_name": "shown", "summary_description": "*why*"}
    assert_alike(*both(tmp_path, "tensorboardX", lambda w: w.add_scalar("a", 0.5, 3, WALL, **described)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "int16", "int32", "int64", "bool", "complex64"])
def test_tensors_of_every_dtype(dtype: str, tmp_path: Path, read_equal: Any) -> None:
    tensor = torch.tensor([[0, 1, 2], [3, 4, 5]]).to(getattr(torch, dtype))
    ours, theirs = both(tmp_path, "torch", lambda w: w.add_tensor("t", tensor, 3, WALL))
    assert_alike(ours, theirs)
    assert ours["."][0].summary.value[0].tensor.dtype == theirs["."][0].summary.value[0].tensor.dtype
    assert read_equal(tmp_path / "ours")


@pytest.mark.parametrize("dtype", ["float16", "uint8"])
def test_tensors_that_torchs_own_writer_garbles(dtype: str, tmp_path: Path) -> None:
    """It puts the bits of a float32 into the field of halves, and bytes where TensorBoard's reader finds none."""
    tensor = torch.tensor([0.5, 2]).to(getattr(torch, dtype))
    ours = written(seamark.SummaryWriter, tmp_path, lambda w: w.add_tensor("t", tensor))
    array = tensor_util.make_ndarray(ours["."][0].summary.value[0].tensor)
    assert (array.dtype, array.tolist()) == (np.dtype(dtype), tensor.tolist())


@pytest.mark.parametrize("peer", PEERS)
def test_hparams_are_a_run_below(peer: str, tmp_path: Path, read_equal: Any) -> None:
    name = {"torch": "run_name", "tensorboardX": "name"}[peer]
    call: Call = lambda w: w.add_hparams(  # noqa: E731
        {"lr": 0.1, "layers": 3, "optimizer": "adam", "tensor": torch.tensor([2.0])},
        {"accuracy": 0.5, "loss": np.float32(1)},
        **{name: "trial"},
        global_step=5,
    )
    ours, theirs = both(tmp_path, peer, call)
    if peer == "tensorboardX":  # which gives the step to the metrics alone
        for event in ours["trial"][:3]:
            event.step = 0
    assert_alike(ours, theirs, clock=False)
    for one, other in zip(ours["trial"][:3], theirs["trial"][:3], strict=True):
        parse = hparams_pb2.HParamsPluginData.FromString
        mine, want = (parse(event.summary.value[0].metadata.plugin_data.content) for event in (one, other))
        if peer == "torch":
            assert mine == want
        else:  # tensorboardX leaves out the types of hyperparameters, and tensors among them
            assert mine.WhichOneof("data") == want.WhichOneof("data")
            known = dict(mine.session_start_info.hparams)
            assert {**known, **want.session_start_info.hparams} == known
    assert read_equal(tmp_path / "ours") == {"hparams", "scalars"}


def test_discrete_domains_of_hparams(tmp_path: Path) -> None:
    call: Call = lambda w: w.add_hparams({"o": "a", "n": 1}, {"m": 1}, {"o": ["a", "b"], "n": [1, 2]}, "r")  # noqa: E731
    ours, theirs = both(tmp_path, "torch", call)
    contents = [events["r"][0].summary.value[0].metadata.plugin_data.content for events in (ours, theirs)]
    mine, want = map(hparams_pb2.HParamsPluginData.FromString, contents)
    assert mine == want


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Dropout(0.5))
        self.head = torch.nn.Linear(4 * 6 * 6, 10)
        self.scale = torch.nn.Parameter(torch.ones(10))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.body(x).flatten(1)
        return self.head(seen) * self.scale, seen.mean(dim=1)


@pytest.mark.parametrize(
    "model, example",
    [
        (Net(), torch.zeros(2, 1, 8, 8)),
        (torch.nn.Linear(3, 2), torch.zeros(1, 3)),
        (torch.nn.LSTM(3, 4, num_layers=2), torch.zeros(5, 1, 3)),
        (torch.nn.Transformer(8, 2, 1, 1, 16), (torch.zeros(2, 1, 8), torch.zeros(2, 1, 8))),
    ],
    ids=["net", "linear", "lstm", "transformer"],
)
def test_traced_graphs_of_torch_modules(
    model: Any, example: Any, tmp_path: Path, read_equal: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where torch.export cannot export a module, the graph is the one of torch's writer."""

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("cannot be exported")

    monkeypatch.setattr(torch.export, "export", fail)
    was_training = model.training
    ours, theirs = both(tmp_path, "torch", lambda w: w.add_graph(model, example))
    assert model.training == was_training
    mine, want = (graph_of(events["."]) for events in (ours, theirs))
    assert mine.versions == want.versions
    assert {node.name: node for node in mine.node} == {node.name: node for node in want.node}
    assert read_equal(tmp_path / "ours") == {"graphs", "graph_tagged_run_metadata"}


def test_tensorboard_reads_exported_graphs(tmp_path: Path, read_equal: Any) -> None:
    ours, theirs = both(tmp_path, "torch", lambda w: w.add_graph(Net(), torch.zeros(2, 1, 8, 8)))
    mine, want = (graph_of(events["."]) for events in (ours, theirs))
    assert mine.versions == want.versions
    (linear,) = [node for node in mine.node if node.op == "aten.linear.default"]
    assert linear.name == "Net/Linear[head]/linear"
    assert linear.attr["_output_shapes"] == next(
        node.attr["_output_shapes"] for node in want.node if node.op == "aten::linear"
    )
    assert read_equal(tmp_path / "ours") == {"graphs", "graph_tagged_run_metadata"}


def graph_of(events: list[Any]) -> Any:
    (blob,) = (
        tensor_util.make_ndarray(value.tensor).item()
        for event in events
        for value in event.summary.value
        if value.metadata.plugin_data.plugin_name == "graphs"
    )
    graph = graph_pb2.GraphDef.FromString(blob)
    return graph


@pytest.mark.parametrize("peer", PEERS)
def test_embeddings_are_the_same_files(peer: str, tmp_path: Path) -> None:
    def call(writer: Any) -> None:
        writer.add_embedding(torch.tensor(floats(5, 3)).float(), metadata=["a", "b", "c", "d", 5], tag="first/one")
        writer.add_embedding(floats(3, 2), label_img=torch.tensor(floats(3, 3, 4, 4)), global_step=7)
        rows = [["x", 1], ["y", 2]]
        writer.add_embedding(floats(2, 2), metadata=rows, metadata_header=["name", "n"], global_step=8)

    both(tmp_path, peer, call)
    ours, theirs = (files_below(tmp_path / name) for name in ("ours", "theirs"))
    assert ours.keys() == theirs.keys()
    for name, content in ours.items():
        if name.endswith(".png"):
            np.testing.assert_array_equal(pixels(content), pixels(theirs[name]))
        elif name.endswith(".pbtxt"):
            assert config_of(content) == config_of(theirs[name])
        else:
            assert content == theirs[name]


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "tfevents" not in path.name
    }


def config_of(content: bytes) -> Any:
    from google.protobuf import text_format
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    return text_format.Parse(content.decode(), ProjectorConfig())


def test_figures(tmp_path: Path, read_equal: Any) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")

    def figure() -> Any:
        made, axes = pyplot.subplots(figsize=(2, 1))
        axes.plot([1, 2, 3])
        return made

    def call(writer: Any) -> None:
        writer.add_figure("one", figure(), 1, walltime=WALL)
        writer.add_figure("two", [figure(), figure()], 2, walltime=WALL)

    assert_alike(*both(tmp_path, "torch", call))
    assert pyplot.get_fignums() == []
    assert read_equal(tmp_path / "ours") == {"images"}


def test_onnx_graphs(tmp_path: Path, read_equal: Any) -> None:
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 2]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("LeakyRelu", ["x"], ["y"], alpha=0.5)], "g", ends[:1], ends[1:])
    path = str(tmp_path / "model.onnx")
    onnx.save(helper.make_model(graph), path)
    ours, theirs = both(tmp_path, "torch", lambda w: w.add_onnx_graph(path))
    assert graph_of(ours["."]) == graph_of(theirs["."])
    assert read_equal(tmp_path / "ours") == {"graphs"}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 16])
def test_videos_of_a_batch_are_put_together_as_torch_does(count: int) -> None:
    """The frames, before they are encoded: torch's writer needs a moviepy that is long gone for that."""
    from torch.utils.tensorboard._utils import _prepare_video

    from seamark.write.encode.video import to_frames

    clips = bytes_(count, 2, 3, 4, 5)
    theirs = (_prepare_video(clips) * 255).round().astype(np.uint8)
    np.testing.assert_array_equal(to_frames(clips.transpose(0, 1, 3, 4, 2)), theirs)


def test_purged_steps(tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    raw = {}
    for name, make in (("ours", seamark.SummaryWriter), ("theirs", SummaryWriter)):
        make(str(tmp_path / name), purge_step=7).close()
        (path,) = (tmp_path / name).iterdir()
        events = list(event_file_loader.RawEventFileLoader(str(path)).Load())
        parsed = [event_file_loader.event_pb2.Event.FromString(event) for event in events]
        raw[name] = [(event.step, event.file_version, event.session_log.status) for event in parsed]
    assert raw["ours"] == raw["theirs"] == [(0, "brain.Event:2", 0), (7, "brain.Event:2", 0), (7, "", 1)]
