"""Moves the files of a run to the trash and back. Doing it again after a crash does the rest."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from seamark.team.projects.run_files import ROOT_RUN, files_of_run


def move_to_trash(logs: Path, run: str, trash: Path, *, known_runs: Collection[str]) -> None:
    """To `trash`, the folder of this run in the trash, under the same paths."""
    for relative, entry in list(files_of_run(logs, run, known_runs)):
        target = trash / below_run(run, relative)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        Path(entry.path).replace(target)
    remove_empty(logs / run, logs)


def move_back(logs: Path, run: str, trash: Path) -> None:
    for folder, _, names in os.walk(trash):
        for name in names:
            source = Path(folder) / name
            target = logs / run / source.relative_to(trash)
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
    shutil.rmtree(trash, ignore_errors=True)


def below_run(run: str, relative: str) -> str:
    return relative if run == ROOT_RUN else relative.removeprefix(f"{run}/")


def size_of(folder: Path) -> int:
    return sum(
        (Path(path) / name).stat(follow_symlinks=False).st_size for path, _, names in os.walk(folder) for name in names
    )


def remove_empty(folder: Path, logs: Path) -> None:
    """The folder with those below that are empty, and the empty ones above it, but not the log directory."""
    for path, _, _ in os.walk(folder, topdown=False):
        if Path(path) != logs:
            with suppress(OSError):
                Path(path).rmdir()
    for parent in folder.parents:
        if parent == logs or not parent.is_relative_to(logs):
            return
        with suppress(OSError):
            parent.rmdir()
