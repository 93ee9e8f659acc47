"""Opening profiles: read once, then from the cache; changed files, full disks and failures."""

from __future__ import annotations

import errno
import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from seamark.format import cache_folder
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.arguments import read_arguments
from seamark.profiles.cache import opening, trace_file
from seamark.profiles.cache.opening import FOLDER, ProfileOpener
from seamark.profiles.form import ProfileError, Trace
from seamark.profiles.readers import any_file
from seamark.profiles.readers.any_file import NO_ARGUMENTS
from seamark.profiles.results import Steps
from seamark.profiles.testing_events import Event, json_of, slice_event, step_event


def some_events(count: int = 40) -> list[Event]:
    arguments = {"args": {"External id": 5, "correlation": 0.5, "shape": [2]}}
    events = [slice_event(f"op {number % 7}", number * 100, 90) | arguments for number in range(count)]
    events += [slice_event("inner", number * 100 + 10, 20) for number in range(count)]
    events.append({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 1, "args": {"Bytes": 7}})
    events.append({"ph": "C", "name": "queue", "pid": 1, "ts": 1, "args": {"value": 2}})
    return events


@pytest.fixture(params=["plain", "gzip"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    text = json_of(some_events(), {"schemaVersion": 1})
    path = tmp_path / ("a.pt.trace.json" if request.param == "plain" else "a.pt.trace.json.gz")
    path.write_bytes(text if request.param == "plain" else gzip.compress(text))
    return path


def assert_same(first: Trace, second: Trace) -> None:
    for name in ("start", "duration", "self_time", "name", "parent", "argument_size", "row_start", "instant_time"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
    assert [level.tolist() for level in first.longest] == [level.tolist() for level in second.longest]
    for name, field in first.fields.items():
        assert np.array_equal(field.indices, second.fields[name].indices), name
        assert np.array_equal(field.values, second.fields[name].values), name
    assert (first.tracks, first.names, first.counters) == (second.tracks, second.names, second.counters)
    assert (first.metadata, first.problems, first.origin_ns) == (second.metadata, second.problems, second.origin_ns)


def test_the_second_time_a_trace_comes_from_the_cache(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ProfileOpener(tmp_path / "cache").open(path)
    assert first.trace.slices == 80 and isinstance(first.trace.start, np.memmap)
    monkeypatch.setattr(opening, "read_file", None)
    second = ProfileOpener(tmp_path / "cache").open(path)
    assert_same(first.trace, second.trace)
    expected = {"External id": 5, "correlation": 0.5, "shape": [2]}
    assert read_arguments(first, [0]) == read_arguments(second, [0]) == [expected]


def test_without_a_cache_a_trace_is_in_a_temporary_file(path: Path, tmp_path: Path) -> None:
    opener = ProfileOpener(None)
    assert isinstance(opener.open(path).trace.start, np.memmap)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_with_another_time_is_read_again(path: Path, tmp_path: Path) -> None:
    opener = ProfileOpener(tmp_path / "cache")
    opener.open(path)
    path.write_bytes(json_of([slice_event("new", 0, 1)]))
    assert opener.open(path).trace.slices == 1


def test_a_damaged_cache_is_ignored(path: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    ProfileOpener(cache).open(path)
    (stored,) = (cache / FOLDER).glob("*.trace")
    for content in (b"", b"x" * 100, stored.read_bytes()[:-10]):
        stored.unlink()
        stored.write_bytes(content)
        assert ProfileOpener(cache).open(path).trace.slices == 80


def test_copies_that_were_removed_are_made_again(path: Path, tmp_path: Path) -> None:
    ProfileOpener(tmp_path / "cache").open(path)
    for copies in (tmp_path / "cache" / FOLDER).glob("*.args"):
        copies.unlink()
    assert read_arguments(ProfileOpener(tmp_path / "cache").open(path), [0])[0]["shape"] == [2]


def test_the_state_says_how_far_the_reading_is(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    has_begun, may_end = threading.Event(), threading.Event()
    read_file = any_file.read_file

    def slow(path: Path, copies: Path, progress: Any) -> Any:
        progress(10)
        has_begun.set()
        may_end.wait()
        return read_file(path, copies, progress)

    monkeypatch.setattr(opening, "read_file", slow)
    opener = ProfileOpener(tmp_path / "cache")
    size = path.stat().st_size
    assert opener.state(path).state == "reading"
    has_begun.wait()
    assert opener.state(path) == ("reading", 10, size, "")
    may_end.set()
    opener.open(path)
    assert opener.state(path) == ("ready", size, size, "")


def test_what_cannot_be_read_fails_with_a_sentence_and_may_be_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "a.trace.json"
    path.write_bytes(b"hello")
    opener = ProfileOpener(None)
    with pytest.raises(ProfileError, match="this is not JSON"):
        opener.open(path)
    opener.state(path)
    for thread in threading.enumerate():
        if thread.name == "seamark-profile-read":
            thread.join()
    state = opener.state(path)
    assert (state.state, state.problem) == ("failed", "this is not JSON")
    path.write_bytes(b"[]")
    assert opener.open(path).trace.slices == 0


def test_a_file_that_is_replaced_while_it_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_file = any_file.read_file

    def replace(path: Path, copies: Path, progress: Any) -> Any:
        found = read_file(path, copies, progress)
        path.write_bytes(json_of(some_events(3)))
        return found

    monkeypatch.setattr(opening, "read_file", replace)
    with pytest.raises(ProfileError, match="the file changed while it was read"):
        ProfileOpener(None).open(path)


def test_arguments_of_a_file_that_was_cut_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json_of(some_events()))
    profile = ProfileOpener(None).open(path)
    os.truncate(path, 100)
    with pytest.raises(ProfileError, match="the file changed since it was read"):
        read_arguments(profile, [0])


class _FullDisk:
    """A file whose disk is full after some bytes."""

    def __init__(self, file: IO[bytes], left: int) -> None:
        self._file, self._left = file, left

    def write(self, data: Any) -> int:
        self._left -= memoryview(data).nbytes
        if self._left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize("left", [0, 100, 1000, 3000])
def test_a_full_disk_leaves_the_trace_in_memory(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int, caplog: pytest.LogCaptureFixture
) -> None:
    expected = ProfileOpener(None).open(path).trace

    @contextmanager
    def replacing(target: Path) -> Iterator[Any]:
        with cache_folder.replacing(target) as file:
            yield _FullDisk(file, left)

    monkeypatch.setattr(trace_file, "replacing", replacing)
    profile = ProfileOpener(tmp_path / "cache").open(path)
    assert_same(expected, profile.trace)
    assert read_arguments(profile, [0])[0]["shape"] == [2]
    assert "a trace is not cached (No space left on device)" in caplog.text
    assert not list((tmp_path / "cache" / FOLDER).glob("*.trace"))


def test_a_cache_that_cannot_be_written(path: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    profile = ProfileOpener(tmp_path / "cache").open(path)
    assert profile.trace.slices == 80
    if path.suffix == ".gz":
        assert profile.trace.problems == (NO_ARGUMENTS,) and read_arguments(profile, [0]) == [{}]
    else:
        assert read_arguments(profile, [0])[0]["shape"] == [2]


def test_the_least_used_traces_are_removed(tmp_path: Path) -> None:
    opener = ProfileOpener(tmp_path / "cache", max_bytes=1)
    for name in ("a", "b"):
        path = tmp_path / f"{name}.json"
        path.write_bytes(json_of(some_events()))
        assert opener.open(path).trace.slices == 80
    assert not list((tmp_path / "cache" / FOLDER).glob("*.trace"))


def test_results_are_stored_beside_the_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pt.trace.json"
    path.write_bytes(json_of([step_event(n, n * 100, 100) for n in range(3)]))
    cache = tmp_path / "cache"
    first = ProfileOpener(cache).open(path)
    steps, overview = first.get(find_steps), first.get(find_overview)
    again = ProfileOpener(cache).open(path)
    monkeypatch.setattr(again, "trace", None)  # computing would fail
    assert again.get(find_steps) == steps and again.get(find_overview) == overview
    drawn = Steps(steps=[], source="drawn", text="")
    assert ProfileOpener(cache).open(path, drawn_steps=drawn).get(find_steps) == drawn
    for stored in (cache / "profiles").glob("*.result"):
        stored.write_bytes(b"{")
    assert ProfileOpener(cache).open(path).get(find_overview) == overview, "a damaged result is computed again"
