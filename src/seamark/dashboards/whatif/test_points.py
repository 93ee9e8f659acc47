"""Routes of points over a set with stored predictions; models in processes are tested with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seamark.dashboards.whatif.conftest import Send

SET = {"run": "a", "name": "file:examples.csv"}


@pytest.fixture(autouse=True)
def _examples(run: Path) -> None:
    lines = ["x,city,label,score", "0,Rome,no,0.1", "1,Oslo,yes,0.9", "2,Rome,yes,0.8", "9,Rome,no,0.2"]
    (run / "examples.csv").write_text("\n".join(lines) + "\n")


def test_a_counterfactual_needs_only_stored_predictions(post: Send) -> None:
    answer = post("counterfactual", **SET, row=0, fixed=["city"]).json()
    assert answer["near"]["row"] == 2
    assert [(d["feature"], d["own"], d["other"]) for d in answer["differences"]] == [("x", 0.0, 2.0)]
    assert answer["distance"] == "L1, standardized; categories by frequency"


def test_the_filter_limits_neighbours(post: Send) -> None:
    answer = post("neighbours", **SET, row=0, count=2, filter={"query": 'city = "Rome"'}).json()
    assert [near["row"] for near in answer["neighbours"]] == [2, 3]


@pytest.mark.parametrize("route", ["partial_dependence", "attributions"])
def test_analyses_of_changed_rows_say_which_flag_allows_a_model(post: Send, route: str) -> None:
    response = post(route, **SET, row=0, **({"feature": "x"} if route == "partial_dependence" else {}))
    assert response.status_code == 403
    assert "--allow_predict" in response.json()["error"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"row": 99}, "no row 99"),
        ({"row": 0, "fixed": ["z"]}, "no feature 'z'"),
        ({"row": 0, "distance": {"features": ["z"]}}, "no feature 'z'"),
    ],
)
def test_a_wrong_request_gets_a_sentence(post: Send, body: dict[str, Any], sentence: str) -> None:
    response = post("counterfactual", **SET, **body)
    assert response.status_code == 422
    assert sentence in response.json()["error"]


def test_stopping_what_does_not_run_is_no_error(post: Send) -> None:
    assert post("stop", key="unknown").json() == {"was_running": False}
