"""Files that are replaced as a whole."""

from __future__ import annotations

import errno
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.format.replace_file import replace_file


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_is_created_and_replaced(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "note.json"
    for data in (b"first", b"second, and longer", b""):
        replace_file(path, data, durable=durable)
        assert path.read_bytes() == data
    assert [path.name for path in tmp_path.iterdir()] == ["note.json"]


def test_an_error_leaves_the_old_content_and_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    (path / "inside").touch()
    with pytest.raises(OSError):  # a folder with files cannot be replaced by a file
        replace_file(path, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.fixture
def tiny_files() -> Iterator[None]:
    """No file of this process may grow beyond 100 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("tiny_files")
def test_a_write_that_fails_leaves_the_old_content_and_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "note.json"
    replace_file(path, b"old")
    with pytest.raises(OSError) as caught:
        replace_file(path, bytes(1000))
    assert caught.value.errno == errno.EFBIG
    assert path.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["note.json"]
