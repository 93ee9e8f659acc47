"""Fixtures of the tests of the team server: see tools/in_process_team.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.team.settings import TeamSettings
from tests.team import IS_LONG
from tools.in_process_team import InProcessTeam, in_process_team
from tools.postgres import PostgresServer, missing_postgres, running_postgres


@pytest.fixture
def team(tmp_path: Path) -> Iterator[InProcessTeam]:
    """A server with the people server, admin, writer, viewer and outsider, and two projects."""
    with in_process_team(tmp_path / "team") as found:
        yield found


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server; skips where it is not installed."""
    missing = missing_postgres()
    if missing:
        pytest.skip(missing)
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"] if IS_LONG else ["sqlite"])
def settings(request: pytest.FixtureRequest) -> TeamSettings:
    """Of a team server with an empty database of each kind."""
    if request.param == "sqlite":
        return TeamSettings()
    return TeamSettings(database=request.getfixturevalue("postgres").new_database())
