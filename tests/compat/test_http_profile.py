"""The profile plugin answers as xprof does for a profile of JAX."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store

jax = pytest.importorskip("jax")
profile_plugin = pytest.importorskip("xprof.profile_plugin")
werkzeug_test = pytest.importorskip("werkzeug.test")
PREFIX = "/data/plugin/profile"


class Pair:
    """Sends a request to xprof's plugin and to our application."""

    def __init__(self, plugin: Any, ours: TestClient) -> None:
        self._apps, self._ours = plugin.get_plugin_apps(), ours

    def get(self, route: str, **params: str) -> tuple[Any, Any]:
        theirs = werkzeug_test.Client(self._apps[f"/{route}"]).get(f"/{route}", query_string=params)
        ours = self._ours.get(f"{PREFIX}/{route}", params=params)
        assert (theirs.status_code, ours.status_code) == (200, 200), ours.text
        return json.loads(gunzipped(theirs.data)), ours.json()


def gunzipped(data: bytes) -> bytes:
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    logdir = tmp_path_factory.mktemp("logs")
    record(logdir / "a")
    flags = SimpleNamespace(master_tpu_unsecure_channel="")
    plugin = profile_plugin.ProfilePlugin(SimpleNamespace(logdir=str(logdir), data_provider=None, flags=flags))
    roots = [LogRoot("", logdir)]
    with Store(roots, index_dir=tmp_path_factory.mktemp("index"), follow=False) as store:
        assert store.wait_loaded(30)
        yield Pair(plugin, TestClient(create_app(store, roots=roots), base_url="http://localhost"))


def record(folder: Path) -> None:
    multiply = jax.jit(lambda x: (x @ x).sum())
    matrix = jax.numpy.ones((200, 200))
    multiply(matrix).block_until_ready()
    jax.profiler.start_trace(str(folder))
    for step in range(3):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            multiply(matrix).block_until_ready()
    jax.profiler.stop_trace()


def run_of(pair: Pair) -> str:
    return str(pair.get("runs")[1][0])


def test_runs_hosts_tools_and_config(pair: Pair) -> None:
    theirs, ours = pair.get("runs")
    assert ours == theirs
    assert len(ours) == 1 and ours[0].startswith("a/")
    for tag in ("trace_viewer@", "overview_page"):
        theirs, ours = pair.get("hosts", run=run_of(pair), tag=tag)
        assert ours == theirs
    theirs, ours = pair.get("run_tools", run=run_of(pair))
    assert set(ours) - {"kernel_stats"} <= set(theirs)  # theirs has kernels only if there is a GPU
    theirs, ours = pair.get("config")
    assert ours.keys() == theirs.keys()


def our_name(name: str) -> str:
    """Python functions are named as torch names them: "train.py(3): step" for "$train.py:3 step"."""
    return re.sub(r"^\$?(\S+):(\d+) ", r"\1(\2): ", name).removeprefix("$")


def test_the_trace_viewer_has_the_same_slices(pair: Pair) -> None:
    host = pair.get("hosts", run=run_of(pair), tag="trace_viewer@")[1][0]["hostname"]
    theirs, ours = (
        Counter(
            (our_name(event["name"]), round(event["dur"] * 1000))
            for event in data["traceEvents"]
            # A slice without length is an instant there; a step has its number in the name.
            if event.get("ph") == "X" and event["dur"] > 0 and not event["name"].startswith("train")
        )
        for data in pair.get("data", run=run_of(pair), tag="trace_viewer", host=host)
    )
    assert ours == theirs


def test_the_overview_has_the_same_steps(pair: Pair) -> None:
    theirs, ours = (tables[1] for tables in pair.get("data", run=run_of(pair), tag="overview_page"))
    assert [column["id"] for column in ours["cols"]] == [column["id"] for column in theirs["cols"]]
    assert [row["c"][0]["v"] for row in ours["rows"]] == [row["c"][0]["v"] for row in theirs["rows"]]
    assert [row["c"][-1]["v"] for row in ours["rows"]] == [row["c"][-1]["v"] for row in theirs["rows"]]


def test_tables_have_the_same_columns(pair: Pair) -> None:
    theirs, ours = pair.get("data", run=run_of(pair), tag="framework_op_stats")
    assert len(ours) == len(theirs)
    assert ours[0]["cols"] == theirs[0]["cols"]
    theirs, ours = pair.get("data", run=run_of(pair), tag="kernel_stats")
    assert ours["cols"] == theirs["cols"]
    theirs, ours = pair.get("data", run=run_of(pair), tag="overview_page")
    assert len(ours) == len(theirs)
    assert ours[0]["cols"] == theirs[0]["cols"]
