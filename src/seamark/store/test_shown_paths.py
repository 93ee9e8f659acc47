"""What people see in place of paths: the label of a log directory, or the address of a bucket."""

from pathlib import Path

import numpy as np
import pytest

from seamark.format.types import Tag
from seamark.kinds import histogram
from seamark.kinds.summary import event_record
from seamark.store import LogRoot, PayloadGoneError, Store
from seamark.store.discover.test_walk import nested
from seamark.store.index.index import Index
from seamark.store.test_support import EVENTS, START_WALL, TIMEOUT_SECS, A, append, file_start, loaded, write_run

WEIGHTS = Tag("weights")


def labelled(logdir: Path) -> Store:
    return Store([LogRoot("", logdir, label="lab/vision")], index_dir=None, follow=False)


def test_a_run_has_its_path_or_the_label_of_its_root(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    with loaded(tmp_path) as store:
        assert [run.shown_path for run in store.runs()] == [f"{tmp_path}/a"]
    with labelled(tmp_path) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        assert [(run.path, run.shown_path) for run in store.runs()] == [(tmp_path / "a", "lab/vision/a")]


def test_the_run_of_a_bucket_has_its_address(tmp_path: Path) -> None:
    root = LogRoot("", tmp_path, "s3://bucket/prefix")
    assert root.shown_path("a/b") == "s3://bucket/prefix/a/b"
    assert (root.shown_path(""), LogRoot("", Path("/")).shown_path("a")) == ("s3://bucket/prefix", "/a")


def test_problems_name_the_label(tmp_path: Path) -> None:
    append(tmp_path / "logs" / "a" / EVENTS, file_start() + b"this is no record at all, and long enough to see")
    nested(tmp_path / "logs" / "deep", length=5000)
    with labelled(tmp_path / "logs") as store, labelled(tmp_path / "missing") as missing:
        assert store.wait_loaded(TIMEOUT_SECS)
        assert missing.wait_loaded(TIMEOUT_SECS)
        problems = [*store.problems(), *missing.problems()]
    assert len(problems) == 3
    for problem in problems:
        assert problem.path.startswith("lab/vision")
        assert f"'{problem.path}'" in problem.message
        assert str(tmp_path) not in problem.message


def test_a_payload_that_is_gone_names_the_label(tmp_path: Path) -> None:
    path = tmp_path / "a" / EVENTS
    value = histogram.encode(WEIGHTS, np.arange(9.0), buckets=3)
    append(path, file_start() + event_record(value, step=1, wall_time=START_WALL))
    with labelled(tmp_path) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        for damage in (lambda: path.write_bytes(b"x" * 500), path.unlink):
            damage()
            with pytest.raises(PayloadGoneError, match=f"'lab/vision/a/{EVENTS}'"):
                store.payload(A, WEIGHTS, "histograms", 0)


def test_an_index_that_cannot_be_written_names_the_label(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("in the way")
    index = Index(tmp_path / "index", tmp_path / "logs", label="lab/vision")
    index.open()
    assert index.problem is not None
    assert index.problem.path == "lab/vision"
    assert str(tmp_path) not in index.problem.message
