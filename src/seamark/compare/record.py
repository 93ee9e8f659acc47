"""A run as the table of runs has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from seamark.compare.flatten import Scalar
from seamark.format.liveness import status_of
from seamark.format.run_record import RUNNING, SYSTEM_PREFIX, RunRecord
from seamark.format.types import RunName, Tag
from seamark.store import RunInfo, Store

# As the page's list of runs says it: told by the age of the last event, since files say nothing else.
WRITING_SECS = 15.0
IDLE_SECS = 300.0


class PlannedMetric(NamedTuple):
    """A metric that `hparams_config` announced; `group` is the run below the trial's that measures it."""

    tag: Tag
    display_name: str = ""
    group: str = ""


@dataclass(slots=True, eq=False)
class Record:
    """A run as the table shows it. `params` and `tags` are replaced as a whole, never changed."""

    name: RunName
    path: Path
    info: RunInfo
    params: Mapping[str, Scalar] = field(default_factory=dict)
    summary: Mapping[str, Scalar] = field(default_factory=dict)
    tags: tuple[Tag, ...] = ()  # of scalars, those of folded runs included
    # Of tags that a folded run measured: that run, and what the tag is called there.
    homes: Mapping[Tag, tuple[RunName, Tag]] = field(default_factory=dict)
    folded: tuple[RunName, ...] = ()
    plan: tuple[PlannedMetric, ...] = ()  # the metrics that hparams_config or add_hparams announced
    above: RunName | None = None  # the run whose hyperparameters these are, where it has none of its own
    record: RunRecord | None = None
    last_wall: float | None = None  # of the newest event, those of folded runs included
    started: float | None = None
    ended: float | None = None
    end_status: str = ""  # as a session's end told it
    problems: tuple[str, ...] = ()
    # The names in `params` and `summary`: runs of a sweep share one object each, and one of `tags`.
    keys: tuple[str, ...] = ()
    summary_keys: tuple[str, ...] = ()
    made_of: tuple[object, ...] = ()  # as long as this is the same, only `info` is new

    def home_of(self, tag: Tag) -> tuple[RunName, Tag]:
        """The run that measured it, and its tag there."""
        return self.homes.get(tag, (self.name, tag))

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


def last_steps(store: Store, records: Sequence[Record]) -> list[int | None]:
    """The greatest step that each run logged. From the events: run.json lags behind them, and a kill leaves it so."""
    names = [name for record in records for name in (record.name, *record.folded)]
    found = store.max_steps(names, skipped_prefix=SYSTEM_PREFIX)
    return [_last_step(record, found) for record in records]


def _last_step(record: Record, found: Mapping[RunName, int]) -> int | None:
    steps = [found[name] for name in (record.name, *record.folded) if name in found]
    if steps:
        return max(steps)
    return record.record.last_step if record.record is not None else None
