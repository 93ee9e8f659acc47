"""The index is a cache: whatever somebody does to its files, the event files are read instead."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from . import logs


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    os.truncate(path, 0)


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_last_byte(path: Path) -> None:
    os.truncate(path, max(0, path.stat().st_size - 1))


def fill_with_noise(path: Path) -> None:
    path.write_bytes(random.Random(5).randbytes(path.stat().st_size))


def turn_into_folder(path: Path) -> None:
    """Replaces a file by a folder."""
    path.unlink()
    path.mkdir()


DAMAGES = [delete, empty, cut_in_half, cut_last_byte, fill_with_noise, turn_into_folder]


def index_files(index_dir: Path) -> list[Path]:
    return sorted(path for path in index_dir.rglob("*") if path.is_file())


def healed(logdir: Path, index_dir: Path, wanted: logs.Dump) -> logs.Dump:
    """Returns a dump of a store once it has detected damage and reread the event files."""
    store = logs.open_store(logdir, index_dir, follow=True)
    subscription = store.subscribe()
    while (shown := logs.dump(store)) != wanted:
        if subscription.get(30) is None:
            break
    subscription.close()
    store.close()
    return shown


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_file_loses_no_data(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    logdir = tmp_path / "logs"
    for number in range(3):
        logs.write(logdir, f"run-{number}", logs.small_log(3).data + logs.points("loss", 3, 500))
    logs.open_store(logdir, tmp_path / "index").close()
    wanted = logs.rebuilt(logdir)
    for number in range(len(index_files(tmp_path / "index"))):
        index_dir = tmp_path / f"index-{number}"
        logs.open_store(logdir, index_dir).close()
        path = index_files(index_dir)[number]
        damage(path)
        assert healed(logdir, index_dir, wanted) == wanted, path.name
        assert logs.reopened(logdir, index_dir) == wanted, f"the second time: {path.name}"
