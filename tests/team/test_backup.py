"""Backups while the server works, restored to SQLite and PostgreSQL."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from seamark.team.accounts.passwords import Passwords
from seamark.team.database import Database, Transaction, open_database
from seamark.team.database.database import DatabaseError
from seamark.team.database.migrations import all_migrations, migrate, table_names
from seamark.team.database.opening import connect
from seamark.team.operations.backup import BackupError, make_backup
from seamark.team.operations.restore import restore_backup
from seamark.team.serving import open_team
from seamark.team.settings import NoTeamError, TeamFolder, TeamSettings
from tests.team import IS_LONG
from tools.in_process_team import CHEAP, ORIGIN, PASSWORD, InProcessTeam, in_process_team, opened_team, team_app
from tools.team_rows import insert_sample_rows

NAMES = list(all_migrations())


def all_tables(database: Database) -> dict[str, list[tuple[object, ...]]]:
    def read(transaction: Transaction) -> dict[str, list[tuple[object, ...]]]:
        return {table: sorted(transaction.rows(f"SELECT * FROM {table}"), key=str) for table in table_names(NAMES)}

    return database.read(read)


@contextmanager
def existing_team(folder: TeamFolder) -> Iterator[InProcessTeam]:
    team = open_team(folder.path, passwords=Passwords(CHEAP))
    try:
        with TestClient(team_app(team), base_url=ORIGIN) as client:
            yield InProcessTeam(team, client, is_new=False)
    finally:
        team.database.close()


@pytest.mark.parametrize("target", ["sqlite", "postgresql"] if IS_LONG else ["sqlite"])
def test_every_row_comes_back_on_either_database(
    tmp_path: Path, settings: TeamSettings, target: str, request: pytest.FixtureRequest
) -> None:
    with opened_team(tmp_path / "team", settings) as team:
        team.write(lambda transaction: insert_sample_rows(transaction, table_names(NAMES), team.database.dialect))
        report = make_backup(team.folder, team.database, tmp_path / "backup.tar.gz")
        expected = all_tables(team.database)
        assert report.rows == sum(map(len, expected.values()))
    assert (tmp_path / "backup.tar.gz").stat().st_mode & 0o777 == 0o600
    address = "" if target == "sqlite" else request.getfixturevalue("postgres").new_database()
    folder = TeamFolder(tmp_path / "restored")
    restore_backup(tmp_path / "backup.tar.gz", folder, database=address, storage=None)
    restored = open_database(folder, folder.read())
    assert restored.dialect == target
    assert all_tables(restored) == expected
    restored.close()


def test_a_restored_server_knows_people_files_and_notes(tmp_path: Path) -> None:
    with in_process_team(tmp_path / "team") as team:
        token = team.token("writer", "writer")
        logs = team.team.folder.logs_dir(team.project.id)
        (logs / "run").mkdir(parents=True)
        (logs / "run" / "events.out.tfevents.1.x").write_bytes(b"\x00" * 100_000)
        writer = team.person("writer")
        state = writer.get("/p/lab/vision/api/state").json()
        body = {"version": state["version"], "runs": {"run": {"note": "keep me"}}}
        patched = writer.patch("/p/lab/vision/api/state", body)
        assert patched.status_code == 200, patched.text
        make_backup(team.team.folder, team.team.database, tmp_path / "backup.tar")
    with tarfile.open(tmp_path / "backup.tar") as tar:
        assert not any("/index/" in name or name.endswith(("-wal", "-shm")) for name in tar.getnames())
    folder = TeamFolder(tmp_path / "moved" / "here")
    restore_backup(tmp_path / "backup.tar", folder, database=None, storage=None)
    restored = folder.logs_dir(team.project.id) / "run" / "events.out.tfevents.1.x"
    assert restored.read_bytes() == b"\x00" * 100_000
    with existing_team(folder) as moved:
        body = {"email": "viewer@example.org", "password": PASSWORD}
        assert moved.visitor().post("/team/api/session", body).status_code == 200
        holder = moved.holder(token)
        assert holder.get("/team/api/projects/lab/vision").json()["role"] == "writer"
        assert holder.get("/p/lab/vision/api/state").json()["runs"]["run"]["note"] == "keep me"


def test_a_backup_during_changes_is_one_moment(tmp_path: Path, settings: TeamSettings) -> None:
    """Two tables that always change together agree in the backup."""
    with opened_team(tmp_path / "team", settings) as team:
        stop = threading.Event()

        def change() -> None:
            n = 0
            while not stop.is_set():
                n += 1

                def both(transaction: Transaction, n: int = n) -> None:
                    for name in ("first", "second"):
                        transaction.execute("DELETE FROM server_values WHERE name = ?", name)
                    transaction.execute("INSERT INTO server_values VALUES ('first', ?)", str(n))
                    transaction.execute("INSERT INTO organisations VALUES (?, ?, 0)", f"o{n}", f"o{n}")
                    transaction.execute("INSERT INTO server_values VALUES ('second', ?)", str(n))

                team.write(both)

        changing = threading.Thread(target=change)
        changing.start()
        try:
            while not team.read(lambda transaction: transaction.row("SELECT 1 FROM organisations")):
                pass
            for each in range(5):
                target = tmp_path / f"{each}.tar"
                make_backup(team.folder, team.database, target)
                with tarfile.open(target) as tar:
                    rows = [json.loads(line) for line in tar.extractfile("database.jsonl")]
                values = {row["row"]["name"]: row["row"]["value"] for row in rows if row["table"] == "server_values"}
                count = sum(row["table"] == "organisations" for row in rows)
                assert values["first"] == values["second"] == str(count)
        finally:
            stop.set()
            changing.join()


def test_a_file_that_grows_or_shrinks_or_goes_leaves_a_readable_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened_team(tmp_path / "team") as team:
        logs = team.folder.logs_dir("p1")
        logs.mkdir(parents=True)
        for name in ("a", "b", "c"):
            (logs / name).write_bytes(name.encode() * 1_000_000)
        real = os.fstat

        def change_then_stat(descriptor: int) -> os.stat_result:
            found = real(descriptor)
            path = Path(f"/proc/self/fd/{descriptor}").readlink()
            if path == logs / "a":
                path.write_bytes(b"")  # shorter than announced
                (logs / "b").unlink()
                with (logs / "c").open("ab") as more:
                    more.write(b"more")
            return found

        monkeypatch.setattr("seamark.team.operations.backup.os.fstat", change_then_stat)
        make_backup(team.folder, team.database, tmp_path / "backup.tar")
    with tarfile.open(tmp_path / "backup.tar") as tar:
        sizes = {Path(member.name).name: member.size for member in tar}
    assert sizes["a"] == 1_000_000 and "b" not in sizes and sizes["c"] == 1_000_004


def test_a_backup_of_an_earlier_schema_is_upgraded_when_restored(tmp_path: Path) -> None:
    folder = TeamFolder(tmp_path / "team")
    folder.create(TeamSettings())
    database = connect(folder, TeamSettings())
    migrate(database, only=NAMES[:1])
    database.write(lambda transaction: insert_sample_rows(transaction, table_names(NAMES[:1]), "sqlite"))
    make_backup(folder, database, tmp_path / "backup.tar")
    database.close()
    restored = TeamFolder(tmp_path / "restored")
    restore_backup(tmp_path / "backup.tar", restored, database=None, storage=None)
    upgraded = open_database(restored, TeamSettings())
    assert migrate(upgraded) == []
    assert len(all_tables(upgraded)["users"]) == 1
    upgraded.close()


def test_what_is_no_backup_gets_a_sentence_and_leaves_no_folder(tmp_path: Path) -> None:
    target = TeamFolder(tmp_path / "restored")
    (tmp_path / "text").write_text("not a tar")
    with pytest.raises(BackupError, match="cannot be read"):
        restore_backup(tmp_path / "text", target, database=None, storage=None)
    with tarfile.open(tmp_path / "other.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo("something"))
    with pytest.raises(BackupError, match="not a backup"):
        restore_backup(tmp_path / "other.tar", target, database=None, storage=None)
    with pytest.raises(BackupError, match="cannot be read"):
        restore_backup(tmp_path / "missing", target, database=None, storage=None)
    assert not target.path.exists()


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "projects/../../evil", "elsewhere/file", "team.json"])
def test_an_entry_outside_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with opened_team(tmp_path / "team") as team:
        make_backup(team.folder, team.database, tmp_path / "backup.tar")
    with tarfile.open(tmp_path / "backup.tar", "a") as tar:
        evil = tarfile.TarInfo(name)
        evil.size = 4
        tar.addfile(evil, io.BytesIO(b"evil"))
    with pytest.raises(BackupError, match="does not belong"):
        restore_backup(tmp_path / "backup.tar", TeamFolder(tmp_path / "deep" / "restored"), database=None, storage=None)
    assert not list(tmp_path.rglob("evil")) and not (tmp_path / "deep" / "restored").exists()


def test_a_restore_overwrites_nothing(tmp_path: Path, settings: TeamSettings) -> None:
    with in_process_team(tmp_path / "team", settings) as team:
        make_backup(team.team.folder, team.team.database, tmp_path / "backup.tar")
    with pytest.raises(NoTeamError, match="already"):
        restore_backup(tmp_path / "backup.tar", TeamFolder(tmp_path / "team"), database=None, storage=None)
    if settings.database:
        with pytest.raises(DatabaseError, match="holds a team server already"):
            restore_backup(tmp_path / "backup.tar", TeamFolder(tmp_path / "new"), database=None, storage=None)


def test_the_databases_of_projects_are_whole(tmp_path: Path) -> None:
    """A row that is only in the write-ahead log is in the copy."""
    with opened_team(tmp_path / "team") as team:
        path = team.folder.state_dir("p1") / "state.sqlite"
        path.parent.mkdir(parents=True)
        writer = sqlite3.connect(path)
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE t (x)")
        writer.execute("INSERT INTO t VALUES (42)")
        writer.commit()
        make_backup(team.folder, team.database, tmp_path / "backup.tar")
        writer.close()
    folder = TeamFolder(tmp_path / "restored")
    restore_backup(tmp_path / "backup.tar", folder, database=None, storage=None)
    copy = sqlite3.connect(folder.state_dir("p1") / "state.sqlite")
    assert copy.execute("SELECT x FROM t").fetchall() == [(42,)]
    copy.close()
