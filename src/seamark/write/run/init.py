"""seamark.init(): starts a run or resumes one."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamark.format.bucket_address import is_bucket, parse_bucket
from seamark.format.plain import plain
from seamark.format.run_record import RunRecord
from seamark.write.append.event_file import TRANSIENT_ERRNOS
from seamark.write.queue.lifetime.hooks import install_exit_hooks
from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run import current, start
from seamark.write.run.config import settings
from seamark.write.run.mirror.mirror import Mirror, mirror_named, parse_mirror
from seamark.write.run.record import folder_lock, run_folder
from seamark.write.run.run import Run
from seamark.write.run.run_recorder import RunRecorder
from seamark.write.writer import ranks

if TYPE_CHECKING:
    from seamark.upload.bucket_upload import BucketUpload
    from seamark.upload.destination import Destination

MODES = ("online", "offline", "disabled")
RESUMES: dict[bool | str | None, str] = {
    None: run_folder.NEVER,
    False: run_folder.NEVER,
    True: run_folder.AUTO,
    **{word: word for word in (run_folder.NEVER, run_folder.ALLOW, run_folder.MUST, run_folder.AUTO)},
}
REINITS: dict[bool | str | None, str] = {
    None: "finish_previous",
    True: "finish_previous",
    False: "return_previous",
    **{word: word for word in ("finish_previous", "return_previous", "create_new")},
}

logger = logging.getLogger(__name__)


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
    server: str | None = None,
) -> Run:
    """Starts a run, or resumes one, in `<dir>/<project>/<name>`. docs/runs.md describes every argument."""
    chosen_mode = _one_of("mode", mode or settings.from_environment("mode") or "online", MODES)
    resume_mode = RESUMES[_one_of("resume", settings.from_environment("resume") if resume is None else resume, RESUMES)]
    reinit_mode = REINITS[_one_of("reinit", reinit, REINITS)]
    capture = _one_of("console", console, (True, False, "python", "fd", "off"))
    git_choice = settings.git(git)
    if isinstance(mirror, str):
        parse_mirror(mirror)
    previous = _previous_run(reinit_mode)
    if previous is not None:
        return previous
    record = RunRecord(
        project=project or settings.from_environment("project") or "",
        group=group or settings.from_environment("group") or "",
        job_type=job_type or "",
        tags=(tags,) if isinstance(tags, str) else tuple(str(tag) for tag in tags or ()),
        notes=notes or "",
    )
    wanted_name = plain(name or settings.from_environment("name"))
    wanted_id = plain(id or settings.from_environment("id"))
    rank = ranks.detect()
    if not rank.is_chief and (all_ranks or ranks.all_ranks_wanted()):
        # Each rank has a run: two processes never write to one folder.
        wanted_name, wanted_id = (f"{each}-rank{rank.number}" if each else each for each in (wanted_name, wanted_id))
    elif not rank.is_chief:
        chosen_mode = "disabled"
    bucket = _bucket(dir, record.project)
    destination = None if chosen_mode == "disabled" else _destination(server, record.project, bucket=bucket)
    project_dir = _project_dir(dir, record.project, bucket=bucket, is_uploaded=destination is not None)
    opened = None
    if chosen_mode != "disabled":
        opened = _open_run(
            record, project_dir, name=wanted_name, id=wanted_id, resume=resume_mode, config=config, all_ranks=all_ranks
        )
    if opened is None:
        run = start.disabled_run(record, project_dir, name=wanted_name, id=wanted_id, config=config)
    else:
        run, recorder = opened
        recorder.announces_end = not quiet
        if bucket:
            recorder.upload = _bucket_upload(bucket, recorder.folder, is_online=chosen_mode == "online")
        elif destination is not None:
            from seamark.write.run.uploading import RunUpload

            recorder.upload = RunUpload(destination, recorder.folder, is_online=chosen_mode == "online")
        if not quiet:
            _announce(run, recorder)
        recorder.start(capture=capture != "off" and capture, system_secs=system_metrics_secs, git_choice=git_choice)
        install_exit_hooks(run)
        if mirror is not None:
            if isinstance(mirror, str):
                mirror = mirror_named(mirror, run_name=run.name, project=record.project, folder=recorder.folder)
            run.mirror_to(mirror)
    current.set_current(run)
    return run


def _previous_run(reinit_mode: str) -> Run | None:
    """The run to return instead of a new one. Ends the previous run if `reinit` says so."""
    previous = current.current_run()
    if previous is None or previous.pid != os.getpid() or reinit_mode == "create_new":
        return None
    if reinit_mode == "return_previous":
        return previous
    previous.end()  # not finish(): in a notebook, a failed cell may be why a new run is started
    return None


def _open_run(
    record: RunRecord,
    project_dir: Path,
    *,
    name: str | None,
    id: str | None,
    resume: str,
    config: Any,
    all_ranks: bool,
) -> tuple[Run, RunRecorder] | None:
    """None, after a warning, if the disk is full or does not respond: the training starts all the same."""
    with _warn_on_full_disk(project_dir):
        project_dir.mkdir(parents=True, exist_ok=True)
        # Until run.json exists, another process that looks for the same id does not find this run.
        with folder_lock.locked(project_dir):
            folder = run_folder.choose(project_dir, name=name, id=id, resume=resume)
            return start.start_run(record, folder, config, project_dir=project_dir, all_ranks=all_ranks)
    return None


@contextmanager
def _warn_on_full_disk(project_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in TRANSIENT_ERRNOS:
            raise
        problem = f"the run's folder cannot be created, nothing will be recorded ({error})"
        WarnOnce(logger, str(project_dir)).warn("folder", problem)


def _bucket(dir: str | os.PathLike[str] | None, project: str) -> str:
    """The address of the project's runs in a bucket; "" if `dir` is a folder. Raises ValueError."""
    given = os.fspath(dir or settings.from_environment("dir") or "")
    return f"{parse_bucket(given)}/{run_folder.slug(project)}" if is_bucket(given) else ""


def _bucket_upload(address: str, folder: Path, *, is_online: bool) -> BucketUpload | None:
    from seamark.upload.bucket_upload import BucketUpload

    warn_once = WarnOnce(logger, str(folder))
    with warn_once.guard("bucket", "the run is recorded on this machine only"):
        run = f"{address}/{folder.name}"
        return BucketUpload(run, folder, warn=warn_once.warn, recovered=warn_once.reset, is_online=is_online)
    return None


def _destination(server: str | None, project: str, *, bucket: str) -> Destination | None:
    """The project of the team server that the run is sent to; None, as for most, if there is none."""
    if not (server or settings.from_environment("server")):
        return None
    if bucket:
        problem = "the run is not sent to the team server, because its dir is in a bucket; name a folder, or no server"
        WarnOnce(logger, bucket).warn("upload", problem)
        return None
    from seamark.write.run.uploading import wanted_destination

    return wanted_destination(server, project)


def _project_dir(dir: str | os.PathLike[str] | None, project: str, *, bucket: str, is_uploaded: bool) -> Path:
    """The folder of the project's runs."""
    if bucket:
        from seamark.upload.spool import bucket_dir

        return bucket_dir(bucket)
    given = dir or settings.from_environment("dir")
    if is_uploaded and not given:
        from seamark.upload.spool import spool_dir

        given = spool_dir()
    root = Path(given or settings.runs_dir())
    # Absolute: the program may change its working directory later.
    return root.expanduser().absolute() / run_folder.slug(project)


def _announce(run: Run, recorder: RunRecorder) -> None:
    folder = recorder.folder
    shown: object = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
    if recorder.upload is not None:
        shown = recorder.upload.address or shown
    verb = f"resumes at step {run.step}" if run.resumed else "starts"
    print(f"seamark: run '{run.name}' {verb}: {shown}", file=sys.stderr)
    if recorder.page:
        print(f"seamark: look at it while it is uploaded: {recorder.page}", file=sys.stderr)


def _one_of(argument: str, value: Any, choices: Any) -> Any:
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        shown = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{argument} is one of {shown}: got {value!r}")
    return value
