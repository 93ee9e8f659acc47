"""XGBoost trains small trees; the curves must be those that it keeps itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.integrations import documented, imported, written
from tests.integrations.tables import two_classes

xgboost = pytest.importorskip("xgboost", reason="run it with `make test-integrations`")

from seamark import SummaryWriter
from seamark.integrations import autolog
from seamark.integrations.xgboost import SeamarkCallback

PARAMS = {"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "max_depth": 2, "nthread": 1}


TRAINING = """
import xgboost
from tests.integrations.tables import two_classes
data = xgboost.DMatrix(*two_classes())
xgboost.train({"max_depth": 2}, data, 2, evals=[(data, "valid")], verbose_eval=False)
"""


def matrices() -> tuple[xgboost.DMatrix, xgboost.DMatrix]:
    x, y = two_classes()
    names = ["width", "a|b", "é😀"]
    return xgboost.DMatrix(x[:50], y[:50], feature_names=names), xgboost.DMatrix(x[50:], y[50:], feature_names=names)


def curve(logdir: Path, tag: str, run: str = ".") -> list[float]:
    return [value for _, value in written.scalars(logdir)[run][tag]]


def test_every_metric_of_every_data_set_is_a_curve(tmp_path: Path) -> None:
    train, valid = matrices()
    history: dict[str, dict[str, list[float]]] = {}
    xgboost.train(
        PARAMS, train, 4, evals=[(train, "train"), (valid, "valid")], evals_result=history,
        callbacks=[SeamarkCallback(tmp_path)], verbose_eval=False,
    )  # fmt: skip
    assert set(written.scalars(tmp_path)["."]) == {"train/logloss", "train/auc", "valid/logloss", "valid/auc"}
    np.testing.assert_allclose(curve(tmp_path, "valid/logloss"), history["valid"]["logloss"], rtol=1e-6)
    assert [step for step, _ in written.scalars(tmp_path)["."]["train/auc"]] == [0, 1, 2, 3]
    table = written.texts(tmp_path)[".", "importance/gain/text_summary"]
    assert table.startswith("| feature | importance |")
    assert "| a\\|b |" in table


def test_the_parameters_are_hyperparameters_each_once(tmp_path: Path) -> None:
    train, valid = matrices()
    given = {
        **PARAMS,
        "eta": 0.1,
        "lambda": 2.5,
        "booster": "dart",
        "rate_drop": 0.25,
        "scale_pos_weight": 2,
        "seed": 7,
    }
    xgboost.train(given, train, 2, callbacks=[SeamarkCallback(tmp_path / "train", hparams={"fold": 3})])
    xgboost.cv(given, train, 2, nfold=2, callbacks=[SeamarkCallback(tmp_path / "cv")])
    model = xgboost.XGBClassifier(
        n_estimators=2, learning_rate=0.1, reg_lambda=2.5, max_depth=2, callbacks=[SeamarkCallback(tmp_path / "fit")]
    )
    model.fit(valid.get_data(), valid.get_label())
    found = written.hparams(tmp_path)
    assert sorted(written.session_starts(tmp_path)) == ["cv", "fit", "train"]
    assert set(written.session_ends(tmp_path).values()) == {"STATUS_SUCCESS"}
    for run in ("train", "cv", "fit"):
        wanted = {"learning_rate": 0.1, "reg_lambda": 2.5, "max_depth": 2.0, "objective": "binary:logistic"}
        assert wanted.items() <= found[run].items()
        assert not {"eta", "lambda", "alpha", "min_split_loss", "random_state", "nthread"} & set(found[run])
    dart = {"booster": "dart", "rate_drop": 0.25, "scale_pos_weight": 2.0, "seed": 7.0, "fold": 3.0}
    assert dart.items() <= found["train"].items()
    linear = {"booster": "gblinear", "alpha": 0.5}
    xgboost.train(linear, train, 2, callbacks=[SeamarkCallback(tmp_path / "linear")])
    assert {"booster": "gblinear", "reg_alpha": 0.5}.items() <= written.hparams(tmp_path)["linear"].items()
    assert ("linear", "importance/weight/text_summary") in written.texts(tmp_path)


def test_early_stopping_names_the_best_round(tmp_path: Path) -> None:
    train, valid = matrices()
    model = xgboost.train(
        PARAMS,
        train,
        60,
        evals=[(valid, "valid")],
        early_stopping_rounds=3,
        callbacks=[SeamarkCallback(tmp_path)],
        verbose_eval=False,
    )
    assert written.scalars(tmp_path)["."]["best_score"] == [(model.best_iteration, pytest.approx(model.best_score))]


def test_cross_validation_logs_mean_and_spread(tmp_path: Path) -> None:
    train, _ = matrices()
    xgboost.cv(PARAMS, train, 3, nfold=3, callbacks=[SeamarkCallback(tmp_path)], seed=1)
    assert {"train/auc", "train/auc-std", "test/auc", "test/auc-std"} < set(written.scalars(tmp_path)["."])


def test_the_scikit_learn_classes_log_through_a_writer_that_is_there(tmp_path: Path) -> None:
    x, y = two_classes()
    with SummaryWriter(str(tmp_path)) as writer:
        model = xgboost.XGBClassifier(n_estimators=3, callbacks=[SeamarkCallback(writer)], n_jobs=1)
        model.fit(x[:50], y[:50], eval_set=[(x[50:], y[50:])], verbose=False)
        writer.add_scalar("afterwards", 1.0, 3)
    assert len(curve(tmp_path, "validation_0/logloss")) == 3
    assert curve(tmp_path, "afterwards") == [1.0]


def test_autolog_logs_each_training_once_and_stops_when_told(tmp_path: Path) -> None:
    train, valid = matrices()
    x, y = two_classes()
    untouched = xgboost.train
    autolog.autolog(tmp_path / "auto", only=["xgboost"])
    assert autolog.autolog(tmp_path / "elsewhere", only=["xgboost"]) == ("xgboost",)
    try:
        xgboost.train(PARAMS, train, 2, evals=[(valid, "valid")], verbose_eval=False)
        xgboost.XGBRegressor(n_estimators=2, n_jobs=1).fit(x, y, eval_set=[(x, y)], verbose=False)
        xgboost.train(
            PARAMS,
            train,
            2,
            evals=[(valid, "valid")],
            verbose_eval=False,
            callbacks=[SeamarkCallback(tmp_path / "mine")],
        )
    finally:
        autolog.autolog(disable=True)
    assert xgboost.train is untouched
    assert [set(series) for series in written.scalars(tmp_path / "auto").values()] == [
        {"valid/logloss", "valid/auc"},
        {"validation_0/rmse"},
    ]
    assert not (tmp_path / "elsewhere").exists()
    assert [params["num_boost_round"] for params in written.hparams(tmp_path / "auto").values()] == [2.0, 2.0]
    assert len(curve(tmp_path / "mine", "valid/auc")) == 2


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("xgboost", TRAINING, tmp_path)
    assert "valid/rmse" in next(iter(written.scalars(tmp_path / "runs").values()))


def test_the_examples_in_the_docs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    train, valid = matrices()
    documented.run("XGBoost", xgboost=xgboost, train=train, valid=valid)
    assert len(curve(tmp_path, "valid/rmse", "runs/first")) == 4
    documented.run("Everything at once", train=train, valid=valid)
    assert len(written.scalars(tmp_path)) == 2
