from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from seamark import _core
from seamark.cli import main
from seamark.store import LogRoot, Store


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """Three runs of 1,000 points each."""
    folder = tmp_path / "logs"
    steps = np.arange(1000, dtype=np.int64)
    events = _core.encode_scalars([b"loss"], np.zeros(1000, np.uint32), steps, steps.astype(np.float64), steps / 2)
    for run in ("a", "b", "c"):
        (folder / run).mkdir(parents=True)
        (folder / run / "events.out.tfevents.1.host").write_bytes(_core.encode_file_version(0.0) + events)
    return folder


@pytest.fixture
def index_dir(tmp_path: Path) -> Path:
    return tmp_path / "index"


def index(logdir: Path, index_dir: Path, *options: str) -> int:
    return main(["index", "--logdir", str(logdir), "--index_dir", str(index_dir), *options])


def test_building_says_how_much_there_was(logdir: Path, index_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = sum(path.stat().st_size for path in logdir.rglob("*tfevents*"))
    assert index(logdir, index_dir) == 0
    captured = capsys.readouterr()
    assert re.match(rf"3 files, {size:,} bytes, 3,000 points, 0 payloads in \d+\.\d s: '", captured.out)
    assert captured.err == ""


def test_a_store_finds_everything_in_the_index(logdir: Path, index_dir: Path) -> None:
    index(logdir, index_dir)
    # What the index holds must not need the event files again: with other content of the same size they would differ.
    store = Store([LogRoot("", logdir)], index_dir=index_dir, follow=False)
    store.start()
    assert store.wait_loaded(30)
    assert [(info.name, info.points) for info in store.runs()] == [("a", 1000), ("b", 1000), ("c", 1000)]
    store.close()


def test_clearing_deletes_the_index_of_this_log_directory_only(
    logdir: Path, index_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index(logdir, index_dir)
    index(logdir / "a", index_dir)
    assert len(list(index_dir.iterdir())) == 2
    capsys.readouterr()
    assert index(logdir, index_dir, "--clear") == 0
    assert capsys.readouterr().out == f"index cleared: '{logdir}'\n"
    assert len(list(index_dir.iterdir())) == 1
    assert index(logdir, index_dir, "--clear") == 0
    assert capsys.readouterr().out == f"no index to clear: '{logdir}'\n"


def test_an_index_in_use_is_not_cleared(logdir: Path, index_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store([LogRoot("", logdir)], index_dir=index_dir, follow=False)
    store.start()
    assert store.wait_loaded(30)
    assert index(logdir, index_dir, "--clear") == 2
    assert "another process uses this index" in capsys.readouterr().err
    store.close()


def test_an_index_that_cannot_be_written_is_a_failure(
    logdir: Path, index_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index_dir.write_text("a file in the way")
    assert index(logdir, index_dir) == 1
    [logged] = capsys.readouterr().err.splitlines()
    assert logged.startswith("seamark: WARNING: ")


def test_no_index_and_no_folder_are_refused(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "--logdir", str(logdir), "--index_dir=none"]) == 2
    assert "nothing to build" in capsys.readouterr().err
    assert main(["index", "--logdir", str(logdir / "gone")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"seamark index: no such log directory: '{logdir / 'gone'}'\n"
