"""Choosing the objective: as the study or writer stated it, else by name, else a list of candidates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from seamark.compare import ObjectiveChoice, choose_objective, trials_of
from seamark.compare.columns.goals import goal_of_name
from seamark.compare.test_support import BEGAN, cells, log_run, table_of, write_record
from seamark.kinds import hparams
from seamark.kinds.hparams import Experiment, MetricInfo
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile


def chosen(logdir: Path, query: str = "") -> ObjectiveChoice:
    with table_of(logdir) as table:
        return choose_objective(table, table.select(query).rows)


def objective_of(choice: ObjectiveChoice) -> tuple[str, str] | None:
    return (choice.objective.id, choice.objective.goal) if choice.objective else None


def candidates_of(choice: ObjectiveChoice) -> list[tuple[str, str]]:
    assert choice.objective is None
    return [(one.id, one.goal) for one in choice.candidates]


def write_experiment(folder: Path, *metrics: MetricInfo) -> None:
    with EventFile(folder, wall_time=BEGAN) as file:
        file.append(event_record(hparams.encode(Experiment(metrics=metrics)), step=0, wall_time=BEGAN))


def log_study(logdir: Path, goals: Sequence[tuple[str, str]], **curves: Sequence[float]) -> None:
    for number in range(3):
        run = log_run(logdir / f"trial-{number}", {"lr": float(number)}, **curves)
        objectives = [{"metric": metric, "goal": goal} for metric, goal in goals]
        write_record(run, status="finished", objectives=objectives)


@pytest.mark.parametrize(
    ("name", "goal"),
    [
        ("val/loss", "min"), ("top1_err", "min"), ("rank_test_score", "min"), ("rank_test_neg_log_loss", "min"), ("fit_time", "min"), ("valLoss", "min"),
        ("accuracy", "max"), ("mean_test_score", "max"), ("mean_test_neg_log_loss", "max"), ("rollout/ep_rew_mean", "max"),
        ("std_test_score", None), ("loss/std", None), ("lr", None), ("value", None), ("ranking_size", None),
    ],
)  # fmt: skip
def test_goal_of_name(name: str, goal: str | None) -> None:
    assert goal_of_name(name) == goal


def test_a_study_states_metric_and_goal(tmp_path: Path) -> None:
    log_study(tmp_path, [("accuracy", "minimize")], accuracy=[0.5], val__loss=[1.0], intermediate_value=[1.0, 2.0])
    assert objective_of(chosen(tmp_path)) == ("metric:accuracy:last", "min")
    with table_of(tmp_path) as table:
        assert {info.name: info.goal for info in table.columns() if info.source == "metric"}["accuracy"] == "min"


def test_trials_without_a_value_state_the_objective(tmp_path: Path) -> None:
    log_study(tmp_path / "a", [("value", "minimize")], intermediate_value=[3.0, 2.0])
    assert objective_of(chosen(tmp_path)) is None and "No run has logged value yet" in chosen(tmp_path).reason
    run = log_run(tmp_path / "a/trial-3", {"lr": 3.0}, value=[1.0])
    write_record(run, status="finished", objectives=[{"metric": "value", "goal": "minimize"}])
    assert objective_of(chosen(tmp_path)) == ("metric:value:last", "min")


def test_a_study_with_several_objectives_lists_candidates(tmp_path: Path) -> None:
    log_study(tmp_path, [("flops", "minimize"), ("accuracy", "maximize")], flops=[1.0], accuracy=[1.0])
    assert candidates_of(chosen(tmp_path)) == [("metric:flops:last", "min"), ("metric:accuracy:last", "max")]


def test_two_studies_list_candidates_until_a_filter_selects_one(tmp_path: Path) -> None:
    log_study(tmp_path / "a", [("cost", "minimize")], cost=[1.0])
    log_study(tmp_path / "b", [("gain", "maximize")], gain=[1.0])
    assert candidates_of(chosen(tmp_path)) == [("metric:cost:last", "min"), ("metric:gain:last", "max")]
    assert objective_of(chosen(tmp_path, "b/")) == ("metric:gain:last", "max")


def test_a_small_study_does_not_decide_for_other_runs(tmp_path: Path) -> None:
    log_study(tmp_path / "a", [("cost", "minimize")], cost=[1.0])
    for number in range(4):
        log_run(tmp_path / f"other-{number}", {"lr": 1.0}, val__loss=[1.0])
    assert candidates_of(chosen(tmp_path)) == [("metric:cost:last", "min")]


@pytest.mark.parametrize(
    ("metric", "column"),
    [
        ({"name": "quality", "goal": "maximize", "summary": "best"}, "metric:quality:max"),
        ({"name": "quality", "goal": "maximize", "summary": "min,max"}, "metric:quality:max"),
        ({"name": "qual*", "goal": "maximize", "summary": "mean"}, "metric:quality:mean"),
        ({"name": "quality", "goal": "maximize"}, "metric:quality:last"),
    ],
)
def test_define_metric_states_goal_and_statistic(tmp_path: Path, metric: dict[str, Any], column: str) -> None:
    write_record(log_run(tmp_path / "a", {"lr": 1.0}, quality=[1.0], val__loss=[1.0]), metrics=[metric])
    assert objective_of(chosen(tmp_path)) == (column, "max")


def test_names_decide_between_several_defined_metrics(tmp_path: Path) -> None:
    defined = [{"name": "eval/acc", "goal": "maximize"}, {"name": "eval/loss", "goal": "minimize", "summary": "min"}]
    run = log_run(tmp_path / "a", {"lr": 1.0}, eval__acc=[1.0], eval__loss=[1.0], eval__f1=[1.0])
    write_record(run, metrics=defined)
    assert objective_of(chosen(tmp_path)) == ("metric:eval/loss:min", "min")
    write_record(run, metrics=[defined[0], {"name": "eval/f1", "goal": "maximize"}])
    assert candidates_of(chosen(tmp_path)) == [("metric:eval/acc:last", "max"), ("metric:eval/f1:last", "max")]


def test_hparams_config_names_the_metric_of_child_runs(tmp_path: Path) -> None:
    write_experiment(
        tmp_path / "sweep", MetricInfo("fit_time"), MetricInfo("quality", display_name="Accuracy"), MetricInfo("x")
    )
    for number in range(2):
        log_run(tmp_path / f"sweep/{number}", {"lr": float(number)}, quality=[1.0], fit_time=[1.0], val__loss=[1.0])
    assert objective_of(chosen(tmp_path)) == ("metric:quality:last", "max")


def test_metrics_listed_by_an_import_are_ignored(tmp_path: Path) -> None:
    write_experiment(tmp_path / "a", MetricInfo("aux/reward"), MetricInfo("val/loss"))
    write_record(log_run(tmp_path / "a", {"lr": 1.0}, aux__reward=[1.0], val__loss=[1.0]), imported_from="wandb")
    assert objective_of(chosen(tmp_path)) == ("metric:val/loss:last", "min")


def test_a_named_metric_without_a_goal_is_a_candidate(tmp_path: Path) -> None:
    write_experiment(tmp_path, MetricInfo("value"))
    log_run(tmp_path / "a", {"lr": 1.0}, value=[1.0], intermediate_value=[1.0, 2.0])
    assert candidates_of(chosen(tmp_path)) == [("metric:value:last", "")]


def test_the_objective_of_a_grid_search_is_the_mean_test_score(tmp_path: Path) -> None:
    names = ["mean_fit_time", "std_fit_time", "mean_score_time", "std_score_time", "mean_test_score", "std_test_score"]
    for number in range(3):
        curves = {name: [float(number)] for name in [*names, "rank_test_score", "split_test_score"]}
        log_run(tmp_path / f"candidate-{number}", {"C": float(number)}, **curves)
    assert objective_of(chosen(tmp_path)) == ("metric:mean_test_score:last", "max")
    assert chosen(tmp_path).ranked[0] == "mean_test_score"


def test_the_machine_s_metrics_rank_last_though_every_run_has_them(tmp_path: Path) -> None:
    for number in range(4):
        curves = {"eval__loss": [1.0]} if number == 0 else {}
        log_run(tmp_path / f"run-{number}", {"lr": float(number)}, system__cpu__use_percent=[50.0], **curves)
    assert chosen(tmp_path).ranked == ("eval/loss", "system/cpu/use_percent")


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["train/loss", "val/loss", "val/acc", "test/acc"], "val/loss"),
        (["train/loss", "val/acc", "system/cpu_percent", "epoch"], "val/acc"),
        (["epoch_loss", "epoch_accuracy", "epoch_learning_rate", "evaluation_loss_vs_iterations"], "epoch_loss"),
        (["loss", "loss_kl", "grad_norm", "lr-Adam"], "loss"),
        (["hp_metric", "val_loss", "step"], "val_loss"),
        (["reward", "time/fps", "intermediate_value"], "reward"),
    ],
)
def test_objective_by_name(tmp_path: Path, tags: list[str], expected: str) -> None:
    # Lightning writes -1 to hp_metric if no metric was given.
    log_run(tmp_path / "a", {"lr": 1.0}, **{tag: [-1.0] for tag in tags})
    assert objective_of(chosen(tmp_path)) == (f"metric:{expected}:last", goal_of_name(expected))


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["val/f1", "val/acc", "train/loss"], ["val/acc", "val/f1"]),
        (["loss_a", "loss_b"], ["loss_a", "loss_b"]),
        (["value", "lr", "std_value"], ["value"]),
        (["intermediate_value", "system/cpu", "std_test_score", "rank_test_score", "mean_fit_time", "lr"], []),
    ],
)
def test_ambiguous_names_list_candidates(tmp_path: Path, tags: list[str], expected: list[str]) -> None:
    log_run(tmp_path / "a", {"lr": 1.0}, **{tag: [1.0] for tag in tags})
    assert [column for column, _ in candidates_of(chosen(tmp_path))] == [f"metric:{tag}:last" for tag in expected]


def test_importance_leaves_out_runs_without_a_result(tmp_path: Path) -> None:
    for number, status in enumerate(["finished", "pruned", "failed", "crashed", "killed"]):
        write_record(log_run(tmp_path / status, {"lr": float(number)}, loss=[float(number)]), status=status)
    with table_of(tmp_path) as table:
        assert cells(table, "run:status") == {status: status for status in table.names}
        trials = trials_of(table, table.select().rows, "metric:loss:last")
    assert sorted(trials.target.tolist()) == [0.0, 4.0]
    assert trials.left_out == "3 pruned, failed or crashed runs left out"


def write_tuner_trial(project: Path, number: int, score: float, **metrics: tuple[str, Sequence[float]]) -> None:
    """Writes a trial as Keras Tuner 1.4 does, with the runs of one execution."""
    tracked = {
        name: {"direction": goal, "observations": [{"value": [value], "step": at} for at, value in enumerate(values)]}
        for name, (goal, values) in metrics.items()
    }
    folder = project / f"trial_{number}"
    folder.mkdir(parents=True)
    content = {"trial_id": str(number), "metrics": {"metrics": tracked}, "score": score, "status": "COMPLETED"}
    (folder / "trial.json").write_text(json.dumps(content))
    log_run(project / f"logs/{number}/execution0", {"units": float(number)})
    for part, prefix in (("train", ""), ("validation", "val_")):
        curves = {f"epoch_{name}": metrics[prefix + name][1] for name in ("loss", "accuracy")}
        log_run(project / f"logs/{number}/execution0/{part}", **curves)


def test_keras_tuner_objective(tmp_path: Path) -> None:
    loss, accuracy = ("min", [0.9, 0.5]), ("max", [0.5, 1.0])
    # In the first trial both accuracies are perfect at their best; the second tells them apart.
    write_tuner_trial(tmp_path / "p", 0, 1.0, loss=loss, accuracy=accuracy, val_loss=loss, val_accuracy=accuracy)
    write_tuner_trial(
        tmp_path / "p", 1, 0.8, loss=loss, accuracy=accuracy, val_loss=loss, val_accuracy=("max", [0.8, 0.7])
    )
    choice = chosen(tmp_path)
    assert objective_of(choice) == ("metric:epoch_accuracy:max", "max")
    assert choice.objective is not None and choice.objective.part == "validation"
    assert choice.reason == "Keras Tuner maximizes val_accuracy"


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{}", "[1]", '{"score": "x"}', '{"score": 1, "metrics": {"metrics": []}}', "\0", " " * (2 << 20)],
)
def test_an_invalid_trial_file_is_ignored(tmp_path: Path, text: str) -> None:
    loss = ("min", [0.9, 0.5])
    write_tuner_trial(
        tmp_path, 0, 0.5, loss=loss, accuracy=("max", [0.1]), val_loss=("min", [1.0]), val_accuracy=("max", [0.1])
    )
    assert objective_of(chosen(tmp_path)) == ("metric:epoch_loss:min", "min")
    (tmp_path / "trial_0/trial.json").write_text(text)
    assert objective_of(chosen(tmp_path)) == ("metric:epoch_loss:last", "min")


def test_a_trial_file_outside_the_log_directory_is_not_read(tmp_path: Path) -> None:
    loss, accuracy = ("min", [0.9, 0.5]), ("max", [0.1, 0.2])
    write_tuner_trial(tmp_path / "p", 0, 0.2, loss=loss, accuracy=("max", [0.3]), val_loss=loss, val_accuracy=accuracy)
    assert objective_of(chosen(tmp_path / "p")) == ("metric:epoch_accuracy:max", "max")
    (tmp_path / "p/trial_0").rename(tmp_path / "elsewhere")
    (tmp_path / "p/trial_0").symlink_to(tmp_path / "elsewhere")
    assert objective_of(chosen(tmp_path / "p")) == ("metric:epoch_loss:last", "min")
    # Nor is one in the folder above.
    assert objective_of(chosen(tmp_path / "p/logs")) == ("metric:epoch_loss:last", "min")
