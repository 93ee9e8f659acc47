"""A file that is replaced while it is read: in the end exactly the new content is shown."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from seamark import _core
from seamark.store import LogRoot, Store

from . import logs

OLD_POINTS = 400_000
OLD = _core.encode_file_version(logs.START_SECS) + logs.points("old", 0, OLD_POINTS)


def replace_by_rename(path: Path, data: bytes) -> None:
    path.with_name("incoming").write_bytes(data)
    path.with_name("incoming").replace(path)


def rewrite_in_place(path: Path, data: bytes) -> None:
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()


def delete_and_create(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


def new_data(count: int) -> bytes:
    return _core.encode_file_version(logs.START_SECS + 1) + logs.points("new", 0, count)


def wait_for(store: Store, tag: str, count: int) -> None:
    """Waits until the run has this series and no other."""
    subscription = store.subscribe()
    while [(info.tag, info.count) for info in store.series()] != [(tag, count)]:
        assert subscription.get(30) is not None, "nothing new for half a minute"
    subscription.close()


def settle(store: Store, wanted: object) -> None:
    """Waits for the file's new size, which may be known one visit later than the points."""
    subscription = store.subscribe()
    deadline = time.monotonic() + 30
    while logs.dump(store) != wanted and time.monotonic() < deadline:
        subscription.get(0.1)
    subscription.close()


@pytest.mark.parametrize("change", [replace_by_rename, rewrite_in_place, delete_and_create])
@pytest.mark.parametrize("count", [10, OLD_POINTS + 1000])
def test_a_file_replaced_while_it_is_read(tmp_path: Path, change: Callable[[Path, bytes], None], count: int) -> None:
    """The new file is smaller or larger than the old one, which is being read."""
    logdir, index_dir = tmp_path / "logs", tmp_path / "index"
    path = logs.write(logdir, "run", OLD)
    store = Store([LogRoot("", logdir)], index_dir=index_dir, reload_secs=0.1, workers=2)
    store.start()
    while store.progress().bytes_done == 0 and store.progress().loading:
        os.sched_yield()
    change(path, new_data(count))
    wait_for(store, "new", count)
    wanted = logs.rebuilt(logdir)
    settle(store, wanted)
    assert logs.dump(store) == wanted
    store.close()
    assert logs.reopened(logdir, index_dir) == wanted


@pytest.mark.parametrize("change", [replace_by_rename, rewrite_in_place, delete_and_create])
@pytest.mark.parametrize("count", [10, 3000])
def test_a_file_replaced_between_two_starts(tmp_path: Path, change: Callable[[Path, bytes], None], count: int) -> None:
    logdir, index_dir = tmp_path / "logs", tmp_path / "index"
    path = logs.write(logdir, "run", _core.encode_file_version(logs.START_SECS) + logs.points("old", 0, 1000))
    logs.open_store(logdir, index_dir).close()
    change(path, new_data(count))
    assert logs.reopened(logdir, index_dir) == logs.rebuilt(logdir)


def test_a_truncated_file_loses_its_end(tmp_path: Path) -> None:
    log = logs.small_log(20)
    path = logs.write(tmp_path / "logs", "run", log.data)
    store = logs.open_store(tmp_path / "logs", tmp_path / "index", follow=True)
    cut = log.starts()[30]
    os.truncate(path, cut)
    subscription = store.subscribe()
    while logs.shown_rows(store, "run") != log.rows_of(range(30)):
        assert subscription.get(30) is not None, "nothing new for half a minute"
    store.close()
    assert logs.reopened(tmp_path / "logs", tmp_path / "index") == logs.rebuilt(tmp_path / "logs")
