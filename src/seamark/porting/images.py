"""Image files of other trackers as payloads, byte for byte."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from seamark.porting.source import Payload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seamark.format.messages import Summary

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")


def payload_of_files(tag: str, files: Sequence[Path], *, step: int, wall: float, description: str = "") -> Payload:
    """The images of one step. The files are read only when they are written."""
    return Payload(tag, step, wall, partial(_value, tag, files, description))


def is_image(path: Path) -> bool:
    """True if the page can show the file: known first bytes and a readable size."""
    from seamark.kinds import image

    try:
        with path.open("rb") as file:
            head = file.read(1 << 16)
    except OSError:
        return False
    return image.size_of(head) is not None


def _value(tag: str, files: Sequence[Path], description: str) -> Summary.Value:
    from seamark.kinds import image

    return image.encode_files(tag, [file.read_bytes() for file in files], description=description)
