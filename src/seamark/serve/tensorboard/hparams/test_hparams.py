"""Hyperparameters in cases where TensorBoard fails or its order is random."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.kinds import hparams
from seamark.kinds.hparams import Experiment, HParamInfo, HParamType, Interval, MetricInfo, SessionStart
from seamark.kinds.summary import event_record
from seamark.serve.app import create_app
from seamark.serve.tensorboard.hparams.experiment import hparam_of, session_above
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile


def log_session(folder: Path, values: dict[str, Any], *more: Any, loss: float | None = None) -> None:
    with EventFile(folder, wall_time=1000.0) as file:
        for info in (SessionStart(hparams=values), *more):
            file.append(event_record(hparams.encode(info), step=0, wall_time=1000.0))
        if loss is not None:
            file.add_scalar("loss", loss, 3, wall_time=1003.0)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    log_session(tmp_path, {"x": "text"}, loss=1.0)
    log_session(tmp_path / "a", {"x": 2.0}, loss=math.nan)
    log_session(tmp_path / "b", {"x": True}, loss=0.5)
    log_session(tmp_path / "c", {"x": "other"})
    return tmp_path


@pytest.fixture
def client(logdir: Path) -> Iterator[TestClient]:
    with Store([LogRoot("", logdir)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield TestClient(create_app(store), base_url="http://localhost")


def groups(client: TestClient, **request: Any) -> list[Any]:
    request = {"allowedStatuses": [0], "sliceSize": 100, **request}
    answer = client.post("/data/plugin/hparams/session_groups", content=json.dumps(request))
    assert answer.status_code == 200, answer.text
    found: list[Any] = answer.json()["sessionGroups"]
    return found


def names(found: list[Any]) -> list[str]:
    return [group["name"] for group in found]


def test_a_session_in_the_root_of_the_log_directory_keeps_its_metrics(client: TestClient) -> None:
    root = groups(client)[0]
    assert root["name"] == "."
    assert [(one["name"], one["value"]) for one in root["metricValues"]] == [({"group": "", "tag": "loss"}, 1.0)]


@pytest.mark.parametrize("order", ["ORDER_ASC", "ORDER_DESC"])
def test_a_column_of_mixed_types_can_be_ordered(client: TestClient, order: str) -> None:
    found = names(groups(client, colParams=[{"hparam": "x", "order": order}]))
    assert found == (["b", "a", "c", "."] if order == "ORDER_ASC" else [".", "c", "a", "b"])


def test_nan_is_sorted_after_the_numbers(client: TestClient) -> None:
    column = {"metric": {"tag": "loss"}, "order": "ORDER_ASC"}
    assert names(groups(client, colParams=[column])) == ["b", ".", "a", "c"]


def test_a_group_without_the_metric_to_aggregate_by_has_none(client: TestClient) -> None:
    found = groups(client, aggregationType="AGGREGATION_MEDIAN", aggregationMetric={"tag": "nothing"})
    assert [group["metricValues"] for group in found] == [[]] * 4


def test_a_bad_pattern_is_rejected(client: TestClient) -> None:
    request = {"allowedStatuses": [0], "colParams": [{"hparam": "x", "filterRegexp": "("}]}
    answer = client.post("/data/plugin/hparams/session_groups", content=json.dumps(request))
    assert answer.status_code == 400
    assert "'x': not a regular expression" in answer.text


@pytest.mark.parametrize("body", ["", "[]", "null", "{", '{"colParams": 1}', '{"colParams": [1]}', '{"sliceSize": "-"}', '{"sliceSize": true}', '{"includeMetrics": "no"}', '{"aggregationType": "SUM"}', '{"colParams": [{"hparam": "x", "metric": {}}]}', '{"colParams": [{"hparam": "x", "filterInterval": {"minValue": "x"}}]}'])  # fmt: skip
def test_bad_bodies(client: TestClient, body: str) -> None:
    answer = client.post("/data/plugin/hparams/session_groups", content=body)
    assert answer.status_code == 400
    assert len(answer.text) > 20


def test_an_experiment_that_a_run_describes(logdir: Path) -> None:
    described = Experiment(
        (
            HParamInfo("x", "X", "the x", HParamType.FLOAT64, Interval(0.0, math.inf)),
            HParamInfo("o", domain=("a", 1.0)),
        ),
        (MetricInfo("loss", display_name="Loss"),),
        name="mine",
    )
    log_session(logdir / "z", {}, described)
    with Store([LogRoot("", logdir)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        client = TestClient(create_app(store), base_url="http://localhost")
        experiment = client.post("/data/plugin/hparams/experiment", content="{}").json()
        asked = {
            "format": "latex",
            "columnsVisibility": "[false, true, true]",
            "request": '{"allowedStatuses": [0], "sliceSize": 2}',
        }
        table = client.get("/data/plugin/hparams/download_data", params=asked).text
    assert experiment["name"] == "mine"
    assert [info["name"] for info in experiment["hparamInfos"]] == ["o", "x"]
    assert experiment["hparamInfos"][1]["domainInterval"] == {"minValue": 0.0, "maxValue": "Infinity"}
    assert "X & Loss \\\\ \\hline\ntext & $1$ \\\\\n$2$ & $\\mathrm{NaN}$ \\\\\n" in table


def test_values_without_a_type_have_no_column() -> None:
    assert hparam_of("x", [None, ["a"], {"b": 1.0}]) is None
    found = hparam_of("x", [math.nan, 1.0, None])
    assert found is not None and found.domain == Interval(1.0, 1.0)


def test_a_run_belongs_to_the_nearest_session_above() -> None:
    sessions = frozenset({"a", "a/b"})
    assert [session_above(sessions, run) for run in ("a", "a/c", "a/b/c/d", "ab", ".")] == ["a", "a", "a/b", None, None]
