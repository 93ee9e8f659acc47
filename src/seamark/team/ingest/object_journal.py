"""ObjectJournal: pieces as objects of S3 or alike, for a team server of several processes.

All pieces that are stored together are one object. Rows in the database say what is in it, in one order for all
processes. A process locks the row with the last number while it stores, so that two never write the same offset, and
every process makes the files in its own folder from the rows. That folder is a cache.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from seamark.team.database import Database, Transaction
from seamark.team.database.database import Row
from seamark.team.ingest.entry import Entry
from seamark.team.ingest.log_files import LogFiles
from seamark.team.ingest.piece_objects import PieceObjects, mark_unused
from seamark.upload.fingerprint import exact_hash
from seamark.upload.wire import Whole

FOLLOW_SECS = 1.0
MAX_ROWS = 2000
# Of the new content of a file, which may be long.
PART_BYTES = 8 << 20
# An object may be written again under another name between the reading of its row and of itself.
MAX_ATTEMPTS = 5
POSITION_FILE = "position"
COLUMNS = "sequence, project_id, run, file, start, length, whole_length, whole_hash, object, object_start"
FileKey = tuple[str, str, str]


class ObjectJournal:
    """A `Durable` for several processes."""

    follow_secs: float | None = FOLLOW_SECS

    def __init__(self, objects: PieceObjects, database: Database, files: LogFiles, folder: Path) -> None:
        self._objects = objects
        self._database, self._files = database, files
        self._position_path = folder / POSITION_FILE
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._seen = self._read_position()
        self._replayed = 0
        self._transaction: Transaction | None = None
        self._written: set[FileKey] = set()  # in the transaction that is not committed yet
        self._before = 0
        self._put: list[str] = []  # objects of that transaction

    @property
    def length(self) -> int:
        return self._replayed

    def replay(self) -> Iterator[list[Entry]]:
        attempts = 0
        while rows := self._database.read(self._newer):
            try:
                for entries in self._entries(rows):
                    yield entries
                    attempts = 0
            except FileNotFoundError:
                attempts += 1
                if attempts == MAX_ATTEMPTS:
                    raise
                continue  # writing entries again changes nothing
            self._seen = rows[-1][0]

    def follow(self) -> None:
        for entries in self.replay():
            self._write(entries)

    def exclusively(self, work: Callable[[], None]) -> None:
        def locked(transaction: Transaction) -> None:
            self._repair(transaction)
            self._transaction = transaction
            transaction.execute("UPDATE piece_sequence SET last = last")
            while rows := self._newer(transaction):
                for entries in self._entries(rows):
                    self._write(entries)
                self._seen = rows[-1][0]
            # The newest rows may be of a run that was deleted; their numbers must not be used again.
            (last,) = transaction.row("SELECT last FROM piece_sequence") or (0,)
            self._before = self._seen = max(self._seen, last)
            work()

        try:
            self._database.write(locked)
            self._written.clear()
        except BaseException:
            self._seen = min(self._seen, self._before)
            with suppress(OSError):  # otherwise the next sweep finds them
                self._objects.remove(self._put)
            raise
        finally:
            self._transaction = None
            self._put.clear()

    def append(self, entries: Sequence[Entry]) -> None:
        assert self._transaction is not None
        self._written |= {(entry.project_id, entry.run, entry.file) for entry in entries}
        name = self._objects.put(b"".join(entry.data for entry in entries))
        self._put.append(name)
        starts = itertools.accumulate((len(entry.data) for entry in entries), initial=0)
        for entry, start in zip(entries, starts, strict=False):
            self._insert(self._transaction, entry, name, start)
        self._transaction.execute("UPDATE piece_sequence SET last = ?", self._seen)
        self._replayed += sum(len(entry.data) for entry in entries)

    def replace(self, project_id: str, run: str, file: str, content: Path) -> None:
        with content.open("rb") as stream:
            length = content.stat().st_size
            whole = Whole(length, exact_hash(stream.fileno(), length))
            stream.seek(0)
            for start in range(0, max(length, 1), PART_BYTES):
                self.append([Entry(project_id, run, file, start, stream.read(PART_BYTES), whole)])

    def undo(self) -> None:
        """The exception that follows rolls back the transaction; the files are made again from the rows."""

    def rotate(self) -> int:
        self._replayed = 0
        return self._seen

    def drop(self, position: int) -> None:
        new = self._position_path.with_suffix(".new")
        new.write_text(str(position), encoding="ascii")
        new.replace(self._position_path)

    def close(self) -> None:
        """Nothing is open."""

    def _read_position(self) -> int:
        try:
            return int(self._position_path.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return 0

    def _newer(self, transaction: Transaction) -> list[Row]:
        return transaction.rows(
            f"SELECT {COLUMNS} FROM pieces WHERE sequence > ? ORDER BY sequence LIMIT {MAX_ROWS}", self._seen
        )

    def _entries(self, rows: list[Row]) -> Iterator[list[Entry]]:
        """The entries of each object. Raises OSError."""
        for name, group in itertools.groupby(rows, key=lambda row: str(row[8])):
            data = self._objects.get(name)
            entries = [entry_from(row, data) for row in group]
            self._replayed += sum(len(entry.data) for entry in entries)
            yield entries

    def _write(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._files.write(entry)

    def _insert(self, transaction: Transaction, entry: Entry, name: str, object_start: int) -> None:
        self._seen += 1
        whole = entry.replaces
        key = (entry.project_id, entry.run, entry.file)
        transaction.execute(
            f"INSERT INTO pieces ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(self._seen, *key, entry.offset, len(entry.data)),
            *((whole.length, whole.hash.hex()) if whole is not None else (None, None)),
            *(name, object_start),
        )
        if whole is not None and entry.end >= whole.length:
            # What a file was before it was replaced is not needed any more.
            mark_unused(
                transaction,
                "project_id = ? AND run = ? AND file = ? AND sequence < ? AND (whole_hash IS NULL OR whole_hash <> ?)",
                *(*key, self._seen, whole.hash.hex()),
            )

    def _repair(self, transaction: Transaction) -> None:
        """Makes the files of a transaction that failed again, from what was committed. Raises OSError."""
        for key in sorted(self._written):
            self._files.path(*key).unlink(missing_ok=True)
            for entries in self._entries(rows_of(transaction, key, self._seen)):
                self._write(entries)
            self._written.discard(key)


def rows_of(transaction: Transaction, key: FileKey, until: int) -> list[Row]:
    return transaction.rows(
        f"SELECT {COLUMNS} FROM pieces WHERE project_id = ? AND run = ? AND file = ? AND sequence <= ? "
        "ORDER BY sequence",
        *(*key, until),
    )


def entry_from(row: Row, data: bytes) -> Entry:
    _, project_id, run, file, start, length, whole_length, whole_hash, _, object_start = row
    whole = None if whole_length is None else Whole(whole_length, bytes.fromhex(whole_hash))
    return Entry(project_id, run, file, start, data[object_start : object_start + length], whole)
