"""The configuration as TensorBoard's HParams table wants it: a session's start and end, in the run itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seamark.write.run.config import flat

if TYPE_CHECKING:
    from seamark.format.run_record import RunRecord
    from seamark.write.summary_writer import SummaryWriter


def log_start(writer: SummaryWriter, record: RunRecord, config: Mapping[str, Any]) -> None:
    from seamark.kinds import hparams

    values = {name: _cell(value) for name, value in flat(config).items()}
    start = hparams.SessionStart(values, group_name=record.group, start_time_secs=record.started_at)
    writer._add(hparams.encode(start), 0, None)


def log_end(writer: SummaryWriter, *, failed: bool) -> None:
    from seamark.kinds import hparams

    status = hparams.Status.FAILURE if failed else hparams.Status.SUCCESS
    writer._add(hparams.encode(hparams.SessionEnd(status, time.time())), 0, None)


def _cell(value: Any) -> bool | float | str:
    """The table knows numbers, flags and strings."""
    if isinstance(value, bool | int | float | str):
        return value
    return "" if value is None else str(value)
