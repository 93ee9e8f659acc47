"""Two processes of a team server with PostgreSQL and S3, both restarted under load: every point is there, once."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import seamark
from seamark.team.settings import TeamFolder, TeamSettings
from seamark.upload.connection import Connection
from seamark.upload.destination import Destination
from seamark.upload.local_runs import find_runs
from seamark.upload.pusher import Pusher
from tools.postgres import PostgresServer, missing_postgres, running_postgres
from tools.s3_server import BUCKET, S3Server, missing_s3_server, s3_server
from tools.team_folder import PROJECT, create_team

from .upload_server import ServerProcess
from .uploading_clients import FILE_NAME, Trainer

TRAINERS = 4
Started = Callable[[ServerProcess], ServerProcess]
DEADLINE_SECS = 120


@pytest.fixture(scope="module")
def database() -> Iterator[PostgresServer]:
    """Of its own: it is stopped and started again."""
    if missing_postgres():
        pytest.skip(missing_postgres())
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if missing_s3_server():
        pytest.skip(missing_s3_server())
    with s3_server(tmp_path_factory.mktemp("objects")) as server:
        yield server


@pytest.fixture
def started() -> Iterator[Started]:
    """Ends every server that a test started, also after a failure."""
    servers: list[ServerProcess] = []

    def start(server: ServerProcess) -> ServerProcess:
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.kill()


def until_equal(path: Path, wanted: bytes) -> None:
    deadline = time.monotonic() + DEADLINE_SECS
    while not path.exists() or path.read_bytes() != wanted:
        assert time.monotonic() < deadline, f"{path.name}: {path.stat().st_size if path.exists() else 'missing'}"
        time.sleep(0.1)


def test_two_processes_store_every_point_once_while_everything_restarts(
    tmp_path: Path, database: PostgresServer, objects: S3Server, started: Started
) -> None:
    settings = TeamSettings(database=database.new_database(), storage=f"s3://{BUCKET}/team")
    tokens = create_team(tmp_path / "one", settings)
    (tmp_path / "two").mkdir()
    shutil.copy(tmp_path / "one/team.json", tmp_path / "two/team.json")
    environment = {**os.environ, **objects.environment}
    servers = [started(ServerProcess(tmp_path / name, env=environment)) for name in ("one", "two")]
    trainers = [
        Trainer(f"run-{number}", Destination(servers[number % 2].url, PROJECT, tokens.writer), points_per_request=5)
        for number in range(TRAINERS)
    ]
    stop = threading.Event()
    threads = [threading.Thread(target=trainer.run_until, args=(stop,), daemon=True) for trainer in trainers]
    for thread in threads:
        thread.start()
    wait_for_progress(trainers)
    database.stop()
    database.start()
    wait_for_progress(trainers)
    objects.kill()
    objects.start()
    wait_for_progress(trainers)
    servers[0].kill()
    servers[0] = started(ServerProcess(tmp_path / "one", servers[0].port, env=environment))
    wait_for_progress(trainers)
    stop.set()
    for thread in threads:
        thread.join(DEADLINE_SECS)
    assert [problem for trainer in trainers for problem in trainer.problems] == []
    for name in ("one", "two"):
        logs = TeamFolder(tmp_path / name).logs_dir(tokens.project_id)
        for trainer in trainers:
            until_equal(logs / trainer.run / FILE_NAME, trainer.content)
        runs = {run.name: run for run in seamark.open(logs, index_dir=None)}
        for trainer in trainers:
            assert list(runs[trainer.run].scalars("loss").step) == list(range(trainer.steps))


def wait_for_progress(trainers: list[Trainer]) -> None:
    """Until every trainer has sent some more points."""
    before = [trainer.acknowledged_steps for trainer in trainers]
    deadline = time.monotonic() + DEADLINE_SECS
    while any(trainer.acknowledged_steps < steps + 20 for trainer, steps in zip(trainers, before, strict=True)):
        assert [problem for trainer in trainers for problem in trainer.problems] == []
        assert time.monotonic() < deadline, [(trainer.acknowledged_steps, trainer.failures) for trainer in trainers]
        time.sleep(0.05)


def test_two_processes_that_take_pieces_of_one_file_never_mix_them(
    tmp_path: Path, objects: S3Server, started: Started
) -> None:
    environment = {**os.environ, **objects.environment}
    settings = TeamSettings(storage=f"s3://{BUCKET}/mixed")  # SQLite: one database for both
    tokens = create_team(tmp_path / "one", settings)
    (tmp_path / "two").mkdir()
    for name in ("team.json", "team.sqlite"):
        (tmp_path / "two" / name).symlink_to(tmp_path / "one" / name)
    servers = [started(ServerProcess(tmp_path / name, env=environment)) for name in ("one", "two")]
    logdir = tmp_path / "logs"
    events, record = logdir / "run/events.out.tfevents.1", logdir / "run/run.json"
    events.parent.mkdir(parents=True)
    pushers = [
        Pusher(Connection(Destination(server.url, PROJECT, tokens.writer)), lambda: find_runs(logdir))
        for server in servers
    ]
    for number in range(12):
        with events.open("ab") as file:
            file.write(os.urandom(1000))
        record.write_bytes(b'{"id": "x", "number": %d}' % number)
        pushers[number % 2].push(is_last=True)
    for name in ("one", "two"):
        logs = TeamFolder(tmp_path / name).logs_dir(tokens.project_id)
        until_equal(logs / "run/events.out.tfevents.1", events.read_bytes())
        until_equal(logs / "run/run.json", record.read_bytes())
    # A third process makes everything from the rows and the objects.
    servers[0].stop()
    shutil.rmtree(tmp_path / "one/projects")
    shutil.rmtree(tmp_path / "one/journal")
    servers[0] = started(ServerProcess(tmp_path / "one", env=environment))
    logs = TeamFolder(tmp_path / "one").logs_dir(tokens.project_id)
    until_equal(logs / "run/events.out.tfevents.1", events.read_bytes())
    until_equal(logs / "run/run.json", record.read_bytes())
