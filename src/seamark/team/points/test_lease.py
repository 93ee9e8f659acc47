"""One process holds a lease: until it releases it, or the others have seen no sign of it for a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.team.database import Database, open_database
from seamark.team.points.lease import TAKE_OVER_SECS, DatabaseLease
from seamark.team.settings import TeamFolder, TeamSettings


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    folder = TeamFolder(tmp_path / "team")
    folder.create(TeamSettings())
    found = open_database(folder, TeamSettings())
    yield found
    found.close()


def leases(database: Database) -> tuple[DatabaseLease, DatabaseLease, list[float]]:
    now = [0.0]
    first, second = (DatabaseLease(database, "points", lambda: now[0]) for _ in range(2))
    return first, second, now


def test_the_first_holds_it_as_long_as_it_renews_it(database: Database) -> None:
    first, second, now = leases(database)
    for _ in range(20):
        assert (first.hold(), second.hold()) == (True, False)
        now[0] += TAKE_OVER_SECS / 3


def test_another_takes_over_when_the_holder_is_silent_and_the_holder_notices(database: Database) -> None:
    first, second, now = leases(database)
    assert (first.hold(), second.hold()) == (True, False)
    now[0] += TAKE_OVER_SECS - 0.1
    assert not second.hold()
    now[0] += 0.1
    assert second.hold()
    assert not first.hold()


def test_a_released_lease_is_free_at_once(database: Database) -> None:
    first, second, _ = leases(database)
    assert (first.hold(), second.hold()) == (True, False)
    first.release()
    assert second.hold()


def test_without_the_database_the_holder_ends_before_others_take_over(database: Database) -> None:
    first, _, now = leases(database)
    assert first.hold()
    database.close()
    now[0] += TAKE_OVER_SECS / 2 - 0.1
    assert first.hold()
    now[0] += 0.1
    assert not first.hold()
