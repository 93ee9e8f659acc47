"""Tests of reading files in parallel."""

import threading
from pathlib import Path
from typing import Any

import pytest

from seamark.store import LogRoot, Store
from seamark.store.read.event_file import EventFile, Outcome, Visit
from seamark.store.test_support import EVENTS, TIMEOUT_SECS, A, B, loaded, steps_of, write_run


@pytest.mark.timed
def test_close_does_not_wait_for_a_blocked_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path / "a")
    is_begun, may_end = threading.Event(), threading.Event()

    def hang(*_: object, **__: object) -> Visit:
        is_begun.set()
        may_end.wait(TIMEOUT_SECS)
        return Visit(Outcome.GONE)

    monkeypatch.setattr(EventFile, "visit", hang)
    monkeypatch.setattr("seamark.store.read.loader.CLOSE_SECS", 0.05)
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False, workers=1)
    store.start()
    assert is_begun.wait(TIMEOUT_SECS)
    store.close()
    assert any(thread.is_alive() for thread in store._pipeline.loader._threads), "it was not waited for"
    may_end.set()
    for thread in store._pipeline.loader._threads:
        thread.join(TIMEOUT_SECS)


def test_a_defect_of_our_own_is_logged_and_not_reported_as_a_bad_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write_run(tmp_path / "a")
    write_run(tmp_path / "b")
    visit = EventFile.visit

    def fail_for_a(file: EventFile, *args: Any, **options: Any) -> Visit:
        if file.run.name == A:
            raise IndexError("our own mistake")
        return visit(file, *args, **options)

    monkeypatch.setattr(EventFile, "visit", fail_for_a)
    with loaded(tmp_path) as store:
        (problem,) = store.problems()
        assert "a defect of Seamark" in problem.message and "IndexError: our own mistake" in problem.message
        assert problem.path == str(tmp_path / "a" / EVENTS)
        assert steps_of(store, B) == list(range(10)), "other files are read"
    (record,) = [record for record in caplog.records if record.name == "seamark.store.read.loader"]
    assert record.exc_info is not None and EVENTS in record.getMessage()
