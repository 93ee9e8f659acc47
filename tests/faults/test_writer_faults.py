"""A training must not feel what happens to its log: fork, kill, a full disk, a folder that goes, a disk that stalls."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import seamark
from seamark import _core
from seamark.format.messages import Event
from seamark.write.queue.recorder import Recorder
from seamark.write.test_support import logged_warnings

# Ten scalars of one tag each, as the programs below log them.
TEN = [f"t{number}" for number in range(10)]


def tags_of(path: Path) -> list[str]:
    """The tags of a file's events, in order. A tail that is not whole is what a kill may leave, and is not counted."""
    data, at, tags = path.read_bytes(), 0, []
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 8], "little")
        record = data[at : at + 16 + length]
        if len(record) < 16 + length:
            break
        assert record == _core.frame(record[12:-4]), f"a broken record at byte {at}"
        tags += [value.tag for value in Event.FromString(record[12:-4]).summary.value]
        at += 16 + length
    return tags


def tags_below(folder: Path) -> list[str]:
    return [tag for path in sorted(folder.rglob("*tfevents*")) for tag in tags_of(path)]


def program(body: str, folder: Path, **keywords: Any) -> subprocess.Popen[str]:
    """A Python process with a writer `w` into the folder."""
    head = "import os, signal, sys, time, seamark\nw = seamark.SummaryWriter(sys.argv[1])\n"
    return subprocess.Popen(
        [sys.executable, "-W", "always", "-c", head + body, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **keywords,
    )


def finished(body: str, folder: Path, **keywords: Any) -> tuple[int, str]:
    process = program(body, folder, **keywords)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


LOG_TEN = "for i in range(10): w.add_scalar(f't{i}', i, i)\n"


# The end of a process


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise ValueError('training broke')"])
def test_what_was_logged_is_there_however_a_program_ends(end: str, tmp_path: Path) -> None:
    code, errors = finished(LOG_TEN + end, tmp_path)
    assert code == {"": 0, "sys.exit(3)": 3}.get(end, 1)
    assert ("training broke" in errors) == ("broke" in end)
    assert tags_below(tmp_path) == TEN


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_flushes_and_still_ends_the_process(number: signal.Signals, tmp_path: Path) -> None:
    # The test runner may ignore SIGHUP, and the program inherits that.
    head = f"w.close()\nsignal.signal({number}, signal.SIG_DFL)\nfrom seamark.write.queue.lifetime.signals import catch_signals\ncatch_signals()\n"
    code, errors = finished(head + LOG_TEN + f"os.kill(os.getpid(), {number})\ntime.sleep(60)", tmp_path)
    assert (code, errors) == (-number, "")
    assert tags_below(tmp_path) == TEN


@pytest.mark.parametrize("replace", ["os.execv(sys.executable, words)", "os.execlp('python3', *words)"])
def test_a_program_that_replaces_itself_loses_nothing(replace: str, tmp_path: Path) -> None:
    body = "words = ['python', '-c', 'import sys; sys.exit(5)']\n" + replace
    code, errors = finished(LOG_TEN + body, tmp_path)
    assert (code, errors) == (5, "")
    assert tags_below(tmp_path) == TEN


def test_a_signal_that_nobody_handles_is_left_to_the_program(tmp_path: Path) -> None:
    """Lightning requeues a job on SIGUSR1, and installs that only where there is no handler."""
    code, errors = finished("assert signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL", tmp_path)
    assert code == 0, errors


def test_sigterm_still_reaches_the_programs_own_handler(tmp_path: Path) -> None:
    body = (
        "w.close()\nsignal.signal(signal.SIGTERM, lambda *_: os._exit(7))\n"
        "from seamark.write.queue.lifetime.signals import catch_signals\ncatch_signals()\n"
    )
    code, _ = finished(body + LOG_TEN + "os.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(60)", tmp_path)
    assert code == 7
    assert tags_below(tmp_path) == TEN


@pytest.mark.parametrize("attempt", range(3))
def test_a_kill_loses_nothing_that_was_flushed_and_breaks_no_record(attempt: int, tmp_path: Path) -> None:
    body = (
        "import threading\n"
        "def flood():\n"
        "    for i in range(10**9): w.add_scalar('flood', i, i)\n"
        "threading.Thread(target=flood, daemon=True).start()\n"
        "for i in range(10**9):\n"
        "    w.add_scalar(f'step{i}', i, i)\n"
        "    w.add_text('text', 'x' * 100, i)\n"
        "    w.flush()\n"
        "    print(i, flush=True)\n"
    )
    process = program(body, tmp_path)
    assert process.stdout is not None
    flushed = -1
    for line in process.stdout:
        flushed = int(line)
        if flushed == 5 + attempt:
            process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    found = set(tags_below(tmp_path))
    assert {f"step{number}" for number in range(flushed + 1)} <= found


# Many threads, many processes


def test_threads_share_a_writer(tmp_path: Path) -> None:
    with seamark.SummaryWriter(tmp_path) as writer:

        def log(name: str) -> None:
            for step in range(500):
                writer.add_scalar(f"{name}", step, step)
                if step % 100 == 0:
                    writer.add_histogram(f"{name}/h", [1.0, 2.0], step)
                    writer.flush()

        threads = [threading.Thread(target=log, args=(name,)) for name in "abcdefgh"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert Counter(tags_below(tmp_path)) == Counter(dict.fromkeys("abcdefgh", 500) | {f"{n}/h": 5 for n in "abcdefgh"})


def test_a_forked_child_writes_its_own_file_and_nothing_twice(tmp_path: Path) -> None:
    body = (
        "w.add_scalar('before', 1, 1)\n"  # still in the queue when the children are made
        "import multiprocessing\n"
        "context = multiprocessing.get_context('fork')\n"
        "def work(name):\n"
        "    for i in range(20): w.add_scalar(name, i, i)\n"
        "children = [context.Process(target=work, args=(f'child{n}',)) for n in range(3)]\n"
        "for child in children: child.start()\n"
        "w.add_scalar('meanwhile', 1, 1)\n"
        "for child in children: child.join()\n"
        "assert [child.exitcode for child in children] == [0, 0, 0]\n"
        "w.add_scalar('after', 1, 1)\n"
    )
    code, errors = finished(body, tmp_path)
    assert code == 0, errors
    files = {path.name: tags_of(path) for path in tmp_path.iterdir()}
    assert sorted(files.values()) == sorted(
        [["before", "meanwhile", "after"], ["child0"] * 20, ["child1"] * 20, ["child2"] * 20]
    )


def test_a_forked_child_that_logs_nothing_leaves_no_file(tmp_path: Path) -> None:
    code, errors = finished(LOG_TEN + "pid = os.fork()\nif pid: os.waitpid(pid, 0)", tmp_path)
    assert code == 0, errors
    (path,) = tmp_path.iterdir()
    assert tags_of(path) == TEN


def log_into(folder: str, number: int) -> None:
    with seamark.SummaryWriter(folder) as writer:
        for step in range(200):
            writer.add_scalar(f"p{number}", step, step)


def test_eight_processes_into_one_folder_have_eight_files(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=log_into, args=(str(tmp_path), number)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    files = sorted(tags_of(path) for path in tmp_path.iterdir())
    assert files == [[f"p{number}"] * 200 for number in range(8)]


# The disk


def test_a_full_disk_is_reported_once_and_waiting_events_are_written_later(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk: the write fails in the same way, in the middle of a record."""
    body = (
        "import resource\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "_, maximum = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1001, maximum))\n"
        "for i in range(100):\n"
        "    w.add_scalar(f's{i}', i, i)\n"
        "    if i % 25 == 0: w.flush()\n"
        "assert w.dropped == 0\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (maximum, maximum))\n"
        "w.add_scalar('room again', 1, 1)\n"
    )
    code, errors = finished(body, tmp_path)
    assert code == 0, errors
    assert errors.count("(reported once)") == 1
    assert "wait in memory" in errors and str(tmp_path) in errors
    assert tags_below(tmp_path) == [f"s{number}" for number in range(100)] + ["room again"]


def test_what_a_full_disk_never_took_is_counted_at_the_end(tmp_path: Path) -> None:
    body = (
        "import resource\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1001, 1001))\n"
        "for i in range(100): w.add_scalar(f's{i}', i, i)\n"
        "w.close()\n"
        "print('went on', w.dropped)\n"
    )
    process = program(body, tmp_path)
    output, errors = process.communicate(timeout=60)
    (path,) = tmp_path.iterdir()
    kept = tags_of(path)
    assert process.returncode == 0, errors
    assert 10 < len(kept) < 90
    assert output == f"went on {100 - len(kept)}\n"
    assert f"{100 - len(kept)} events could not be written and are lost" in errors


# A disk without room for one byte, until `free_space()` is called.
FULL = (
    "import resource, seamark.write.queue.recorder as recorder\n"
    "recorder.RETRY_SECS = 0.01\n"
    "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    "_, maximum = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
    "resource.setrlimit(resource.RLIMIT_FSIZE, (0, maximum))\n"
    "def free_space(): resource.setrlimit(resource.RLIMIT_FSIZE, (maximum, maximum))\n"
    "w = seamark.SummaryWriter(sys.argv[1] + '/full')\n"
    "for i in range(5000): w.add_scalar(f's{i}', i, i)\n"
    "w.add_histogram('h', [1.0, 2.0], 1)\n"
    "print(w.sink.recorder.flush(), w.dropped, flush=True)\n"
)


def test_a_disk_that_is_full_from_the_start_loses_no_events(tmp_path: Path) -> None:
    body = FULL + "for _ in range(20): w.flush()\nfree_space()\nprint(w.sink.recorder.flush(), w.dropped)\n"
    process = program(body, tmp_path)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, "False 0\nTrue 0\n"), errors
    assert errors.count("(reported once)") == 1 and "wait in memory" in errors
    (path,) = (tmp_path / "full").iterdir()
    assert tags_of(path) == [f"s{number}" for number in range(5000)] + ["h"]


def test_what_a_disk_that_was_always_full_never_took_is_counted(tmp_path: Path) -> None:
    body = (
        FULL + "w.close()\nprint(w.dropped)\nfree_space()\nw.add_scalar('later', 1, 1)\nw.close()\nprint(w.dropped)\n"
    )
    process = program(body, tmp_path)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, "False 0\n5001\n5001\n"), errors
    assert errors.count("(reported once)") == 2 and "5001 events could not be written and are lost" in errors
    assert tags_below(tmp_path) == ["later"]
    assert len(list((tmp_path / "full").iterdir())) == 2


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB, where the machine lets us have one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("mounting a small file system takes root")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_real_full_disk(small_disk: Path) -> None:
    writer = seamark.SummaryWriter(small_disk / "run")
    with logged_warnings("No space left on device"):
        for step in range(3000):
            writer.add_scalar("loss", step, step)
        writer.flush()
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    writer.close()
    assert tags_below(small_disk) == ["loss"] * 3000
    assert writer.dropped == 0


def test_a_removed_folder_is_made_again_and_the_log_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    writer = seamark.SummaryWriter(folder)
    writer.add_scalar("gone", 1, 1)
    writer.flush()
    shutil.rmtree(folder)
    with logged_warnings("removed") as caught:
        for number in range(3):
            writer.add_scalar(f"after{number}", 1, 1)
            writer.flush()
    assert len(caught) == 1
    writer.close()
    assert tags_below(folder) == ["after0", "after1", "after2"]


def test_a_folder_that_cannot_be_made_again_costs_nothing_but_the_events(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    writer = seamark.SummaryWriter(folder)
    shutil.rmtree(folder)
    folder.write_text("somebody else's file")
    with logged_warnings():
        writer.add_scalar("waits", 1, 1)
        writer.flush()
    folder.unlink()
    writer.add_scalar("later", 1, 1)
    writer.close()
    assert tags_below(folder) == ["waits", "later"]


def test_a_stalled_disk_never_holds_up_the_caller(tmp_path: Path) -> None:
    """A pipe without a reader stands in for the disk: a write to it does not return."""
    recorder = Recorder(tmp_path, max_scalar_bytes=200_000, max_payload_bytes=1000)
    assert recorder._file is not None
    read_end, write_end = os.pipe()
    os.dup2(write_end, recorder._file._handle)
    os.close(write_end)
    with logged_warnings():
        for step in range(20_000):
            status = recorder.add_scalar("loss", 1.0, step, 1.0)
            if status:
                recorder.signal(status)
        for _ in range(100):
            recorder.add_payload(lambda: b"\x12\x00", 100)
        assert not recorder.flush(timeout_secs=0.2)
    dropped = recorder.dropped
    assert 10_000 < dropped < 20_100

    received = bytearray()
    reader = threading.Thread(
        target=lambda: [received.extend(data) for data in iter(lambda: os.read(read_end, 65536), b"")]
    )
    reader.start()
    assert recorder.close()
    reader.join()
    os.close(read_end)
    (tmp_path / "received").write_bytes(received)
    assert recorder.dropped == dropped
    assert len(tags_of(tmp_path / "received")) == 20_000 - (dropped - 90)
