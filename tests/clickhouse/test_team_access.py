"""Who reaches what on a team server with points in ClickHouse: the same tests as with points in the index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seamark.clickhouse.store import ClickHouseStore
from seamark.team.projects.opened import View
from seamark.team.settings import TeamSettings
from tests.clickhouse.conftest import with_login
from tests.team.test_security_matrix import (  # noqa: F401
    UNLIMITED,
    test_a_public_project_is_for_everybody_to_look_at_only,
    test_the_routes_of_a_project,
)
from tests.team.test_share_leaks import (  # noqa: F401
    link,
    test_a_share_shows_only_the_saved_state_of_its_runs,
    test_asking_for_another_run_by_name_finds_nothing,
    test_no_path_leads_to_the_files_of_another_run,
    test_no_route_of_a_share_names_another_run,
    test_the_event_stream_of_a_share_names_no_other_run,
)
from tools.in_process_team import InProcessTeam, in_process_team


@pytest.fixture
def team(tmp_path: Path, databases: Any) -> Iterator[InProcessTeam]:
    with in_process_team(tmp_path / "team", TeamSettings(points=with_login(databases.make()))) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, databases: Any) -> Iterator[InProcessTeam]:
    settings = TeamSettings(points=with_login(databases.make()))
    with in_process_team(tmp_path_factory.mktemp("matrix") / "team", settings, limits=UNLIMITED) as found:
        yield found


def test_these_pages_are_on_clickhouse(shared: InProcessTeam) -> None:
    assert shared.person("viewer").get("/p/lab/vision/api/runs").status_code == 200
    opened = shared.team.projects.find(View(shared.project.id))
    assert opened is not None and isinstance(opened.store, ClickHouseStore)
