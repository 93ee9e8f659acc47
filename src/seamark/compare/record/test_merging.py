"""Merging the runs of one trial: curves of add_scalars, and Keras's train and validation."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark.compare import difference_of
from seamark.compare.test_support import BEGAN, cells, log_run, table_of
from seamark.store.test_support import wait_until
from seamark.write.writer.summary_writer import SummaryWriter


def test_curves_of_add_scalars_are_merged(tmp_path: Path) -> None:
    for number in range(3):
        with SummaryWriter(str(tmp_path / f"run{number}")) as writer:
            writer.add_hparams({"lr": 0.1 * number}, {"hparam/score": 1.0})
            for step in range(2):
                writer.add_scalar("loss", 9.0, step, walltime=BEGAN)
                writer.add_scalars("loss", {"train": step + number, "val/deep": 2.0}, step, walltime=BEGAN + step)
    log_run(tmp_path / "run0/loss_v2", loss=[1.0], other=[1.0])  # a run of its own: add_scalars writes one tag
    with table_of(tmp_path) as table:
        assert sorted(table.names) == ["run0", "run0/loss_v2", "run1", "run2"]
        assert table.merged_into["run1/loss_val/deep"] == "run1"
        metrics = {info.name for info in table.columns() if info.source == "metric"}
        assert metrics == {"hparam/score", "loss", "loss/train", "loss/val/deep", "other"}
        assert cells(table, "metric:loss/train:last") == {"run0": 1.0, "run1": 2.0, "run2": 3.0}
        assert cells(table, "metric:loss/val/deep:last") == dict.fromkeys(["run0", "run1", "run2"], 2.0)
        assert cells(table, "metric:loss:last") == {"run0": 9.0, "run1": 9.0, "run2": 9.0, "run0/loss_v2": 1.0}
        (row,) = [row for row in difference_of(table, ["run0", "run1"]).metrics if row.tag == "loss/train"]
        assert row.final == [1.0, 2.0]


def test_the_duration_includes_merged_curves(tmp_path: Path) -> None:
    log_run(tmp_path / "run")
    log_run(tmp_path / "run/loss_val", loss=[1.0, 1.0, 1.0, 1.0])
    with table_of(tmp_path) as table:
        assert cells(table, "run:duration") == {"run": 3.0}
        assert cells(table, "run:last_step") == {"run": 3}


@pytest.mark.timed
def test_a_curve_run_that_gets_a_second_tag_becomes_a_row(tmp_path: Path) -> None:
    log_run(tmp_path / "a", loss=[1.0])
    log_run(tmp_path / "a/loss_x", loss=[1.0])
    with table_of(tmp_path, follow=True) as table:
        assert table.names == ["a"]
        log_run(tmp_path / "a/loss_x", acc=[1.0], began=BEGAN + 50)
        wait_until(table.store, lambda: table.refresh() > 0 and sorted(table.names) == ["a", "a/loss_x"])


def test_keras_train_and_validation_belong_to_one_trial(tmp_path: Path) -> None:
    for part in ("train", "validation"):
        log_run(tmp_path / f"fit/{part}", epoch_loss=[1.0])
    log_run(tmp_path / "lonely/train", epoch_loss=[1.0])
    with table_of(tmp_path) as table:
        assert table.inherits_params_from == {"fit/train": "fit", "fit/validation": "fit"}
