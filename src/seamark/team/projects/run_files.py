"""Which files belong to a run: those in its folder, without the folders below that are runs themselves."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from seamark.store.discover.walk import EMPTY_RUN_SUFFIX, EVENT_FILE_MARK, TRASH
from seamark.store.runs.removal import OWN_NAMES

ROOT_RUN = "."


def files_of_run(logs: Path, run: str, known_runs: Collection[str]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """The files of one run, by their paths relative to the log directory. Links are left out."""
    if not is_run_name(run):
        return
    folder = logs if run == ROOT_RUN else logs / run
    # A link in the path may lead into the folder of another run.
    if folder.resolve() != (logs.resolve() if run == ROOT_RUN else logs.resolve() / run):
        return
    if run != ROOT_RUN:
        yield from files_below(folder, run, known_runs)
        return
    for entry in entries_of(folder):
        is_own = EVENT_FILE_MARK in entry.name or entry.name in OWN_NAMES
        if is_own and entry.is_file(follow_symlinks=False):
            yield entry.name, entry


def files_below(folder: Path, relative: str, known_runs: Collection[str]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    for entry in entries_of(folder):
        path = f"{relative}/{entry.name}"
        if entry.is_file(follow_symlinks=False):
            yield path, entry
        elif entry.is_dir(follow_symlinks=False) and entry.name != TRASH:
            below = Path(entry.path)
            if path not in known_runs and not has_event_files(below):
                yield from files_below(below, path, known_runs)


def has_event_files(folder: Path) -> bool:
    return any(EVENT_FILE_MARK in entry.name or entry.name.endswith(EMPTY_RUN_SUFFIX) for entry in entries_of(folder))


def entries_of(folder: Path) -> list[os.DirEntry[str]]:
    """Nothing of a folder that is gone."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return []


def is_run_name(run: str) -> bool:
    """Whether it is "." or a relative path that stays below the log directory."""
    parts = run.split("/")
    is_plain = "\0" not in run and "\\" not in run and all(part not in ("", ".", "..") for part in parts)
    return run == "." or (is_plain and not PurePosixPath(run).is_absolute())
