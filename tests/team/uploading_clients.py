"""Clients that upload scalar points to a server that may be killed at any moment, and note what was acknowledged."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from seamark import _core
from seamark.upload import wire
from seamark.upload.connection import Connection
from seamark.upload.destination import Destination
from seamark.upload.errors import UploadError

FILE_NAME = "events.out.tfevents.0000000001.host"


@dataclass
class Trainer:
    """Appends points to an event file in memory and sends what the server has not acknowledged."""

    run: str
    destination: Destination
    points_per_request: int = 20
    content: bytes = b""
    steps: int = 0
    acknowledged_steps: int = 0
    acknowledged_bytes: int = 0
    failures: int = 0
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.content = _core.encode_file_version(1_000_000.0)
        self._connection = Connection(self.destination, answer_secs=30.0)

    def run_until(self, stop: threading.Event) -> None:
        try:
            while not stop.is_set():
                self.send()
            while self.acknowledged_bytes < len(self.content):
                self.send(more_points=0)
        except Exception as error:
            self.problems.append(f"{type(error).__name__}: {error}")

    def send(self, more_points: int | None = None) -> None:
        for _ in range(self.points_per_request if more_points is None else more_points):
            self.content += _core.encode_scalar(b"loss", self.steps / 7, self.steps, 1_000_000.0 + self.steps)
            self.steps += 1
        start = self.acknowledged_bytes
        steps, data = self.steps, self.content[start : start + wire.MAX_PIECE_BYTES]
        record = b'{"id": "%s", "steps": %d}' % (self.run.encode(), steps)
        whole = wire.Whole(len(record), wire.hash_bytes(record))
        pieces = [
            wire.make_piece(self.run, FILE_NAME, start, data),
            wire.make_piece(self.run, "run.json", 0, record, replaces=whole),
        ]
        try:
            results = self._connection.upload(wire.UploadRequest(pieces)).results
        except UploadError as error:
            if not error.is_temporary:
                raise
            self.failures += 1
            time.sleep(0.02)
            return
        # The same bytes may have been stored before an answer was lost: then the server had them.
        if results[0].outcome not in ("stored", "had") or results[1].outcome not in ("stored", "had"):
            raise AssertionError(f"run {self.run}: {results}")
        self.acknowledged_bytes = start + len(data)
        if start + len(data) == len(self.content):
            self.acknowledged_steps = steps
