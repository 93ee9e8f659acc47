"""A log directory with every kind, by torch, by tensorboardX and by TensorBoard's own summary functions."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from tensorboard.compat.proto import (
    config_pb2,
    event_pb2,
    full_type_pb2,
    graph_pb2,
    histogram_pb2,
    summary_pb2,
    types_pb2,
)
from tensorboard.plugins.audio import metadata as audio_metadata
from tensorboard.plugins.histogram import metadata as histogram_metadata
from tensorboard.plugins.histogram import summary_v2 as histogram_summary
from tensorboard.plugins.image import metadata as image_metadata
from tensorboard.plugins.mesh import metadata as mesh_metadata
from tensorboard.plugins.pr_curve import metadata as pr_curve_metadata
from tensorboard.plugins.scalar import metadata as scalar_metadata
from tensorboard.plugins.scalar import summary_v2 as scalar_summary
from tensorboard.plugins.text import metadata as text_metadata
from tensorboard.plugins.text import summary_v2 as text_summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util.tensor_util import make_tensor_proto

from seamark.kinds import image

END = "zz_end"  # the last tag of a run: a reader that has it has read all
NUMBERS = [0.1, -3.0, float("nan"), float("inf"), float("-inf"), 1e30, 7.0]
MARKDOWN = (
    "# Head\n\n* one\n* **two**\n    * three\n    * ***four***\n\n|a|b|\n|-|-|\n|1|`2`|\n\n"
    "```\ncode < 1\n\ta\tb\n```\n[link](https://a.example/?x=1&y=2)"
)
RANDOM = np.random.default_rng(5)
Value = summary_pb2.Summary.Value


class Writer:
    """TensorBoard's event file writer with a fixed clock; a second file is read after the first."""

    def __init__(self, folder: Path, suffix: str = "") -> None:
        self._writer = EventFileWriter(str(folder), filename_suffix=suffix)

    def event(self, *, step: int = 0, **what: Any) -> None:
        self._writer.add_event(event_pb2.Event(wall_time=1_700_000_000.25 + step, step=step, **what))

    def value(self, tag: str, *, step: int = 0, **fields: Any) -> None:
        self.summary(summary_pb2.Summary(value=[Value(tag=tag, **fields)]), step=step)

    def tensor(self, tag: str, data: Any, *, step: int = 0, metadata: Any = None, **more: Any) -> None:
        given = {"metadata": metadata} if metadata is not None else {}
        self.value(tag, step=step, tensor=make_tensor_proto(data, **more), **given)

    def summary(self, message: Any, *, step: int = 0) -> None:
        self.event(step=step, summary=summary_pb2.Summary.FromString(message.SerializeToString()))

    def close(self) -> None:
        self._writer.close()


def write_all(logdir: Path) -> set[tuple[str, str]]:
    """Returns the tag that marks each run as complete."""
    write_torch(logdir / "torch")
    write_tensorboardx(logdir / "nested" / "x")
    write_legacy(logdir)
    write_modern(logdir / "modern")
    write_graphs(logdir / "graphs")
    return {(run, END) for run in ("torch", "nested/x", ".", "modern", "graphs")} | {("torch/trial", "hparam/loss")}


def pixels(*shape: int) -> Any:
    return RANDOM.integers(0, 255, shape, np.uint8)


def write_torch(folder: Path) -> None:
    import torch
    from torch.utils.tensorboard import SummaryWriter

    with warnings.catch_warnings(), SummaryWriter(str(folder)) as writer:
        warnings.simplefilter("ignore")
        write_common(writer)
        writer.add_audio("sound", torch.sin(torch.arange(50) / 3).reshape(1, -1), 4, sample_rate=8000)
        writer.add_scalar("double", 0.1, 1, new_style=True, double_precision=True)
        writer.add_graph(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU()), torch.zeros(1, 3))
        writer.add_mesh(
            "cube", torch.rand(2, 4, 3), colors=torch.ones(2, 4, 3), faces=torch.ones(2, 1, 3), global_step=1
        )
        writer.add_mesh(
            "cube", torch.rand(2, 4, 3), colors=torch.ones(2, 4, 3), faces=torch.ones(2, 1, 3), global_step=2
        )
        writer.add_custom_scalars(
            {"Losses": {"both": ["Multiline", ["loss", "other"]], "band": ["Margin", ["a", "b", "c"]]}}
        )
        writer.add_embedding(torch.rand(5, 3), metadata=list("abcde"), label_img=torch.rand(5, 3, 4, 4), tag="points")
        writer.add_hparams({"lr": 0.1, "name": "adam", "on": True}, {"hparam/loss": 0.5}, run_name="trial")
        writer.add_scalar(END, 1, 0)


def write_tensorboardx(folder: Path) -> None:
    from tensorboardX import SummaryWriter

    with warnings.catch_warnings(), SummaryWriter(str(folder)) as writer:
        warnings.simplefilter("ignore")
        write_common(writer)
        # It does not say which parts the mesh has.
        writer.add_mesh("tetrahedron", RANDOM.random((1, 4, 3)), colors=np.ones((1, 4, 3), np.uint8), global_step=1)
        writer.add_scalar(END, 1, 0)


def write_common(writer: Any) -> None:
    """The calls that torch and tensorboardX have in common."""
    for step, number in enumerate(NUMBERS):
        writer.add_scalar("loss", number, step * 10, walltime=1_700_000_000 + step)
        writer.add_histogram("weights", RANDOM.normal(size=200), step)
    writer.add_histogram("constant", np.full(10, 3.5), 1)
    for step in (1, 2, 3):
        writer.add_image("picture", pixels(3, 4, 5), step)
        writer.add_images("batch", pixels(2, 3, 4, 5), step)
        writer.add_text("notes", MARKDOWN, step)
        writer.add_pr_curve("curve", RANDOM.integers(0, 2, 50), RANDOM.random(50), step, num_thresholds=11)


def write_legacy(folder: Path) -> None:
    """The forms of TensorFlow 1, in the root of the log directory."""
    writer = Writer(folder)
    encoded = image.png(pixels(4, 6, 3))
    for step, number in enumerate(NUMBERS):
        writer.value("old/scalar_summary", step=step, simple_value=number)
    histogram = histogram_pb2.HistogramProto(
        min=-0.5,
        max=0.4,
        num=6,
        sum=1,
        sum_squares=2,
        bucket_limit=[-1e308, -0.1, 0.0, 0.3, 1e308],
        bucket=[0, 2, 0, 3, 1],
    )
    writer.value("old/histogram", histo=histogram)
    writer.value("old/empty", histo=histogram_pb2.HistogramProto())
    writer.value(
        "old/image",
        image=summary_pb2.Summary.Image(height=4, width=6, colorspace=3, encoded_image_string=encoded),
        metadata=summary_pb2.SummaryMetadata(display_name="Shown", summary_description="An *image*"),
    )
    writer.value(
        "old/audio",
        audio=summary_pb2.Summary.Audio(
            sample_rate=1, encoded_audio_string=b"RIFF....WAVEfmt ", content_type="audio/wav"
        ),
    )
    writer.value(END, simple_value=1)
    writer.close()


def write_modern(folder: Path) -> None:
    """TensorBoard's own functions, in two files: the second continues the series of the first."""
    for part in (0, 1):
        writer = Writer(folder, suffix=f".{part}")
        for step in range(part * 3, part * 3 + 3):
            write_modern_step(writer, step)
        if part == 1:
            writer.summary(scalar_summary.scalar_pb(END, 1.0))
        writer.close()


def write_modern_step(writer: Writer, step: int) -> None:
    first = step % 3 == 0  # of a file; later values leave their metadata out
    writer.summary(scalar_summary.scalar_pb("accuracy", 0.1 * step, description="As a *share*"), step=step)
    writer.tensor(
        "named",
        2.0 * step,
        step=step,
        metadata=scalar_metadata.create_summary_metadata("The name", "") if first else None,
    )
    writer.summary(
        histogram_summary.histogram_pb("hist", RANDOM.normal(size=100), buckets=7, description="d"), step=step
    )
    writer.tensor(
        "empty",
        np.zeros((0, 3)),
        step=step,
        metadata=histogram_metadata.create_summary_metadata("", "") if first else None,
    )
    # As TensorFlow makes them of data with NaN, at all steps but the first.
    edges = np.array([[0.0, 1.0, 5.0], [1.0, 2.0, 3.0]]) * (1.0 if step == 0 else np.nan)
    writer.tensor("broken", edges, step=step, metadata=histogram_metadata.create_summary_metadata("", ""))
    partly = np.array([[0.0, 1.0, 5.0], [1.0, np.nan, 3.0]])
    writer.tensor("a/partly", partly, step=step, metadata=histogram_metadata.create_summary_metadata("", ""))
    writer.tensor("cube", np.full((2, 2, 2), b"*x*"), step=step, metadata=text_metadata.create_summary_metadata("", ""))
    writer.summary(text_summary.text_pb("table", np.array([["a", "**b**"], ["<i>c</i>", "d & e"]])), step=step)
    writer.tensor("row", [b"x", b"y < z"], step=step, metadata=text_metadata.create_summary_metadata("", ""))
    pictures = [b"5", b"4", *(image.png(pixels(4, 5, 3)) for _ in range(1 + step % 3))]
    writer.tensor("pictures", pictures, step=step, metadata=image_metadata.create_summary_metadata("P", "*some*"))
    writer.tensor("another", pictures, step=step, metadata=image_metadata.create_summary_metadata("", ""))
    clips = [[b"RIFF....WAVEfmt " + bytes([step]), b"label"], [b"RIFF....WAVEfmt 2", b""]]
    writer.tensor(
        "clips",
        clips,
        step=step,
        metadata=audio_metadata.create_summary_metadata("", "", encoding=audio_metadata.Encoding.Value("WAV")),
    )
    writer.tensor(
        "pr",
        RANDOM.random((6, 5)).astype(np.float32) * 9 * (np.arange(5) < 4),
        step=step,
        metadata=pr_curve_metadata.create_summary_metadata("", "PR", 5),
    )
    points = mesh_metadata.create_summary_metadata("points", "", 1, 2, [1, 4, 3], json_config='{"camera": 1}')
    writer.tensor("points_VERTEX", RANDOM.random((1, 4, 3)).astype(np.float32), step=step, metadata=points)


def write_graphs(folder: Path) -> None:
    writer = Writer(folder)
    inner = graph_pb2.GraphDef()
    inner.versions.producer = 27
    inner.node.add(name="a", op="Const").attr["value"].s = b"x" * 2000
    inner.node.add(name="b", op="Identity", input=["a"])
    function = inner.library.function.add()
    function.signature.name = "f"
    function.arg_attr[0].attr["_user_specified_name"].s = b"x"
    inner.node[1].experimental_debug_info.original_node_names.append("a")
    inner.node[1].experimental_type.type_id = full_type_pb2.TFT_TENSOR
    inner.node[1].attr["T"].type = types_pb2.DT_FLOAT_REF
    call = inner.node.add(name="call", op="PartitionedCall")
    call.attr["f"].func.name = "f"
    writer.event(graph_def=inner.SerializeToString())
    profile = config_pb2.RunMetadata()
    profile.step_stats.dev_stats.add(device="cpu").node_stats.add(node_name="a", all_end_rel_micros=5)
    for _ in range(2):
        profile.function_graphs.add().pre_optimization_graph.CopyFrom(inner)
    writer.event(
        tagged_run_metadata=event_pb2.TaggedRunMetadata(tag="step 1", run_metadata=profile.SerializeToString())
    )
    for name, tag in (("graph_run_metadata", "both"), ("graph_run_metadata_graph", "ops")):
        writer.tensor(tag, profile.SerializeToString(), metadata=plugin(name))
    writer.tensor("keras", json.dumps(KERAS_MODEL).encode(), metadata=plugin("graph_keras_model"))
    writer.tensor("nested", json.dumps(NESTED_MODEL).encode(), metadata=plugin("graph_keras_model"))
    writer.value(END, simple_value=1)
    writer.close()


def plugin(name: str) -> Any:
    data = summary_pb2.SummaryMetadata.PluginData(plugin_name=name, content=b"1")
    return summary_pb2.SummaryMetadata(plugin_data=data)


def layer(name: str, kind: str, *inputs: str, dtype: Any = "float32", **config: Any) -> dict[str, Any]:
    """As Keras 3 writes a layer of a functional model."""
    args = [{"class_name": "__keras_tensor__", "config": {"keras_history": [source, 0, 0]}} for source in inputs]
    nodes = [{"args": [args] if len(args) > 1 else args, "kwargs": {}}] if inputs else []
    return {"class_name": kind, "config": {"name": name, "dtype": dtype, **config}, "inbound_nodes": nodes}


def model(name: str, layers: list[Any], inputs: list[Any], outputs: list[Any], *sources: str) -> dict[str, Any]:
    return layer(name, "Functional", *sources, layers=layers, input_layers=inputs, output_layers=outputs)


KERAS_MODEL = {
    "class_name": "Sequential",
    "config": {
        "name": "seq",
        "layers": [
            {"class_name": "InputLayer", "config": {"name": "in", "dtype": "float32"}},
            {
                "class_name": "Dense",
                "config": {"name": "dense", "dtype": {"class_name": "DTypePolicy", "config": {"name": "float32"}}},
            },
            {
                "class_name": "Dense",
                "config": {"name": "out", "dtype": {"class_name": "DTypePolicy", "config": {"name": "mixed_float16"}}},
            },
        ],
    },
}
NESTED_MODEL = model(
    "outer",
    [
        layer("left", "InputLayer"),
        layer("right", "InputLayer", dtype="int32"),
        layer("add", "Add", "left", "right"),
        model("inner", [layer("x", "InputLayer"), layer("y", "Dense", "x")], ["x", 0, 0], ["y", 0, 0], "add"),
        layer("last", "Dense", "inner"),
    ],
    [["left", 0, 0], ["right", 0, 0]],
    [["last", 0, 0]],
)
