"""Finds runs and their files in a log directory, as they are sent."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from seamark.format.run_record import FILE_NAME as RECORD_FILE
from seamark.upload.names import name_problem

EVENT_FILE_MARK = "tfevents"


class LocalRun(NamedTuple):
    """`files` are relative to `folder`, without those of runs in folders below it."""

    name: str
    folder: Path
    files: tuple[str, ...]


class Skipped(NamedTuple):
    """A file whose name a server does not take."""

    path: Path
    reason: str


def is_event_file(name: str) -> bool:
    """Whether a file is only ever appended to."""
    return EVENT_FILE_MARK in name.rpartition("/")[2]


def find_runs(
    logdir: Path, *, root_name: str = "", skip: Callable[[Skipped], None] = lambda _: None
) -> Iterator[LocalRun]:
    """Every folder with an event file or a run.json is a run; files of other folders belong to the run above them.

    A log directory that is a run itself gets the name `root_name`, by default its own, and the names of the runs in it
    begin with that. Hidden names are left out, and so are links to folders: they may lead in a circle.
    """
    runs: dict[Path, list[str]] = {}
    owner: dict[Path, Path | None] = {}
    for found, folders, names in os.walk(logdir):
        folder = Path(found)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = sorted(name for name in names if not name.startswith("."))
        is_run = any(name == RECORD_FILE or is_event_file(name) for name in names)
        run = folder if is_run else owner.get(folder.parent) if folder != logdir else None
        owner[folder] = run
        if run is not None:
            inside = folder.relative_to(run).as_posix()
            runs.setdefault(run, []).extend(name if inside == "." else f"{inside}/{name}" for name in names)
    prefix = root_name or (logdir.absolute().name if logdir in runs else "")
    for folder, files in runs.items():
        inside = folder.relative_to(logdir).as_posix()
        name = "/".join(part for part in (prefix, inside) if part not in ("", "."))
        yield LocalRun(name, folder, tuple(sendable(name, folder, files, skip)))


def sendable(run: str, folder: Path, files: list[str], skip: Callable[[Skipped], None]) -> Iterator[str]:
    for file in files:
        problem = name_problem("run", run) or name_problem("file", file)
        if problem:
            skip(Skipped(folder / file, problem))
        elif (folder / file).is_file():  # not a socket or a pipe
            yield file
