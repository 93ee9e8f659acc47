"""Both readers on one file: ours (core, then kinds) and TensorBoard's (loader with its compatibility passes)."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("seamark._core", reason="the native core is not built")
pytest.importorskip("tensorboard", reason="tensorboard is a test dependency")

from tensorboard.backend.event_processing import event_file_loader
from tensorboard.compat.proto import config_pb2, event_pb2, graph_pb2, summary_pb2
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.hparams import plugin_data_pb2 as hparams_pb2
from tensorboard.plugins.mesh import metadata as mesh_metadata
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util import tensor_util

from seamark import _core
from seamark.kinds import custom_scalars, graph, hparams, summary

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def _load_tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


read_event_file = _load_tool("check_corpus").read_event_file


@dataclass
class TheirSeries:
    metadata: Any
    points: list[tuple[int, float, Any]] = field(default_factory=list)  # step, wall time, numpy array


def event_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*tfevents*") if path.is_file())


def read_theirs(path: Path) -> dict[tuple[str, str], TheirSeries]:
    """Series as TensorBoard's own reader gives them, by plugin and tag."""
    found: dict[tuple[str, str], TheirSeries] = {}
    first_metadata: dict[str, Any] = {}
    for event in event_file_loader.EventFileLoader(str(path)).Load():
        for value in event.summary.value:
            metadata = first_metadata.setdefault(value.tag, value.metadata)
            series = found.setdefault((metadata.plugin_data.plugin_name, value.tag), TheirSeries(metadata))
            array = tensor_util.make_ndarray(value.tensor) if value.HasField("tensor") else None
            series.points.append((event.step, event.wall_time, array))
    return found


def assert_read_equal(folder: Path) -> set[str]:
    """Every series of every file agrees, value for value; gives back the kinds that were met."""
    kinds: set[str] = set()
    for path in event_files(folder):
        theirs = read_theirs(path)
        ours = {}
        for series in read_event_file(path).series:
            tag = graph.RUN_GRAPH_TAG if series.kind == "graphs" else series.tag
            if series.kind not in ("meta_graph", "session_log", "log_message"):
                ours["" if series.kind == "tensors" else series.kind, tag] = series
        assert ours.keys() == theirs.keys()
        for name, series in ours.items():
            _assert_series_equal(series, theirs[name])
            kinds.add(series.kind)
    return kinds


def _assert_series_equal(ours: Any, theirs: TheirSeries) -> None:
    assert ours.steps.tolist() == [point[0] for point in theirs.points]
    assert ours.walls.tolist() == [point[1] for point in theirs.points]
    if ours.values is not None:
        want = np.array([np.float64(point[2].item()) for point in theirs.points])
        np.testing.assert_array_equal(ours.values, want)
        return
    for decoded, (_, _, array) in zip(ours.decoded(), theirs.points, strict=True):
        _SAME.get(ours.kind, _same_tensor)(decoded, array, theirs.metadata)


def _same_tensor(ours: Any, array: Any, metadata: Any) -> None:
    assert (ours.plugin_name, ours.plugin_content) == (metadata.plugin_data.plugin_name, metadata.plugin_data.content)
    if array is None:
        assert ours.array is None
    else:
        assert ours.array.dtype == array.dtype
        np.testing.assert_array_equal(ours.array, array)


def _same_histogram(ours: Any, array: Any, _: Any) -> None:
    np.testing.assert_array_equal(ours.buckets, array.astype(np.float64))


def _same_images(ours: Any, array: Any, _: Any) -> None:
    strings = [str(ours.width).encode(), str(ours.height).encode(), *(item.data for item in ours.images)]
    assert strings == array.tolist()


def _same_audio(ours: Any, array: Any, _: Any) -> None:
    assert [clip.data for clip in ours.clips] == array.tolist()


def _same_text(ours: Any, array: Any, _: Any) -> None:
    assert ours.strings.shape == array.shape
    assert [text.encode() for text in ours.strings.ravel()] == array.ravel().tolist()


def _same_pr_curve(ours: Any, array: Any, _: Any) -> None:
    rows = [ours.true_positives, ours.false_positives, ours.true_negatives, ours.false_negatives]
    np.testing.assert_array_equal(np.stack([*rows, ours.precision, ours.recall]), array.astype(np.float64))
    np.testing.assert_array_equal(ours.thresholds, np.linspace(0, 1, array.shape[1]))


def _same_mesh(ours: Any, array: Any, metadata: Any) -> None:
    content = mesh_metadata.parse_plugin_metadata(metadata.plugin_data.content)
    parts = mesh_metadata.get_components_bitmask(ours.parts)
    assert (ours.name, ours.part, ours.json_config, parts) == (
        content.name,
        content.content_type,
        content.json_config,
        content.components,
    )
    np.testing.assert_array_equal(ours.data, array)


def _same_layout(ours: Any, array: Any, _: Any) -> None:
    (ours_bytes,) = custom_scalars.encode(ours).tensor.string_val
    assert layout_pb2.Layout.FromString(ours_bytes) == layout_pb2.Layout.FromString(array.item())


def _same_hparams(ours: Any, _: Any, metadata: Any) -> None:
    ours_bytes = hparams.encode(ours).metadata.plugin_data.content
    parse = hparams_pb2.HParamsPluginData.FromString
    assert parse(ours_bytes) == parse(metadata.plugin_data.content)


def _same_graph(ours: Any, array: Any, _: Any) -> None:
    parse = graph_pb2.GraphDef.FromString
    want = parse(array.item())
    assert parse(ours.message.SerializeToString()) == want
    assert ours.nodes == len(want.node)


def _same_keras_model(ours: Any, array: Any, _: Any) -> None:
    assert ours.text.encode() == array.item()


def _same_profile(ours: Any, array: Any, _: Any) -> None:
    parse = config_pb2.RunMetadata.FromString
    want = parse(array.item())
    assert parse(ours.message.SerializeToString()) == want
    assert ours.devices == tuple(device.device for device in want.step_stats.dev_stats)


_SAME: dict[str, Callable[[Any, Any, Any], None]] = {
    "histograms": _same_histogram,
    "images": _same_images,
    "audio": _same_audio,
    "text": _same_text,
    "pr_curves": _same_pr_curve,
    "mesh": _same_mesh,
    "custom_scalars": _same_layout,
    "hparams": _same_hparams,
    "graphs": _same_graph,
    "graph_keras_model": _same_keras_model,
    "graph_run_metadata": _same_profile,
    "graph_run_metadata_graph": _same_profile,
    "graph_tagged_run_metadata": _same_profile,
}


class TheirWriter:
    """TensorBoard's EventFileWriter, with a clock that stands still between steps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._writer = EventFileWriter(str(folder))

    def event(self, *, step: int = 0, **what: Any) -> None:
        self._writer.add_event(event_pb2.Event(wall_time=1000.25 + step, step=step, **what))

    def value(self, tag: str = "t", *, step: int = 0, **fields: Any) -> None:
        self.summary(summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, **fields)]), step=step)

    def summary(self, message: Any, *, step: int = 0) -> None:
        self.event(step=step, summary=summary_pb2.Summary.FromString(message.SerializeToString()))

    def close(self) -> None:
        self._writer.close()


@pytest.fixture
def their_writer(tmp_path: Path) -> Iterator[TheirWriter]:
    writer = TheirWriter(tmp_path)
    yield writer
    writer.close()


class OurWriter:
    """Our encoders, framed by our core, appended to one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "events.out.tfevents.1"
        self._path.write_bytes(_core.encode_file_version(1.0))

    def record(self, data: bytes) -> None:
        with self._path.open("ab") as file:
            file.write(data)

    def values(self, *values: Any, step: int = 0) -> None:
        self.record(summary.event_record(values, step=step, wall_time=1000.25 + step))

    def read_back(self) -> dict[tuple[str, str], TheirSeries]:
        """What TensorBoard reads of it, once it is sure that we read the same."""
        assert_read_equal(self.folder)
        return read_theirs(self._path)


@pytest.fixture
def our_writer(tmp_path: Path) -> OurWriter:
    return OurWriter(tmp_path)


@pytest.fixture
def tensorflow_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The few names of tensorflow that TensorBoard's older writers import, without tensorflow."""
    from tensorboard.compat.tensorflow_stub import compat, dtypes

    v1 = ModuleType("tensorflow.compat.v1")
    v1.__dict__.update(
        make_tensor_proto=tensor_util.make_tensor_proto,
        Summary=summary_pb2.Summary,
        SummaryMetadata=summary_pb2.SummaryMetadata,
        compat=SimpleNamespace(as_bytes=compat.as_bytes, v1=v1),
        **{name: getattr(dtypes, name) for name in ("float32", "float64", "int32", "uint8", "string")},
    )
    root, middle = ModuleType("tensorflow"), ModuleType("tensorflow.compat")
    root.__dict__.update(v1.__dict__, __name__="tensorflow", compat=middle)
    middle.__dict__.update(v1=v1, as_bytes=compat.as_bytes)
    for module in (root, middle, v1):
        monkeypatch.setitem(sys.modules, module.__name__, module)


# Used by the tests of this folder through the fixtures below: modules of a test folder cannot import each other.
@pytest.fixture
def read_equal() -> Callable[[Path], set[str]]:
    return assert_read_equal


@pytest.fixture
def ours_of() -> Callable[[Path], list[Any]]:
    return lambda folder: [series for path in event_files(folder) for series in read_event_file(path).series]
