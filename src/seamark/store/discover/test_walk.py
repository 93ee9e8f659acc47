"""Tests of finding runs on disk."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seamark import _core
from seamark.store import LogRoot
from seamark.store.discover.roots import printable_path
from seamark.store.discover.walk import discover


def touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_every_folder_with_an_event_file_is_a_run(tmp_path: Path) -> None:
    touch(tmp_path / "events.out.tfevents.1")
    touch(tmp_path / "a" / "b" / "my-tfevents-file")
    touch(tmp_path / "a" / "checkpoint.pt")
    assert discover(tmp_path).runs == {"", "a/b"}


def test_an_empty_profile_file_makes_a_run_without_data(tmp_path: Path) -> None:
    touch(tmp_path / "a" / "host.profile-empty")
    found = discover(tmp_path)
    assert (found.runs, found.files) == ({"a"}, [])


def test_a_walk_may_be_limited_to_a_subfolder(tmp_path: Path) -> None:
    touch(tmp_path / "a" / "x" / "tfevents")
    touch(tmp_path / "b" / "tfevents")
    assert discover(tmp_path, "a").runs == {"a/x"}


def test_links_to_folders_are_followed_and_loops_end(tmp_path: Path) -> None:
    touch(tmp_path / "elsewhere" / "run" / "tfevents")
    logs = tmp_path / "logs"
    touch(logs / "a" / "tfevents")
    (logs / "linked").symlink_to(tmp_path / "elsewhere")
    (logs / "a" / "to_parent").symlink_to(logs)
    (logs / "a" / "to_itself").symlink_to(logs / "a")
    (logs / "to_far_above").symlink_to(tmp_path)
    (logs / "broken").symlink_to(tmp_path / "nowhere")
    assert discover(logs).runs == {"a", "linked/run"}


def test_two_folders_that_link_to_each_other_end(tmp_path: Path) -> None:
    touch(tmp_path / "a" / "tfevents")
    touch(tmp_path / "b" / "tfevents")
    (tmp_path / "a" / "other").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "other").symlink_to(tmp_path / "a")
    assert discover(tmp_path).runs == {"a", "b", "a/other", "b/other"}


def test_only_regular_files_count(tmp_path: Path) -> None:
    (tmp_path / "folder.tfevents").mkdir()
    os.mkfifo(tmp_path / "pipe.tfevents")
    assert discover(tmp_path).runs == set()


def test_an_unreadable_folder_is_reported_and_the_rest_is_found(tmp_path: Path) -> None:
    touch(tmp_path / "open" / "tfevents")
    # Not by its permissions: those who run tests as root may read everything.
    too_long = nested(tmp_path / "deep", length=5000)
    found = discover(tmp_path)
    assert found.runs == {"open"}
    ((folder, reason),) = found.unreadable.items()
    assert reason == "File name too long"
    assert folder.startswith("deep/")
    assert len(too_long) > len(f"{tmp_path}/{folder}") > 4000


def nested(top: Path, *, length: int) -> str:
    """Creates nested folders, down to a path that is too long for one system call."""
    top.mkdir()
    name = "x" * 200
    path = str(top)
    open_folder = os.open(top, os.O_RDONLY)
    while len(path) < length:
        os.mkdir(name, dir_fd=open_folder)
        below = os.open(name, os.O_RDONLY, dir_fd=open_folder)
        os.close(open_folder)
        open_folder = below
        path += f"/{name}"
    os.close(open_folder)
    return path


def test_a_folder_that_vanishes_during_the_walk_is_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "a" / "tfevents")
    (tmp_path / "gone").mkdir()
    real_walk = _core.walk

    def walk(root: str, start: str, **names: str) -> Any:
        found = real_walk(root, start, **names)
        (tmp_path / "gone").rmdir()
        return *found[:5], True

    monkeypatch.setattr(_core, "walk", once(walk, then=real_walk))
    found = discover(tmp_path)
    assert (found.runs, found.unreadable) == ({"a"}, {})


def once(first: Callable[..., Any], *, then: Callable[..., Any]) -> Callable[..., Any]:
    calls = iter([first])
    return lambda *args, **names: next(calls, then)(*args, **names)


def test_a_missing_root_differs_from_an_empty_one(tmp_path: Path) -> None:
    assert discover(tmp_path / "later").root_missing
    assert not discover(tmp_path).root_missing


def test_a_name_that_is_not_utf8_is_found_and_escaped(tmp_path: Path) -> None:
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/bad-\xff")
    touch(Path(folder) / "tfevents")
    (found,) = discover(tmp_path).files
    assert printable_path(found.folder) == "bad-\\xff"
    assert LogRoot("", tmp_path).run_name(found.folder).encode() == b"bad-\\xff"


def test_a_run_renamed_during_the_walk_is_found_under_its_new_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path / "old" / "tfevents")
    real_walk = _core.walk

    def walk(root: str, start: str, **names: str) -> Any:
        # Its parent was read before that, and it was gone when its turn came.
        (tmp_path / "old").rename(tmp_path / "new")
        return [], [], [], [], False, True

    monkeypatch.setattr(_core, "walk", once(walk, then=real_walk))
    assert discover(tmp_path).runs == {"new"}
