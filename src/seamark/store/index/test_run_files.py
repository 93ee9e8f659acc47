"""Tests of the parsed files of run folders that the index caches."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from seamark.format.types import RunName
from seamark.store import CachedRunFile, RunFileIdentity
from seamark.store.index import run_files
from seamark.store.test_support import A, B, loaded, write_run

Cached = Mapping[RunName, Mapping[str, CachedRunFile]]


def parsed(text: str, *, mtime_ns: int = 1) -> CachedRunFile:
    return CachedRunFile(RunFileIdentity(mtime_ns, len(text), 7), text.encode())


def cached_by(logs: Path, index_dir: Path | None, files: Cached) -> Cached:
    """Returns the files that a second store finds after `files` were cached by a first one."""
    with loaded(logs, index_dir=index_dir) as store:
        store.cache_run_files(files)
    with loaded(logs, index_dir=index_dir) as store:
        return store.cached_run_files()


@pytest.fixture
def two_runs(tmp_path: Path) -> Path:
    write_run(tmp_path / "logs" / "a")
    write_run(tmp_path / "logs" / "b")
    return tmp_path / "logs"


def test_cached_files_survive_a_restart(two_runs: Path, index_dir: Path) -> None:
    files = {A: {"run.json": parsed("one"), "config.yaml": parsed("two")}, B: {"run.json": parsed("three")}}
    assert cached_by(two_runs, index_dir, files) == files
    with loaded(two_runs, index_dir=index_dir) as store:
        assert store.cached_run_files([B, RunName("unknown")]) == {B: files[B]}


def test_a_later_call_replaces_all_files_of_its_runs(two_runs: Path, index_dir: Path) -> None:
    cached_by(two_runs, index_dir, {A: {"run.json": parsed("one")}, B: {"run.json": parsed("two")}})
    later = {A: {"config.yaml": parsed("three")}, B: {}}
    assert cached_by(two_runs, index_dir, later) == {A: later[A]}


def test_many_runs_are_read_in_one_scan(two_runs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "MAX_SINGLE_QUERIES", 0)
    files = {A: {"run.json": parsed("one")}, B: {"run.json": parsed("two")}}
    assert cached_by(two_runs, index_dir, files) == files
    with loaded(two_runs, index_dir=index_dir) as store:
        assert store.cached_run_files([A]) == {A: files[A]}


def test_without_an_index_nothing_is_cached(two_runs: Path) -> None:
    assert cached_by(two_runs, None, {A: {"run.json": parsed("one")}}) == {}


def test_a_second_process_reads_but_does_not_write(two_runs: Path, index_dir: Path) -> None:
    files = {A: {"run.json": parsed("one")}}
    assert cached_by(two_runs, index_dir, files) == files
    with loaded(two_runs, index_dir=index_dir), loaded(two_runs, index_dir=index_dir) as guest:
        guest.cache_run_files({A: {"run.json": parsed("two")}})
        assert guest.cached_run_files() == files


def test_a_file_changed_a_moment_ago_is_not_cached(
    two_runs: Path, index_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seamark.store.ask.run_files.RACY_NS", 3600 * 10**9)
    fresh = parsed("fresh", mtime_ns=time.time_ns())
    files = {A: {"run.json": fresh, "config.yaml": parsed("old")}}
    assert cached_by(two_runs, index_dir, files) == {A: {"config.yaml": parsed("old")}}


def test_files_of_a_removed_folder_are_deleted_at_the_next_start(two_runs: Path, index_dir: Path) -> None:
    cached_by(two_runs, index_dir, {A: {"run.json": parsed("one")}, B: {"run.json": parsed("two")}})
    (two_runs / "b").rename(two_runs.parent / "elsewhere")
    with loaded(two_runs, index_dir=index_dir):
        pass
    (two_runs.parent / "elsewhere").rename(two_runs / "b")
    with loaded(two_runs, index_dir=index_dir) as store:
        assert list(store.cached_run_files()) == [A]


def test_an_index_without_the_table_gets_it(two_runs: Path, index_dir: Path) -> None:
    cached_by(two_runs, index_dir, {})
    (catalogue,) = index_dir.glob("*/catalogue.sqlite")
    execute(catalogue, "DROP TABLE run_files")
    files = {A: {"run.json": parsed("one")}}
    assert cached_by(two_runs, index_dir, files) == files


def test_a_damaged_table_is_logged_and_read_as_empty(
    two_runs: Path, index_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cached_by(two_runs, index_dir, {A: {"run.json": parsed("one")}})
    (catalogue,) = index_dir.glob("*/catalogue.sqlite")
    with loaded(two_runs, index_dir=index_dir) as store:
        execute(catalogue, "DROP TABLE run_files")
        assert store.cached_run_files() == {}
    assert "the cached run files cannot be read" in caplog.text


def test_folder_names_need_not_be_utf8(tmp_path: Path, index_dir: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path / "logs") + b"/bad-\xff"))
    write_run(folder)
    with loaded(tmp_path / "logs", index_dir=index_dir) as store:
        (run,) = store.run_names()
    files = {run: {"run.json": parsed("one")}}
    assert cached_by(tmp_path / "logs", index_dir, files) == files


def execute(catalogue: Path, statement: str) -> None:
    db = sqlite3.connect(catalogue)
    db.execute(statement)
    db.commit()
    db.close()
