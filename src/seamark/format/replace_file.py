"""Replaces a file as a whole: readers see the old content or the new one, also after a kill or on a full disk."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Raises OSError, and then leaves the old file as it was. `durable`: the disk has it, not only the system."""
    beside = write_beside(path, data, durable=durable)
    try:
        beside.replace(path)
    except OSError:
        _remove(beside)
        raise


def write_beside(path: Path, data: bytes, *, durable: bool = False) -> Path:
    """Writes a hidden file in the same folder, to be renamed or linked to `path`. An error leaves none behind."""
    # Threads of one process need separate files, too.
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
    except OSError:
        _remove(beside)
        raise
    return beside


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
