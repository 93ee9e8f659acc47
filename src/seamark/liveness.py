"""Determines whether a run that is recorded as running is still running; see docs/run-json.md."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path

from seamark.format.run_record import KILLED, RUNNING, RunRecord

# A busy machine or a slow disk may delay heartbeats.
MISSED_HEARTBEATS = 6
MIN_STALE_SECS = 60.0
# Never written: how a reader finds a run whose heartbeat stopped where its process cannot be looked up.
LOST = "lost"


def status_of(record: RunRecord, *, now: float) -> str:
    """The recorded status; of a running run "killed" if its process is gone, and "lost" if nobody can tell."""
    if record.status != RUNNING:
        return record.status
    lives = process_lives(record)
    if lives is not None:
        return RUNNING if lives else KILLED
    is_fresh = now - record.heartbeat_at <= max(MISSED_HEARTBEATS * record.heartbeat_secs, MIN_STALE_SECS)
    return RUNNING if is_fresh else LOST


def process_lives(record: RunRecord) -> bool | None:
    """Whether the process lives; None if it ran on another machine or in another container."""
    writer = record.writer
    if not writer.machine or writer.host != socket.gethostname():
        return None
    boot, _, space = writer.machine.partition(" ")
    own_boot, _, own_space = this_machine().partition(" ")
    if boot != own_boot:
        return False  # the machine was restarted
    if space != own_space or writer.pid <= 0:
        return None
    try:
        os.kill(writer.pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    started = process_start(writer.pid)
    return not started or not writer.process_start or started == writer.process_start


@cache
def this_machine() -> str:
    """Boot id and pid namespace; empty on systems without them, where heartbeats decide."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    return ""


def process_start(pid: int) -> str:
    """When the process started, in ticks since boot; empty if unknown. A zombie counts as dead."""
    with suppress(OSError, IndexError):
        # The program's name is in brackets, and may contain spaces and brackets.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return "dead" if fields[0] in "ZX" else fields[19]
    return ""
