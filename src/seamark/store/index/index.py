"""The index of one log directory: opened once, then written by the committer only."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from seamark import _core
from seamark.store.discovery import FoundFile
from seamark.store.event_file import EventFile
from seamark.store.file_state import FileState
from seamark.store.index.catalogue import Catalogue, Entry, OtherVersionError
from seamark.store.index.chunk_file import ChunkFile
from seamark.store.index.location import index_path
from seamark.store.index.lock import IndexLock
from seamark.store.roots import shown
from seamark.store.status import Problem, Severity

IndexFailure = (OSError, sqlite3.Error)
_UNUSABLE = (OtherVersionError, sqlite3.DatabaseError, ValueError, KeyError, TypeError)


class Index:
    """`is_writable` turns False for good when writing fails: then everything new stays in memory.

    With `read_only` it is another's from the start: nothing is written, nothing locked.
    """

    def __init__(self, index_dir: Path, root: Path, *, read_only: bool = False) -> None:
        self.path = index_path(index_dir, root)
        self._read_only = read_only
        self.is_writable = False
        self.problem: Problem | None = None
        self._root = root
        self._chunks = self.path / "chunks"
        self._lock = IndexLock(self.path / "lock")
        self._catalogue: Catalogue | None = None
        self._writing = threading.Lock()
        self._entries: dict[str, Entry] = {}  # by path; each is taken out when its file turns up
        self._orphans: dict[tuple[int, int], Entry] = {}  # those whose path is gone, by inode
        self._owners: dict[str, EventFile] = {}
        self._names = itertools.count()
        self._name_prefix = f"{time.time_ns():x}"

    def open(self) -> None:
        """Reads what there is. Never raises: an index that cannot be used is a problem to show, not to fail on."""
        try:
            if self._read_only:
                self._open_as_guest()
                return
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._lock.acquire():
                self._open_as_owner()
            else:
                self._open_as_guest()
        except IndexFailure as error:
            self.fail(error)

    def restore(self, file: EventFile, found: FoundFile) -> FileState | None:
        """Gives a file what the index knows of it, under its name or, if it was renamed, under its old one."""
        file.index = self
        path = _relative(found.folder, found.name)
        entry = self._entries.get(path)
        if entry is None or _inode(entry) != found.identity[:2]:
            entry = self._orphans.pop(found.identity[:2], entry)
        if entry is None:
            return None
        del self._entries[entry.path]
        if self.is_writable:
            file.chunk = entry.chunk
            file.indexed_as = entry.path
            self._owners[entry.path] = file
        return entry.state

    def expect(self, files: Sequence[FoundFile]) -> None:
        """Tells which files exist, before they are restored: any other entry may be one that was renamed."""
        present = {_relative(f.folder, f.name) for f in files}
        self._orphans = {_inode(entry): entry for path, entry in self._entries.items() if path not in present}

    def drop_leftovers(self) -> None:
        """After the first walk: entries whose files are gone go, too."""
        rest, self._entries, self._orphans = list(self._entries.values()), {}, {}
        if not rest or not self.is_writable:
            return
        try:
            self.commit([], [entry.path for entry in rest])
            for entry in rest:
                entry.chunk.unlink()
        except IndexFailure as error:
            self.fail(error)

    def keep_leftovers(self) -> None:
        """The log directory is not there (not mounted?): its entries stay for when it is back."""
        self._orphans = {}

    def claim(self, file: EventFile) -> tuple[str, list[str]]:
        """The path to enter a file under, and those that no longer lead to it."""
        path = _relative(file.run.folder, file.name)
        stale = self.release(file) if file.indexed_as != path else []
        self._owners[path] = file
        file.indexed_as = path
        return path, stale

    def release(self, file: EventFile) -> list[str]:
        """The paths to drop for a file; not its old one if another file has taken that since."""
        path = file.indexed_as
        file.indexed_as = None
        if path is None or self._owners.get(path) is not file:
            return []
        del self._owners[path]
        return [path]

    def new_chunk(self) -> ChunkFile:
        return ChunkFile(str(self._chunks), f"{self._name_prefix}-{next(self._names):x}")

    def changed_behind_us(self) -> list[EventFile]:
        """Files whose rows lie in a chunk file that somebody else has changed, cut or removed since it was opened.

        For the thread that writes the index: nobody appends to a chunk file meanwhile.
        """
        if not self.is_writable:
            return []  # its owner writes to it
        opened = [(file, chunk) for file in list(self._owners.values()) if (chunk := file.chunk) and chunk.seen_as]
        found = _core.walk(str(self._chunks), "", event_mark="", empty_end="", skipped="")
        now = {name: (inode, size, mtime_ns) for _, name, _, inode, size, mtime_ns in found[0]}
        return [file for file, chunk in opened if now.get(chunk.name) != chunk.seen_as]

    def commit(self, changed: Sequence[Entry], dropped: Sequence[str]) -> None:
        """Raises OSError or sqlite3.Error; the caller calls `fail` then."""
        assert self._catalogue is not None
        with self._writing:
            self._catalogue.commit(changed, dropped)

    def fail(self, error: Exception) -> None:
        """Carries on in memory and says so, once."""
        self.is_writable = False
        if self.problem is None:
            reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
            path = shown(str(self.path))
            message = f"the index cannot be written ({reason}); what is read stays in memory: '{path}'"
            self.problem = Problem(Severity.WARNING, message, path)

    def close(self) -> None:
        if self._catalogue is not None:
            self._catalogue.close()
        self._lock.release()

    def _open_as_owner(self) -> None:
        try:
            self._catalogue = self._open_catalogue()
            entries = self._catalogue.entries()
        except _UNUSABLE:
            # Written by another version, or damaged: a cache is rebuilt, not repaired.
            self._clear()
            self._catalogue = self._open_catalogue()
            entries = []
        self._chunks.mkdir(exist_ok=True)
        self._entries = {entry.path: entry for entry in self._sound(entries)}
        self.is_writable = True

    def _open_as_guest(self) -> None:
        """Another process owns the index: take what it has committed, follow the rest in memory."""
        try:
            catalogue = Catalogue(self._file, chunks=self._chunks, read_only=True)
            try:
                self._entries = {entry.path: entry for entry in catalogue.entries()}
            finally:
                catalogue.close()
        except _UNUSABLE:
            self._entries = {}  # not of our version, or being made just now

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

    def _sound(self, entries: list[Entry]) -> list[Entry]:
        """Drops entries whose chunk file is missing or too short, and chunk files that no entry names."""
        found = _core.walk(str(self._chunks), "", event_mark="", empty_end="", skipped="")
        sizes = {name: size for _, name, _, _, size, _ in found[0]}
        sound = [entry for entry in entries if sizes.get(entry.chunk.name, 0) >= entry.chunk.length]
        for name in sizes.keys() - {entry.chunk.name for entry in sound}:
            (self._chunks / name).unlink(missing_ok=True)
        return sound


def _relative(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _inode(entry: Entry) -> tuple[int, int]:
    return entry.state.identity.dev, entry.state.identity.ino
