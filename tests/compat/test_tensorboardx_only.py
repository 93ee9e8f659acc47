"""What tensorboardX's writer has and torch's has not: both get the same calls."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboardX import SummaryWriter

import seamark

WALL = 1700000000.25
# Needs OpenVINO's format, which nothing else here reads.
LEFT_OUT = {"add_openvino_graph"}


def events_in(folder: Path) -> list[tuple[str, int, float]]:
    return [
        (value.tag, event.step, event.wall_time)
        for path in sorted(folder.glob("*tfevents*"))
        for event in EventFileLoader(str(path)).Load()
        for value in event.summary.value
    ]


def test_every_method_is_there_with_every_argument() -> None:
    for name, theirs in inspect.getmembers(SummaryWriter, callable):
        if name.startswith("_") or name in LEFT_OUT:
            continue
        ours = inspect.signature(getattr(seamark.SummaryWriter, name)).parameters
        assert set(inspect.signature(theirs).parameters) - {"kwargs"} <= set(ours), name


def log(writer: Any) -> None:
    with writer.use_metadata(global_step=7, walltime=WALL):
        writer.add_scalar("a", 0.5)
        writer.add_scalar("own_step", 0.5, 3)
        writer.add_scalar("own_time", 0.5, walltime=WALL + 1)
        writer.add_histogram("weights", np.ones(3))
        writer.add_text("note", "text")
        writer.add_image("picture", np.zeros((3, 4, 4)))
    writer.add_scalar("after", 0.5, walltime=WALL)


def test_a_block_gives_its_step_and_time_to_the_calls_in_it(tmp_path: Path) -> None:
    for name, make in (("theirs", SummaryWriter), ("ours", seamark.SummaryWriter)):
        writer = make(str(tmp_path / name))
        log(writer)
        writer.close()
    assert events_in(tmp_path / "ours") == events_in(tmp_path / "theirs") != []


def test_after_an_error_in_a_block_the_writer_is_as_before(tmp_path: Path) -> None:
    writer = seamark.SummaryWriter(tmp_path)
    with pytest.raises(ZeroDivisionError), writer.use_metadata(global_step=7):
        _ = 1 / 0
    writer.add_scalar("a", 0.5)
    writer.close()
    assert [step for _, step, _ in events_in(tmp_path)] == [0]


def test_scalars_of_many_keys_are_exported(tmp_path: Path) -> None:
    exported = {}
    for name, make in (("theirs", SummaryWriter), ("ours", seamark.SummaryWriter)):
        writer = make(str(tmp_path / name))
        for step in range(3):
            writer.add_scalars("loss", {"train": step / 2, "valid": step / 4}, step, WALL)
        writer.export_scalars_to_json(str(tmp_path / f"{name}.json"))
        writer.close()
        exported[name] = json.loads((tmp_path / f"{name}.json").read_text())
    # The names are the runs' folders, and those are torch's.
    assert list(exported["ours"].values()) == list(exported["theirs"].values()) != []
    assert [Path(folder).name for folder in exported["ours"]] == ["loss_train", "loss_valid"]


def test_an_onnx_file_by_tensorboardxs_name(tmp_path: Path) -> None:
    with seamark.SummaryWriter(tmp_path) as writer:
        with pytest.raises(TypeError, match="needs the path"):
            writer.add_onnx_graph()
        with pytest.raises((OSError, ImportError)):
            writer.add_onnx_graph(onnx_model_file=str(tmp_path / "none.onnx"))
