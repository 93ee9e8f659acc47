"""Real estimators, searches and cross-validations; the metrics must be scikit-learn's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.integrations import documented, imported, written
from tests.integrations.tables import two_classes

sklearn = pytest.importorskip("sklearn", reason="run it with `make test-integrations`")
from sklearn import (
    datasets,
    ensemble,
    linear_model,
    metrics,
    model_selection,
    neural_network,
    pipeline,
    preprocessing,
    svm,
)

from seamark.format.run_record import Objective
from seamark.integrations import autolog
from seamark.integrations.confusion import confusion_picture
from seamark.integrations.sklearn import log_cross_validation, log_estimator, log_search, objectives


def test_a_binary_classifier_shows_metrics_curve_matrix_and_importance(tmp_path: Path) -> None:
    x, y = two_classes()
    model = ensemble.RandomForestClassifier(n_estimators=5, random_state=0).fit(x[:50], y[:50])
    found = log_estimator(model, x[50:], y[50:], tmp_path, prefix="test/", step=3)
    assert found["test/accuracy"] == metrics.accuracy_score(y[50:], model.predict(x[50:]))
    assert found["test/roc_auc"] == metrics.roc_auc_score(y[50:], model.predict_proba(x[50:])[:, 1])
    assert set(found) == {f"test/{name}" for name in ("accuracy", "precision", "recall", "f1", "log_loss", "roc_auc")}
    series = written.scalars(tmp_path)["."]
    assert series == {tag: [(3, pytest.approx(value))] for tag, value in found.items()}
    assert written.tags(tmp_path, plugin="pr_curves") == {".": {"test/pr_curve"}}
    assert written.tags(tmp_path, plugin="images") == {".": {"test/confusion_matrix"}}
    assert written.texts(tmp_path)[".", "importance/text_summary"].count("| x") == 3
    assert written.hparams(tmp_path)["."]["n_estimators"] == 5
    assert written.hparams(tmp_path)["."]["max_depth"] == "None"


def test_several_classes_have_a_curve_each_and_text_labels(tmp_path: Path) -> None:
    x, y = datasets.load_iris(return_X_y=True)
    names = np.array(["<script>", "é😀", "a very long name of a flower"])[y]
    model = pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression()).fit(x, names)
    log_estimator(model, x, names, tmp_path)
    assert written.tags(tmp_path, plugin="pr_curves")["."] == {f"pr_curve/{name}" for name in set(names)}


def test_a_classifier_without_probabilities_has_no_curves(tmp_path: Path) -> None:
    x, y = two_classes()
    found = log_estimator(svm.LinearSVC().fit(x, y), x, y, tmp_path)
    assert "log_loss" not in found
    assert "pr_curves" not in {plugin for plugin, _ in written.kinds(tmp_path).values()}


def test_data_that_holds_one_class_only_is_no_error(tmp_path: Path) -> None:
    x, y = two_classes()
    model = linear_model.LogisticRegression().fit(x, y)
    assert "roc_auc" not in log_estimator(model, x[y == 1], y[y == 1], tmp_path)


def test_a_regressor_shows_errors_and_residuals_and_its_rounds(tmp_path: Path) -> None:
    x, y = datasets.load_diabetes(return_X_y=True, as_frame=False)
    model = ensemble.GradientBoostingRegressor(n_estimators=4).fit(x, y)
    found = log_estimator(model, x, y, tmp_path)
    assert found["r2"] == metrics.r2_score(y, model.predict(x))
    assert written.tags(tmp_path, plugin="histograms") == {".": {"residuals"}}
    rounds = written.scalars(tmp_path)["."]["train_score"]
    np.testing.assert_allclose([value for _, value in rounds], model.train_score_, rtol=1e-6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_loss_curve_of_a_network_is_a_curve(tmp_path: Path) -> None:
    x, y = two_classes()
    model = neural_network.MLPClassifier((4,), max_iter=6, random_state=0).fit(x, y)
    log_estimator(model, x, y, tmp_path)
    assert len(written.scalars(tmp_path)["."]["loss"]) == 6


def grid() -> Any:
    x, y = two_classes()
    search = model_selection.GridSearchCV(
        linear_model.LogisticRegression(),
        {"C": [0.1, 1.0], "solver": ["lbfgs", "liblinear"]},
        cv=3,
        scoring=["accuracy", "f1"],
        refit="f1",
    )
    return search.fit(x, y)


def check_grid(folder: Path, search: Any) -> None:
    series = written.scalars(folder)
    assert set(series) == {f"candidate-{number}" for number in range(4)}
    for number, point in enumerate(search.cv_results_["params"]):
        run = f"candidate-{number}"
        assert written.hparams(folder)[run] == point
        assert series[run]["mean_test_f1"] == [(0, pytest.approx(search.cv_results_["mean_test_f1"][number]))]
        assert [step for step, _ in series[run]["split_test_accuracy"]] == [0, 1, 2]
        assert {"mean_test_f1", "rank_test_f1", "mean_fit_time"} <= written.hparam_metrics(folder)[run]


def test_a_grid_search_is_a_run_per_candidate(tmp_path: Path) -> None:
    search = grid()
    log_search(search, tmp_path)
    check_grid(tmp_path, search)


def test_candidates_say_what_the_search_selects_by_and_how_long_they_took(tmp_path: Path) -> None:
    search = grid()
    log_search(search, tmp_path)
    results = search.cv_results_
    for number in range(4):
        found = written.record(tmp_path / f"candidate-{number}")
        assert (found.status, found.objectives) == ("finished", (Objective("mean_test_f1", "maximize"),))
        took_secs = 3 * (results["mean_fit_time"][number] + results["mean_score_time"][number])
        assert found.ended_at - found.started_at == pytest.approx(took_secs, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "metrics"),
    [
        ({}, ["mean_test_score"]),
        ({"scoring": "neg_log_loss", "refit": False}, ["mean_test_score"]),
        ({"scoring": ["f1", "recall"], "refit": False}, ["mean_test_f1", "mean_test_recall"]),
        ({"scoring": ["f1", "recall"], "refit": lambda results: 0}, ["mean_test_f1", "mean_test_recall"]),
    ],
)
def test_the_objective_is_the_mean_of_the_score_that_is_refitted_by(options: Any, metrics: list[str]) -> None:
    x, y = two_classes()
    search = model_selection.GridSearchCV(linear_model.LogisticRegression(), {"C": [0.1, 1.0]}, cv=3, **options)
    assert objectives(search.fit(x, y)) == dict.fromkeys(metrics, "maximize")


@pytest.mark.filterwarnings("ignore")
def test_candidates_that_failed_or_were_left_behind_are_no_results(tmp_path: Path) -> None:
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401  # the class appears by this import

    x, y = two_classes()
    model = linear_model.LogisticRegression()
    log_search(model_selection.GridSearchCV(model, {"C": [-1.0, 1.0]}, cv=3).fit(x, y), tmp_path / "grid")
    assert [written.record(tmp_path / f"grid/candidate-{n}").status for n in range(2)] == ["failed", "finished"]
    assert written.session_ends(tmp_path / "grid")["candidate-0"] == "STATUS_FAILURE"
    search = model_selection.HalvingGridSearchCV(model, {"C": [0.01, 0.1, 1.0, 10.0]}, cv=3, factor=2, random_state=0)
    log_search(search.fit(x, y), tmp_path / "halving")
    last = max(search.cv_results_["iter"])
    states = [
        written.record(tmp_path / f"halving/candidate-{n}").status for n in range(len(search.cv_results_["iter"]))
    ]
    assert states == ["finished" if iteration == last else "pruned" for iteration in search.cv_results_["iter"]]


def test_a_cross_validation_is_a_curve_over_folds(tmp_path: Path) -> None:
    x, y = two_classes()
    scores = model_selection.cross_validate(linear_model.LogisticRegression(), x, y, cv=4, return_estimator=True)
    log_cross_validation(scores, tmp_path, hparams={"cv": 4})
    series = written.scalars(tmp_path)["."]
    np.testing.assert_allclose([value for _, value in series["test_score"]], scores["test_score"], rtol=1e-6)
    assert series["test_score/mean"] == [(0, pytest.approx(scores["test_score"].mean()))]
    assert "estimator" not in series


def test_autolog_logs_searches(tmp_path: Path) -> None:
    autolog.autolog(tmp_path, only=["sklearn"])
    try:
        search = grid()
    finally:
        autolog.autolog(disable=True)
    grid()
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("GridSearchCV_")
    check_grid(folder, search)


def test_a_confusion_matrix_is_dark_where_the_counts_are() -> None:
    picture = confusion_picture(np.array([[9, 1], [0, 0]]), ["yes", "no"])
    (height, width, channels), corner = picture.shape, picture[-6, -6]
    assert (height, width, channels) == (165, 205, 3)
    assert picture[60, 100].sum() < picture[60, 160].sum() <= corner.sum() == 3 * 255
    assert confusion_picture(np.eye(100), [str(n) for n in range(100)]).shape == (1201, 1201, 3)


def test_autolog_before_the_import_turns_it_on_by_it(tmp_path: Path) -> None:
    imported.assert_turned_on("sklearn", "from sklearn.linear_model import LogisticRegression", tmp_path)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    x, y = two_classes()
    model = ensemble.RandomForestClassifier(n_estimators=3).fit(x, y)
    documented.run("scikit-learn", model=model, x=x, y=y, search=grid(), cross_validate=model_selection.cross_validate)
    assert {"runs/forest", "runs/folds", "runs/search/candidate-3"} < set(written.scalars(tmp_path))
