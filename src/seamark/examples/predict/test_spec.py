"""Models as the command line names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark.examples.predict.spec import SpecError, parse_model, parse_models


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("model.py", "trees.json", "trees.ubj", "trees.txt", "net.keras", "net.pt2", "old.pkl"):
        (tmp_path / name).touch()


@pytest.mark.parametrize(
    "text, name, source, attribute",
    [
        ("model.py:predict", "model", "script", "predict"),
        ("model.py:risk", "model:risk", "script", "risk"),
        ("./model.py:pipeline.predict", "model:pipeline.predict", "script", "pipeline.predict"),
        ("package.module:predict_proba", "module", "module", "predict_proba"),
        ("trees.json", "trees", "file", ""),
        ("net.pt2", "net", "file", ""),
        ("http://localhost:8501/v1/models/half_plus_two:predict", "half_plus_two", "http", ""),
        ("https://example.org", "example.org", "http", ""),
        ("mine=model.py:risk", "mine", "script", "risk"),
        ("mine=http://example.org/?a=b", "mine", "http", ""),
        ("http://example.org/score?a=b", "score", "http", ""),
    ],
)
def test_forms(text: str, name: str, source: str, attribute: str) -> None:
    spec = parse_model(text)
    assert (spec.name, spec.source, spec.attribute) == (name, source, attribute)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("model.py", "the function is missing, want model.py:predict; got 'model.py'"),
        ("absent.py:predict", "no such file: 'absent.py'"),
        ("model.py:a b", "the name after the colon is not one of Python, got 'a b'"),
        ("old.pkl", "a .pkl file runs the code in it when it is loaded; if you trust it, load it in a Python file"),
        ("absent.json", "no such file: 'absent.json'"),
        ("what is this", "want path/model.py:function, package.module:function, a model file (.json, "),
        ("http://", "the address has no host or a wrong port"),
        ("http://host:port/", "the address has no host or a wrong port"),
    ],
)
def test_errors_are_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_model(text)
    assert sentence in str(caught.value)


def test_two_models_of_one_name_are_told_apart() -> None:
    specs = parse_models(["model.py:predict", "model.py:predict_proba", "model.py:other"])
    assert [spec.name for spec in specs] == ["model", "model (2)", "model:other"]
