"""Runs each test in its own folder, and ends its runs and watchers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import seamark
from seamark.write.run.code import git


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(git, "TIMEOUT_SECS", 60.0)  # on a busy machine git may take longer than a training waits
    yield
    seamark.unwatch()
    seamark.finish()
