"""Folders with embeddings: those of runs, and others in the log directories, which are shown as runs.

TensorBoard shows the projector config of a log directory without event files. Here each folder with a config has its
own name, and other files belong to the log directory.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from seamark.embeddings.readers.run_config import ConfigFolder
from seamark.format.types import RunName
from seamark.kinds.projector.checkpoint import STATE_NAME
from seamark.kinds.projector.config import FILE_NAME, PLUGIN_FOLDER
from seamark.plugin.run_folder import MAX_DEPTH, MAX_SEARCH_SECS, NamedFolder, system_path
from seamark.store import LogRoot, RunStore

# A checkpoint may also lie in the folder above.
CONFIG_ENTRIES = (FILE_NAME, PLUGIN_FOLDER, STATE_NAME, f"../{STATE_NAME}")


class EmbeddingFolder(NamedTuple):
    name: RunName
    path: Path
    root: Path  # the log directory

    @property
    def as_config_folder(self) -> ConfigFolder:
        return ConfigFolder(self.name, self.path, self.root)

    @property
    def may_have_config(self) -> bool:
        """Whether a config or a checkpoint can be found from here; most of many runs have none."""
        folder = str(self.path)
        return any(os.path.exists(f"{folder}/{name}") for name in CONFIG_ENTRIES)  # noqa: PTH110 (for thousands of runs)


class EmbeddingFolders:
    def __init__(self, store: RunStore, roots: Sequence[LogRoot]) -> None:
        self._store, self._roots = store, tuple(roots)

    def all(self) -> Iterator[EmbeddingFolder]:
        """Runs first. Of so many others as are found in a short time."""
        runs = self._store.runs()
        yield from (self._of_run(run) for run in runs)
        run_paths = {str(run.path) for run in runs}
        deadline = time.monotonic() + MAX_SEARCH_SECS
        for root in self._roots:
            if str(root.path) in run_paths:
                continue
            yield EmbeddingFolder(root.run_name(""), root.path, root.path)
            for folder in _configured_below(str(root.path), run_paths, deadline):
                yield EmbeddingFolder(root.run_name(folder), root.path / folder, root.path)

    def named(self, name: RunName) -> EmbeddingFolder | None:
        for run in self._store.runs():
            if run.name == name:
                return self._of_run(run)
        return next((found for root in self._roots if (found := _below(root, name))), None)

    def _of_run(self, run: NamedFolder) -> EmbeddingFolder:
        path = f"{run.path}/"
        above = (root.path for root in self._roots if path.startswith(f"{root.path}/"))
        return EmbeddingFolder(run.name, run.path, next(above, run.path))


def _below(root: LogRoot, name: RunName) -> EmbeddingFolder | None:
    """The folder of a log directory that has no run and is shown under this name."""
    if name == root.run_name(""):
        return EmbeddingFolder(name, root.path, root.path)
    relative = name.removeprefix(f"{root.name}/") if root.name else str(name)
    is_plain = "\0" not in relative and all(part and not part.startswith(".") for part in relative.split("/"))
    if not is_plain or root.run_name(relative) != name:
        return None
    for path in (root.path / relative, root.path / system_path(relative)):
        try:
            is_inside = path.resolve(strict=True).is_relative_to(root.path.resolve())
            if is_inside and (path / FILE_NAME).is_file():
                return EmbeddingFolder(name, path, root.path)
        except OSError:
            continue
    return None


def _configured_below(root: str, run_paths: set[str], deadline: float) -> Iterator[str]:
    """The folders below with a projector config, relative to the root, without those in the folders of runs."""
    to_do = [""]
    while to_do and time.monotonic() < deadline:
        folder = to_do.pop(0)
        try:
            entries = sorted(os.scandir(os.path.join(root, folder)), key=lambda entry: entry.name)  # noqa: PTH118
        except OSError:
            continue
        # The folder of the plugin belongs to the log directory.
        if folder not in ("", PLUGIN_FOLDER) and any(entry.name == FILE_NAME for entry in entries):
            yield folder
        if folder.count("/") >= MAX_DEPTH - 1:
            continue
        to_do += [path for entry in entries if (path := _searched(entry, folder, run_paths))]


def _searched(entry: os.DirEntry[str], folder: str, run_paths: set[str]) -> str:
    """The path of a folder to search, or "": hidden ones are not."""
    try:
        is_folder = entry.is_dir(follow_symlinks=False)
    except OSError:
        return ""
    if not is_folder or entry.name.startswith(".") or entry.path in run_paths:
        return ""
    return f"{folder}/{entry.name}" if folder else entry.name
