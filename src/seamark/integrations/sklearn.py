"""scikit-learn: logs a fitted estimator (`log_estimator`), a search (`log_search`) or a cross-validation."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import base, metrics
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils.multiclass import type_of_target

from seamark.integrations.confusion import confusion_picture
from seamark.integrations.patch import wrapped
from seamark.integrations.tables import importance_table
from seamark.integrations.target import Destination, Target, fresh_run
from seamark.write.run.config.session import Goal, TrialStatus, add_hparams, write_record
from seamark.write.writer.summary_writer import SummaryWriter

# With more classes there are no curves per class.
MAX_PR_CURVES = 20
# Attributes of estimators that learn in rounds, and their tags.
CURVES = {"loss_curve_": "loss", "validation_scores_": "validation_score", "train_score_": "train_score"}


def log_estimator(
    estimator: Any, x: Any, y: Any, log_dir: Target = None, *, step: int = 0, prefix: str = ""
) -> dict[str, float]:
    """Logs a fitted estimator's parameters, its metrics and its curves on (x, y). Returns the metrics.

    Classifiers get accuracy, precision, recall, F1, and with probabilities log loss, ROC AUC and precision–recall
    curves, and a confusion matrix as an image; regressors R², errors and a histogram of residuals. Loss curves of
    estimators that learn in rounds and feature importances come along. `prefix` tells several data sets apart:
    'test/' gives test/accuracy.
    """
    destination = Destination(log_dir)
    writer = destination.writer
    found = {f"{prefix}{name}": value for name, value in score(estimator, x, y).items()}
    add_hparams(writer, estimator.get_params(deep=False), found, step)
    if base.is_classifier(estimator) and type_of_target(y) in ("binary", "multiclass"):
        log_confusion(writer, y, estimator.predict(x), tag=f"{prefix}confusion_matrix", step=step)
        log_pr_curves(writer, estimator, x, y, tag=f"{prefix}pr_curve", step=step)
    elif base.is_regressor(estimator):
        writer.add_histogram(f"{prefix}residuals", np.asarray(y) - estimator.predict(x), step)
    log_rounds(writer, estimator)
    log_importance(writer, estimator, step)
    destination.close()
    return found


def log_search(search: Any, log_dir: str | os.PathLike[str]) -> None:
    """Logs a fitted GridSearchCV, RandomizedSearchCV or halving search: a run candidate-N per candidate.

    Each has the point as hyperparameters, mean_test_score (or mean_test_<scorer>), its spread, the rank and the times
    as metrics, and the folds' scores as a curve over the fold. The search's objective goes into the run's run.json.
    """
    results, wanted = search.cv_results_, objectives(search)
    for number, point in enumerate(results["params"]):
        with SummaryWriter(str(Path(log_dir, f"candidate-{number}"))) as writer:
            found = {}
            for name, values in results.items():
                if name == "params" or name.startswith("param_"):
                    continue
                fold, is_fold, scorer = name.removeprefix("split").partition("_")
                if is_fold and fold.isdigit():
                    writer.add_scalar(f"split_{scorer}", values[number], int(fold))
                else:
                    found[name] = float(values[number])
            status = status_of(found, search, wanted)
            add_hparams(writer, point, found, failed=status == "failed")
        # The results have the duration of a candidate, but not its start.
        took_secs = search.n_splits_ * (found["mean_fit_time"] + found["mean_score_time"])
        now = time.time()
        write_record(writer, status=status, started_at=now - took_secs, ended_at=now, objectives=wanted)


def objectives(search: Any) -> dict[str, Goal]:
    """The metrics that the search optimizes: a higher score is always better. All of several without refit."""
    scorers = [name.removeprefix("mean_test_") for name in search.cv_results_ if name.startswith("mean_test_")]
    chosen = [search.refit] if search.refit in scorers else scorers
    return {f"mean_test_{name}": "maximize" for name in chosen}


def status_of(found: Mapping[str, float], search: Any, objectives: Iterable[str]) -> TrialStatus:
    if not all(np.isfinite(found[metric]) for metric in objectives):
        return "failed"
    # A halving search evaluates good candidates again with more data: only the last round counts.
    return "pruned" if found.get("iter", 0) < max(search.cv_results_.get("iter", [0])) else "finished"


def log_cross_validation(
    scores: Mapping[str, Any], log_dir: Target = None, *, hparams: Mapping[str, Any] | None = None
) -> None:
    """Logs a result of `cross_validate`: a curve over the folds per score, and mean and spread as metrics."""
    destination = Destination(log_dir)
    summary = {}
    for name, values in scores.items():
        numbers = np.asarray(values)
        if not np.issubdtype(numbers.dtype, np.number) or numbers.ndim != 1:
            continue  # estimators and indices, if they were requested
        for fold, value in enumerate(numbers):
            destination.writer.add_scalar(name, value, fold)
        summary[f"{name}/mean"], summary[f"{name}/std"] = float(numbers.mean()), float(numbers.std())
    add_hparams(destination.writer, hparams or {}, summary)
    destination.close()


def score(estimator: Any, x: Any, y: Any) -> dict[str, float]:
    """The usual metrics of a classifier or regressor; the own score of other estimators."""
    if base.is_classifier(estimator):
        return classification_scores(estimator, x, y)
    if base.is_regressor(estimator):
        predicted = estimator.predict(x)
        return {
            "r2": float(metrics.r2_score(y, predicted)),
            "mean_squared_error": float(metrics.mean_squared_error(y, predicted)),
            "mean_absolute_error": float(metrics.mean_absolute_error(y, predicted)),
        }
    return {"score": float(estimator.score(x, y))}


def classification_scores(estimator: Any, x: Any, y: Any) -> dict[str, float]:
    predicted = estimator.predict(x)
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(
        y, predicted, average="weighted", zero_division=0
    )
    found = {
        "accuracy": float(metrics.accuracy_score(y, predicted)),
        "precision": float(precision),
        "recall": float(recall),
        "f1": float(f1),
    }
    chances = probabilities(estimator, x)
    if chances is not None:
        found["log_loss"] = float(metrics.log_loss(y, chances, labels=estimator.classes_))
        is_binary = len(estimator.classes_) == 2
        # Undefined with a single class.
        if len(np.unique(y)) == len(estimator.classes_):
            given = chances[:, 1] if is_binary else chances
            found["roc_auc"] = float(metrics.roc_auc_score(y, given, multi_class="ovr"))
    return found


def probabilities(estimator: Any, x: Any) -> Any:
    """Probabilities per class, or None if the estimator has none, or one set per output."""
    if not hasattr(estimator, "predict_proba") or not hasattr(estimator, "classes_"):
        return None
    chances = estimator.predict_proba(x)
    return chances if getattr(chances, "ndim", 0) == 2 and chances.shape[1] == len(estimator.classes_) else None


def log_confusion(
    writer: SummaryWriter,
    y: Any,
    predicted: Any,
    *,
    tag: str = "confusion_matrix",
    step: int = 0,
    labels: Sequence[Any] | None = None,
) -> None:
    """The confusion matrix as an image: rows are true classes, columns predicted ones."""
    names = np.unique(np.concatenate([np.asarray(y), np.asarray(predicted)])) if labels is None else np.asarray(labels)
    counts = metrics.confusion_matrix(y, predicted, labels=names)
    writer.add_image(tag, confusion_picture(counts, [str(name) for name in names]), step, dataformats="HWC")


def log_pr_curves(
    writer: SummaryWriter, estimator: Any, x: Any, y: Any, *, tag: str = "pr_curve", step: int = 0
) -> None:
    """One precision–recall curve for two classes, one per class for more."""
    chances = probabilities(estimator, x)
    if chances is None:
        return
    labels = np.asarray(y)
    if len(estimator.classes_) == 2:
        writer.add_pr_curve(tag, labels == estimator.classes_[1], chances[:, 1], step)
        return
    for number, name in enumerate(estimator.classes_[:MAX_PR_CURVES]):
        writer.add_pr_curve(f"{tag}/{name}", labels == name, chances[:, number], step)


def log_rounds(writer: SummaryWriter, estimator: Any) -> None:
    for attribute, tag in CURVES.items():
        values = getattr(estimator, attribute, None)
        for number, value in enumerate(values if values is not None else ()):
            writer.add_scalar(tag, value, number)


def log_importance(writer: SummaryWriter, estimator: Any, step: int) -> None:
    importances = getattr(estimator, "feature_importances_", None)
    if importances is None:
        return
    names = getattr(estimator, "feature_names_in_", None)
    names = [f"x{number}" for number in range(len(importances))] if names is None else names
    table = importance_table({str(name): float(value) for name, value in zip(names, importances, strict=True)})
    writer.add_text("importance", table, step)


def autolog(log_dir: str) -> Callable[[], None]:
    """Logs every search when it is fitted. Estimators are not logged: the data to evaluate them is unknown."""
    return wrapped(BaseSearchCV, "fit", functools.partial(logging_search, log_dir))


def logging_search(log_dir: str, fit: Callable[..., Any], search: Any, *args: Any, **options: Any) -> Any:
    answer = fit(search, *args, **options)
    log_search(search, fresh_run(Path(log_dir), type(search).__name__))
    return answer
