"""Tests of a broken index: killed, truncated, damaged, of another version, on a full or read-only disk."""

import errno
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from seamark import _core
from seamark.store import LogRoot, PayloadGoneError, Store, UnknownSeriesError, index_path
from seamark.store.index import committer
from seamark.store.index.catalogue import INDEX_VERSION, Catalogue
from seamark.store.index.chunk_file import ChunkFile
from seamark.store.index.index import Index
from seamark.store.index.test_dumps import catalogued, chunk_names, dump_with_index, dump_without_index
from seamark.store.read.event_file import EventFile
from seamark.store.test_support import (
    EVENTS,
    LOSS,
    TIMEOUT_SECS,
    A,
    B,
    append,
    curve,
    dump,
    has_steps,
    loaded,
    scalar_bytes,
    steps_of,
    wait_until,
    write_run,
)


def test_an_index_of_another_version_is_rebuilt(logs: Path, index_dir: Path, opened_files: list[str]) -> None:
    dump_with_index(logs, index_dir)
    with sqlite3.connect(index_path(index_dir, logs) / "catalogue.sqlite") as db:
        db.execute(f"PRAGMA user_version = {INDEX_VERSION + 1}")
    db.close()
    opened_files.clear()
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert len(chunk_names(index_dir)) == 3, "the chunks of the other version are gone"
    opened_files.clear()
    dump_with_index(logs, index_dir)
    assert opened_files == []


@pytest.mark.parametrize("damage", [b"", b"this is not a database at all" * 100])
def test_a_damaged_catalogue_is_rebuilt(logs: Path, index_dir: Path, damage: bytes) -> None:
    dump_with_index(logs, index_dir)
    (index_path(index_dir, logs) / "catalogue.sqlite").write_bytes(damage)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


@pytest.mark.parametrize("length", [0, 100])
def test_event_files_of_truncated_chunk_files_are_read_again(logs: Path, index_dir: Path, length: int) -> None:
    dump_with_index(logs, index_dir)
    for path in index_dir.glob("*/chunks/*"):
        os.truncate(path, length)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
@pytest.mark.timed
def test_a_damaged_stripe_is_found_by_its_checksum_when_it_is_first_used(
    logs: Path, index_dir: Path, share: float, caplog: pytest.LogCaptureFixture
) -> None:
    dump_with_index(logs, index_dir)
    for path in index_dir.glob("*/chunks/*"):
        flip(path, int(share * (path.stat().st_size - 1)))
    with loaded(logs, index_dir=index_dir) as store:
        store.series()  # notices the damage
        wait_until(store, lambda: shows_all(store, dump_without_index(logs)))
    assert "the index of an event file is damaged" in caplog.text
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_a_start_reads_no_chunk_file(logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checksums are verified when a stripe is first used, so that a start with a large index is fast."""
    dump_with_index(logs, index_dir)
    monkeypatch.setattr(ChunkFile, "read", lambda *args: pytest.fail("a chunk file was read"))
    with loaded(logs, index_dir=index_dir) as store:
        assert len(store.runs()) == 2


def shows_all(store: Store, wanted: dict[str, Any]) -> bool:
    try:
        return dump(store) == wanted
    except (UnknownSeriesError, PayloadGoneError):  # a file is being read again
        return False


def damaged_while_in_use(logs: Path, index_dir: Path, damage: Callable[[Path], None]) -> None:
    for run in (A, B):
        append(logs / run / "events.out.tfevents.9", scalar_bytes("long", curve(0, 3000)))  # enough to be mapped
    dump_with_index(logs, index_dir)
    with loaded(logs, index_dir=index_dir) as store:
        assert dump(store) == dump_without_index(logs)
        for path in index_dir.glob("*/chunks/*"):
            damage(path)
        wait_until(
            store,
            lambda: (
                shows_all(store, dump_without_index(logs))
                and any(f.content.generation for f in store._pipeline.library.files())
            ),
        )
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


@pytest.mark.timed
def test_a_chunk_file_truncated_while_mapped_is_detected(logs: Path, index_dir: Path) -> None:
    before = _core.truncated_map_count()
    damaged_while_in_use(logs, index_dir, lambda path: os.truncate(path, 0))
    assert _core.truncated_map_count() > before


@pytest.mark.parametrize(
    "damage", [lambda path: flip(path, -1), lambda path: os.truncate(path, path.stat().st_size - 1)]
)
@pytest.mark.timed
def test_a_chunk_file_changed_while_mapped_is_detected(
    logs: Path, index_dir: Path, damage: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer, "CHECK_SECS", 0.05)
    damaged_while_in_use(logs, index_dir, damage)


def test_after_a_kill_between_chunk_and_catalogue_the_rest_is_read_again(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump_with_index(logs, index_dir)
    append(logs / "b" / EVENTS, scalar_bytes(LOSS, curve(3, 20)))
    with monkeypatch.context() as patched:
        patched.setattr(Catalogue, "commit", lambda *args: (_ for _ in ()).throw(sqlite3.OperationalError("killed")))
        dump_with_index(logs, index_dir)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_a_half_written_chunk_is_overwritten_after_a_kill(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump_with_index(logs, index_dir)
    append(logs / "b" / EVENTS, scalar_bytes(LOSS, curve(3, 20)))
    real_append = ChunkFile.append

    def half(chunk: ChunkFile, stripes: Sequence[memoryview]) -> list[int]:
        real_append(chunk, [stripe[: len(stripe) // 2] for stripe in stripes])
        raise OSError(errno.EIO, "killed")

    with monkeypatch.context() as patched:
        patched.setattr(ChunkFile, "append", half)
        dump_with_index(logs, index_dir)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


@pytest.mark.timed
def test_a_full_disk_is_reported_once_and_everything_is_shown(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with loaded(logs, index_dir=index_dir, follow=True, reload_secs=3600.0) as store:
        wait_until(store, lambda: any("No space left" in problem.message for problem in store.problems()))
        append(logs / "b" / EVENTS, scalar_bytes(LOSS, [(3, 3.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1, 2, 3], B))
        messages = [problem.message for problem in store.problems() if "index" in problem.message]
        path = index_path(index_dir, logs)
        reason = "the index cannot be written (No space left on device); new data stays in memory"
        assert messages == [f"{reason}: '{path}'"]
        assert steps_of(store, A) == list(range(150))


def test_without_a_usable_index_folder_everything_stays_in_memory(logs: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.touch()
    with loaded(logs, index_dir=blocked) as store:
        assert steps_of(store, A) == list(range(150))
        assert any("stays in memory" in problem.message for problem in store.problems())


def test_a_read_only_cache_is_reported_and_tolerated(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with loaded(logs, index_dir=index_dir) as store:
        assert steps_of(store, A) == list(range(150))
        assert any("(Read-only file system)" in problem.message for problem in store.problems())


@pytest.mark.timed
def test_a_guest_whose_chunk_files_the_owner_has_deleted_reads_the_event_files(logs: Path, index_dir: Path) -> None:
    dump_with_index(logs, index_dir)
    with loaded(logs, index_dir=index_dir), loaded(logs, index_dir=index_dir) as guest:
        for path in index_dir.glob("*/chunks/*"):
            path.unlink()
        guest.series()  # notices the loss
        wait_until(guest, lambda: dump(guest) == dump_without_index(logs))


KILLED = """
import os, sys, threading
from pathlib import Path
from seamark.store import Store, LogRoot
import seamark.store.read.loader, seamark.store.index.committer
seamark.store.read.loader.SLICE_BYTES = 2000
seamark.store.index.committer.FLUSH_BYTES = 1
store = Store([LogRoot("", Path(sys.argv[1]))], index_dir=Path(sys.argv[2]))
threading.Timer(float(sys.argv[3]), os.kill, (os.getpid(), 9)).start()
store.start()
store.wait_loaded()
print("loaded", flush=True)
threading.Event().wait()
"""


@pytest.mark.parametrize("delay_ms", [0, 2, 4, 8, 12, 20])
@pytest.mark.timed
def test_after_a_kill_at_any_moment_the_index_equals_a_rebuilt_one(logs: Path, index_dir: Path, delay_ms: int) -> None:
    for run in range(20):
        write_run(logs / f"many/{run}", steps=200)
    arguments = [sys.executable, "-c", KILLED, str(logs), str(index_dir), str(delay_ms / 1000)]
    killed = subprocess.run(arguments, capture_output=True, timeout=TIMEOUT_SECS, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_closing_during_a_load_keeps_the_data_read_so_far(logs: Path, index_dir: Path) -> None:
    store = Store([LogRoot("", logs)], index_dir=index_dir)
    store.start()
    store.close()
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_a_close_that_times_out_leaves_the_rest_to_the_next_start(
    tmp_path: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer, "MAX_BATCH_FILES", 1)
    # Nothing is written while the loader is busy, so that all of it is left when the store closes.
    monkeypatch.setattr(committer.Committer, "_is_due", lambda self: False)
    for number in range(4):
        write_run(tmp_path / "logs" / str(number))
    store = Store([LogRoot("", tmp_path / "logs")], index_dir=index_dir, follow=False)
    store.start()
    assert store.wait_loaded(TIMEOUT_SECS)
    store.close(index_timeout_secs=-1)
    assert len(catalogued(index_dir)) == 1
    assert dump_with_index(tmp_path / "logs", index_dir) == dump_without_index(tmp_path / "logs")
    assert len(catalogued(index_dir)) == 4


def test_a_defect_of_our_own_is_not_reported_as_a_full_disk(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("our own mistake")

    monkeypatch.setattr("seamark.store.index.committer.persist", fail)
    store = Store([LogRoot("", logs)], index_dir=index_dir, follow=False)
    with store:
        assert store.wait_loaded(TIMEOUT_SECS)
    (problem,) = [problem for problem in store.problems() if "index" in problem.message]
    assert "a defect of Seamark" in problem.message and "KeyError: 'our own mistake'" in problem.message
    (record,) = [record for record in caplog.records if record.name == "seamark.store.index.index"]
    assert record.exc_info is not None


def test_a_failing_check_of_chunk_files_does_not_stop_the_committer(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(index: Index) -> list[EventFile]:
        raise RuntimeError("our own mistake")

    monkeypatch.setattr(Index, "find_changed_chunks", fail)
    monkeypatch.setattr(committer, "CHECK_SECS", 0.0)
    with loaded(logs, index_dir=index_dir):
        pass
    assert "checking the chunk files failed" in caplog.text
    assert len(catalogued(index_dir)) == 3
