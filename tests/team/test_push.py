"""Pushing log directories to a real team server: what arrives equals what was written, however it was sent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import seamark
from seamark import cli
from seamark.upload.connection import Connection
from seamark.upload.destination import Destination
from seamark.upload.errors import UploadError
from seamark.upload.local_runs import find_runs
from seamark.upload.pusher import Pusher
from seamark.upload.tracked_file import PIECE_BYTES, TrackedFile
from tools.team_folder import PROJECT

from .upload_server import Served, served_team


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_team(tmp_path_factory.mktemp("team") / "server") as server:
        yield server


def pusher_for(served: Served, logdir: Path, problems: list[str] | None = None, token: str = "") -> Pusher:
    def report(key: str, sentence: str) -> None:
        if problems is not None:
            problems.append(sentence)

    connection = Connection(Destination(served.url, PROJECT, token or served.tokens.writer))
    return Pusher(connection, lambda: find_runs(logdir), report=report)


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_arrives_equals_what_was_written(served: Served, tmp_path: Path) -> None:
    write(tmp_path / "first/events.out.tfevents.1", os.urandom(3 * PIECE_BYTES + 17))
    write(tmp_path / "first/console.log", b"hello\n")
    write(tmp_path / "first/plugins/profile/trace.json", b"{}")
    write(tmp_path / "first/empty.txt", b"")
    write(tmp_path / "first/inner/events.out.tfevents.2", b"inside")
    write(tmp_path / "first/.hidden", b"not sent")
    pusher = pusher_for(served, tmp_path)
    pusher.push()
    (tmp_path / "first/.hidden").unlink()
    assert content(served.logs / "first") == content(tmp_path / "first")
    assert pusher.unsent() == []
    assert pusher.counts.sent_bytes == 3 * PIECE_BYTES + 17 + 6 + 2 + 6
    assert sorted(run.name for run in find_runs(tmp_path)) == ["first", "first/inner"]


def test_a_second_push_sends_nothing_and_a_third_only_what_was_added(served: Served, tmp_path: Path) -> None:
    events = tmp_path / "second/events.out.tfevents.1"
    write(events, b"a" * 1000)
    pusher_for(served, tmp_path).push()
    again = pusher_for(served, tmp_path)
    again.push()
    assert (again.counts.sent_bytes, again.counts.had_bytes) == (0, 1000)
    with events.open("ab") as file:
        file.write(b"b" * 10)
    again.push()
    assert again.counts.sent_bytes == 10
    assert (served.logs / "second/events.out.tfevents.1").read_bytes() == b"a" * 1000 + b"b" * 10


@pytest.mark.parametrize("is_written_meanwhile", [True, False])
def test_only_what_was_there_before_has_to_arrive(
    is_written_meanwhile: bool,
    served: Served,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    events = tmp_path / f"live-{is_written_meanwhile}/events.out.tfevents.1"
    write(events, b"a" * 100)
    unsent = Pusher.unsent

    def grow(pusher: Pusher) -> list[Path]:
        before = events.stat().st_mtime
        write(events, b"a" * 110)
        if not is_written_meanwhile:
            os.utime(events, (before - 10, before - 10))
        return unsent(pusher)

    monkeypatch.setattr(Pusher, "unsent", grow)
    monkeypatch.setenv("SEAMARK_TOKEN", served.tokens.writer)
    words = ["push", "--logdir", str(tmp_path), "--server", served.url, "--project", PROJECT]
    assert cli.main(words) == (0 if is_written_meanwhile else 1)
    printed = capsys.readouterr()
    assert ("1 file still being written" in printed.out) == is_written_meanwhile
    assert ("not sent as they are: 1 file" in printed.err) != is_written_meanwhile


def test_a_file_that_was_written_again_is_replaced_and_never_mixed(served: Served, tmp_path: Path) -> None:
    record, events = tmp_path / "third/run.json", tmp_path / "third/events.out.tfevents.1"
    write(record, b'{"id": "x", "step": 1}')
    write(events, b"a" * 100)
    pusher = pusher_for(served, tmp_path)
    pusher.push()
    for step in range(2, 5):
        new = record.with_name("new")
        new.write_bytes(b'{"id": "x", "step": %d, "more": "%s"}' % (step, b"." * step))
        new.replace(record)
        pusher.push(is_last=True)
        assert (served.logs / "third/run.json").read_bytes() == record.read_bytes()
    big = os.urandom(2 * PIECE_BYTES + 5)
    replacement = events.with_name("new")
    replacement.write_bytes(big)
    replacement.replace(events)
    pusher.push()
    assert (served.logs / "third/events.out.tfevents.1").read_bytes() == big
    assert pusher.unsent() == []


def test_a_run_of_the_same_name_and_another_id_gets_a_name_of_its_own(served: Served, tmp_path: Path) -> None:
    for machine in ("one", "two"):
        write(tmp_path / machine / "baseline/run.json", b'{"id": "%s"}' % machine.encode())
        write(tmp_path / machine / "baseline/events.out.tfevents.1", machine.encode())
    problems: list[str] = []
    pusher_for(served, tmp_path / "one", problems).push()
    assert problems == []
    for _ in range(2):
        pusher_for(served, tmp_path / "two", problems).push()
    assert (served.logs / "baseline/events.out.tfevents.1").read_bytes() == b"one"
    assert (served.logs / "baseline-two/events.out.tfevents.1").read_bytes() == b"two"
    assert "this one is 'baseline-two' there" in problems[0]


def test_an_older_copy_does_not_shorten_what_the_server_has(served: Served, tmp_path: Path) -> None:
    events = tmp_path / "fourth/events.out.tfevents.1"
    write(events, b"a" * 100)
    pusher_for(served, tmp_path).push()
    write(events, b"a" * 60)
    problems: list[str] = []
    pusher_for(served, tmp_path, problems).push()
    assert (served.logs / "fourth/events.out.tfevents.1").read_bytes() == b"a" * 100
    assert "the server has more of this file" in problems[0]


def test_a_viewer_may_not_upload_and_a_stranger_learns_nothing(served: Served, tmp_path: Path) -> None:
    write(tmp_path / "fifth/events.out.tfevents.1", b"a")
    with pytest.raises(UploadError, match="needs the role writer") as refused:
        pusher_for(served, tmp_path, token=served.tokens.viewer).push()
    assert not refused.value.is_temporary
    with pytest.raises(UploadError, match="token is unknown"):
        pusher_for(served, tmp_path, token="smk_wrong").push()


def test_points_are_read_back_from_the_server_as_they_were_logged(served: Served, tmp_path: Path) -> None:
    with seamark.SummaryWriter(tmp_path / "logs/sixth") as writer:
        for step in range(500):
            # A trainer whose clock is an hour behind: nothing depends on the server's time.
            writer.add_scalar("loss", step / 7, step, walltime=1_000_000.0 - step)
    pusher_for(served, tmp_path / "logs").push()
    frame = seamark.open(served.logs)["sixth"].scalars("loss")
    assert list(frame.step) == list(range(500))
    assert list(frame.wall_time) == [1_000_000.0 - step for step in range(500)]


def test_a_file_that_was_refused_is_not_sent_again_at_once(tmp_path: Path) -> None:
    from seamark.upload.wire import FileAnswer, PieceResult

    write(tmp_path / "events.out.tfevents.1", b"abc")
    file = TrackedFile("run", "events.out.tfevents.1", tmp_path / "events.out.tfevents.1")
    file.settle(FileAnswer(0, 0, b""))
    piece = file.next_piece()
    assert piece is not None and file.waiting_bytes() == 3
    file.apply(piece, PieceResult("refused", 0, "no room"))
    assert file.waiting_bytes() == 0
