"""CatBoost writes event files of its own into train_dir; ours must hold the same curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.integrations import documented, imported, written
from tests.integrations.tables import two_classes

catboost = pytest.importorskip("catboost", reason="run it with `make test-integrations`")

from seamark.integrations import autolog
from seamark.integrations.catboost import SeamarkCallback


def fit(train_dir: Path, evals: int, **options: Any) -> Any:
    x, y = two_classes()
    sets = [(x[40:60], y[40:60]), (x[60:], y[60:])][:evals]
    model = catboost.CatBoostClassifier(
        iterations=4, depth=2, verbose=0, thread_count=1, custom_metric=["Accuracy", "F1"], train_dir=str(train_dir)
    )
    return model.fit(x[:40], y[:40], eval_set=sets or None, **options)


@pytest.mark.parametrize("evals", [0, 1, 2])
def test_runs_and_curves_are_those_of_catboosts_own_files(tmp_path: Path, evals: int) -> None:
    ours = SeamarkCallback(tmp_path / "ours")
    fit(tmp_path / "theirs", evals, callbacks=[ours])
    ours.close()
    written.assert_same_scalars(tmp_path / "ours", tmp_path / "theirs")
    assert set(written.scalars(tmp_path / "ours")) == {"learn", "test", "test1"} & {"learn", *["test", "test1"][:evals]}


def test_a_metric_that_is_measured_now_and_then_has_its_own_steps(tmp_path: Path) -> None:
    ours = SeamarkCallback(tmp_path / "ours")
    fit(tmp_path / "theirs", 1, metric_period=2, callbacks=[ours])
    ours.close()
    got = {tag: [step for step, _ in points] for tag, points in written.scalars(tmp_path / "ours")["test"].items()}
    want = {tag: [step for step, _ in points] for tag, points in written.scalars(tmp_path / "theirs")["test"].items()}
    assert got == want


def test_autolog_logs_each_fit_once(tmp_path: Path) -> None:
    autolog.autolog(tmp_path / "auto", only=["catboost"])
    try:
        fit(tmp_path / "own", 1)
        fit(tmp_path / "own", 1, callbacks=[SeamarkCallback(tmp_path / "mine")])
    finally:
        autolog.autolog(disable=True)
    fit(tmp_path / "own", 1)
    runs = written.scalars(tmp_path / "auto")
    assert sorted(run.split("/")[1] for run in runs) == ["learn", "test"]
    assert all(len(series["Logloss"]) == 4 for series in runs.values())


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("catboost", "import catboost", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    x, y = two_classes()
    model = catboost.CatBoostClassifier(iterations=2, verbose=0, thread_count=1, allow_writing_files=False)
    documented.run("CatBoost", model=model, x=x, y=y)
    assert set(written.scalars(tmp_path)) == {"runs/first/learn", "runs/first/test"}
