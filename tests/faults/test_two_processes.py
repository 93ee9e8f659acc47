"""Several stores on one index at once: each shows everything, and the index stays intact."""

from __future__ import annotations

from pathlib import Path

from . import logs
from .conftest import StoreForker


def write_logs(logdir: Path) -> None:
    for number in range(12):
        logs.write(logdir, f"run-{number}", logs.small_log(3).data + logs.points("loss", 3, 2000))


def test_processes_that_start_together_show_the_same(tmp_path: Path, store_forker: StoreForker) -> None:
    logdir, index_dir = tmp_path / "logs", tmp_path / "index"
    write_logs(logdir)
    wanted = logs.rebuilt(logdir)
    children = [store_forker.child(logdir, index_dir, follow=False) for _ in range(3)]
    for child in children:
        shown, _ = child.result()
        assert shown == wanted
    assert logs.reopened(logdir, index_dir) == wanted


def test_a_store_starts_while_another_follows_and_is_killed(tmp_path: Path, store_forker: StoreForker) -> None:
    logdir, index_dir = tmp_path / "logs", tmp_path / "index"
    write_logs(logdir)
    for round_number in range(5):
        follower = store_forker.child(logdir, index_dir, follow=True)
        for number in range(12):
            with (logdir / f"run-{number}" / logs.FILE_NAME).open("ab") as file:
                file.write(logs.points("rate", 10 * round_number, 10))
        shown, _ = store_forker.child(logdir, index_dir, follow=False).result()
        wanted = logs.rebuilt(logdir)
        assert shown == wanted
        follower.kill()
        assert logs.reopened(logdir, index_dir) == wanted


def test_two_stores_in_one_process_follow_the_same_file(tmp_path: Path) -> None:
    path = logs.write(tmp_path / "logs", "run", logs.small_log(3).data)
    stores = [logs.open_store(tmp_path / "logs", tmp_path / "index", follow=True) for _ in range(2)]
    subscriptions = [store.subscribe() for store in stores]
    for first in range(3, 103, 10):
        with path.open("ab") as file:
            file.write(logs.points("loss", first, 10))
    for store, subscription in zip(stores, subscriptions, strict=True):
        while store.runs()[0].points < 106:
            assert subscription.get(30) is not None, "nothing new for half a minute"
    wanted = logs.rebuilt(tmp_path / "logs")
    assert [logs.dump(store) for store in stores] == [wanted, wanted]
    for store in stores:
        store.close()
    assert logs.reopened(tmp_path / "logs", tmp_path / "index") == wanted
