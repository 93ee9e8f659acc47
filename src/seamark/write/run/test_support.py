"""Helpers that start runs and read what they have written."""

from __future__ import annotations

from typing import Any

import seamark
from seamark.format.run_record import RunRecord
from seamark.write.run.record import run_file


def begin(**options: Any) -> seamark.Run:
    return seamark.init(**{"console": False, "system_metrics_secs": 0, "git": False, "quiet": True, **options})


def stored_record(run: seamark.Run) -> RunRecord:
    found = run_file.read(run.dir)
    assert found is not None
    return found


def events(run: seamark.Run) -> Any:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    return EventAccumulator(str(run.dir), size_guidance={"scalars": 0, "tensors": 0}).Reload()


def points(run: seamark.Run, tag: str) -> list[tuple[int, float]]:
    return [(event.step, event.value) for event in events(run).Scalars(tag)]
