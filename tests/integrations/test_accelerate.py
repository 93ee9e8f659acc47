"""Accelerate's own TensorBoardTracker and ours log the same data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.integrations import documented, imported, written

accelerate = pytest.importorskip("accelerate", reason="run it with `make test-integrations`")

from seamark.integrations import autolog
from seamark.integrations.accelerate import SeamarkTracker


def train(accelerator: Any, project: str) -> None:
    """A real loop on a real optimizer, with everything a tracker takes."""
    torch.manual_seed(0)
    accelerator.init_trackers(project, config={"rate": 0.1, "layers": 1, "name": "line", "shuffle": True})
    model = torch.nn.Linear(1, 1)
    model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=0.1))
    for step in range(3):
        loss = (model(torch.ones(4, 1, device=accelerator.device)) - 1).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        accelerator.log({"loss": loss, "half": torch.tensor(0.5, dtype=torch.bfloat16), "note": "é"}, step=step)
    accelerator.log({"both": {"left": 1.0, "right": 2}}, step=3)
    for tracker in accelerator.trackers:
        tracker.log_images({"picture": np.zeros((2, 3, 4, 4), np.uint8)}, step=3)
    accelerator.end_training()


def relative(runs: dict[str, Any]) -> list[Any]:
    """The run below which the hyperparameters lie is named after the time in both."""
    return [runs[name] for name in sorted(runs)]


def test_our_tracker_writes_what_tensorboardtracker_writes(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    train(accelerate.Accelerator(cpu=True, log_with=SeamarkTracker("line", ours)), "line")
    train(accelerate.Accelerator(cpu=True, log_with="tensorboard", project_dir=str(theirs)), "line")
    written.assert_same_scalars(ours, theirs)
    assert written.scalars(ours)["line"]["half"] == [(0, 0.5), (1, 0.5), (2, 0.5)]
    assert set(written.scalars(ours)) == {"line", "line/both_left", "line/both_right"}
    assert written.texts(ours) == written.texts(theirs)
    assert written.tags(ours, plugin="images") == written.tags(theirs, plugin="images") == {"line": {"picture"}}
    assert relative(written.hparams(ours)) == relative(written.hparams(theirs))


def test_the_accelerator_knows_it_by_name(tmp_path: Path) -> None:
    accelerator = accelerate.Accelerator(cpu=True, log_with=SeamarkTracker("line", tmp_path, flush_secs=1))
    accelerator.init_trackers("line")
    accelerator.get_tracker("seamark", unwrap=True).add_histogram("weights", np.arange(9.0), 1)
    accelerator.end_training()
    assert written.tags(tmp_path) == {"line": {"weights"}}


def test_autolog_adds_a_tracker_beside_others_but_not_a_second(tmp_path: Path) -> None:
    autolog.autolog(tmp_path / "auto", only=["accelerate"])
    try:
        train(accelerate.Accelerator(cpu=True), "first")
        train(accelerate.Accelerator(cpu=True, log_with=SeamarkTracker("second", tmp_path / "mine")), "second")
    finally:
        autolog.autolog(disable=True)
    train(accelerate.Accelerator(cpu=True), "third")
    assert len(written.scalars(tmp_path / "auto")["first"]["loss"]) == 3
    assert {run.split("/")[0] for run in written.scalars(tmp_path / "auto")} == {"first"}
    assert "loss" in written.scalars(tmp_path / "mine")["second"]


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("accelerate", "import accelerate", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documented.run("Accelerate", Accelerator=accelerate.Accelerator)
    assert written.scalars(tmp_path)["runs/first"]["loss"] == [(1, 0.5)]
