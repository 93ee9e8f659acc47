"""What our encoders write, TensorBoard's reader reads equal, and its plugins accept."""

import json
from typing import Any

import numpy as np
import pytest
from tensorboard.plugins.histogram import summary_v2 as histogram_summary
from tensorboard.plugins.hparams import metadata as hparams_metadata
from tensorboard.plugins.mesh import metadata as mesh_metadata
from tensorboard.plugins.pr_curve import metadata as pr_curve_metadata

from seamark import _core
from seamark.format.messages import GraphDef, NodeDef, RunMetadata
from seamark.kinds import (
    audio,
    custom_scalars,
    event,
    graph,
    histogram,
    hparams,
    image,
    keras_model,
    mesh,
    pr_curve,
    run_metadata,
    scalar,
    session_log,
    summary,
    tensors,
    text,
)
from seamark.kinds.custom_scalars import Category, Chart, Layout, Margin, MarginSeries, Multiline
from seamark.kinds.tensor import from_array

RANDOM = np.random.default_rng(13)


def arrays(series: Any) -> list[Any]:
    return [array for _, _, array in series.points]


def test_scalars(our_writer: Any) -> None:
    our_writer.values(scalar.encode("single", 0.1), scalar.encode("double", 0.1, double=True), step=3)
    our_writer.record(_core.encode_scalar(b"fast", 0.1, 4, 12.5))
    found = our_writer.read_back()
    assert [array.item() for array in arrays(found["scalars", "double"])] == [0.1]
    assert [array.item() for array in arrays(found["scalars", "single"])] == [np.float32(0.1)]
    assert [point[:2] for point in found["scalars", "fast"].points] == [(4, 12.5)]


def test_display_name_and_description(our_writer: Any) -> None:
    our_writer.values(scalar.encode("s", 1.0, display_name="shown", description="*why*"))
    metadata = our_writer.read_back()["scalars", "s"].metadata
    assert (metadata.display_name, metadata.summary_description, metadata.data_class) == ("shown", "*why*", 1)


@pytest.mark.parametrize("buckets", [0, 1, 7, 30])
@pytest.mark.parametrize(
    "data", [RANDOM.normal(size=(40, 5)), RANDOM.random(1000).astype(np.float32), [3.0, 3.0], [], [5], np.arange(100)]
)
def test_histograms_are_those_tensorboard_would_make(data: Any, buckets: int, our_writer: Any) -> None:
    our_writer.values(histogram.encode("h", data, buckets=buckets))
    our_writer.read_back()
    theirs = histogram_summary.histogram_pb("h", data, buckets=buckets)
    assert histogram.encode("h", data, buckets=buckets).SerializeToString() == theirs.value[0].SerializeToString()


def test_images(our_writer: Any) -> None:
    pixels = RANDOM.integers(0, 255, (2, 5, 7, 3)).astype(np.uint8)
    our_writer.values(image.encode("i", pixels), step=1)
    our_writer.values(image.encode_files("i", [b"GIF89a\x03\x00\x02\x00"]), step=2)
    first, second = arrays(our_writer.read_back()["images", "i"])
    assert first[:2].tolist() == [b"7", b"5"]
    assert second.tolist() == [b"3", b"2", b"GIF89a\x03\x00\x02\x00"]


def test_audio(our_writer: Any) -> None:
    our_writer.values(audio.encode("a", RANDOM.uniform(-1, 1, (2, 100, 1)), sample_rate_hz=8000, labels=["x", "y"]))
    (clips,) = arrays(our_writer.read_back()["audio", "a"])
    assert clips.shape == (2,)
    assert all(clip.startswith(b"RIFF") for clip in clips)


@pytest.mark.parametrize("nested", ["", "ü", ["a", "b"], [["a", "b"], ["c", "d"]]])
def test_text(nested: Any, our_writer: Any) -> None:
    our_writer.values(text.encode("t", nested))
    (array,) = arrays(our_writer.read_back()["text", "t"])
    assert np.vectorize(bytes.decode, otypes=[object])(array).tolist() == nested


@pytest.mark.parametrize("thresholds", [2, 127, 201])
@pytest.mark.parametrize("weighted", [False, True])
def test_pr_curves_are_those_tensorboard_would_compute(
    thresholds: int, weighted: bool, our_writer: Any, tensorflow_names: None
) -> None:
    from tensorboard.plugins.pr_curve import summary as pr_curve_summary

    labels, predictions = RANDOM.random(300) > 0.4, RANDOM.random(300).astype(np.float32)
    predictions[:3] = [0.0, 1.0, 0.5]
    weights = RANDOM.random(300) if weighted else 1.0
    our_writer.values(pr_curve.encode("p", labels, predictions, weights=weights, thresholds=thresholds))
    found = our_writer.read_back()["pr_curves", "p"]
    theirs = pr_curve_summary.pb("p", labels, predictions, num_thresholds=thresholds, weights=weights)
    want = np.frombuffer(theirs.value[0].tensor.tensor_content, np.float32).reshape(6, thresholds)
    np.testing.assert_allclose(arrays(found)[0], want, rtol=1e-6)
    content = found.metadata.plugin_data.content
    assert pr_curve_metadata.parse_plugin_metadata(content).num_thresholds == thresholds


def test_meshes(our_writer: Any) -> None:
    values = mesh.encode("m", RANDOM.random((1, 4, 3)), faces=[[[0, 1, 2]]], config={"a": 1})
    our_writer.values(*values)
    found = our_writer.read_back()
    assert found.keys() == {("mesh", "m_VERTEX"), ("mesh", "m_FACE")}
    content = mesh_metadata.parse_plugin_metadata(found["mesh", "m_FACE"].metadata.plugin_data.content)
    assert (list(content.shape), content.components, json.loads(content.json_config)) == ([1, 1, 3], 0b110, {"a": 1})


def test_custom_scalars(our_writer: Any) -> None:
    charts = (Chart("l", Multiline(("a.*",))), Chart("m", Margin((MarginSeries("v", "lo", "up"),))))
    our_writer.values(custom_scalars.encode(Layout((Category("c", charts, closed=True),))))
    assert our_writer.read_back().keys() == {("custom_scalars", custom_scalars.TAG)}


def test_hparams(our_writer: Any) -> None:
    infos = (
        hparams.HParamInfo("lr", "rate", "d", hparams.HParamType.FLOAT64, hparams.Interval(0.0, 1.0)),
        hparams.HParamInfo("opt", type=hparams.HParamType.STRING, domain=("a", "b")),
    )
    our_writer.values(hparams.encode(hparams.Experiment(infos, (hparams.MetricInfo("acc"),), time_created_secs=3.0)))
    our_writer.values(hparams.encode(hparams.SessionStart({"lr": 0.5, "opt": "a", "f": True}, group_name="g")))
    our_writer.values(hparams.encode(hparams.SessionEnd(hparams.Status.FAILURE, 8.0)))
    found = our_writer.read_back()
    content = {tag: series.metadata.plugin_data.content for (_, tag), series in found.items()}
    experiment = hparams_metadata.parse_experiment_plugin_data(content[hparams.EXPERIMENT_TAG])
    assert [(info.name, info.display_name, info.type) for info in experiment.hparam_infos] == [
        ("lr", "rate", 3),
        ("opt", "", 1),
    ]
    assert list(experiment.hparam_infos[1].domain_discrete) == ["a", "b"]
    start = hparams_metadata.parse_session_start_info_plugin_data(content[hparams.SESSION_START_TAG])
    assert (start.hparams["lr"].number_value, start.hparams["f"].bool_value, start.group_name) == (0.5, True, "g")
    end = hparams_metadata.parse_session_end_info_plugin_data(content[hparams.SESSION_END_TAG])
    assert (end.status, end.end_time_secs) == (2, 8.0)


def test_graphs_and_run_metadata(our_writer: Any) -> None:
    model = GraphDef(node=[NodeDef(name="x", op="Const")])
    costs = RunMetadata(partition_graphs=[model])
    our_writer.record(summary.graph_record(graph.encode(model), wall_time=2.0))
    our_writer.record(_core.frame(event.run_metadata_event("step", costs.SerializeToString(), step=1, wall_time=3.0)))
    our_writer.values(run_metadata.encode("a", costs), run_metadata.encode("b", costs, graph_only=True))
    our_writer.values(keras_model.encode('{"config": {}}'))
    log = session_log.encode(session_log.SessionLog(session_log.SessionStatus.START))
    our_writer.record(summary.session_log_record(log, step=0, wall_time=4.0))
    assert our_writer.read_back().keys() == {
        ("graphs", "__run_graph__"),
        ("graph_tagged_run_metadata", "step"),
        ("graph_run_metadata", "a"),
        ("graph_run_metadata_graph", "b"),
        ("graph_keras_model", "keras"),
    }


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16"])
def test_raw_tensors_of_every_dtype(dtype: str, our_writer: Any) -> None:
    array = (RANDOM.random((2, 3)) * 100).astype(dtype)
    our_writer.values(tensors.encode("t", array, plugin_name="mine", content=b"c"))
    (read,) = arrays(our_writer.read_back()["mine", "t"])
    assert read.dtype == array.dtype
    np.testing.assert_array_equal(read, array)


def test_a_tensor_with_a_shape_of_its_own_is_filled_up_by_both(our_writer: Any) -> None:
    value = tensors.encode("t", 0, plugin_name="mine")
    value.tensor.CopyFrom(from_array(np.float32(7), shape=[2, 2]))
    our_writer.values(value)
    (read,) = arrays(our_writer.read_back()["mine", "t"])
    assert read.tolist() == [[7, 7], [7, 7]]
