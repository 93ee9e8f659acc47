"""Files from TensorBoard's own writers, modern and legacy, are read equal to TensorBoard's own reader."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboard.compat.proto import config_pb2, event_pb2, graph_pb2, histogram_pb2, meta_graph_pb2, summary_pb2
from tensorboard.plugins.audio import metadata as audio_metadata
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.histogram import summary_v2 as histogram_summary
from tensorboard.plugins.hparams import api_pb2, plugin_data_pb2
from tensorboard.plugins.hparams import metadata as hparams_metadata
from tensorboard.plugins.hparams import summary_v2 as hparams_summary
from tensorboard.plugins.image import metadata as image_metadata
from tensorboard.plugins.scalar import metadata as scalar_metadata
from tensorboard.plugins.scalar import summary_v2 as scalar_summary
from tensorboard.plugins.text import metadata as text_metadata
from tensorboard.plugins.text import summary_v2 as text_summary
from tensorboard.util.tensor_util import make_tensor_proto

from seamark.kinds.custom_scalars import Layout, merge
from seamark.kinds.graph import Graph
from seamark.kinds.log_message import Level, LogMessage
from seamark.kinds.session_log import SessionLog, SessionStatus

ReadEqual = Callable[[Path], set[str]]
DBL_MAX = sys.float_info.max
RANDOM = np.random.default_rng(7)


def check(writer: Any, read_equal: ReadEqual, *kinds: str) -> None:
    writer.close()
    assert read_equal(writer.folder) == set(kinds)


def plugin(name: str, content: bytes = b"", **more: Any) -> Any:
    data = summary_pb2.SummaryMetadata.PluginData(plugin_name=name, content=content)
    return summary_pb2.SummaryMetadata(plugin_data=data, **more)


@pytest.mark.parametrize("number", [0.0, -1.5, 0.1, 1e-45, 3.4e38, np.nan, np.inf, -np.inf])
def test_scalars(number: float, their_writer: Any, read_equal: ReadEqual) -> None:
    for step in range(3):
        their_writer.summary(scalar_summary.scalar_pb("modern", number), step=step)
        their_writer.value("legacy", simple_value=number, step=step)
    check(their_writer, read_equal, "scalars")


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "?"])
def test_scalars_of_every_dtype(dtype: str, their_writer: Any, read_equal: ReadEqual) -> None:
    metadata = scalar_metadata.create_summary_metadata("shown", "*why*")
    for step, number in enumerate([0, 1, 100]):
        tensor = make_tensor_proto(np.array(number).astype(dtype))
        their_writer.value(tensor=tensor, step=step, **({"metadata": metadata} if step == 0 else {}))
    check(their_writer, read_equal, "scalars")


def test_several_values_in_one_event_and_steps_going_back(their_writer: Any, read_equal: ReadEqual) -> None:
    values = [summary_pb2.Summary.Value(tag=f"tag {n}", simple_value=n) for n in range(5)]
    for step in (5, 6, -2, 2**62):
        their_writer.event(step=step, summary=summary_pb2.Summary(value=values))
    check(their_writer, read_equal, "scalars")


@pytest.mark.parametrize("buckets", [None, 0, 1, 7])
@pytest.mark.parametrize("data", [RANDOM.normal(size=(40, 5)), [3.0, 3.0], [], [-1e300, 1e300], [True, False]])
def test_histograms(data: Any, buckets: int | None, their_writer: Any, read_equal: ReadEqual) -> None:
    their_writer.summary(histogram_summary.histogram_pb("h", data, buckets=buckets, description="d"))
    check(their_writer, read_equal, "histograms")


@pytest.mark.parametrize(
    ("limits", "counts"),
    [
        ([-DBL_MAX, -0.1, 0.0, 0.3, DBL_MAX], [0, 2, 0, 3, 1]),
        ([-DBL_MAX, 0.1, DBL_MAX], [4, 0, 0]),
        ([0.1, 0.2, 0.3], [0, 0, 0]),
        ([DBL_MAX], [16777217]),
        ([], []),
        ([0.1, 0.2], [0, 7]),
    ],
)
def test_legacy_histograms(limits: list[float], counts: list[float], their_writer: Any, read_equal: ReadEqual) -> None:
    histo = histogram_pb2.HistogramProto(min=-0.7, max=1 / 3, bucket_limit=limits, bucket=counts)
    their_writer.value(histo=histo)
    check(their_writer, read_equal, "histograms")


def test_images(their_writer: Any, read_equal: ReadEqual) -> None:
    metadata = image_metadata.create_summary_metadata("n", "d")
    for step, images in enumerate([[b"\x89PNG\r\n\x1a\n..", b"GIF89a.."], [], [b"BM"]]):
        their_writer.value(tensor=make_tensor_proto([b"12", b"7", *images]), metadata=metadata, step=step)
    legacy = summary_pb2.Summary.Image(height=3, width=4, colorspace=3, encoded_image_string=b"\x89PNG\0")
    their_writer.value("legacy/image/0", image=legacy)
    check(their_writer, read_equal, "images")


def test_audio(their_writer: Any, read_equal: ReadEqual) -> None:
    metadata = audio_metadata.create_summary_metadata("n", "d", audio_metadata.Encoding.Value("WAV"))
    their_writer.value(
        "labelled", tensor=make_tensor_proto([[b"RIFF1", b"one"], [b"RIFF2", b"two"]]), metadata=metadata
    )
    their_writer.value("bare", tensor=make_tensor_proto([b"RIFF1", b"RIFF2"]), metadata=metadata)
    legacy = summary_pb2.Summary.Audio(
        sample_rate=8000, num_channels=1, encoded_audio_string=b"RIFF", content_type="a/b"
    )
    their_writer.value("legacy", audio=legacy)
    check(their_writer, read_equal, "audio")


def test_labels_of_audio_clips_are_kept(their_writer: Any, ours_of: Callable[[Path], list[Any]]) -> None:
    metadata = audio_metadata.create_summary_metadata("n", "d", audio_metadata.Encoding.Value("WAV"))
    their_writer.value(tensor=make_tensor_proto([[b"RIFF1", b"one"], [b"RIFF2", b"two"]]), metadata=metadata)
    their_writer.close()
    (series,) = ours_of(their_writer.folder)
    assert [clip.label for clip in series.decoded()[0].clips] == ["one", "two"]


@pytest.mark.parametrize("text", ["", "*x* ü", ["a", "b"], [["a", "b"], ["c", "d"]], [[["x"]]]])
def test_text(text: Any, their_writer: Any, read_equal: ReadEqual) -> None:
    their_writer.summary(text_summary.text_pb("modern", text))
    tensor = make_tensor_proto(text)
    their_writer.value("braces", tensor=tensor, metadata=plugin("text", b"{}"))
    check(their_writer, read_equal, "text")


def test_text_named_by_its_node(their_writer: Any, ours_of: Callable[[Path], list[Any]]) -> None:
    metadata = text_metadata.create_summary_metadata("n", "d")
    their_writer.value("", node_name="from/node", tensor=make_tensor_proto("x"), metadata=metadata)
    their_writer.close()
    (series,) = ours_of(their_writer.folder)
    assert (series.kind, series.tag, series.decoded()[0].strings.item()) == ("text", "from/node", "x")


@pytest.mark.parametrize("thresholds", [2, 11, 201])
@pytest.mark.parametrize("weighted", [False, True])
def test_pr_curves(
    thresholds: int, weighted: bool, their_writer: Any, read_equal: ReadEqual, tensorflow_names: None
) -> None:
    from tensorboard.plugins.pr_curve import summary as pr_curve_summary

    labels, predictions = RANDOM.random(50) > 0.5, RANDOM.random(50).astype(np.float32)
    weights = RANDOM.random(50) if weighted else None
    curve = pr_curve_summary.pb("p", labels, predictions, num_thresholds=thresholds, weights=weights)
    their_writer.summary(curve)
    check(their_writer, read_equal, "pr_curves")


def test_meshes(their_writer: Any, read_equal: ReadEqual, tensorflow_names: None) -> None:
    from tensorboard.plugins.mesh import summary as mesh_summary

    vertices = RANDOM.normal(size=(2, 5, 3)).astype(np.float32)
    colors = RANDOM.integers(0, 255, (2, 5, 3)).astype(np.uint8)
    faces = RANDOM.integers(0, 5, (2, 4, 3)).astype(np.int32)
    config = {"camera": {"cls": "PerspectiveCamera", "fov": 75}}
    their_writer.summary(mesh_summary.pb("full", vertices, faces=faces, colors=colors, config_dict=config))
    their_writer.summary(mesh_summary.pb("cloud", vertices))
    check(their_writer, read_equal, "mesh")


def some_layout(*titles: str) -> Any:
    series = [layout_pb2.MarginChartContent.Series(value="v", lower="l", upper="u")]
    charts = [
        layout_pb2.Chart(title="lines", multiline=layout_pb2.MultilineChartContent(tag=["loss.*", "acc"])),
        layout_pb2.Chart(title="band", margin=layout_pb2.MarginChartContent(series=series)),
    ]
    categories = [
        layout_pb2.Category(title=title, chart=charts[: n + 1], closed=n > 0) for n, title in enumerate(titles)
    ]
    return layout_pb2.Layout(category=categories)


def test_custom_scalars(their_writer: Any, read_equal: ReadEqual, tensorflow_names: None) -> None:
    from tensorboard.plugins.custom_scalar import summary as custom_scalar_summary

    their_writer.summary(custom_scalar_summary.pb(some_layout("a", "b")))
    check(their_writer, read_equal, "custom_scalars")


def test_layouts_merge_as_in_tensorboard(
    tmp_path: Path, ours_of: Callable[[Path], list[Any]], tensorflow_names: None
) -> None:
    from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
    from tensorboard.context import RequestContext
    from tensorboard.plugins.base_plugin import TBContext
    from tensorboard.plugins.custom_scalar import summary as custom_scalar_summary
    from tensorboard.plugins.custom_scalar.custom_scalars_plugin import CustomScalarsPlugin
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    for run, titles in {"r1": ("a", "b"), "r2": ("b", "c"), "r3": ("b", "a")}.items():
        writer = EventFileWriter(str(tmp_path / run))
        writer.add_event(event_pb2.Event(summary=custom_scalar_summary.pb(some_layout(*titles))))
        writer.close()
    multiplexer = plugin_event_multiplexer.EventMultiplexer().AddRunsFromDirectory(str(tmp_path))
    provider = data_provider.MultiplexerDataProvider(multiplexer.Reload(), str(tmp_path))
    theirs = CustomScalarsPlugin(TBContext(data_provider=provider)).layout_impl(RequestContext(), "")
    layouts: list[Layout] = [series.decoded()[0] for series in ours_of(tmp_path)]
    merged = merge(layouts)
    assert [(c.title, c.closed, [chart.title for chart in c.charts]) for c in merged.categories] == [
        (c["title"], c["closed"], [chart["title"] for chart in c["chart"]]) for c in json.loads(theirs)["category"]
    ]


def test_hparams(their_writer: Any, read_equal: ReadEqual) -> None:
    lr = hparams_summary.HParam("lr", hparams_summary.RealInterval(0.1, 1.0), display_name="rate", description="d")
    units = hparams_summary.HParam("units", hparams_summary.Discrete([1, 2]))
    opt = hparams_summary.HParam("opt", hparams_summary.Discrete(["adam", "sgd"]))
    acc = hparams_summary.Metric("acc", group="eval", dataset_type=hparams_summary.Metric.VALIDATION)
    their_writer.summary(hparams_summary.hparams_config_pb([lr, units, opt], [acc], time_created_secs=5.5))
    their_writer.summary(hparams_summary.hparams_pb({lr: 0.5, "opt": "adam", "flag": True}, "trial", 6.5))
    end = plugin_data_pb2.SessionEndInfo(status=api_pb2.STATUS_SUCCESS, end_time_secs=9.5)
    metadata = hparams_metadata.create_summary_metadata(plugin_data_pb2.HParamsPluginData(session_end_info=end))
    their_writer.value(hparams_metadata.SESSION_END_INFO_TAG, metadata=metadata)  # no tensor, as older writers do
    check(their_writer, read_equal, "hparams")


def some_graph() -> Any:
    graph = graph_pb2.GraphDef()
    graph.versions.producer = 1395
    node = graph.node.add(name="scope/x", op="Const", device="/cpu:0")
    node.attr["value"].tensor.CopyFrom(make_tensor_proto([1.0, 2.0]))
    node.attr["shapes"].list.shape.add().dim.add(size=3)
    graph.node.add(name="scope/y", op="Neg", input=["scope/x", "^z"])
    function = graph.library.function.add()
    function.signature.name = "f"
    function.node_def.add(name="inner", op="Relu")
    function.ret["out"] = "inner:0"
    return graph


def some_run_metadata() -> Any:
    metadata = config_pb2.RunMetadata(partition_graphs=[some_graph()])
    device = metadata.step_stats.dev_stats.add(device="/gpu:0")
    stats = device.node_stats.add(node_name="scope/x", all_start_micros=7, op_end_rel_micros=3)
    stats.memory.add(allocator_name="gpu", peak_bytes=64)
    metadata.cost_graph.node.add(name="scope/x", compute_cost=11)
    metadata.function_graphs.add().pre_optimization_graph.CopyFrom(some_graph())
    return metadata


def test_graphs(their_writer: Any, read_equal: ReadEqual, ours_of: Callable[[Path], list[Any]]) -> None:
    their_writer.event(graph_def=some_graph().SerializeToString())
    meta = meta_graph_pb2.MetaGraphDef(graph_def=some_graph())
    meta.meta_info_def.tensorflow_version = "1.15"
    their_writer.event(meta_graph_def=meta.SerializeToString())
    check(their_writer, read_equal, "graphs")
    (from_meta,) = [series for series in ours_of(their_writer.folder) if series.kind == "meta_graph"]
    (decoded,) = from_meta.decoded()
    assert isinstance(decoded, Graph)
    assert graph_pb2.GraphDef.FromString(decoded.message.SerializeToString()) == some_graph()


def test_run_metadata_and_keras_models(their_writer: Any, read_equal: ReadEqual) -> None:
    blob = some_run_metadata().SerializeToString()
    their_writer.event(tagged_run_metadata=event_pb2.TaggedRunMetadata(tag="step 1", run_metadata=blob))
    their_writer.value("a", tensor=make_tensor_proto(blob), metadata=plugin("graph_run_metadata", b"1"))
    their_writer.value("b", tensor=make_tensor_proto([blob]), metadata=plugin("graph_run_metadata_graph", b"1"))
    keras = json.dumps({"class_name": "Sequential", "config": {"name": "s", "layers": [{}]}})
    their_writer.value("keras", tensor=make_tensor_proto(keras), metadata=plugin("graph_keras_model", b"1"))
    kinds = ("graph_tagged_run_metadata", "graph_run_metadata", "graph_run_metadata_graph", "graph_keras_model")
    check(their_writer, read_equal, *kinds)


def test_session_logs_and_log_messages(their_writer: Any, ours_of: Callable[[Path], list[Any]]) -> None:
    their_writer.event(step=3, session_log=event_pb2.SessionLog(status=3, checkpoint_path="/m", msg="x"))
    their_writer.event(step=4, log_message=event_pb2.LogMessage(level=30, message="careful"))
    their_writer.close()
    decoded = {series.kind: (series.steps.tolist(), series.decoded()) for series in ours_of(their_writer.folder)}
    assert decoded == {
        "session_log": ([3], [SessionLog(SessionStatus.CHECKPOINT, "/m", "x")]),
        "log_message": ([4], [LogMessage(Level.WARN, "careful")]),
    }


def test_unknown_plugins_and_bare_tensors(their_writer: Any, read_equal: ReadEqual) -> None:
    for step in range(3):
        metadata = {"metadata": plugin("flight", b"\0\1", data_class=2)} if step == 0 else {}
        their_writer.value("x", tensor=make_tensor_proto(np.full((2, 2), step, np.int16)), step=step, **metadata)
    their_writer.value("complex", tensor=make_tensor_proto(np.array([1j])), metadata=plugin("flight"))
    their_writer.value("nothing", metadata=plugin("flight", b"c"))
    their_writer.value("bare", tensor=make_tensor_proto([1.5, 2.5]))
    check(their_writer, read_equal, "flight", "tensors")
