"""A study of a parabola: a run per trial, with what was tried and what came of it."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import pytest

from tests.integrations import documented, imported, written

optuna = pytest.importorskip("optuna", reason="run it with `make test-integrations`")

from seamark.format.run_record import Objective
from seamark.integrations import autolog
from seamark.integrations.optuna import SeamarkCallback

optuna.logging.set_verbosity(optuna.logging.WARNING)


def study(**options: Any) -> Any:
    return optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0), **options)


def parabola(trial: Any) -> float:
    x = trial.suggest_float("x", -1, 1)
    bend = trial.suggest_categorical("bend", ["up", "down", None])
    for step in range(3):
        trial.report(x * x / (step + 1), step)
    trial.set_user_attr("note", f"<b>{bend}</b>")
    return x * x


def test_a_run_per_trial_with_hyperparameters_value_and_reports(tmp_path: Path) -> None:
    tried = study()
    tried.optimize(parabola, n_trials=3, callbacks=[SeamarkCallback(tmp_path, "loss")])
    series = written.scalars(tmp_path)
    assert set(series) == {"trial-0", "trial-1", "trial-2"}
    for trial in tried.trials:
        run = f"trial-{trial.number}"
        assert series[run]["loss"] == [(trial.number, pytest.approx(trial.value))]
        assert [step for step, _ in series[run]["intermediate_value"]] == [0, 1, 2]
        assert written.hparams(tmp_path)[run] == {"x": trial.params["x"], "bend": str(trial.params["bend"])}
        assert written.hparam_metrics(tmp_path)[run] == {"loss"}


def test_pruned_and_failed_trials_are_there_without_a_value(tmp_path: Path) -> None:
    def objective(trial: Any) -> float:
        trial.suggest_int("depth", 1, 3)
        trial.report(1.0, 0)
        if trial.number == 0:
            raise optuna.TrialPruned
        if trial.number == 1:
            raise ZeroDivisionError
        return math.inf

    study().optimize(objective, n_trials=3, catch=ZeroDivisionError, callbacks=[SeamarkCallback(tmp_path)])
    states = {run: text for (run, tag), text in written.texts(tmp_path).items() if tag.startswith("state")}
    assert states == {"trial-0": "pruned", "trial-1": "fail", "trial-2": "complete"}
    assert [run for run, tags in written.scalars(tmp_path).items() if "value" in tags] == ["trial-2"]
    assert set(written.hparams(tmp_path)) == set(states)


def test_states_and_times_are_optunas(tmp_path: Path) -> None:
    def objective(trial: Any) -> float:
        trial.suggest_int("depth", 1, 3)
        time.sleep(0.05)
        if trial.number == 0:
            raise optuna.TrialPruned
        if trial.number == 1:
            raise ZeroDivisionError
        return math.nan if trial.number == 2 else 1.0

    tried = study(direction="maximize")
    tried.optimize(objective, n_trials=4, catch=ZeroDivisionError, callbacks=[SeamarkCallback(tmp_path, "accuracy")])
    for trial, status in zip(tried.trials, ["pruned", "failed", "failed", "finished"], strict=True):
        found = written.record(tmp_path / f"trial-{trial.number}")
        assert (found.status, found.objectives) == (status, (Objective("accuracy", "maximize"),))
        assert found.started_at == pytest.approx(trial.datetime_start.timestamp())
        assert found.ended_at - found.started_at == pytest.approx(trial.duration.total_seconds(), abs=1e-5)
        assert trial.duration.total_seconds() >= 0.05
    ends = [written.session_ends(tmp_path)[f"trial-{number}"] for number in range(4)]
    assert ends == ["STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_FAILURE", "STATUS_SUCCESS"]


def test_a_trial_is_one_event_file_and_run_json(tmp_path: Path) -> None:
    study().optimize(parabola, n_trials=2, callbacks=[SeamarkCallback(tmp_path)])
    assert [sorted(path.name[:6] for path in run.iterdir()) for run in tmp_path.iterdir()] == [["events", "run.js"]] * 2
    nowhere = SeamarkCallback(tmp_path / "none", write_to_disk=False)
    study().optimize(parabola, n_trials=1, callbacks=[nowhere])
    assert not (tmp_path / "none").exists()


def test_several_objectives_have_a_name_each(tmp_path: Path) -> None:
    def objective(trial: Any) -> tuple[float, float]:
        x = trial.suggest_float("x", 0, 1)
        return x, 1 - x

    both = study(directions=["minimize", "maximize"])
    both.optimize(objective, n_trials=1, callbacks=[SeamarkCallback(tmp_path / "a")])
    assert set(written.scalars(tmp_path)["a/trial-0"]) == {"value_0", "value_1"}
    both.set_metric_names(["cost", "gain"])
    both.optimize(objective, n_trials=1, callbacks=[SeamarkCallback(tmp_path / "b")])
    assert set(written.scalars(tmp_path)["b/trial-1"]) == {"cost", "gain"}
    wanted = (Objective("cost", "minimize"), Objective("gain", "maximize"))
    assert written.record(tmp_path / "b/trial-1").objectives == wanted
    with pytest.raises(ValueError, match="want 2 names"):
        both.optimize(objective, n_trials=1, callbacks=[SeamarkCallback(tmp_path / "c", "one")])


def test_autolog_puts_each_study_into_a_folder_of_its_name(tmp_path: Path) -> None:
    autolog.autolog(tmp_path, only=["optuna"])
    try:
        study(study_name="a/../b").optimize(parabola, 2)
        study(study_name="mine").optimize(parabola, 1, callbacks=[SeamarkCallback(tmp_path / "by-hand")])
    finally:
        autolog.autolog(disable=True)
    study(study_name="off").optimize(parabola, 1)
    assert set(written.scalars(tmp_path)) == {"a_.._b/trial-0", "a_.._b/trial-1", "by-hand/trial-0"}


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("optuna", "import optuna", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documented.run("Optuna", study=study(), objective=parabola)
    assert set(written.scalars(tmp_path)) == {f"runs/trial-{number}" for number in range(3)}
