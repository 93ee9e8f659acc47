"""Ingest: the parts that uploads go through, and how they are wired."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from seamark.team.database import Database, DatabaseError
from seamark.team.ingest.appender import Appender
from seamark.team.ingest.batch import Upload
from seamark.team.ingest.checkpoints import Checkpoints
from seamark.team.ingest.durable import Durable
from seamark.team.ingest.journal import Journal
from seamark.team.ingest.log_files import LogFiles
from seamark.team.ingest.run_rows import RunRows
from seamark.team.ingest.stale_files import remove_stale_files
from seamark.team.settings import TeamFolder
from seamark.upload.wire import PieceResult

if TYPE_CHECKING:
    from seamark.team.ingest.piece_objects import PieceObjects

# A trainer sends once in this time while there are few of them, and less often while there are many.
PAUSE_SECS = 1.0
REQUESTS_PER_SEC = 100


class FileGrewError(Exception):
    """Somebody uploaded to a file that was to be replaced."""


class Ingest:
    """Any thread may call any method."""

    def __init__(
        self,
        folder: TeamFolder,
        database: Database,
        storage: str = "",
        *,
        on_change: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`on_change` is called with the id of a project whose files were written, on the appender's thread."""
        self._folder, self._database = folder, database
        self.files = LogFiles(folder, on_change)
        self.objects = open_objects(database, storage)
        self._journal = journal = open_journal(folder, database, self.files, self.objects)
        self._rows = RunRows(database, self.files)
        self._checkpoints = Checkpoints(journal, self.files, self._rows, folder.path)
        self._appender = Appender(journal, self.files, self._rows, self._checkpoints)
        self._senders: dict[str, float] = {}

    def start(self) -> None:
        """Restores what the journal has. Raises OSError."""
        self.files.remove_abandoned()
        if self.objects is not None:
            remove_stale_files(self._folder, self._database)
        self._appender.start()
        self._checkpoints.start()

    def submit(self, upload: Upload) -> Future[list[PieceResult]]:
        """The future gets the results when the bytes are durable. Raises RequestError."""
        return self._appender.submit(upload)

    def run_exclusively(self, work: Callable[[], None]) -> Future[None]:
        """Runs `work` between uploads, with an empty journal. For moving and deleting the files of runs."""
        return self._appender.run_exclusively(work)

    def change_files(self, work: Callable[[], None]) -> None:
        """As `run_exclusively`, and waits. Afterwards the rows and sizes of runs are read again."""

        def change() -> None:
            self._rows.save()
            try:
                work()
            finally:
                self._rows.forget()

        self.run_exclusively(change).result()

    def replace_file(self, project_id: str, run: str, file: str, content: Path, *, old_length: int) -> None:
        """Puts `content`, a file beside it, in place of a file. Raises FileGrewError, OSError or DatabaseError."""
        path = self.files.path(project_id, run, file)

        def replace() -> None:
            if path.stat().st_size != old_length:
                raise FileGrewError(f"the file grew while it was rewritten: '{path.name}'")
            self._journal.replace(project_id, run, file, content)
            content.replace(path)

        self.change_files(lambda: self._journal.exclusively(replace))
        if self.objects is not None:
            self.objects.collect(project_id, [run])

    def forget_runs(self, project_id: str, runs: Collection[str] | None = None) -> None:
        """Removes runs, or with None all of a project, from the object storage. Raises OSError or DatabaseError."""
        if self.objects is not None and (runs is None or runs):
            self.objects.forget_runs(project_id, runs)

    def pause_secs(self, sender: str) -> float:
        """How long a sender should wait before its next request, by how many there are."""
        now = time.monotonic()
        self._senders[sender] = now
        if len(self._senders) > REQUESTS_PER_SEC:
            recent = now - 4 * PAUSE_SECS * max(1.0, len(self._senders) / REQUESTS_PER_SEC)
            self._senders = {name: at for name, at in list(self._senders.items()) if at > recent}
        return PAUSE_SECS * max(1.0, len(self._senders) / REQUESTS_PER_SEC)

    def close(self) -> None:
        self._appender.close()
        self._checkpoints.close()


def open_objects(database: Database, storage: str) -> PieceObjects | None:
    """Raises DatabaseError for an address that is not s3://bucket/prefix. None if there is no object storage."""
    if not storage:
        return None
    if not storage.startswith("s3://"):
        raise DatabaseError(f"want --storage s3://bucket/prefix, or none for the folder; got '{storage}'")
    from seamark.team.ingest.piece_objects import PieceObjects  # an extra

    return PieceObjects(storage, database)


def open_journal(folder: TeamFolder, database: Database, files: LogFiles, objects: PieceObjects | None) -> Durable:
    if objects is None:
        return Journal(folder.journal_dir)
    from seamark.team.ingest.object_journal import ObjectJournal  # an extra

    return ObjectJournal(objects, database, files, folder.journal_dir)
