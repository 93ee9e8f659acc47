"""A real Learner without torchvision; fastai's own TensorBoardCallback needs that, so the tags are checked by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.integrations import documented, imported, written

pytest.importorskip("fastai", reason="run it with `make test-integrations`")
from fastai.data.core import DataLoaders
from fastai.data.load import DataLoader
from fastai.learner import Learner
from fastai.metrics import mae

from seamark.integrations import autolog
from seamark.integrations.fastai import SeamarkCallback


def learner(*callbacks: Any) -> Learner:
    torch.manual_seed(0)
    points = [(torch.tensor([x]), torch.tensor([2 * x])) for x in np.linspace(-1, 1, 16, dtype=np.float32)]
    loaders = DataLoaders(DataLoader(points, bs=4), DataLoader(points, bs=8))
    made = Learner(
        loaders, torch.nn.Linear(1, 1), loss_func=torch.nn.functional.mse_loss, metrics=mae, cbs=list(callbacks)
    )
    made.no_bar() if hasattr(made, "no_bar") else None
    return made


def test_losses_metrics_and_optimizer_parameters_under_fastais_tags(tmp_path: Path) -> None:
    learn = learner(SeamarkCallback(tmp_path, trace_model=True))
    learn.fit(2, lr=0.1)
    series = written.scalars(tmp_path)["."]
    assert {"train_loss", "valid_loss", "mae", "lr_0", "wd_0", "mom_0"} <= set(series)
    assert [step for step, _ in series["train_loss"]] == list(range(1, 9))
    assert [step for step, _ in series["valid_loss"]] == [4, 8]
    np.testing.assert_allclose(
        [value for _, value in series["mae"]], [row[2] for row in learn.recorder.values], rtol=1e-5
    )
    assert [value for _, value in series["lr_0"]] == [pytest.approx(0.1)] * 8
    assert written.graph_runs(tmp_path) == {"."}


def test_the_graph_of_a_model_with_two_inputs(tmp_path: Path) -> None:
    class Sum(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)

        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            out: torch.Tensor = self.layer(x) + y
            return out

    points = [(torch.tensor([x]), torch.tensor([x]), torch.tensor([2 * x])) for x in np.float32([0, 1, 2, 3])]
    loaders = DataLoaders(DataLoader(points, bs=4), DataLoader(points, bs=4))
    learn = Learner(
        loaders, Sum(), loss_func=torch.nn.functional.mse_loss, cbs=SeamarkCallback(tmp_path, trace_model=True)
    )
    learn.fit(1)
    assert written.graph_runs(tmp_path) == {"."}


def test_predictions_and_a_second_fit_make_no_second_run(tmp_path: Path) -> None:
    learn = learner(SeamarkCallback(tmp_path))
    learn.fit(1)
    learn.get_preds()
    learn.validate()
    learn.fit(1)
    assert len(written.scalars(tmp_path)["."]["train_loss"]) == 8
    assert set(written.scalars(tmp_path)) == {"."}


def test_autolog_logs_a_learner_that_has_no_callback_of_ours(tmp_path: Path) -> None:
    autolog.autolog(tmp_path / "auto", only=["fastai"])
    try:
        learner().fit(1)
        learner(SeamarkCallback(tmp_path / "mine")).fit(1)
    finally:
        autolog.autolog(disable=True)
    learner().fit(1)
    (run,) = written.scalars(tmp_path / "auto")
    assert run.startswith("fastai_")
    assert "mae" in written.scalars(tmp_path / "mine")["."]


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("fastai", "from fastai.learner import Learner", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documented.run("fastai", learn=learner())
    assert "valid_loss" in written.scalars(tmp_path)["runs/first"]
