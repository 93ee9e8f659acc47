"""Ignite's own TensorboardLogger and ours, attached in the same ways to the same training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from tests.integrations import documented, written

ignite = pytest.importorskip("ignite", reason="run it with `make test-integrations`")
from ignite.engine import Engine, Events
from ignite.handlers.tensorboard_logger import TensorboardLogger

from seamark import SummaryWriter
from seamark.integrations import ignite as ours


def train(logger: Any) -> None:
    torch.manual_seed(0)
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(engine: Engine, batch: torch.Tensor) -> dict[str, float]:
        optimizer.zero_grad()
        loss = (model(batch) - 1).square().mean()
        loss.backward()
        optimizer.step()
        return {"loss": loss.item()}

    trainer = Engine(step)
    every = Events.ITERATION_COMPLETED
    logger.attach_output_handler(trainer, every, tag="training", output_transform=lambda output: output)
    logger.attach_opt_params_handler(trainer, Events.ITERATION_STARTED, optimizer=optimizer)
    logger.attach(trainer, ours.WeightsScalarHandler(model), every(every=2))
    logger.attach(trainer, ours.WeightsHistHandler(model), Events.EPOCH_COMPLETED)
    logger.attach(trainer, ours.GradsHistHandler(model, tag="last"), Events.EPOCH_COMPLETED)
    trainer.run([torch.ones(4, 2)] * 3, max_epochs=2)
    logger.close()


def test_every_handler_of_ignites_logs_the_same_through_ours(tmp_path: Path) -> None:
    train(ours.SeamarkLogger(log_dir=tmp_path / "ours"))
    train(TensorboardLogger(log_dir=tmp_path / "theirs"))
    written.assert_same_scalars(tmp_path / "ours", tmp_path / "theirs")
    assert written.kinds(tmp_path / "ours") == written.kinds(tmp_path / "theirs")
    assert len(written.scalars(tmp_path / "ours")["."]["training/loss"]) == 6
    assert written.tags(tmp_path / "ours", plugin="histograms")["."] >= {"weights/weight", "last/grads/bias"}


def test_a_writer_that_is_there_is_used_and_left_open(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        with ours.SeamarkLogger(writer) as logger:
            logger.writer.add_scalar("inside", 1.0, 0)
        writer.add_scalar("afterwards", 1.0, 0)
    assert set(written.scalars(tmp_path)["."]) == {"inside", "afterwards"}


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trainer = Engine(lambda engine, batch: batch)
    documented.run("Ignite", trainer=trainer)
    trainer.run([1.0, 2.0])
    assert [value for _, value in written.scalars(tmp_path)["runs/first"]["training/loss"]] == [1.0, 2.0]
