"""list_folder: what a folder has, and whether it is listed again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.plugin.folder_listing import FolderEntry, list_folder

LONG_AGO = 1_700_000_000


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    seen: list[str] = []
    scandir = os.scandir

    def counted(path: str) -> Iterator[os.DirEntry[str]]:
        seen.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counted)
    yield seen


def test_entries_are_sorted_and_have_their_types(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "c.txt").touch()
    (tmp_path / "a").symlink_to(tmp_path / "b")
    os.mkfifo(tmp_path / "d")
    found = list_folder(str(tmp_path))
    assert found == (("a", "link"), ("b", "folder"), ("c.txt", "file"), ("d", "other"))


def test_a_folder_is_listed_again_only_after_a_change(tmp_path: Path, scans: list[str]) -> None:
    (tmp_path / "first").touch()
    os.utime(tmp_path, (LONG_AGO, LONG_AGO))
    assert list_folder(str(tmp_path)) == list_folder(str(tmp_path)) == (FolderEntry("first", "file"),)
    assert scans == [str(tmp_path)]
    (tmp_path / "second").touch()
    os.utime(tmp_path, (LONG_AGO + 1, LONG_AGO + 1))
    assert [entry.name for entry in list_folder(str(tmp_path))] == ["first", "second"]


def test_a_folder_that_has_just_changed_is_listed_every_time(tmp_path: Path, scans: list[str]) -> None:
    list_folder(str(tmp_path))
    list_folder(str(tmp_path))
    assert len(scans) == 2


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list_folder(str(tmp_path / "none"))
