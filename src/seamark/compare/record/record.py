"""A row of the run table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from seamark.compare.record.flatten import Scalar
from seamark.format.run_record import RUNNING, RunRecord
from seamark.format.types import SYSTEM_PREFIX, RunName, Tag
from seamark.liveness import status_of
from seamark.store import RunInfo, RunStore

# The status of a run without run.json follows from the age of its last event.
WRITING_SECS = 15.0
IDLE_SECS = 300.0


class PlannedMetric(NamedTuple):
    """A metric that `hparams_config` names; `group` is the child run that measures it."""

    tag: Tag
    display_name: str = ""
    group: str = ""


@dataclass(slots=True, eq=False)
class Record:
    """One row. `params` and `tags` are replaced, never modified."""

    name: RunName
    path: Path
    info: RunInfo
    params: Mapping[str, Scalar] = field(default_factory=dict)
    summary: Mapping[str, Scalar] = field(default_factory=dict)
    tags: tuple[Tag, ...] = ()  # of scalars, those of merged runs included
    # For tags that a merged run logged: that run, and its tag there.
    series_sources: Mapping[Tag, tuple[RunName, Tag]] = field(default_factory=dict)
    merged_runs: tuple[RunName, ...] = ()
    plan: tuple[PlannedMetric, ...] = ()  # the metrics that hparams_config or add_hparams names
    inherits_params_from: RunName | None = None  # the run above, where this run has no hyperparameters of its own
    record: RunRecord | None = None
    last_wall: float | None = None  # of the newest event, those of merged runs included
    started: float | None = None
    ended: float | None = None
    end_status: str = ""  # from the end of a session in the event file
    problems: tuple[str, ...] = ()
    # The names in `params` and `summary`: runs of a sweep share one object each, and one of `tags`.
    keys: tuple[str, ...] = ()
    summary_keys: tuple[str, ...] = ()
    made_of: tuple[object, ...] = ()  # if this is unchanged, only `info` is new

    def source_of(self, tag: Tag) -> tuple[RunName, Tag]:
        """The run that logged it, and its tag there."""
        return self.series_sources.get(tag, (self.name, tag))

    def status(self, now: float) -> str:
        if self.record is not None:
            return status_of(self.record, now=now) if self.record.status == RUNNING else self.record.status
        if self.end_status:
            return self.end_status
        age_secs = now - (self.last_wall if self.last_wall is not None else 0.0)
        return "writing" if age_secs < WRITING_SECS else "idle" if age_secs < IDLE_SECS else "stopped"

    @property
    def duration(self) -> float | None:
        ends = [self.ended, self.last_wall]
        if self.record is not None and self.ended is None:
            ends.append(self.record.heartbeat_at or None)
        end = self.ended if self.ended is not None else max((at for at in ends if at is not None), default=None)
        return None if end is None or self.started is None else max(end - self.started, 0.0)


def last_steps(store: RunStore, records: Sequence[Record]) -> list[int | None]:
    """The greatest step of each run, from its events: run.json lags behind, for good if the process was killed."""
    names = [name for record in records for name in (record.name, *record.merged_runs)]
    found = store.max_steps(names, skipped_prefix=SYSTEM_PREFIX)
    return [_last_step(record, found) for record in records]


def _last_step(record: Record, found: Mapping[RunName, int]) -> int | None:
    steps = [found[name] for name in (record.name, *record.merged_runs) if name in found]
    if steps:
        return max(steps)
    return record.record.last_step if record.record is not None else None
