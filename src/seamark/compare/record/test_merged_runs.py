"""The runs that are merged, as lists have them before there is a table: the same as in the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark.compare import MergedRun, MergedRuns
from seamark.compare.test_support import BEGAN, log_run, table_of
from seamark.format.types import RunName
from seamark.store.test_support import wait_until
from seamark.write.writer.summary_writer import SummaryWriter


def log_training(folder: Path, rate: float) -> None:
    with SummaryWriter(str(folder)) as writer:
        for step in range(2):
            writer.add_scalar("accuracy", 0.5, step)
            writer.add_scalars("loss/all", {"train": 1.0, "val/deep": 2.0}, step)
        writer.add_hparams({"lr": rate}, {"hparam/score": 1.0})


def test_nine_trainings_are_nine_runs(tmp_path: Path) -> None:
    for number in range(9):
        log_training(tmp_path / f"run{number}", 0.1 * number)
    with table_of(tmp_path) as table:
        merged = MergedRuns(table.store).current()
        assert len(table.store.run_names()) == 36 and len(table.store.run_names()) - len(merged) == 9
        assert {run: part.into for run, part in merged.items()} == table.merged_into
        assert merged[RunName("run3/loss_all_train")] == MergedRun(RunName("run3"), "train")
        assert merged[RunName("run3/loss_all_val/deep")] == MergedRun(RunName("run3"), "val/deep")
        (noted,) = (part for part in merged.values() if part.into == "run8" and part.curve is None)
        assert noted.into == "run8"


def test_runs_of_other_writers_stay(tmp_path: Path) -> None:
    log_run(tmp_path / "fit")
    for part in ("train", "validation"):  # as Keras names them
        log_run(tmp_path / f"fit/{part}", epoch_loss=[1.0, 2.0])
    log_run(tmp_path / "fit/loss_v2", loss=[1.0], other=[1.0])
    with SummaryWriter(str(tmp_path / "fit/loss_text")) as writer:
        writer.add_scalar("loss", 1.0)
        writer.add_text("note", "add_scalars logs no text")
    log_run(tmp_path / "fit/1700000005.25", {"lr": 0.1}, loss=[1.0, 2.0, 3.0])  # a training that the time names
    with table_of(tmp_path) as table:
        assert MergedRuns(table.store).current() == table.merged_into == {}


@pytest.mark.timed
def test_a_change_of_another_run_is_noticed(tmp_path: Path) -> None:
    log_run(tmp_path / "a", loss=[1.0])
    log_run(tmp_path / "a/loss_x", loss=[1.0])
    with table_of(tmp_path, follow=True) as table:
        merged = MergedRuns(table.store)
        before = merged.current()
        assert before == {"a/loss_x": MergedRun(RunName("a"), "x")} and merged.current() is before
        log_run(tmp_path / "a", loss=[2.0], began=BEGAN + 50)
        wait_until(table.store, lambda: (found := table.store.run(RunName("a"))) is not None and found.points == 2)
        assert merged.current() is before
        log_run(tmp_path / "a/loss_x", acc=[1.0], began=BEGAN + 50)
        wait_until(table.store, lambda: merged.current() == {})
