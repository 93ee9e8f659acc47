"""Tests of a second start: a store with an index shows the same as one that reads the event files."""

import shutil
from pathlib import Path

import pytest

from seamark.store.index import committer
from seamark.store.index.test_dumps import catalogued, chunk_names, dump_with_index, dump_without_index, settle
from seamark.store.read import loader
from seamark.store.test_support import (
    EVENTS,
    LOSS,
    B,
    append,
    curve,
    dump,
    file_start,
    has_steps,
    loaded,
    scalar_bytes,
    wait_until,
    write_run,
)


def test_a_second_start_opens_no_event_file_and_shows_the_same(
    logs: Path, index_dir: Path, opened_files: list[str]
) -> None:
    first = dump_with_index(logs, index_dir)
    assert len(opened_files) == 3
    opened_files.clear()
    assert dump_with_index(logs, index_dir) == first
    assert opened_files == []
    assert first == dump_without_index(logs)


def test_only_new_bytes_are_read_and_the_result_equals_a_rebuilt_index(
    logs: Path, index_dir: Path, opened_files: list[str]
) -> None:
    for round_number in range(12):
        append(logs / "a" / "tfevents.1", scalar_bytes(LOSS, curve(100 + 10 * round_number, 110 + 10 * round_number)))
        append(logs / "b" / EVENTS, scalar_bytes(f"tag {round_number}", curve(0, 3)))
        settle(logs)
        opened_files.clear()
        dump_with_index(logs, index_dir)
        assert len(opened_files) == (3 if round_number == 0 else 2)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_files_replaced_shrunk_and_rewritten_between_two_starts_are_read_again(logs: Path, index_dir: Path) -> None:
    dump_with_index(logs, index_dir)
    (logs / "a" / "tfevents.1").write_bytes(file_start() + scalar_bytes(LOSS, curve(0, 7)))
    write_run(logs / "tmp", start=9, steps=90, name="x").replace(logs / "a" / "tfevents.2")
    rewritten = bytearray((logs / "b" / EVENTS).read_bytes())
    rewritten[-10:] = scalar_bytes(LOSS, [(3, 99.0)])[-10:]
    (logs / "b" / EVENTS).write_bytes(rewritten)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_a_run_renamed_between_two_starts_is_not_read_again(
    logs: Path, index_dir: Path, opened_files: list[str]
) -> None:
    dump_with_index(logs, index_dir)
    (logs / "a").rename(logs / "c")
    opened_files.clear()
    renamed = dump_with_index(logs, index_dir)
    again = dump_with_index(logs, index_dir)
    assert opened_files == []
    assert renamed == again == dump_without_index(logs)


def test_two_runs_that_swap_names(logs: Path, index_dir: Path) -> None:
    dump_with_index(logs, index_dir)
    (logs / "a").rename(logs / "x")
    (logs / "b").rename(logs / "a")
    (logs / "x").rename(logs / "b")
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_a_run_deleted_between_two_starts_is_deleted_from_the_index(logs: Path, index_dir: Path) -> None:
    dump_with_index(logs, index_dir)
    assert len(chunk_names(index_dir)) == 3
    shutil.rmtree(logs / "a")
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert len(chunk_names(index_dir)) == 1
    assert catalogued(index_dir) == [f"b/{EVENTS}"]


@pytest.mark.timed
def test_a_run_deleted_or_renamed_while_followed_is_updated_in_the_index(
    logs: Path, index_dir: Path, opened_files: list[str]
) -> None:
    with loaded(logs, index_dir=index_dir, follow=True, reload_secs=3600.0) as store:
        (logs / "b").rename(logs / "c")
        shutil.rmtree(logs / "a")
        wait_until(store, lambda: list(store.tags()) == ["c"])
    assert catalogued(index_dir) == [f"c/{EVENTS}"]
    opened_files.clear()
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert len(chunk_names(index_dir)) == 1


def test_an_index_whose_log_directory_is_not_mounted_is_kept(
    logs: Path, index_dir: Path, opened_files: list[str]
) -> None:
    first = dump_with_index(logs, index_dir)
    logs.rename(logs.with_name("away"))
    assert dump_with_index(logs, index_dir)["runs"] == []
    logs.with_name("away").rename(logs)
    opened_files.clear()
    assert dump_with_index(logs, index_dir) == first
    assert opened_files == []


@pytest.mark.timed
def test_two_stores_on_one_directory_both_work_and_only_one_writes(logs: Path, index_dir: Path) -> None:
    both = {"index_dir": index_dir, "follow": True}
    with loaded(logs, **both) as owner, loaded(logs, **both) as guest:
        append(logs / "b" / EVENTS, scalar_bytes(LOSS, [(3, 3.0)]))
        for store in (owner, guest):
            wait_until(store, lambda store=store: has_steps(store, [0, 1, 2, 3], B))  # type: ignore[misc]
        assert dump(owner) == dump(guest)
        assert not any(opened.is_writable for opened in guest._pipeline.indexes.values())
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_without_an_index_nothing_is_written(logs: Path, index_dir: Path) -> None:
    before = set(logs.parent.rglob("*"))
    dump_without_index(logs)
    assert set(logs.parent.rglob("*")) == before


def test_a_chunk_file_that_is_mostly_garbage_is_rewritten(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer, "MIN_GARBAGE_BYTES", 0)
    names = set()
    for round_number in range(20):
        append(logs / "b" / EVENTS, scalar_bytes(LOSS, curve(3 + round_number, 4 + round_number)))
        dump_with_index(logs, index_dir)
        names |= chunk_names(index_dir)
        assert len(chunk_names(index_dir)) == 3
    assert len(names) > 3, "at least once a new chunk file took over"
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_a_large_file_is_committed_while_it_is_read(
    logs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch, opened_files: list[str]
) -> None:
    """Committed rows of an unfinished file are not read again, the other rows are."""
    monkeypatch.setattr(loader, "SLICE_BYTES", 1000)
    monkeypatch.setattr(committer, "FLUSH_BYTES", 1)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)
    assert dump_with_index(logs, index_dir) == dump_without_index(logs)


def test_a_cache_folder_is_offered_while_the_index_can_be_written(logs: Path, index_dir: Path) -> None:
    with loaded(logs) as store:
        assert store.cache_dir is None
    with loaded(logs, index_dir=index_dir) as store:
        assert store.cache_dir is not None and store.cache_dir.is_relative_to(index_dir)
        with loaded(logs, index_dir=index_dir) as second:
            assert second.cache_dir is None
    with loaded(logs, index_dir=index_dir, index_read_only=True) as store:
        assert store.cache_dir is None
