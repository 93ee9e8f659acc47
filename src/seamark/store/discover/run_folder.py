"""Where a run lies: a folder of a log directory, and the name it is shown under."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from seamark.format.types import RunName
from seamark.store.discover.roots import LogRoot

# Brings a range of a file, given by its path, to this machine and holds it there for a while. Raises OSError.
Fetch = Callable[[str, int, int], AbstractContextManager[None]]


class RunFolder:
    """`folder` is relative to the root with "/" between its parts, "" for the root itself.

    The library may give it another name before it publishes the run; nothing changes after that.
    """

    __slots__ = ("_path", "fetch", "folder", "name", "root")

    def __init__(self, root: LogRoot, folder: str, fetch: Fetch | None = None) -> None:
        self.fetch = fetch
        self.root = root
        self.folder = folder
        self.name: RunName = root.run_name(folder)
        self._path: Path | None = None

    @property
    def path(self) -> Path:
        if self._path is None:  # cached: every list of runs contains it
            self._path = self.root.path / self.folder
        return self._path

    @property
    def shown_path(self) -> str:
        """What people know the folder by."""
        return self.root.shown_path(self.folder)

    def fetched(self, path: str, start: int, stop: int) -> AbstractContextManager[None]:
        """While it lasts, this range of a file of the run can be read from the disk. Raises OSError."""
        return nullcontext() if self.fetch is None else self.fetch(path, start, stop)

    def file_path(self, file_name: str) -> str:
        return os.path.join(self.root.path, self.folder, file_name)  # noqa: PTH118

    def shown_file_path(self, file_name: str) -> str:
        return self.root.shown_path(f"{self.folder}/{file_name}" if self.folder else file_name)
