"""The hparams routes answer as TensorBoard's for logs of TensorFlow, torch and Lightning."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.compat.hparams_logs import WRITERS
from tests.compat.peer import Pair, both_on
from tests.compat.test_http_hparams import ALL, same

pytestmark = pytest.mark.timed

EVERYTHING = {"allowedStatuses": ALL, "sliceSize": 100}


@pytest.fixture(scope="module", params=WRITERS)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Pair]]:
    logdir = tmp_path_factory.mktemp(request.param)
    expected = WRITERS[request.param](logdir)
    with both_on(logdir, expected, tmp_path_factory.mktemp("peer")) as pair:
        yield request.param, pair


def test_the_experiment(written: tuple[str, Pair]) -> None:
    writer, pair = written
    experiment = same(pair, "experiment", {})
    same(pair, "experiment", {"hparamsLimit": 2})
    same(pair, "experiment", {"includeMetrics": False})
    names = {
        "tensorflow": {"dropout", "num_units", "optimizer", "augment", "unused"},
        "torch": {"lr", "bsize", "optimizer", "bn"},
        "lightning": {"lr", "layers", "optim/name", "use_ema"},
    }
    assert {info["name"] for info in experiment["hparamInfos"]} == names[writer]
    assert experiment["metricInfos"]


def columns_of(pair: Pair) -> tuple[list[str], list[dict[str, str]]]:
    experiment = same(pair, "experiment", {})
    return [info["name"] for info in experiment["hparamInfos"]], [info["name"] for info in experiment["metricInfos"]]


def test_the_sessions_sorted_by_every_column(written: tuple[str, Pair]) -> None:
    writer, pair = written
    found = same(pair, "session_groups", EVERYTHING)["sessionGroups"]
    assert len(found) == {"tensorflow": 2, "torch": 3, "lightning": 3}[writer]
    assert all(group["sessions"] for group in found)
    hparams, metrics = columns_of(pair)
    for order in ("ORDER_ASC", "ORDER_DESC"):
        for column in [*({"hparam": name} for name in hparams), *({"metric": metric} for metric in metrics)]:
            for missing_first in (True, False):
                asked = {**column, "order": order, "missingValuesFirst": missing_first}
                same(pair, "session_groups", {**EVERYTHING, "colParams": [asked]})


def test_statuses_aggregations_and_slices(written: tuple[str, Pair]) -> None:
    _, pair = written
    for status in ALL:
        same(pair, "session_groups", {**EVERYTHING, "allowedStatuses": [status]})
    for how in ("AVG", "UNSET"):
        same(pair, "session_groups", {**EVERYTHING, "aggregationType": f"AGGREGATION_{how}"})
    for start, size in ((0, 1), (1, 1), (1, 9)):
        same(pair, "session_groups", {**EVERYTHING, "startIndex": start, "sliceSize": size})


def test_every_point_of_every_metric_of_every_session(written: tuple[str, Pair]) -> None:
    _, pair = written
    seen = 0
    for group in same(pair, "session_groups", EVERYTHING)["sessionGroups"]:
        for session in group["sessions"]:
            for measured in session["metricValues"]:
                points = same(pair, "metric_evals", {"sessionName": session["name"], "metricName": measured["name"]})
                assert points[-1][2] == measured["value"] or measured["value"] == "NaN"
                seen += len(points)
    assert seen >= 2


@pytest.mark.parametrize("form", ["json", "csv", "latex"])
def test_the_table_as_a_download(written: tuple[str, Pair], form: str) -> None:
    _, pair = written
    hparams, metrics = columns_of(pair)
    count = len(hparams) + len(metrics)
    for visible in ([True] * count, [at % 2 == 0 for at in range(count)]):
        asked = {"format": form, "columnsVisibility": json.dumps(visible), "request": json.dumps(EVERYTHING)}
        theirs, ours = pair.get("plugin/hparams/download_data", **asked)
        assert (theirs.status_code, ours.status_code) == (200, 200)
        assert ours.text == theirs.text if form != "json" else ours.json() == theirs.json()


def test_our_table_has_the_values_of_tensorboard(written: tuple[str, Pair]) -> None:
    """Every hyperparameter of every session is in the row of its run, or of the run it is merged into."""
    writer, pair = written
    listed = pair.ours.get("/api/table/columns").json()
    assert listed["problems"] == []
    if writer == "torch":
        assert listed["merged_into"] == {"run0/1700000000.5": "run0", "run1/1700000001.5": "run1", "run2/noted": "run2"}
    ids = [column["id"] for column in listed["columns"] if column["source"] == "param"]
    table = pair.ours.post("/api/table", json={"columns": ids}).json()
    rows = {
        run: {
            column["id"].removeprefix("param:"): column["values"][at]
            for column in table["columns"]
            if column["values"][at] is not None
        }
        for at, run in enumerate(table["runs"])
    }
    compared = 0
    for group in same(pair, "session_groups", EVERYTHING)["sessionGroups"]:
        for session in group["sessions"][:1]:
            row: dict[str, Any] = rows[listed["merged_into"].get(session["name"], session["name"])]
            for name, value in group["hparams"].items():
                assert row[name] == value, name
                compared += 1
    assert compared >= 8
