"""Upgrades: from every earlier schema, with rows in it, to the present one, on SQLite and PostgreSQL."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from seamark.team.database import Database, DatabaseError, Transaction, open_database
from seamark.team.database.migrations import all_migrations, migrate, table_names
from seamark.team.database.opening import connect
from seamark.team.operations.backup import column_names
from seamark.team.settings import TeamFolder, TeamSettings
from tools.team_rows import insert_sample_rows

NAMES = list(all_migrations())


def schema_of(database: Database) -> dict[str, list[str]]:
    return database.read(
        lambda transaction: {table: column_names(transaction, table, database.dialect) for table in table_names(NAMES)}
    )


def rows_in(database: Database, tables: list[str]) -> dict[str, int]:
    def count(transaction: Transaction) -> dict[str, int]:
        return {table: transaction.row(f"SELECT COUNT(*) FROM {table}")[0] for table in tables}

    return database.read(count)


@pytest.mark.parametrize("length", range(1, len(NAMES) + 1))
def test_a_server_upgrades_from_every_earlier_schema(tmp_path: Path, settings: TeamSettings, length: int) -> None:
    folder = TeamFolder(tmp_path / "team")
    folder.create(settings)
    earlier = NAMES[:length]
    database = connect(folder, settings)
    assert migrate(database, only=earlier) == earlier
    tables = table_names(earlier)
    database.write(lambda transaction: insert_sample_rows(transaction, tables, database.dialect))
    before = rows_in(database, tables)
    assert all(before.values()), before  # every table has a row to lose
    database.close()

    upgraded = open_database(folder, settings)
    try:
        assert rows_in(upgraded, tables) == before
        assert all(schema_of(upgraded).values())
        assert migrate(upgraded) == []
    finally:
        upgraded.close()


def test_both_databases_have_the_same_columns(tmp_path: Path, settings: TeamSettings) -> None:
    folder, other = TeamFolder(tmp_path / "one"), TeamFolder(tmp_path / "other")
    folder.create(settings)
    other.create(TeamSettings())
    found, sqlite = open_database(folder, settings), open_database(other, TeamSettings())
    assert schema_of(found) == schema_of(sqlite)
    found.close()
    sqlite.close()


def test_servers_that_start_together_upgrade_once(tmp_path: Path, settings: TeamSettings) -> None:
    folder = TeamFolder(tmp_path / "team")
    folder.create(settings)
    applied: list[list[str]] = []
    barrier = threading.Barrier(4)

    def start() -> None:
        database = connect(folder, settings)
        barrier.wait()
        applied.append(migrate(database))
        database.close()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(applied) == [[], [], [], NAMES]


def test_an_earlier_program_refuses_a_later_database(tmp_path: Path, settings: TeamSettings) -> None:
    folder = TeamFolder(tmp_path / "team")
    folder.create(settings)
    database = open_database(folder, settings)
    database.write(lambda transaction: transaction.execute("INSERT INTO migrations VALUES ('9999_later.sql', 0)"))
    database.close()
    with pytest.raises(DatabaseError, match="later version of Seamark"):
        open_database(folder, settings)


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, settings: TeamSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = TeamFolder(tmp_path / "team")
    folder.create(settings)
    broken = {**all_migrations(), "9998_broken.sql": "CREATE TABLE extra (id TEXT); CREATE TABLE users (id TEXT)"}
    monkeypatch.setattr("seamark.team.database.migrations.all_migrations", lambda: broken)
    with pytest.raises(DatabaseError):
        open_database(folder, settings)
    monkeypatch.undo()
    database = open_database(folder, settings)
    assert not any(
        name.startswith("9998") for (name,) in database.read(lambda each: each.rows("SELECT name FROM migrations"))
    )
    with pytest.raises(DatabaseError):
        database.read(lambda transaction: transaction.rows("SELECT * FROM extra"))
    database.close()
