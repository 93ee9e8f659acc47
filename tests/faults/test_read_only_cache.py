"""A read-only index folder: an existing index is used, and without one everything stays in memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import logs
from .conftest import StoreForker

NOBODY = 65_534


@pytest.fixture
def shared_dir() -> Iterator[Path]:
    """A folder that other users can read; pytest's own are private."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        # Unprivileged users cannot delete from a read-only folder either.
        for path in [Path(folder), *Path(folder).rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)


def lock(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def unprivileged() -> int | None:
    """Returns the user id for children of root, who ignores permissions."""
    return NOBODY if os.getuid() == 0 else None


def test_without_an_index_everything_stays_in_memory(shared_dir: Path, store_forker: StoreForker) -> None:
    logs.write(shared_dir / "logs", "run", logs.small_log(5).data)
    (shared_dir / "index").mkdir()
    lock(shared_dir / "index")
    child = store_forker.child(shared_dir / "logs", shared_dir / "index", follow=False, user=unprivileged())
    shown, problems = child.result()
    assert shown == logs.rebuilt(shared_dir / "logs")
    assert [severity for severity, _ in problems] == ["warning"]
    assert list((shared_dir / "index").iterdir()) == []


def test_an_old_index_is_used_when_the_logs_have_grown(shared_dir: Path, store_forker: StoreForker) -> None:
    path = logs.write(shared_dir / "logs", "run", logs.small_log(5).data)
    logs.open_store(shared_dir / "logs", shared_dir / "index").close()
    lock(shared_dir / "index")
    with path.open("ab") as file:
        file.write(logs.points("loss", 5, 1000))
    child = store_forker.child(shared_dir / "logs", shared_dir / "index", follow=False, user=unprivileged())
    shown, problems = child.result()
    assert shown == logs.rebuilt(shared_dir / "logs")
    assert [severity for severity, _ in problems] == ["warning"]


def test_a_file_at_the_path_of_the_index_is_not_changed(tmp_path: Path, store_forker: StoreForker) -> None:
    logs.write(tmp_path / "logs", "run", logs.small_log(5).data)
    (tmp_path / "index").write_text("something of the user's")
    shown, problems = store_forker.child(tmp_path / "logs", tmp_path / "index", follow=False).result()
    assert shown == logs.rebuilt(tmp_path / "logs")
    assert [severity for severity, _ in problems] == ["warning"]
    assert (tmp_path / "index").read_text() == "something of the user's"
