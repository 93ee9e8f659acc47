"""Sends the same requests to a real TensorBoard and to our application on one log directory."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from tests.compat import http_logs
from tools.compare_tensorboard import tensorboard_on, wait_until

DEADLINE_SECS = 60.0

Expected = set[tuple[str, str]]  # run and scalar tag that must be loaded before responses are compared


@dataclass(frozen=True)
class Pair:
    """Both servers. `get` and `post` send a request to both and return (theirs, ours)."""

    theirs: httpx2.Client
    ours: TestClient
    logdir: Path

    def get(self, path: str, **params: Any) -> tuple[Any, Any]:
        return self.theirs.get(f"/data/{path}", params=params), self.ours.get(f"/data/{path}", params=params)

    def post(self, path: str, **request: Any) -> tuple[Any, Any]:
        return self.theirs.post(f"/data/{path}", **request), self.ours.post(f"/data/{path}", **request)

    def same(self, path: str, **params: Any) -> Any:
        """Checks that both respond with the same JSON, and returns it."""
        theirs, ours = self.get(path, **params)
        assert theirs.status_code == 200, theirs.text
        assert ours.status_code == 200, ours.text
        assert ours.headers["content-type"] == theirs.headers["content-type"]
        assert ours.json() == theirs.json()
        return ours.json()

    def same_bytes(self, path: str, **params: Any) -> bytes:
        theirs, ours = self.get(path, **params)
        assert (theirs.status_code, ours.status_code) == (200, 200)
        assert ours.headers["content-type"] == theirs.headers["content-type"]
        assert ours.content == theirs.content
        return bytes(ours.content)


@contextlib.contextmanager
def both_on(logdir: Path, expected: Expected, scratch: Path) -> Iterator[Pair]:
    roots = [LogRoot("", logdir)]
    with (
        tensorboard_on(logdir, scratch) as address,
        Store(roots, index_dir=None, follow=False) as store,
        httpx2.Client(base_url=address, timeout=DEADLINE_SECS) as theirs,
        TestClient(create_app(store, roots=roots), base_url="http://localhost") as ours,
    ):
        assert store.wait_loaded(DEADLINE_SECS)
        wait_until(
            lambda: expected <= tags_of(theirs), f"TensorBoard has not loaded {expected}", deadline_secs=DEADLINE_SECS
        )
        yield Pair(theirs, ours, logdir)


def tags_of(client: httpx2.Client) -> Expected:
    return {(run, tag) for run, tags in client.get("/data/plugin/scalars/tags").json().items() for tag in tags}


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """On a log directory with every kind, from every writer."""
    logdir = tmp_path_factory.mktemp("logdir")
    expected = http_logs.write_all(logdir)
    with both_on(logdir, expected, tmp_path_factory.mktemp("peer")) as pair:
        yield pair
