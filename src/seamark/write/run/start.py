"""Creates a run in its folder: fills the record, writes run.json and opens the writer."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import Any

from seamark.format.run_record import KILLED, RUNNING, RunRecord, Session
from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run.record import last_step, run_folder
from seamark.write.run.record.run_file import RunFile, this_writer
from seamark.write.run.run import Run
from seamark.write.run.run_recorder import HEARTBEAT_SECS, RunRecorder
from seamark.write.run.system import machine
from seamark.write.writer.summary_writer import SummaryWriter

logger = logging.getLogger(__name__)


def disabled_run(record: RunRecord, project_dir: Path, *, name: str | None, id: str | None, config: Any) -> Run:
    """A run that records nothing."""
    record.id, record.name = id or run_folder.new_id(), name or run_folder.new_name()
    record.started_at = time.time()
    return Run(record, None, config=config, project_dir=project_dir)


def start_run(
    new_record: RunRecord, folder: run_folder.RunFolder, config: Any, *, project_dir: Path, all_ranks: bool
) -> tuple[Run, RunRecorder]:
    is_resumed = folder.earlier is not None
    record = new_record if folder.earlier is None else _resumed_record(folder.earlier, new_record)
    first_step = _first_step(folder)
    _describe_process(record, folder, first_step)
    file = RunFile(folder.path, record)
    warn_once = WarnOnce(logger, str(folder.path))
    # The purge step tells readers of the event files how far the earlier process came.
    writer = SummaryWriter(folder.path, purge_step=first_step if is_resumed else None, all_ranks=all_ranks)
    recorder = RunRecorder(file, writer, warn_once)
    run = Run(record, recorder, config=config, first_step=first_step, project_dir=project_dir)
    with warn_once.guard("run.json", "run.json cannot be written and is tried again"):
        # A process that is killed right after init() leaves its configuration, too.
        recorder.update_record()
        if is_resumed:
            file.take_over()
        else:
            file.create()
    return run, recorder


def _describe_process(record: RunRecord, folder: run_folder.RunFolder, first_step: int) -> None:
    now = time.time()
    record.id, record.name = folder.id, folder.name
    record.started_at = record.started_at or now
    record.heartbeat_at, record.heartbeat_secs = now, HEARTBEAT_SECS
    record.command, record.working_dir = machine.command(), str(Path.cwd())
    record.python, record.host, record.environment = machine.python(), machine.host(), machine.environment()
    record.writer = this_writer()
    session = Session(now, None, RUNNING, first_step, record.host.name, os.getpid(), record.command)
    record.sessions = (*record.sessions, session)


def _first_step(folder: run_folder.RunFolder) -> int:
    """0, or the step behind the last one of the earlier process."""
    if folder.earlier is None:
        return 0
    reached = [step for step in (folder.earlier.last_step, last_step.in_folder(folder.path)) if step is not None]
    return max(reached) + 1 if reached else 0


def _resumed_record(earlier: RunRecord, new: RunRecord) -> RunRecord:
    """The earlier record, as running again. Arguments of this init() replace earlier ones."""
    now = time.time()
    for field in ("project", "group", "job_type", "tags", "notes"):
        if getattr(new, field):
            setattr(earlier, field, getattr(new, field))
    for session in earlier.sessions:
        if session.status == RUNNING:
            # The process was killed and could not write when; its last heartbeat is the best estimate.
            session.status, session.ended_at = KILLED, min(earlier.heartbeat_at or now, now)
    earlier.status, earlier.ended_at = RUNNING, None
    earlier.exit_code, earlier.signal, earlier.error = None, "", None
    return earlier
