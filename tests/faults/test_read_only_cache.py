"""An index that may not be written: used when it is there, done without when it is not."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import logs
from .conftest import Nursery

NOBODY = 65_534


@pytest.fixture
def shared_dir() -> Iterator[Path]:
    """A folder another user can look into; pytest's own are private."""
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
    """Root ignores permissions, so root's children become somebody else."""
    return NOBODY if os.getuid() == 0 else None


def test_without_an_index_all_is_kept_in_memory(shared_dir: Path, nursery: Nursery) -> None:
    logs.write(shared_dir / "logs", "run", logs.small_log(5).data)
    (shared_dir / "index").mkdir()
    lock(shared_dir / "index")
    child = nursery.child(shared_dir / "logs", shared_dir / "index", follow=False, user=unprivileged())
    shown, problems = child.answer()
    assert shown == logs.rebuilt(shared_dir / "logs")
    assert [severity for severity, _ in problems] == ["warning"]
    assert list((shared_dir / "index").iterdir()) == []


def test_an_old_index_is_still_right_when_the_logs_have_grown(shared_dir: Path, nursery: Nursery) -> None:
    path = logs.write(shared_dir / "logs", "run", logs.small_log(5).data)
    logs.open_store(shared_dir / "logs", shared_dir / "index").close()
    lock(shared_dir / "index")
    with path.open("ab") as file:
        file.write(logs.points("loss", 5, 1000))
    child = nursery.child(shared_dir / "logs", shared_dir / "index", follow=False, user=unprivileged())
    shown, problems = child.answer()
    assert shown == logs.rebuilt(shared_dir / "logs")
    assert [severity for severity, _ in problems] == ["warning"]


def test_a_file_in_the_place_of_the_index_is_left_alone(tmp_path: Path, nursery: Nursery) -> None:
    logs.write(tmp_path / "logs", "run", logs.small_log(5).data)
    (tmp_path / "index").write_text("something of the user's")
    shown, problems = nursery.child(tmp_path / "logs", tmp_path / "index", follow=False).answer()
    assert shown == logs.rebuilt(tmp_path / "logs")
    assert [severity for severity, _ in problems] == ["warning"]
    assert (tmp_path / "index").read_text() == "something of the user's"
