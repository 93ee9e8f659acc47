"""A bucket of each S3 server that the tests can start, behind a proxy that can fail."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.buckets.bucket import Bucket
from tools.fault_proxy import fault_proxy
from tools.s3_server import SERVERS, S3Server, missing_s3_server, s3_server


@pytest.fixture(scope="module", params=sorted(SERVERS))
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if missing_s3_server(request.param):
        pytest.skip(missing_s3_server(request.param))
    with s3_server(tmp_path_factory.mktemp("s3"), request.param) as started:
        yield started


@pytest.fixture
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No credentials and no files of whoever runs the tests."""
    for name in os.environ:
        if name.startswith(("AWS_", "GOOGLE_", "AZURE_", "STORAGE_EMULATOR")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def bucket(
    server: S3Server, clean_environment: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bucket]:
    with fault_proxy(server.endpoint) as proxy:
        for name, value in {**server.environment, "AWS_ENDPOINT_URL": proxy.address}.items():
            monkeypatch.setenv(name, value)
        # Each test has its own prefix: the server is shared.
        yield Bucket(server, proxy, tmp_path.name)
