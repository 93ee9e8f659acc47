"""Aim as a mirror. A file in the run's folder stores the hash of the run in Aim and the status that Aim has.

A process that is killed cannot report its end. So a resumed run continues the same run in Aim, and the next run of the
project with a mirror sets the status of earlier runs that have ended.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from seamark import liveness
from seamark.format.replace_file import replace_file
from seamark.format.run_record import RUNNING
from seamark.write.run.record import run_file

NOTE = ".mirror.json"
# Seamark records system metrics and the console itself.
OPTIONS: dict[str, Any] = {
    "system_tracking_interval": None,
    "capture_terminal_logs": False,
    "log_system_params": False,
}


@dataclass(frozen=True)
class Note:
    repo: str
    hash: str
    status: str  # the status in Aim

    def write(self, folder: Path) -> None:
        replace_file(folder / NOTE, json.dumps({"kind": "aim", **asdict(self)}).encode())


def note_in(folder: Path) -> Note | None:
    """None if there is no such file, or an invalid one."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        if found["kind"] == "aim":
            return Note(str(found["repo"]), str(found["hash"]), str(found["status"]))
    return None


class AimMirror:
    """An Aim run with the same scalars and parameters. Created in the mirror's thread: Aim is slow to import."""

    def __init__(self, repo: str, *, run_name: str, project: str, folder: Path | None = None) -> None:
        try:
            self._aim = import_module("aim")
        except ImportError as error:
            raise ImportError("mirror='aim' needs its package: pip install aim") from error
        if repo and "://" not in repo and not (Path(repo) / ".aim").is_dir():
            self._aim.Repo.from_path(repo, init=True)
        self._folder = folder
        self._repo = repo or str(self._aim.Repo.default_repo().root_path)
        earlier = note_in(folder) if folder is not None else None
        if earlier is not None and earlier.repo == self._repo:
            self._run = self._opened(earlier)
        else:
            self._run = self._aim.Run(repo=self._repo, experiment=project or None, **OPTIONS)
        if run_name:
            self._run.name = run_name
        self._set_status(RUNNING)
        self._update_ended_runs()

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        for name, value in values.items():
            self._run.track(value, name=name, step=step)

    def config(self, config: Mapping[str, Any]) -> None:
        self._run["hparams"] = dict(config)

    def finish(self, status: str) -> None:
        self._set_status(status)
        self._run.close()

    def _set_status(self, status: str) -> None:
        self._run["status"] = status
        if self._folder is not None:
            with suppress(OSError):  # the next run sets the status again
                Note(self._repo, self._run.hash, status).write(self._folder)

    def _opened(self, note: Note) -> Any:
        try:
            return self._aim.Run(run_hash=note.hash, repo=note.repo, **OPTIONS)
        except Exception:  # on some file systems the lock of a killed process remains
            return self._aim.Run(run_hash=note.hash, repo=note.repo, force_resume=True, **OPTIONS)

    def _update_ended_runs(self) -> None:
        for folder, note, status in outdated_notes(self._folder.parent) if self._folder is not None else ():
            if note.repo != self._repo:
                continue  # never follow a file to another repository
            with suppress(Exception):  # another process is updating it
                run = self._opened(note)
                run["status"] = status
                run.close()
                Note(note.repo, note.hash, status).write(folder)


def outdated_notes(project: Path) -> Iterator[tuple[Path, Note, str]]:
    """The runs that have ended but are running in Aim, and their status."""
    now = time.time()
    for path in sorted(project.glob(f"*/{NOTE}")):
        note, record = note_in(path.parent), run_file.read(path.parent)
        if note is not None and record is not None and note.status == RUNNING:
            status = liveness.status_of(record, now=now)
            if status != RUNNING:
                yield path.parent, note, status
