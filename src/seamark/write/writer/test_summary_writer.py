"""What is the SummaryWriter's own: where it writes, what it takes, and what it refuses. The likeness with torch's
and tensorboardX's is in tests/compat."""

from __future__ import annotations

import inspect
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import seamark
from seamark.kinds import audio, custom_scalars, histogram, image, mesh
from seamark.write.encode.arrays import as_array, as_copy, as_number
from seamark.write.test_support import events_in, logged_warnings, values_in


@pytest.fixture
def writer(tmp_path: Path) -> seamark.SummaryWriter:
    return seamark.SummaryWriter(tmp_path / "run")


# Where


def test_the_default_folder_is_named_as_torch_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with seamark.SummaryWriter(comment="_lr0.1") as writer:
        assert re.fullmatch(r"runs/[A-Z][a-z]{2}\d\d_\d\d-\d\d-\d\d_.+_lr0\.1", writer.log_dir)
        assert writer.get_logdir() == writer.log_dir
    assert list((tmp_path / writer.log_dir).glob("events.out.tfevents.*"))


def test_tensorboardx_names_of_arguments(tmp_path: Path) -> None:
    seamark.SummaryWriter(logdir=tmp_path / "a", filename_suffix=".me", comet_config={"disabled": True}).close()
    (path,) = (tmp_path / "a").iterdir()
    assert path.suffix == ".me"
    silent = seamark.SummaryWriter(tmp_path / "b", write_to_disk=False)
    silent.add_scalar("s", 1)
    silent.close()
    assert not (tmp_path / "b").exists()


def test_the_file_names_its_writer(writer: seamark.SummaryWriter) -> None:
    writer.close()
    (path,) = Path(writer.log_dir).iterdir()
    assert f"seamark {seamark.__version__}".encode() in path.read_bytes()


@pytest.mark.parametrize("peer", ["torch.utils.tensorboard", "tensorboardX"])
def test_every_argument_of_torch_and_tensorboardx_is_accepted(peer: str) -> None:
    theirs = pytest.importorskip(peer).SummaryWriter
    # Of tensorboardX, what needs OpenVINO is left out.
    left_out = {"add_openvino_graph"}
    methods = {name for name in dir(theirs) if not name.startswith("_") and callable(getattr(theirs, name))}
    for name in [*sorted(methods - left_out), "__init__"]:
        mine = inspect.signature(getattr(seamark.SummaryWriter, name)).parameters
        for argument, want in inspect.signature(getattr(theirs, name)).parameters.items():
            if want.kind is inspect.Parameter.VAR_KEYWORD or argument in ("onnx_model_file", "comet_config"):
                continue
            assert argument in mine, f"{name}({argument})"
            if want.default is not inspect.Parameter.empty:
                assert mine[argument].default == want.default, f"{name}({argument}=)"


# What is taken


class FakeJax:
    """As JAX's arrays: read by NumPy, one element by item()."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._values

    def item(self) -> Any:
        return self._values.item()


class FakeTensorflow:
    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    def numpy(self) -> Any:
        return self._values


@pytest.mark.parametrize(
    "value",
    [2, 2.0, True + 1, np.float16(2), np.int8(2), np.array(2), np.array([[2]]), FakeJax(2.0), FakeTensorflow([2.0])],
)
def test_one_number_of_any_type(value: Any, writer: seamark.SummaryWriter) -> None:
    writer.add_scalar("s", value, 1)
    writer.close()
    assert [value.simple_value for value in values_in(Path(writer.log_dir))] == [2.0]
    assert as_number(value) == 2.0


@pytest.mark.parametrize("value", ["text", [1, 2], np.zeros(3), None, 1j, FakeTensorflow([1, 2])])
def test_a_value_that_is_not_one_number_raises(value: Any, writer: seamark.SummaryWriter) -> None:
    with pytest.raises(TypeError, match="one number"):
        writer.add_scalar("s", value, 1)


def test_steps_and_numbers_out_of_range_raise(writer: seamark.SummaryWriter) -> None:
    with pytest.raises(OverflowError):
        writer.add_scalar("s", 1.0, 2**63)
    with pytest.raises(OverflowError):
        writer.add_scalar("s", 10**400, 1)


def test_hostile_tags_are_only_text(writer: seamark.SummaryWriter) -> None:
    tags = ["<script>alert(1)</script>", "🚀", "", "../../etc", "a\x00b", "x" * 5000]
    for tag in tags:
        writer.add_scalar(tag, 1.0, 1)
    writer.close()
    assert [value.tag for value in values_in(Path(writer.log_dir))] == tags


def test_torch_tensors_of_every_type() -> None:
    torch = pytest.importorskip("torch")
    half = torch.tensor([0.5, 2], dtype=torch.bfloat16, requires_grad=True)
    assert (as_array(half).dtype, as_array(half).tolist()) == (np.float32, [0.5, 2])
    assert as_array(torch.eye(2).to_sparse()).tolist() == [[1, 0], [0, 1]]
    assert as_array(torch.tensor([1j]).conj()).tolist() == [-1j]


def test_values_are_copied_at_the_call(writer: seamark.SummaryWriter) -> None:
    values = np.ones(10)
    writer.add_histogram("h", values, 1)
    copied = as_copy(values)
    values[:] = 5
    writer.close()
    (value,) = values_in(Path(writer.log_dir))
    assert (value.histo.min, value.histo.max) == (1, 1)
    assert copied.tolist() == [1] * 10


class Lender:
    """Gives its own array, as objects of xarray do."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.array


def test_arguments_are_copied_at_the_call(writer: seamark.SummaryWriter) -> None:
    lender, edges, labels, config = Lender(np.ones(10)), [0.0, 2.0], ["cat"], {"camera": {"fov": 50}}
    recorder = writer.sink.recorder
    assert recorder is not None
    with recorder._drain_lock:  # nothing is encoded before the arguments change
        writer.add_histogram("h", lender, 1, bins=edges)
        writer.add_image_with_boxes("i", np.zeros((3, 9, 9)), np.ones((1, 4)), 1, labels=labels)
        writer.add_mesh("m", np.zeros((1, 4, 3)), config_dict=config, global_step=1)
        lender.array[:], edges[1], config["camera"]["fov"] = 5, 9.0, 0
        labels.clear()
    writer.close()
    values = values_in(Path(writer.log_dir))
    assert (values[0].histo.max, values[0].histo.bucket_limit[-1]) == (1, 2)
    assert [value.tag for value in values[:2]] == ["h", "i"]
    assert '"fov": 50' in mesh.decode(values[2].SerializeToString()).json_config


@pytest.mark.parametrize("bins", [30, np.int64(30), "auto", np.linspace(0, 1, 31)])
def test_bins_are_a_number_a_rule_or_edges(bins: Any, writer: seamark.SummaryWriter) -> None:
    writer.add_histogram("h", np.linspace(0, 1, 100), 1, bins=bins)
    writer.close()
    (value,) = values_in(Path(writer.log_dir))
    assert histogram.decode(value.SerializeToString()).count.sum() == 100


def test_histograms_leave_out_what_is_not_finite(writer: seamark.SummaryWriter) -> None:
    writer.add_histogram("h", np.array([1.0, np.nan, np.inf, -np.inf, 2.0]), 1)
    writer.add_histogram("none", np.array([np.nan]), 1)
    writer.close()
    some, none = values_in(Path(writer.log_dir))
    assert (some.histo.min, some.histo.max, some.histo.num) == (1, 2, 2)
    assert histogram.decode(some.SerializeToString()).count.sum() == 2
    assert histogram.decode(none.SerializeToString()).buckets.shape == (0, 3)


@pytest.mark.parametrize(
    "call",
    [
        lambda w: w.add_histogram("h", []),
        lambda w: w.add_histogram("h", [1], bins=[2.0, 1.0]),
        lambda w: w.add_histogram("h", [1], bins=0),
        lambda w: w.add_histogram_raw("h", 0, 1, 1, 1, 1, [1], [1, 2]),
        lambda w: w.add_image("i", np.zeros((3, 4))),
        lambda w: w.add_image("i", np.zeros((2, 4, 4))),
        lambda w: w.add_image("i", np.zeros((3, 0, 4))),
        lambda w: w.add_image("i", np.zeros((4, 4)), dataformats="HH"),
        lambda w: w.add_image_with_boxes("i", np.zeros((3, 4, 4)), np.zeros(4)),
        lambda w: w.add_video("v", np.zeros((1, 2, 3, 4))),
        lambda w: w.add_video("v", np.zeros((1, 0, 3, 4, 4))),
        lambda w: w.add_video("v", np.zeros((1, 1, 3, 4, 4)), video_format="avi"),
        lambda w: w.add_audio("a", np.zeros((3, 4, 5))),
        lambda w: w.add_mesh("m", np.zeros((1, 4, 2))),
        lambda w: w.add_embedding(np.zeros(3)),
        lambda w: w.add_embedding(np.zeros((3, 2)), metadata=["a"]),
        lambda w: w.add_embedding(np.zeros((3, 2)), label_img=np.zeros((2, 3, 4, 4))),
        lambda w: w.add_pr_curve("p", [0, 1], [0.5]),
        lambda w: w.add_custom_scalars({"c": {"t": ["Pie", ["x"]]}}),
        lambda w: w.add_custom_scalars_marginchart(["a"]),
        lambda w: w.add_hparams({"a": [1]}, {}),
    ],
)
def test_mistakes_are_errors_where_they_are_made(call: Any, writer: seamark.SummaryWriter) -> None:
    with pytest.raises(ValueError):
        call(writer)
    writer.close()
    assert (events_in(Path(writer.log_dir)), writer.dropped) == ([], 0)


# What is Seamark's own


def test_no_key_of_scalars_leads_out_of_the_log_directory(tmp_path: Path) -> None:
    keys = ["a/../../../x", "../../y", "..", "/../z", "b/c"]
    with seamark.SummaryWriter(tmp_path / "logs" / "run") as writer:
        writer.add_scalars("m", dict.fromkeys(keys, 1.0), 0)
    files = [path for path in tmp_path.rglob("*tfevents*") if path.parent != tmp_path / "logs" / "run"]
    assert all(path.is_relative_to(tmp_path / "logs" / "run") for path in files)
    folders = {str(path.parent.relative_to(tmp_path / "logs" / "run")) for path in files}
    assert folders == {"m_a/__/__/__/x", "m_../__/y", "m_..", "m_/__/z", "m_b/c"}


def test_scalars_of_one_chart_without_extra_runs(writer: seamark.SummaryWriter) -> None:
    for step in range(2):
        writer.add_scalars("loss (all)", {"train": 1, "valid": 2.5}, step, one_run=True)
    writer.add_scalars("other", {"x": 1}, 0, one_run=True)
    writer.close()
    values = values_in(Path(writer.log_dir))
    assert [value.tag for value in values if value.simple_value] == [
        *["loss (all)/train", "loss (all)/valid"] * 2,
        "other/x",
    ]
    layouts = [value for value in values if value.tag == custom_scalars.TAG]
    assert len(layouts) == 2
    (category,) = custom_scalars.decode(layouts[-1].SerializeToString()).categories
    first, second = category.charts
    assert re.match(first.content.tags[0], "loss (all)/train")  # type: ignore[union-attr]
    assert second.title == "other"
    assert [path for path in Path(writer.log_dir).iterdir() if path.is_dir()] == []


@pytest.mark.parametrize("count, size", [(1, (8, 6)), (3, (32, 6)), (8, (32, 12))])
def test_videos_are_gifs_of_a_grid(count: int, size: tuple[int, int], writer: seamark.SummaryWriter) -> None:
    clips = np.random.default_rng(0).integers(0, 255, (count, 5, 3, 6, 8)).astype(np.uint8)
    writer.add_video("v", clips, 1, fps=10)
    writer.close()
    (value,) = values_in(Path(writer.log_dir))
    picture = Image.open(io.BytesIO(value.image.encoded_image_string))
    assert (picture.format, picture.n_frames, picture.size, picture.info["duration"]) == ("GIF", 5, size, 100)
    assert (value.image.width, value.image.height) == size


@pytest.mark.parametrize("video_format, mime", [("mp4", "video/mp4"), ("webm", "video/webm")])
def test_videos_by_pyav(video_format: str, mime: str, writer: seamark.SummaryWriter) -> None:
    av = pytest.importorskip("av")
    frames = np.zeros((1, 6, 3, 15, 21), np.uint8)  # odd sides, which the codecs do not take
    frames[:, 3:] = 255
    writer.add_video("v", frames, 1, fps=12, video_format=video_format)
    writer.close()
    (value,) = values_in(Path(writer.log_dir))
    encoded = value.image.encoded_image_string
    assert image.sniff(encoded) == mime
    with av.open(io.BytesIO(encoded)) as container:
        seen = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(seen) == 6
    assert (seen[0].mean() < 30, seen[5].mean() > 225) == (True, True)


def test_without_pyav_a_video_is_a_gif_and_one_warning(
    writer: seamark.SummaryWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seamark.write.encode.video.has_av", lambda: False)
    with logged_warnings("needs PyAV") as caught:
        for step in range(2):
            writer.add_video("v", np.zeros((1, 2, 1, 4, 4)), step, video_format="mp4")
    writer.close()
    assert len(caught) == 1
    assert {image.sniff(value.image.encoded_image_string) for value in values_in(Path(writer.log_dir))} == {"image/gif"}


def test_stereo_and_int16_sounds(writer: seamark.SummaryWriter) -> None:
    stereo = np.array([[0, 1000], [-1000, 32767], [3, 4]], np.int16)
    writer.add_audio("a", stereo, 1, sample_rate=8000)
    writer.close()
    (value,) = values_in(Path(writer.log_dir))
    assert (value.audio.num_channels, value.audio.length_frames) == (2, 3)
    (clip,) = audio.decode(value.SerializeToString()).clips
    assert clip.data.endswith(stereo.astype("<i2").tobytes())


def test_colours_between_0_and_1_are_not_all_black(writer: seamark.SummaryWriter) -> None:
    writer.add_mesh("m", np.zeros((1, 2, 3)), colors=np.array([[[0, 0.5, 1], [1, 1, 1]]]))
    writer.close()
    _, colours = values_in(Path(writer.log_dir))
    assert list(colours.tensor.tensor_content) == [0, 128, 255, 255, 255, 255]


def test_booleans_among_hyperparameters_stay_booleans(writer: seamark.SummaryWriter) -> None:
    """torch's writer takes them for numbers, because in Python they are."""
    writer.add_hparams({"flag": True, "numpy": np.bool_(False), "unused": None}, {"m": 1}, run_name="trial")
    (_, start, _, metric) = values_in(Path(writer.log_dir) / "trial")
    assert b"flag" in start.metadata.plugin_data.content
    assert b"unused" not in start.metadata.plugin_data.content
    assert (metric.tag, metric.simple_value) == ("m", 1)


def test_importing_seamark_loads_next_to_nothing() -> None:
    program = (
        "import sys; before = set(sys.modules); import seamark\n"
        "names = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "heavy = {'numpy', 'google', 'PIL', 'torch', 'starlette', 'uvicorn'}\n"
        "assert not names & heavy, names & heavy\n"
        "w = seamark.SummaryWriter(sys.argv[1]); w.add_scalar('s', 1.0, 1); w.close()\n"
        "assert 'torch' not in sys.modules and 'numpy' not in sys.modules and 'google.protobuf' not in sys.modules\n"
        "assert 'SummaryWriter' in dir(seamark)\n"
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", program, folder], check=True)


def test_a_name_that_is_not_there_is_said_with_those_that_are() -> None:
    with pytest.raises(AttributeError, match="SummaryWriter"):
        seamark.Summarywriter  # noqa: B018
