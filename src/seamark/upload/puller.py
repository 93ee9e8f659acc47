"""Puller: gets runs back from a team server, byte for byte.

Files that are here already are continued, not loaded again. What was transferred is compared with the server by hash.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from seamark.upload import wire
from seamark.upload.connection import Connection
from seamark.upload.errors import UploadError
from seamark.upload.fingerprint import exact_hash, fingerprint
from seamark.upload.names import name_problem

MAX_ATTEMPTS = 3
QUESTIONS = 500


class RemoteFile(NamedTuple):
    run: str
    file: str
    length: int


@dataclass
class PullCounts:
    files: int = 0
    loaded_bytes: int = 0
    had_bytes: int = 0  # they were here already


class Puller:
    """One thread uses it. Every method raises UploadError, and OSError for the local disk."""

    def __init__(
        self,
        connection: Connection,
        folder: Path,
        *,
        progress: Callable[[PullCounts, int], None] = lambda counts, total: None,
    ) -> None:
        self._connection, self._folder, self._progress = connection, folder, progress
        self._total = 0
        self.counts = PullCounts()

    def runs(self) -> list[str]:
        return [str(run["name"]) for run in self._connection.get_json("runs")["runs"]]

    def pull(self, runs: list[str]) -> None:
        wanted = [file for run in runs for file in self._files_of(run)]
        self.counts.files = len(wanted)
        self._total = sum(file.length for file in wanted)
        for _ in range(MAX_ATTEMPTS):
            self._load(wanted)
            wanted = [file for file in wanted if not self._is_right(file)]
            if not wanted:
                return
            for file in wanted:  # replaced on the server while it was loaded
                self._path(file).unlink(missing_ok=True)
            wanted = [again for run in dict.fromkeys(file.run for file in wanted) for again in self._files_of(run)]
        raise UploadError(
            f"{len(wanted):,} files changed on the server while they were loaded; retry later: '{wanted[0].file}'",
            is_temporary=True,
        )

    def _files_of(self, run: str) -> list[RemoteFile]:
        listed = self._connection.get_json("files", run=run)["files"]
        return [RemoteFile(run, str(entry["file"]), int(entry["bytes"])) for entry in listed]

    def _load(self, wanted: list[RemoteFile]) -> None:
        for start in range(0, len(wanted), QUESTIONS):
            files = wanted[start : start + QUESTIONS]
            questions = [wire.FileQuestion(file.run, file.file, self._local_length(file)) for file in files]
            answers = self._connection.lengths(wire.LengthsRequest(questions)).files
            for file, question, answer in zip(files, questions, answers, strict=True):
                self._continue(file, question.length if self._continues(file, question.length, answer) else 0)

    def _continues(self, file: RemoteFile, length: int, answer: wire.FileAnswer) -> bool:
        """Whether what is here is the beginning of what the server has."""
        if not length or length > file.length or answer.compared != length:
            return False
        with self._path(file).open("rb", buffering=0) as opened:
            return fingerprint(opened.fileno(), length) == answer.hash

    def _continue(self, file: RemoteFile, have: int) -> None:
        path = self._path(file)
        self.counts.had_bytes += have
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("r+b" if have else "wb") as opened:
            opened.seek(have)
            if have < file.length:
                with self._connection.file(file.run, file.file, have, file.length) as blocks:
                    for block in blocks:
                        opened.write(block)
                        self.counts.loaded_bytes += len(block)
                        self._progress(self.counts, self._total)

    def _is_right(self, file: RemoteFile) -> bool:
        with self._path(file).open("rb", buffering=0) as opened:
            if os.fstat(opened.fileno()).st_size != file.length:
                return False
            question = wire.FileQuestion(file.run, file.file, file.length, is_exact=True)
            answer = self._connection.lengths(wire.LengthsRequest([question])).files[0]
            if not file.length:
                return answer.compared == 0
            return answer.compared == file.length and exact_hash(opened.fileno(), file.length) == answer.hash

    def _local_length(self, file: RemoteFile) -> int:
        try:
            return self._path(file).stat().st_size
        except FileNotFoundError:
            return 0

    def _path(self, file: RemoteFile) -> Path:
        # The names come from a server: they must not lead out of the folder.
        problem = name_problem("run", file.run) or name_problem("file", file.file)
        if problem:
            raise UploadError(f"the server sent a name that cannot be used: {problem}", is_temporary=False)
        return self._folder / file.run / file.file
