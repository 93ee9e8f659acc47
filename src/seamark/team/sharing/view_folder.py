"""The folder of a share: hard links to the files of its runs, and nothing else.

An application over this folder cannot show anything of other runs, whichever route is asked: their files are not there.
A run may have another run in a folder below its own; that folder is left out.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from seamark.team.projects.run_files import files_of_run

UNFINISHED = ".seamark-link"


def synchronize(logs: Path, view: Path, runs: Collection[str], *, known_runs: Collection[str]) -> None:
    """Makes `view` hold exactly the files of these runs. `known_runs`: all of the project, also without event files."""
    wanted: dict[str, os.DirEntry[str]] = {}
    others = set(known_runs)
    for run in runs:
        wanted.update(files_of_run(logs, run, others))
    view.mkdir(mode=0o700, parents=True, exist_ok=True)
    for relative, entry in wanted.items():
        link(entry, view / relative)
    remove_others(view, wanted.keys())


def link(entry: os.DirEntry[str], target: Path) -> None:
    with suppress(FileNotFoundError):  # removed since it was listed
        status = entry.stat(follow_symlinks=False)
        with suppress(FileNotFoundError):
            if target.stat(follow_symlinks=False).st_ino == status.st_ino:
                return
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = target.with_name(f"{UNFINISHED}-{os.getpid()}")
        unfinished.unlink(missing_ok=True)
        os.link(entry.path, unfinished, follow_symlinks=False)
        unfinished.replace(target)


def remove_others(view: Path, wanted: Collection[str]) -> None:
    for folder, _, names in os.walk(view, topdown=False):
        here = Path(folder)
        for name in names:
            path = here / name
            if path.relative_to(view).as_posix() not in wanted:
                path.unlink(missing_ok=True)
        if here != view:
            with suppress(OSError):
                here.rmdir()  # only if it is empty
