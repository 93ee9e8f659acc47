"""Tests of following changes on disk. They wait for the store's deltas instead of sleeping."""

import errno
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from seamark.store import Delta, LogRoot, Store, Subscription
from seamark.store.runs.subscribe import MAX_APPENDED_ROWS
from seamark.store.test_support import (
    EVENTS,
    LOSS,
    TIMEOUT_SECS,
    A,
    B,
    append,
    curve,
    file_start,
    has_steps,
    loaded,
    scalar_bytes,
    steps_of,
    wait_until,
    write_run,
)

pytestmark = pytest.mark.timed

# No test runs for an hour: whatever is found was reported by file events.
FOLLOWING: dict[str, Any] = {"follow": True, "reload_secs": 3600.0}
POLLING: dict[str, Any] = {"follow": True, "reload_secs": 0.05}


def next_delta(changes: Subscription, is_wanted: Callable[[Delta], object]) -> Delta:
    """Waits for a delta: the store shows a change a moment before it notifies its subscribers."""
    while True:
        delta = changes.get(TIMEOUT_SECS)
        assert delta is not None, "no change came"
        if is_wanted(delta):
            return delta


def next_with_points(changes: Subscription) -> Delta:
    return next_delta(changes, lambda delta: delta.scalars)


def test_appended_points_reach_a_subscriber_by_file_events(tmp_path: Path) -> None:
    """The delay is measured by the benchmark; the figure is in bench/RESULTS.md."""
    path = write_run(tmp_path / "a", steps=3)
    with loaded(tmp_path, **FOLLOWING) as store:
        changes = store.subscribe()
        for step in range(3, 14):  # the walk when the watch begins may find the first of them, not all
            append(path, scalar_bytes(LOSS, [(step, float(step))]))
            delta = next_with_points(changes)
            assert dict(delta.scalars) == {A: frozenset({LOSS})}
            assert steps_of(store)[-1] == step


def test_new_runs_files_and_tags_appear(tmp_path: Path) -> None:
    write_run(tmp_path / "a", steps=3, name="tfevents.1")
    with loaded(tmp_path, **FOLLOWING) as store:
        changes = store.subscribe()
        write_run(tmp_path / "group" / "b", steps=2)
        write_run(tmp_path / "a", start=3, steps=2, name="tfevents.2")
        wait_until(store, lambda: sorted(store.tags()) == ["a", "group/b"] and has_steps(store, [0, 1, 2, 3, 4]))
        assert next_delta(changes, lambda delta: delta.runs_added).runs_added == {"group/b"}


def test_a_deleted_run_is_removed(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    write_run(tmp_path / "b")
    with loaded(tmp_path, **FOLLOWING) as store:
        changes = store.subscribe()
        shutil.rmtree(tmp_path / "b")
        wait_until(store, lambda: list(store.tags()) == ["a"])
        assert next_delta(changes, lambda delta: delta.runs_removed).runs_removed == {B}
        wait_until(store, lambda: store.progress().files_total == 1)


def test_a_renamed_run_is_not_read_again(tmp_path: Path) -> None:
    write_run(tmp_path / "a", steps=5)
    with loaded(tmp_path, **FOLLOWING) as store:
        (before,) = store._pipeline.library.files()
        (tmp_path / "a").rename(tmp_path / "b")
        wait_until(store, lambda: list(store.tags()) == ["b"])
        assert steps_of(store, B) == [0, 1, 2, 3, 4]
        assert store._pipeline.library.files() == [before], "it was not read again"
        append(tmp_path / "b" / EVENTS, scalar_bytes(LOSS, [(5, 5.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1, 2, 3, 4, 5], B))


def test_a_replaced_file_resets_its_run(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", steps=5)
    with loaded(tmp_path, **FOLLOWING) as store:
        changes = store.subscribe()
        new = write_run(tmp_path / "elsewhere", start=50, steps=2, name="new")
        new.replace(path)
        wait_until(store, lambda: has_steps(store, [50, 51]))
        next_delta(changes, lambda delta: A in delta.runs_reset)


def test_points_in_the_middle_of_a_series_are_announced(tmp_path: Path) -> None:
    first = write_run(tmp_path / "a", start=0, steps=2, name="tfevents.1")
    write_run(tmp_path / "a", start=5, steps=2, name="tfevents.2")
    with loaded(tmp_path, **FOLLOWING) as store:
        changes = store.subscribe()
        append(first, scalar_bytes(LOSS, curve(2, 5)))
        wait_until(store, lambda: has_steps(store, [0, 1, 2, 3, 4, 5, 6]))
        assert dict(next_with_points(changes).scalars) == {A: frozenset({LOSS})}


def test_a_slow_subscriber_gets_one_delta_with_everything(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", steps=1)
    with loaded(tmp_path, **FOLLOWING) as store:
        slow = store.subscribe()
        later = store.subscribe()  # is notified after the first one
        for step in range(1, 6):
            append(path, scalar_bytes(LOSS, [(step, float(step))]))
            next_with_points(later)
            assert has_steps(store, list(range(step + 1)))
        delta = slow.get(0)
        assert delta is not None
        assert (delta.version, dict(delta.scalars)) == (store.version, {A: frozenset({LOSS})})
        assert slow.get(0) is None


def test_a_large_load_resets_the_run(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", steps=1)
    with loaded(tmp_path, **FOLLOWING) as store:
        changes = store.subscribe()
        rows = 3 * MAX_APPENDED_ROWS  # too many even if the first half is read while the second is being written
        append(path, scalar_bytes(LOSS, curve(1, rows)))
        wait_until(store, lambda: len(steps_of(store)) == rows)
        delta = next_delta(changes, lambda delta: delta.runs_reset)
        assert (set(delta.runs_reset), dict(delta.scalars)) == ({A}, {})


def test_a_log_directory_created_later_is_shown(tmp_path: Path) -> None:
    logdir = tmp_path / "later"
    with loaded(logdir, **FOLLOWING) as store:
        assert store.problems() != []
        write_run(logdir / "a", steps=2)
        wait_until(store, lambda: has_steps(store, [0, 1]))
        assert store.problems() == []
        append(logdir / "a" / EVENTS, scalar_bytes(LOSS, [(2, 2.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1, 2]))


def test_a_log_directory_that_is_deleted_and_created_again(tmp_path: Path) -> None:
    logdir = tmp_path / "logs"
    write_run(logdir / "a", steps=2)
    with loaded(logdir, follow=True, reload_secs=0.2) as store:
        shutil.rmtree(logdir)
        wait_until(store, lambda: store.runs() == [])
        write_run(logdir / "b", steps=3)
        wait_until(store, lambda: has_steps(store, [0, 1, 2], B))


def test_with_a_reload_interval_of_zero_nothing_is_followed(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", steps=2)
    with loaded(tmp_path, follow=True, reload_secs=0.0) as store:
        store._pipeline.follower._thread.join(TIMEOUT_SECS)
        assert not store._pipeline.follower._thread.is_alive()
        append(path, scalar_bytes(LOSS, [(2, 2.0)]))
        assert steps_of(store) == [0, 1]


def test_without_file_events_the_store_polls_and_reports_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Iterator[Any]:
        raise OSError(errno.EMFILE, "no events here")
        yield

    monkeypatch.setattr("watchfiles.watch", fail)
    path = write_run(tmp_path / "a", steps=2)
    with loaded(tmp_path, **POLLING) as store:
        append(path, scalar_bytes(LOSS, [(2, 2.0)]))
        write_run(tmp_path / "b", steps=1)
        wait_until(store, lambda: has_steps(store, [0, 1, 2]) and has_steps(store, [0], B))
        shutil.rmtree(tmp_path / "b")
        wait_until(store, lambda: list(store.tags()) == ["a"])
        # While the watch is started again, there is no problem for a moment.
        wanted = f"changes are found by polling every 0.05 s (no events here): '{tmp_path}'"
        wait_until(store, lambda: [problem.message for problem in store.problems()] == [wanted])


def make_unprintable(folder: Path, *, is_folder: bool) -> None:
    """Creates something with a name that is not UTF-8 and that is not an event file."""
    name = os.fsencode(folder) + b"/caf\xe9"
    os.mkdir(name) if is_folder else os.close(os.open(name, os.O_CREAT))  # noqa: PTH102


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_name_that_is_not_utf8_does_not_stop_following(
    tmp_path: Path, is_folder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seamark.store.discover.watch.RETRY_SECS", 300.0)  # the problem lasts until the end of the test
    path = write_run(tmp_path / "a", steps=2)
    with loaded(tmp_path, **POLLING) as store:
        append(path, scalar_bytes(LOSS, [(2, 2.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1, 2]))
        make_unprintable(tmp_path / "a", is_folder=is_folder)
        wait_until(store, lambda: store._pipeline.follower._tree.failure is not None)
        append(path, scalar_bytes(LOSS, [(3, 3.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1, 2, 3]))
        (problem,) = store.problems()
        assert "changes are found by polling every 0.05 s" in problem.message
        write_run(Path(os.fsdecode(os.fsencode(tmp_path) + b"/run\xe9")), steps=1)
        wait_until(store, lambda: "run\\xe9" in store.tags())


def test_file_events_are_used_again_after_they_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.store.discover.watch.RETRY_SECS", 0.05)
    path = write_run(tmp_path / "a", steps=1)
    with loaded(tmp_path, **FOLLOWING) as store:
        append(path, scalar_bytes(LOSS, [(1, 1.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1]))
        make_unprintable(tmp_path, is_folder=False)
        wait_until(store, lambda: store._pipeline.follower._tree._failures > 0 and store.problems() == [])
        for step in range(2, 6):  # one of them may be found by the look after the failure, not all
            append(path, scalar_bytes(LOSS, [(step, float(step))]))
            wait_until(store, lambda step=step: has_steps(store, list(range(step + 1))))  # type: ignore[misc]


def test_following_continues_after_an_unexpected_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_run(tmp_path / "a", steps=1)
    with loaded(tmp_path, **POLLING) as store:
        with monkeypatch.context() as broken:
            broken.setattr(
                "seamark.store.discover.follow.discover", lambda *_: (_ for _ in ()).throw(RuntimeError("broken"))
            )
            wait_until(store, lambda: any("looking for them failed" in found.message for found in store.problems()))
        append(path, scalar_bytes(LOSS, [(1, 1.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1]) and store.problems() == [])


def test_a_network_disk_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.store.discover.follow.is_on_network", lambda path: True)
    path = write_run(tmp_path / "a", steps=2)
    with loaded(tmp_path, **POLLING) as store:
        append(path, scalar_bytes(LOSS, [(2, 2.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1, 2]))
        assert store.problems() == []


def test_close_does_not_wait_for_the_next_poll_and_releases_waiting_subscribers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seamark.store.discover.follow.MAX_WAIT_SECS", 3600.0)
    write_run(tmp_path / "a")
    store = Store([LogRoot("", tmp_path)], index_dir=None, **FOLLOWING)
    store.start()
    assert store.wait_loaded(TIMEOUT_SECS)
    changes = store.subscribe()

    def take_all() -> None:
        while changes.get(3600.0) is not None:
            pass

    threads = [threading.Thread(target=act, daemon=True) for act in (take_all, store.close)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_SECS)
    assert not any(thread.is_alive() for thread in threads)


def test_a_log_directory_behind_a_link_is_followed(tmp_path: Path) -> None:
    path = write_run(tmp_path / "real" / "a", steps=2)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with loaded(tmp_path / "link", **FOLLOWING) as store:
        append(path, scalar_bytes(LOSS, [(2, 2.0)]))
        write_run(tmp_path / "real" / "b", steps=1)
        wait_until(store, lambda: has_steps(store, [0, 1, 2]) and has_steps(store, [0], B))


def test_a_run_behind_a_link_is_followed(tmp_path: Path) -> None:
    path = write_run(tmp_path / "elsewhere", steps=2)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a").symlink_to(tmp_path / "elsewhere")
    with loaded(tmp_path / "logs", **FOLLOWING) as store:
        append(path, scalar_bytes(LOSS, [(2, 2.0)]))
        wait_until(store, lambda: has_steps(store, [0, 1, 2]))


def test_a_file_written_in_small_pieces_is_followed_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a" / EVENTS
    data = file_start() + scalar_bytes(LOSS, curve(0, 40))
    with loaded(tmp_path, **FOLLOWING) as store:
        for start in range(0, len(data), 7):
            append(path, data[start : start + 7])
        wait_until(store, lambda: has_steps(store, list(range(40))))
        assert store.problems() == []
