"""Two runs with something for every tab of TensorBoard's page."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark import SummaryWriter
from seamark.format.messages import GraphDef
from seamark.kinds.graph import encode as encode_graph
from seamark.kinds.summary import graph_record
from seamark.write.append.event_file import EventFile

STEPS = 5


def write_every_kind(logdir: Path) -> None:
    for name, rate in (("first", 0.5), ("second", 0.25)):
        write_run(logdir / name, rate)
    write_graph(logdir / "first")


def write_run(folder: Path, rate: float) -> None:
    random = np.random.default_rng(3)
    with SummaryWriter(folder) as writer:
        for step in range(STEPS):
            writer.add_scalar("train/loss", rate / (step + 1), step)
            writer.add_scalar("train/accuracy", 1 - rate / (step + 1), step)
            writer.add_histogram("layer/weights", random.normal(size=200) + step, step)
            writer.add_image("samples/picture", random.integers(0, 255, (3, 8, 8), np.uint8), step)
            writer.add_audio("samples/sound", np.sin(np.arange(400) / 5)[None], step, sample_rate=8000)
            writer.add_text("notes/plan", f"step *{step}* of **{folder.name}**", step)
            writer.add_pr_curve("validation/pr", random.integers(0, 2, 50), random.random(50), step)
        corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]], np.float32)
        faces = np.array([[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]], np.int32)
        writer.add_mesh("shapes/tetrahedron", corners, colors=np.full((1, 4, 3), 200, np.uint8), faces=faces)
        writer.add_custom_scalars({"Training": {"curves": ["Multiline", ["train/.*"]]}})
        writer.add_embedding(random.random((20, 4)), metadata=[f"word{row}" for row in range(20)], tag="words")
        writer.add_hparams({"rate": rate, "optimizer": "adam"}, {"final/loss": rate / STEPS}, run_name="trial")


def write_graph(folder: Path) -> None:
    graph = GraphDef()
    graph.versions.producer = 22
    graph.node.add(name="input", op="Placeholder")
    graph.node.add(name="encoder/dense", op="MatMul", input=["input"])
    graph.node.add(name="output", op="Softmax", input=["encoder/dense"])
    with EventFile(folder) as file:
        file.append(graph_record(encode_graph(graph), wall_time=1000.0))
