"""seamark.init(): finds the run's place, gathers what is known at once, and starts what works in the background."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seamark.format.run_record import RUNNING, RunRecord, Session
from seamark.write import ranks
from seamark.write.run import current, endings, folder_lock, last_step, machine, places, settings
from seamark.write.run.backing import HEARTBEAT_SECS, Backing
from seamark.write.run.mirror import Mirror, kind_and_place, mirror_named
from seamark.write.run.plain import plain
from seamark.write.run.record import RunFile, this_writer
from seamark.write.run.run import Run
from seamark.write.warn_once import WarnOnce

# Errors of a disk that may be over in a moment; others, such as a missing permission, are the caller's to know.
PASSING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE, errno.ETIMEDOUT})
MODES = ("online", "offline", "disabled")
RESUMES: dict[bool | str | None, str] = {
    None: places.NEVER,
    False: places.NEVER,
    True: places.AUTO,
    **{word: word for word in (places.NEVER, places.ALLOW, places.MUST, places.AUTO)},
}
REINITS: dict[bool | str | None, str] = {
    None: "finish_previous",
    True: "finish_previous",
    False: "return_previous",
    **{word: word for word in ("finish_previous", "return_previous", "create_new")},
}


def init(
    project: str | None = None,
    *,
    name: str | None = None,
    group: str | None = None,
    job_type: str | None = None,
    tags: Sequence[str] | None = None,
    notes: str | None = None,
    config: Any = None,
    dir: str | os.PathLike[str] | None = None,
    id: str | None = None,
    resume: bool | str | None = None,
    mode: str | None = None,
    reinit: bool | str | None = None,
    console: bool | str = True,
    system_metrics_secs: float = 10.0,
    git: bool | str | None = None,
    all_ranks: bool = False,
    quiet: bool = False,
    mirror: str | Mirror | None = None,
) -> Run:
    """Begins a run, or goes on with one, in `<dir>/<project>/<name>`; docs/runs.md tells about every argument."""
    chosen_mode = _one_of("mode", mode or settings.from_environment("mode") or "online", MODES)
    how_resume = RESUMES[_one_of("resume", resume if resume is not None else _resume_from_environment(), RESUMES)]
    how_again = REINITS[_one_of("reinit", reinit, REINITS)]
    capture = _one_of("console", console, (True, False, "python", "fd", "off"))
    git_choice = settings.git(git)
    if isinstance(mirror, str):
        kind_and_place(mirror)
    previous = current.current_run()
    if previous is not None and previous.pid != os.getpid():
        previous = None  # the parent's; this process has none yet
    if previous is not None and how_again == "return_previous":
        return previous
    if previous is not None and how_again == "finish_previous":
        previous.end()  # not finish(): in a notebook the cell that failed may be why a new run begins
    record = RunRecord(
        project=project or settings.from_environment("project") or "",
        group=group or settings.from_environment("group") or "",
        job_type=job_type or "",
        tags=_tags(tags),
        notes=notes or "",
    )
    name = plain(name or settings.from_environment("name"))
    id = plain(id or settings.from_environment("id"))
    rank = ranks.detect()
    if not rank.is_chief and (all_ranks or ranks.all_ranks_wanted()):
        # Runs of their own, told apart by the rank: two processes never write to one folder.
        name, id = (f"{given}-rank{rank.number}" if given else given for given in (name, id))
    elif not rank.is_chief:
        chosen_mode = "disabled"
    root, backing = _root(dir, record.project), None
    if chosen_mode != "disabled" and _is_made(root):
        # Until run.json is there, another process that looks for the same id would not find this run.
        with folder_lock.locked(root):
            place = _place(root, name=name, id=id, resume=how_resume)
            if place is not None:
                run, backing = _begin(record, place, config, all_ranks=all_ranks)
    if backing is None:
        record.id, record.name = id or places.new_id(), name or places.new_name()
        record.started_at = time.time()
        run = Run(record, None, config=config)
    else:
        if not quiet:
            verb = f"goes on at step {run.step}" if run.resumed else "begins"
            print(f"seamark: run '{run.name}' {verb}: {_shown(backing.folder)}", file=sys.stderr)
        backing.start(run, capture=capture != "off" and capture, system_secs=system_metrics_secs, git_choice=git_choice)
        endings.watch_over(run)
        if mirror is not None:
            if isinstance(mirror, str):
                mirror = mirror_named(mirror, run_name=run.name, project=record.project, folder=backing.folder)
            run.mirror_to(mirror)
    run._root = root
    current.remember(run)
    return run


def _root(dir: str | os.PathLike[str] | None, project: str) -> Path:
    """The folder of the project's runs."""
    root = Path(dir or settings.from_environment("dir") or settings.runs_dir())
    # The program may change its working directory later.
    return root.expanduser().absolute() / places.slug(project)


def _is_made(root: Path) -> bool:
    """Makes the folder; False as _place is None."""
    with _unrecorded_on_full_disk(root):
        root.mkdir(parents=True, exist_ok=True)
        return True
    return False


def _place(root: Path, *, name: str | None, id: str | None, resume: str) -> places.Place | None:
    """None, after a warning, when the disk is full or does not answer: that is no reason not to train."""
    with _unrecorded_on_full_disk(root):
        return places.choose(root, name=name, id=id, resume=resume)
    return None


@contextmanager
def _unrecorded_on_full_disk(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in PASSING:
            raise
        WarnOnce(str(root)).warn("place", f"the run's folder cannot be made, nothing will be recorded ({error})")


def _shown(folder: Path) -> str:
    return str(folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder)


def _begin(fresh: RunRecord, place: places.Place, config: Any, *, all_ranks: bool) -> tuple[Run, Backing]:
    from seamark.write.summary_writer import SummaryWriter

    now = time.time()
    record = fresh if place.earlier is None else _continued(place.earlier, fresh, now)
    first_step = 0
    if place.earlier is not None:
        reached = [step for step in (place.earlier.last_step, last_step.in_folder(place.folder)) if step is not None]
        first_step = max(reached) + 1 if reached else 0
    record.id, record.name = place.id, place.name
    record.started_at = record.started_at or now
    record.heartbeat_at, record.heartbeat_secs = now, HEARTBEAT_SECS
    record.command, record.working_dir = machine.command(), str(Path.cwd())
    record.python, record.host, record.environment = machine.python(), machine.host(), machine.environment()
    record.writer = this_writer()
    session = Session(now, None, RUNNING, first_step, record.host.name, os.getpid(), record.command)
    record.sessions = (*record.sessions, session)
    file = RunFile(place.folder, record)
    warnings = WarnOnce(str(place.folder))
    # The mark for readers of the event files: an earlier process came up to here.
    resumed_at = first_step if place.earlier is not None else None
    writer = SummaryWriter(place.folder, purge_step=resumed_at, all_ranks=all_ranks)
    backing = Backing(file, writer, warnings)
    run = Run(record, backing, config=config, first_step=first_step)
    with warnings.guarded("run.json", "run.json cannot be written and is tried again"):
        # A process that is killed right after init() leaves its configuration, too.
        backing.update_record(run)
        if place.earlier is None:
            file.create()
        else:
            file.take_over()
    return run, backing


def _continued(earlier: RunRecord, fresh: RunRecord, now: float) -> RunRecord:
    """What the run remembers, as running again; what is said anew counts."""
    for field in ("project", "group", "job_type", "tags", "notes"):
        if getattr(fresh, field):
            setattr(earlier, field, getattr(fresh, field))
    for session in earlier.sessions:
        if session.status == RUNNING:
            # It was killed, and could not say when; the last sign of life is the best answer.
            session.status, session.ended_at = "killed", min(earlier.heartbeat_at or now, now)
    earlier.status, earlier.ended_at = RUNNING, None
    earlier.exit_code, earlier.signal, earlier.error = None, "", None
    return earlier


def _resume_from_environment() -> str | None:
    return settings.from_environment("resume")


def _tags(tags: Sequence[str] | None) -> tuple[str, ...]:
    return (tags,) if isinstance(tags, str) else tuple(str(tag) for tag in tags or ())


def _one_of(argument: str, value: Any, choices: Any) -> Any:
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        shown = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{argument} is one of {shown}: got {value!r}")
    return value
