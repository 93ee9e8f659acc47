"""Lightning's own TensorBoardLogger and ours train the same model and must leave the same charts."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import gc
import pickle
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.integrations import documented, imported, written

lightning = pytest.importorskip("lightning", reason="run it with `make test-integrations`")
from lightning.pytorch import LightningModule, Trainer, callbacks
from lightning.pytorch.loggers import TensorBoardLogger

from seamark.integrations import autolog
from seamark.integrations.lightning import ProfileCallback, SeamarkLogger
from seamark.write.test_support import logged_warnings


class Line(LightningModule):
    """A straight line, fitted to points on one."""

    def __init__(self, rate: float = 0.1, depth: dict[str, int] | None = None) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(2, 1)
        self.example_input_array = torch.zeros(1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)

    def loss(self, batch: Any) -> torch.Tensor:
        x, y = batch
        return torch.nn.functional.mse_loss(self(x), y)

    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        loss = self.loss(batch)
        self.log("train/loss", loss, on_step=True, on_epoch=True)
        return loss

    def validation_step(self, batch: Any, batch_idx: int) -> None:
        self.log("val/loss", self.loss(batch))

    def test_step(self, batch: Any, batch_idx: int) -> None:
        self.log("test/loss", self.loss(batch))

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), lr=self.hparams.rate)


def batches() -> torch.utils.data.DataLoader:
    x = torch.linspace(-1, 1, 32).reshape(16, 2)
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True)), batch_size=4)


def train(logger: Any, folder: Path, **options: Any) -> Trainer:
    torch.manual_seed(0)
    quiet = {"enable_progress_bar": False, "enable_model_summary": False, "log_every_n_steps": 1, "max_epochs": 2}
    trainer = Trainer(logger=logger, default_root_dir=folder, accelerator="cpu", **quiet, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer.fit(Line(depth={"layers": 1}), batches(), batches())
        trainer.test(trainer.model, batches(), verbose=False)
    return trainer


def test_a_trainer_leaves_the_same_charts_as_with_tensorboardlogger(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder, kind in ((ours, SeamarkLogger), (theirs, TensorBoardLogger)):
        train(kind(folder, log_graph=True), folder, callbacks=[callbacks.LearningRateMonitor("step")])
    # Theirs logs the placeholder before fitting, and again before testing.
    written.assert_same_scalars(ours, theirs, once=("hp_metric",))
    assert written.scalars(ours)["lightning_logs/version_0"]["hp_metric"] == [(0, -1.0)]
    assert {"train/loss_step", "train/loss_epoch", "val/loss", "test/loss", "epoch", "hp_metric", "lr-SGD"} == set(
        written.scalars(ours)["lightning_logs/version_0"]
    )
    assert written.hparams(ours) == written.hparams(theirs)
    assert written.hparams(ours)["lightning_logs/version_0"] == {"rate": 0.1, "depth/layers": 1.0}
    assert written.hparam_metrics(ours) == written.hparam_metrics(theirs)
    assert written.graph_runs(ours) == written.graph_runs(theirs) == {"lightning_logs/version_0"}


def test_some_batches_are_profiled_in_the_trainers_folder(tmp_path: Path) -> None:
    trainer = train(SeamarkLogger(tmp_path), tmp_path, callbacks=[ProfileCallback(3, steps=1, warmup=1)])
    traces = list((Path(trainer.log_dir) / "plugins" / "profile").glob("*/*.pt.trace.json.gz"))
    assert sorted(written.profiled_steps(trace) for trace in traces) == [[5], [8]], "of 8 batches, 4 and 7 are warm-ups"
    with pytest.raises(ValueError, match="every_n_steps"):
        ProfileCallback(2)


def test_fitting_and_testing_write_one_file_with_the_hyperparameters_once(tmp_path: Path) -> None:
    for _ in range(2):
        train(SeamarkLogger(tmp_path), tmp_path)
    runs = [f"lightning_logs/version_{version}" for version in range(2)]
    assert sorted(path.parent.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*tfevents*")) == runs
    assert all({"train/loss_step", "val/loss", "test/loss"} <= tags for tags in written.tags(tmp_path).values())
    assert written.session_starts(tmp_path) == runs
    assert set(written.session_ends(tmp_path).values()) == {"STATUS_SUCCESS"}


class Broken(Line):
    def training_step(self, batch: Any, batch_idx: int) -> torch.Tensor:
        raise ZeroDivisionError


def test_a_training_that_fails_is_marked_as_failed(tmp_path: Path) -> None:
    quiet = {"enable_progress_bar": False, "enable_model_summary": False, "accelerator": "cpu", "max_epochs": 1}
    trainer = Trainer(logger=SeamarkLogger(tmp_path), default_root_dir=tmp_path, **quiet)
    with pytest.raises(ZeroDivisionError):
        trainer.fit(Broken(), batches())
    assert written.session_ends(tmp_path) == {"lightning_logs/version_0": "STATUS_FAILURE"}


@pytest.mark.timed
def test_a_logger_that_is_garbage_closes_its_file(tmp_path: Path) -> None:
    logger = SeamarkLogger(tmp_path)
    logger.log_metrics({"a": 1.0}, step=0)
    recorder = logger.experiment.sink.recorder
    del logger
    gc.collect()
    deadline = time.monotonic() + 60
    while recorder.path and time.monotonic() < deadline:
        time.sleep(0.01)
    assert recorder.path == ""
    assert written.scalars(tmp_path)["lightning_logs/version_0"] == {"a": [(0, 1.0)]}


def test_checkpoints_and_hparams_file_lie_beside_the_events(tmp_path: Path) -> None:
    logger = SeamarkLogger(tmp_path, name="lines", version="first", sub_dir="deep")
    trainer = train(logger, tmp_path)
    assert Path(logger.log_dir) == tmp_path / "lines" / "first" / "deep"
    assert (tmp_path / "lines" / "first" / "deep" / "hparams.yaml").read_text().count("rate: 0.1") == 1
    assert trainer.log_dir == logger.log_dir
    again = Line.load_from_checkpoint(trainer.checkpoint_callback.best_model_path)
    assert again.hparams.rate == 0.1


@pytest.mark.parametrize("kind", [SeamarkLogger, TensorBoardLogger])
def test_versions_are_numbered_like_theirs(tmp_path: Path, kind: Any) -> None:
    folder = tmp_path / "lightning_logs"
    for name in ("version_0", "version_7", "version_x", "other"):
        (folder / name).mkdir(parents=True)
    (folder / "version_9").write_text("a file is no version")
    logger = kind(tmp_path)
    assert (logger.version, logger.name, logger.save_dir) == (8, "lightning_logs", str(tmp_path))
    assert logger.root_dir == str(folder)
    assert logger.log_dir == str(folder / "version_8")
    assert kind(tmp_path, name=None, version=3).log_dir == str(tmp_path / "version_3")


@dataclasses.dataclass
class Optimizer:
    name: str = "sgd"
    momentum: float = 0.9


@pytest.mark.parametrize(
    "params",
    [
        {"flag": True, "size": 3, "text": "<script>", "nothing": None, "widths": [1, 2], "of": {"deep": {"er": 1}}},
        argparse.Namespace(rate=0.1, tensor=torch.tensor([2.0]), optimizer=Optimizer(), layer=torch.nn.Linear),
    ],
)
def test_hyperparameters_look_the_same(tmp_path: Path, params: Any) -> None:
    for folder, kind in (("ours", SeamarkLogger), ("theirs", TensorBoardLogger)):
        logger = kind(tmp_path / folder, name="", version="")
        logger.log_hyperparams(params, {"score": 0.5})
        logger.finalize("success")
    assert written.hparams(tmp_path / "ours") == written.hparams(tmp_path / "theirs")
    written.assert_same_scalars(tmp_path / "ours", tmp_path / "theirs")


def test_prefixes_groups_and_non_finite_values(tmp_path: Path) -> None:
    for folder, kind in (("ours", SeamarkLogger), ("theirs", TensorBoardLogger)):
        logger = kind(tmp_path / folder, prefix="job", name="", version="run")
        logger.log_metrics({"a": torch.tensor(1.0), "nan": float("nan"), "inf": float("inf"), "é😀": 2}, step=5)
        logger.log_metrics({"both": {"left": 1.0, "right": 2.0}}, step=6)
        logger.finalize("success")
    written.assert_same_scalars(tmp_path / "ours", tmp_path / "theirs")
    assert set(written.scalars(tmp_path / "ours")) == {"run", "run/job-both_left", "run/job-both_right"}


def test_without_the_placeholder_metric_no_hyperparameters_are_written(tmp_path: Path) -> None:
    logger = SeamarkLogger(tmp_path, default_hp_metric=False)
    logger.log_hyperparams({"rate": 0.1})
    logger.finalize("success")
    assert written.hparams(tmp_path) == {}
    assert logger.hparams == {"rate": 0.1}


def test_a_model_without_an_example_input_is_a_warning(tmp_path: Path) -> None:
    with logged_warnings("set example_input_array"):
        SeamarkLogger(tmp_path, log_graph=True).log_graph(torch.nn.Linear(1, 1))


def test_a_logger_can_be_sent_to_another_process(tmp_path: Path) -> None:
    logger = SeamarkLogger(tmp_path)
    logger.log_metrics({"a": 1.0}, step=0)
    copy = pickle.loads(pickle.dumps(logger))
    assert copy.log_dir == logger.log_dir
    logger.finalize("success")


def test_fabric_logs_through_it(tmp_path: Path) -> None:
    from lightning.fabric import Fabric

    logger = SeamarkLogger(root_dir=tmp_path, name="fabric")
    fabric = Fabric(accelerator="cpu", devices=1, loggers=logger)
    fabric.launch()
    for step in range(3):
        fabric.log_dict({"loss": torch.tensor(1.0 / (step + 1)), "step": step}, step=step)
    fabric.logger.log_hyperparams({"rate": 0.5})
    logger.finalize("success")
    series = written.scalars(tmp_path)["fabric/version_0"]
    assert series["loss"] == [(0, 1.0), (1, 0.5), (2, pytest.approx(1 / 3))]
    assert written.hparams(tmp_path) == {"fabric/version_0": {"rate": 0.5}}


def test_autolog_gives_a_trainer_without_logger_ours_and_no_other(tmp_path: Path) -> None:
    assert autolog.autolog(tmp_path / "runs", only=["lightning"]) == ("lightning",)
    try:
        quiet = {"enable_progress_bar": False, "enable_model_summary": False, "accelerator": "cpu", "max_epochs": 1}
        assert isinstance(Trainer(**quiet).logger, SeamarkLogger)
        assert isinstance(Trainer(logger=True, **quiet).logger, SeamarkLogger)
        assert Trainer(logger=False, **quiet).loggers == []
        own = TensorBoardLogger(tmp_path)
        assert Trainer(logger=own, **quiet).logger is own
        train(None, tmp_path)
    finally:
        autolog.autolog(disable=True)
    assert "val/loss" in written.scalars(tmp_path / "runs")["lightning_logs/version_0"]
    assert isinstance(Trainer(**quiet, default_root_dir=tmp_path).logger, TensorBoardLogger)


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("lightning", "import lightning", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    quiet = functools.partial(Trainer, accelerator="cpu", enable_progress_bar=False, log_every_n_steps=1)
    documented.run("Lightning", Trainer=quiet, model=Line(), batches=batches())
    assert len(written.scalars(tmp_path)["runs/line/version_0"]["train/loss_step"]) == 4
