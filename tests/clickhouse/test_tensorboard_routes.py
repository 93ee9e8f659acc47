"""TensorBoard's routes below /data on a store in ClickHouse: byte for byte those of the log directory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seamark.store.test_contract import write_logs
from tests.clickhouse.both_pages import Pages, ingested_pages


@pytest.fixture(scope="module")
def pages(databases: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    logdir: Path = tmp_path_factory.mktemp("logs")
    write_logs(logdir)
    with ingested_pages(databases.make(), logdir) as opened:
        yield opened


def assert_same(pages: Pages, path: str, **request: Any) -> bytes:
    method = "POST" if request.keys() & {"data", "content"} else "GET"
    ours, want = (page.request(method, f"/data/{path}", **request) for page in pages)
    assert (ours.status_code, ours.content) == (want.status_code, want.content), path
    assert want.status_code == 200, want.text
    return ours.content


@pytest.mark.parametrize(
    "path",
    [
        "runs",
        "plugins_listing",
        "plugin/scalars/tags",
        "plugin/timeseries/tags",
        "plugin/text/tags",
        "plugin/histograms/tags",
    ],
)
def test_lists_are_equal(pages: Pages, path: str) -> None:
    assert len(assert_same(pages, path)) > 2


@pytest.mark.parametrize("form", ["json", "csv"])
def test_scalars_of_every_series_are_equal(pages: Pages, form: str) -> None:
    tags = json.loads(assert_same(pages, "plugin/scalars/tags"))
    assert len(tags) > 10
    for run, found in tags.items():
        for tag in found:
            assert_same(pages, "plugin/scalars/scalars", params={"run": run, "tag": tag, "format": form})


def test_scalars_of_many_runs_are_equal(pages: Pages) -> None:
    tags = json.loads(assert_same(pages, "plugin/scalars/tags"))
    found = assert_same(pages, "plugin/scalars/scalars_multirun", data={"tag": "loss", "runs": [*tags, "gone"]})
    assert len(json.loads(found)) > 8
    requests = [{"plugin": "scalars", "tag": "loss"}, {"plugin": "histograms", "tag": "weights", "run": "media"}]
    assert_same(pages, "plugin/timeseries/timeSeries", data={"requests": json.dumps(requests)})


def test_payloads_are_equal(pages: Pages) -> None:
    for path, tag in (
        ("histograms/histograms", "weights"),
        ("distributions/distributions", "weights"),
        ("text/text", "note"),
    ):
        assert_same(pages, f"plugin/{path}", params={"run": "media", "tag": tag})


def test_trials_are_equal(pages: Pages) -> None:
    assert_same(pages, "plugin/hparams/experiment", content="{}")
    request = {"startIndex": 0, "sliceSize": 10, "colParams": [], "allowedStatuses": ["STATUS_UNKNOWN"]}
    assert_same(pages, "plugin/hparams/session_groups", content=json.dumps(request))


def test_a_series_that_is_not_there_is_404(pages: Pages) -> None:
    for page in pages:
        answer = page.get("/data/plugin/scalars/scalars", params={"run": "gone' OR 1=1", "tag": "loss"})
        assert answer.status_code == 404
