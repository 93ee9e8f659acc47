"""Tests of reading files in parallel."""

import threading
from pathlib import Path

import pytest

from seamark.store import LogRoot, Store
from seamark.store.event_file import EventFile, Outcome, Visit
from seamark.store.test_support import TIMEOUT_SECS, write_run


def test_closing_does_not_wait_for_a_file_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path / "a")
    is_begun, may_end = threading.Event(), threading.Event()

    def hang(*_: object, **__: object) -> Visit:
        is_begun.set()
        may_end.wait(TIMEOUT_SECS)
        return Visit(Outcome.GONE)

    monkeypatch.setattr(EventFile, "visit", hang)
    monkeypatch.setattr("seamark.store.loader.CLOSE_SECS", 0.05)
    store = Store([LogRoot("", tmp_path)], index_dir=None, follow=False, workers=1)
    store.start()
    assert is_begun.wait(TIMEOUT_SECS)
    store.close()
    assert any(thread.is_alive() for thread in store._loader._threads), "it was not waited for"
    may_end.set()
    for thread in store._loader._threads:
        thread.join(TIMEOUT_SECS)
