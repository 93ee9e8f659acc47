"""seamark whatif: serves one file where it is, and runs the models that it names."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from seamark import cli
from seamark.cli.arguments.models import DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_SECS
from seamark.plugin import ModelOptions

MODEL = """
import json, os
from pathlib import Path

def predict(columns):
    seen = {"environment": dict(os.environ), "command": Path("/proc/self/cmdline").read_text()}
    Path("seen.part").write_text(json.dumps(seen))
    os.replace("seen.part", "seen.json")  # it is called again while the test reads
    return columns["age"] / 100

predict.seamark_input = "columns"
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    file = tmp_path / "people & more.csv"
    file.write_text("age,bought\n" + "".join(f"{age},{'yes' if age > 70 else 'no'}\n" for age in range(100)))
    (tmp_path / "private.examples.csv").write_text("a,label\n1,1\n2,0\n")
    return file


@contextmanager
def served(cache: Path, *words: str) -> Iterator[str]:
    command = [sys.executable, "-m", "seamark", *words, "--port", "0", "--config", "none"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XDG_DATA_HOME": str(cache)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = re.search(r"http\S+", line)
            assert address, line
            yield address[0]
        finally:
            process.terminate()


def request(address: str, route: str, body: dict[str, Any] | None = None, **parameters: str) -> Any:
    base = urlsplit(address)
    token = parse_qs(base.query).get("token", [""])[0]
    query = urlencode({**parameters, **({"token": token} if token else {})})
    url = f"{base.scheme}://localhost:{base.port}/api/dashboards/whatif/{route}?{query}"
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as response:
        return json.loads(response.read())


def set_in(address: str) -> dict[str, str]:
    """Asks until the server has read the folder."""
    while True:
        sets = request(address, "sets")["sets"]
        if sets:
            assert len(sets) == 1  # nothing else of the folder is served
            return {"run": sets[0]["run"], "name": sets[0]["name"]}


@pytest.mark.timed
def test_the_address_leads_to_the_file_and_the_model_predicts(data: Path, tmp_path: Path) -> None:
    words = ["whatif", str(data), "--predict", f"{tmp_path}/model.py:predict", "--truth", "bought", "--positive", "yes"]
    with served(tmp_path / "cache", *words) as address:
        fragment = urlsplit(address).fragment
        assert fragment.startswith("whatif&")
        linked = {key: values[0] for key, values in parse_qs(fragment).items()}
        chosen = set_in(address)
        assert chosen == {"run": linked["whatif.run"], "name": linked["whatif.name"]}
        assert request(address, "sets")["sets"][0]["title"] == data.name
        info = request(address, "info", **chosen)
        assert (info["target"], info["positive"], info["task"]) == ("bought", "true", "binary")
        points = [{"row": 10}, {"row": 10, "edits": {"age": 80}}]
        answer = request(address, "predict", {**chosen, "points": points})
        assert [(p["score"], p["predicted"]) for p in answer["predictions"]] == [(0.1, "false"), (0.8, "true")]


@pytest.mark.timed
def test_the_model_does_not_see_the_token_of_the_server(data: Path, tmp_path: Path) -> None:
    words = ["whatif", str(data), "--predict", f"{tmp_path}/model.py:predict", "--truth", "bought", "--host", "0.0.0.0"]
    with served(tmp_path / "cache", *words) as address:
        token = parse_qs(urlsplit(address).query)["token"][0]
        assert len(token) >= 20
        request(address, "predict", {**set_in(address), "points": [{"row": 1}]})
        seen = (tmp_path / "seen.json").read_text()
        assert "PATH" in seen and token not in seen


@pytest.mark.parametrize(
    "words, message",
    [
        (["absent.csv"], "seamark whatif: no such file: 'absent.csv'"),
        (["model.py"], "seamark whatif: this type of file is not known, want one of .csv, "),
        (["people & more.csv", "--predict", "absent.py:predict"], "--predict: no such file: 'absent.py'"),
        (["people & more.csv", "--predict", "model.py"], "the function is missing, want model.py:predict"),
        (["people & more.csv", "--predict_memory_mb", "1"], "want a whole number of 64 or more, got '1'"),
        (["people & more.csv", "--predict_timeout_secs", "-1"], "want seconds above 0, got '-1'"),
    ],
)
def test_wrong_words_are_one_sentence(
    words: list[str], message: str, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(data.parent)
    assert cli.main(["whatif", "--config", "none", *words]) == 2
    assert message in capsys.readouterr().err


def test_flags_of_both_names_add_up_and_replace_those_of_a_file(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = tmp_path / "mine.toml"
    settings.write_text('allow_predict = ["a.b:c", "d.e:f"]\npredict_memory_mb = 100\n')
    command = cli.command_named("whatif")
    assert command is not None

    def allowed(*words: str) -> Any:
        return cli.parsed(cli.parser_of("whatif", command), [str(data), *words])

    assert allowed("--config", "none").allow_predict == ()
    both = allowed(
        "--config", "none", "--predict", "a.b:c", "--allow_predict", "d.e:f,g.h:i", "--predict", "model.py:predict"
    )
    assert both.allow_predict == ("a.b:c", "d.e:f", "g.h:i", "model.py:predict")
    assert allowed("--config", "mine.toml").allow_predict == ("a.b:c", "d.e:f")
    mine = allowed("--config", "mine.toml", "--predict", "x.y:z")
    assert mine.allow_predict == ("x.y:z",) and mine.predict_memory_mb == 100


def test_the_defaults_are_those_of_the_server() -> None:
    options = ModelOptions()
    assert (options.timeout_secs, options.memory_mb) == (DEFAULT_TIMEOUT_SECS, DEFAULT_MEMORY_MB)
