"""Batch: stores the uploads that waited together."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from seamark.team.ingest.durable import Durable
from seamark.team.ingest.entry import Entry
from seamark.team.ingest.log_files import LogFiles
from seamark.team.ingest.plan import Plan
from seamark.team.ingest.run_rows import RunRows
from seamark.upload.wire import PieceResult

FULL_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True)
class Upload:
    """The pieces of one request. `quota_bytes` is the limit of the project, None if it has none."""

    project_id: str
    user_id: str | None
    quota_bytes: int | None
    entries: Sequence[Entry]
    answer: Future[list[PieceResult]] = field(default_factory=Future)

    @property
    def bytes(self) -> int:
        return sum(len(entry.data) for entry in self.entries)


class Batch:
    def __init__(self, journal: Durable, files: LogFiles, rows: RunRows) -> None:
        self._journal, self._files, self._rows = journal, files, rows
        self._plan = Plan(files)
        # The entries of the plan, and where their results are.
        self._planned: list[tuple[Entry, list[PieceResult], int]] = []
        self._pending_bytes = 0  # of this batch, in projects with a quota

    def store(self, uploads: list[Upload]) -> list[list[PieceResult]]:
        """The results by upload. Raises OSError; then uploads are not stored, or only in part."""
        found = []
        for upload in uploads:
            results: list[PieceResult] = []
            room = self._room(upload)
            for entry in upload.entries:
                if self._plan.must_wait(entry):
                    self._carry_out()
                results.append(self._add(entry, room, results))
            found.append(results)
        self._carry_out()
        return found

    def _room(self, upload: Upload) -> str:
        """Why the upload exceeds the quota of its project; "" if it does not."""
        if upload.quota_bytes is None:
            return ""
        used = self._rows.used_bytes(upload.project_id)
        if used + self._pending_bytes + upload.bytes <= upload.quota_bytes:
            self._pending_bytes += upload.bytes
            return ""
        return (
            f"the project may use {upload.quota_bytes:,} bytes and uses {used:,}; "
            "delete runs, or ask an admin for a higher quota"
        )

    def _add(self, entry: Entry, no_room: str, results: list[PieceResult]) -> PieceResult:
        if self._rows.is_in_trash((entry.project_id, entry.run)):
            problem = f"run '{entry.run}' is in the trash of the project; restore it, or upload under another name"
            return PieceResult("refused", 0, problem)
        count = len(self._plan.entries)
        try:
            if no_room:
                return PieceResult("refused", 0, no_room)
            result = self._plan.add(entry)
        except OSError as error:
            if error.errno in FULL_DISK:
                raise
            return PieceResult("refused", 0, f"the file cannot be stored ({error.strerror or error}): '{entry.file}'")
        if len(self._plan.entries) > count:
            self._planned.append((self._plan.entries[-1], results, len(results)))
        return result

    def _carry_out(self) -> None:
        plan, planned = self._plan, self._planned
        self._plan, self._planned = Plan(self._files), []
        if not plan.entries:
            return
        self._journal.append(plan.entries)
        try:
            for entry, results, index in planned:
                before = self._size_before(entry)
                if self._files.write(entry):
                    self._rows.add((entry.project_id, entry.run), len(entry.data) - before)
                else:
                    results[index] = PieceResult("differs", 0)
        except OSError:
            self._journal.undo()
            raise

    def _size_before(self, entry: Entry) -> int:
        """What the completed new content of a file takes away: the bytes of its earlier content."""
        if entry.replaces is None or entry.end < entry.replaces.length:
            return 0
        return self._files.length(self._files.path(entry.project_id, entry.run, entry.file)) or 0
