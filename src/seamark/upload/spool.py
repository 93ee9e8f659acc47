"""The spool: where runs wait for a bucket.

Each folder has a hidden note of its destination, so that what a killed program left can be sent later.
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


class SpooledRun(NamedTuple):
    folder: Path
    address: str  # of the run in the bucket


def spool_dir() -> Path:
    return user_data_dir() / "spool"


def bucket_dir(address: str) -> Path:
    """Where the runs wait that are sent to this address of a bucket."""
    return spool_dir() / f"bucket-{hashlib.blake2b(address.encode(), digest_size=8).hexdigest()}"


def write_note(run: SpooledRun) -> None:
    """Raises OSError."""
    (run.folder / NOTE_FILE).write_text(json.dumps({"address": run.address}), encoding="utf-8")


def spooled_runs() -> Iterator[SpooledRun]:
    """All runs in the spool, in the order of their folders."""
    for path in sorted(spool_dir().glob(f"*/*/{NOTE_FILE}")):
        try:
            address = str(json.loads(path.read_text(encoding="utf-8"))["address"])
        except (OSError, ValueError, KeyError, TypeError):
            continue  # its program was killed before it logged anything
        yield SpooledRun(path.parent, address)


def remove_spooled(folder: Path) -> None:
    """Removes a run that the bucket has completely."""
    if folder.is_relative_to(spool_dir()):
        shutil.rmtree(folder, ignore_errors=True)
