"""What rules watch: the state of runs, as the server knows it by their files."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import msgspec
import re2

from seamark.format.run_record import (
    CRASHED,
    FAILED,
    FILE_NAME,
    FINISHED,
    KILLED,
    RUNNING,
    RunRecord,
    RunRecordError,
    loads,
)
from seamark.format.types import RunName, Tag
from seamark.liveness import LOST, status_of
from seamark.store import EVENT_FILE_MARK, RunStore, UnknownSeriesError
from seamark.team.notify.rows import Message, Rule
from seamark.team.projects.project import Project

# A trainer without a network is not a trainer that died: its run counts as lost only after this time.
SILENT_SECS = 600.0


class WatchedRun(msgspec.Struct, frozen=True):
    id: str
    name: str
    uploaded_at: float


class Look(msgspec.Struct, frozen=True):
    """What the files of a run said at `read_at`. `record` None: there is no run.json."""

    uploaded_at: float
    read_at: float
    progressed_at: float  # when bytes of its event files arrived last
    record: RunRecord | None

    def status(self, now: float) -> str:
        """ "" without a record."""
        if self.record is None:
            return ""
        if now - self.uploaded_at < SILENT_SECS:
            return self.record.status
        # The clock of the trainer may be wrong; when bytes arrived is known.
        seen = replace(self.record, heartbeat_at=max(self.record.heartbeat_at, self.uploaded_at))
        return status_of(seen, now=now)


def read_look(folder: Path, run: WatchedRun, now: float) -> Look:
    times = [path.stat().st_mtime for path in folder.glob(f"*{EVENT_FILE_MARK}*") if path.is_file()]
    record = None
    with suppress(OSError, RunRecordError):
        record = loads((folder / FILE_NAME).read_bytes())
    return Look(run.uploaded_at, now, max(times, default=run.uploaded_at), record)


def state_message(rule: Rule, project: Project, run: WatchedRun, look: Look, now: float) -> Message | None:
    """What a rule about the state of runs has to say about a run now; None if nothing."""
    if look.record is None or not is_about(rule, run):
        return None
    status, session = look.status(now), len(look.record.sessions)  # a resumed run has several, and each may end
    match rule.event:
        case "finished" if status == FINISHED:
            return message(project, run, f"finished {run.id} {session}", f"{run.name} has finished")
        case "crashed" if status in (CRASHED, FAILED, KILLED):
            error = look.record.error
            detail = f": {error.type}: {error.message}" if error is not None else ""
            return message(project, run, f"crashed {run.id} {session}", f"{run.name} {status}{detail}")
        case "crashed" if status == LOST:
            text = f"{run.name} is lost: its program has sent nothing for {(now - look.uploaded_at) / 60:.0f} minutes"
            return message(project, run, f"crashed {run.id} {session}", text)
        case "no_progress" if is_stuck(rule, look, now):
            text = f"{run.name} has logged nothing for {rule.condition.minutes:g} minutes"
            return message(project, run, f"no_progress {run.id} {look.progressed_at:.0f}", text)
    return None


def threshold_message(rule: Rule, project: Project, run: WatchedRun, store: RunStore) -> Message | None:
    found = crossed(rule, run, store) if is_about(rule, run) else None
    return None if found is None else message(project, run, f"threshold {run.id} {found[0]}", f"{run.name}: {found[1]}")


def is_about(rule: Rule, run: WatchedRun) -> bool:
    return not rule.condition.runs or re2.search(rule.condition.runs, run.name) is not None


def message(project: Project, run: WatchedRun, subject: str, text: str) -> Message:
    link = f"/p/{project.path}/run/{quote(run.name, safe='')}"
    return Message(subject=subject, text=f"{project.path}: {text}", link=link, run=run.name)


def is_stuck(rule: Rule, look: Look, now: float) -> bool:
    """Also if its process seems to be gone: perhaps only the network is."""
    since = max(look.progressed_at, rule.created_at)
    is_running = look.record is not None and look.record.status == RUNNING
    return is_running and now - since >= (rule.condition.minutes or 0.0) * 60


def crossed(rule: Rule, run: WatchedRun, store: RunStore) -> tuple[str, str] | None:
    """The side that was crossed and a sentence, over every point: a short peak counts as well."""
    tag, above, below = rule.condition.tag, rule.condition.above, rule.condition.below
    try:
        window = store.scalars(RunName(run.name), Tag(tag), max_points=1, columns=("min", "max"))
    except UnknownSeriesError:
        return None
    if not len(window.max):
        return None
    highest, lowest = float(window.max.max()), float(window.min.min())
    if above is not None and highest > above:
        return "above", f"{tag} rose above {above:g}: {highest:g}"
    if below is not None and lowest < below:
        return "below", f"{tag} fell below {below:g}: {lowest:g}"
    return None
