"""The commands in docs/scale.md work as they are written there, on servers that this test starts."""

from __future__ import annotations

import calendar
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.compare.test_support import log_run
from tests.clickhouse.conftest import PASSWORD, USER
from tools.clickhouse_cluster import CLUSTER, Cluster
from tools.s3_server import BUCKET, S3Server, missing_s3_server, s3_server

DOCS = Path(__file__).parents[2] / "docs/scale.md"
# They change the machine, or start what this test has started already.
NOT_RUN = ("pip install", "apt-get install", "python tools/clickhouse_cluster.py start")
# A command that does not end by itself, and the first words that it prints.
SERVERS = {
    "seamark runs": "Seamark shows",
    "seamark --logdir": "Seamark shows",
    "seamark serve": "Seamark shows",
    "seamark team serve": "The team server is at",
    "--follow": "Ingesting into",
}
TIMEOUT_SECS = 60


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if missing_s3_server():
        pytest.skip(missing_s3_server())
    with s3_server(tmp_path_factory.mktemp("s3")) as started:
        yield started


@pytest.fixture(scope="module")
def place(
    tmp_path_factory: pytest.TempPathFactory,
    cluster: Cluster,
    objects: S3Server,
) -> Iterator[tuple[Path, dict[str, str]]]:
    """A working directory with runs, and the environment with the passwords of the servers."""
    folder = tmp_path_factory.mktemp("docs")
    recently = calendar.timegm((2026, 2, 1, 0, 0, 0))  # the page removes runs of 2025
    for run in ("a", "sweep/run7"):
        log_run(folder / "runs" / run, {"lr": 0.001}, began=recently, loss=[3.0, 2.0, 1.0])
    objects.upload(folder / "runs", "runs")
    places = {name: str(folder / name) for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME")}
    yield (
        folder,
        {
            **os.environ,
            **objects.environment,
            **places,
            "CLICKHOUSE_USER": USER,
            "CLICKHOUSE_PASSWORD": PASSWORD,
        },
    )


def test_every_command_of_the_page(place: tuple[Path, dict[str, str]], cluster: Cluster) -> None:
    found = commands()
    assert len(found) > 12
    for command in found:
        if not command.startswith(NOT_RUN):
            run(command, place, cluster)


def run(command: str, place: tuple[Path, dict[str, str]], cluster: Cluster) -> None:
    folder, environment = place
    # Without --cluster a database is one server.
    one_host = cluster.hosts.split(",")[0]
    words = [
        word.replace("clickhouse://host/", f"clickhouse://{one_host}/")
        .replace("clickhouse://one,two:8123/seamark", f"clickhouse://{cluster.hosts}/cluster")
        .replace("my_cluster", CLUSTER)
        .replace("s3://bucket/", f"s3://{BUCKET}/")
        .replace("/srv/seamark", str(folder / "srv"))
        for word in shlex.split(command)
    ]
    assert words[0] == "seamark", command
    if "--points" in words:
        (folder / "srv").rename(folder / "srv-before")  # the page makes a server twice
    expected = next((text for part, text in SERVERS.items() if part in command), None)
    if expected is not None:
        words += [] if "ingest" in words else ["--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    watch = threading.Timer(TIMEOUT_SECS, process.kill)
    watch.start()
    try:
        assert process.stdout is not None
        if expected is None:
            output, _ = process.communicate()
            assert process.returncode == 0, f"{command}: {output}"
        else:
            line = process.stdout.readline()
            assert expected in line, f"{command}: {line}{process.stdout.read() if not line else ''}"
    finally:
        watch.cancel()
        process.kill()
        process.wait()
