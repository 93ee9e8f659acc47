"""Deleted runs, projects and payloads are gone from the object storage as well, and nothing else is."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import obstore
import pytest

from seamark.store.test_support import dump, loaded
from seamark.team.ingest.piece_objects import ABANDONED_SECS
from seamark.team.projects.deletion import GRACE_SECS, purge_deleted_projects
from seamark.team.serving import open_team
from seamark.team.settings import TeamSettings
from seamark.team.team import Team
from seamark.upload.connection import Connection
from seamark.upload.destination import Destination
from seamark.upload.local_runs import find_runs
from seamark.upload.puller import Puller
from seamark.upload.pusher import Pusher
from tests.team.run_files import wait_for
from tests.team.test_retention import OLD, PROJECT, log_all_kinds, put_rules, without
from tools.in_process_team import InProcessTeam, served_in_process_team
from tools.s3_server import BUCKET, S3Server, missing_s3_server, s3_server

DAY = 86_400.0
# In the bytes of every file of the run that is deleted, and of no other one.
MARK = b"wqx-mark"


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    if missing_s3_server():
        pytest.skip(missing_s3_server())
    with s3_server(tmp_path_factory.mktemp("objects")) as server:
        yield server


@pytest.fixture
def team(tmp_path: Path, objects: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[InProcessTeam]:
    for name, value in objects.environment.items():
        monkeypatch.setenv(name, value)
    settings = TeamSettings(storage=f"s3://{BUCKET}/{tmp_path.name}")
    with served_in_process_team(tmp_path / "one", settings) as found:
        yield found


@pytest.fixture
def second(team: InProcessTeam, tmp_path: Path) -> Iterator[Team]:
    """Another process of the same server, with a folder of its own."""
    with ExitStack() as stack:
        yield another(team, tmp_path / "two", stack)


def another(team: InProcessTeam, folder: Path, stack: ExitStack) -> Team:
    folder.mkdir(exist_ok=True)
    for name in ("team.json", "team.sqlite"):
        if not (folder / name).exists():
            (folder / name).symlink_to(team.team.folder.path / name)
    opened = open_team(folder)
    stack.callback(opened.database.close)
    opened.ingest.start()
    stack.callback(opened.ingest.close)
    return opened


def connection(team: InProcessTeam, path: str = "lab/vision") -> Connection:
    owner = "server" if path != "lab/vision" else "writer"
    return Connection(Destination(team.address, path, team.token(owner, "writer")))


def push(team: InProcessTeam, logdir: Path, path: str = "lab/vision") -> None:
    Pusher(connection(team, path), lambda: find_runs(logdir)).push(is_last=True)


def log_marked(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "events.out.tfevents.1").write_bytes(MARK * 5000)
    (folder / "run.json").write_bytes(b'{"id": "x", "note": "%s"}' % MARK)


def bucket(objects: S3Server, team: InProcessTeam) -> dict[str, bytes]:
    store = objects.store(team.team.settings.storage.rpartition("/")[2])
    names = [entry["path"] for page in obstore.list(store) for entry in page]
    return {name: bytes(obstore.get(store, name).bytes()) for name in names}


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def delete_run(team: InProcessTeam, name: str) -> None:
    response = team.person("writer").post(f"{PROJECT}/runs/delete", {"runs": [name]})
    assert response.status_code == 200, response.text


def empty_trash(team: InProcessTeam) -> None:
    response = team.person("admin").post(f"{PROJECT}/trash/empty", {})
    assert response.status_code == 200, response.text


def test_a_deleted_run_is_gone_from_the_bucket_and_from_other_processes(
    team: InProcessTeam, second: Team, objects: S3Server, tmp_path: Path
) -> None:
    logdir = tmp_path / "logs"
    log_marked(logdir / "a")
    log_all_kinds(logdir / "b")
    push(team, logdir)  # both runs in one request: they share an object
    for number in range(3):  # the earlier content of a file that is replaced
        (logdir / "a/run.json").write_bytes(b'{"id": "x", "note": "%s %d"}' % (MARK, number))
        (logdir / "b/run.json").write_bytes(b'{"id": "y", "number": %d}' % number)
        push(team, logdir)
    mine, theirs = (each.folder.logs_dir(team.project.id) for each in (team.team, second))
    wait_for(lambda: files(theirs) == files(mine) == files(logdir))
    assert any(MARK in data for data in bucket(objects, team).values())
    delete_run(team, "a")
    second.trash.follow_others()
    assert not (theirs / "a").exists()
    empty_trash(team)
    assert [name for name, data in bucket(objects, team).items() if MARK in data] == []
    second.trash.follow_others()
    for folder in (team.team.folder.path, second.folder.path):
        assert [name for name, data in files(folder).items() if MARK in data] == []
    # The other run is whole, also for a process that makes it from the bucket, and goes on.
    (logdir / "b/console.log").write_text("more\n")
    shutil.rmtree(logdir / "a")
    push(team, logdir)
    wait_for(lambda: files(theirs) == files(logdir))
    with ExitStack() as stack:
        third = another(team, tmp_path / "three", stack)
        assert files(third.folder.logs_dir(team.project.id)) == files(logdir)


def test_a_process_that_was_stopped_meanwhile_removes_its_files(team: InProcessTeam, tmp_path: Path) -> None:
    logdir = tmp_path / "logs"
    log_marked(logdir / "a")
    log_marked(logdir / "b/c")
    log_marked(logdir / "b")
    push(team, logdir)
    with ExitStack() as stack:
        stopped = another(team, tmp_path / "two", stack)
        theirs = stopped.folder.logs_dir(team.project.id)
        wait_for(lambda: files(theirs) == files(logdir))
        delete_run(team, "b")
        stopped.trash.follow_others()  # in its trash
    delete_run(team, "a")
    empty_trash(team)
    with ExitStack() as stack:
        again = another(team, tmp_path / "two", stack)
        assert set(files(again.folder.project_dir(team.project.id) / "trash")) == set()
        assert set(files(theirs)) == {"b/c/events.out.tfevents.1", "b/c/run.json"}


def test_new_pieces_are_found_after_the_newest_ones_were_deleted(
    team: InProcessTeam, second: Team, tmp_path: Path
) -> None:
    """A process that has not seen the deleted rows must not give their numbers to others."""
    log_marked(tmp_path / "first/a")
    push(team, tmp_path / "first")
    delete_run(team, "a")
    empty_trash(team)
    with ExitStack() as stack:
        late = another(team, tmp_path / "three", stack)  # has seen no row
        late.ingest._journal.exclusively(lambda: None)  # type: ignore[attr-defined]
        assert late.ingest._journal.rotate() == team.team.ingest._journal.rotate() > 0  # type: ignore[attr-defined]


def test_a_deleted_project_is_gone_from_the_bucket(team: InProcessTeam, objects: S3Server, tmp_path: Path) -> None:
    log_marked(tmp_path / "logs/a")
    log_all_kinds(tmp_path / "others/b")
    push(team, tmp_path / "logs")
    push(team, tmp_path / "others", "lab-two/speech")
    assert team.person("admin").post(f"{PROJECT}/delete").status_code == 200
    purge = partial(
        purge_deleted_projects,
        team.team.database,
        team.team.folder,
        stores=team.team.projects.stores,
        forget_objects=team.team.ingest.forget_runs,
    )
    assert purge(time.time()) == []
    assert purge(time.time() + GRACE_SECS + 1) == [team.project.id]
    assert [name for name, data in bucket(objects, team).items() if MARK in data] == []
    with ExitStack() as stack:
        fresh = another(team, tmp_path / "two", stack)
        assert files(fresh.folder.logs_dir(team.other.id)) == files(tmp_path / "others")
        assert not fresh.folder.project_dir(team.project.id).exists()


def test_an_object_of_a_killed_process_is_swept_up(team: InProcessTeam, objects: S3Server, tmp_path: Path) -> None:
    log_all_kinds(tmp_path / "logs/a")
    push(team, tmp_path / "logs")
    before, found = bucket(objects, team), team.team.ingest.objects
    assert found is not None
    found.put(MARK)  # and killed before its rows were committed
    assert found.sweep() == 0
    assert found.sweep(time.time() + ABANDONED_SECS + 60) == 1
    assert bucket(objects, team) == before


@pytest.mark.parametrize("storage", ["folder", "bucket"])
def test_rules_give_back_what_the_dry_run_says(storage: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """From the upload of event files to the pull of what is left of them."""
    with ExitStack() as stack:
        if storage == "bucket":
            team: InProcessTeam = request.getfixturevalue("team")
        else:
            team = stack.enter_context(served_in_process_team(tmp_path / "one"))
        logdir, copy = tmp_path / "logs", tmp_path / "copy"
        log_all_kinds(logdir / "old", steps=200)
        log_all_kinds(logdir / "new")
        push(team, logdir)
        team.team.ingest.change_files(lambda: None)  # the rows are written
        with loaded(logdir / "old") as store:
            shown = dump(store)
        team.team.write(
            lambda transaction: transaction.execute(
                "UPDATE runs SET uploaded_at = uploaded_at - ? WHERE name = 'old'", 100 * DAY
            )
        )
        admin = team.person("admin")
        before = admin.get(f"{PROJECT}/storage").json()["bytes"]
        stored = admin.get(PROJECT).json()["bytes"]
        put_rules(team, OLD)
        dry = admin.post(f"{PROJECT}/retention/dry_run", {}).json()
        assert (dry["runs"], dry["total_files"]) == (["old"], 1)
        team.team.retention.apply_due(time.time())
        after = admin.get(f"{PROJECT}/storage").json()["bytes"]
        assert before - after == dry["dropped_bytes"] > 0
        assert stored - admin.get(PROJECT).json()["bytes"] == dry["dropped_bytes"]
        assert admin.post(f"{PROJECT}/retention/dry_run", {}).json()["dropped_bytes"] == 0
        Puller(connection(team), copy).pull(["old", "new"])
        with loaded(copy / "old") as store:
            assert without(dump(store)) == without(shown, "images")
        assert files(copy / "new") == files(logdir / "new")
        push(team, logdir)  # the originals do not come back
        assert admin.get(f"{PROJECT}/storage").json()["bytes"] == after
        if storage == "bucket":
            picture = b"\x89PNG"
            held = bucket(request.getfixturevalue("objects"), team)
            assert sum(data.count(picture) for data in held.values()) == 20  # of the run "new"
            fresh = another(team, tmp_path / "two", stack)
            assert files(fresh.folder.logs_dir(team.project.id)) == files(copy)
