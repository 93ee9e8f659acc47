"""Plan: decides for each piece what happens with it, given what is on disk and what the plan stores already.

Nothing is changed until the plan is carried out, except that a new file exists, empty.
"""

from __future__ import annotations

from pathlib import Path

from seamark.team.ingest.entry import Entry
from seamark.team.ingest.log_files import LogFiles
from seamark.upload.wire import PieceResult, hash_bytes


class Plan:
    def __init__(self, files: LogFiles) -> None:
        self._files = files
        self._lengths: dict[Path, int] = {}  # of the files that the plan appends to, as they will be
        self._replaced: set[Path] = set()
        self.entries: list[Entry] = []

    def must_wait(self, entry: Entry) -> bool:
        """Whether the plan has to be carried out before one can decide about this entry."""
        target, path = self._paths(entry)
        if path in self._replaced or (entry.replaces is not None and path in self._lengths):
            return True
        return target in self._lengths and entry.offset != self._lengths[target]

    def add(self, entry: Entry) -> PieceResult:
        """Adds what has to be stored of an entry. Raises OSError if its name cannot be."""
        target, path = self._paths(entry)
        if entry.replaces is not None and not entry.offset and self._is_replaced_already(entry, path):
            return PieceResult("had", entry.replaces.length)
        length = self._lengths.get(target)
        if length is None:
            length = self._files.length(target)
        if entry.replaces is not None and length is not None and length >= entry.replaces.length:
            target.unlink()  # complete, but it could not take its place
            length = None
        if length is None and not entry.offset:
            self._files.create(target)
            if entry.replaces is not None:
                self._files.path(entry.project_id, entry.run, entry.file).parent.mkdir(parents=True, exist_ok=True)
        length = length or 0
        if entry.offset > length:
            return PieceResult("gap", length)
        if entry.offset < length:
            known = min(entry.end, length)
            stored = self._files.read(target, entry.offset, known)
            if hash_bytes(stored) != hash_bytes(entry.data[: known - entry.offset]):
                return PieceResult("differs", length)
            if entry.end <= length:
                return PieceResult("had", length)
            entry = Entry(
                entry.project_id, entry.run, entry.file, length, entry.data[length - entry.offset :], entry.replaces
            )
        elif not entry.data and entry.replaces is None:
            return PieceResult("stored", length)
        self.entries.append(entry)
        self._lengths[target] = entry.end
        if entry.replaces is not None and entry.end >= entry.replaces.length:
            self._replaced.add(path)
        return PieceResult("stored", entry.end)

    def _is_replaced_already(self, entry: Entry, path: Path) -> bool:
        whole = entry.replaces
        assert whole is not None
        if self._files.length(path) != whole.length:
            return False
        return self._files.hash(path, whole.length, is_exact=True) == whole.hash

    def _paths(self, entry: Entry) -> tuple[Path, Path]:
        return self._files.target(entry), self._files.path(entry.project_id, entry.run, entry.file)
