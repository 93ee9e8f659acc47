"""A few steps of real algorithms; SB3's TensorBoardOutputFormat and ours listen side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.integrations import documented, imported, written

sb3 = pytest.importorskip("stable_baselines3", reason="run it with `make test-integrations`")
from stable_baselines3.common.logger import HParam, Image, Logger, TensorBoardOutputFormat, Video

from seamark.integrations import autolog
from seamark.integrations.stable_baselines3 import SeamarkOutputFormat, logger


def model(**options: Any) -> Any:
    return sb3.PPO("MlpPolicy", "CartPole-v1", n_steps=16, batch_size=16, n_epochs=1, seed=0, device="cpu", **options)


def test_an_algorithm_records_the_same_into_both(tmp_path: Path) -> None:
    agent = model()
    both = [SeamarkOutputFormat(tmp_path / "ours"), TensorBoardOutputFormat(str(tmp_path / "theirs"))]
    agent.set_logger(Logger(str(tmp_path), both))
    agent.learn(48)
    agent.logger.close()
    written.assert_same_scalars(tmp_path / "ours", tmp_path / "theirs")
    assert {"train/loss", "train/entropy_loss", "time/fps", "rollout/ep_rew_mean"} <= set(
        written.scalars(tmp_path / "ours")["."]
    )


def test_every_kind_of_value_is_written_as_theirs(tmp_path: Path) -> None:
    both = [SeamarkOutputFormat(tmp_path / "ours"), TensorBoardOutputFormat(str(tmp_path / "theirs"))]
    log = Logger(str(tmp_path), both)
    log.record("text", "<b>é😀</b>")
    log.record("nan", float("nan"))
    log.record("int", np.int64(3))
    log.record("weights", torch.arange(9.0))
    log.record("hidden", 1.0, exclude="tensorboard")
    log.record("picture", Image(np.zeros((4, 5, 3), np.uint8), "HWC"))
    log.record("film", Video(torch.zeros(1, 2, 3, 8, 8, dtype=torch.uint8), fps=4), exclude=("stdout",))
    log.dump(step=7)
    log.close()
    ours, theirs = (written.kinds(tmp_path / name) for name in ("ours", "theirs"))
    # torch's writer wants another package for films.
    assert ours.pop((".", "film")) == ("images", [7])
    theirs.pop((".", "film"), None)
    assert ours == theirs
    assert written.texts(tmp_path / "ours") == written.texts(tmp_path / "theirs")


def test_hyperparameters_are_those_of_the_run_itself(tmp_path: Path) -> None:
    log = logger(tmp_path)
    log.record("hparams", HParam({"rate": 0.1, "algorithm": "PPO"}, {"rollout/ep_rew_mean": 0.0}))
    log.dump(step=0)
    log.close()
    assert written.hparams(tmp_path) == {".": {"rate": 0.1, "algorithm": "PPO"}}
    assert written.hparam_metrics(tmp_path) == {".": {"rollout/ep_rew_mean"}}
    assert written.scalars(tmp_path) == {}
    assert written.session_ends(tmp_path) == {".": "STATUS_SUCCESS"}
    assert len(list(tmp_path.glob("*tfevents*"))) == 1


def test_autolog_logs_a_model_that_has_no_logger_of_its_own(tmp_path: Path) -> None:
    autolog.autolog(tmp_path / "auto", only=["stable_baselines3"])
    try:
        agent = model()
        agent.learn(32)
        agent.logger.close()
        other = model()
        other.set_logger(logger(tmp_path / "mine"))
        other.learn(32)
        other.logger.close()
    finally:
        autolog.autolog(disable=True)
    model().learn(32)
    (run,) = written.scalars(tmp_path / "auto")
    assert run.startswith("PPO_")
    assert "train/loss" in written.scalars(tmp_path / "mine")["."]


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("stable_baselines3", "import stable_baselines3", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    agent = model()
    documented.run("Stable-Baselines3", model=agent)
    agent.logger.close()
    assert "train/loss" in written.scalars(tmp_path)["runs/ppo"]
