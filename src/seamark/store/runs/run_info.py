"""One run as the list of runs shows it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from seamark.format.types import RunName


class RunInfo(Struct, frozen=True):
    """A summary of one run."""

    name: RunName
    path: Path
    shown_path: str  # what people know the folder by
    first_wall: float | None
    last_wall: float | None
    files: int
    bytes: int
    series: int
    points: int  # scalar points, of all attempts
    payloads: int
