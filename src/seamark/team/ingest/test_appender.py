"""Random pieces in random order, sent twice, with restarts in between, against a truth in memory."""

from __future__ import annotations

import errno
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.plugin import RequestError
from seamark.team.database import Database, Transaction, open_database
from seamark.team.ingest import log_files
from seamark.team.ingest.batch import Upload
from seamark.team.ingest.entry import Entry
from seamark.team.ingest.ingest import Ingest
from seamark.team.projects.project import create_project
from seamark.team.settings import TeamFolder, TeamSettings
from seamark.upload.wire import PieceResult, Whole, hash_bytes

ANSWER_SECS = 60


class Server:
    """A team folder that is opened again and again."""

    def __init__(self, path: Path) -> None:
        self.folder = TeamFolder(path)
        self.folder.create(TeamSettings())
        with self.database() as database:
            self.project_id = database.write(self._fill)

    def _fill(self, transaction: Transaction) -> str:
        transaction.execute("INSERT INTO users (id, email, name, created_at) VALUES ('u', 'a@b.c', 'A', 0)")
        return create_project(transaction, "acme", "vision", creator="u").id

    @contextmanager
    def database(self) -> Iterator[Database]:
        database = open_database(self.folder, self.folder.read())
        try:
            yield database
        finally:
            database.close()

    @contextmanager
    def opened(self, *, is_killed: bool = False) -> Iterator[Ingest]:
        """`is_killed`: the folder stays as it is now, as after a kill."""
        with self.database() as database:
            ingest = Ingest(self.folder, database)
            ingest.start()
            copy = self.folder.path.with_name("copy")
            try:
                yield ingest
                if is_killed:
                    shutil.copytree(self.folder.path, copy)
            finally:
                ingest.close()
        if is_killed:
            shutil.rmtree(self.folder.path)
            copy.rename(self.folder.path)

    def path(self, run: str, file: str) -> Path:
        return self.folder.logs_dir(self.project_id) / run / file

    def entry(self, file: str, offset: int, data: bytes, whole: Whole | None = None, run: str = "run") -> Entry:
        return Entry(self.project_id, run, file, offset, data, whole)

    def send(self, ingest: Ingest, *entries: Entry, quota: int | None = None) -> list[PieceResult]:
        return ingest.submit(Upload(self.project_id, "u", quota, entries)).result(ANSWER_SECS)


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path / "team")


def whole(data: bytes) -> Whole:
    return Whole(len(data), hash_bytes(data))


steps = st.lists(
    st.one_of(
        st.tuples(st.just("grow"), st.integers(0, 2), st.integers(0, 40)),
        st.tuples(st.just("resend"), st.integers(0, 2), st.integers(0, 100)),
        st.tuples(st.just("gap"), st.integers(0, 2), st.integers(1, 20)),
        st.tuples(st.just("other"), st.integers(0, 2), st.integers(0, 20)),
        st.tuples(st.just("replace"), st.integers(0, 2), st.integers(0, 60)),
        st.tuples(st.just("restart"), st.booleans(), st.just(0)),
    ),
    max_size=40,
)


@given(steps=steps, seed=st.integers(0, 1 << 32))
@settings(max_examples=25, deadline=None)
def test_every_piece_is_stored_once_in_any_order(steps: list[tuple[str, int, int]], seed: int) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "team")
        truth: dict[str, bytes] = {}
        remaining = list(steps)
        while remaining:
            killed = next((step[1] for step in remaining if step[0] == "restart"), False)
            with server.opened(is_killed=bool(killed)) as ingest:
                while remaining:
                    action, number, amount = remaining.pop(0)
                    if action == "restart":
                        break
                    act(server, ingest, truth, chance, action, f"events.{number}", amount)
            for file, data in truth.items():
                assert server.path("run", file).read_bytes() == data


def act(
    server: Server, ingest: Ingest, truth: dict[str, bytes], chance: random.Random, action: str, file: str, amount: int
) -> None:
    before = truth.get(file, b"")
    if action == "grow":
        # Cut into pieces that overlap what is there, all in one request.
        data = chance.randbytes(amount)
        start = chance.randint(0, len(before))
        middle = chance.randint(0, amount)
        complete = before + data
        first = server.entry(file, start, complete[start : len(before) + middle])
        second = server.entry(file, len(before) + middle, data[middle:])
        results = server.send(ingest, first, second, first)
        truth[file] = complete
        assert results[1] == PieceResult(
            "stored" if data[middle:] or not first.data else results[1].outcome, len(complete)
        )
        assert results[2].outcome == "had" or not first.data
    elif action == "resend" and before:
        start = min(amount, len(before) - 1)
        assert server.send(ingest, server.entry(file, start, before[start:])) == [PieceResult("had", len(before))]
    elif action == "gap":
        assert server.send(ingest, server.entry(file, len(before) + amount, b"x")) == [PieceResult("gap", len(before))]
    elif action == "other" and before:
        start = min(amount, len(before) - 1)
        wrong = bytes([before[start] ^ 1]) + before[start + 1 :] + b"more"
        assert server.send(ingest, server.entry(file, start, wrong)) == [PieceResult("differs", len(before))]
    elif action == "replace":
        data = chance.randbytes(amount)
        middle = chance.randint(0, amount)
        parts = [(0, data[:middle])] + ([(middle, data[middle:])] if middle < amount else [])
        results = server.send(ingest, *(server.entry(file, start, part, whole(data)) for start, part in parts))
        assert results[-1].length == amount
        truth[file] = data
        again = server.send(ingest, server.entry(file, 0, data, whole(data)), server.entry(file, amount, b"tail"))
        assert [result.outcome for result in again] == ["had", "stored"]
        truth[file] += b"tail"


def test_an_acknowledged_piece_survives_a_kill_before_it_reached_its_file(server: Server) -> None:
    with server.opened(is_killed=True) as ingest:
        server.send(ingest, server.entry("a", 0, b"abc"), server.entry("b", 0, b"new", whole(b"new")))
    # As if the machine had lost what was not flushed: the journal has it.
    server.path("run", "a").write_bytes(b"")
    server.path("run", "b").unlink()
    with server.opened():
        assert server.path("run", "a").read_bytes() == b"abc"
        assert server.path("run", "b").read_bytes() == b"new"
    assert list(server.folder.journal_dir.iterdir()) == []


def test_a_journal_that_was_cut_short_is_replayed_as_far_as_it_goes(server: Server) -> None:
    with server.opened(is_killed=True) as ingest:
        server.send(ingest, server.entry("a", 0, b"abc"))
        server.send(ingest, server.entry("a", 3, b"def"))
    (journal,) = server.folder.journal_dir.iterdir()
    os.truncate(journal, journal.stat().st_size - 1)
    server.path("run", "a").write_bytes(b"")
    with server.opened():
        assert server.path("run", "a").read_bytes() == b"abc"


def test_content_that_does_not_hash_to_what_was_announced_never_takes_its_place(server: Server) -> None:
    with server.opened() as ingest:
        server.send(ingest, server.entry("a", 0, b"old"))
        promised = Whole(6, hash_bytes(b"abcdef"))
        results = server.send(ingest, server.entry("a", 0, b"abc", promised), server.entry("a", 3, b"DEF", promised))
        assert results == [PieceResult("stored", 3), PieceResult("differs", 0)]
        assert server.path("run", "a").read_bytes() == b"old"
        results = server.send(ingest, server.entry("a", 0, b"abc", promised), server.entry("a", 3, b"def", promised))
        assert results[-1] == PieceResult("stored", 6)
    assert server.path("run", "a").read_bytes() == b"abcdef"


def test_a_name_that_is_a_folder_or_inside_of_a_file_is_refused(server: Server) -> None:
    with server.opened() as ingest:
        results = server.send(
            ingest, server.entry("a/b", 0, b"1"), server.entry("a", 0, b"2"), server.entry("a/b/c", 0, b"3")
        )
        assert [result.outcome for result in results] == ["stored", "refused", "refused"]
        assert "a folder" in results[1].problem


def test_the_quota_of_a_project_is_a_clear_refusal(server: Server) -> None:
    with server.opened() as ingest:
        assert server.send(ingest, server.entry("a", 0, b"x" * 60), quota=100)[0].outcome == "stored"
        refused = server.send(ingest, server.entry("b", 0, b"x" * 60), quota=100)[0]
        assert refused.outcome == "refused"
        assert "may use 100 bytes and uses 60" in refused.problem
        assert not server.path("run", "b").exists()
    # Another process knows as much.
    with server.opened() as ingest:
        assert server.send(ingest, server.entry("b", 0, b"x" * 60), quota=100)[0].outcome == "refused"
        assert server.send(ingest, server.entry("b", 0, b"x" * 40), quota=100)[0].outcome == "stored"


def test_a_run_in_the_trash_is_refused_and_one_that_was_restored_is_not(server: Server) -> None:
    with server.opened() as ingest, server.database() as database:
        server.send(ingest, server.entry("a", 0, b"abc"))

        def set_deleted(at: float | None) -> None:
            def work() -> None:
                database.write(lambda transaction: transaction.execute("UPDATE runs SET deleted_at = ?", at))

            ingest.run_exclusively(work).result(ANSWER_SECS)

        set_deleted(1.0)
        result = server.send(ingest, server.entry("a", 3, b"def"))[0]
        assert result.outcome == "refused" and "in the trash" in result.problem
        set_deleted(None)
        assert server.send(ingest, server.entry("a", 3, b"def"))[0] == PieceResult("stored", 6)


def test_rows_have_the_size_of_the_files_also_after_a_kill(server: Server) -> None:
    with server.opened(is_killed=True) as ingest:
        server.send(ingest, server.entry("a", 0, b"abc"), server.entry("a", 0, b"a", whole(b"a")))
        server.send(ingest, server.entry("events", 0, b"inner", run="run/inner"))
    with server.opened() as ingest:
        server.send(ingest, server.entry("a", 1, b"b"))
    with server.database() as database:
        rows = database.read(
            lambda transaction: transaction.rows("SELECT name, bytes, created_by FROM runs ORDER BY name")
        )
    assert rows[0] == ("run", 2, "u")
    assert rows[1][0] == "run/inner"


def test_a_full_disk_is_said_and_nothing_is_half_stored(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.opened() as ingest:
        server.send(ingest, server.entry("a", 0, b"abc"))
        write_all = log_files.write_all

        def fill_up(descriptor: int, data: bytes, offset: int) -> None:
            write_all(descriptor, data[:1], offset)
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(log_files, "write_all", fill_up)
        with pytest.raises(RequestError, match="the disk of the server is full") as error:
            server.send(ingest, server.entry("a", 3, b"def"))
        assert error.value.code == "unavailable"
        assert server.path("run", "a").read_bytes() == b"abc"
        monkeypatch.undo()
        assert server.send(ingest, server.entry("a", 3, b"def"))[0] == PieceResult("stored", 6)
