"""LightGBM trains small trees; the curves must be those that it keeps itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.integrations import documented, imported, written
from tests.integrations.tables import two_classes

lightgbm = pytest.importorskip("lightgbm", reason="run it with `make test-integrations`")

from seamark.integrations import autolog
from seamark.integrations.lightgbm import SeamarkCallback

PARAMS: dict[str, Any] = {
    "objective": "binary", "metric": ["binary_logloss", "auc"], "num_leaves": 3, "min_data_in_leaf": 2, "verbose": -1, "num_threads": 1,
}  # fmt: skip


def sets() -> tuple[Any, Any]:
    x, y = two_classes()
    train = lightgbm.Dataset(x[:50], y[:50], feature_name=["width", "height", "depth"])
    return train, lightgbm.Dataset(x[50:], y[50:], reference=train)


def test_every_metric_of_every_data_set_is_a_curve(tmp_path: Path) -> None:
    train, valid = sets()
    history: dict[str, Any] = {}
    callbacks = [lightgbm.record_evaluation(history), SeamarkCallback(tmp_path)]
    lightgbm.train(PARAMS, train, 4, valid_sets=[train, valid], valid_names=["train", "valid"], callbacks=callbacks)
    series = written.scalars(tmp_path)["."]
    assert set(series) == {f"{data}/{metric}" for data in ("train", "valid") for metric in ("binary_logloss", "auc")}
    assert [step for step, _ in series["valid/auc"]] == [0, 1, 2, 3]
    np.testing.assert_allclose(
        [value for _, value in series["valid/binary_logloss"]], history["valid"]["binary_logloss"], rtol=1e-6
    )
    assert written.texts(tmp_path)[".", "importance/gain/text_summary"].splitlines()[2].startswith("| height |")
    assert written.hparams(tmp_path)["."]["num_leaves"] == 3


def test_early_stopping_keeps_what_was_seen(tmp_path: Path) -> None:
    train, valid = sets()
    ours = SeamarkCallback(tmp_path)
    stop = lightgbm.early_stopping(2, verbose=False)
    model = lightgbm.train({**PARAMS, "learning_rate": 0.9}, train, 200, valid_sets=[valid], callbacks=[stop, ours])
    ours.close()
    assert model.best_iteration < 190
    # Two rounds were measured after the best, before they were taken back.
    assert len(written.scalars(tmp_path)["."]["valid_0/auc"]) == model.best_iteration + 2


def test_cross_validation_logs_mean_and_spread(tmp_path: Path) -> None:
    train, _ = sets()
    answer = lightgbm.cv(PARAMS, train, 3, nfold=3, callbacks=[SeamarkCallback(tmp_path)], seed=1)
    series = written.scalars(tmp_path)["."]
    np.testing.assert_allclose([value for _, value in series["valid/auc"]], answer["valid auc-mean"], rtol=1e-6)
    np.testing.assert_allclose([value for _, value in series["valid/auc-std"]], answer["valid auc-stdv"], rtol=1e-6)


def test_autolog_sees_functions_and_scikit_learn_classes_also_when_they_stop_early(tmp_path: Path) -> None:
    train, valid = sets()
    x, y = two_classes()
    untouched = lightgbm.train
    autolog.autolog(tmp_path, only=["lightgbm"])
    try:
        lightgbm.train(PARAMS, train, 2, [valid], ["valid"])
        lightgbm.LGBMRegressor(n_estimators=50, verbose=-1, n_jobs=1).fit(
            x[:50], y[:50], eval_set=[(x[50:], y[50:])], callbacks=[lightgbm.early_stopping(1, verbose=False)]
        )
    finally:
        autolog.autolog(disable=True)
    assert lightgbm.train is untouched
    assert [set(series) for series in written.scalars(tmp_path).values()] == [
        {"valid/binary_logloss", "valid/auc"},
        {"valid_0/l2"},
    ]


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("lightgbm", "import lightgbm", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    train, valid = sets()
    documented.run("LightGBM", lightgbm=lightgbm, train=train, valid=valid)
    assert len(written.scalars(tmp_path)["runs/first"]["valid_0/l2"]) == 4
