"""The spool: where runs wait for a team server or a bucket, if the program named no folder for them.

A run that is to be sent has a hidden note of its destination in its folder, so that what a killed program left can be
sent later.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from seamark.format.user_dirs import user_data_dir

NOTE_FILE = ".seamark-upload.json"


class Note(NamedTuple):
    """Where a run is to be sent. Without the token, which does not belong next to data.

    `address` is that of a team server, or of the run in a bucket; there are no project and no name in a bucket.
    """

    address: str
    project: str = ""
    run: str = ""


class SpooledRun(NamedTuple):
    folder: Path
    note: Note


def spool_dir() -> Path:
    return user_data_dir() / "spool"


def bucket_dir(address: str) -> Path:
    """Where the runs wait that are sent to this address of a bucket."""
    return spool_dir() / f"bucket-{hashlib.blake2b(address.encode(), digest_size=8).hexdigest()}"


def write_note(folder: Path, note: Note) -> None:
    """Raises OSError."""
    (folder / NOTE_FILE).write_text(json.dumps(note._asdict()), encoding="utf-8")


def read_note(folder: Path) -> Note | None:
    try:
        found = json.loads((folder / NOTE_FILE).read_text(encoding="utf-8"))
        return Note(str(found["address"]), str(found.get("project", "")), str(found.get("run", "")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def spooled_runs() -> Iterator[SpooledRun]:
    """All runs in the spool, in the order of their folders."""
    for path in sorted(spool_dir().glob(f"*/*/{NOTE_FILE}")):
        note = read_note(path.parent)
        if note is not None:
            yield SpooledRun(path.parent, note)


def is_in_spool(folder: Path) -> bool:
    return folder.is_relative_to(spool_dir())


def remove_spooled(folder: Path) -> None:
    """Removes a run that the server has completely. A folder outside of the spool is the user's own, and stays."""
    if is_in_spool(folder):
        shutil.rmtree(folder, ignore_errors=True)
