"""Histograms as columns: windows, thinning, percentiles, and one that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark.format.messages import HistogramProto, Summary
from seamark.kinds import histogram
from seamark.kinds.statistics.percentiles import percentiles
from seamark.kinds.summary import event_record
from seamark.plugin.columns import decode_columns
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

STEPS = 100
WEIGHTS = "/api/histograms?tag=weights"
NAN = float("nan")


def numbers(run: str, step: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.arange(10 + step) * (1.0 if run == "a" else -1.0)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    for run in ("a", "b"):
        with EventFile(tmp_path / run, wall_time=1000.0) as file:
            for step in range(STEPS):
                value = histogram.encode("weights", numbers(run, step))
                file.append(event_record(value, step=step, wall_time=1000.0 + 2 * step))
    with EventFile(tmp_path / "spoilt", wall_time=1000.0) as file:
        for step in range(3):
            value = histogram.encode("weights", [1.0, 2.0])
            if step == 1:
                torch_like = HistogramProto(min=NAN, max=NAN, num=7, sum=NAN, bucket_limit=[0, 1, 2], bucket=[0, 1, 1])
                value = Summary.Value(tag="weights", histo=torch_like)
            file.append(event_record(value, step=step, wall_time=1000.0 + step))
    with (
        Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        yield client


def get_histograms(client: TestClient, query: str) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = client.get(WEIGHTS + query)
    assert answer.status_code == 200, answer.text
    return decode_columns(answer.content)


def test_every_bucket_of_every_step(client: TestClient) -> None:
    header, columns = get_histograms(client, "&run=a")
    assert (header["tag"], header["runs"], header["problems"]) == ("weights", ["a"], [])
    assert columns["step"].tolist() == list(range(STEPS))
    assert columns["offsets"].tolist() == list(range(0, 30 * STEPS + 1, 30))
    rows = slice(*columns["offsets"][7:9].astype(int))
    want = histogram.bucketize(numbers("a", 7))
    assert np.column_stack([columns[name][rows] for name in ("left", "right", "count")]).tolist() == want.tolist()


def test_runs_without_the_tag_are_left_out(client: TestClient) -> None:
    header, columns = get_histograms(client, "&run=b&run=none&run=a&limit=10")
    assert header["runs"] == ["b", "a"]
    picked = columns["step"][columns["run"] == 1].tolist()
    assert picked == columns["step"][columns["run"] == 0].tolist()
    assert 5 <= len(picked) <= 10
    assert (picked[0], picked[-1]) == (0, STEPS - 1)
    assert columns["points"].tolist() == columns["total"].tolist() == [STEPS, STEPS]
    assert client.get(f"{WEIGHTS}&run=none").status_code == 404
    assert client.get(WEIGHTS).status_code == 400


@pytest.mark.parametrize(
    ("window", "steps"),
    [("start=10&stop=12", [10, 11, 12]), ("axis=relative&start=20&stop=24", [10, 11, 12]),
     ("axis=wall&stop=1004", [0, 1, 2]), ("start=1000", [])],
)  # fmt: skip
def test_a_window_reaches_every_step(client: TestClient, window: str, steps: list[int]) -> None:
    header, columns = get_histograms(client, f"&run=a&{window}&limit=8")
    assert columns["step"].tolist() == steps
    assert (columns["points"].tolist(), columns["total"].tolist()) == ([len(steps)], [STEPS])
    assert columns["began"].tolist() == [1000.0]
    assert header["health"] is None


def test_the_chosen_steps_stay_while_a_series_grows(client: TestClient) -> None:
    first, then = (get_histograms(client, f"&run=a&stop={stop}&limit=16")[1]["step"].tolist() for stop in (80, 90))
    assert first[:-1] == [step for step in then if step < 80]


def test_percentiles_equal_those_of_distributions(client: TestClient) -> None:
    _, columns = get_histograms(client, "&run=a&parts=percentiles&start=5&stop=6")
    assert "left" not in columns
    want = [value for _, value in percentiles(histogram.bucketize(numbers("a", 6)))]
    assert columns["percentiles"].reshape(-1, 9)[1].tolist() == want


def test_an_unreadable_step_is_a_problem_and_the_others_are_sent(client: TestClient) -> None:
    header, columns = get_histograms(client, "&run=a&run=spoilt&start=0&stop=2&parts=all")
    assert columns["step"].tolist() == [0, 1, 2, 0, 1, 2]
    (problem,) = header["problems"]
    assert (problem["row"], problem["run"]) == (4, "spoilt")
    assert problem["message"].endswith("5 of its values were NaN or infinite")
    assert np.diff(columns["offsets"]).tolist() == [30, 30, 30, 30, 0, 30]
    assert np.isnan(columns["percentiles"].reshape(-1, 9)[4]).all()
    assert not np.isnan(columns["percentiles"].reshape(-1, 9)[5]).any()
    health = get_histograms(client, "&run=spoilt")[0]["health"]
    assert [(hint["run"], hint["rule"], hint["step"]) for hint in health] == [("spoilt", "not-finite", 1)]
