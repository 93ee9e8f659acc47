"""Sessions grouped, filtered, sorted and aggregated as in a real TensorBoard."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tensorboard.plugins.hparams import api_pb2, metadata
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData, SessionEndInfo, SessionStartInfo
from tensorboard.plugins.scalar import summary_v2 as scalar_summary

from tests.compat.http_logs import END, Writer
from tests.compat.peer import Pair, both_on

pytestmark = pytest.mark.timed

ALL = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]
LOSS, EVAL_LOSS = {"group": "", "tag": "loss"}, {"group": "eval", "tag": "loss"}

# Run, group, status, hyperparameters, last loss of the run and of its sub-folder; some are missing.
SESSIONS: list[tuple[str, str, int | None, dict[str, Any], float | None, float | None]] = [
    ("a/1", "first", api_pb2.STATUS_SUCCESS, {"lr": 0.1, "name": "adam", "on": True, "mixed": 1.0}, 0.5, 0.6),
    ("a/2", "first", api_pb2.STATUS_SUCCESS, {"lr": 0.1, "name": "adam", "on": True, "mixed": 1.0}, 0.3, None),
    ("a/3", "first", api_pb2.STATUS_FAILURE, {"lr": 0.1, "name": "adam", "on": True, "mixed": 1.0}, 0.9, 0.1),
    ("b", "", api_pb2.STATUS_FAILURE, {"lr": 0.01, "name": "sgd", "on": False, "mixed": "two"}, 0.2, 0.4),
    ("c", "", None, {"odd": math.nan, "name": "adam w", "on": True}, None, None),
    ("d/deep/er", "", api_pb2.STATUS_RUNNING, {"lr": 1.0, "name": "sgd", "same": 3.0}, math.nan, 0.7),
    ("e", "", api_pb2.STATUS_SUCCESS, {"lr": 0.01, "same": 3.0}, math.inf, 0.7),
]


def write_session(
    logdir: Path, session: tuple[str, str, int | None, dict[str, Any], float | None, float | None]
) -> None:
    run, group, status, hparams, loss, eval_loss = session
    writer = Writer(logdir / run)
    start = SessionStartInfo(model_uri="m", monitor_url="u", group_name=group, start_time_secs=7)
    for name, value in hparams.items():
        field = {bool: "bool_value", float: "number_value", str: "string_value"}[type(value)]
        setattr(start.hparams[name], field, value)
    note(writer, metadata.SESSION_START_INFO_TAG, session_start_info=start)
    if loss is not None:
        for step in range(3):
            writer.summary(scalar_summary.scalar_pb("loss", loss + 2 - step), step=step)
    if status is not None:
        end = SessionEndInfo(status=status, end_time_secs=9)
        note(writer, metadata.SESSION_END_INFO_TAG, session_end_info=end)
    writer.summary(scalar_summary.scalar_pb(END, 1.0), step=5)
    writer.close()
    if eval_loss is not None:
        evaluation = Writer(logdir / run / "eval")
        evaluation.summary(scalar_summary.scalar_pb("loss", eval_loss), step=4)
        evaluation.close()


def note(writer: Writer, tag: str, **data: Any) -> None:
    """All of it is in the metadata."""
    described = metadata.create_summary_metadata(HParamsPluginData(**data))
    writer.value(tag, metadata=described, tensor=metadata.NULL_TENSOR)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    logdir = tmp_path_factory.mktemp("logdir")
    for session in SESSIONS:
        write_session(logdir, session)
    lone = Writer(logdir / "lone")
    lone.summary(scalar_summary.scalar_pb("not of a session", 1.0))
    lone.close()
    expected = {(session[0], END) for session in SESSIONS} | {("lone", "not of a session")}
    expected |= {(f"{session[0]}/eval", "loss") for session in SESSIONS if session[5] is not None}
    with both_on(logdir, expected, tmp_path_factory.mktemp("peer")) as pair:
        yield pair


def tidy(answer: Any) -> Any:
    """Sorts the values of a text hyperparameter, which TensorBoard lists in random order."""
    for info in answer.get("hparamInfos", []):
        if "domainDiscrete" in info:
            info["domainDiscrete"].sort(key=str)
    return answer


def same(pair: Pair, what: str, request: dict[str, Any]) -> Any:
    """Sends the request to both, by POST and by GET."""
    text = json.dumps(request)
    answers = [*pair.post(f"plugin/hparams/{what}", content=text), *pair.get(f"plugin/hparams/{what}", request=text)]
    assert [answer.status_code for answer in answers] == [200] * 4, [answer.text for answer in answers]
    contents = [tidy(answer.json()) if what == "experiment" else answer.json() for answer in answers]
    assert all(content == contents[0] for content in contents)
    return contents[0]


def groups(pair: Pair, **request: Any) -> list[str]:
    request = {"allowedStatuses": ALL, "sliceSize": 100, **request}
    answer = same(pair, "session_groups", request)
    return [group["name"] for group in answer["sessionGroups"]]


def test_an_experiment_without_a_description_is_inferred(pair: Pair) -> None:
    experiment = same(pair, "experiment", {})
    types = {info["name"]: info["type"].removeprefix("DATA_TYPE_") for info in experiment["hparamInfos"]}
    assert types == {
        "lr": "FLOAT64",
        "name": "STRING",
        "on": "BOOL",
        "mixed": "STRING",
        "same": "FLOAT64",
        "odd": "FLOAT64",
    }
    names = [info["name"] for info in experiment["metricInfos"]]
    assert names == [LOSS, EVAL_LOSS, {"group": "", "tag": END}]


@pytest.mark.parametrize(
    "request_", [{"hparamsLimit": 2}, {"includeMetrics": False}, {"include_metrics": True, "experimentName": "x"}]
)
def test_part_of_an_experiment(pair: Pair, request_: dict[str, Any]) -> None:
    same(pair, "experiment", request_)


def test_sessions_are_grouped_by_their_group_name(pair: Pair) -> None:
    assert groups(pair) == ["b", "c", "d/deep/er", "e", "first"]


@pytest.mark.parametrize(
    "statuses", [[], ["STATUS_SUCCESS"], ["STATUS_UNKNOWN", 3], ["STATUS_FAILURE", "STATUS_SUCCESS"]]
)
def test_only_sessions_with_the_requested_statuses(pair: Pair, statuses: list[Any]) -> None:
    groups(pair, allowedStatuses=statuses)


@pytest.mark.parametrize(("start", "size"), [(0, 2), (1, 2), (4, 9), (9, 9), (0, 0)])
def test_a_slice(pair: Pair, start: int, size: int) -> None:
    groups(pair, startIndex=start, sliceSize=size)


@pytest.mark.parametrize("how", ["UNSET", "AVG", "MEDIAN", "MIN", "MAX"])
def test_metrics_of_a_group(pair: Pair, how: str) -> None:
    """TensorBoard fails for sessions without the metric; here all have it."""
    request = {"aggregationType": f"AGGREGATION_{how}", "aggregationMetric": {"tag": END}}
    groups(pair, **request)
    groups(pair, allowedStatuses=["STATUS_SUCCESS"], aggregationType=f"AGGREGATION_{how}", aggregationMetric=LOSS)


@pytest.mark.parametrize(
    ("column", "names"),
    [
        ({"hparam": "name", "filterRegexp": "^adam"}, ["c", "e", "first"]),
        ({"hparam": "name", "filterRegexp": "^adam", "excludeMissingValues": True}, ["c", "first"]),
        ({"hparam": "lr", "filterInterval": {"minValue": 0.05, "maxValue": "Infinity"}}, ["c", "d/deep/er", "first"]),
        ({"hparam": "lr", "filter_interval": {"min_value": "-Infinity", "max_value": 0.05}}, ["b", "c", "e"]),
        ({"hparam": "on", "filterDiscrete": [True]}, ["c", "d/deep/er", "e", "first"]),
        ({"hparam": "mixed", "filterDiscrete": ["two"], "excludeMissingValues": True}, ["b"]),
        ({"metric": LOSS, "filterInterval": {"minValue": 0.1, "maxValue": 0.4}}, ["b", "c"]),
        ({"metric": EVAL_LOSS, "excludeMissingValues": True}, ["b", "d/deep/er", "e", "first"]),
        ({"hparam": "nothing", "excludeMissingValues": True}, []),
    ],
)
def test_filters(pair: Pair, column: dict[str, Any], names: list[str]) -> None:
    assert groups(pair, colParams=[column]) == names


@pytest.mark.parametrize("order", ["ORDER_ASC", "ORDER_DESC"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("by", [{"hparam": "lr"}, {"hparam": "name"}, {"hparam": "on"}, {"metric": EVAL_LOSS}])
def test_orders(pair: Pair, order: str, first: bool, by: dict[str, Any]) -> None:
    groups(pair, colParams=[{**by, "order": order, "missingValuesFirst": first}])


def test_several_columns_at_once(pair: Pair) -> None:
    columns = [
        {"hparam": "on", "order": "ORDER_DESC", "includeInResult": True},
        {"hparam": "lr", "order": "ORDER_ASC", "includeInResult": False},
        {"hparam": "name", "filterRegexp": "a|s"},
        {"metric": LOSS},
    ]
    groups(pair, colParams=columns)


def test_the_points_of_a_metric(pair: Pair) -> None:
    assert len(same(pair, "metric_evals", {"sessionName": "b", "metricName": LOSS})) == 3
    same(pair, "metric_evals", {"sessionName": "d/deep/er", "metricName": EVAL_LOSS})


@pytest.mark.parametrize("form", ["json", "csv", "latex"])
def test_the_table_as_a_download(pair: Pair, form: str) -> None:
    request = json.dumps({"allowedStatuses": ALL, "sliceSize": 100})
    for visible in ([True] * 9, [True, False, True, False, True, True, True, False, True]):
        parameters = {"format": form, "columnsVisibility": json.dumps(visible), "request": request}
        theirs, ours = pair.get("plugin/hparams/download_data", **parameters)
        assert theirs.status_code == ours.status_code == 200
        assert ours.headers["content-type"].split(";")[0] == theirs.headers["content-type"].split(";")[0]
        if form == "json":
            assert ours.json() == theirs.json()
        else:
            assert ours.text == theirs.text


@pytest.mark.parametrize(
    ("what", "request_"),
    [
        ("experiment", None),
        ("experiment", "["),
        ("experiment", '{"nonsense": 1}'),
        ("session_groups", '{"allowedStatuses": ["STATUS_LOST"]}'),
        ("session_groups", '{"colParams": [{}]}'),
        ("session_groups", '{"colParams": [{"hparam": "lr", "filterRegexp": "a"}], "allowedStatuses": [1]}'),
        ("session_groups", '{"colParams": [{"hparam": "name", "filterInterval": {}}], "allowedStatuses": [1]}'),
        ("session_groups", '{"sliceSize": "many"}'),
        ("metric_evals", '{"sessionName": "b", "metricName": {"tag": "nothing"}}'),
        ("download_data", None),
    ],
)
def test_an_invalid_request_gets_the_same_status(pair: Pair, what: str, request_: str | None) -> None:
    params = {"request": request_} if request_ is not None else {}
    theirs, ours = pair.get(f"plugin/hparams/{what}", columnsVisibility="[]", format="csv", **params)
    assert ours.status_code == theirs.status_code
    assert 400 <= ours.status_code < 500
