"""Hyperparameters as TensorFlow, torch and Lightning write them, each by the code that those call."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tensorboard.plugins.hparams import api_pb2
from tensorboard.plugins.hparams import summary_v2 as hp
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData, SessionEndInfo
from tensorboard.plugins.scalar import summary_v2 as scalar_summary

from tests.compat.http_logs import Writer

Expected = set[tuple[str, str]]
DROPOUT = hp.HParam("dropout", hp.RealInterval(0.1, 0.5), display_name="Dropout", description="of the *last* layer")
UNITS = hp.HParam("num_units", hp.Discrete([16, 32]))
OPTIMIZER = hp.HParam("optimizer", hp.Discrete(["adam", "sgd"]))
AUGMENT = hp.HParam("augment", hp.Discrete([False, True]))
# What the plan names and no run has, and the other way round.
UNUSED = hp.HParam("unused")


def write_tensorflow(logdir: Path) -> Expected:
    """`hp.hparams_config` in the log directory, `hp.hparams` in each trial, Keras's metrics in folders below."""
    plan = Writer(logdir)
    metrics = [
        hp.Metric("epoch_loss", group="train", display_name="loss", dataset_type=hp.Metric.TRAINING),
        hp.Metric("epoch_loss", group="validation", display_name="loss (val.)", dataset_type=hp.Metric.VALIDATION),
        hp.Metric("accuracy"),
    ]
    plan.summary(hp.hparams_config_pb([DROPOUT, UNITS, OPTIMIZER, AUGMENT, UNUSED], metrics, time_created_secs=5.0))
    plan.close()
    expected: Expected = set()
    for at, (dropout, units, optimizer) in enumerate([(0.1, 16, "adam"), (0.5, 32, "sgd"), (0.1, 16, "adam")]):
        trial = Writer(logdir / f"trial-{at}")
        values: dict[Any, Any] = {DROPOUT: dropout, UNITS: np.int64(units), OPTIMIZER: optimizer, "extra": f"x{at}"}
        if at != 1:
            values[AUGMENT] = bool(at)
        # Two trials of one group: the same values, logged under a name that the user gave.
        trial.summary(hp.hparams_pb(values, trial_id="mine" if at != 1 else None, start_time_secs=10.0 + at))
        trial.summary(scalar_summary.scalar_pb("accuracy", 0.5 + at / 8), step=1)
        if at:
            status = api_pb2.STATUS_SUCCESS if at == 1 else api_pb2.STATUS_FAILURE
            end(trial, SessionEndInfo(status=status, end_time_secs=20.0 + at))
        trial.close()
        expected.add((f"trial-{at}", "accuracy"))
        for group in ("train", "validation"):
            writer = Writer(logdir / f"trial-{at}" / group)
            for step in range(3):
                writer.summary(scalar_summary.scalar_pb("epoch_loss", 1 / (1 + step + at)), step=step)
            writer.close()
            expected.add((f"trial-{at}/{group}", "epoch_loss"))
    return expected


def end(writer: Writer, info: SessionEndInfo) -> None:
    from tensorboard.plugins.hparams import metadata

    described = metadata.create_summary_metadata(HParamsPluginData(session_end_info=info))
    writer.value(metadata.SESSION_END_INFO_TAG, metadata=described, tensor=metadata.NULL_TENSOR)


def write_torch(logdir: Path) -> Expected:
    """`add_hparams` makes a run of its own below the writer's, named by the time or by `run_name`."""
    from torch.utils.tensorboard import SummaryWriter

    expected: Expected = set()
    for at in range(3):
        with SummaryWriter(str(logdir / f"run{at}")) as writer:
            for step in range(3):
                writer.add_scalar("train/loss", 1.0 / (1 + step), step)
            values = {"lr": 0.1 / (1 + at), "bsize": 8 * at, "optimizer": "adam" if at else "sgd", "bn": at == 1}
            results = {"hparam/accuracy": 0.5 + at / 8, "hparam/loss": 1.0 - at / 8}
            name = "noted" if at == 2 else f"170000000{at}.5"
            writer.add_hparams(
                values, results, {"optimizer": ["adam", "sgd", "lion"]} if at == 1 else None, run_name=name
            )
        expected |= {(f"run{at}", "train/loss"), (f"run{at}/{name}", "hparam/accuracy")}
    return expected


def write_lightning(logdir: Path) -> Expected:
    """TensorBoardLogger: plan, start and end in the run itself, `hp_metric` as a placeholder, hparams.yaml beside."""
    from torch.utils.tensorboard import SummaryWriter
    from torch.utils.tensorboard.summary import hparams

    expected: Expected = set()
    for at in range(3):
        folder = logdir / "lightning_logs" / f"version_{at}"
        values: dict[str, Any] = {
            "lr": 0.02 * (at + 1),
            "layers": "[64, 64]",
            "optim/name": "adamw",
            "use_ema": at == 1,
        }
        metrics = {"hp_metric": -1} if at != 2 else {"hp/val_loss": 0.25}
        with warnings.catch_warnings(), SummaryWriter(str(folder)) as writer:
            warnings.simplefilter("ignore")
            for name, value in metrics.items():
                writer.add_scalar(name, value, 0)
            for summary in hparams(values, metrics):
                writer.file_writer.add_summary(summary)
            for step in range(4):
                writer.add_scalar("val_loss", 2.0 / (1 + step + at), step)
        (folder / "hparams.yaml").write_text(
            f"lr: {values['lr']}\nlayers:\n- 64\n- 64\nuse_ema: {str(at == 1).lower()}\n"
        )
        expected.add((f"lightning_logs/version_{at}", "val_loss"))
    return expected


WRITERS: dict[str, Callable[[Path], Expected]] = {
    "tensorflow": write_tensorflow,
    "torch": write_torch,
    "lightning": write_lightning,
}
