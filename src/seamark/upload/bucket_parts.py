"""Parts: how an event file that grows is stored in a bucket, whose objects cannot grow.

Each part is an object of its own and an event file in itself: a version record, then records of the file on this
machine, in order. Its name has the number of the part in it, so that every reader of the folder puts them together.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from seamark import _core
from seamark.format.replace_file import replace_file

PROGRESS_FILE = ".seamark-bucket.json"
MAX_PARTS = 10**6
# events.out.tfevents.<seconds>.<host>.<process>.<number><suffix>
_NAME = re.compile(r"(?P<start>.*tfevents\.\d+\..+?\.\d+\.)(?P<number>\d+)(?P<suffix>\D.*)?", re.DOTALL)


class Sent(msgspec.Struct):
    """What the bucket has of an event file: bytes of it, in how many parts."""

    offset: int = 0
    parts: int = 0


class Progress:
    """What the bucket has of the files of one run. Saved in the run's folder after each part.

    If the program is killed between the two, the part is sent again under the same name, from the same offset.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / PROGRESS_FILE
        try:
            self._sent = msgspec.json.decode(self._file.read_bytes(), type=dict[str, Sent])
        except (OSError, msgspec.MsgspecError):
            self._sent = {}

    def of(self, file: str) -> Sent:
        return self._sent.setdefault(file, Sent())

    def save(self) -> None:
        """Raises OSError."""
        replace_file(self._file, json.dumps(msgspec.to_builtins(self._sent)).encode())


def part_name(file: str, number: int) -> str:
    """Sorts behind the earlier parts, by name and by number, and is a name of the same writer."""
    folder, _, name = file.rpartition("/")
    found = _NAME.fullmatch(name)
    if found is None:  # another program's
        part = f"{name}.{number:06d}"
    else:
        part = f"{found['start']}{int(found['number']) * MAX_PARTS + number:012d}{found['suffix'] or ''}"
    return f"{folder}/{part}" if folder else part


def next_part(path: Path, offset: int, max_bytes: int) -> bytes:
    """Whole records behind `offset`; more than `max_bytes` only if the first record is longer. Raises OSError."""
    size = max_bytes
    while True:
        with path.open("rb") as file:
            file.seek(offset)
            data = file.read(size)
        ends = _core.record_ends(data)
        if ends or len(data) < size:
            return data[: ends[-1]] if ends else b""
        size *= 4  # a record that is longer
