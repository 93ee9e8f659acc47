"""Logs the configuration for TensorBoard's HParams table: a session's start and end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seamark.format.plain import flatten

if TYPE_CHECKING:
    from seamark.format.run_record import RunRecord
    from seamark.write.writer.summary_writer import SummaryWriter


def log_start(writer: SummaryWriter, record: RunRecord, config: Mapping[str, Any]) -> None:
    from seamark.kinds import hparams

    values = {name: _cell(value) for name, value in flatten(config, separator=".")}
    start = hparams.SessionStart(values, group_name=record.group, start_time_secs=record.started_at)
    writer.sink.add(hparams.encode(start), 0)


def log_end(writer: SummaryWriter, *, failed: bool) -> None:
    from seamark.kinds import hparams

    status = hparams.Status.FAILURE if failed else hparams.Status.SUCCESS
    writer.sink.add(hparams.encode(hparams.SessionEnd(status, time.time())), 0)


def _cell(value: Any) -> bool | float | str:
    """The table supports numbers, booleans and strings."""
    if isinstance(value, bool | int | float | str):
        return value
    return "" if value is None else str(value)
