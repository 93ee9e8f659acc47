"""The index of one log directory: a catalogue of event files and the chunk files with their rows."""

from __future__ import annotations

import itertools
import logging
import shutil
import sqlite3
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from seamark import _core
from seamark.store.discover.roots import printable_path
from seamark.store.discover.walk import FoundFile
from seamark.store.index.catalogue import Catalogue, Entry, OtherVersionError
from seamark.store.index.chunk_file import ChunkFile
from seamark.store.index.indexed_file import IndexedFile
from seamark.store.index.location import index_path
from seamark.store.index.lock import IndexLock
from seamark.store.index.run_files import CachedRunFile, RunFiles
from seamark.store.read.event_file import EventFile
from seamark.store.read.file_state import FileState
from seamark.store.status import Problem, Severity

LOG = logging.getLogger(__name__)
IndexFailure = (OSError, sqlite3.Error)
_UNUSABLE = (OtherVersionError, sqlite3.DatabaseError, ValueError, KeyError, TypeError)


class Index:
    """The follower thread opens it and restores files from it; after that the committer thread owns it.

    `is_writable` turns False for good when writing fails: new data then stays in memory. With `read_only` nothing is
    written or locked. A `label` is shown in place of its path.
    """

    def __init__(self, index_dir: Path, root: Path, *, read_only: bool = False, label: str = "") -> None:
        self.path = index_path(index_dir, root)
        self._label = label
        self._read_only = read_only
        self.is_writable = False
        self.problem: Problem | None = None
        self.cache_dir = self.path / "cache"  # for other packages; the index does not look into it
        self._chunks = self.path / "chunks"
        self._lock = IndexLock(self.path / "lock")
        self._catalogue: Catalogue | None = None
        self._writing = threading.Lock()
        self._entries: dict[str, Entry] = {}  # by path, of files that the first walk has not found yet
        self._orphans: dict[tuple[int, int], Entry] = {}  # those whose path no longer exists, by device and inode
        self._files: dict[EventFile, IndexedFile] = {}
        self._owners: dict[str, EventFile] = {}  # by path in the catalogue
        self._names = itertools.count()
        self._name_prefix = f"{time.time_ns():x}"

    def open(self) -> None:
        """Reads the catalogue. An index that cannot be used is reported as `problem`; nothing is raised."""
        try:
            if self._read_only:
                self._open_for_reading()
                return
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._lock.acquire():
                self._open_for_writing()
            else:
                self._open_for_reading()
        except IndexFailure as error:
            self.fail(error)

    def restore(self, file: EventFile, found: FoundFile) -> FileState | None:
        """Returns the state that the index has of a file, under its path or, if it was renamed, its old one."""
        path = _relative(found.folder, found.name)
        entry = self._entries.get(path)
        if entry is None or _inode(entry) != found.identity[:2]:
            entry = self._orphans.pop(found.identity[:2], entry)
        if entry is None:
            return None
        del self._entries[entry.path]
        if self.is_writable:
            self._files[file] = IndexedFile(path=entry.path, chunk=entry.chunk)
            self._owners[entry.path] = file
        return entry.state

    def expect(self, files: Sequence[FoundFile]) -> None:
        """Sets which files exist, before they are restored: every other entry may be of a renamed file."""
        present = {_relative(f.folder, f.name) for f in files}
        self._orphans = {_inode(entry): entry for path, entry in self._entries.items() if path not in present}

    def drop_leftovers(self, run_folders: Collection[str]) -> None:
        """Deletes the entries of files and run folders that the first walk did not find."""
        rest, self._entries, self._orphans = list(self._entries.values()), {}, {}
        if not self.is_writable:
            return
        try:
            if rest:
                self.commit([], [entry.path for entry in rest])
            self._delete_other_run_files(run_folders)
            for entry in rest:
                entry.chunk.unlink()
        except IndexFailure as error:
            self.fail(error)

    def is_indexed(self, file: EventFile) -> bool:
        """Whether the catalogue has an entry of the file. For any thread."""
        indexed = self._files.get(file)
        return indexed is not None and indexed.path is not None

    def indexed(self, file: EventFile) -> IndexedFile:
        return self._files.setdefault(file, IndexedFile())

    def discard(self, file: EventFile) -> None:
        """Forgets a file that was removed."""
        self._files.pop(file, None)

    def claim(self, file: EventFile) -> tuple[str, list[str]]:
        """Returns the path to enter a file under, and the paths to delete for it."""
        location, indexed = file.location, self.indexed(file)
        path = _relative(location.run.folder, location.name)
        stale = self.release(file) if indexed.path != path else []
        self._owners[path] = file
        indexed.path = path
        return path, stale

    def release(self, file: EventFile) -> list[str]:
        """Returns the paths to delete for a file; not its old path if another file has that now."""
        indexed = self.indexed(file)
        path, indexed.path = indexed.path, None
        if path is None or self._owners.get(path) is not file:
            return []
        del self._owners[path]
        return [path]

    def new_chunk(self) -> ChunkFile:
        return ChunkFile(str(self._chunks), f"{self._name_prefix}-{next(self._names):x}")

    def find_changed_chunks(self) -> list[EventFile]:
        """Returns the files whose chunk file another program has changed or removed since it was opened.

        Called on the committer thread, so that no chunk file is appended to meanwhile.
        """
        if not self.is_writable:
            return []  # another process may write to the chunk files
        opened = [
            (file, chunk)
            for file, indexed in list(self._files.items())
            if (chunk := indexed.chunk) and chunk.seen_as and indexed.generation == file.content.generation
        ]
        found = _core.walk(str(self._chunks), "", event_file_mark="", empty_run_suffix="", skipped="")
        now = {name: (inode, size, mtime_ns) for _, name, _, inode, size, mtime_ns in found[0]}
        return [file for file, chunk in opened if now.get(chunk.name) != chunk.seen_as]

    def commit(self, changed: Sequence[Entry], dropped: Sequence[str]) -> None:
        """Raises OSError or sqlite3.Error; the caller calls `fail` then."""
        assert self._catalogue is not None
        with self._writing:
            self._catalogue.commit(changed, dropped)

    def cached_run_files(self, folders: Collection[str]) -> dict[str, dict[str, CachedRunFile]]:
        """Returns the cached parsed files of these run folders. For any thread; it opens a connection of its own."""
        if not self._file.exists():
            return {}
        try:
            catalogue = Catalogue(self._file, chunks=self._chunks, read_only=True)
            try:
                return catalogue.run_files(folders)
            finally:
                catalogue.close()
        except _UNUSABLE as error:
            LOG.warning("the cached run files cannot be read (%s): '%s'", error, printable_path(str(self._file)))
            return {}

    def commit_run_files(self, files: Mapping[str, RunFiles]) -> None:
        """Raises OSError or sqlite3.Error; the caller calls `fail` then."""
        assert self._catalogue is not None
        with self._writing:
            self._catalogue.replace_run_files(files)

    def fail(self, error: Exception) -> None:
        """Stops writing, and reports the first error as `problem`."""
        self.is_writable = False
        if self.problem is not None:
            return
        path = self._label or printable_path(str(self.path))
        if isinstance(error, IndexFailure):
            reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
            message = f"the index cannot be written ({reason}); new data stays in memory: '{path}'"
            LOG.warning("the index cannot be written (%s): '%s'", reason, self.path)
        else:
            message = (
                f"a defect of Seamark stopped it from writing the index ({type(error).__name__}: {error}); new data "
                f"stays in memory; please report it with the traceback from the terminal of the server: '{path}'"
            )
            LOG.error("the index cannot be written: '%s'", self.path, exc_info=error)
        self.problem = Problem(Severity.WARNING, message, path)

    def close(self) -> None:
        if self._catalogue is not None:
            self._catalogue.close()
        self._lock.release()

    def _open_for_writing(self) -> None:
        try:
            self._catalogue = self._open_catalogue()
            entries = self._catalogue.entries()
        except _UNUSABLE as error:
            LOG.info("rebuilding the index, because it is damaged or of another version (%s): '%s'", error, self.path)
            self._clear()
            self._catalogue = self._open_catalogue()
            entries = []
        self._chunks.mkdir(exist_ok=True)
        self._entries = {entry.path: entry for entry in self._without_broken(entries)}
        self.is_writable = True

    def _open_for_reading(self) -> None:
        """Another process owns the index: read what it has committed, keep the rest in memory."""
        try:
            catalogue = Catalogue(self._file, chunks=self._chunks, read_only=True)
            try:
                self._entries = {entry.path: entry for entry in catalogue.entries()}
            finally:
                catalogue.close()
        except _UNUSABLE as error:
            self._entries = {}  # written by another version, or being created right now
            LOG.info("reading without the index (%s): '%s'", error, self.path)

    def _delete_other_run_files(self, folders: Collection[str]) -> None:
        assert self._catalogue is not None
        with self._writing:
            self._catalogue.delete_other_run_files(folders)

    def _open_catalogue(self) -> Catalogue:
        return Catalogue(self._file, chunks=self._chunks)

    @property
    def _file(self) -> Path:
        return self.path / "catalogue.sqlite"

    def _clear(self) -> None:
        if self._catalogue is not None:
            self._catalogue.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._file}{suffix}").unlink(missing_ok=True)
        shutil.rmtree(self._chunks, ignore_errors=True)

    def _without_broken(self, entries: list[Entry]) -> list[Entry]:
        """Leaves out entries whose chunk file is missing or too short, and deletes chunk files without an entry."""
        found = _core.walk(str(self._chunks), "", event_file_mark="", empty_run_suffix="", skipped="")
        sizes = {name: size for _, name, _, _, size, _ in found[0]}
        intact = [entry for entry in entries if sizes.get(entry.chunk.name, 0) >= entry.chunk.length]
        for name in sizes.keys() - {entry.chunk.name for entry in intact}:
            (self._chunks / name).unlink(missing_ok=True)
        return intact


def _relative(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _inode(entry: Entry) -> tuple[int, int]:
    return entry.state.identity.dev, entry.state.identity.ino
