"""`seamark.open`: points, images and texts, and their conversion to other libraries."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import seamark
from seamark.kinds.payload import DecodeError
from seamark.read import Frame, MissingLibraryError, Runs, UnknownRunError
from seamark.read.frame import Coded, library
from seamark.store import UnknownSeriesError
from seamark.store.test_support import append, scalar_bytes, session_start, write_run

HOSTILE = "<script>alert(1)</script> 🌊"


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """Two runs that share a tag: one was restarted at step 1, the other also logs images and texts."""
    write_run(tmp_path / "a", steps=3)
    append(
        tmp_path / "a" / "events.out.tfevents.2",
        session_start(1) + scalar_bytes("loss", [(1, 8.0), (2, 9.0), (3, math.nan)]),
    )
    with seamark.SummaryWriter(str(tmp_path / HOSTILE)) as writer:
        writer.add_scalar("loss", 7.0, 0)
        writer.add_scalar("only/here", math.inf, 5)
        writer.add_image("picture", np.full((3, 4, 5), 0.5, np.float32), 1)
        writer.add_text("note", "# Heading\n\nand 🐟", 1)
        writer.add_histogram("weights", np.arange(10.0), 4)
    frames = seamark.summary.create_file_writer(str(tmp_path / HOSTILE))
    with frames.as_default():
        seamark.summary.image("batch", np.zeros((2, 4, 5, 3), np.uint8), step=2)
    frames.close()
    return tmp_path


def test_runs_are_indexed_by_name_number_and_slice(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        assert runs.names == ["a", HOSTILE]
        assert len(runs) == 2 and HOSTILE in runs and runs["a"] in runs
        assert runs["a"] == runs[0] and runs[1:].names == [HOSTILE]
        assert runs.tags() == ["loss", "only/here"]
        assert runs["a"].tags() == ["loss"]
        assert runs["a"].path == logdir / "a"
        assert repr(runs) == f"<2 runs: a, {HOSTILE}>"


def test_scalars_of_all_runs_have_a_run_column(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        points = runs.scalars("loss")
        assert points.columns == ["run", "step", "wall_time", "value"]
        assert points["run"].tolist() == ["a"] * 4 + [HOSTILE]
        assert points.step.tolist() == [0, 1, 2, 3, 0]
        np.testing.assert_array_equal(points.value, [0.0, 8.0, 9.0, math.nan, 7.0])
        assert {name: part.rows for name, part in points.by_run()} == {"a": 4, HOSTILE: 1}


def test_all_attempts_have_an_attempt_column(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        for points in (runs["a"].scalars("loss", attempts="all"), runs.scalars("loss", attempts="all")):
            assert points.step[:6].tolist() == [0, 1, 2, 1, 2, 3]
            assert points["attempt"][:6].tolist() == [0, 0, 0, 1, 1, 1]


def test_scalars_of_all_tags_have_a_tag_column(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        points = runs.scalars()
        assert points.columns == ["tag", "run", "step", "wall_time", "value"]
        assert points["tag"].tolist() == ["loss"] * 5 + ["only/here"]
        parted = {name: part.value.tolist() for name, part in points.by_run()}
        assert parted[HOSTILE] == [7.0, math.inf]
        assert [name for name, _ in points.by_tag()] == ["loss", "only/here"]


def test_a_contiguous_series_is_not_copied(tmp_path: Path) -> None:
    write_run(tmp_path / "a", steps=100)
    with seamark.open(tmp_path, index_dir=None) as runs:
        first, second = runs["a"].scalars("loss"), runs["a"].scalars("loss")
        assert first.columns == ["step", "wall_time", "value"]
        assert np.shares_memory(first.value, second.value)
        with pytest.raises(ValueError, match="read-only"):
            first.value[0] = 1.0
    assert first.value[99] == 99.0  # still valid after closing


def test_libraries_share_the_memory(logdir: Path) -> None:
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    with seamark.open(logdir, index_dir=None) as runs:
        points = runs.scalars("loss")
        frame = points.pandas()
        assert np.shares_memory(frame["value"].to_numpy(), points.value)
        assert frame.groupby("run", observed=True)["value"].count().to_dict() == {"a": 3, HOSTILE: 1}
        assert points.polars()["value"].to_numpy().ctypes.data == points.value.ctypes.data
        assert points.arrow()["value"].chunk(0).buffers()[1].address == points.value.ctypes.data
        assert isinstance(frame, pd.DataFrame) and isinstance(points.arrow(), pa.Table)
        assert points.polars().schema["run"] == pl.Categorical
        assert points.polars()["run"].to_list() == points.arrow()["run"].to_pylist() == points["run"].tolist()
        changed = points.pandas(copy=True)
        changed.loc[0, "value"] = 5.0
        assert points.value[0] == 0.0


def test_absent_values_in_every_library() -> None:
    pytest.importorskip("pandas"), pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    table = Frame(
        {
            "run": Coded(["a", "b"], np.array([0, 1], np.int32)),
            "lr": [0.1, None],
            "mixed": [1.0, "big"],
            "flag": [True, None],
            "tags": [["x"], []],
            "empty": [None, None],
            "\ud800": ["\udc80", "fine"],
        }
    )
    assert table.pandas()["lr"].isna().tolist() == [False, True]
    assert table.pandas()["mixed"].tolist() == [1.0, "big"]
    for columns in (table.polars().to_dict(as_series=False), table.arrow().to_pydict()):
        assert columns["lr"] == [0.1, None] and columns["mixed"] == ["1.0", "big"]
        assert columns["flag"] == [True, None] and columns["tags"] == [["x"], []] and columns["empty"] == [None, None]
        assert columns["\\ud800"] == ["\\udc80", "fine"]


def test_an_empty_log_directory_has_no_runs_and_no_points(tmp_path: Path) -> None:
    with seamark.open(tmp_path) as runs:
        assert repr(runs) == "<no runs>" and runs.tags() == []
        assert runs.scalars().rows == 0
        assert list(runs.scalars().by_run()) == []
        with pytest.raises(UnknownSeriesError, match="no run here has scalars of 'loss'; there is none"):
            runs.scalars("loss")


def test_an_unknown_name_suggests_similar_ones(logdir: Path, tmp_path: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        with pytest.raises(UnknownSeriesError, match="did you mean 'loss'"):
            runs.scalars("los")
        with pytest.raises(UnknownRunError, match="no run called 'b'"):
            runs["b"]
        with pytest.raises(UnknownSeriesError, match="no run here has images of 'loss'"):
            runs.images("loss")
    with pytest.raises(FileNotFoundError, match="no such log directory"):
        seamark.open(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="this is a file"):
        seamark.open(logdir / "a" / "events.out.tfevents.2")


def test_payloads_are_read_on_access(logdir: Path) -> None:
    with seamark.open(logdir, index_dir=None) as runs:
        (picture,) = runs.images("picture")
        assert (picture.run, picture.tag, picture.step, len(picture)) == (HOSTILE, "picture", 1, 1)
        assert picture.pixels().shape == (4, 5, 3) and picture.pixels().dtype == np.uint8
        (batch,) = runs.images("batch")
        assert len(batch) == 2 and batch.pixels(1).max() == 0
        assert runs.texts("note")[0].text == "# Heading\n\nand 🐟"
        histogram = runs.histograms("weights")[0].value
        assert histogram.count.sum() == 10
        assert runs.texts("note").step.tolist() == [1]
        assert runs.texts("note").frame()["run"].tolist() == [HOSTILE]


def test_a_damaged_payload_raises_and_others_are_readable(tmp_path: Path) -> None:
    with seamark.SummaryWriter(str(tmp_path / "a")) as writer:
        writer.add_image("picture", np.zeros((3, 2, 2), np.float32), 1)
        writer.add_image("picture", np.zeros((3, 2, 2), np.float32), 2)
    with seamark.open(tmp_path, index_dir=None) as runs:
        first, second = runs.images("picture")
        object.__setattr__(first.value.images[0], "data", b"no picture")
        with pytest.raises(DecodeError, match=r"Pillow cannot read this image .* 'picture' at step 1 of run 'a'"):
            first.pixels()
        assert second.pixels().shape == (2, 2, 3)


def test_refresh_reads_new_events(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", steps=2)
    runs = seamark.open(tmp_path, index_dir=None)
    append(path, scalar_bytes("loss", [(2, 2.0)]))
    write_run(tmp_path / "b", steps=1)
    assert runs.names == ["a"]
    assert runs.refresh().names == ["a", "b"]
    assert runs["a"].scalars("loss").step.tolist() == [0, 1, 2]
    runs.close()


@pytest.mark.parametrize("index", ["none", "folder", "cache"])
def test_results_with_and_without_an_index_are_equal(
    index: str, logdir: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    place = {"none": None, "folder": cache / "own", "cache": "auto"}[index]
    if index == "cache":
        from seamark.cli import main

        assert main(["index", "--logdir", str(logdir)]) == 0
    for _ in range(2):
        with seamark.open(logdir, index_dir=place) as runs:
            np.testing.assert_array_equal(runs.scalars("loss").value, [0.0, 8.0, 9.0, math.nan, 7.0])
            np.testing.assert_array_equal(runs["a"].scalars("loss").value, [0.0, 8.0, 9.0, math.nan])
            assert runs.problems == []
            kept = runs["a"].scalars("loss")
        np.testing.assert_array_equal(kept.step, [0, 1, 2, 3])


def test_the_default_index_is_read_without_locking_it(
    logdir: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from seamark.cli import main
    from seamark.store import IndexLock, default_index_dir, index_path

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    assert main(["index", "--logdir", str(logdir)]) == 0
    index = index_path(default_index_dir(), logdir)
    write_run(logdir / "later", steps=3)
    before = sorted((path.name, path.stat().st_size) for path in index.rglob("*") if path.is_file())
    with seamark.open(logdir) as runs:
        assert runs["later"].scalars("loss").rows == 3 and runs.scalars("loss").rows == 8
        files = runs.store._pipeline.library.files()
        assert [file.run.name for file in files if all(part.in_memory for part in file.state.parts)] == ["later"]
        lock = IndexLock(index / "lock")
        assert lock.acquire()  # a server that starts now owns it
        lock.release()
    after = sorted((path.name, path.stat().st_size) for path in index.rglob("*") if path.is_file())
    assert [entry for entry in after if not entry[0].endswith(("-shm", "-wal"))] == before


def test_reading_without_an_index_creates_no_files(
    logdir: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    seamark.open(logdir).close()
    assert list(cache.iterdir()) == []


def test_a_missing_library_raises_with_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingLibraryError, match=r"this needs pyarrow, .*pip install 'seamark\[parquet\]'"):
        Frame({}).arrow()
    with pytest.raises(MissingLibraryError, match="pip install 'no_such_library'"):
        library("no_such_library")


@pytest.mark.timed
def test_open_does_not_keep_the_process_alive(logdir: Path) -> None:
    code = (
        "import sys, seamark\n"
        "assert 'numpy' not in sys.modules and 'seamark.store' not in sys.modules\n"
        f"runs = seamark.open({str(logdir)!r}, index_dir=None, follow=True)\n"
        "assert 'pandas' not in sys.modules and 'pyarrow' not in sys.modules\n"
        "print(len(runs))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_threads_end_when_the_last_runs_are_deleted(logdir: Path) -> None:
    import gc
    import threading

    others = set(threading.enumerate())  # of tests before this one

    def readers() -> list[str]:
        return [thread.name for thread in set(threading.enumerate()) - others if thread.name.startswith("seamark-")]

    runs: Runs | None = seamark.open(logdir, index_dir=None, follow=True)
    one = runs["a"]
    assert readers()
    del runs
    gc.collect()
    assert one.scalars("loss").rows == 4
    del one
    gc.collect()
    assert readers() == []
