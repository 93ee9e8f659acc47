"""Tests of where indexes are stored."""

from pathlib import Path

import pytest

from seamark.store import default_index_dir, index_path


def test_the_index_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_index_dir() == tmp_path / "seamark" / "index"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert default_index_dir() == Path.home() / ".cache" / "seamark" / "index"


def test_two_names_of_one_folder_share_an_index(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert index_path(tmp_path, tmp_path / "link") == index_path(tmp_path, tmp_path / "real")
    assert index_path(tmp_path, tmp_path / "real") != index_path(tmp_path, tmp_path)
