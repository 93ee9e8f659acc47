"""Runs each test in its own folder, and ends its runs and watchers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import seamark


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    seamark.unwatch()
    seamark.finish()
