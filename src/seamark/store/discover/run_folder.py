"""Where a run lies: a folder of a log directory, and the name it is shown under."""

from __future__ import annotations

import os
from pathlib import Path

from seamark.format.types import RunName
from seamark.store.discover.roots import LogRoot


class RunFolder:
    """`folder` is relative to the root with "/" between its parts, "" for the root itself.

    The library may give it another name before it publishes the run; nothing changes after that.
    """

    __slots__ = ("_path", "folder", "name", "root")

    def __init__(self, root: LogRoot, folder: str) -> None:
        self.root = root
        self.folder = folder
        self.name: RunName = root.run_name(folder)
        self._path: Path | None = None

    @property
    def path(self) -> Path:
        if self._path is None:  # cached: every list of runs contains it
            self._path = self.root.path / self.folder
        return self._path

    def file_path(self, file_name: str) -> str:
        return os.path.join(self.root.path, self.folder, file_name)  # noqa: PTH118
