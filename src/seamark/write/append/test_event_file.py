"""The content of event files."""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from pathlib import Path

import pytest

from seamark import _core
from seamark.write.append.event_file import EventFile


def scanned(path: Path) -> _core.Scanner:
    scanner = _core.Scanner()
    data = path.read_bytes()
    assert scanner.scan(data, 0).consumed == len(data)
    assert scanner.problem_count == 0
    return scanner


def test_a_new_file_is_a_whole_event_file_at_once(tmp_path: Path) -> None:
    with EventFile(tmp_path / "a" / "run", wall_time=1700000000.5) as file:
        assert re.fullmatch(r"events\.out\.tfevents\.1700000000\..+\.\d+\.\d+", file.path.name)
        assert scanned(file.path).file_version == b"brain.Event:2"


def test_scalars_are_there_once_flushed(tmp_path: Path) -> None:
    with EventFile(tmp_path) as file:
        file.add_scalar("train/loss", 0.5, 3, wall_time=10.0)
        file.add_scalar("Größe", 2.0, 4, wall_time=11.0)
        file.flush()
        scanner = scanned(file.path)
    assert [tag.decode() for tag, _, _ in scanner.series()] == ["train/loss", "Größe"]
    stripe = _core.Stripe(scanner.take_stripe())
    steps, walls, values = stripe.scalars()
    assert (steps.tolist(), walls.tolist(), values.tolist()) == ([3, 4], [10.0, 11.0], [0.5, 2.0])


@pytest.mark.parametrize(("code", "is_removed"), [(errno.ESTALE, True), (errno.EIO, None)])
def test_a_file_that_another_machine_removed_is_removed(
    code: int, is_removed: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on NFS, where the handle of such a file is stale."""

    def fstat(descriptor: int) -> os.stat_result:
        raise OSError(code, os.strerror(code))

    found: bool | None = None
    with EventFile(tmp_path) as file, suppress(OSError), monkeypatch.context() as patch:
        patch.setattr(os, "fstat", fstat)
        found = file.is_removed()
    assert found is is_removed


def test_two_files_of_one_second_have_two_names_in_order(tmp_path: Path) -> None:
    files = [EventFile(tmp_path, wall_time=5.0) for _ in range(2)]
    for file in files:
        file.close()
    assert sorted(file.path.name for file in files) == [file.path.name for file in files]
    with pytest.raises(ValueError, match="closed"):
        files[0].append(b"late")
