"""Models of scikit-learn, XGBoost, LightGBM and Keras that What-If asks: the same numbers as the libraries give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seamark.examples.form import ExampleSet
from seamark.examples.infer import infer_schema
from seamark.examples.predict.live_model import LiveModel
from seamark.examples.predict.process_backend import Limits, ProcessBackend
from seamark.examples.predict.spec import parse_model
from seamark.tables.build import column_of_names
from seamark.tables.column import Column, Table

sklearn = pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")
from sklearn import datasets

OpenModel = Callable[[str, ExampleSet], LiveModel]


def set_of(frame: Any, truth: Any) -> ExampleSet:
    columns = [
        Column(name, "number", numbers=frame[name].to_numpy(np.float64))
        if frame[name].dtype.kind == "f"
        else column_of_names(name, [v if isinstance(v, str) else None for v in frame[name]], "category")
        for name in frame.columns
    ]
    if truth.dtype.kind in "OU":
        columns.append(column_of_names("label", truth.tolist(), "category"))
    else:
        columns.append(Column("label", "number", numbers=truth.astype(np.float64)))
    table = Table(len(frame), tuple(columns))
    return ExampleSet(table, infer_schema(table), content_id="test")


def cancer() -> tuple[Any, Any]:
    found = datasets.load_breast_cancer(as_frame=True)
    return found.data, found.target.to_numpy()


def wine() -> tuple[Any, Any]:
    found = datasets.load_wine(as_frame=True)
    return found.data, np.array(["Barolo", "Grignolino", "Barbera"], object)[found.target]


def people() -> tuple[Any, Any]:
    """Numbers and names, with missing ones of both."""
    random = np.random.default_rng(0)
    age, job = random.uniform(18, 80, 500), random.choice(["nurse", "clerk", "baker"], 500).astype(object)
    truth = ((age > 40) ^ (job == "clerk")).astype(int)
    age[::17], job[::13] = np.nan, None
    return pandas.DataFrame({"age": age, "job": job}), truth


@pytest.fixture
def open_model(tmp_path: Path) -> Iterator[OpenModel]:
    opened: list[ProcessBackend] = []

    def open_spec(text: str, examples: ExampleSet) -> LiveModel:
        opened.append(ProcessBackend(parse_model(text), Limits(timeout_secs=300)))
        return LiveModel(opened[-1], examples)

    yield open_spec
    for backend in opened:
        backend.close()


def saved(folder: Path, model: Any, name: str = "model") -> str:
    """A model in a Python file that loads it, as users do it."""
    import joblib

    joblib.dump(model, folder / f"{name}.joblib")
    (folder / f"{name}.py").write_text(f"import joblib\nmodel = joblib.load({name + '.joblib'!r})\n")
    return f"{folder}/{name}.py:model"


def all_rows(examples: ExampleSet) -> Any:
    return np.arange(examples.rows, dtype=np.int64)


# scikit-learn


def test_a_classifier_of_numbers(tmp_path: Path, open_model: OpenModel) -> None:
    from sklearn.linear_model import LogisticRegression

    frame, truth = cancer()
    for given in (frame, frame.to_numpy()):  # fitted with and without the names of features
        fitted = LogisticRegression(max_iter=5000).fit(given, truth)
        examples = set_of(frame, truth)
        model = open_model(saved(tmp_path, fitted), examples)
        predictions = model.predict(all_rows(examples))
        assert (predictions.task, predictions.classes) == ("binary", ("0", "1"))
        np.testing.assert_allclose(predictions.scores, fitted.predict_proba(given)[:, 1])
        changed = frame.iloc[[5, 6]].assign(**{"mean radius": [30.0, 5.0]})
        scores = model.predict(np.array([5, 6]), {"mean radius": [30.0, 5.0]}).scores
        expected = fitted.predict_proba(changed if given is frame else changed.to_numpy())[:, 1]
        np.testing.assert_allclose(scores, expected)


def test_a_pipeline_of_names_and_missing_values_in_another_order(tmp_path: Path, open_model: OpenModel) -> None:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    frame, truth = people()
    fitted = make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["job"]), (SimpleImputer(), ["age"])),
        RandomForestClassifier(20, random_state=0),
    ).fit(frame[["job", "age"]], truth)
    examples = set_of(frame, truth)
    model = open_model(saved(tmp_path, fitted), examples)
    np.testing.assert_allclose(
        model.predict(all_rows(examples)).scores, fitted.predict_proba(frame[["job", "age"]])[:, 1]
    )
    changed = frame.iloc[[0]].assign(job="pilot", age=30.0)
    scores = model.predict(np.array([0]), {"job": ["pilot"], "age": [30.0]}).scores
    np.testing.assert_allclose(scores, fitted.predict_proba(changed[["job", "age"]])[:, 1])


def test_classes_keep_their_names(tmp_path: Path, open_model: OpenModel) -> None:
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    frame, truth = wine()
    examples = set_of(frame, truth)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(frame, truth)
    predictions = open_model(saved(tmp_path, tree), examples).predict(all_rows(examples))
    assert predictions.classes == tuple(tree.classes_) and predictions.task == "multiclass"
    np.testing.assert_allclose(predictions.scores, tree.predict_proba(frame))
    svm = LinearSVC(random_state=0).fit(frame, truth)  # has decisions, but no probabilities
    model = open_model(saved(tmp_path, svm, "svm"), examples)
    predictions = model.predict(all_rows(examples))
    assert np.array(predictions.classes)[predictions.scores.argmax(axis=1)].tolist() == svm.predict(frame).tolist()
    assert "softmax" in model.note


def test_decisions_between_two_classes_and_plain_predictions(tmp_path: Path, open_model: OpenModel) -> None:
    from sklearn.ensemble import VotingClassifier
    from sklearn.linear_model import Perceptron, RidgeClassifier

    frame, truth = cancer()
    examples = set_of(frame, truth)
    for number, estimator in enumerate(
        (Perceptron(), RidgeClassifier(), VotingClassifier([("a", Perceptron()), ("b", RidgeClassifier())]))
    ):
        fitted = estimator.fit(frame, truth)
        model = open_model(saved(tmp_path, fitted, f"model{number}"), examples)
        predicted = model.predict(all_rows(examples)).scores >= 0.5
        assert predicted.astype(int).tolist() == fitted.predict(frame).tolist()


def test_a_regressor(tmp_path: Path, open_model: OpenModel) -> None:
    from sklearn.ensemble import GradientBoostingRegressor

    frame = cancer()[0]
    target = frame.pop("mean area").to_numpy()
    fitted = GradientBoostingRegressor(n_estimators=10, random_state=0).fit(frame, target)
    examples = set_of(frame, target)
    predictions = open_model(saved(tmp_path, fitted), examples).predict(all_rows(examples))
    assert predictions.task == "regression"
    np.testing.assert_allclose(predictions.scores, fitted.predict(frame))


def test_a_missing_feature_is_one_sentence(tmp_path: Path, open_model: OpenModel) -> None:
    from sklearn.linear_model import LogisticRegression

    frame, truth = cancer()
    fitted = LogisticRegression(max_iter=5000).fit(frame.assign(extra=1.0), truth)
    with pytest.raises(ValueError, match="the model takes the feature 'extra', which the set does not have"):
        open_model(saved(tmp_path, fitted), set_of(frame, truth)).predict(np.arange(3))


# XGBoost


def test_xgboost_as_an_estimator_and_as_files(tmp_path: Path, open_model: OpenModel) -> None:
    xgboost = pytest.importorskip("xgboost")
    frame, truth = cancer()
    examples = set_of(frame, truth)
    fitted = xgboost.XGBClassifier(n_estimators=10).fit(frame, truth)
    expected = fitted.predict_proba(frame)[:, 1]
    specs = [saved(tmp_path, fitted), saved(tmp_path, fitted.get_booster(), "booster")]
    for suffix in (".json", ".ubj"):
        fitted.save_model(tmp_path / f"trees{suffix}")
        specs.append(str(tmp_path / f"trees{suffix}"))
    for spec in specs:
        predictions = open_model(spec, examples).predict(all_rows(examples))
        assert predictions.classes == ("0", "1")
        np.testing.assert_allclose(predictions.scores, expected, rtol=1e-6)


def test_xgboost_with_names_and_with_several_classes(tmp_path: Path, open_model: OpenModel) -> None:
    xgboost = pytest.importorskip("xgboost")
    frame, truth = people()
    named = frame.assign(job=frame["job"].astype("category"))
    fitted = xgboost.XGBClassifier(n_estimators=10, enable_categorical=True).fit(named, truth)
    fitted.save_model(tmp_path / "trees.json")
    examples = set_of(frame, truth)
    for spec in (saved(tmp_path, fitted), str(tmp_path / "trees.json")):
        model = open_model(spec, examples)
        np.testing.assert_allclose(
            model.predict(all_rows(examples)).scores, fitted.predict_proba(named)[:, 1], rtol=1e-6
        )
        changed = named.iloc[[0]].assign(job=pandas.Categorical(["baker"], categories=named["job"].cat.categories))
        scores = model.predict(np.array([0]), {"job": ["baker"]}).scores
        np.testing.assert_allclose(scores, fitted.predict_proba(changed)[:, 1], rtol=1e-6)
    frame, truth = wine()
    codes = np.unique(truth, return_inverse=True)[1]
    fitted = xgboost.XGBClassifier(n_estimators=5).fit(frame, codes)
    fitted.save_model(tmp_path / "wine.json")
    predictions = open_model(str(tmp_path / "wine.json"), set_of(frame, truth)).predict(np.arange(len(frame)))
    assert predictions.classes == tuple(np.unique(truth))
    np.testing.assert_allclose(predictions.scores, fitted.predict_proba(frame), rtol=1e-6)


# LightGBM


def test_lightgbm_as_an_estimator_and_as_a_file(tmp_path: Path, open_model: OpenModel) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    for frame, truth in (cancer(), people()):
        examples = set_of(frame, truth)
        if "job" in frame:
            frame = frame.assign(job=frame["job"].astype("category"))
        fitted = lightgbm.LGBMClassifier(n_estimators=10, verbose=-1).fit(frame, truth)
        fitted.booster_.save_model(tmp_path / "trees.txt")
        for spec in (saved(tmp_path, fitted), str(tmp_path / "trees.txt")):
            predictions = open_model(spec, examples).predict(all_rows(examples))
            np.testing.assert_allclose(predictions.scores, fitted.predict_proba(frame)[:, 1])


# Keras


def test_keras_as_a_file_and_as_an_object(tmp_path: Path, open_model: OpenModel) -> None:
    keras = pytest.importorskip("keras")
    frame, truth = wine()
    examples = set_of(frame, truth)
    keras.utils.set_random_seed(0)
    for last, note in (("softmax", ""), (None, "softmax")):
        scaled = keras.layers.Normalization()
        scaled.adapt(frame.to_numpy(np.float32))
        net = keras.Sequential(
            [keras.Input((13,)), scaled, keras.layers.Dropout(0.5), keras.layers.Dense(3, activation=last)]
        )
        net.save(tmp_path / "net.keras")
        (tmp_path / "loads.py").write_text("import keras\nnet = keras.models.load_model('net.keras')\n")
        expected = np.asarray(net.predict(frame.to_numpy(np.float32), verbose=0), np.float64)
        if last is None:
            powers = np.exp(expected - expected.max(axis=1, keepdims=True))
            expected = powers / powers.sum(axis=1, keepdims=True)
        for spec in (f"{tmp_path}/net.keras", f"{tmp_path}/loads.py:net"):
            model = open_model(spec, examples)
            predictions = model.predict(all_rows(examples))
            assert predictions.classes == tuple(np.unique(truth)) and note in model.note
            np.testing.assert_allclose(predictions.scores, expected, rtol=1e-4, atol=1e-6)


def test_keras_with_an_input_for_each_feature(tmp_path: Path, open_model: OpenModel) -> None:
    keras = pytest.importorskip("keras")
    frame, truth = cancer()
    frame = frame[["mean radius", "mean texture"]].set_axis(["radius", "texture"], axis=1)
    inputs = {name: keras.Input((1,), name=name) for name in frame.columns}
    joined = keras.layers.Concatenate()(list(inputs.values()))
    net = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(joined))
    net.save(tmp_path / "net.keras")
    examples = set_of(frame, truth)
    predictions = open_model(f"{tmp_path}/net.keras", examples).predict(all_rows(examples))
    given = {name: frame[name].to_numpy(np.float32).reshape(-1, 1) for name in frame.columns}
    np.testing.assert_allclose(predictions.scores, np.ravel(net.predict(given, verbose=0)), rtol=1e-4, atol=1e-7)


def test_code_in_a_keras_file_does_not_run(tmp_path: Path, open_model: OpenModel) -> None:
    keras = pytest.importorskip("keras")
    net = keras.Sequential([keras.Input((13,)), keras.layers.Lambda(lambda x: x[:, :3])])
    net.save(tmp_path / "net.keras")
    frame, truth = wine()
    with pytest.raises(ValueError, match="Lambda"):
        open_model(f"{tmp_path}/net.keras", set_of(frame, truth)).predict(np.arange(3))
