"""Aim as a mirror. A note in the run's folder says which of Aim's runs it is, and what that was told of the end.

A process that is killed outright can tell nobody. So the run goes on in the same run of Aim's when it is resumed, and
whichever run of the project starts next with a mirror tells Aim how those before it have ended.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from seamark.format import liveness
from seamark.format.run_record import RUNNING
from seamark.write.run import record

NOTE = ".mirror.json"
# The run has its own system metrics and its own console.
OPTIONS: dict[str, Any] = {
    "system_tracking_interval": None,
    "capture_terminal_logs": False,
    "log_system_params": False,
}


@dataclass(frozen=True)
class Note:
    repo: str
    hash: str
    status: str  # what Aim was told last

    def write(self, folder: Path) -> None:
        """As a whole: who reads it meanwhile reads the one before."""
        temporary = folder / f"{NOTE}.{os.getpid()}"
        temporary.write_text(json.dumps({"kind": "aim", **asdict(self)}), encoding="utf-8")
        temporary.replace(folder / NOTE)


def note_in(folder: Path) -> Note | None:
    """None as well for what cannot be understood."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        if found["kind"] == "aim":
            return Note(str(found["repo"]), str(found["hash"]), str(found["status"]))
    return None


class AimMirror:
    """An Aim run with the same scalars and parameters. Made in the mirror's thread: Aim takes its time to load."""

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
        self._say(RUNNING)
        self._tell_of_the_dead()

    def log(self, values: Mapping[str, Any], step: int | None) -> None:
        for name, value in values.items():
            self._run.track(value, name=name, step=step)

    def config(self, config: Mapping[str, Any]) -> None:
        self._run["hparams"] = dict(config)

    def finish(self, status: str) -> None:
        self._say(status)
        self._run.close()

    def _say(self, status: str) -> None:
        self._run["status"] = status
        if self._folder is not None:
            with suppress(OSError):  # Aim has been told; it will be told once more
                Note(self._repo, self._run.hash, status).write(self._folder)

    def _opened(self, note: Note) -> Any:
        try:
            return self._aim.Run(run_hash=note.hash, repo=note.repo, **OPTIONS)
        except Exception:  # on some file systems, the lock of a process outlives it
            return self._aim.Run(run_hash=note.hash, repo=note.repo, force_resume=True, **OPTIONS)

    def _tell_of_the_dead(self) -> None:
        for folder, note, status in untold(self._folder.parent) if self._folder is not None else ():
            if note.repo != self._repo:
                continue  # a note that somebody else wrote must not lead to another place
            with suppress(Exception):  # told by another process just now
                run = self._opened(note)
                run["status"] = status
                run.close()
                Note(note.repo, note.hash, status).write(folder)


def untold(project: Path) -> Iterator[tuple[Path, Note, str]]:
    """Runs that have ended while Aim takes them for running, and how they ended."""
    now = time.time()
    for path in sorted(project.glob(f"*/{NOTE}")):
        note, kept = note_in(path.parent), record.read(path.parent)
        if note is not None and kept is not None and note.status == RUNNING:
            status = liveness.status_of(kept, now=now)
            if status != RUNNING:
                yield path.parent, note, status
