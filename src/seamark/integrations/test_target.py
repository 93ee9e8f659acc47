"""Destinations open their writer late and close it."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest

from seamark.integrations.target import Destination
from seamark.write.writer.summary_writer import SummaryWriter


def scalar_tags(folder: Path) -> list[str]:
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    (path,) = folder.iterdir()
    return [value.tag for event in EventFileLoader(str(path)).Load() for value in event.summary.value]


@pytest.mark.timed
def test_a_destination_opens_late_and_closes_when_it_is_garbage(tmp_path: Path) -> None:
    destination = Destination(tmp_path / "run")
    destination.flush()
    destination.close()
    assert not (tmp_path / "run").exists()
    destination.writer.add_scalar("a", 1.0, 0)
    recorder = destination.writer.sink.recorder
    assert recorder is not None
    destination.flush()
    destination.writer.add_scalar("b", 1.0, 0)
    del destination
    gc.collect()
    deadline = time.monotonic() + 60
    while recorder.path and time.monotonic() < deadline:
        time.sleep(0.01)
    assert recorder.path == ""
    assert scalar_tags(tmp_path / "run") == ["a", "b"]


def test_a_given_writer_is_flushed_and_stays_open(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        destination = Destination(writer)
        destination.writer.add_scalar("a", 1.0, 0)
        destination.close()
        assert scalar_tags(tmp_path) == ["a"]
        writer.add_scalar("b", 1.0, 0)
    assert scalar_tags(tmp_path) == ["a", "b"]
