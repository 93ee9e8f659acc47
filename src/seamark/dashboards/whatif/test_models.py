"""Models over HTTP: which a set has, predictions of all rows in the background, and that nothing runs unasked."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.examples.predict.conftest import is_running, wait_until
from seamark.plugin import ModelOptions
from seamark.serve.app import Settings, create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

pytestmark = pytest.mark.timed

ROUTES = "/api/dashboards/whatif"
SET = {"run": "a", "name": "file:people.examples.csv"}
MODEL = """
from pathlib import Path

Path(__file__).with_name("imported").touch()

def predict(columns):
    return (columns["age"] / 100) {change}

predict.seamark_input = "columns"
"""
Ask = Callable[..., Any]


class Page:
    def __init__(self, client: TestClient) -> None:
        self._client = client

    def get(self, route: str, **parameters: str) -> Any:
        return self._client.get(f"{ROUTES}/{route}", params={**SET, **parameters})

    def predict(self, *points: dict[str, Any], **body: Any) -> Any:
        return self._client.post(f"{ROUTES}/predict", json={**SET, "points": list(points), **body})

    def models(self) -> dict[str, dict[str, Any]]:
        """Once all have predicted all rows, or failed."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            entries = self.get("info").json()["models"]
            if all(entry["progress"] == 1 or entry["error"] for entry in entries):
                return {entry["name"]: entry for entry in entries}
            time.sleep(0.02)
        raise AssertionError("the models have not answered")


@contextmanager
def opened(folder: Path, *models: str, **options: Any) -> Iterator[Page]:
    roots = [LogRoot("", folder / "runs")]
    settings = Settings(model_options=ModelOptions(allowed=models, **options))
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield Page(TestClient(create_app(store, roots=roots, settings=settings), base_url="http://localhost"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = tmp_path / "runs" / "a"
    with EventFile(run) as file:
        file.add_scalar("loss", 1.0, 0)
    rows = "".join(f"{age},{'nurse' if age % 2 else 'clerk'},{int(age > 50)},{age / 200}\n" for age in range(100))
    (run / "people.examples.csv").write_text(f"age,job,label,prediction:old\n{rows}")
    (tmp_path / "model.py").write_text(MODEL.format(change=""))
    return tmp_path


def test_a_changed_row_is_predicted(folder: Path) -> None:
    with opened(folder, f"{folder}/model.py:predict") as page:
        answer = page.predict({"row": 20}, {"row": 20, "edits": {"age": 90}}, threshold=0.5).json()
        assert answer["model"] == "model" and answer["classes"] == ["0", "1"] and answer["took_ms"] > 0
        assert [(p["score"], p["predicted"]) for p in answer["predictions"]] == [(0.2, "0"), (0.9, "1")]


def test_stored_and_live_models_stand_side_by_side(folder: Path) -> None:
    (folder / "other.py").write_text(MODEL.format(change="+ 0.1"))
    with opened(folder, f"{folder}/model.py:predict", f"old={folder}/other.py:predict") as page:
        models = page.models()
        assert list(models) == ["model", "old", "old (stored)"]
        assert [models[name]["source"] for name in models] == ["process", "process", "columns"]
        assert [models[name]["can_predict"] for name in models] == [True, True, False]
        assert models["model"]["classes"] == ["0", "1"] and models["model"]["row_ms"] > 0
        scores = {name: page.get("column", column="=score", model=name).content[-4 * 100 :] for name in ["", *models]}
        assert scores[""] == scores["model"] and len(set(scores.values())) == 3
        stored = page.predict({"row": 0}, model="old (stored)")
        assert stored.status_code == 400
        assert "are stored, so it cannot predict changed rows; want one of model, old" in stored.json()["error"]
        assert page.predict({"row": 0}, model="absent").status_code == 404


def test_without_the_flag_nothing_runs(folder: Path) -> None:
    with opened(folder) as page:
        answer = page.predict({"row": 0, "edits": {"age": 1}})
        assert answer.status_code == 403 and answer.json()["code"] == "forbidden"
        assert "running models is not allowed" in answer.json()["error"]
        assert "--allow_predict MODEL" in answer.json()["error"]
        for name in (f"{folder}/model.py:predict", "http://127.0.0.1:1/score"):
            assert page.predict({"row": 0}, model=name).status_code == 403
            assert page.get("column", column="=score", model=name).status_code == 404
        info = page.get("info").json()
        assert not info["can_predict"] and [model["name"] for model in info["models"]] == ["old"]
    assert not (folder / "imported").exists()


def test_the_process_of_a_model_ends_with_its_server(folder: Path) -> None:
    own_pid = 'import os, pathlib; pathlib.Path(__file__).with_name("pid").write_text(str(os.getpid()))'
    (folder / "model.py").write_text(f"{own_pid}\n{MODEL.format(change='')}")
    with opened(folder, f"{folder}/model.py:predict") as page:
        page.models()
        pid = int((folder / "pid").read_text())
        assert is_running(pid)
    del page
    wait_until(lambda: gc.collect() >= 0 and not is_running(pid))


def test_a_request_cannot_name_a_model_that_is_not_allowed(folder: Path) -> None:
    secret = folder / "secret.py"
    secret.write_text(MODEL.format(change=""))
    (folder / "allowed.py").write_text("def predict(df): return df['age']")
    with opened(folder, f"{folder}/allowed.py:predict") as page:
        assert page.predict({"row": 0}, model=f"{secret}:predict").status_code == 404
        assert page.predict({"row": 0}, model="http://127.0.0.1:1/").status_code == 404
    assert not (folder / "imported").exists()


def test_a_failure_is_in_the_list_with_its_traceback(folder: Path) -> None:
    (folder / "model.py").write_text("def predict(df):\n    return df['<b>no</b>']\n")
    with opened(folder, f"{folder}/model.py:predict") as page:
        entry = page.models()["model"]
        assert entry["error"] == "the model 'model' raised KeyError: '<b>no</b>'"
        assert "in predict" in entry["traceback"]
        answer = page.predict({"row": 0})
        assert answer.status_code == 422 and answer.json()["error"] == entry["error"]
        assert "in predict" in answer.json()["traceback"]
        column = page.get("column", column="=score")
        assert column.status_code == 422 and column.json()["error"] == entry["error"]
        # Another model of the set works.
        assert page.get("column", column="=score", model="old").status_code == 200


def test_a_changed_model_predicts_again(folder: Path) -> None:
    with opened(folder, f"{folder}/model.py:predict") as page:
        before = page.get("column", column="=score").content
        assert page.get("column", column="=score").content == before
        (folder / "model.py").write_text(MODEL.format(change="* 0.5"))
        after = page.get("column", column="=score").content
        assert after != before
        assert page.predict({"row": 80}).json()["predictions"][0]["score"] == 0.4


def test_a_slow_model_says_how_far_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.dashboards.whatif.models.WAIT_SECS", 0.01)
    (folder / "model.py").write_text(
        "import time\nfrom pathlib import Path\n\ndef predict(df):\n"
        "    while not Path('go').exists(): time.sleep(0.01)\n    return df['age'] / 100\n"
    )
    with opened(folder, f"{folder}/model.py:predict") as page:
        answer = page.get("column", column="=score")
        assert answer.status_code == 503 and answer.json()["progress"] == 0
        assert "has predicted 0 of 100 rows so far; ask again" in answer.json()["error"]
        assert page.get("info").json()["models"][0]["progress"] == 0
        (folder / "go").touch()
        assert page.models()["model"]["error"] == ""
        assert page.get("column", column="=score").status_code == 200


def test_rows_without_a_number_are_noted_and_an_edited_one_is_an_error(folder: Path) -> None:
    (folder / "model.py").write_text("def predict(df):\n    return df['age'].where(df['age'] != 7)")
    with opened(folder, f"{folder}/model.py:predict") as page:
        assert page.models()["model"]["note"] == (
            "the model returned NaN or infinity for 1 of 100 rows, first for the row 7; they count as rows without a "
            "prediction"
        )
        for points in ([{"row": 7}], [{"row": 1}, {"row": 2, "edits": {"age": 7}}]):
            answer = page.predict(*points)
            assert answer.status_code == 422 and "returned NaN or infinity for the row" in answer.json()["error"]


@pytest.mark.parametrize(
    "point, status, sentence",
    [
        ({"row": 100}, 404, "the set has 100 rows, got the row 100"),
        ({"row": 0, "edits": {"label": 1}}, 422, "only features can be changed, want one of age, job; got 'label'"),
        ({"row": 0, "edits": {"age": "old"}}, 422, "the feature 'age' takes numbers, got 'old'"),
        ({"row": -1}, 400, "points"),
    ],
)
def test_wrong_points_are_one_sentence(point: dict[str, Any], status: int, sentence: str, folder: Path) -> None:
    with opened(folder, f"{folder}/model.py:predict") as page:
        answer = page.predict(point)
        assert (answer.status_code, sentence in answer.json()["error"]) == (status, True), answer.json()


def test_the_command_line_names_the_truth(folder: Path) -> None:
    with opened(folder, truth="job", positive="nurse") as page:
        info = page.get("info").json()
        assert (info["target"], info["positive"], info["task"]) == ("job", "nurse", "binary")
        assert {column["name"]: column["role"] for column in info["columns"]}["label"] == "feature"
    with opened(folder, truth="absent") as page:
        info = page.get("info").json()
        assert info["target"] == "label"
        assert info["problems"] == ["--truth names the column 'absent', which the table does not have"]
    with opened(folder, positive="maybe") as page:
        problem = page.get("info").json()["problems"][0]
        assert problem == "--positive names the class 'maybe', which 'label' does not have; it has 0, 1"
