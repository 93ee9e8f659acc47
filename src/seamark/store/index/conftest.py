"""Fixtures of the tests of the index."""

from pathlib import Path
from typing import Any

import pytest

from seamark.store.index.test_dumps import settle
from seamark.store.read.event_file import EventFile
from seamark.store.test_store import write_histograms
from seamark.store.test_support import ACCURACY, EVENTS, LOSS, append, curve, scalar_bytes, session_start, write_run


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two runs with several files, a restart, payloads and a damaged record."""
    logs = tmp_path / "logs"
    write_run(logs / "a", steps=100, name="tfevents.1")
    append(logs / "a" / "tfevents.2", session_start(50))
    write_run(logs / "a", start=50, steps=100, name="tfevents.2")
    append(logs / "a" / "tfevents.2", scalar_bytes(ACCURACY, curve(0, 10)))
    append(logs / "a" / "tfevents.2", b"broken beyond this point")
    write_histograms(logs / "b" / EVENTS, [1, 2, 3])
    append(logs / "b" / EVENTS, scalar_bytes(LOSS, curve(0, 3)))
    settle(logs)
    return logs


@pytest.fixture
def index_dir(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def opened_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of event files that are visited after this fixture is set up."""
    opened: list[str] = []
    visit = EventFile.visit

    def noted(file: EventFile, *args: Any, **options: Any) -> Any:
        opened.append(file.path)
        return visit(file, *args, **options)

    monkeypatch.setattr(EventFile, "visit", noted)
    return opened
