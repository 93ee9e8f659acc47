"""Two processes of a team server with one PostgreSQL, one object storage and one ClickHouse."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from seamark.clickhouse.address import Address
from seamark.clickhouse.catalogue import read_runs
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.points import pull_points
from seamark.clickhouse.rows import RunState
from seamark.format.types import Tag
from seamark.team.settings import TeamSettings
from seamark.upload.destination import Destination
from tests.clickhouse.conftest import with_login
from tests.team.test_object_storage import database, objects, started, wait_for_progress  # noqa: F401
from tests.team.upload_server import ServerProcess
from tests.team.uploading_clients import Trainer
from tools.postgres import PostgresServer
from tools.s3_server import BUCKET, S3Server
from tools.team_folder import PROJECT, create_team

TRAINERS = 4
DEADLINE_SECS = 120
Started = Callable[[ServerProcess], ServerProcess]


def test_every_point_is_there_once_while_clickhouse_and_the_ingesting_process_die(
    tmp_path: Path,
    database: PostgresServer,  # noqa: F811
    objects: S3Server,  # noqa: F811
    started: Started,  # noqa: F811
    cluster: Any,
    databases: Any,
) -> None:
    address: Address = databases.make()
    settings = TeamSettings(
        database=database.new_database(), storage=f"s3://{BUCKET}/points", points=with_login(address)
    )
    tokens = create_team(tmp_path / "one", settings)
    (tmp_path / "two").mkdir()
    shutil.copy(tmp_path / "one/team.json", tmp_path / "two/team.json")
    environment = {**os.environ, **objects.environment}
    one = started(ServerProcess(tmp_path / "one", env=environment))
    wait_until(lambda: holder(settings) is not None)
    two = started(ServerProcess(tmp_path / "two", env=environment))
    trainers = [
        Trainer(f"run-{number}", Destination(two.url, PROJECT, tokens.writer), points_per_request=5)
        for number in range(TRAINERS)
    ]
    stop = threading.Event()
    threads = [threading.Thread(target=trainer.run_until, args=(stop,), daemon=True) for trainer in trainers]
    for thread in threads:
        thread.start()
    # The first process ingests what the second one receives.
    wait_until(lambda: len(stored_steps(address, tokens.project_id)) == TRAINERS)
    cluster.stop(how=signal.SIGKILL)
    try:
        wait_for_progress(trainers)
    finally:
        cluster.start()
    before = stored_steps(address, tokens.project_id)
    one.kill()
    wait_for_progress(trainers)
    # The second process takes over.
    wait_until(lambda: len(stored_steps(address, tokens.project_id)["run-0"]) > len(before.get("run-0", ())))
    stop.set()
    for thread in threads:
        thread.join(DEADLINE_SECS)
    assert [problem for trainer in trainers for problem in trainer.problems] == []
    wanted = {trainer.run: list(range(trainer.steps)) for trainer in trainers}
    wait_until(lambda: stored_steps(address, tokens.project_id) == wanted)
    one = started(ServerProcess(tmp_path / "one", env=environment))
    for server in (one, two):
        wait_until(
            lambda server=server: (
                shown_points(server, tokens.viewer)
                == {  # type: ignore[misc]
                    trainer.run: trainer.steps for trainer in trainers
                }
            )
        )


def holder(settings: TeamSettings) -> str | None:
    from seamark.team.database.postgresql import PostgresDatabase

    rows = PostgresDatabase(settings.database)
    try:
        found = rows.read(lambda transaction: transaction.row("SELECT holder FROM leases"))
        return str(found[0]) if found else None
    finally:
        rows.close()


def stored_steps(address: Address, project_id: str) -> dict[str, list[int]]:
    """The steps of each run in ClickHouse, as charts see them: rows that were inserted twice count once."""
    client = HttpClient(address)
    shown = (RunState.COMPLETE, RunState.UPDATING)
    names = {row.run: row.name for row in read_runs(client, project_id).values() if row.state in shown}
    return {names[key]: points.steps.tolist() for key, points in pull_points(client, Tag("loss"), list(names)).items()}


def shown_points(server: ServerProcess, token: str) -> dict[str, int]:
    request = urllib.request.Request(f"{server.url}/p/{PROJECT}/api/runs", headers={"authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return {run["name"]: run["points"] for run in json.load(answer)["runs"]}


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_SECS
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)
