"""Opening the file that `-o` names, or stdout for `-`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def check_not_there(output: str) -> None:
    """Raises ValueError if the file exists already."""
    if output != "-" and Path(output).exists():
        raise ValueError(f"this file exists already and is not overwritten: '{output}'")


@contextmanager
def open_output(output: str) -> Iterator[IO[bytes]]:
    """The file gets its name when it is complete, so a partial file is never mistaken for a complete one."""
    if output == "-":
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    path = Path(output)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("xb") as file:
            yield file
        # Unlike a rename, a link fails if another process created the file meanwhile.
        try:
            os.link(unfinished, path)
        except FileExistsError:
            raise ValueError(f"this file exists already and is not overwritten: '{output}'") from None
        except OSError:  # a file system without hard links
            unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
