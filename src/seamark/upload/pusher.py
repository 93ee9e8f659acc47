"""Pusher: sends the runs of a log directory to a team server, and what is added to them later.

The lengths that the server has are the truth, so that a pusher needs no memory of earlier ones: it asks once, and
compares fingerprints to notice files that were replaced.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from seamark.format.run_record import FILE_NAME as RECORD_FILE
from seamark.upload import wire
from seamark.upload.connection import Connection
from seamark.upload.errors import UploadError
from seamark.upload.local_runs import LocalRun, is_event_file
from seamark.upload.tracked_file import PIECE_BYTES, TrackedFile

REQUEST_BYTES = 4 << 20
MAX_RECORD_BYTES = 1 << 20
QUESTIONS = 500

FindRuns = Callable[[], Iterable[LocalRun]]


@dataclass
class Counts:
    """Since the pusher was made. `waiting_bytes` is what was still to be sent after the last look."""

    files: int = 0
    sent_bytes: int = 0
    waiting_bytes: int = 0
    had_bytes: int = 0  # the server had them already
    pieces: int = 0


class Pusher:
    """One thread uses it. `report` is called with a key and a sentence for each problem that does not stop it."""

    def __init__(
        self,
        connection: Connection,
        find: FindRuns,
        *,
        report: Callable[[str, str], None] = lambda key, sentence: None,
        progress: Callable[[Counts], None] = lambda counts: None,
    ) -> None:
        self._connection, self._find, self._report, self._progress = connection, find, report, progress
        self._files: dict[Path, TrackedFile] = {}
        self._names: dict[Path, str] = {}
        self.counts = Counts()
        self.pause_secs = 0.0  # what the server asked for

    def look(self, *, is_last: bool = False) -> int:
        """Looks for new and changed files and asks for those that the server was not asked for. Raises UploadError.

        Returns how many bytes are to be sent.
        """
        runs = list(self._find())
        self._choose_names([run for run in runs if run.folder not in self._names])
        for run in runs:
            for file in run.files:
                path = run.folder / file
                if path not in self._files:
                    self._files[path] = TrackedFile(self._names[run.folder], file, path)
        self.counts.files = len(self._files)
        self._ask_lengths([each for each in self._files.values() if not each.is_known])
        self.counts.waiting_bytes = sum(each.waiting_bytes(is_last=is_last) for each in self._files.values())
        return self.counts.waiting_bytes

    def send(self, *, is_last: bool = False, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Sends what `look` found. Raises UploadError: what was not acknowledged is sent again next time."""
        for batch in self._batches(is_last=is_last):
            response = self._connection.upload(wire.UploadRequest([piece for _, piece in batch]))
            if len(response.results) != len(batch):
                raise UploadError("the server answered for another number of pieces", is_temporary=False)
            for (file, piece), result in zip(batch, response.results, strict=True):
                self._apply(file, piece, result)
            self.pause_secs = response.pause_secs
            self._progress(self.counts)
            if should_stop():
                return

    def push(self, *, is_last: bool = False, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Looks and sends until nothing is left for now. Raises UploadError."""
        previous = None
        while self.look(is_last=is_last) and not should_stop():
            before = self.counts.pieces
            self.send(is_last=is_last, should_stop=should_stop)
            if self.counts.pieces == before and previous == before:
                return  # what is left waits: it was refused, or changes all the time
            previous = before

    def unsent(self) -> list[Path]:
        """The files that the server does not have exactly as they are. Raises UploadError.

        They are looked at and sent again next time.
        """
        self.look(is_last=True)
        found = []
        for file, answer in self._answers(list(self._files.values())):
            if not file.is_same(answer):
                file.forget()
                found.append(file.path)
        return found

    def _choose_names(self, runs: list[LocalRun]) -> None:
        """A run has its own name on the server, unless a run with another id has it: then its id is added."""
        records = {run.folder / RECORD_FILE: run for run in runs if RECORD_FILE in run.files}
        asked = [TrackedFile(run.name, RECORD_FILE, path) for path, run in records.items()]
        for record, answer in self._answers(asked):
            if answer.length and not record.is_same(answer):
                run = records[record.path]
                self._names[run.folder] = self._free_name(run, answer.length)
        for run in runs:
            self._names.setdefault(run.folder, run.name)

    def _free_name(self, run: LocalRun, length: int) -> str:
        with self._connection.file(run.name, RECORD_FILE, 0, min(length, MAX_RECORD_BYTES)) as blocks:
            theirs = record_id(b"".join(blocks))
        try:
            ours = record_id((run.folder / RECORD_FILE).read_bytes())
        except OSError:
            return run.name
        if not ours or not theirs or ours == theirs:
            return run.name
        name = f"{run.name}-{ours}"
        sentence = f"another run is called '{run.name}' on the server; this one is '{name}' there"
        self._report(f"name {run.folder}", sentence)
        return name

    def _ask_lengths(self, files: list[TrackedFile]) -> None:
        for file, answer in self._answers(files):
            if answer.problem:
                self._report(f"file {file.path}", f"{answer.problem}: '{file.path}'")
            state = file.settle(answer)
            self.counts.had_bytes += file.sent
            if state == "ahead":
                self._report(f"ahead {file.path}", f"the server has more of this file than is here: '{file.path}'")
            elif state == "differs" and is_event_file(file.file):
                sentence = f"the server has another content of this file, which is replaced: '{file.path}'"
                self._report(f"differs {file.path}", sentence)

    def _answers(self, files: list[TrackedFile]) -> Iterator[tuple[TrackedFile, wire.FileAnswer]]:
        """What the server has of these files, without those that are gone here. Raises UploadError."""
        for start in range(0, len(files), QUESTIONS):
            some = files[start : start + QUESTIONS]
            asked = [(file, question) for file in some if (question := file.question()) is not None]
            if asked:
                answers = self._connection.lengths(wire.LengthsRequest([question for _, question in asked])).files
                yield from zip((file for file, _ in asked), answers, strict=True)

    def _batches(self, *, is_last: bool) -> Iterator[list[tuple[TrackedFile, wire.Piece]]]:
        """Requests of bounded size. At most one piece of a file is under way, since its answer decides the next."""
        waiting = [file for file in self._files.values() if file.waiting_bytes(is_last=is_last)]
        while waiting:
            batch: list[tuple[TrackedFile, wire.Piece]] = []
            size, left = 0, []
            for file in waiting:
                if size >= REQUEST_BYTES or len(batch) >= wire.MAX_PIECES:
                    left.append(file)
                    continue
                piece = file.next_piece(min(PIECE_BYTES, REQUEST_BYTES - size))
                if piece is not None:
                    batch.append((file, piece))
                    size += piece.length
            if batch:
                yield batch
            more = [file for file, _ in batch if file.is_known and file.waiting_bytes(is_last=is_last) > 1]
            waiting = [*left, *more]

    def _apply(self, file: TrackedFile, piece: wire.Piece, result: wire.PieceResult) -> None:
        file.apply(piece, result)
        if result.outcome == "refused":
            self._report(result.problem, f"{result.problem}: '{file.path}'")
        elif result.outcome in ("stored", "had"):
            self.counts.pieces += 1
            if result.outcome == "stored":
                self.counts.sent_bytes += piece.length
            self.counts.waiting_bytes = max(0, self.counts.waiting_bytes - piece.length)


def record_id(text: bytes) -> str:
    """The id in a run.json; "" if there is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return ""
    return str(found.get("id", "")) if isinstance(found, dict) else ""
