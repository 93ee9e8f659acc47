"""LogFiles: the uploaded files of all projects, byte for byte as the trainers wrote them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from seamark.team.ingest.entry import Entry
from seamark.team.ingest.journal import sync_folder, write_all
from seamark.team.settings import TeamFolder
from seamark.upload.fingerprint import exact_hash, fingerprint
from seamark.upload.wire import Whole

ABANDONED_SECS = 7 * 24 * 3600.0


class LogFiles:
    """Any thread may read. Only the appender's thread writes. Callers have checked the names."""

    def __init__(self, folder: TeamFolder, on_change: Callable[[str], None] = lambda _: None) -> None:
        """`on_change` is called with the id of a project whose files were written."""
        self._folder = folder
        self._on_change = on_change
        self._unsynced: set[Path] = set()

    def path(self, project_id: str, run: str, file: str) -> Path:
        return self._folder.logs_dir(project_id) / run / file

    def target(self, entry: Entry) -> Path:
        """The file that the bytes of an entry are written to: the file itself, or its new content."""
        if entry.replaces is None:
            return self.path(entry.project_id, entry.run, entry.file)
        return self._incoming(entry.project_id, entry.run, entry.file, entry.replaces)

    def length(self, path: Path) -> int | None:
        """None if there is no such file. Raises OSError if there is something else."""
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        if not path.is_file():
            raise IsADirectoryError(f"this is a folder: '{path.name}'")
        return status.st_size

    def hash(self, path: Path, length: int, *, is_exact: bool = False) -> bytes:
        """Of the first bytes of a file. Raises OSError."""
        with opened(path, os.O_RDONLY) as descriptor:
            return exact_hash(descriptor, length) if is_exact else fingerprint(descriptor, length)

    def read(self, path: Path, start: int, stop: int) -> bytes:
        with opened(path, os.O_RDONLY) as descriptor:
            return os.pread(descriptor, stop - start, start)

    def create(self, path: Path) -> None:
        """An empty file, if there is none: a name that cannot be is an error before anything is accepted."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with opened(path, os.O_WRONLY | os.O_CREAT):
            pass

    def write(self, entry: Entry) -> bool:
        """Writes the bytes of an entry. False if its new content is complete and is not what was announced.

        Writing an entry again changes nothing. An entry behind the end of its file is ignored: in a replayed journal a
        later entry replaces that file. Raises OSError, and then the file has its earlier length.
        """
        target = self.target(entry)
        if entry.offset > (self.length(target) or 0):
            return True
        self.create(target)
        with opened(target, os.O_RDWR) as descriptor:
            length = os.fstat(descriptor).st_size
            try:
                write_all(descriptor, entry.data, entry.offset)
            except OSError:
                os.ftruncate(descriptor, length)
                raise
        self._unsynced.add(target)
        is_right = True
        if entry.replaces is not None and entry.end >= entry.replaces.length:
            is_right = self._replace(entry, entry.replaces)
        self._on_change(entry.project_id)
        return is_right

    def take_unsynced(self) -> set[Path]:
        taken, self._unsynced = self._unsynced, set()
        return taken

    def put_back(self, unsynced: set[Path]) -> None:
        self._unsynced |= unsynced

    def list(self, project_id: str, run: str, other_runs: Collection[str] = ()) -> list[tuple[str, int]]:
        """The files of a run with their lengths, without those of runs in folders below it."""
        logs = self._folder.logs_dir(project_id)
        found = []
        for folder, folders, files in os.walk(logs / run):
            inside = Path(folder)
            folders[:] = sorted(
                name
                for name in folders
                if not name.startswith(".") and str((inside / name).relative_to(logs)) not in other_runs
            )
            for name in sorted(files):
                path = inside / name
                if not name.startswith(".") and (length := self.length(path)) is not None:
                    found.append((str(path.relative_to(logs / run)), length))
        return found

    def remove_abandoned(self) -> None:
        """New contents of files whose sender did not come back."""
        for path in (self._folder.path / "projects").glob("*/incoming/*"):
            if time.time() - path.stat().st_mtime > ABANDONED_SECS:
                path.unlink(missing_ok=True)

    def _replace(self, entry: Entry, whole: Whole) -> bool:
        incoming = self.target(entry)
        if self.length(incoming) != whole.length or self.hash(incoming, whole.length, is_exact=True) != whole.hash:
            incoming.unlink()
            return False
        path = self.path(entry.project_id, entry.run, entry.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        incoming.replace(path)
        self._unsynced.discard(incoming)
        self._unsynced.add(path)
        return True

    def _incoming(self, project_id: str, run: str, file: str, whole: Whole) -> Path:
        name = blake2b(f"{run}\0{file}\0{whole.length}\0".encode() + whole.hash, digest_size=20).hexdigest()
        return self._folder.project_dir(project_id) / "incoming" / name


def sync_files(paths: set[Path], root: Path) -> None:
    """Files and the folders that name them, up to `root`, are on disk when it returns. Raises OSError."""
    for path in paths:
        try:
            with opened(path, os.O_RDONLY) as descriptor:
                os.fsync(descriptor)
        except FileNotFoundError:
            continue  # it replaced another file, or was moved to the trash
    for folder in {parent for path in paths for parent in path.parents if parent.is_relative_to(root)}:
        if folder.is_dir():
            sync_folder(folder)


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
