"""One event file: made in a run's folder, appended to, flushed, closed. Bytes go in framed, as the core makes them."""

from __future__ import annotations

import itertools
import os
import socket
import time
from pathlib import Path
from types import TracebackType

from seamark import _core

# Two files made in the same second by one process must not share a name.
_numbers = itertools.count()


class EventFile:
    """Exists on disk once it is made, with its file-version record, so that a viewer sees the run at once."""

    def __init__(self, folder: str | os.PathLike[str], *, wall_time: float | None = None) -> None:
        now = time.time() if wall_time is None else wall_time
        directory = Path(folder)
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / file_name(now)
        self._file = self.path.open("xb")
        self.append(_core.encode_file_version(now))
        self.flush()

    def append(self, record: bytes) -> None:
        """Adds one or several whole framed records."""
        self._file.write(record)

    def add_scalar(self, tag: str, value: float, step: int, *, wall_time: float | None = None) -> None:
        self.append(_core.encode_scalar(tag.encode(), value, step, time.time() if wall_time is None else wall_time))

    def flush(self) -> None:
        """Hands everything to the operating system: from here on a viewer sees it."""
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> EventFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def file_name(wall_time: float) -> str:
    # Ten digits: a run's files are read in the order of their names, which is then the order of their times.
    return f"events.out.tfevents.{int(wall_time):010d}.{socket.gethostname()}.{os.getpid()}.{next(_numbers)}"
